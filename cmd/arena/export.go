package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tengen/brain/atomicfile"
	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/cmd/internal/flags"
)

// runExport writes the games of journals in the formats of other programs.
func runExport(args []string, stdout io.Writer) error {
	fs := flags.New("export")
	psq := fs.String("psq", "", "write each game as a Piskvork record into `DIRECTORY` (default none)")
	sgf := fs.String("sgf", "", "write all games to `FILE` in SGF (default none)")
	pgn := fs.String("pgn", "", "write players and results of all games to `FILE`, for programs such as Ordo and BayesElo (default none)")
	samples := fs.String("samples", "", "write the games with the values of the engines to `FILE.tgs`, for learn (default none)")
	m, _, err := sources(fs, args, stdout, sgf, pgn, samples)
	if err != nil {
		return err
	}
	if *psq == "" && *sgf == "" && *pgn == "" && *samples == "" {
		return flags.Usage("export needs -psq, -sgf, -pgn or -samples")
	}
	if *samples != "" && filepath.Ext(*samples) != ".tgs" {
		return flags.Usage("-samples %s: want a name that ends in .tgs", *samples)
	}
	written := slices.DeleteFunc([]string{*sgf, *pgn, *samples}, func(name string) bool { return name == "" })
	if err := flags.CheckFiles(nil, written); err != nil {
		return err
	}
	var sheets []sheet
	var all []*record.Game
	for _, g := range m.sorted() {
		r, err := g.game()
		if err != nil {
			return err
		}
		all = append(all, r)
		if *psq != "" {
			name := fmt.Sprintf("%05d_%s_%s.psq", g.Game, fileName(g.Black), fileName(g.White))
			sheets = append(sheets, sheetOf(filepath.Join(*psq, name), record.WritePSQ, r))
		}
	}
	if *sgf != "" {
		sheets = append(sheets, sheetOf(*sgf, record.WriteSGF, all...))
	}
	if *pgn != "" {
		sheets = append(sheets, sheetOf(*pgn, writePGN, m.sorted()...))
	}
	if *samples != "" {
		s, err := m.samples(*samples, all)
		if err != nil {
			return err
		}
		sheets = append(sheets, s)
	}
	for _, s := range sheets {
		if err := s.mayReplace(); err != nil {
			return err
		}
	}
	if *psq != "" {
		if err := os.MkdirAll(*psq, 0o755); err != nil {
			return flags.Usage("-psq: %v", err)
		}
	}
	for _, s := range sheets {
		if err := atomicfile.Write(s.name, bytes.Join(s.games, nil)); err != nil {
			return err
		}
	}
	return nil
}

// A sheet is a file with the texts of games.
type sheet struct {
	name  string
	games [][]byte
}

func sheetOf[G any](name string, write func(io.Writer, G) error, games ...G) sheet {
	s := sheet{name: name}
	for _, g := range games {
		var text bytes.Buffer
		write(&text, g) // writing to a buffer never fails
		s.games = append(s.games, text.Bytes())
	}
	return s
}

// mayReplace returns a usage error if the file is there and has something that is not written: it
// may be a file of games of the user's own, or of another match.
func (s *sheet) mayReplace() error {
	info, err := os.Stat(s.name)
	if err != nil || !info.Mode().IsRegular() {
		return nil // writing it gives a better error, if there is one
	}
	old, err := os.ReadFile(s.name)
	if err != nil {
		return flags.Usage("%v", err)
	}
	for _, g := range s.games { // in the order of the schedule, in which they were written
		old = bytes.TrimPrefix(old, g)
	}
	if len(old) > 0 {
		return flags.Usage("%s exists and has what is not exported now; remove it first", s.name)
	}
	return nil
}

// fileName replaces characters that some file systems refuse, and cuts long names: two of them
// and a number fit in what most systems allow, 255 bytes.
func fileName(s string) string {
	const most = 100
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._+", r) {
			return r
		}
		return '_'
	}, s)
	return s[:min(len(s), most)]
}

// game converts a line of the journal to a game for the file formats.
func (r *gameRecord) game() (*record.Game, error) {
	moves, err := board.ParseMoves(r.Moves, r.Size, r.Size)
	if err != nil {
		return nil, fmt.Errorf("game %d: %w", r.Game, err)
	}
	if r.Opening < 0 || r.Opening > len(moves) {
		return nil, fmt.Errorf("game %d: %d opening moves of %d", r.Game, r.Opening, len(moves))
	}
	g := &record.Game{
		Rule: board.Rule(r.Rule), Width: r.Size, Height: r.Size, Black: r.Black, White: r.White,
		Moves: moves, Opening: r.Opening, Outcome: record.ParseOutcome(r.Result), Reason: r.Reason,
		Event: r.Black + " x " + r.White, Round: fmt.Sprintf("%d.%d", r.Round, r.Game),
		Date: strings.NewReplacer("-", ".", "T", " ", "Z", "").Replace(r.Started),
	}
	if r.Detail != "" {
		g.Reason += " " + r.Detail
	}
	g.Millis = make([]int, len(moves))
	for i, ms := range r.Time {
		if k := r.Opening + i; k < len(moves) {
			g.Millis[k] = int(ms + 0.5)
		}
	}
	return g, nil
}

// writePGN writes the tags of a game and its result, as programs for ratings read them. PGN has no moves
// of this game, and its result is that of White.
func writePGN(w io.Writer, g *gameRecord) error {
	result := map[int]string{0: "1-0", 1: "1/2-1/2", 2: "0-1"}[g.halfPoints()]
	date, _, _ := strings.Cut(g.Started, "T")
	var b strings.Builder
	for _, tag := range [][2]string{
		{"Event", fmt.Sprintf("%v %dx%d", board.Rule(g.Rule), g.Size, g.Size)}, {"Site", "?"}, {"Date", strings.ReplaceAll(date, "-", ".")},
		{"Round", fmt.Sprintf("%d.%d", g.Round, g.Game)}, {"White", g.White}, {"Black", g.Black}, {"Result", result},
		{"PlyCount", fmt.Sprint(g.Opening + len(g.Time))}, {"Termination", termination(g.Reason)},
	} {
		fmt.Fprintf(&b, "[%s \"%s\"]\n", tag[0], strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(tag[1]))
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n\n", b.String(), result)
	return err
}

// termination returns the word of PGN for the end of a game.
func termination(reason string) string {
	switch reason {
	case "timeout":
		return "time forfeit"
	case "illegal", "forbidden", "protocol":
		return "rules infraction"
	case "crash", "memory":
		return "abandoned"
	case "adjudication":
		return "adjudication"
	}
	return "normal"
}

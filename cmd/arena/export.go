package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	m, _, err := sources(fs, args, stdout, sgf)
	if err != nil {
		return err
	}
	if *psq == "" && *sgf == "" {
		return flags.Usage("export needs -psq or -sgf")
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

func sheetOf(name string, write func(io.Writer, *record.Game) error, games ...*record.Game) sheet {
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

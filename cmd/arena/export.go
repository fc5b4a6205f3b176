package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/record/atomicfile"
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
	if err := flags.CheckReplaced(*sgf, "(;"); err != nil {
		return err
	}
	var games []*record.Game
	var names []string // of the Piskvork records
	for _, g := range m.sorted() {
		r, err := g.game()
		if err != nil {
			return err
		}
		games = append(games, r)
		if *psq != "" {
			name := filepath.Join(*psq, fmt.Sprintf("%05d_%s_%s.psq", g.Game, fileName(g.Black), fileName(g.White)))
			if err := flags.CheckReplaced(name, "Piskvorky "); err != nil {
				return err
			}
			names = append(names, name)
		}
	}
	if *psq != "" {
		if err := os.MkdirAll(*psq, 0o755); err != nil {
			return flags.Usage("-psq: %v", err)
		}
	}
	for i, name := range names {
		if err := writeGames(name, games[i:i+1], record.WritePSQ); err != nil {
			return err
		}
	}
	if *sgf != "" {
		return writeGames(*sgf, games, record.WriteSGF)
	}
	return nil
}

func writeGames(path string, games []*record.Game, write func(io.Writer, *record.Game) error) error {
	return atomicfile.WriteTo(path, func(w io.Writer) error {
		for _, g := range games {
			if err := write(w, g); err != nil {
				return err
			}
		}
		return nil
	})
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

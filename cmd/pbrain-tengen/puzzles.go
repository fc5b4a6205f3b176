package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"tengen/brain/atomicfile"
	"tengen/brain/board"
	"tengen/brain/puzzle"
	"tengen/brain/record"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/inorder"
	"tengen/cmd/internal/progress"
)

const puzzlesDoc = `Finds puzzles in games: positions in which the side to move wins by continuous threats, with a proof that
is checked by the rules alone, and by one first move only, as far as is seen. Every other move near the
stones is tried, and a pass for the rest; a four before the winning move counts as the same. The
position after the last move of a game that is not over counts too. GAMES are files as analyze reads
them, or journals of arena. Games on boards that are not square, or with passes, have no puzzles.

Levels are 1 to 5 by the length of the win, up to 5, 9, 13, 19 and more plies. It is one more if the
proof has many nodes or the move is far from what the policy suggests at a glance, one less if it
is the first that comes to mind. Of puzzles that are alike, turned, moved or with other stones far
away, the first is kept, and of a game one of each level at most.

The puzzles are printed as record.ReadPuzzles reads them and testdata has them, a line each, easy ones
first, with what is known of each in a comment above it:
  RULE SIZE MOVES KIND PLIES FIRST LEVEL
-deck and -html write them as well: as JSON for the board, and as sheets to print, six to a page, with
the solutions at the end. An interrupt ends the search with what is found so far.
`

// How the files of puzzles begin.
const (
	deckStart  = `{"puzzles":`
	sheetStart = "<!doctype html>\n<html lang=\"en\" class=\"puzzles\">"
)

// A puzzleFinder runs the command puzzles.
type puzzleFinder struct {
	invocation
	most  int // of a rule and a level, 0 for all
	games []*game
	found []*foundPuzzle
	alike map[string]bool // by shape
	count map[[2]int]int  // by rule and level
	line  *progress.Line
}

// A foundPuzzle is a puzzle and its game.
type foundPuzzle struct {
	*game
	puzzle.Puzzle
}

// puzzles is the command of this name.
func puzzles(fs *flag.FlagSet) func(invocation) error {
	p := &puzzleFinder{alike: map[string]bool{}, count: map[[2]int]int{}}
	games := gameReader{after: -1, fromTop: true, fouls: true}
	games.add(fs)
	flags.Number(fs, &p.most, "most", 0, 1<<20, "`NUMBER` of puzzles of each rule and level, 0 for all")
	deck := fs.String("deck", "", "write the puzzles to `FILE` as JSON")
	sheet := fs.String("html", "", "write the puzzles to `FILE` as a page to print")
	concurrency, quiet := 2, false
	flags.Concurrency(fs, &concurrency, "games")
	flags.Quiet(fs, &quiet)
	return func(r invocation) error {
		p.invocation = r
		for name, begin := range map[string]string{*deck: deckStart, *sheet: sheetStart} {
			if name == "" {
				continue
			}
			if err := cmp.Or(flags.CheckFiles(r.args, []string{name}), flags.CheckReplaced(name, begin)); err != nil {
				return err
			}
		}
		if *deck != "" && *deck == *sheet {
			return flags.Usage("-deck and -html: want different files")
		}
		left := skipper{stderr: r.stderr}
		games.refuse = left.out
		games.objects = func(in io.Reader, name string) error { return p.journal(in, name, games) }
		use := func(g *game) error {
			left.used = true
			p.games = append(p.games, g)
			return nil
		}
		p.line = progress.New(r.stderr, quiet)
		if err := games.named(r.args, nil, use); err != nil {
			return err
		}
		err := p.find(concurrency)
		p.line.End()
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
		p.sort()
		if err := p.write(*deck, *sheet); err != nil {
			return err
		}
		return cmp.Or(err, left.end())
	}
}

// journal uses the games of a journal of arena.
func (p *puzzleFinder) journal(in io.Reader, name string, games gameReader) error {
	return eachLine(in, name, func(where, text string) error {
		var r struct {
			Game, Opening, Size int
			Rule                board.Rule
			Moves               string
		}
		if err := json.Unmarshal([]byte(text), &r); err != nil || r.Moves == "" || !board.ValidSize(r.Size, r.Size) {
			return games.refuse(flags.Usage("%s: %.60q is no game of a journal", where, text))
		}
		games.on = flags.Board{Rule: r.Rule, Width: r.Size, Height: r.Size}
		g, err := games.text(r.Moves)
		if err != nil {
			return games.refuse(flags.Usage("%s: %v", where, err))
		}
		g.name, g.opening = fmt.Sprintf("%s, game %d", name, r.Game), min(r.Opening, len(g.moves))
		p.games = append(p.games, g)
		return nil
	}, nil)
}

// find looks for puzzles in all games, several at a time.
func (p *puzzleFinder) find(concurrency int) error {
	evaluation := p.config.Evaluation
	work := func() func(context.Context, uint32) ([]puzzle.Puzzle, error) {
		var finder *puzzle.Finder
		var last *game
		return func(ctx context.Context, n uint32) (list []puzzle.Puzzle, err error) {
			g := p.games[n]
			if g.width != g.height || slices.Contains(g.moves, board.None) {
				return nil, nil // the format of puzzles has neither
			}
			if last == nil || last.rule != g.rule || last.width != g.width {
				if finder, err = puzzle.NewFinder(evaluation, g.rule, g.width, g.height); err != nil {
					return nil, err
				}
				last = g
			}
			moves := g.moves
			if _, err := g.board(len(moves)); err != nil {
				moves = moves[:len(moves)-1] // a foul at the end
			}
			return finder.Find(ctx, moves, g.opening)
		}
	}
	return inorder.Run(p.ctx, concurrency, 0, uint32(len(p.games)), work, func(n uint32, list []puzzle.Puzzle) error {
		for _, one := range list {
			p.add(&foundPuzzle{p.games[n], one})
		}
		if p.line.Due(false) {
			p.line.Show(fmt.Sprintf("game %d of %d", n+1, len(p.games)), counted(len(p.found), "puzzle", "puzzles"))
		}
		return nil
	})
}

// add keeps a puzzle unless there is one like it, or enough of its level.
func (p *puzzleFinder) add(one *foundPuzzle) {
	key := [2]int{int(one.rule), one.Level}
	if p.alike[one.Shape] || p.most > 0 && p.count[key] >= p.most {
		return
	}
	p.alike[one.Shape] = true
	p.count[key]++
	p.found = append(p.found, one)
}

// sort sorts the puzzles by rule, size, level and length.
func (p *puzzleFinder) sort() {
	slices.SortStableFunc(p.found, func(a, b *foundPuzzle) int {
		return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.width, b.width), cmp.Compare(a.Level, b.Level), cmp.Compare(a.Plies, b.Plies))
	})
}

// write prints the puzzles, and writes the files whose names are not empty.
func (p *puzzleFinder) write(deck, sheet string) error {
	out := bufio.NewWriter(p.stdout)
	for _, one := range p.found {
		kind := "vct"
		if one.Fours {
			kind = "vcf"
		}
		fmt.Fprintf(out, "# %s in the proof, %d by the policy: %s, after %s\n%d %d %s %s %d %v %d\n",
			counted(one.Nodes, "node", "nodes"), one.Glance+1, one.name, counted(one.After, "move", "moves"),
			one.rule, one.width, one.pos(one.After), kind, one.Plies, one.Line[0], one.Level)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("%w: %w", errOutput, err)
	}
	if deck != "" {
		if err := atomicfile.WriteTo(deck, p.deck); err != nil {
			return err
		}
	}
	if sheet != "" {
		return atomicfile.WriteTo(sheet, p.sheet)
	}
	return nil
}

// A deckJSON is a puzzle of a deck.
type deckJSON struct {
	Width  int        `json:"width"`
	Height int        `json:"height"`
	Rule   board.Rule `json:"rule"`
	Moves  string     `json:"moves"`
	Plies  int        `json:"plies"`
	Level  int        `json:"level"`
	Wins   []string   `json:"wins"`
	Line   string     `json:"line"`
	Source string     `json:"source"`
}

// deck writes the puzzles as JSON, a puzzle a line.
func (p *puzzleFinder) deck(w io.Writer) error {
	var s strings.Builder
	s.WriteString(deckStart + "[")
	for i, one := range p.found {
		if i > 0 {
			s.WriteByte(',')
		}
		line, err := json.Marshal(deckJSON{
			one.width, one.height, one.rule, one.pos(one.After), one.Plies, one.Level,
			[]string{one.Line[0].String()}, record.FormatMoves(one.Line), one.name,
		})
		if err != nil {
			return err
		}
		s.WriteString("\n" + string(line))
	}
	s.WriteString("\n]}\n")
	_, err := io.WriteString(w, s.String())
	return err
}

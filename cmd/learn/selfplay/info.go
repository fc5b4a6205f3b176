package selfplay

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/search"
	"tengen/cmd/internal/flags"
)

// runInfo tells what files hold. It replays every game.
func runInfo(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("info", flag.ContinueOnError)
	from := fs.String("from", "", "`FORMAT` of the input where its name does not tell: bin or binpack")
	if err := parse(fs, args, stdout, 1, 1<<20); err != nil {
		return err
	}
	if *from != "" && *from != formatBin && *from != formatBinpack {
		return flags.Usage("-from %s: want bin or binpack", *from)
	}
	var failed error
	for _, name := range fs.Args() {
		t := &tally{kinds: map[kind]int{}, endings: map[string]int{}, boards: map[kind]*board.Board{}}
		in, err := openSource(name, *from)
		if err == nil {
			err = in.each(func(g *record.SampleGame) error { return t.add(g, in.origin()) })
			t.print(stdout, name, in.bytes)
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// A kind of game is a rule and a board.
type kind struct {
	rule          board.Rule
	width, height int
}

// A tally counts what games there are.
type tally struct {
	games, plies, positions int
	proven, other           int // positions with a proven value; with another move than the best
	least, most             int // plies
	kinds                   map[kind]int
	outcomes                [4]int
	endings                 map[string]int
	origins                 []string
	boards                  map[kind]*board.Board
}

// How games end.
const (
	endRow      = "a row"
	endProven   = "a proven win"
	endFull     = "a full board"
	endOpen     = "neither" // adjudged, or played under limits that the file does not know
	endMismatch = "a row or a proof that is not the outcome"
)

func (t *tally) add(g *record.SampleGame, origin string) error {
	k := kind{g.Rule, g.Width, g.Height}
	if t.games == 0 {
		t.least = len(g.Plies)
	}
	t.games++
	t.kinds[k]++
	t.plies += len(g.Plies)
	t.positions += g.Positions()
	t.least, t.most = min(t.least, len(g.Plies)), max(t.most, len(g.Plies))
	t.outcomes[g.Outcome]++
	if !slices.Contains(t.origins, origin) {
		t.origins = append(t.origins, origin)
	}
	for _, p := range g.Plies {
		if p.Searched() && search.Value(p.Value).Proven() {
			t.proven++
		}
		if p.Searched() && p.Best != p.Move {
			t.other++
		}
	}
	b := t.boards[k]
	if b == nil {
		var err error
		if b, err = board.New(g.Rule, g.Width, g.Height); err != nil {
			return err
		}
		t.boards[k] = b
	}
	end, err := replay(b, g)
	if err != nil {
		return fmt.Errorf("game %d: %w", g.Number, err)
	}
	t.endings[end]++
	return nil
}

// replay plays g on b and says how it ended. Errors: a forbidden move, or a row before
// the last move.
func replay(b *board.Board, g *record.SampleGame) (string, error) {
	b.Reset()
	for i, p := range g.Plies {
		side := b.Side()
		switch {
		case p.Move == board.None:
			b.Pass()
			continue
		case b.Wins(side, p.Move):
			if i+1 < len(g.Plies) {
				return "", fmt.Errorf("ply %d, %v, ends the game, which goes on", i+1, p.Move)
			}
			return agree(endRow, side, g.Outcome), nil
		case !b.Legal(p.Move):
			return "", fmt.Errorf("ply %d, %v, is forbidden", i+1, p.Move)
		}
		if i+1 == len(g.Plies) && p.Searched() && search.Value(p.Value) >= search.WinFloor {
			return agree(endProven, side, g.Outcome), nil
		}
		b.Play(p.Move)
	}
	if b.Empties() == 0 {
		return endFull, nil
	}
	return endOpen, nil
}

func agree(end string, winner board.Color, o record.Outcome) string {
	if o != record.WonBy(winner) {
		return endMismatch
	}
	return end
}

func (t *tally) print(w io.Writer, name string, bytes int64) {
	percent := func(n, of int) string { return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(max(of, 1))) }
	fmt.Fprintf(w, "%s: %d games, %d positions with a value, %d bytes\n", name, t.games, t.positions, bytes)
	for k, n := range sorted(t.kinds) {
		fmt.Fprintf(w, "  %d games of %v on %dx%d\n", n, k.rule, k.width, k.height)
	}
	fmt.Fprintf(w, "  black won %s, white won %s, drawn %s, no result %s\n", percent(t.outcomes[record.BlackWon], t.games),
		percent(t.outcomes[record.WhiteWon], t.games), percent(t.outcomes[record.Drawn], t.games), percent(t.outcomes[record.Unknown], t.games))
	fmt.Fprintf(w, "  plies %.1f in the mean, %d to %d\n", float64(t.plies)/float64(max(t.games, 1)), t.least, t.most)
	fmt.Fprintf(w, "  proven values %s, moves that are not the best %s\n", percent(t.proven, t.positions), percent(t.other, t.positions))
	for _, end := range []string{endRow, endProven, endFull, endOpen, endMismatch} {
		if n := t.endings[end]; n > 0 {
			fmt.Fprintf(w, "  %d games ended with %s\n", n, end)
		}
	}
	for _, o := range t.origins {
		fmt.Fprintf(w, "  origin: %s\n", flags.OneLine(errors.New(o)))
	}
}

// sorted goes through kinds in a fixed order.
func sorted(kinds map[kind]int) func(yield func(kind, int) bool) {
	return func(yield func(kind, int) bool) {
		keys := make([]kind, 0, len(kinds))
		for k := range kinds {
			keys = append(keys, k)
		}
		slices.SortFunc(keys, func(a, b kind) int {
			return int(a.rule)<<16 + a.width<<8 + a.height - (int(b.rule)<<16 + b.width<<8 + b.height)
		})
		for _, k := range keys {
			if !yield(k, kinds[k]) {
				return
			}
		}
	}
}

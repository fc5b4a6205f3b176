package selfplay

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/sample"
	"tengen/brain/score"
	"tengen/cmd/internal/flags"
	"tengen/cmd/learn/dataset"
)

// runInfo describes files of games, and replays every game.
func runInfo(ctx context.Context, args []string, stdout io.Writer) error {
	fs := flags.New("info")
	from := fs.String("from", "", fromUsage)
	if err := flags.Parse(fs, args, stdout, "usage: learn selfplay info [flags] FILE...\n\nDescribes files of games, and checks every game.", flags.Some("a file")); err != nil {
		return err
	}
	if err := dataset.CheckFormat("-from", *from); err != nil {
		return err
	}
	var failed error
	var out bytes.Buffer
	for _, name := range fs.Args() {
		t := &tally{kinds: map[flags.Board]int{}}
		in, err := dataset.Open(ctx, name, *from, -1)
		if err == nil {
			err = in.Each(func(g *sample.Game) error { return t.add(g, in.Origin()) })
			if ctx.Err() == nil {
				t.print(&out, name)
			}
		}
		failed = errors.Join(failed, err)
	}
	_, err := stdout.Write(out.Bytes())
	return errors.Join(failed, err)
}

// A tally counts games and positions.
type tally struct {
	games, plies, positions int
	least, most             int // plies
	withLines               int // positions
	decided, drawn          predictions
	proven                  int // positions with a proven value, of games with a result
	kinds                   map[flags.Board]int
	outcomes                [4]int
	origins                 []string
	b                       *board.Board // of the last game
}

// predictions are values of positions of games with a result: how many, and the sum of their losses as
// predictions of it.
type predictions struct {
	n    int
	loss float64
}

func (p *predictions) mean() float64 { return p.loss / float64(max(p.n, 1)) }

func (t *tally) add(g *sample.Game, origin string) error {
	k := flags.Board{Rule: g.Rule, Width: g.Width, Height: g.Height}
	if t.games == 0 {
		t.least = len(g.Plies)
	}
	t.games++
	t.kinds[k]++
	t.plies += len(g.Plies)
	t.positions += g.Positions()
	for i, l := range g.Lines {
		if i == 0 || l.Ply != g.Lines[i-1].Ply {
			t.withLines++
		}
	}
	t.least, t.most = min(t.least, len(g.Plies)), max(t.most, len(g.Plies))
	t.outcomes[g.Outcome]++
	for i, p := range g.Plies {
		if !p.Searched() || g.Outcome == record.Unknown {
			continue
		}
		to := &t.decided
		if g.Outcome == record.Drawn {
			to = &t.drawn
		}
		to.n++
		to.loss += dataset.LogLoss(p.Value, dataset.Result(board.Color(i&1), g.Outcome))
		if score.Value(p.Value).Proven() {
			t.proven++
		}
	}
	if !slices.Contains(t.origins, origin) {
		t.origins = append(t.origins, origin)
	}
	var err error
	if t.b, err = dataset.Board(t.b, g.Rule, g.Width, g.Height); err != nil {
		return err
	}
	if err := replay(t.b, g); err != nil {
		return fmt.Errorf("game %d: %w", g.Number, err)
	}
	return nil
}

// replay plays g on an empty board. Errors: an illegal move, moves after the end of the game, or
// a result that its end contradicts. A game may stop before its end, as when a win is proven; in
// a continuous game not the end but the rows decide.
func replay(b *board.Board, g *sample.Game) error {
	moves := make([]board.Move, len(g.Plies))
	for i, p := range g.Plies {
		moves[i] = p.Move
	}
	if err := b.PlayAll(moves); err != nil {
		return err
	}
	if b.Rule()&board.Continuous != 0 {
		return nil
	}
	if verdict, winner := b.Verdict(); verdict != board.Unfinished && g.Outcome != record.WonBy(winner) {
		return fmt.Errorf("it ends as %v, and the result is %v", record.WonBy(winner), g.Outcome)
	}
	return nil
}

func (t *tally) print(w io.Writer, name string) {
	percent := func(n, of int) string { return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(max(of, 1))) }
	fmt.Fprintf(w, "%s: %d games, %d positions with a value\n", name, t.games, t.positions)
	kinds := slices.SortedFunc(maps.Keys(t.kinds), func(a, b flags.Board) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Width, b.Width), cmp.Compare(a.Height, b.Height))
	})
	for _, k := range kinds {
		fmt.Fprintf(w, "  %d games of %v on %dx%d\n", t.kinds[k], k.Rule, k.Width, k.Height)
	}
	fmt.Fprintf(w, "  black won %s, white won %s, drawn %s, no result %s\n", percent(t.outcomes[record.BlackWon], t.games),
		percent(t.outcomes[record.WhiteWon], t.games), percent(t.outcomes[record.Drawn], t.games), percent(t.outcomes[record.Unknown], t.games))
	fmt.Fprintf(w, "  plies %.1f in the mean, %d to %d\n", float64(t.plies)/float64(max(t.games, 1)), t.least, t.most)
	if all := (predictions{t.decided.n + t.drawn.n, t.decided.loss + t.drawn.loss}); all.n > 0 {
		fmt.Fprintf(w, "  values against results: log-loss %.3f, without draws %.3f; %s of %d positions proven\n",
			all.mean(), t.decided.mean(), percent(t.proven, all.n), all.n)
	}
	if t.withLines > 0 {
		fmt.Fprintf(w, "  %d positions with several lines\n", t.withLines)
	}
	for _, o := range t.origins {
		fmt.Fprintf(w, "  origin: %s\n", flags.OneLine(errors.New(o)))
	}
}

package selfplay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/score"
	"tengen/brain/search"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/inorder"
	"tengen/cmd/internal/openings"
	"tengen/cmd/internal/progress"
)

// Shorter searches reject most random openings before the long one, which decides.
var filters = [...]struct {
	nodes int64 // of the search
	slack int   // points beyond the balance that still get the next search
}{{1, 60}, {400, 60}} // of freestyle's balanced openings they lose 4%; 2026-11

const (
	maxTries = 300  // then the most balanced opening so far is used
	maxIdle  = 1000 // repeated openings in a row, after which no new ones are left
	edgeOpen = 8    // one opening in edgeOpen may lie within two cells of an edge
)

// scatter puts n stones of alternating colors into a box on b, which is empty, and reports
// whether they make an opening: no five, none threatened, no forbidden move.
func scatter(r *rand.Rand, b *board.Board, n int) bool {
	side := 4
	for side*side < 3*n {
		side++
	}
	side += r.IntN(2)
	w, h := min(side, b.Width()), min(side, b.Height())
	margin := func(size, box int) int {
		if size-box < 4 || r.IntN(edgeOpen) == 0 {
			return r.IntN(size - box + 1)
		}
		return 2 + r.IntN(size-box-3)
	}
	x0, y0 := margin(b.Width(), w), margin(b.Height(), h)
	for _, cell := range r.Perm(w * h)[:n] {
		c := board.At(x0+cell%w, y0+cell/w)
		if !b.Legal(c) {
			return false
		}
		b.Play(c)
		if v, _ := b.Verdict(); v != board.Unfinished {
			return false
		}
	}
	return b.Count(board.Black, board.MakesFive) == 0 && b.Count(board.White, board.MakesFive) == 0
}

// make makes an opening on b with random numbers of r and searches of pool. If it is not
// balanced it is the best of maxTries. It returns early when ctx ends.
func (o *Openings) make(ctx context.Context, r *rand.Rand, b *board.Board, pool *search.Pool) (best []board.Move, balanced bool) {
	off := score.Win
	n := o.Least + r.IntN(o.Most-o.Least+1)
	value := func(nodes int64) score.Value {
		return pool.Search(ctx, b, search.Limits{Nodes: nodes}, nil).Info.Score.Abs()
	}
	// imbalance is how far the position is from even, as seen by the first search that
	// rejects it or by the long one. What lies in the table must not depend on the games before.
	imbalance := func() score.Value {
		for _, f := range filters {
			if f.nodes >= o.Check {
				break
			}
			if v := value(f.nodes); v > score.Value(o.Balance+f.slack) {
				return v
			}
		}
		pool.Clear()
		return value(o.Check)
	}
	pool.Clear()
	for try := 0; try < maxTries && ctx.Err() == nil; try++ {
		b.Reset()
		if !scatter(r, b, n) {
			continue
		}
		v := imbalance()
		if v < off {
			off, best = v, b.Moves()
		}
		if v <= score.Value(o.Balance) {
			return best, true
		}
	}
	return best, false
}

// errFew means that there are fewer balanced openings than are wanted.
var errFew = errors.New("found no more balanced openings")

// MakeOpenings makes count balanced openings that differ from each other and from those known, and
// passes them to take. It shows its progress on line.
func (s *Settings) MakeOpenings(ctx context.Context, count int, known [][]board.Move, workers int, line *progress.Line, take func([]board.Move) error) error {
	if err := s.finish(); err != nil {
		return err
	}
	board0 := s.New()
	seen := map[uint64]bool{}
	for _, moves := range known {
		seen[openings.Canonical(board0, moves)] = true
	}
	work := func() func(context.Context, uint32) ([]board.Move, error) {
		p := newPlayer(s)
		return func(ctx context.Context, n uint32) ([]board.Move, error) {
			moves, ok := s.Openings.make(ctx, newRand(s.Seed, n), p.b, p.pool)
			if err := ctx.Err(); err != nil || !ok {
				return nil, err
			}
			return slices.Clone(moves), nil
		}
	}
	defer line.End()
	made, idle := 0, 0
	return inorder.Run(ctx, workers, 0, ^uint32(0), work, func(_ uint32, moves []board.Move) error {
		if idle++; idle > maxIdle {
			return fmt.Errorf("%w on a board of %dx%d", errFew, s.Width, s.Height)
		}
		if moves == nil {
			return nil
		}
		key := openings.Canonical(board0, moves)
		if seen[key] {
			return nil
		}
		seen[key] = true
		idle = 0
		if err := take(moves); err != nil {
			return err
		}
		made++
		line.Step("openings", made, count, made)
		if made == count {
			return inorder.ErrEnough
		}
		return nil
	})
}

// runOpenings prints openings.
func runOpenings(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flags.New("openings")
	s := Default()
	s.add(fs)
	s.Openings.Check = 100000
	count, workers, quiet := 100, runtime.GOMAXPROCS(0), false
	flags.Number(fs, &count, "count", 1, math.MaxInt32, "`NUMBER` of openings")
	flags.Number(fs, &s.Openings.Check, "check", 1, math.MaxInt64, "`NODES` of the search that checks the balance of an opening")
	flags.Concurrency(fs, &workers, "openings")
	flags.Quiet(fs, &quiet)
	if err := flags.Parse(fs, args, stdout, "usage: learn selfplay openings [flags] > FILE\n\nPrints balanced openings in pos notation, one a line.", flags.Operands{}); err != nil {
		return err
	}
	err := s.MakeOpenings(ctx, count, nil, workers, progress.New(stderr, quiet), func(moves []board.Move) error {
		_, err := fmt.Fprintln(stdout, record.FormatMoves(moves))
		return err
	})
	if errors.Is(err, errFew) {
		return fmt.Errorf("%w: try another -stones or -balance", err)
	}
	return err
}

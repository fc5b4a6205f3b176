package selfplay

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/search"
	"tengen/cmd/internal/flags"
)

// A maker makes openings: random stones in a small box, kept when a search finds them
// balanced.
type maker struct {
	least, most int   // stones
	balance     int   // points, the most that an opening may be worth to either side
	nodes       int64 // of the search that decides
}

func (m *maker) String() string {
	return fmt.Sprintf("stones=%d-%d balance=%d check=%d", m.least, m.most, m.balance, m.nodes)
}

// A short look drops most of what chance makes before the long look, which alone
// decides: these numbers cost or save time, no more.
const (
	quickNodes = 400 // of the short look
	quickSlack = 150 // points that it may be off and still get the long look
	quickTries = 300 // then the most balanced one so far has to do
)

// newChance returns the source of chance of game or opening n.
func newChance(seed uint64, n uint32) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(n)))
}

// noContext is for searches that only nodes limit.
var noContext = context.Background()

// scatter puts n stones of alternate color into a box on b, which is empty, and reports
// whether that is an opening: no five made or about to be made, nothing forbidden.
func (m *maker) scatter(r *rand.Rand, b *board.Board, n int) bool {
	side := 4
	for side*side < 3*n {
		side++
	}
	side += r.IntN(2)
	w, h := min(side, b.Width()), min(side, b.Height())
	// Rarely within two cells of an edge, where nobody would begin.
	margin := func(size, box int) int {
		if size-box < 4 || r.IntN(8) == 0 {
			return r.IntN(size - box + 1)
		}
		return 2 + r.IntN(size-box-3)
	}
	x0, y0 := margin(b.Width(), w), margin(b.Height(), h)
	for _, cell := range r.Perm(w * h)[:n] {
		c := board.At(x0+cell%w, y0+cell/w)
		if b.Wins(b.Side(), c) || !b.Legal(c) {
			return false
		}
		b.Play(c)
	}
	return b.Count(board.Black, board.MakesFive) == 0 && b.Count(board.White, board.MakesFive) == 0
}

// opening makes one with r on b, searching with pool, both of which it leaves as it
// likes. balanced tells that it is within bounds; else it is the best of quickTries. It
// returns early when ctx ends.
func (m *maker) opening(ctx context.Context, r *rand.Rand, b *board.Board, pool *search.Pool) (best []board.Move, balanced bool) {
	off := search.Value(1 << 20)
	n := m.least + r.IntN(m.most-m.least+1)
	look := func(nodes int64) search.Value {
		pool.Clear()
		return abs(pool.Search(ctx, b, search.Limits{Nodes: nodes}, nil).Info.Score)
	}
	for try := 0; try < quickTries && ctx.Err() == nil; try++ {
		b.Reset()
		if !m.scatter(r, b, n) || b.Empties() == 0 {
			continue
		}
		v := look(min(quickNodes, m.nodes))
		if v <= search.Value(m.balance+quickSlack) {
			v = look(m.nodes)
		}
		if v < off {
			off, best = v, best[:0]
			for i := range b.Ply() {
				best = append(best, b.Move(i))
			}
		}
		if v <= search.Value(m.balance) {
			return best, true
		}
	}
	return best, false
}

func abs(v search.Value) search.Value { return max(v, -v) }

// canonical returns a name that an opening has in common with its mirror images and
// with other orders of its stones.
func canonical(b *board.Board, moves []board.Move) uint64 {
	symmetries := symmetriesOf(b)
	least := ^uint64(0)
	for s := range symmetries {
		b.Reset()
		for _, m := range moves {
			b.Play(board.Transform(m, s, b.Width(), b.Height()))
		}
		least = min(least, b.Hash())
	}
	return least
}

// symmetriesOf returns how many of the transforms map the board onto itself.
func symmetriesOf(b *board.Board) int {
	if b.Width() == b.Height() {
		return board.Symmetries
	}
	return board.Symmetries / 2
}

// runOpenings writes openings.
func runOpenings(ctx context.Context, args []string, stdout io.Writer, stderr io.Writer) error {
	fs := flag.NewFlagSet("openings", flag.ContinueOnError)
	s := &settings{}
	s.flags(fs)
	count := fs.Int("count", 100, "`NUMBER` of openings")
	fs.Int64Var(&s.made.nodes, "check", 100000, "`NODES` of the search that decides whether one is balanced")
	workers := fs.Int("concurrency", defaultWorkers, "`NUMBER` of openings looked at at the same time")
	quiet := fs.Bool("quiet", false, "no progress on standard error")
	known := fs.String("but", "", "leave out what `FILE` of openings holds")
	if err := parse(fs, args, stdout, 0, 0); err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	switch {
	case *count < 1:
		return flags.Usage("-count %d: want 1 or more", *count)
	case s.made.nodes < 1:
		return flags.Usage("-check %d: want 1 or more", s.made.nodes)
	case *workers < 1:
		return flags.Usage("-concurrency %d: want 1 or more", *workers)
	}
	b := s.newBoard()
	seen := map[uint64]bool{}
	if *known != "" {
		if err := s.readOpenings(*known); err != nil {
			return err
		}
		for _, o := range s.openings {
			seen[canonical(b, o)] = true
		}
		s.openings = nil
	}
	p := newCounter(stderr, *quiet, "openings", *count, 0)
	work := func() func(context.Context, uint32) ([]board.Move, error) {
		b, pool := s.newBoard(), s.newPool()
		return func(ctx context.Context, n uint32) ([]board.Move, error) {
			moves, ok := s.made.opening(ctx, newChance(s.seed, n), b, pool)
			if err := ctx.Err(); err != nil || !ok {
				return nil, err
			}
			return slices.Clone(moves), nil
		}
	}
	written, idle := 0, 0
	err := inOrder(ctx, *workers, 0, ^uint32(0), work, func(n uint32, moves []board.Move) error {
		idle++
		if idle > 1000 {
			return fmt.Errorf("no more openings can be found: try other stones or another balance")
		}
		if moves == nil {
			return nil
		}
		if key := canonical(b, moves); seen[key] {
			return nil
		} else {
			seen[key] = true
		}
		idle = 0
		if _, err := fmt.Fprintln(stdout, record.FormatMoves(moves)); err != nil {
			return err
		}
		written++
		p.finished(0)
		if written == *count {
			return errEnough
		}
		return nil
	})
	p.line.End()
	return err
}

package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/longtest"
	"tengen/brain/score"
)

// An exhaustive search tries all moves to the end of the game under r, with the rules of the board
// alone.
type exhaustive struct {
	b         *board.Board
	r         *Restrictions
	lastEmpty int            // empty cells with which the game is a draw
	known     map[uint64]int // results by hash
	stuck     bool           // in some position r leaves no move
}

// result returns 1 if the side to move wins, 0 for a draw, -1 if it loses.
func (e *exhaustive) result(root bool) int {
	b := e.b
	switch {
	case b.Empties() <= e.lastEmpty && e.r.DrawFor == DrawIsDraw:
		return 0
	case b.Empties() <= e.lastEmpty:
		if (e.r.DrawFor == DrawIsBlacks) == (b.Side() == board.Black) {
			return 1
		}
		return -1
	case !b.HasMove():
		return -1
	}
	if v, ok := e.known[b.Hash()]; ok && !root {
		return v
	}
	best := -2
	for _, m := range b.Open().Append(nil) {
		if b.Legal(m) && !e.r.Cells[b.Side()].Has(m) && !slices.Contains(e.r.Paths[b.Hash()], m) && !(root && slices.Contains(e.r.Root, m)) {
			best = max(best, e.after(m))
		}
	}
	if best == -2 {
		e.stuck = true
	}
	if !root {
		e.known[b.Hash()] = best
	}
	return best
}

// after is result for the side to move with its move m.
func (e *exhaustive) after(m board.Move) int {
	if e.b.Wins(e.b.Side(), m) {
		return 1
	}
	e.b.Play(m)
	defer e.b.Undo()
	return -e.result(false)
}

// fewEmpty returns a position of a board where all but a few cells are taken or blocked. Those
// where a side can make most are left empty.
func fewEmpty(t *testing.T, r *rand.Rand, rule board.Rule, empties int) *board.Board {
	const size = 9
	game := middleGame(t, r, rule, size, size, 6+r.IntN(14))
	cells := game.Open().Append(nil)
	r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	most := func(m board.Move) int { return int(max(game.Class(board.Black, m), game.Class(board.White, m))) }
	slices.SortStableFunc(cells, func(m, n board.Move) int { return most(n) - most(m) })
	b := boardtest.New(t, rule, size, size)
	for _, m := range cells[empties:] {
		b.Block(m)
	}
	for _, m := range game.Moves() {
		if b.Legal(m) && !b.Wins(b.Side(), m) {
			b.Play(m)
		}
	}
	return b
}

// restrictions returns some for b, with a game that lasts for the given plies at most.
func restrictions(r *rand.Rand, b *board.Board, plies int) *Restrictions {
	open := b.Open().Append(nil)
	some := func() board.Move { return open[r.IntN(len(open))] }
	rs := &Restrictions{
		DrawFor:  DrawVerdict(r.IntN(3)),
		MaxMoves: b.Width()*b.Height() - max(b.Empties()-plies, 0),
	}
	if r.IntN(3) == 0 {
		rs.Root = append(rs.Root, some())
	}
	if r.IntN(2) == 0 {
		rs.Cells[r.IntN(2)].Add(some())
	}
	if r.IntN(2) == 0 {
		rs.Paths = map[uint64][]board.Move{}
		for range 1 + r.IntN(30) {
			at := b.Clone()
			for range r.IntN(4) { // most of them what makes much, as in a win
				m := some()
				for range 3 {
					if n := some(); at.Cell(n) == board.Empty && at.Class(at.Side(), n) > at.Class(at.Side(), m) {
						m = n
					}
				}
				if at.Legal(m) && !at.Wins(at.Side(), m) {
					at.Play(m)
				}
			}
			barred := append(rs.Paths[at.Hash()], some(), some())
			rs.Paths[at.Hash()] = at.Set(at.Side(), board.MakesFive).Append(barred)
		}
	}
	return rs
}

// TestProvenValuesAreTrue compares what searches claim to be won or lost, in positions with few
// empty cells or few moves left, with one that tries everything: under every rule, with and
// without restrictions, with one line or several and with a solver. They play no move that gives a
// win away.
func TestProvenValuesAreTrue(t *testing.T) {
	longtest.Here(t)
	for _, rule := range allRules {
		r := rand.New(rand.NewPCG(41, uint64(rule)))
		wins, losses := 0, 0
		for i := range 40 {
			plies := 10
			if i%2 > 0 {
				plies = 2 + r.IntN(4)
			}
			b := fewEmpty(t, r, rule, 14-plies/2)
			rs := &Restrictions{}
			if i%3 > 0 || plies < 10 {
				rs = restrictions(r, b, plies)
			}
			if plies == 10 && b.Empties() > 10 {
				continue // too many for trying everything
			}
			e := &exhaustive{b: b.Clone(), r: rs, known: map[uint64]int{}}
			if rs.MaxMoves > 0 {
				e.lastEmpty = max(min(b.Width()*b.Height()-rs.MaxMoves, b.Empties()-1), 0)
			}
			want := e.result(true)
			if e.stuck {
				continue
			}
			p := newTestPool(1, 1<<20)
			p.SetSolver(4 << 20)
			got := p.Search(context.Background(), b, Limits{Nodes: 20_000, Lines: 1 + i%4, Restrict: rs}, nil)
			claim := 0
			if v := got.Info.Score; v >= score.WinFloor {
				claim = 1
				wins++
			} else if v <= -score.WinFloor {
				claim = -1
				losses++
			}
			if claim != 0 && claim != want || claim == 1 && e.after(got.Move) != 1 {
				t.Errorf("%v with %d: the result is %d, under %+v\n%v", got.Move, got.Info.Score, want, *rs, boardtest.Drawing(b))
			}
		}
		t.Logf("%v: %d wins and %d losses claimed", rule, wins, losses)
		if wins < 6 || losses < 6 {
			t.Errorf("%v: too few", rule)
		}
	}
}

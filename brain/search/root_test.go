package search

import (
	"context"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/longtest"
	"tengen/brain/score"
	"tengen/brain/solver"
)

// A move that is proven to lose comes after those of which nothing is known, and before those
// that lose sooner.
func TestLostRootMovesComeLast(t *testing.T) {
	sooner, later, unknown := board.At(1, 1), board.At(2, 2), board.At(3, 3)
	moves := []rootMove{
		{move: sooner, score: score.LossIn(10), lost: true, previous: 50},
		{move: later, score: score.LossIn(20), lost: true, refuted: &solver.Finding{}},
		{move: unknown, score: -infinity, previous: -infinity},
	}
	sortRoot(moves)
	for i, want := range []board.Move{unknown, later, sooner} {
		if moves[i].move != want {
			t.Errorf("number %d is %v, want %v", i+1, moves[i].move, want)
		}
	}
}

// TestWindowOfAClearGame: the window is wide on the side where the win is, and there alone.
func TestWindowOfAClearGame(t *testing.T) {
	w := &worker{p: newNumbers(DefaultParams())}
	narrow := Value(w.p.Aspiration)
	for _, tt := range []struct {
		compresses           bool
		before, below, above Value
	}{
		{true, 0, narrow, narrow},
		{true, clearValue, narrow, narrow},
		{true, clearValue + 1, narrow, clearWindow},
		{true, -clearValue - 1, clearWindow, narrow},
		{false, clearValue + 1, narrow, narrow},
	} {
		w.compresses = tt.compresses
		x := w.windowAround(tt.before, aspireFrom)
		if x.alpha != tt.before-tt.below || x.beta != tt.before+tt.above {
			t.Errorf("compressed %v: the window around %d is %d to %d", tt.compresses, tt.before, x.alpha, x.beta)
		}
	}
}

// A search that ends before a move above the window has its value plays that move.
func TestStopAfterAMoveAboveTheWindow(t *testing.T) {
	stops := 0
	for _, moves := range []string{"h8i9i7g9", "h8i8i9g7j10k11", "g8h9i10h8h10g9", "h7i6h4f5e4h5", "m9m6j4", "k8j8n5", "h12j9i10k9j8"} {
		p := newTestPool(1, 4<<20)
		w := p.workers[0]
		var first, best board.Move // of the iteration
		depth := 0
		r := p.Search(context.Background(), boardtest.After(t, board.Freestyle, 15, moves), Limits{Depth: 12, Watch: func(e RootEvent) {
			switch {
			case e.Kind == MoveIsBest:
				best = e.Move
			case e.Kind != IterationBegins:
			case w.root.depth > depth:
				depth, first = w.root.depth, best
			case best != first: // with another window
				stops++
				w.limits.nodes, w.limits.nextCheck = w.nodes, w.nodes
			}
		}}, nil)
		if r.Move != best {
			t.Errorf("%s: plays %v at depth %d, the best move was %v", moves, r.Move, depth, best)
		}
	}
	if stops == 0 {
		t.Error("no window was left by another move")
	}
}

// A search that ends before an iteration has a result tells the depth of the iteration that its
// value is from.
func TestDepthOfACutIteration(t *testing.T) {
	longtest.Here(t)
	cut := 0
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	for nodes := int64(500); nodes < 20000; nodes += 500 {
		p := newTestPool(1, 1<<20)
		var last Info
		r := p.Search(context.Background(), b, Limits{Nodes: nodes}, func(i Info) { last = i })
		if p.workers[0].root.moves[0].score > -infinity {
			continue
		}
		cut++
		if r.Info.Depth != last.Depth {
			t.Errorf("%d nodes: depth %d, but reported depth %d", nodes, r.Info.Depth, last.Depth)
		}
	}
	if cut == 0 {
		t.Error("no search was cut before its first move had a value")
	}
}

// Where all moves that decide are barred the others are sorted, as they are for several lines.
func TestRootMovesBesideBarredOnesAreSorted(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8g8i8a3j8a5k8a7")
	for _, barred := range []*Restrictions{{Root: []board.Move{board.At(11, 7)}}, {Paths: map[uint64][]board.Move{b.Hash(): {board.At(11, 7)}}}} {
		first := func(lines int) board.Move {
			return newTestPool(1, 1<<20).Search(context.Background(), b, Limits{Nodes: 1, Lines: lines, Restrict: barred}, nil).Move
		}
		if one, two := first(1), first(2); one != two {
			t.Errorf("%+v: begins with %v, with two lines with %v", barred, one, two)
		}
	}
}

// Where nothing stops two open threes one of them is stopped: the opponent may overlook the other.
func TestALostGameIsPlayedOn(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "a1g7o1h7a15i7o15g12a8h12o8i12")
	for _, depth := range []int{1, 4} {
		r := newTestPool(1, 1<<20).Search(context.Background(), b, Limits{Depth: depth}, nil)
		if r.Info.Score != score.LossIn(4) || b.Class(board.White, r.Move) != board.MakesOpenFour {
			t.Errorf("depth %d: plays %v with score %d", depth, r.Move, r.Info.Score)
		}
	}
}

// TestLostFirstMove: where the first move of a deep iteration proves to lose and others may hold, the
// search goes on with lower depths if it knows no value of the others.
func TestLostFirstMove(t *testing.T) {
	longtest.Here(t)
	p := newTestPool(1, 4<<20)
	w := p.workers[0]
	first, lost := board.None, board.None
	ended, repeated := 0, 0 // ended: the depth of the iteration whose first move has proved to lose
	// Black wins by threats, whatever White plays.
	b := boardtest.After(t, board.Freestyle, 15, "b13f12d13d12e13c13e11e10e12f11d9f13f10h11i11i12g12j11g10g8f9h9")
	p.Search(context.Background(), b, Limits{Nodes: 100_000, Watch: func(e RootEvent) {
		switch {
		case e.Kind == IterationBegins:
			if ended >= repeatFrom {
				want := ended
				if w.root.moves[0].previous == -infinity {
					want = ended / repeatPart
					repeated++
				}
				if w.root.depth != want {
					t.Errorf("after %v lost at depth %d an iteration to depth %d, want %d", lost, ended, w.root.depth, want)
				}
			}
			first, ended = board.None, 0
		case e.Kind == MoveBegins && first == board.None:
			first = e.Move
		case e.Kind == MoveBegins && ended >= repeatFrom:
			t.Errorf("after %v lost at depth %d the iteration goes on with %v", lost, ended, e.Move)
		case e.Kind == MoveEnds && e.Move == first && lost == first && w.mayHold():
			ended = w.root.depth
		case e.Kind == MoveLoses:
			lost = e.Move
		}
	}}, nil)
	if repeated < 3 {
		t.Errorf("after %d iterations that ended with their first move the next one has no value", repeated)
	}
}

package search

import (
	"context"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
)

// A faulty evaluator panics once, after left values.
type faulty struct {
	eval.Evaluator
	left *int
}

func (f faulty) Value() int {
	if *f.left--; *f.left == 0 {
		panic("out of\nvalues")
	}
	return f.Evaluator.Value()
}

// TestSearchSurvivesAPanic: wherever a worker panics, the search has a legal move and tells
// what happened, and the next search is as good as one of a pool that never failed.
func TestSearchSurvivesAPanic(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	l := Limits{Depth: 7}
	for _, at := range []int{1, 2, 50, 150} {
		left := at
		p := NewPool(func(b *board.Board) eval.Evaluator { return faulty{eval.ByTables().New(b), &left} }, DefaultParams(), 1, 1<<20)
		hash := b.Hash()
		r := p.Search(context.Background(), b, l, nil)
		if len(r.Failures) != 1 || !b.Legal(r.Move) || b.Hash() != hash {
			t.Fatalf("value %d: %v with failures %v", at, r.Move, r.Failures)
		}
		f := r.Failures[0]
		if !strings.HasPrefix(f.What, "worker 1: out of values (failure_test.go:") || !strings.Contains(f.Stack, "faulty.Value") {
			t.Errorf("value %d: failure %q with stack %q", at, f.What, f.Stack)
		}
		p.Clear()
		again := p.Search(context.Background(), b, l, nil)
		want := newTestPool(1, 1<<20).Search(context.Background(), b, l, nil)
		if len(again.Failures) != 0 || again.Move != want.Move || again.Info.Nodes != want.Info.Nodes {
			t.Errorf("value %d: afterwards %v in %d nodes with failures %v, want %v in %d nodes",
				at, again.Move, again.Info.Nodes, again.Failures, want.Move, want.Info.Nodes)
		}
	}
}

// TestMoveAfterAnEarlyPanic: the classes decide if the moves are not listed yet.
func TestMoveAfterAnEarlyPanic(t *testing.T) {
	five := boardtest.After(t, board.Freestyle, 15, "h8h9i8i9j8j9k8") // White has to stop a four
	foul := boardtest.After(t, board.Renju, 15, "e6h8f7i8g9j8g10k8")  // the same, and g8 is forbidden
	g8 := board.At(6, 7)
	var white board.Set
	white.Add(g8)
	if !foul.Forbidden(g8) {
		t.Fatal("g8 is not forbidden")
	}
	for _, tt := range []struct {
		b        *board.Board
		restrict *Restrictions
		want     string
	}{
		{five, nil, "g8 l8"},
		{five, &Restrictions{Root: []board.Move{g8}}, "l8"},
		{five, &Restrictions{Cells: [2]board.Set{{}, white}}, "l8"},
		{five, &Restrictions{Paths: map[uint64][]board.Move{five.Hash(): {g8}}}, "l8"},
		{foul, nil, "l8"},
	} {
		left := 1
		p := NewPool(func(b *board.Board) eval.Evaluator { return faulty{eval.ByTables().New(b), &left} }, DefaultParams(), 1, 1<<20)
		r := p.Search(context.Background(), tt.b, Limits{Study: true, Restrict: tt.restrict}, nil)
		if len(r.Failures) != 1 || !strings.Contains(tt.want, r.Move.String()) {
			t.Errorf("%v under %+v: %v with failures %v, want %s", tt.b, tt.restrict, r.Move, r.Failures, tt.want)
		}
	}
}

// newPoolOfTwo returns a Pool of two workers, the second with an evaluator that spoil has made of its
// own. made counts the evaluators.
func newPoolOfTwo(made *int, spoil func(eval.Evaluator) eval.Evaluator) *Pool {
	return NewPool(func(b *board.Board) eval.Evaluator {
		e := eval.ByTables().New(b)
		if *made++; *made == 2 {
			return spoil(e)
		}
		return e
	}, DefaultParams(), 2, 1<<20)
}

// TestAHelperThatFailsEarlyIsReplaced: it has another evaluator in the next search if it panics while
// it is prepared, which the first worker does for all.
func TestAHelperThatFailsEarlyIsReplaced(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	made, left := 0, 1
	p := newPoolOfTwo(&made, func(e eval.Evaluator) eval.Evaluator { return faulty{e, &left} })
	l := Limits{Depth: 5, Study: true}
	if r := p.Search(context.Background(), b, l, nil); made != 2 || len(r.Failures) != 1 || !b.Legal(r.Move) {
		t.Fatalf("%d evaluators, %v with failures %v", made, r.Move, r.Failures)
	}
	if r := p.Search(context.Background(), b, l, nil); made != 4 || len(r.Failures) != 0 || r.Info.Depth != 5 {
		t.Errorf("afterwards %d evaluators, %v at depth %d with failures %v", made, r.Move, r.Info.Depth, r.Failures)
	}
}

// A faultyUndone is an evaluator whose Undone panics when it has been called left times.
type faultyUndone struct {
	eval.Evaluator
	left *int
}

func (f faultyUndone) Undone() {
	if *f.left--; *f.left == 0 {
		panic("undone")
	}
	f.Evaluator.Undone()
}

// TestSearchSurvivesAPanicOfAHelper: the first worker finishes its search.
func TestSearchSurvivesAPanicOfAHelper(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	made, left := 0, 1
	p := newPoolOfTwo(&made, func(e eval.Evaluator) eval.Evaluator { return faultyUndone{e, &left} })
	r := p.Search(context.Background(), b, Limits{Depth: 9}, nil)
	if len(r.Failures) != 1 || !strings.HasPrefix(r.Failures[0].What, "worker 2: undone") {
		t.Errorf("failures %v, want one of worker 2", r.Failures)
	}
	if r.Info.Depth != 9 || !b.Legal(r.Move) {
		t.Errorf("%v at depth %d, want depth 9", r.Move, r.Info.Depth)
	}
	if r = p.Search(context.Background(), b, Limits{Depth: 9}, nil); len(r.Failures) != 0 {
		t.Errorf("afterwards: failures %v", r.Failures)
	}
}

// TestAFailedSolverIsReplaced: the next search has another solver in place of one that panicked,
// before the workers began or while they searched.
func TestAFailedSolverIsReplaced(t *testing.T) {
	for _, moves := range []string{"a1h8b1i8c1j8", deepWins[0].moves} { // in the first one fours are tried before
		b := boardtest.After(t, board.Freestyle, 15, moves)
		for workers := 1; workers <= 2; workers++ {
			p := newSolverPool(workers)
			p.Search(context.Background(), b, Limits{Nodes: 1}, nil) // makes the solver
			failing, runs := p.memory, p.workers[workers-1]
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			runs.mustStop = func() bool {
				cancel() // not before: the first worker may have all its nodes before another one begins
				panic("out of order")
			}
			if r := p.Search(ctx, b, Limits{Nodes: 10_000_000}, nil); len(r.Failures) != 1 || !b.Legal(r.Move) {
				t.Fatalf("%s, %d workers: %v with failures %v", moves, workers, r.Move, r.Failures)
			}
			runs.mustStop = runs.overdue
			if r := p.Search(context.Background(), b, Limits{Nodes: 60_000}, nil); len(r.Failures) != 0 || p.memory == failing {
				t.Errorf("%s, %d workers: the solver that failed is in use, failures %v", moves, workers, r.Failures)
			}
		}
	}
}

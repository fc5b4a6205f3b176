package play

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"tengen/brain/about"
	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
	"tengen/brain/search"
)

// A fake is a Searcher that answers with a move and notes what it is asked for.
type fake struct {
	move  board.Move
	asked []search.Limits
}

func (f *fake) Search(_ context.Context, _ *board.Board, l search.Limits, _ func(search.Info)) Answer {
	f.asked = append(f.asked, l)
	return Answer{Move: f.move, Notes: []string{"the fake's note"}}
}

func newPool(solverBytes int64) *search.Pool {
	p := search.NewPool(eval.Embedded().New, search.DefaultParams(), 1, 1<<20)
	p.SetSolver(solverBytes)
	return p
}

// The answer of AlphaBeta is the search's; every report may be kept.
func TestAlphaBeta(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10h9g8j11f7e6j8")
	var reports []search.Info
	var lines []string // of the reports, when they came
	keep := func(i search.Info) {
		reports = append(reports, i)
		lines = append(lines, fmt.Sprint(i.PV))
	}
	l := search.Limits{Nodes: 3000, Lines: 3}
	a := (&AlphaBeta{newPool(0)}).Search(t.Context(), b, l, keep)
	want := newPool(0).Search(t.Context(), b, l, nil)
	if a.Failed || len(a.Notes) > 0 || a.Move != want.Move || a.Best().Score != want.Info.Score || a.Best().Nodes != want.Info.Nodes || len(a.Infos) != 3 {
		t.Errorf("%+v, the search says %+v", a, want)
	}
	for n, i := range reports {
		if line := fmt.Sprint(i.PV); line != lines[n] {
			t.Errorf("the line %s that was reported has become %s", lines[n], line)
		}
	}
}

// A panic leaves a note, and no line.
func TestAlphaBetaFails(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9")
	a := (&AlphaBeta{newPool(0)}).Search(t.Context(), b, search.Limits{Nodes: 1000}, func(search.Info) { panic("broken") })
	if !a.Failed || len(a.Notes) != 1 || !strings.HasPrefix(a.Notes[0], about.SearchFailed+": ") || !b.Legal(a.Move) || a.Best().PV != nil {
		t.Errorf("%+v", a)
	}
}

// What the search by rows is not for goes to the other search, with all its limits, and so does a
// position in which it fails, with what is left of them.
func TestRowsLeavesToTheOther(t *testing.T) {
	const game = "h8a1i8a3j9c1"
	broken := func(*board.Board) eval.Evaluator { panic("broken") }
	for _, test := range []struct {
		name      string
		moves     string
		limits    search.Limits
		evaluator func(*board.Board) eval.Evaluator
		other     bool
		notes     int
	}{
		{"a move", game, search.Limits{Nodes: 500}, eval.Embedded().New, false, 0},
		{"lines", game, search.Limits{Nodes: 500, Lines: 2}, eval.Embedded().New, true, 1},
		{"restrictions", game, search.Limits{Nodes: 500, Restrict: &search.Restrictions{}}, eval.Embedded().New, true, 1},
		{"the first stone", "", search.Limits{Nodes: 500}, eval.Embedded().New, true, 1},
		{"a failure", game, search.Limits{Nodes: 500}, broken, true, 2},
		{"a failure with a clock", game, search.Limits{Soft: time.Minute, Hard: time.Hour}, broken, true, 2},
	} {
		f := &fake{move: board.At(3, 3)}
		stalls := 0
		s := NewRows(f, test.evaluator, 1<<20, func(time.Duration) { stalls++ })
		a := s.Search(t.Context(), boardtest.After(t, board.Continuous, 15, test.moves), test.limits, nil)
		if (len(f.asked) > 0) != test.other || (a.Move == f.move) != test.other || len(a.Notes) != test.notes || a.Failed != (test.notes == 2) {
			t.Errorf("%s: %+v after %+v", test.name, a, f.asked)
		}
		if test.other && (f.asked[0].Nodes != test.limits.Nodes || f.asked[0].Lines != test.limits.Lines || f.asked[0].Hard > test.limits.Hard || (f.asked[0].Hard > 0) != (test.limits.Hard > 0)) {
			t.Errorf("%s: asks for %+v", test.name, f.asked[0])
		}
		if stalls > 0 {
			t.Errorf("%s: notes a stall without a clock", test.name)
		}
	}
}

// A limit of time alone ends the search by rows, whose stalls are noted.
func TestRowsKeepsToTheClock(t *testing.T) {
	stalls := 0
	s := NewRows(&fake{}, eval.Embedded().New, 1<<20, func(time.Duration) { stalls++ })
	b := boardtest.After(t, board.Continuous, 15, "h8a1i8a3j9c1")
	if a := s.Search(t.Context(), b, search.Limits{Soft: 30 * time.Millisecond, Hard: time.Minute}, nil); !b.Legal(a.Move) || stalls != 1 {
		t.Errorf("%+v, %d stalls", a, stalls)
	}
}

// A win by threats needs no other search. Without one, the other search has what is left, and a note
// says why.
func TestThreats(t *testing.T) {
	const win, none = "h8a1h9a3h10a5", "h8"
	for _, test := range []struct {
		name   string
		moves  string
		solver int64 // bytes
		s      Threats
		limits search.Limits
		nodes  int64 // for the other search; 0 for none of it
		note   string
	}{
		{"a win", win, 8 << 20, Threats{Workers: 1}, search.Limits{Nodes: 100_000}, 0, ""},
		{"no memory", win, 0, Threats{Workers: 1}, search.Limits{Nodes: 100_000}, 100_000, "too little memory"},
		{"no win", none, 8 << 20, Threats{Workers: 3}, search.Limits{}, 3 * moveNodes, "all of them have been tried"},
		{"restricted", win, 8 << 20, Threats{Workers: 2, Restricted: true}, search.Limits{}, 2 * moveNodes, "are restricted"},
		{"restricted with a limit", win, 8 << 20, Threats{Workers: 2, Restricted: true}, search.Limits{Nodes: 700}, 700, "are restricted"},
	} {
		f := &fake{move: board.At(0, 14)}
		test.s.Pool, test.s.Other = newPool(test.solver), f
		a := test.s.Search(t.Context(), boardtest.After(t, board.Freestyle, 15, test.moves), test.limits, nil)
		if test.nodes == 0 {
			if len(f.asked) > 0 || len(a.Notes) > 0 || a.Best().Score.Mate() != 3 {
				t.Errorf("%s: %+v after %+v", test.name, a, f.asked)
			}
			continue
		}
		if len(f.asked) != 1 || f.asked[0].Nodes > test.nodes || f.asked[0].Nodes < test.nodes/2 || a.Move != f.move {
			t.Errorf("%s: asks for %+v", test.name, f.asked)
		}
		if len(a.Notes) != 2 || !strings.Contains(a.Notes[1], test.note) {
			t.Errorf("%s: notes %q", test.name, a.Notes)
		}
	}
}

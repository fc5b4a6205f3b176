package search

import (
	"context"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/score"
)

// TestWinByThreats: the solver alone wins what it wins beside a search, and says whether
// nothing is left where it finds no win.
func TestWinByThreats(t *testing.T) {
	for _, tt := range deepWins {
		b := boardtest.After(t, tt.rule, 15, tt.moves)
		r, over, _ := newSolverPool(1).WinByThreats(context.Background(), b, Limits{Nodes: tt.nodes})
		if r.Move == board.None || !over {
			t.Errorf("%s: %v, %v", tt.moves, r.Move, over)
			continue
		}
		checkWin(t, b, r)
	}
	quiet := boardtest.After(t, board.Freestyle, 15, "h8i9")
	if r, over, ok := newSolverPool(1).WinByThreats(context.Background(), quiet, Limits{Nodes: 1000}); r.Move != board.None || !over || !ok {
		t.Errorf("two stones: %v, %v, %v", r.Move, over, ok)
	}
	if r, over, ok := newTestPool(1, 1<<20).WinByThreats(context.Background(), quiet, Limits{Nodes: 1000}); r.Move != board.None || over || ok {
		t.Errorf("no solver: %v, %v, %v", r.Move, over, ok)
	}
	b := boardtest.After(t, deepWins[0].rule, 15, deepWins[0].moves)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if r, over, _ := newSolverPool(1).WinByThreats(ended, b, Limits{Nodes: 1}); r.Move != board.None || over {
		t.Errorf("canceled: %v, %v", r.Move, over)
	}
}

// TestWinByThreatsKeepsItsProof: the next search of the game goes on with the proof.
func TestWinByThreatsKeepsItsProof(t *testing.T) {
	p := newSolverPool(1)
	tt := deepWins[0]
	deep := boardtest.After(t, tt.rule, 15, tt.moves)
	var r Result
	for _, b := range []*board.Board{boardtest.After(t, board.Freestyle, 15, "h8a1i8a3j8a5"), deep, deep} {
		if r, _, _ = p.WinByThreats(context.Background(), b, Limits{Nodes: tt.nodes}); r.Move == board.None {
			t.Fatal("no win")
		}
	}
	deep.Play(r.Move)
	deep.Play(r.Info.PV[1])
	if next := p.Search(context.Background(), deep, Limits{Nodes: 500}, nil); next.Info.Score != score.WinIn(r.Info.Depth-2) {
		t.Errorf("a win in %d plies, two moves later the score is %d", r.Info.Depth, next.Info.Score)
	}
}

// TestWinByThreatsSurvivesAPanic: a panic of the solver is reported, and neither the next search nor
// the next call meets the solver that failed.
func TestWinByThreatsSurvivesAPanic(t *testing.T) {
	tt := deepWins[0]
	b := boardtest.After(t, tt.rule, 15, tt.moves)
	hash := b.Hash()
	p := newSolverPool(1)
	asked := 0
	p.now = func() time.Time {
		if asked++; asked == 3 {
			panic("out of order")
		}
		return time.Unix(0, 0)
	}
	r, over, _ := p.WinByThreats(context.Background(), b, Limits{Nodes: tt.nodes, Hard: time.Hour})
	if r.Move != board.None || over || len(r.Failures) != 1 || !strings.Contains(r.Failures[0].What, "out of order") || b.Hash() != hash {
		t.Fatalf("%v, %v with %d failures", r.Move, over, len(r.Failures))
	}
	if r, over, _ = p.WinByThreats(context.Background(), b, Limits{Nodes: tt.nodes}); r.Move == board.None || !over || len(r.Failures) != 0 {
		t.Errorf("afterwards: %v, %v with %d failures", r.Move, over, len(r.Failures))
	}
}

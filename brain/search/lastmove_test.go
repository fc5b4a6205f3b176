package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/longtest"
	"tengen/brain/score"
)

// TestWinsGetNearer: once a search has claimed a win, each search of the game that follows
// claims one that is nearer by the plies played since, unless its nodes ran out: in games that
// one pool plays for both sides, so that each position is searched, and in games of two pools.
func TestWinsGetNearer(t *testing.T) {
	longtest.Here(t)
	r := rand.New(rand.NewPCG(27, 28))
	for _, rule := range allRules {
		for pools := 1; pools <= 2; pools++ {
			p := [2]*Pool{newSolverPool(1), nil}
			if p[1] = p[0]; pools == 2 {
				p[1] = newSolverPool(1)
			}
			claims := 0
			for range 4 {
				p[0].Clear()
				p[1].Clear()
				b := middleGame(t, r, rule, 15, 15, 10)
				due := [2]Value{-infinity, -infinity} // at the next search of the side
				for over := false; !over && b.HasMove(); {
					s := b.Side()
					l := Limits{Nodes: 2000}
					res := p[s].Search(context.Background(), b, l, nil)
					if v := res.Info.Score; v < due[s] && res.Info.Nodes < l.Nodes {
						t.Errorf("%v, %d pools, %v to move: %d, want %d, the win gets no nearer\n%v", rule, pools, s, v, due[s], boardtest.Drawing(b))
					}
					if due[s] = -infinity; res.Info.Score >= score.WinFloor {
						due[s] = res.Info.Score + 2
						claims++
					}
					over = b.Wins(s, res.Move)
					if over && due[s.Other()] > -infinity {
						t.Errorf("%v, %d pools: %v wins, and %v had proved to win\n%v", rule, pools, s, s.Other(), boardtest.Drawing(b))
					}
					b.Play(res.Move)
				}
			}
			if claims < 10 {
				t.Errorf("%v, %d pools: only %d wins claimed", rule, pools, claims)
			}
		}
	}
}

// TestStaticWinIsPlayed: a search takes the win that is there without search, where its first
// iteration knew a longer one, by a four that leads nowhere, or had nodes for one move alone.
func TestStaticWinIsPlayed(t *testing.T) {
	tests := []struct {
		rule  board.Rule
		moves string
		plies int
	}{
		{board.Freestyle, "j11i7k6h10l7h7m8n9l9k10l6l8m6j6m7m5k5j4", 5},
		{board.Caro, "g8e11i11h8f10e9i10e10e12h9i9i12h11g12d9k10l9i7e8g6j9k9j8j11k7l6d7f8d10d11b11k8j6i5c6b5c7e7d6d5e5f4b8a9c8" +
			"c10d8a8c4c5b9h6j4g5e3h5h7j5k5h13g14k12k13i14f11j12h12l12m12g4", 3},
	}
	for _, tt := range tests {
		b := boardtest.After(t, tt.rule, 15, tt.moves)
		if r := newSolverPool(1).Search(context.Background(), b, Limits{Nodes: 1000}, nil); r.Info.Score != score.WinIn(tt.plies) {
			t.Errorf("%v, %s: %v is worth %d, want a win in %d plies", tt.rule, tt.moves, r.Move, r.Info.Score, tt.plies)
		}
	}
}

// TestSolverKeepsProofs: what was proved once is known in the following searches without any
// nodes: at the position itself, and over a search of the reply.
func TestSolverKeepsProofs(t *testing.T) {
	longtest.Here(t)
	tt := deepWins[0]
	p := newSolverPool(1)
	b := boardtest.After(t, tt.rule, 15, tt.moves)
	won := p.Search(context.Background(), b, Limits{Nodes: tt.nodes}, nil)
	check := func(what string, plies int) {
		t.Helper()
		r := p.Search(context.Background(), b, Limits{Nodes: 500}, nil)
		if n := int(score.Win - r.Info.Score); n > plies {
			t.Fatalf("%s: score %d, want a win in %d plies", what, r.Info.Score, plies)
		}
	}
	plies := int(score.Win - won.Info.Score)
	check("the same position", plies)
	b.Play(won.Move)
	reply := p.Search(context.Background(), b, Limits{Nodes: 100}, nil)
	b.Play(reply.Move)
	check("after a search of the reply", plies-2)
}

// TestThinkingForTheOther: a search in the opponent's time does not hide the value of the own move
// before from the clock.
func TestThinkingForTheOther(t *testing.T) {
	p := newTestPool(1, 1<<20)
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	first := p.Search(context.Background(), b, Limits{Nodes: 2000}, nil)
	b.Play(first.Move)
	reply := p.Search(context.Background(), b, Limits{Nodes: 2000}, nil)
	b.Play(reply.Move)
	if v := p.last[b.Side()&1].valueBefore(b); v != first.Info.Score {
		t.Errorf("the value before is %d, want %d", v, first.Info.Score)
	}
	b.Play(first.Move + 1) // in place of the move that was thought of
	if v := p.last[b.Side()&1].valueBefore(b); v != reply.Info.Score {
		t.Errorf("the value before is %d for the other side, want %d", v, reply.Info.Score)
	}
}

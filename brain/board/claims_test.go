package board_test

import (
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
	"tengen/brain/threat"
)

// TestStaticWins plays out what threat.StaticWin claims without search on random positions
// of every rule, against every reply, on the slow twin.
func TestStaticWins(t *testing.T) {
	for _, rule := range []board.Rule{
		board.Freestyle, board.ExactFive, board.Renju, board.Caro, board.Caro | board.ExactFive,
	} {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(5, uint64(rule)))
			claims := map[int]int{}
			for range 1500 {
				b := scattered(t, r, rule)
				n := threat.StaticWin(b)
				if n == 0 {
					continue
				}
				claims[n]++
				board.CheckClaim(t, b, n)
				if t.Failed() {
					t.FailNow()
				}
			}
			t.Logf("claims by plies: %v", claims)
			if claims[1] < 40 || claims[3] < 50 || claims[5] < 15 || rule&board.Caro == 0 && claims[-2] < 5 {
				t.Errorf("too few claims by plies: %v", claims)
			}
		})
	}
}

// scattered returns a position of random stones in a box of a board of 5 to 15 cells a
// side, sometimes with a blocked cell, and without a five.
func scattered(t *testing.T, r *rand.Rand, rule board.Rule) *board.Board {
	t.Helper()
	w, h := 5+r.IntN(11), 5+r.IntN(11)
	b, err := board.New(rule, w, h)
	if err != nil {
		t.Fatal(err)
	}
	for i := r.IntN(4); i > 0; i-- {
		if m := board.At(r.IntN(w), r.IntN(h)); b.Cell(m) == board.Empty {
			b.Block(m)
		}
	}
	x, y, box := r.IntN(w-4), r.IntN(h-4), 5+r.IntN(5)
	for stones := 5 + r.IntN(20); stones > 0; stones-- {
		m := board.At(min(x+r.IntN(box), w-1), min(y+r.IntN(box), h-1))
		if b.Cell(m) == board.Empty && !b.Wins(b.Side(), m) {
			b.Play(m)
		}
	}
	if r.IntN(2) == 0 {
		b.Pass()
	}
	return b
}

package board_test

import (
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/threat"
)

// TestStaticWins plays out what threat.StaticWin claims without search on random positions
// of every rule, against every reply, on the slow twin. Each rule has conditions of its own. Few of the
// plain claims are played out, which are most.
func TestStaticWins(t *testing.T) {
	for _, rule := range []board.Rule{
		board.Freestyle, board.ExactFive, board.Renju, board.Caro, board.Caro | board.ExactFive,
	} {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(5, uint64(rule)))
			claims := map[int]int{}
			for range 5000 {
				b := scattered(t, r, rule)
				n := threat.StaticWin(b)
				if n == 0 || plain(b, n) && r.IntN(20) > 0 {
					continue
				}
				claims[n]++
				board.CheckClaim(t, b, n)
				if t.Failed() {
					t.FailNow()
				}
			}
			t.Logf("claims by plies: %v", claims)
			if claims[1] < 4 || claims[3] < 12 || claims[5] < 10 || claims[-2] < 15 {
				t.Errorf("too few claims by plies: %v", claims)
			}
		})
	}
}

// plain reports whether a claim of StaticWin, n plies, rests on what the side to move can make alone: the
// opponent makes no four against it, and no point is forbidden.
func plain(b *board.Board, n int) bool {
	s, o := b.Side(), b.Side().Other()
	if n < 5 {
		return n == 1 || n == 3 && b.Count(s, board.MakesOpenFour) > 0
	}
	fours := b.Count(o, board.MakesFoul)
	for k := board.MakesFour; k <= board.MakesOpenFour; k++ {
		fours += b.Count(o, k)
	}
	return fours == 0 && (s == board.White || b.Rule()&board.Renju == 0)
}

// FuzzWinStops plays out, on the slow twin, moves that threat.WinStops does not list: each loses within four
// plies more, whatever is replied. The position is given by a rule and a seed.
func FuzzWinStops(f *testing.F) {
	for _, rule := range []board.Rule{board.Freestyle, board.ExactFive, board.Renju, board.Caro, board.Caro | board.ExactFive} {
		f.Add(uint8(rule), uint64(1))
	}
	f.Fuzz(func(t *testing.T, rule uint8, seed uint64) {
		if !board.Rule(rule).Valid() {
			return
		}
		r := rand.New(rand.NewPCG(seed, uint64(rule)))
		checkWinStops(t, scattered(t, r, board.Rule(rule)&^board.Continuous), r)
	})
}

// checkWinStops checks two of the moves that WinStops leaves out, if the position has a win
// for it to stop.
func checkWinStops(t *testing.T, b *board.Board, r *rand.Rand) {
	s, o := b.Side(), b.Side().Other()
	if b.Count(s, board.MakesFive)+b.Count(o, board.MakesFive)+b.Count(o, board.MakesOpenFour) > 0 {
		return
	}
	list, ok := threat.WinStops(b, nil)
	if !ok {
		return
	}
	left := *b.Open()
	for _, m := range threat.Fours(b, list) {
		left.Remove(m)
	}
	cells := left.Append(nil)
	r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	near := b.Candidates()
	for tried, i := 0, 0; i < len(cells) && tried < 2; i++ {
		if !near.Has(cells[i]) || !b.Legal(cells[i]) {
			continue
		}
		tried++
		b.Play(cells[i])
		board.CheckClaim(t, b, 5)
		b.Undo()
	}
}

// scattered returns a position of random stones in a box of a board of 5 to 15 cells a
// side, sometimes with a blocked cell, and without a five.
func scattered(t *testing.T, r *rand.Rand, rule board.Rule) *board.Board {
	t.Helper()
	w, h := 5+r.IntN(11), 5+r.IntN(11)
	b := boardtest.New(t, rule, w, h)
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

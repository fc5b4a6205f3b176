package proof

import (
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// TestRules compares the plain rules with those of package board in games played at random on few
// cells, where rows and forbidden points are many.
func TestRules(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 2))
	for _, rule := range []board.Rule{0, board.ExactFive, board.Renju, board.Caro, board.Caro | board.ExactFive, board.Renju | board.ExactFive} {
		rows, forbidden := 0, 0
		for range 60 {
			w, h := 7+r.IntN(5), 7+r.IntN(5)
			b, p := boardtest.New(t, rule, w, h), newPosition(rule, w, h)
			start := p.key
			for b.Empties() > 0 {
				open := b.Open().Append(nil)
				for _, m := range open {
					if b.Legal(m) != p.legal(m) {
						t.Fatalf("%v: legal says %v\n%v", m, p.legal(m), boardtest.Drawing(b))
					}
					for _, c := range []board.Color{board.Black, board.White} {
						if b.Wins(c, m) != p.wins(c, m) {
							t.Fatalf("%v: wins(%v) says %v\n%v", m, c, p.wins(c, m), boardtest.Drawing(b))
						}
						if p.wins(c, m) {
							rows++
						}
					}
					if !p.legal(m) {
						forbidden++
					}
				}
				m := open[r.IntN(len(open))]
				b.Play(m)
				p.play(m)
			}
			for b.Ply() > 0 {
				p.undo(b.Back(1))
				b.Undo()
			}
			if p.key != start || p.empties != w*h || p.side != board.Black {
				t.Fatal("undo does not restore the position")
			}
		}
		if rows == 0 || (forbidden > 0) != (rule&board.Renju != 0) {
			t.Errorf("%v: %d rows, %d forbidden points", rule, rows, forbidden)
		}
	}
}

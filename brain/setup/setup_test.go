package setup

import (
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
)

// Whatever is listed, played and taken back, a board that is set up has every stone in its color, or a
// blocked cell where a continuous game turned a row or a foul into one, and the side to move.
func TestSetUp(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		rule := []board.Rule{board.Freestyle, board.Renju, board.Continuous, board.Renju | board.Continuous}[seed%4]
		b, err := board.New(rule, 9, 7)
		if err != nil {
			t.Fatal(err)
		}
		cell := func() board.Move { return board.At(r.IntN(9), r.IntN(7)) }
		p := New()
		stones := map[board.Move]bool{}
		for range 60 {
			switch m := cell(); r.IntN(12) {
			case 0:
				list := make([]Stone, r.IntN(30))
				clear(stones)
				seen := map[board.Move]bool{}
				for i := range list {
					list[i] = Stone{cell(), Own + Owner(r.IntN(3))}
					if at := list[i]; !seen[at.Move] {
						seen[at.Move] = true
						if at.Owner != Blocked {
							stones[at.Move] = true
						}
					}
				}
				p.Set(list, rule&board.Continuous != 0, r.IntN(3))
			case 1, 2:
				if got := p.Remove(m); got != stones[m] {
					t.Fatalf("seed %d: taking %v back gives %v", seed, m, got)
				}
				delete(stones, m)
			default:
				if p.SetUp(b); b.Cell(m) == board.Empty {
					p.Add(m)
					stones[m] = true
				}
			}
			p.SetUp(b)
			if b.Side() != p.side {
				t.Fatalf("seed %d: %v to move, want %v", seed, b.Side(), p.side)
			}
			if p.Stones() != len(stones) || len(p.Moves()) != len(stones) {
				t.Fatalf("seed %d: %d stones, want %d", seed, p.Stones(), len(stones))
			}
			for _, s := range p.stones {
				if c := b.Cell(s.move); c != s.color && (c != board.Wall || rule&board.Continuous == 0) {
					t.Fatalf("seed %d: %v holds %v, want %v", seed, s.move, c, s.color)
				}
			}
		}
	}
}

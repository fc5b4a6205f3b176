package board

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestChangeIsThatOfPlainGo: change makes and notes the same changes as changePlain, on boards of all
// rules and sizes with blocked cells, whether a cell is taken or blocked.
func TestChangeIsThatOfPlainGo(t *testing.T) {
	for rule := range Rule(16) {
		if !rule.Valid() {
			continue
		}
		t.Run(fmt.Sprint(rule), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(rule), 7))
			var before, plain *Board
			for range 6 {
				size := MinSize + r.IntN(MaxSize-MinSize+1)
				b, err := New(rule, size, MinSize+r.IntN(MaxSize-MinSize+1))
				if err != nil {
					t.Fatal(err)
				}
				taken := b.empties * (1 + r.IntN(9)) / 10
				for i := range taken {
					cells := b.open.Append(nil)
					m := cells[r.IntN(len(cells))]
					if near := b.Candidates(); near.First() != None && r.IntN(8) > 0 {
						cells = near.Append(nil)
						m = cells[r.IntN(len(cells))]
					}
					before, _ = Copy(before, b)
					plain, _ = Copy(plain, b)
					if i < taken/9 {
						b.Block(m)
					} else {
						b.Play(m)
					}
					before.lines, plain.lines = b.lines, b.lines
					var log, plainLog [room]Change
					var turns, plainTurns [room]turn
					n, turned := before.change(m, &log, &turns)
					plainN, plainTurned := plain.changePlain(m, &plainLog, &plainTurns)
					if n != plainN || !slices.Equal(log[:n], plainLog[:n]) {
						t.Fatalf("changes by %v: %v, in plain Go %v", m, log[:n], plainLog[:plainN])
					}
					if turned != plainTurned || !slices.Equal(turns[:turned], plainTurns[:turned]) {
						t.Fatalf("turns by %v: %v, in plain Go %v", m, turns[:turned], plainTurns[:plainTurned])
					}
					if before.points != plain.points || b.points != plain.points {
						t.Fatalf("points after %v differ", m)
					}
				}
			}
		})
	}
}

package board

import (
	"math/rand/v2"
	"testing"
)

// TestCheckFindsFlippedBits flips a bit of each part of a board in turn.
func TestCheckFindsFlippedBits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		data := make([]byte, 20+r.IntN(200))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		b := playBytes(t, data)
		b.Rekey(r.Uint64())
		if err := b.Check(); err != nil {
			t.Fatal(err)
		}
		if b.empties == 0 {
			continue
		}
		cells := b.open.Append(nil)
		empty := cells[r.IntN(len(cells))]
		any := At(r.IntN(b.width), r.IntN(b.height))
		c, k := r.IntN(2), r.IntN(16)
		for name, flip := range map[string]func(b *Board){
			"side":    func(b *Board) { b.side ^= 1 << r.IntN(8) },
			"cells":   func(b *Board) { b.cells[any] ^= 1 << r.IntN(8) },
			"padding": func(b *Board) { b.cells[r.IntN(Pad*Stride)] ^= 1 << r.IntN(8) },
			"lines":   func(b *Board) { b.lines[r.IntN(Directions)][r.IntN(64)] ^= 1 << r.IntN(64) },
			"empties": func(b *Board) { b.empties ^= 1 << r.IntN(16) },
			"hash":    func(b *Board) { b.hash ^= 1 << r.IntN(64) },
			"numbers": func(b *Board) { b.points[empty].lines[r.IntN(Directions)] ^= 1 << r.IntN(16) },
			"codes":   func(b *Board) { b.points[empty].code ^= 1 << r.IntN(32) },
			"classes": func(b *Board) { b.points[empty].classes ^= 1 << r.IntN(16) },
			"counts":  func(b *Board) { b.counts[c][k] ^= 1 << r.IntN(16) },
			"sets":    func(b *Board) { b.sets[c][k][r.IntN(Stride)] ^= 1 << r.IntN(32) },
			"near":    func(b *Board) { b.near[r.IntN(Stride)] ^= 1 << r.IntN(32) },
			"open":    func(b *Board) { b.open[r.IntN(Stride)] ^= 1 << r.IntN(32) },
		} {
			damaged := b.Clone()
			flip(damaged)
			if damaged.Check() == nil {
				t.Errorf("a flipped bit of %s is not found", name)
			}
		}
	}
}

func TestCheckDoesNotAllocate(t *testing.T) {
	b, _ := benchGame(t)
	if n := testing.AllocsPerRun(10, func() { b.Check() }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkCheck(b *testing.B) {
	bd, _ := benchGame(b)
	for b.Loop() {
		bd.Check()
	}
}

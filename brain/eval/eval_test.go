package eval

import (
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
)

var rules = []board.Rule{
	board.Freestyle, board.ExactFive, board.Renju, board.Caro, board.Caro | board.ExactFive,
}

// slowValue is the twin of Value: all cells added up from nothing, now and a ply ago.
func slowValue(t *testing.T, b *board.Board) Value {
	t.Helper()
	c := b.Clone()
	w := weightsFor(b.Rule())
	sum := func() (v int32) {
		for _, m := range c.Open().Append(nil) {
			v += w.cell(c.Code(m))
		}
		return v
	}
	v := sum()
	if c.Ply() > 0 {
		c.Undo()
		v = (v + sum()) / 2
	}
	if b.Side() == board.White {
		v = -v
	}
	return max(-Max, min(Max, Value(v+w.onTurn(b))))
}

// TestValueFollowsTheBoard plays and takes back at random and compares with the twin,
// asking for the value only now and then, as a search does.
func TestValueFollowsTheBoard(t *testing.T) {
	for _, rule := range rules {
		t.Run(rule.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(9, uint64(rule)))
			b, err := board.New(rule, 15, 13)
			if err != nil {
				t.Fatal(err)
			}
			e := New(b)
			for i := range 3000 {
				switch m := board.At(r.IntN(15), r.IntN(13)); {
				case r.IntN(5) < 2 && b.Ply() > 0:
					b.Undo()
					e.Undone()
				case r.IntN(20) == 0 && b.Ply() < 200:
					b.Pass()
					e.Played()
				case b.Cell(m) == board.Empty:
					b.Play(m)
					e.Played()
				}
				if r.IntN(3) == 0 {
					if got, want := e.Value(), slowValue(t, b); got != want {
						t.Fatalf("step %d: %d, the twin says %d", i, got, want)
					}
				}
				if r.IntN(50) == 0 {
					e.Reset(b)
				}
			}
		})
	}
}

// TestValueIsSymmetric turns positions by the eight symmetries, and swaps the colors
// where both play by the same rules.
func TestValueIsSymmetric(t *testing.T) {
	for _, rule := range rules {
		r := rand.New(rand.NewPCG(11, uint64(rule)))
		for range 20 {
			var moves []board.Move
			b, err := board.New(rule, 11, 11)
			if err != nil {
				t.Fatal(err)
			}
			for range 4 + r.IntN(20) {
				if m := board.At(r.IntN(11), r.IntN(11)); b.Cell(m) == board.Empty {
					moves = append(moves, m)
					b.Play(m)
				}
			}
			want := New(b).Value()
			for s := range board.Symmetries {
				b.Reset()
				for _, m := range moves {
					b.Play(board.Transform(m, s, 11, 11))
				}
				if got := New(b).Value(); got != want {
					t.Fatalf("%v, symmetry %d: %d, want %d", rule, s, got, want)
				}
			}
			if rule&board.Renju != 0 {
				continue
			}
			b.Reset()
			b.Pass() // white begins
			for _, m := range moves {
				b.Play(m)
			}
			if got := New(b).Value(); got != want {
				t.Fatalf("%v, colors swapped: %d, want %d", rule, got, want)
			}
		}
	}
}

func TestWinsAndLosses(t *testing.T) {
	if WinIn(3) != -LossIn(3) || !WinIn(484).Proven() || !LossIn(484).Proven() || Max.Proven() {
		t.Errorf("win in 3 is %d, loss in 3 is %d, in 484 %d; the greatest static value is %d", WinIn(3), LossIn(3), WinIn(484), Max)
	}
}

func TestValueDoesNotAllocate(t *testing.T) {
	b, err := board.New(board.Renju, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	e := New(b)
	if n := testing.AllocsPerRun(10, func() {
		for i := range 8 {
			b.Play(board.At(4+i, 5+i%3))
			e.Played()
			e.Value()
		}
		for range 8 {
			b.Undo()
			e.Undone()
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkValue plays a stone, asks for the value and takes it back.
func BenchmarkValue(b *testing.B) {
	bd, err := board.New(board.Freestyle, 15, 15)
	if err != nil {
		b.Fatal(err)
	}
	moves, err := board.ParseMoves("h8i9i7g9h10h9g8j11f7e6j8k9g10f11i10", 15, 15)
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range moves {
		bd.Play(m)
	}
	e := New(bd)
	near := bd.Candidates()
	list := near.Append(nil)
	b.ReportAllocs()
	for b.Loop() {
		for _, m := range list {
			bd.Play(m)
			e.Played()
			e.Value()
			bd.Undo()
			e.Undone()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list)), "ns/move")
}

// TestLeaningEvaluatorCountsOneSideMore: white's cells get 40 percent more and black's
// less, for both to move alike, and the bias is what that makes at the Reset.
func TestLeaningEvaluatorCountsOneSideMore(t *testing.T) {
	for _, rule := range rules {
		r := rand.New(rand.NewPCG(10, uint64(rule)))
		b, err := board.New(rule, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		plain, leaning := New(b), New(b)
		leaning.Lean(board.White, 40)
		leaning.Reset(b)
		w := weightsFor(rule)
		for b.Ply() < 60 {
			m := board.At(r.IntN(15), r.IntN(15))
			if b.Cell(m) != board.Empty {
				continue
			}
			b.Play(m)
			plain.Played()
			leaning.Played()
			var sums [2]int // now and a ply ago
			for i := range sums {
				for _, m := range b.Open().Append(nil) {
					k := b.Code(m)
					sums[i] += int(w.of[board.White][k.Of(board.White)])*140/100 - int(w.of[board.Black][k.Of(board.Black)])*60/100
				}
				if i == 0 {
					b.Undo()
				}
			}
			b.Play(m)
			want := (sums[0] + sums[1]) / 2
			if b.Side() == board.Black {
				want = -want
			}
			if got := leaning.Value(); max(got, -got) < Max && got != Value(want+int(w.onTurn(b))) {
				t.Fatalf("%v, ply %d: %d, want %d and %d for the threats", rule, b.Ply(), got, want, w.onTurn(b))
			}
			fresh := New(b)
			fresh.Lean(board.White, 40)
			fresh.Reset(b)
			if fresh.Value() != leaning.Value() || fresh.Value()-fresh.Bias() != plain.Value() {
				t.Fatalf("%v, ply %d: %d after a reset with a bias of %d, %d played on; upright %d",
					rule, b.Ply(), fresh.Value(), fresh.Bias(), leaning.Value(), plain.Value())
			}
		}
		leaning.Lean(board.White, 0)
		leaning.Reset(b)
		if leaning.Value() != plain.Value() || leaning.Bias() != 0 {
			t.Errorf("%v: upright again, but %d is not %d", rule, leaning.Value(), plain.Value())
		}
	}
}

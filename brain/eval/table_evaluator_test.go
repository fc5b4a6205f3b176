package eval

import (
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

var rules = []board.Rule{
	board.Freestyle, board.ExactFive, board.Renju, board.Caro, board.Caro | board.ExactFive,
}

// put plays m, or in a continuous game a row if there is one. It returns the number of rows.
func put(b *board.Board, m board.Move) int {
	if b.Rule()&board.Continuous == 0 {
		b.Play(m)
		return 0
	}
	if five := b.Set(b.Side(), board.MakesFive).First(); five != board.None {
		m = five
	}
	return b.PlayRows(m)
}

var defaults = newTableSet()

// slowValue is the twin of Value: all cells added up from scratch, now and a ply ago.
func slowValue(t *testing.T, b *board.Board) int {
	t.Helper()
	c := b.Clone()
	w := defaults.weights(b.Rule())
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
	return max(-Max, min(Max, int(v+w.onTurn(b))))
}

// TestValueFollowsTheBoard plays and takes back at random and compares with the twin,
// evaluating only some positions, as a search does.
func TestValueFollowsTheBoard(t *testing.T) {
	for _, rule := range append(rules, board.Continuous, board.Continuous|board.Renju) {
		t.Run(rule.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(9, uint64(rule)))
			rows := 0
			b := boardtest.New(t, rule, 15, 13)
			for range 8 {
				if m := board.At(r.IntN(15), r.IntN(13)); b.Cell(m) == board.Empty {
					b.Block(m)
				}
			}
			e := defaults.New(b)
			for i := range 3000 {
				switch m := board.At(r.IntN(15), r.IntN(13)); {
				case r.IntN(5) < 2 && b.Ply() > 0:
					b.Undo()
					e.Undone()
				case r.IntN(20) == 0 && b.Ply() < 200:
					b.Pass()
				case b.Cell(m) == board.Empty:
					rows += put(b, m)
				}
				if r.IntN(3) == 0 {
					if got, want := e.Value(), slowValue(t, b); got != want {
						t.Fatalf("step %d: %d, the twin says %d", i, got, want)
					}
				}
				if r.IntN(50) == 0 {
					e.Reset(b, 0)
				}
			}
			if rule&board.Continuous != 0 && rows < 20 {
				t.Errorf("%d rows are too few for a test", rows)
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
			b := boardtest.New(t, rule, 11, 11)
			for range 4 + r.IntN(20) {
				if m := board.At(r.IntN(11), r.IntN(11)); b.Cell(m) == board.Empty {
					moves = append(moves, m)
					b.Play(m)
				}
			}
			want := defaults.New(b).Value()
			for s := range board.Symmetries {
				b.Reset()
				for _, m := range moves {
					b.Play(board.Transform(m, s, 11, 11))
				}
				if got := defaults.New(b).Value(); got != want {
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
			if got := defaults.New(b).Value(); got != want {
				t.Fatalf("%v, colors swapped: %d, want %d", rule, got, want)
			}
		}
	}
}

func TestValueDoesNotAllocate(t *testing.T) {
	b := boardtest.New(t, board.Renju, 15, 15)
	e := defaults.New(b)
	if n := testing.AllocsPerRun(10, func() {
		for i := range 8 {
			b.Play(board.At(4+i, 5+i%3))
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
	bd := boardtest.After(b, board.Freestyle, 15, "h8i9i7g9h10h9g8j11f7e6j8k9g10f11i10")
	e := defaults.New(bd)
	near := bd.Candidates()
	list := near.Append(nil)
	b.ReportAllocs()
	for b.Loop() {
		for _, m := range list {
			bd.Play(m)
			e.Value()
			bd.Undo()
			e.Undone()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list)), "ns/move")
}

// TestStyleCountsOneSideMore: by the most aggressive style the cells of the side to move get
// 24 percent more and the others less, for both to move alike, and StylePart is what that makes.
func TestStyleCountsOneSideMore(t *testing.T) {
	for _, rule := range rules {
		r := rand.New(rand.NewPCG(10, uint64(rule)))
		b := boardtest.New(t, rule, 15, 15)
		b.Pass() // white to move
		neutral, styled := defaults.New(b), defaults.New(b)
		styled.Reset(b, 100)
		w := defaults.weights(rule)
		for b.Ply() < 60 {
			m := board.At(r.IntN(15), r.IntN(15))
			if b.Cell(m) != board.Empty {
				continue
			}
			b.Play(m)
			var sums [2]int // now and a ply ago
			for i := range sums {
				for _, m := range b.Open().Append(nil) {
					k := b.Code(m)
					sums[i] += int(w.of[board.White][k.Of(board.White)])*124/100 - int(w.of[board.Black][k.Of(board.Black)])*76/100
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
			if got := styled.Value(); max(got, -got) < Max && got != want+int(w.onTurn(b)) {
				t.Fatalf("%v, ply %d: %d, want %d and %d for the threats", rule, b.Ply(), got, want, w.onTurn(b))
			}
			if b.Side() == board.Black {
				continue
			}
			fresh := defaults.New(b)
			fresh.Reset(b, 100)
			part := styled.StylePart()
			if fresh.Value() != styled.Value() || fresh.Value()-part != neutral.Value() {
				t.Fatalf("%v, ply %d: %d after a reset with a style's part of %d, %d played on; neutral %d",
					rule, b.Ply(), fresh.Value(), part, styled.Value(), neutral.Value())
			}
		}
		if styled.Reset(b, 0); styled.Value() != neutral.Value() || styled.StylePart() != 0 {
			t.Errorf("%v: neutral again, but %d with a style's part of %d is not %d", rule, styled.Value(), styled.StylePart(), neutral.Value())
		}
	}
}

// TestStyleOfExtremeTables: points that a style would raise beyond int16 stay at its ends.
func TestStyleOfExtremeTables(t *testing.T) {
	tables := newTables(board.Freestyle)
	tables.Sides[0].Cells[1], tables.Sides[0].Cells[2] = 1<<15-1, -1<<15
	w := newWeights(tables).favor(board.White, styleShare)
	for n, want := range map[int][2]int16{1: {24902, 1<<15 - 1}, 2: {-24903, -1 << 15}} { // 76 percent of black's
		code := codePatterns(n)
		if got := [2]int16{w.of[board.Black][code], w.of[board.White][code]}; got != want {
			t.Errorf("points %v of black and white, want %v", got, want)
		}
	}
}

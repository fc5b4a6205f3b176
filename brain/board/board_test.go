package board

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// sameAs reports how b differs from fresh in anything Play and Undo keep up to date.
func sameAs(t *testing.T, b, fresh *Board) {
	t.Helper()
	if b.side != fresh.side || b.cells != fresh.cells || b.lines != fresh.lines || b.empties != fresh.empties {
		t.Fatalf("position differs")
	}
	if b.hash != fresh.hash {
		t.Fatalf("hash %x, want %x", b.hash, fresh.hash)
	}
	if b.counts != fresh.counts {
		t.Fatalf("counts %v, want %v", b.counts, fresh.counts)
	}
	if b.sets != fresh.sets || b.open != fresh.open || b.near != fresh.near {
		t.Fatalf("sets differ")
	}
	b.eachEmpty(func(m Move) {
		if b.points[m] != fresh.points[m] {
			t.Fatalf("%v: %x, want %x", m, b.points[m], fresh.points[m])
		}
	})
}

// rebuilt makes the position of b from its stones and lines alone.
func rebuilt(t *testing.T, b *Board) *Board {
	t.Helper()
	f, err := New(b.rule, b.width, b.height)
	if err != nil {
		t.Fatal(err)
	}
	for y := range b.height {
		for x := range b.width {
			if m := At(x, y); b.cells[m] == Wall {
				f.cells[m] = Wall
				f.lines.toggle(m, uint64(Empty^Wall))
				f.hash ^= zobrist(Wall, m)
				f.open.flip(m)
				f.empties--
				f.widen(m)
			}
		}
	}
	for _, m := range b.Moves() {
		if m != None {
			c := b.cells[m]
			f.cells[m] = c
			f.lines.toggle(m, uint64(Empty^c))
			f.hash ^= zobristKeys[c][m]
			f.open.flip(m)
			f.empties--
			f.widen(m)
		}
	}
	if b.Ply()%2 != 0 {
		f.side ^= 1
		f.hash ^= zobristSide
	}
	f.counts, f.sets = [2][16]int16{}, [2][16]Set{}
	f.eachEmpty(func(m Move) {
		f.points[m] = f.pointOf(m)
		f.enter(m)
	})
	return f
}

// playBytes plays moves picked by data on a board whose shape the first bytes choose.
func playBytes(t *testing.T, data []byte) *Board {
	t.Helper()
	next := func() int {
		if len(data) == 0 {
			return -1
		}
		v := int(data[0])
		data = data[1:]
		return v
	}
	rule := Rule(next() & 15)
	if !rule.Valid() {
		rule = Renju
	}
	w, h := 5+max(next(), 0)%18, 5+max(next(), 0)%18
	b, err := New(rule, w, h)
	if err != nil {
		t.Fatal(err)
	}
	for n := max(next(), 0) % 8; n > 0; n-- {
		if m := At(max(next(), 0)%w, max(next(), 0)%h); b.cells[m] == Empty {
			b.Block(m)
		}
	}
	for v := next(); v >= 0; v = next() {
		switch {
		case v == 255:
			b.Pass()
		case v >= 250 && b.Ply() > 0:
			b.Undo()
		default:
			if m := At(v%w, max(next(), 0)%h); b.cells[m] == Empty {
				b.Play(m)
			}
		}
	}
	return b
}

func checkPlayUndo(t *testing.T, data []byte) {
	b := playBytes(t, data)
	sameAs(t, b, rebuilt(t, b))
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	if c := b.Clone(); c.Ply() > 0 {
		m := c.Back(1)
		c.Undo()
		if m == None {
			c.Pass()
		} else {
			c.Play(m)
		}
		sameAs(t, c, b)
	}
	for b.Ply() > 0 {
		b.Undo()
	}
	sameAs(t, b, rebuilt(t, b))
}

func FuzzPlayUndo(f *testing.F) {
	f.Add([]byte{0, 10, 10, 0, 7, 7, 8, 8, 9, 9, 250, 3, 3})
	f.Fuzz(checkPlayUndo)
}

func TestPlayUndoRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 600 {
		data := make([]byte, 20+r.IntN(400))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		checkPlayUndo(t, data)
	}
}

func TestPlayDoesNotAllocate(t *testing.T) {
	b, moves := benchGame(t)
	if n := testing.AllocsPerRun(10, func() {
		for _, m := range moves {
			b.Play(m)
		}
		for range moves {
			b.Undo()
		}
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

// benchGame is a mid-game position on 15x15 freestyle with moves to play from it.
func benchGame(t testing.TB) (*Board, []Move) {
	t.Helper()
	b, err := New(Freestyle, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	all, err := ParseMoves("h8i9i7g9h10h9g8j11f7e6j8k9g10f11i10k12k8l8i11i12h12l10", 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		b.Play(m)
	}
	near := b.Candidates()
	return b, near.Append(nil)
}

// BenchmarkPlayUndo plays and takes back every candidate of a mid-game position.
func BenchmarkPlayUndo(b *testing.B) {
	bd, moves := benchGame(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, m := range moves {
			bd.Play(m)
			bd.Undo()
		}
	}
	perMove := b.Elapsed().Seconds() / float64(b.N*len(moves))
	b.ReportMetric(perMove*1e9, "ns/move")
	b.ReportMetric(1/perMove, "Moves/s")
}

// BenchmarkTables builds the tables of each rule from scratch.
func BenchmarkTables(b *testing.B) {
	for _, r := range []Rule{Freestyle, ExactFive, Renju, Caro, Caro | ExactFive} {
		b.Run(r.String(), func(b *testing.B) {
			for b.Loop() {
				newTables(r)
			}
		})
	}
}

// TestLineIsOfTheCells compares the words of lines with the cells themselves on boards
// that touch the sides of the grid.
func TestLineIsOfTheCells(t *testing.T) {
	for _, size := range [][2]int{{22, 22}, {5, 22}, {15, 7}} {
		r := rand.New(rand.NewPCG(3, uint64(size[0])))
		b, err := New(Freestyle, size[0], size[1])
		if err != nil {
			t.Fatal(err)
		}
		for range size[0] * size[1] / 2 {
			m := At(r.IntN(size[0]), r.IntN(size[1]))
			if b.Cell(m) != Empty {
				continue
			}
			if r.IntN(9) == 0 && b.Ply() == 0 {
				b.Block(m)
			} else {
				b.Play(m)
			}
		}
		for i := range size[0] * size[1] {
			x, y := i%size[0], i/size[0]
			for d, step := range [Directions][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
				word := b.Line(At(x, y), d)
				for n := -LineReach; n <= LineReach; n++ {
					want := Wall
					if cx, cy := x+n*step[0], y+n*step[1]; b.On(cx, cy) {
						want = b.Cell(At(cx, cy))
					}
					if got := Color(word >> (2 * (n + LineReach)) & 3); got != want {
						t.Fatalf("%dx%d: %d steps from column %d, row %d in direction %d: %v, want %v",
							size[0], size[1], n, x, y, d, got, want)
					}
				}
			}
		}
	}
}

// TestDistance compares Distance with steps of a king that are counted.
func TestDistance(t *testing.T) {
	var steps [Cells]int
	from := At(8, 3)
	for i := range steps {
		steps[i] = -1
	}
	steps[from] = 0
	for queue := []Move{from}; len(queue) > 0; queue = queue[1:] {
		m := queue[0]
		for y := max(m.Y()-1, 0); y <= min(m.Y()+1, MaxSize-1); y++ {
			for x := max(m.X()-1, 0); x <= min(m.X()+1, MaxSize-1); x++ {
				if n := At(x, y); steps[n] < 0 {
					steps[n] = steps[m] + 1
					queue = append(queue, n)
				}
			}
		}
		if d := Distance(from, m); d != steps[m] || d != Distance(m, from) {
			t.Fatalf("%v is %d from %v, want %d", m, d, from, steps[m])
		}
		if d := Distance(m, None); d < Pad {
			t.Fatalf("%v is %d from no move", m, d)
		}
	}
}

// TestKeysDiffer: no two empty boards of a rule and a size, cells that hold something, and sides
// to move share a key. A blocked cell once had the key of a size, so that boards of two sizes
// could be taken for one.
func TestKeysDiffer(t *testing.T) {
	seen := map[uint64]string{zobristSide: "the side to move"}
	note := func(key uint64, format string, args ...any) {
		name := fmt.Sprintf(format, args...)
		if other, ok := seen[key]; ok {
			t.Errorf("%s has the key of %s", name, other)
		}
		seen[key] = name
	}
	for y := range MaxSize {
		for x := range MaxSize {
			for _, c := range []Color{Black, White, Wall} {
				note(zobrist(c, At(x, y)), "%v on %v", c, At(x, y))
			}
		}
	}
	for height := MinSize; height <= MaxSize; height++ {
		for width := MinSize; width <= MaxSize; width++ {
			for r := range Rule(16) {
				if r.Valid() {
					note(zobristEmpty(r, width, height), "%v on %dx%d", r, width, height)
				}
			}
		}
	}
}

package continuous

import (
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

func newBoard(t *testing.T, rule board.Rule, width, height int, moves string) *board.Board {
	t.Helper()
	b := boardtest.New(t, rule|board.Continuous, width, height)
	list, err := board.ParseMoves(moves, width, height)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		b.PlayRows(m)
	}
	return b
}

// gain is the slow twin of the search: it tries all moves to the end of the game.
func gain(b *board.Board) Value {
	best, found := Value(0), false
	for _, m := range b.Open().Append(nil) {
		if !b.Legal(m) {
			continue
		}
		v := Row * Value(b.PlayRows(m))
		v -= gain(b)
		b.Undo()
		if !found || v > best {
			best, found = v, true
		}
	}
	return best
}

// At the end of the game the search is exact.
func TestSearchIsExactAtTheEnd(t *testing.T) {
	rows := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 2))
		rule := []board.Rule{board.Freestyle, board.ExactFive, board.Renju, board.Caro, board.Caro | board.ExactFive}[seed%5]
		b := endgame(t, r, rule, 5+r.IntN(3), 5+r.IntN(3), 6)
		want := gain(b)
		if want != 0 {
			rows++
		}
		s := New(1 << 16)
		if got := s.Search(b, Limits{Depth: 6}); got.Value != want {
			t.Errorf("seed %d, %v: %d, want %d", seed, rule, got.Value, want)
		}
	}
	if rows < 20 {
		t.Errorf("%d positions with rows are too few for a test", rows)
	}
}

func TestSearchCountsRows(t *testing.T) {
	s := New(1 << 20)
	for _, test := range []struct {
		name, moves string
		least, most Value
	}{
		{"one stone", "h8", -Row / 2, Row / 2},
		{"the other side has an open four", "h8a1i8a3j8a5k8", -Row - hopeMost, -Row / 2},
		{"an open four", "h8a1i8a3j8a5k8o1", Row / 2, Row + hopeMost},
		{"two rows with one stone", "h8a1i8o1j8a15k8o15l9h1l10a7l11o7l12g15", 3 * Row / 2, 2*Row + hopeMost},
	} {
		if r := s.Search(newBoard(t, board.Freestyle, 15, 15, test.moves), Limits{Nodes: 20_000}); r.Value < test.least || r.Value > test.most {
			t.Errorf("%s: %d by %v, want %d to %d", test.name, r.Value, r.PV, test.least, test.most)
		}
	}
}

// A four is stopped rather than a row made that cannot be lost.
func TestSearchKeepsRowsForLater(t *testing.T) {
	b := newBoard(t, board.Freestyle, 15, 15, "h8a1i8b1j8c1k8d1") // black has an open four, white a four
	r := New(1<<20).Search(b, Limits{Nodes: 20_000})
	if len(r.PV) == 0 || r.PV[0].String() != "e1" {
		t.Errorf("%v with the value %d, want e1 first", r.PV, r.Value)
	}
}

// The points of a position that has been played are those of the same position anew.
func TestPointsFollow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	b := newBoard(t, board.Freestyle, 12, 12, "")
	var p, anew points
	p.follow(b)
	p.begin(b)
	anew.follow(b)
	for range 2000 {
		if b.Empties() == 0 || b.Ply() > 0 && r.IntN(3) == 0 {
			b.Undo()
			p.undone(b)
		} else if five := b.Set(b.Side(), board.MakesFive).First(); five != board.None {
			b.PlayRows(five)
		} else {
			open := b.Open().Append(nil)
			b.PlayRows(open[r.IntN(len(open))])
		}
		anew.begin(b)
		if got, want := p.sum(b), anew.sum(b); got != want {
			t.Fatalf("after %d plies: %d points, want %d", b.Ply(), got, want)
		}
	}
}

func TestSearchDoesNotAllocate(t *testing.T) {
	b := newBoard(t, board.Freestyle, 15, 15, "h8g7i8g8j7")
	s := New(1 << 20)
	s.Search(b, Limits{Nodes: 5000})
	if n := testing.AllocsPerRun(2, func() { s.Search(b, Limits{Nodes: 20_000}) }); n > 40 {
		t.Errorf("%v allocations, want a few for the best lines of the iterations", n)
	}
}

// A search of another board leaves a table alone in which nothing was stored: its memory may not
// be there yet, and getting all of it from the system takes tens of milliseconds. What was stored
// is cleared.
func TestNewTableIsLeftAlone(t *testing.T) {
	b := newBoard(t, board.Freestyle, 15, 15, "h8i9i7")
	s := New(1 << 20)
	mark := func(e *entry) bool { return e.depth == 0 && e.most == 1 } // an empty entry, but not zero
	for i := range s.table.entries {
		s.table.entries[i].most = 1
	}
	s.Search(b, Limits{Nodes: 300})
	left := 0
	for i := range s.table.entries {
		if mark(&s.table.entries[i]) {
			left++
		}
	}
	if n := len(s.table.entries); left < n-300 || left == n {
		t.Errorf("%d of %d entries are as they were after 300 nodes", left, n)
	}
	s.Clear()
	for i := range s.table.entries {
		if s.table.entries[i] != (entry{}) {
			t.Fatal("something is left after Clear")
		}
	}
}

// A search that is stopped at once still has a move, and one that is stopped later keeps its
// best.
func TestSearchStops(t *testing.T) {
	b := newBoard(t, board.Freestyle, 15, 15, "h8g7i8g8j7")
	s := New(1 << 20)
	for _, calls := range []int{0, 1, 20} {
		n := 0
		r := s.Search(b, Limits{Stop: func() bool { n++; return n > calls }})
		if len(r.PV) == 0 || !b.Legal(r.PV[0]) {
			t.Errorf("stopped at the call %d: %v", calls, r.PV)
		}
	}
	if r := s.Search(b, Limits{Enough: func() bool { return true }}); r.Depth != 1 {
		t.Errorf("depth %d, want 1", r.Depth)
	}
}

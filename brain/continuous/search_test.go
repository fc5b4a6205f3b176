package continuous

import (
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
	"tengen/brain/threat"
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

// endgame plays at random until empties cells are left, fives only now and then, so that some
// are left.
func endgame(t *testing.T, r *rand.Rand, rule board.Rule, width, height, empties int) *board.Board {
	t.Helper()
	b := newBoard(t, rule, width, height, "")
	for b.Empties() > empties {
		open := b.Open().Append(nil)
		m := open[r.IntN(len(open))]
		for try := 0; try < 5 && b.Class(b.Side(), m) == board.MakesFive; try++ {
			m = open[r.IntN(len(open))]
		}
		b.PlayRows(m)
	}
	return b
}

// newSearcher returns a searcher with the evaluation that the program carries.
func newSearcher(bytes int64) *Searcher { return New(bytes, eval.Embedded().New) }

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
		s := newSearcher(1 << 16)
		if got := s.Search(b, Limits{Depth: 6}); got.Value != want {
			t.Errorf("seed %d, %v: %d, want %d", seed, rule, got.Value, want)
		}
	}
	if rows < 20 {
		t.Errorf("%d positions with rows are too few for a test", rows)
	}
}

func TestSearchCountsRows(t *testing.T) {
	s := newSearcher(1 << 20)
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
	r := newSearcher(1<<20).Search(b, Limits{Nodes: 20_000})
	if len(r.PV) == 0 || r.PV[0].String() != "e1" {
		t.Errorf("%v with the value %d, want e1 first", r.PV, r.Value)
	}
}

// The move that is tried first makes most of the cut-offs.
func TestFirstMovesCut(t *testing.T) {
	b := newBoard(t, board.Freestyle, 15, 15, "h8a1i8a3j9c1k9c3")
	s := newSearcher(1 << 20)
	s.Search(b, Limits{Nodes: 20_000})
	if s.first < s.cutoffs/2 || s.first > s.cutoffs || s.cutoffs < 1000 {
		t.Errorf("%d of %d cut-offs by the first move", s.first, s.cutoffs)
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

// The value of a quiet position is what a new evaluator says of it, also after rows and moves that
// were taken back.
func TestStaticFollows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	b := newBoard(t, board.Freestyle, 12, 12, "f6")
	s := newSearcher(1 << 16)
	s.Search(b, Limits{Depth: 1})
	anew := eval.Embedded().New(s.b)
	asked, rows := 0, 0
	for range 3000 {
		b := s.b
		if b.Empties() == 0 || b.Ply() > 1 && r.IntN(3) == 0 {
			s.undo()
			continue
		}
		m := b.Set(b.Side(), board.MakesFive).First()
		if m == board.None {
			open := b.Open().Append(nil)
			m = open[r.IntN(len(open))]
		}
		rows += b.PlayRows(m)
		if r.IntN(3) > 0 || b.Count(board.Black, board.MakesFive)+b.Count(board.White, board.MakesFive) > 0 || threat.StaticWin(b) != 0 {
			continue
		}
		asked++
		anew.Reset(b, 0)
		if got, want := s.static(), hope(anew.Value()); got != want {
			t.Fatalf("%d after %d plies, want %d", got, b.Ply(), want)
		}
	}
	if asked < 100 || rows < 20 {
		t.Errorf("%d positions and %d rows are too few for a test", asked, rows)
	}
}

// With a style the value is without what the style adds, and values of other styles are not taken for
// it; those of the same style of Black are, whoever is to move.
func TestSearchInAStyle(t *testing.T) {
	b := newBoard(t, board.Freestyle, 15, 15, "h8i9i7g9")
	s := newSearcher(1 << 20)
	anew := eval.Embedded().New(b)
	for _, style := range []int{0, 100, -100} {
		r := s.Search(b, Limits{Depth: 1, Style: style})
		for _, m := range r.PV {
			b.PlayRows(m)
		}
		anew.Reset(b, 0)
		want := hope(anew.Value())
		for range r.PV {
			b.Undo()
		}
		if len(r.PV)%2 == 1 {
			want = -want
		}
		if r.Value != want {
			t.Errorf("style %d: %d by %v, want %d", style, r.Value, r.PV, want)
		}
	}
	nodes := func(style int) int64 { return s.Search(b, Limits{Depth: 4, Style: style}).Nodes }
	first := nodes(100)
	if other, again := nodes(-100), nodes(100); other < first/2 || again > first*3/4 {
		t.Errorf("%d nodes, %d in the other style, %d again", first, other, again)
	}
}

// Fives in hand are one row, since most of them use the same stones.
func TestStaticCountsOneRowInHand(t *testing.T) {
	b := newBoard(t, board.Freestyle, 15, 15, "h8a1i8o1j8a15k8o15d3c12e3o7f3a6g3") // two open fours of black
	s := newSearcher(1 << 16)
	s.Search(b, Limits{Depth: 1})
	if n, v := b.Count(board.Black, board.MakesFive), -s.static(); n < 4 || v < Row/2 || v > Row+hopeMost {
		t.Errorf("%d fives are worth %d", n, v)
	}
}

func TestSearchDoesNotAllocate(t *testing.T) {
	b := newBoard(t, board.Freestyle, 15, 15, "h8g7i8g8j7")
	s := newSearcher(1 << 20)
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
	s := newSearcher(1 << 20)
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
	s := newSearcher(1 << 20)
	for _, calls := range []int{0, 1, 20} {
		n := 0
		r := s.Search(b, Limits{Stop: func() bool { n++; return n > calls }})
		if len(r.PV) == 0 || !b.Legal(r.PV[0]) {
			t.Errorf("stopped at the call %d: %v", calls, r.PV)
		}
	}
	depth := 0
	r := s.Search(b, Limits{Depth: 3, Report: func(r Result) {
		if depth++; r.Depth != depth || len(r.PV) == 0 || r.Nodes == 0 {
			t.Errorf("iteration %d reports %+v", depth, r)
		}
	}})
	if depth != 3 || r.Depth != 3 {
		t.Errorf("%d iterations are reported, %+v returned", depth, r)
	}
}

package database

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// Decided gives the hashes that the boards have when the moves are played.
func TestDecided(t *testing.T) {
	d := New()
	line := boardtest.After(t, 0, 15, "h8i9j10k11")
	d.Set(line, NewRecord(Win, 0, 0, NoBound), Whole)
	d.Set(boardtest.After(t, 0, 15, "h8i9j10k11a1"), NewRecord(None, 0, 5, Exact), Whole)
	d.Set(boardtest.After(t, 4, 15, "h8i9j10k11"), NewRecord(Win, 0, 0, NoBound), Whole)
	d.Set(boardtest.After(t, 0, 15, "a1i9j10k11"), NewRecord(Win, 0, 0, NoBound), Whole)
	got := map[uint64]bool{}
	for _, k := range d.Decided(boardtest.After(t, 0, 15, "h8"), 100) {
		got[k.Hash] = true
	}
	want := map[uint64]bool{}
	for _, moves := range []string{"h8i9j10k11", "h8g9f10e11", "h8i7j6k5", "h8g7f6e5"} {
		want[boardtest.After(t, 0, 15, moves).Hash()] = true
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d hashes, want those of the 4 turns", len(got))
	}
	passed := boardtest.After(t, 0, 15, "g7i9")
	passed.Pass()
	d.Set(passed, NewRecord(Win, 0, 0, NoBound), Whole)
	if known := d.Decided(boardtest.After(t, 0, 15, "g7"), 100); len(known) != 1 || known[0].Hash != passed.Hash() {
		t.Errorf("%d positions after g7, want that after a pass", len(known))
	}
	if n := len(d.Decided(boardtest.After(t, 0, 15, "h8i9"), 100)); n != 1 {
		t.Errorf("%d positions after h8i9, want 1", n)
	}
	wide := boardtest.New(t, board.Freestyle, 12, 9)
	wide.Play(board.At(3, 4)) // in the middle row
	base := wide.Clone()
	wide.Play(board.At(5, 1))
	d.Set(wide, NewRecord(Win, 0, 0, NoBound), Whole)
	wide.Undo()
	wide.Play(board.At(5, 7))
	if known := d.Decided(base, 100); len(known) != 2 || known[0].Hash != wide.Hash() && known[1].Hash != wide.Hash() {
		t.Errorf("%d positions on 12x9, want 2 that mirror each other", len(known))
	}
	if n := len(d.Decided(boardtest.After(t, 0, 15, "h8i10"), 100)); n != 0 {
		t.Errorf("%d positions after h8i10, want 0", n)
	}
}

// tree returns a database of a root and of what follows it.
func tree(t testing.TB, lines ...string) *Database {
	d := New()
	for _, line := range lines {
		label := None
		if i := strings.IndexByte(line, ' '); i >= 0 {
			label, line = Label(line[i+1]), line[:i]
		}
		d.Set(boardtest.After(t, 0, 15, line), NewRecord(label, 0, 0, NoBound), Whole)
	}
	return d
}

func TestDeleteBelow(t *testing.T) {
	// h8a1 and h8c1 lead to h8a1d1c1 and h8c1d1a1, which are one position.
	lines := []string{"h8", "h8a1", "h8c1 w", "h8a1d1", "h8a1d1c1", "h8c1d1 l", "h8a1e1", "h8a1e1f1 w"}
	for _, tt := range []struct {
		at, filter string
		n          int
		left       string
	}{
		{"h8", "", 0, "h8"},
		{"h8a1", "", 0, "h8 h8a1 h8c1 h8a1d1c1 h8c1d1"},
		{"h8", "nonwl", 0, "h8 h8c1 h8a1d1c1 h8c1d1"},
		{"h8", "w", 0, "h8 h8a1 h8a1d1 h8a1d1c1 h8a1e1 h8a1e1f1"},
		{"h8", "wlrecursive", 0, "h8 h8a1 h8a1d1 h8a1d1c1 h8a1e1"},
		{"h8", "wlnosteprecursive", 0, "h8 h8a1 h8a1d1 h8a1d1c1 h8a1e1"},
		{"h8", "wlinsteprecursive", 9, strings.Join(strings.Fields("h8 h8a1 h8c1 h8a1d1 h8a1d1c1 h8c1d1 h8a1e1 h8a1e1f1"), " ")},
	} {
		d := tree(t, lines...)
		f, err := ParseFilter(tt.filter, tt.n)
		if err != nil {
			t.Fatal(err)
		}
		n, err := d.DeleteBelow(boardtest.After(t, 0, 15, tt.at), f)
		var left []string
		for _, line := range lines {
			line, _, _ = strings.Cut(line, " ")
			if _, ok := d.Get(boardtest.After(t, 0, 15, line)); ok {
				left = append(left, line)
			}
		}
		if got := strings.Join(left, " "); got != tt.left || err != nil || n != len(lines)-len(left) {
			t.Errorf("%s %q: %d deleted, left %s, %v; want %s", tt.at, tt.filter, n, got, err, tt.left)
		}
	}
	d := tree(t, "h8")
	b := boardtest.After(t, 0, 15, "h8")
	d.SetComment(b, "kept")
	d.SetCellText(b, board.At(0, 0), "x")
	if n, err := d.DeleteBelow(b, Filter{match: func(Record) bool { return true }}); n != 1 || err != nil {
		t.Errorf("%d deleted, %v; want the position of the text", n, err)
	}
	if r, _ := d.Get(b); len(r.cells()) != 0 || r.Comment() != "kept" {
		t.Errorf("texts %v, comment %q", r.cells(), r.Comment())
	}
	// The texts of what stays are kept.
	d = tree(t, "h8", "h8a1 w", "h8c1", "h8c1d1 w", "h8c1e1")
	follows := boardtest.After(t, 0, 15, "h8c1")
	for x, text := range []string{"A", "", "C"} {
		d.SetCellText(b, board.At(x, 0), text)
	}
	d.SetCellText(follows, board.At(3, 0), "D")
	d.SetCellText(follows, board.At(4, 0), "E")
	f, err := ParseFilter("wrecursive", 0)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := d.DeleteBelow(b, f); n != 2 || err != nil {
		t.Errorf("%d deleted, %v, want 2", n, err)
	}
	for at, want := range map[*board.Board]string{b: "C", follows: "E"} {
		if r, _ := d.Get(at); len(r.cells()) != 1 || r.cells()[0].text != want {
			t.Errorf("texts %v, want %s alone", r.cells(), want)
		}
	}
	for _, name := range []string{"x", "recursive", "nonw"} {
		if _, err := ParseFilter(name, 0); err == nil {
			t.Errorf("there is a filter %q", name)
		}
	}
}

// The plies of a result count from the move into the position.
func TestFilters(t *testing.T) {
	win, loss := NewRecord(Win, -MaxValue+4, 0, Exact), NewRecord(Loss, MaxValue-2, 0, Exact)
	for _, tt := range []struct {
		name string
		n    int
		r    Record
		want bool
	}{
		{"wlinstep", 5, win, true}, {"WLINSTEP", 4, win, false}, {"wlnostep", 0, win, false},
		{"wlinstep", 3, loss, true}, {"wlinstep", 2, loss, false}, {"wlnostep", 0, loss, false},
		{"wlinstep", 900, NewRecord(Win, 0, 0, NoBound), false}, {"wlnostep", 0, NewRecord(Win, 0, 0, NoBound), true},
		{"wlnostep", 0, NewRecord('L', 0, 0, NoBound), true}, {"wlnostep", 0, NewRecord(Draw, 0, 0, NoBound), false},
		{"wlinstep", 900, NewRecord(None, -MaxValue+4, 0, Exact), false},
		{"w", 0, NewRecord('W', 0, 0, NoBound), true}, {"w", 0, loss, false}, {"l", 0, loss, true}, {"l", 0, win, false},
		{"wld", 0, NewRecord(Draw, 0, 0, NoBound), true}, {"wl", 0, NewRecord(Draw, 0, 0, NoBound), false},
		{"wld", 0, NewRecord(None, 0, 0, Exact), false}, {"nonwld", 0, NewRecord(None, 0, 0, Exact), true},
		{"nonwl", 0, NewRecord(Draw, 0, 0, NoBound), true}, {"nonwl", 0, win, false}, {"", 0, win, true},
	} {
		f, err := ParseFilter(tt.name, tt.n)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.match(tt.r); got != tt.want || f.recursive {
			t.Errorf("%s %d of %+v: %v, want %v", tt.name, tt.n, tt.r, got, tt.want)
		}
	}
}

func TestCopyBelowAndMerge(t *testing.T) {
	d := tree(t, "h8", "h8a1", "h8a1d1", "h8c1", "h8c1d1", "j10")
	part := New()
	if n, err := d.CopyBelow(boardtest.After(t, 0, 15, "h8a1"), part); n != 3 || err != nil {
		t.Errorf("%d copied, %v; want h8, h8a1, h8a1d1", n, err)
	}
	if _, ok := part.Get(boardtest.After(t, 0, 15, "h8c1")); ok {
		t.Error("h8c1 was copied")
	}
	b := boardtest.After(t, 0, 15, "h8")
	part.Set(b, NewRecord(Win, 0, 0, NoBound).WithComment("there"), Whole)
	part.SetComment(boardtest.After(t, 0, 15, "h8a1"), "a text alone")
	d.Set(b, NewRecord(None, 5, 5, Exact), PartValue)
	if n := d.Merge(part); n != 2 {
		t.Errorf("%d merged, want 2", n)
	}
	if n := d.Merge(d); n != 0 {
		t.Errorf("%d records change by those that are there", n)
	}
	if n := d.Merge(part); n != 0 {
		t.Errorf("%d merged a second time", n)
	}
	if r, _ := d.Get(b); r.Label != Win || r.Comment() != "there" {
		t.Errorf("%+v", r)
	}
	if n := part.Merge(d); n != 3 || part.Len() != d.Len() {
		t.Errorf("%d merged, want 3", n)
	}
}

// What a person has marked stays marked when a value or a text comes in, except for a result or
// another mark.
func TestMarksStay(t *testing.T) {
	b := boardtest.After(t, 0, 15, "h8")
	value, win := NewRecord(None, 5, 3, Exact), NewRecord(Win, 0, 0, NoBound)
	for _, tt := range []struct{ old, new, want Record }{
		{NewRecord(Block, 0, 0, NoBound), value, NewRecord(Block, 5, 3, Exact)},
		{NewRecord(Block, 0, 0, NoBound), Record{Label: None}.WithComment("c"), NewRecord(Block, 0, 0, NoBound).WithComment("c")},
		{NewRecord(Block, 0, 0, NoBound), NewRecord(Force, 0, 0, NoBound), NewRecord(Force, 0, 0, NoBound)},
		{NewRecord(Force, 0, 0, NoBound), win, win},
		{value, NewRecord(Force, 0, 0, NoBound), value},
	} {
		d, from := New(), New()
		d.Set(b, tt.old, Whole)
		from.Set(b, tt.new, Whole)
		d.Merge(from)
		if r, _ := d.Get(b); r != tt.want {
			t.Errorf("%+v merged into %+v: %+v, want %+v", tt.new, tt.old, r, tt.want)
		}
	}
}

// No move leads to a position after a pass, or from it to another that has a key.
func TestPositionsAfterAPass(t *testing.T) {
	passed := func(moves string) *board.Board {
		b := boardtest.After(t, 0, 15, moves)
		b.Pass()
		return b
	}
	d := New()
	d.SetCellText(passed("h8"), board.At(0, 0), "kept") // black's h8, and black to move on a1
	d.Delete(passed("a1h8"))
	if r, _ := d.Get(passed("h8")); len(r.cells()) != 1 {
		t.Errorf("%+v: the text is gone with a position that does not follow", r)
	}

	// With d4 white has a stone more than black, which reads like the key of two black ones.
	d, before := New(), passed("a1a2")
	if err := d.Set(passed("a1d4a2"), NewRecord(Win, 0, 0, NoBound), Whole); err != nil {
		t.Fatal(err)
	}
	if children := d.Children(before); len(children) != 0 {
		t.Errorf("children %v, want none", children)
	}
	d.SetCellText(before, board.At(8, 8), "x")
	if children := d.Children(before); len(children) != 1 || children[0].Known || children[0].Text != "x" || d.Len() != 2 {
		t.Errorf("children %v of %d records, want a text in the second", children, d.Len())
	}

	base, later := passed("h8i9"), passed("h8i9")
	for _, m := range []board.Move{board.At(1, 1), board.At(2, 2)} {
		later.Play(m)
	}
	for _, b := range []*board.Board{base, later} {
		if err := d.Set(b, NewRecord(Win, 0, 0, NoBound), Whole); err != nil {
			t.Fatal(err)
		}
	}
	var lib bytes.Buffer
	if n, err := d.ExportLib(&lib, base); n != 3 || err != nil {
		t.Errorf("a library of %d moves, %v; want the 3 that led to the position", n, err)
	}
	part := New()
	if n, err := d.CopyBelow(base, part); n != 2 || err != nil {
		t.Errorf("%d copied, %v; want both", n, err)
	}
}

// A library and a part of a database have the positions that no record leads to, too, and the
// library has moves to them.
func TestGapsAreBridged(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		b := boardtest.After(t, 0, 15, "")
		play := func(n int) {
			for range n {
				if m := board.At(r.IntN(15), r.IntN(15)); b.Cell(m) == board.Empty {
					b.Play(m)
				}
			}
		}
		play(r.IntN(5))
		base := b.Clone()
		d := New()
		var follow []*board.Board
		for range 20 {
			b = base.Clone()
			play(r.IntN(8))
			symmetry := r.IntN(turns)
			turned := boardtest.After(t, 0, 15, "")
			for _, m := range b.Moves() {
				turned.Play(board.Transform(m, symmetry, 15, 15))
			}
			d.Set(turned, NewRecord(Win, 0, 0, NoBound), Whole)
			follow = append(follow, turned)
		}
		passed := base.Clone()
		passed.Pass()
		d.Set(passed, NewRecord(Win, 0, 0, NoBound), Whole) // no moves lead there
		part, again := New(), New()
		if n, err := d.CopyBelow(base, part); err != nil || n != part.Len() {
			t.Fatalf("%d copied, %v", n, err)
		}
		var lib bytes.Buffer
		n, err := d.ExportLib(&lib, base)
		if err != nil {
			t.Fatal(err)
		}
		if read, err := again.ImportLib(lib.Bytes(), board.Freestyle); err != nil || read != n {
			t.Fatalf("%d of %d moves are read, %v", read, n, err)
		}
		name := func(b *board.Board) Key { key, _ := KeyOf(b); return key }
		for _, b := range follow {
			if _, ok := part.Get(b); !ok {
				t.Errorf("a part from %v misses %v", name(base), name(b))
			}
			if _, ok := again.Get(b); !ok && b.Ply() > 0 {
				t.Errorf("a library from %v misses %v", name(base), name(b))
			}
		}
		if _, ok := part.Get(passed); ok {
			t.Errorf("a pass is a move from %v", name(base))
		}
	}
}

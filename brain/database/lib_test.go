package database

import (
	"bytes"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/record"
)

func TestLibraryGoesInAndOut(t *testing.T) {
	d := New()
	d.Set(boardtest.After(t, 4, 15, "h8"), NewRecord(None, -50, 12, Exact).WithComment("root\nof all"), Whole)
	d.Set(boardtest.After(t, 4, 15, "h8i9"), NewRecord(Win, -MaxValue+4, 0, Exact), Whole)
	d.Set(boardtest.After(t, 4, 15, "h8h9"), NewRecord(None, 0, 0, NoBound), Whole)
	d.SetCellText(boardtest.After(t, 4, 15, "h8"), board.At(7, 8), "A")
	var lib bytes.Buffer
	n, err := d.ExportLib(&lib, boardtest.After(t, 4, 15, ""))
	if err != nil || n != 3 {
		t.Fatalf("%d moves, %v; want 3", n, err)
	}
	again := New()
	if n, err := again.ImportLib(lib.Bytes(), board.Renju); n != 3 || err != nil {
		t.Fatalf("%d positions, %v", n, err)
	}
	for _, line := range []string{"h8", "h8i9", "h8h9"} {
		b := boardtest.After(t, 4, 15, line)
		r, _ := d.Get(b)
		got, _ := again.Get(b)
		r.depth = NewRecord(r.Label, 0, 0, r.Bound()).depth
		if got != r {
			t.Errorf("%s: %+v, want %+v", line, got, r)
		}
	}
	if _, err := again.ImportLib(lib.Bytes()[:30], 4); err == nil || again.Len() != 3 {
		t.Errorf("half a library: %v, %d records", err, again.Len())
	}
}

// Of a library the positions without a key are left out, and branches that begin on a taken cell.
func TestLibraryWithPasses(t *testing.T) {
	tree := record.NewTree(15, 15)
	add := func(n *record.Node, c board.Color, m board.Move) *record.Node {
		child := record.NewNode()
		child.Color, child.Move = c, m
		n.Children = append(n.Children, child)
		return child
	}
	h8, i9, j10, k11 := board.At(7, 7), board.At(8, 8), board.At(9, 9), board.At(10, 10)
	first := add(tree.Root, board.Black, h8)
	two := add(add(first, board.White, board.None), board.Black, i9) // two black stones: no key
	add(two, board.White, j10)
	add(add(first, board.White, h8), board.Black, k11) // the cell is taken
	add(first, board.White, k11)
	var lib bytes.Buffer
	if err := record.WriteLib(&lib, tree); err != nil {
		t.Fatal(err)
	}
	d := New()
	n, err := d.ImportLib(lib.Bytes(), board.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	passed := boardtest.After(t, 0, 15, "h8")
	passed.Pass()
	passed.Play(i9)
	passed.Play(j10)
	for name, b := range map[string]*board.Board{"h8": boardtest.After(t, 0, 15, "h8"), "after a pass": passed, "h8k11": boardtest.After(t, 0, 15, "h8k11")} {
		if _, ok := d.Get(b); !ok {
			t.Errorf("%s is not there", name)
		}
	}
	if n != 3 || d.Len() != 3 {
		t.Errorf("%d positions, %d records, want 3", n, d.Len())
	}
}

// The comment on a pass is that of the position after it, if that has a key.
func TestLibraryWithACommentOnAPass(t *testing.T) {
	tree := record.NewTree(15, 15)
	at := tree.Root
	for i, m := range []board.Move{board.At(7, 7), board.None, board.None, board.At(8, 8)} {
		next := record.NewNode()
		next.Color, next.Move = board.Color(i&1), m
		next.Comment = []string{"", "white passes", "black passes too", ""}[i]
		at.Children = []*record.Node{next}
		at = next
	}
	var lib bytes.Buffer
	if err := record.WriteLib(&lib, tree); err != nil {
		t.Fatal(err)
	}
	d := New()
	if n, err := d.ImportLib(lib.Bytes(), board.Freestyle); n != 2 || err != nil {
		t.Fatalf("%d positions, %v", n, err)
	}
	b := boardtest.After(t, 0, 15, "h8")
	if r, _ := d.Get(b); r.Comment() != "black passes too" {
		t.Errorf("after two passes: %q", r.Comment())
	}
	b.Pass()
	if r, _ := d.Get(b); r.Comment() != "white passes" {
		t.Errorf("after one pass: %q", r.Comment())
	}
}

// A node that is no move leads nowhere, whatever follows it in a damaged library.
func TestLibraryWithMovesAfterNone(t *testing.T) {
	raw := append([]byte("\xffRenLib\xff\x03\x04"), bytes.Repeat([]byte{0xff}, 10)...)
	raw = append(raw,
		0, 0, // the root
		0, 0x02|0x80, // no move, with a sibling
		0x78, 0x40|0x80, // h8 after it, a leaf with a sibling
		0x89, 0x40, // i9
		0x9a, 0x40) // j10, the sibling of no move
	d := New()
	if n, err := d.ImportLib(raw, board.Freestyle); n != 1 || err != nil {
		t.Errorf("%d positions, %v; want one", n, err)
	}
	if _, ok := d.Get(boardtest.After(t, 0, 15, "j10")); !ok || d.Len() != 1 {
		t.Errorf("%d records, want that of the sibling", d.Len())
	}
}

// A value of a library is that of a position with a comment alone, but of no other that is known.
func TestValuesOfLibraries(t *testing.T) {
	tree := record.NewTree(15, 15)
	h8 := record.NewNode()
	h8.Color, h8.Move = board.Black, board.At(7, 7)
	tree.Root.Children = []*record.Node{h8}
	tree.Root.Marks = []record.Mark{{At: h8.Move, Text: "v55"}}
	var lib bytes.Buffer
	if err := record.WriteLib(&lib, tree); err != nil {
		t.Fatal(err)
	}
	b := boardtest.After(t, 0, 15, "h8")
	for _, tt := range []struct{ old, want Record }{
		{Record{Label: None}.WithComment("c"), NewRecord(None, -55, 0, Exact).WithComment("c")},
		{NewRecord(None, 7, 0, Upper), NewRecord(None, 7, 0, Upper)},
		{NewRecord(Block, 0, 0, NoBound), NewRecord(Block, 0, 0, NoBound)},
	} {
		d := New()
		d.Set(b, tt.old, Whole)
		if n, err := d.ImportLib(lib.Bytes(), board.Freestyle); n != 1 || err != nil {
			t.Fatalf("%d positions, %v", n, err)
		}
		if r, _ := d.Get(b); r != tt.want {
			t.Errorf("over %+v: %+v, want %+v", tt.old, r, tt.want)
		}
	}
	if n, err := New().ImportLib(lib.Bytes(), board.Caro); err != ErrPosition {
		t.Errorf("caro: %d positions, %v", n, err)
	}
}

// Comments of a position that a library has in several places are put together.
func TestCommentsAreAdded(t *testing.T) {
	d := New()
	b := boardtest.After(t, 0, 15, "h8")
	for _, s := range []string{"", "15 moves", "more\r\n", "5", "15 moves\nmore", "more"} {
		if err := d.addComment(b, s); err != nil {
			t.Fatal(err)
		}
		if s == "" && d.Len() != 0 {
			t.Error("no comment made a record")
		}
	}
	if r, _ := d.Get(b); r.Comment() != "15 moves\nmore\n5" {
		t.Errorf("%q", r.Comment())
	}
}

func TestTextsOfLibraries(t *testing.T) {
	for _, tt := range []struct {
		text  string
		want  Record
		known bool
	}{
		{"W", NewRecord(Win, 0, 0, NoBound), true},
		{"L*", NewRecord(Loss, 0, 0, NoBound), true},
		{"W23", NewRecord(Win, -MaxValue+13, 0, Exact), true},
		{"L11", NewRecord(Loss, MaxValue-1, 0, Exact), true},
		{"W10", NewRecord(Win, 0, 0, NoBound), true}, // not after the move
		{"v55", NewRecord(None, -55, 0, Exact), true},
		{"m55", NewRecord(None, 55, 0, Exact), true},
		{"50%", NewRecord(None, -4, 0, Exact), true},
		{"0%", NewRecord(None, 1058, 0, Exact), true},
		{"White", Record{Label: None}, false},
		{"W+", Record{Label: None}, false},
		{"A", Record{Label: None}, false},
		{"%", Record{Label: None}, false},
		{"", Record{Label: None}, false},
	} {
		got, known := ofLibText(tt.text, 10)
		if got != tt.want || known != tt.known {
			t.Errorf("%q: %+v, %v; want %+v, %v", tt.text, got, known, tt.want, tt.known)
		}
	}
}

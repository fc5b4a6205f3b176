package database

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
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

// addComment puts a comment behind that of a position, as a library does.
func addComment(d *Database, b *board.Board, comment string) {
	r, _ := d.Get(b)
	if next := r.withMore(comment); next != r {
		d.SetComment(b, next.Comment())
	}
}

// slowImport is ImportLib into an empty database, on a board and by its methods.
func slowImport(raw []byte, rule board.Rule) (*Database, int, error) {
	found := New()
	lib, err := record.NewLibReader(raw)
	if err != nil {
		return nil, 0, err
	}
	b, err := board.New(rule, record.LibSize, record.LibSize)
	if err != nil {
		return nil, 0, err
	}
	n, ignore := 0, 0
	for {
		node, err := lib.Next()
		if err != nil {
			return found, n, nil
		}
		for b.Ply() > max(node.Depth-1, 0) {
			b.Undo()
		}
		if ignore > 0 && node.Depth > ignore {
			continue
		}
		ignore = 0
		text := strings.TrimSpace(node.Text)
		r, result := ofLibText(text, node.Depth)
		switch {
		case node.Depth == 0:
			addComment(found, b, node.Comment)
			continue
		case node.NoMove && node.Move == board.None, node.Move != board.None && b.Cell(node.Move) != board.Empty:
			ignore = node.Depth
			continue
		case node.Move == board.None:
			b.Pass()
			addComment(found, b, node.Comment)
			continue
		case text != "" && !result:
			found.SetCellText(b, node.Move, text)
		}
		if node.NoMove && !result {
			ignore = node.Depth
			continue
		}
		b.Play(node.Move)
		var parts Part
		if result {
			parts = PartLabel | PartValue | PartDepth
		}
		if found.Set(b, r, parts) == nil {
			n++
			addComment(found, b, node.Comment)
		}
	}
}

// anyLib returns a library of about that many nodes, with everything that the format has.
func anyLib(r *rand.Rand, nodes int) []byte {
	raw := append([]byte("\xffRenLib\xff\x03\x04"), bytes.Repeat([]byte{0xff}, 10)...)
	raw = append(raw, 0, 0)
	text := func(s string) {
		raw = append(append(raw, s...), 0)
		if len(s)%2 == 0 {
			raw = append(raw, 0)
		}
	}
	var children func(depth int)
	children = func(depth int) {
		n := 1 + r.IntN(3)
		for i := range n {
			nodes--
			pos := byte(r.IntN(7)+4)<<4 | byte(r.IntN(7)+5)
			if r.IntN(25) == 0 {
				pos = 0
			}
			var flags byte
			if i < n-1 {
				flags |= 0x80
			}
			leaf := depth > 12 || nodes < 0 || r.IntN(4) == 0
			if leaf {
				flags |= 0x40
			}
			comment, label := r.IntN(6) == 0, r.IntN(5) == 0
			if r.IntN(20) == 0 {
				flags |= 0x02
			}
			if comment {
				flags |= 0x08
			}
			if label {
				flags |= 0x01
			}
			if raw = append(raw, pos, flags); label {
				raw = append(raw, 0, 1)
			}
			if comment {
				text([]string{"good", "bad move", "see h8", " "}[r.IntN(4)])
			}
			if label {
				text([]string{"A", "W", "L11", "v55", "61%", "b c"}[r.IntN(6)])
			}
			if !leaf {
				children(depth + 1)
			}
		}
	}
	children(1)
	return raw
}

// What is kept in eight turns along a line is what a board has.
func TestLibrariesAsOnABoard(t *testing.T) {
	all := 0
	for seed := range uint64(40) {
		raw := anyLib(rand.New(rand.NewPCG(seed, 3)), 2000)
		for _, rule := range []board.Rule{board.Freestyle, board.Renju} {
			want, n, err := slowImport(raw, rule)
			if err != nil {
				t.Fatal(err)
			}
			all += n
			d := New()
			if got, err := d.ImportLib(raw, rule); got != n || err != nil || !maps.Equal(d.records, want.records) {
				for key, r := range want.records {
					if d.records[key] != r {
						t.Errorf("seed %d, %v: %+v, want %+v", seed, key, d.records[key], r)
						break
					}
				}
				t.Errorf("seed %d: %d positions, %d records, %v; want %d, %d", seed, got, d.Len(), err, n, want.Len())
			}
		}
	}
	if all < 5_000 {
		t.Errorf("only %d positions", all)
	}
}

// Comments of a position that a library has in several places are put together.
func TestCommentsAreAdded(t *testing.T) {
	d := New()
	b := boardtest.After(t, 0, 15, "h8")
	for _, s := range []string{"", "15 moves", "more\r\n", "5", "15 moves\nmore", "more"} {
		addComment(d, b, s)
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

// A Builder makes the file that a database makes of the same libraries, also from many small runs, and
// leaves no other file behind.
func TestBuilder(t *testing.T) {
	dir := t.TempDir()
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 4))
		d := New()
		name := filepath.Join(dir, fmt.Sprint(seed))
		b := NewBuilder(name)
		b.most = []int{1 << 30, 20_000, 3_000}[seed%3]
		for range 3 {
			raw := anyLib(r, 2000)
			want, err := d.ImportLib(raw, board.Renju)
			if err != nil {
				t.Fatal(err)
			}
			lib := filepath.Join(t.TempDir(), "x.lib")
			if err := os.WriteFile(lib, raw, 0o666); err != nil {
				t.Fatal(err)
			}
			if n, err := b.AddLib(t.Context(), &Input{Name: lib}, board.Renju); n != want || err != nil {
				t.Fatalf("%d moves, %v; want %d", n, err, want)
			}
		}
		n, err := b.Save()
		b.Close()
		if n != d.Len() || err != nil {
			t.Fatalf("%d positions, %v; want %d", n, err, d.Len())
		}
		var want bytes.Buffer
		if err := d.Write(&want); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); !bytes.Equal(got, want.Bytes()) {
			t.Errorf("seed %d: another file of %d bytes, want %d: %v", seed, len(got), want.Len(), err)
		}
	}
	if left, err := os.ReadDir(dir); len(left) != 6 || err != nil {
		t.Errorf("%d files, %v; want 6", len(left), err)
	}
}

// A Builder takes any number of games, and counts how they ended after their moves.
func TestResults(t *testing.T) {
	b := NewBuilder(filepath.Join(t.TempDir(), "x.db"))
	b.most = 5_000
	defer b.Close()
	d, results := New(), NewResults()
	for i := range 300 {
		g := record.Game{Rule: board.Renju, Width: 15, Height: 15, Outcome: []record.Outcome{record.BlackWon, record.WhiteWon, record.Drawn, record.BlackWon}[i%4]}
		g.Moves, _ = board.ParseMoves([]string{"h8i9h9", "h8i7g10", "h8g9"}[i%3], 15, 15) // the second moves are one
		if !results.Add(&g, 2) {
			t.Fatal("not counted")
		}
		tree := record.NewTree(15, 15)
		at := tree.Root
		for i, m := range g.Moves {
			n := record.NewNode()
			n.Color, n.Move = board.Color(i&1), m
			at.Children = []*record.Node{n}
			at = n
		}
		var lib bytes.Buffer
		if err := record.WriteLib(&lib, tree); err != nil {
			t.Fatal(err)
		}
		if _, err := b.AddRaw(lib.Bytes(), board.Renju); err != nil {
			t.Fatal(err)
		}
		if _, err := d.ImportLib(lib.Bytes(), board.Renju); err != nil {
			t.Fatal(err)
		}
	}
	if results.Add(&record.Game{Width: 15, Height: 15}, 2) || results.Add(&record.Game{Width: 19, Height: 19, Outcome: record.Drawn}, 2) {
		t.Error("a game without a result, or on another board, is counted")
	}
	if err := b.AddResults(results); err != nil {
		t.Fatal(err)
	}
	n, err := b.Save()
	if err != nil || n != d.Len()+1 { // and the empty board
		t.Fatalf("%d positions, %v; want %d", n, err, d.Len()+1)
	}
	got, err := Load(b.name)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{"": "+150=75-75", "h8": "+75=75-150", "h8i9": ""} {
		text := ""
		for _, c := range got.Children(boardtest.After(t, board.Renju, 15, line)) {
			text = max(text, c.Text) // the same on all cells that are one
		}
		if text != want {
			t.Errorf("after %q: the texts %q, want %q", line, text, want)
		}
	}
}

// A watching context calls f at every look at it.
type watching struct {
	context.Context
	f func()
}

func (w watching) Err() error { w.f(); return w.Context.Err() }

// TestProgressOfALibraryOnlyGrows: it is read twice.
func TestProgressOfALibraryOnlyGrows(t *testing.T) {
	raw := append([]byte("\xffRenLib\xff\x03\x00"), bytes.Repeat([]byte{0xff}, 10)...)
	raw = append(raw, 0x78, 0)
	for len(raw) < 160<<10 { // lines of one move, the last one without another beside it
		raw = append(raw, byte(0x11+len(raw)/2%15), 0xc0)
	}
	raw = append(raw, 0x79, 0x40)
	name := filepath.Join(t.TempDir(), "x.lib")
	if err := os.WriteFile(name, raw, 0o666); err != nil {
		t.Fatal(err)
	}
	for what, add := range map[string]func(context.Context, *Input) (int, error){
		"database": func(ctx context.Context, in *Input) (int, error) { return New().AddLib(ctx, in, board.Freestyle) },
		"builder": func(ctx context.Context, in *Input) (int, error) {
			b := NewBuilder(filepath.Join(t.TempDir(), "x.db"))
			defer b.Close()
			return b.AddLib(ctx, in, board.Freestyle)
		},
	} {
		in, last, looks := &Input{Name: name}, int64(0), 0
		if _, err := add(watching{t.Context(), func() {
			read, _ := in.Progress()
			if looks++; read < last {
				t.Errorf("%s: %d bytes, then %d", what, last, read)
			}
			last = read
		}}, in); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if read, size := in.Progress(); looks < 5 || read < size*9/10 || read > size {
			t.Errorf("%s: %d looks, %d of %d bytes", what, looks, read, size)
		}
	}
}

package database

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/lz4"
	"tengen/brain/record"
)

// at returns a board after the moves in pos notation.
func at(t testing.TB, rule board.Rule, size int, moves string) *board.Board {
	t.Helper()
	b, err := board.New(rule, size, size)
	if err != nil {
		t.Fatal(err)
	}
	list, err := board.ParseMoves(moves, size, size)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		b.Play(m)
	}
	return b
}

func bytesOf(t testing.TB, d *Database) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// random returns a position of up to 40 stones, which may be turned.
func random(r *rand.Rand, w, h int) *keyer {
	k := &keyer{rule: byte(r.IntN(3)), width: w, height: h}
	n := r.IntN(min(40, w*h))
	cells := r.Perm(w * h)
	for i := range n {
		k.stones[i&1] = append(k.stones[i&1], point(cells[i]%w<<8|cells[i]/w))
	}
	k.side = board.Color((n + r.IntN(8)/7) & 1) // now and then after a pass
	return k
}

func TestKeyIsTheSameForAllTurns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		w, h := 5+r.IntN(18), 5+r.IntN(18)
		if r.IntN(3) > 0 {
			h = w
		}
		k := random(r, w, h)
		key := Key(k.key())
		if err := key.check(); err != nil {
			t.Fatalf("%v: %v", key, err)
		}
		p := point(r.IntN(w)<<8 | r.IntN(h))
		cell := k.canonical(p)
		for turned := range turn(turns) {
			if turned&4 != 0 && w != h {
				break
			}
			other := keyer{rule: k.rule, width: w, height: h, side: k.side}
			for c := range k.stones {
				for _, p := range k.stones[c] {
					q := turned.of(p, w, h)
					other.stones[c] = append(other.stones[c], q)
					if turned.back(q, w, h) != p {
						t.Fatalf("turn %d and back: %x, want %x", turned, turned.back(q, w, h), p)
					}
				}
			}
			if got := Key(other.key()); got != key {
				t.Fatalf("turn %d gives %v, want %v", turned, got, key)
			}
			if got := other.canonical(turned.of(p, w, h)); got != cell {
				t.Fatalf("turn %d puts %x on %x, want %x", turned, p, got, cell)
			}
		}
		if back, err := ParseKey(key.String()); err != nil || back != key {
			t.Fatalf("%v read back as %v, %v", key, back, err)
		}
		b, err := key.Board()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := KeyOf(b); err != nil || again != key {
			t.Fatalf("the board of %v has the key %v, %v", key, again, err)
		}
	}
}

func TestPositionsWithoutAKey(t *testing.T) {
	for name, b := range map[string]*board.Board{
		"caro":       at(t, board.Caro, 15, "h8"),
		"continuous": at(t, board.Continuous, 15, "h8"),
	} {
		if _, err := KeyOf(b); err != ErrPosition {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := at(t, 0, 15, "h8")
	b.Pass()
	if _, err := KeyOf(b); err != nil {
		t.Errorf("a pass: %v", err)
	}
	b.Play(board.At(0, 0))
	if _, err := KeyOf(b); err != ErrPosition {
		t.Errorf("two black stones: %v", err)
	}
	for _, s := range []string{"f-15-15-h8h9h10h11--b", "f-15-15-h8-h9i9-w"} {
		if key, err := ParseKey(s); err == nil {
			t.Errorf("%s is read as %v", s, key)
		}
	}
	if New().Set(b, Record{}, Whole) == nil {
		t.Error("it was kept")
	}
}

// The example of the description of the format, byte by byte.
func TestFileIsThatOfYixinAndRapfi(t *testing.T) {
	d := New()
	d.Set(at(t, 0, 15, "h8"), NewRecord(Win, 100, 12, Exact), Whole)
	want := "\x02\x00\x00\x00" +
		"\x03\x00\x00\x00\x00\x14\x00\x00\x00\x00\x00\x00charset=\"UTF-8\"" +
		"\x05\x00\x00\x0f\x0f\x07\x07\x05\x00\x77\x64\x00\x33\x00"
	var plain bytes.Buffer
	if _, err := plain.ReadFrom(lz4.NewReader(bytes.NewReader(bytesOf(t, d)))); err != nil || plain.String() != want {
		t.Fatalf("%q, %v\nwant %q", plain.String(), err, want)
	}
	for _, raw := range [][]byte{bytesOf(t, d), []byte(want)} {
		if !IsDatabase(raw) {
			t.Error("not recognised")
		}
		again, err := Read(bytes.NewReader(raw))
		if err != nil || !reflect.DeepEqual(again.records, d.records) {
			t.Errorf("%v, %v", again, err)
		}
	}
	// Without the first record, texts of old files are Latin-1.
	old := "\x01\x00\x00\x00\x03\x00\x02\x0f\x0f\x07\x00\xff\x00\x00\x00\x00a\xe9"
	again, err := Read(strings.NewReader(old))
	if err != nil {
		t.Fatal(err)
	}
	if r, ok := again.Get(at(t, board.Renju, 15, "")); !ok || r.Comment() != "aé" {
		t.Errorf("%+v, %v", r, ok)
	}
}

// The files in testdata are a database that Rapfi 0.43 has saved after edits of 36 positions,
// and its export as text.
func TestDatabaseOfRapfi(t *testing.T) {
	d, err := Load("testdata/rapfi.db")
	if err != nil {
		t.Fatal(err)
	}
	var ours bytes.Buffer
	if _, err := d.WriteText(&ours, nil); err != nil {
		t.Fatal(err)
	}
	theirs, err := os.ReadFile("testdata/rapfi.csv")
	if err != nil {
		t.Fatal(err)
	}
	lines := func(text string) []string { // without the index, sorted
		var all []string
		for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
			_, line, _ = strings.Cut(line, ",")
			all = append(all, line)
		}
		slices.Sort(all)
		return all
	}
	if got, want := lines(ours.String()), lines(string(theirs)); !reflect.DeepEqual(got, want) || len(got) < 37 {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for key := range d.records {
		b, err := key.Board()
		if err != nil {
			t.Fatal(err)
		}
		if own, err := KeyOf(b); own != key || err != nil {
			t.Errorf("the key of %v is %v, %v", key, own, err)
		}
	}
}

func TestRecordsComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	d := New()
	for range 3000 {
		k := random(r, 15, 15)
		x := NewRecord([]Label{Null, None, Win, Loss, Draw, Force, Block, 'a'}[r.IntN(8)], r.IntN(60001)-30000, r.IntN(200), Bound(r.IntN(4)))
		if r.IntN(3) == 0 {
			x = x.WithComment("two\nlines é")
		}
		if r.IntN(5) == 0 {
			x = x.withCell(point(r.IntN(15)<<8|r.IntN(15)), "é1")
		}
		if x.Label == Null {
			x = Record{}
		}
		d.records[Key(k.key())] = x
	}
	again, err := Read(bytes.NewReader(bytesOf(t, d)))
	if err != nil || !reflect.DeepEqual(again.records, d.records) {
		t.Fatalf("the file: %v", err)
	}
	var text bytes.Buffer
	if n, err := d.WriteText(&text, nil); err != nil || n != d.Len() {
		t.Fatalf("%d lines, %v", n, err)
	}
	again = New()
	if n, err := again.ReadText(&text); err != nil || n != d.Len() || !reflect.DeepEqual(again.records, d.records) {
		t.Fatalf("the text: %d, %v", n, err)
	}
}

func TestLabelsInTexts(t *testing.T) {
	key, err := KeyOf(at(t, 0, 15, "h8"))
	if err != nil {
		t.Fatal(err)
	}
	for label, want := range map[Label]string{
		Null: "(null)", None: "(none)", Win: "w", 'W': "W", ',': ",", '"': `"`, '(': "(", ' ': "(32)", 7: "(7)", -5: "(-5)", 127: "(127)", -128: "(-128)",
	} {
		d := New()
		d.records[key] = Record{Label: label}
		var text bytes.Buffer
		if _, err := d.WriteText(&text, nil); err != nil || text.String() != textHead+"\n0,f-15-15-h8--w,"+want+",0,0,none,\"\"\n" {
			t.Errorf("%d: %q, %v", label, text.String(), err)
		}
		again := New()
		if _, err := again.ReadText(&text); err != nil || again.records[key] != d.records[key] {
			t.Errorf("%d: %+v is read, %v", label, again.records[key], err)
		}
	}
}

func TestTextsOfARecord(t *testing.T) {
	r := Record{Label: None}
	a, b := point(3<<8|4), point(16<<8|0)
	r = r.withCell(a, "x y").WithComment(" hello\r\nyou ").withCell(b, "q")
	if r.text != "@BTXT@34xy\nG0q\bhello\nyou" {
		t.Errorf("text %q", r.text)
	}
	if r.Comment() != "hello\nyou" || !reflect.DeepEqual(r.cells(), []cellText{{a, "xy"}, {b, "q"}}) {
		t.Errorf("%q, %v", r.Comment(), r.cells())
	}
	last := point((board.MaxSize-1)<<8 | board.MaxSize - 1)
	if cells := (Record{text: "@BTXT@LLx\nMMy\nV0z\n?0q"}).cells(); !reflect.DeepEqual(cells, []cellText{{last, "x"}}) {
		t.Errorf("cells %v, want one on %x", cells, last)
	}
	if r = r.withCell(a, "").withCell(b, ""); r.text != "hello\nyou" {
		t.Errorf("text %q", r.text)
	}
	if r = (Record{}).WithComment(strings.Repeat("é", 50000)); len(r.text) > maxText || strings.ContainsRune(r.Comment(), '\ufffd') || r.Label != None {
		t.Errorf("%d bytes", len(r.text))
	}
}

// Of two texts the first counts, what it has not comes from the other.
func TestTextsOfTwoRecords(t *testing.T) {
	a := Record{Label: None}.withCell(1, "a").withCell(2, "b")
	b := Record{Label: None}.withCell(2, "c").withCell(3, "d").WithComment("other")
	want := []cellText{{1, "a"}, {2, "b"}, {3, "d"}}
	if r := (Record{Label: Win}).withText(a, b); r.Label != Win || r.Comment() != "other" || !reflect.DeepEqual(r.cells(), want) {
		t.Errorf("%v, %q, %v", r.Label, r.Comment(), r.cells())
	}
	if r := a.withText(a.WithComment("own"), b); r.Comment() != "own" {
		t.Errorf("%q", r.Comment())
	}
}

func TestDisplay(t *testing.T) {
	for want, r := range map[string]Record{
		"w5":  NewRecord(Win, -MaxValue+4, 0, Exact),
		"l3":  NewRecord(Loss, MaxValue-2, 0, Exact),
		"w*":  NewRecord(Win, 0, 0, NoBound),
		"x":   NewRecord(Block, 0, 0, NoBound),
		"50%": NewRecord(None, 0, 3, Exact),
		"26%": NewRecord(None, 200, 3, Exact),
		"99%": NewRecord(None, -MaxValue+4, 0, Exact),
		"0%":  NewRecord(None, MaxValue-4, 0, Exact),
		"":    NewRecord(None, 200, 3, Lower),
	} {
		if got := r.Display(); got != want {
			t.Errorf("%+v: %q, want %q", r, got, want)
		}
	}
}

func TestChildrenAndTexts(t *testing.T) {
	d := New()
	d.Set(at(t, 0, 15, "h8i9"), NewRecord(Win, -100, 5, Exact), Whole)
	d.SetCellText(at(t, 0, 15, "h8"), board.At(6, 6), "A") // g7, the mirror of i9
	b := at(t, 0, 15, "h8")
	var got []string
	for _, c := range d.Children(b) {
		got = append(got, fmt.Sprintf("%v %v %v %s", c.Move, c.Record.Label, c.Known, c.Text))
	}
	want := []string{"g7 119 true A", "i7 119 true A", "g9 119 true A", "i9 119 true A"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("children %q, want %q", got, want)
	}
	if b.Ply() != 1 {
		t.Errorf("the board has %d moves", b.Ply())
	}
	// Text on a cell whose position is new gives that a record.
	d.SetCellText(b, board.At(0, 0), "B")
	if r, ok := d.Get(at(t, 0, 15, "h8o15")); !ok || r.Label != None {
		t.Errorf("%+v, %v", r, ok)
	}
	// A deleted position takes the texts on its cell with it.
	d.Delete(at(t, 0, 15, "h8g9"))
	for _, c := range d.Children(b) {
		if c.Text != "B" {
			t.Errorf("%+v is left", c)
		}
	}
}

// A move that renju forbids is no child, though the position after it is known; one on a taken
// cell has no text.
func TestForbiddenMovesAreNoChildren(t *testing.T) {
	d := New()
	b := at(t, board.Renju, 15, "j10a15g7c15g8e15e8o15") // two threes on h8
	h8 := board.At(7, 7)
	d.Set(at(t, board.Renju, 15, "j10a15g7c15g8e15e8o15h8"), NewRecord(Win, 0, 0, NoBound), Whole)
	if children := d.Children(b); len(children) != 0 || d.Len() != 1 {
		t.Errorf("children %v in renju, want none", children)
	}
	open := at(t, board.Freestyle, 15, "j10a15g7c15g8e15e8o15")
	d.Set(at(t, board.Freestyle, 15, "j10a15g7c15g8e15e8o15h8"), NewRecord(Win, 0, 0, NoBound), Whole)
	if children := d.Children(open); len(children) != 1 || children[0].Move != h8 {
		t.Errorf("children %v in freestyle, want h8", children)
	}
	n := d.Len()
	if err := d.SetCellText(open, board.At(9, 9), "x"); err != nil || d.Len() != n {
		t.Errorf("a text on a stone: %v, %d new records", err, d.Len()-n)
	}
}

// Decided gives the hashes that the boards have when the moves are played.
func TestDecided(t *testing.T) {
	d := New()
	line := at(t, 0, 15, "h8i9j10k11")
	d.Set(line, NewRecord(Win, 0, 0, NoBound), Whole)
	d.Set(at(t, 0, 15, "h8i9j10k11a1"), NewRecord(None, 0, 5, Exact), Whole)
	d.Set(at(t, 4, 15, "h8i9j10k11"), NewRecord(Win, 0, 0, NoBound), Whole)
	d.Set(at(t, 0, 15, "a1i9j10k11"), NewRecord(Win, 0, 0, NoBound), Whole)
	got := map[uint64]bool{}
	for _, k := range d.Decided(at(t, 0, 15, "h8"), 100) {
		got[k.Hash] = true
	}
	want := map[uint64]bool{}
	for _, moves := range []string{"h8i9j10k11", "h8g9f10e11", "h8i7j6k5", "h8g7f6e5"} {
		want[at(t, 0, 15, moves).Hash()] = true
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d hashes, want those of the 4 turns", len(got))
	}
	passed := at(t, 0, 15, "g7i9")
	passed.Pass()
	d.Set(passed, NewRecord(Win, 0, 0, NoBound), Whole)
	if known := d.Decided(at(t, 0, 15, "g7"), 100); len(known) != 1 || known[0].Hash != passed.Hash() {
		t.Errorf("%d positions after g7, want that after a pass", len(known))
	}
	if n := len(d.Decided(at(t, 0, 15, "h8i9"), 100)); n != 1 {
		t.Errorf("%d positions after h8i9, want 1", n)
	}
	wide, err := board.New(board.Freestyle, 12, 9)
	if err != nil {
		t.Fatal(err)
	}
	wide.Play(board.At(3, 4)) // in the middle row
	base := wide.Clone()
	wide.Play(board.At(5, 1))
	d.Set(wide, NewRecord(Win, 0, 0, NoBound), Whole)
	wide.Undo()
	wide.Play(board.At(5, 7))
	if known := d.Decided(base, 100); len(known) != 2 || known[0].Hash != wide.Hash() && known[1].Hash != wide.Hash() {
		t.Errorf("%d positions on 12x9, want 2 that mirror each other", len(known))
	}
	if n := len(d.Decided(at(t, 0, 15, "h8i10"), 100)); n != 0 {
		t.Errorf("%d positions after h8i10, want 0", n)
	}
}

func TestSetChangesParts(t *testing.T) {
	d := New()
	b := at(t, 0, 15, "h8")
	d.Set(b, NewRecord(Win, 7, 3, Exact), PartLabel)
	if r, _ := d.Get(b); r.Value != 7 {
		t.Errorf("a new record %+v", r)
	}
	d.Set(b, NewRecord(Loss, 9, 4, Lower), PartLabel)
	d.SetComment(b, "c")
	was := NewRecord(Loss, 7, 3, Exact).WithComment("c")
	if r, _ := d.Get(b); r != was {
		t.Errorf("%+v, want %+v", r, was)
	}
	key, err := KeyOf(b)
	if err != nil {
		t.Fatal(err)
	}
	other := NewRecord(Draw, 11, 5, Upper).WithComment("d")
	for part, want := range map[Part]Record{
		PartLabel: NewRecord(Draw, 7, 3, Exact).WithComment("c"), PartValue: NewRecord(Loss, 11, 3, Exact).WithComment("c"),
		PartDepth: NewRecord(Loss, 7, 5, Upper).WithComment("c"), PartText: NewRecord(Loss, 7, 3, Exact).WithComment("d"),
		Whole: other, 0: was,
	} {
		d.records[key] = was
		d.Set(b, other, part)
		if r, _ := d.Get(b); r != want {
			t.Errorf("part %d: %+v, want %+v", part, r, want)
		}
	}
}

// A comment that is set meanwhile does not take back a text on a cell.
func TestTextsAreSetAtATime(t *testing.T) {
	d := New()
	b, other := at(t, 0, 15, "h8"), at(t, 0, 15, "h8")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 2000 {
			d.SetComment(other, "c")
		}
	}()
	for i := range 2000 {
		text := fmt.Sprint(i)
		d.SetCellText(b, board.At(0, 0), text)
		if r, _ := d.Get(b); len(r.cells()) != 1 || r.cells()[0].text != text {
			t.Fatalf("texts %v, want %s", r.cells(), text)
		}
	}
	<-done
}

// What a person enters comes back from a file, and from a merge with a copy, whatever parts
// are entered.
func TestEnteredValuesAreKept(t *testing.T) {
	b := at(t, 0, 15, "h8")
	for parts := PartLabel; parts <= PartLabel|PartValue|PartDepth; parts++ {
		for _, first := range []Record{{}, NewRecord(None, 7, 2, Upper), NewRecord(Force, 0, 0, NoBound), NewRecord(Loss, 0, 0, NoBound)} {
			for _, r := range []Record{NewRecord(Null, 50, 3, Exact), NewRecord(Null, 50, 0, NoBound), NewRecord(Null, 0, 3, NoBound), NewRecord(Null, 0, 0, Exact), NewRecord(Win, 50, 3, Exact)} {
				d := New()
				if first != (Record{}) {
					d.Set(b, first, Whole)
				}
				d.Set(b, r, parts)
				want, _ := d.Get(b)
				if first == (Record{}) && (want.Value != r.Value || want.depth != r.depth) ||
					parts&PartValue != 0 && want.Value != r.Value || parts&PartDepth != 0 && want.depth != r.depth {
					t.Errorf("parts %d of %+v over %+v: %+v", parts, r, first, want)
				}
				again, err := Read(bytes.NewReader(bytesOf(t, d)))
				if err != nil {
					t.Fatal(err)
				}
				if got, ok := again.Get(b); !ok || got != want {
					t.Errorf("parts %d of %+v over %+v: %+v is read, want %+v", parts, r, first, got, want)
				}
				empty := New()
				for key := range d.records {
					empty.records[key] = Record{}
				}
				for i, from := range []*Database{again, empty} {
					if n := d.Merge(from); n != 0 && i == 1 {
						t.Errorf("parts %d: %d records were merged, want none", parts, n)
					}
					if got, _ := d.Get(b); got != want {
						t.Errorf("parts %d of %+v over %+v: merge %d gives %+v, want %+v", parts, r, first, i, got, want)
					}
				}
			}
		}
	}
}

func TestFoundKeepsWhatIsBetter(t *testing.T) {
	deep := NewRecord(None, 10, 20, Exact)
	for _, tt := range []struct {
		name     string
		old, new Record
		want     bool
	}{
		{"deeper", NewRecord(None, 0, 10, Exact), deep, true},
		{"shallower", deep, NewRecord(None, 0, 10, Exact), false},
		{"a bound, a little deeper", deep, NewRecord(None, 0, 22, Lower), false},
		{"a result", deep, NewRecord(Win, 0, 0, NoBound), true},
		{"a shorter win", NewRecord(Win, -MaxValue+9, 0, Exact), NewRecord(Win, -MaxValue+5, 0, Exact), true},
		{"a longer win", NewRecord(Win, -MaxValue+5, 0, Exact), NewRecord(Win, -MaxValue+9, 0, Exact), false},
		{"no result", NewRecord(Win, 0, 0, NoBound), deep, false},
		{"a value without a label", Record{Value: 50}, Record{}, false},
		{"nothing, and a mark", NewRecord(Force, 0, 0, NoBound), Record{Label: None}, false},
		{"a bound after nothing", Record{Label: None}, NewRecord(None, 3, 0, Upper), true},
	} {
		d := New()
		b := at(t, 0, 15, "h8")
		d.Set(b, tt.old.WithComment("kept"), Whole)
		d.Found(b, tt.new)
		r, _ := d.Get(b)
		if (r.Value == tt.new.Value && r.Label == tt.new.Label && r.depth == tt.new.depth) != tt.want || r.Comment() != "kept" {
			t.Errorf("%s: %+v", tt.name, r)
		}
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
		d.Set(at(t, 0, 15, line), NewRecord(label, 0, 0, NoBound), Whole)
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
		n, err := d.DeleteBelow(at(t, 0, 15, tt.at), f)
		var left []string
		for _, line := range lines {
			line, _, _ = strings.Cut(line, " ")
			if _, ok := d.Get(at(t, 0, 15, line)); ok {
				left = append(left, line)
			}
		}
		if got := strings.Join(left, " "); got != tt.left || err != nil || n != len(lines)-len(left) {
			t.Errorf("%s %q: %d deleted, left %s, %v; want %s", tt.at, tt.filter, n, got, err, tt.left)
		}
	}
	d := tree(t, "h8")
	b := at(t, 0, 15, "h8")
	d.SetComment(b, "kept")
	d.SetCellText(b, board.At(0, 0), "x")
	if n, err := d.DeleteBelow(b, Filter{match: func(Record) bool { return true }}); n != 1 || err != nil {
		t.Errorf("%d deleted, %v; want the position of the text", n, err)
	}
	if r, _ := d.Get(b); len(r.cells()) != 0 || r.Comment() != "kept" {
		t.Errorf("texts %v, comment %q", r.cells(), r.Comment())
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
	if n, err := d.CopyBelow(at(t, 0, 15, "h8a1"), part); n != 3 || err != nil {
		t.Errorf("%d copied, %v; want h8, h8a1, h8a1d1", n, err)
	}
	if _, ok := part.Get(at(t, 0, 15, "h8c1")); ok {
		t.Error("h8c1 was copied")
	}
	b := at(t, 0, 15, "h8")
	part.Set(b, NewRecord(Win, 0, 0, NoBound).WithComment("there"), Whole)
	part.SetComment(at(t, 0, 15, "h8a1"), "a text alone")
	d.Set(b, NewRecord(None, 5, 5, Exact), PartValue)
	if n := d.Merge(part); n != 2 {
		t.Errorf("%d merged, want 2", n)
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

// No move leads to a position after a pass, or from it to another that has a key.
func TestPositionsAfterAPass(t *testing.T) {
	passed := func(moves string) *board.Board {
		b := at(t, 0, 15, moves)
		b.Pass()
		return b
	}
	d := New()
	d.SetCellText(passed("h8"), board.At(0, 0), "kept") // black's h8, and black to move on a1
	d.Delete(passed("a1h8"))
	if r, _ := d.Get(passed("h8")); len(r.cells()) != 1 {
		t.Errorf("%+v: the text is gone with a position that does not follow", r)
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
		b := at(t, 0, 15, "")
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
			turned := at(t, 0, 15, "")
			for i := range b.Ply() {
				turned.Play(board.Transform(b.Move(i), symmetry, 15, 15))
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

func TestLibraryGoesInAndOut(t *testing.T) {
	d := New()
	d.Set(at(t, 4, 15, "h8"), NewRecord(None, -50, 12, Exact).WithComment("root\nof all"), Whole)
	d.Set(at(t, 4, 15, "h8i9"), NewRecord(Win, -MaxValue+4, 0, Exact), Whole)
	d.Set(at(t, 4, 15, "h8h9"), NewRecord(None, 0, 0, NoBound), Whole)
	d.SetCellText(at(t, 4, 15, "h8"), board.At(7, 8), "A")
	var lib bytes.Buffer
	n, err := d.ExportLib(&lib, at(t, 4, 15, ""))
	if err != nil || n != 3 {
		t.Fatalf("%d moves, %v; want 3", n, err)
	}
	again := New()
	if n, err := again.ImportLib(lib.Bytes(), board.Renju); n != 3 || err != nil {
		t.Fatalf("%d positions, %v", n, err)
	}
	for _, line := range []string{"h8", "h8i9", "h8h9"} {
		b := at(t, 4, 15, line)
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
	passed := at(t, 0, 15, "h8")
	passed.Pass()
	passed.Play(i9)
	passed.Play(j10)
	for name, b := range map[string]*board.Board{"h8": at(t, 0, 15, "h8"), "after a pass": passed, "h8k11": at(t, 0, 15, "h8k11")} {
		if _, ok := d.Get(b); !ok {
			t.Errorf("%s is not there", name)
		}
	}
	if n != 3 || d.Len() != 3 {
		t.Errorf("%d positions, %d records, want 3", n, d.Len())
	}
}

// Comments of a position that a library has in several places are put together.
func TestCommentsAreAdded(t *testing.T) {
	d := New()
	b := at(t, 0, 15, "h8")
	for _, s := range []string{"", "a long text", "text", "more", "a long text\nmore"} {
		if err := d.addComment(b, s); err != nil {
			t.Fatal(err)
		}
		if s == "" && d.Len() != 0 {
			t.Error("no comment made a record")
		}
	}
	if r, _ := d.Get(b); r.Comment() != "a long text\nmore" {
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

// TestBytes compares with what the memory of the process grows by.
func TestBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	held := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for _, n := range []int{50_000, 130_000} {
		before := held()
		d := New()
		for d.Len() < n {
			d.put(Key(random(r, 15, 15).key()), NewRecord(Win, 5, 20, Exact))
		}
		used := held() - before
		if got := d.Bytes(); got < used*2/3 || got > used*3/2 {
			t.Errorf("%d records: about %d bytes, and %d are used", n, got, used)
		}
		runtime.KeepAlive(d)
	}
}

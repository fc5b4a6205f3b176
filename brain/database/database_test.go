package database

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/lz4"
)

func bytesOf(t testing.TB, d *Database) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The example of the description of the format, byte by byte.
func TestFileIsThatOfYixinAndRapfi(t *testing.T) {
	d := New()
	d.Set(boardtest.After(t, 0, 15, "h8"), NewRecord(Win, 100, 12, Exact), Whole)
	want := "\x02\x00\x00\x00" +
		"\x03\x00\x00\x00\x00\x14\x00\x00\x00\x00\x00\x00charset=\"UTF-8\"" +
		"\x05\x00\x00\x0f\x0f\x07\x07\x05\x00\x77\x64\x00\x33\x00"
	var plain bytes.Buffer
	if _, err := plain.ReadFrom(lz4.NewReader(bytes.NewReader(bytesOf(t, d)))); err != nil || plain.String() != want {
		t.Fatalf("%q, %v\nwant %q", plain.String(), err, want)
	}
	for _, raw := range [][]byte{bytesOf(t, d), []byte(want)} {
		if !IsDatabase(raw) {
			t.Error("not recognized")
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
	if r, ok := again.Get(boardtest.After(t, board.Renju, 15, "")); !ok || r.Comment() != "aé" {
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

func TestChildrenAndTexts(t *testing.T) {
	d := New()
	d.Set(boardtest.After(t, 0, 15, "h8i9"), NewRecord(Win, -100, 5, Exact), Whole)
	d.SetCellText(boardtest.After(t, 0, 15, "h8"), board.At(6, 6), "A") // g7, the mirror of i9
	b := boardtest.After(t, 0, 15, "h8")
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
	if r, ok := d.Get(boardtest.After(t, 0, 15, "h8o15")); !ok || r.Label != None {
		t.Errorf("%+v, %v", r, ok)
	}
	// A deleted position takes the texts on its cell with it.
	d.Delete(boardtest.After(t, 0, 15, "h8g9"))
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
	b := boardtest.After(t, board.Renju, 15, "j10a15g7c15g8e15e8o15") // two threes on h8
	h8 := board.At(7, 7)
	d.Set(boardtest.After(t, board.Renju, 15, "j10a15g7c15g8e15e8o15h8"), NewRecord(Win, 0, 0, NoBound), Whole)
	if children := d.Children(b); len(children) != 0 || d.Len() != 1 {
		t.Errorf("children %v in renju, want none", children)
	}
	open := boardtest.After(t, board.Freestyle, 15, "j10a15g7c15g8e15e8o15")
	d.Set(boardtest.After(t, board.Freestyle, 15, "j10a15g7c15g8e15e8o15h8"), NewRecord(Win, 0, 0, NoBound), Whole)
	if children := d.Children(open); len(children) != 1 || children[0].Move != h8 {
		t.Errorf("children %v in freestyle, want h8", children)
	}
	n := d.Len()
	if err := d.SetCellText(open, board.At(9, 9), "x"); err != nil || d.Len() != n {
		t.Errorf("a text on a stone: %v, %d new records", err, d.Len()-n)
	}
}

func TestSetChangesParts(t *testing.T) {
	d := New()
	b := boardtest.After(t, 0, 15, "h8")
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
	b, other := boardtest.After(t, 0, 15, "h8"), boardtest.After(t, 0, 15, "h8")
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
	b := boardtest.After(t, 0, 15, "h8")
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
		b := boardtest.After(t, 0, 15, "h8")
		d.Set(b, tt.old.WithComment("kept"), Whole)
		d.Found(b, tt.new)
		r, _ := d.Get(b)
		if (r.Value == tt.new.Value && r.Label == tt.new.Label && r.depth == tt.new.depth) != tt.want || r.Comment() != "kept" {
			t.Errorf("%s: %+v", tt.name, r)
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
		check := func(what string) {
			t.Helper()
			used := held() - before
			if got := d.Bytes(); got < used*2/3 || got > used*3/2 {
				t.Errorf("%d records%s: about %d bytes, and %d are used", n, what, got, used)
			}
		}
		check(", all of them changed")
		d.changed = map[Key]struct{}{}
		check("")
		runtime.KeepAlive(d)
	}
}

// TestSearched: what a search has found comes back, also where a file knows a win but not how far
// it is.
func TestSearched(t *testing.T) {
	tests := []struct {
		value, plies, depth int
		want                Record
	}{
		{150, 0, 12, NewRecord(None, 150, 12, Exact)},
		{-9000, 0, 12, NewRecord(None, -MaxEval, 12, Exact)},
		{0, 7, 3, NewRecord(Loss, MaxValue-7, 3, Exact)},
		{0, -6, 3, NewRecord(Win, 6-MaxValue, 3, Exact)},
		{0, MaxValue - MinWin, 3, NewRecord(Loss, MinWin, 3, Exact)}, // too far to be told
	}
	for _, test := range tests {
		got := Searched(test.value, test.plies, test.depth)
		if got != test.want {
			t.Errorf("%+v: %+v", test, got)
		}
		far := max(test.plies, -test.plies)
		plies, ok := got.Distance()
		if ok != (far > 0 && far < MaxValue-MinWin) || ok && plies != far {
			t.Errorf("%+v: distance %d, %v", test, plies, ok)
		}
	}
	for name, r := range map[string]Record{
		"a value that contradicts the label": NewRecord(Win, MaxValue-7, 3, Exact),
		"a value beyond a win on the spot":   {Label: Loss, Value: MaxValue + 1},
		"the least that a file can have":     {Label: Win, Value: math.MinInt16},
	} {
		if plies, ok := r.Distance(); ok {
			t.Errorf("%s tells a distance of %d", name, plies)
		}
	}
}

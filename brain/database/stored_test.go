package database

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/lz4"
)

// large saves a database of which records are looked up in the file, and returns it with the boards of
// positions that are in it.
func large(t *testing.T) (name string, boards []*board.Board) {
	t.Helper()
	d := million(60_000)
	r := rand.New(rand.NewPCG(7, 8))
	for range 30 {
		b, err := board.New([]board.Rule{board.Freestyle, board.Renju}[r.IntN(2)], 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		for range 12 {
			if m := board.At(4+r.IntN(7), 4+r.IntN(7)); b.Cell(m) == board.Empty && b.Legal(m) {
				b.Play(m)
				record := NewRecord(None, r.IntN(900), r.IntN(30), Exact).WithComment(fmt.Sprint("comment ", r.IntN(99)))
				if err := d.Set(b, record, Whole); err != nil {
					t.Fatal(err)
				}
				boards = append(boards, b.Clone())
			}
		}
		d.SetCellText(b, board.At(0, r.IntN(15)), "A")
	}
	name = filepath.Join(t.TempDir(), "x.db")
	if err := d.Save(name); err != nil {
		t.Fatal(err)
	}
	return name, boards
}

// same compares what two databases know of the positions.
func same(t *testing.T, when string, got, want *Database, boards []*board.Board) {
	t.Helper()
	if got.Len() != want.Len() || got.Changed() != want.Changed() {
		t.Errorf("%s: %d positions, changed is %v; want %d, %v", when, got.Len(), got.Changed(), want.Len(), want.Changed())
	}
	for i, b := range boards {
		r, ok := got.Get(b)
		if w, known := want.Get(b); r != w || ok != known {
			t.Fatalf("%s: %v has %+v, %v; want %+v, %v", when, b.Moves(), r, ok, w, known)
		}
		if i%10 != 9 {
			continue
		}
		if list, w := got.Children(b), want.Children(b); !slices.Equal(list, w) {
			t.Fatalf("%s: after %v come %+v, want %+v", when, b.Moves(), list, w)
		}
	}
	if err := got.Err(); err != nil {
		t.Fatal(when, err)
	}
}

// A database whose records stay in its file knows what one in memory does, and what is saved is the same.
func TestRecordsThatStayInTheFile(t *testing.T) {
	name, boards := large(t)
	want, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	got, whole, err := Open(name)
	if err != nil || !whole || keepsOpen != (got.stored != nil) {
		t.Fatal(whole, err)
	}
	if got.Bytes() != 0 && keepsOpen {
		t.Errorf("%d bytes of memory", got.Bytes())
	}
	same(t, "when it is opened", got, want, boards)
	twin := filepath.Join(t.TempDir(), "twin.db")
	want.file, want.stamp = twin, stamp{}
	r := rand.New(rand.NewPCG(1, 1))
	other := New()
	for i, b := range boards {
		for _, d := range []*Database{got, want} {
			switch i % 7 {
			case 0:
				d.Delete(b)
			case 1:
				d.Found(b, Searched(0, 3+i%5, 20))
			case 2:
				d.SetComment(b, fmt.Sprint("changed ", i))
			case 3:
				d.SetCellText(b, board.At(14, 14), "B")
			}
		}
		m := board.At(r.IntN(15), r.IntN(15))
		if b := b.Clone(); b.Legal(m) {
			b.Play(m)
			other.Found(b, Searched(r.IntN(50), 0, 9))
			boards = append(boards, b)
		}
	}
	if n, w := got.Merge(other), want.Merge(other); n != w {
		t.Errorf("%d records merged, want %d", n, w)
	}
	same(t, "when it is changed", got, want, boards)
	var texts [2]bytes.Buffer
	b, _ := board.New(board.Renju, 15, 15)
	for i, d := range []*Database{got, want} {
		if _, err := d.WriteText(&texts[i], b); err != nil {
			t.Fatal(err)
		}
	}
	if texts[0].String() != texts[1].String() {
		t.Error("the texts differ")
	}
	for i := range 2 {
		if err := got.Save(name); err != nil {
			t.Fatal(err)
		}
		if err := want.Save(twin); err != nil {
			t.Fatal(err)
		}
		raw, _ := os.ReadFile(name)
		if w, err := os.ReadFile(twin); err != nil || !bytes.Equal(raw, w) {
			t.Fatalf("the files of %d and %d bytes differ, %v", len(raw), len(w), err)
		}
		same(t, "when it is saved", got, want, boards)
		for _, d := range []*Database{got, want} {
			d.Delete(boards[10+i])
		}
	}
	// Another program adds a position.
	third, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	b.Play(board.At(0, 14))
	for _, d := range []*Database{third, want} {
		d.Found(b, Searched(7, 0, 30))
	}
	if err := third.Save(name); err != nil {
		t.Fatal(err)
	}
	if err := got.Save(name); err != nil {
		t.Fatal(err)
	}
	want.Save(twin)
	same(t, "when another program has saved it", got, want, append(boards, b))
}

// In a file that is not ordered, or is damaged, no record is looked up.
func TestFilesThatAreReadWhole(t *testing.T) {
	name, boards := large(t)
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var plain, long bytes.Buffer
	if _, err := plain.ReadFrom(lz4.NewReader(bytes.NewReader(raw))); err != nil {
		t.Fatal(err)
	}
	z := lz4.NewWriter(&long)
	z.Write(plain.Bytes())
	z.Close()
	want, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	for what, raw := range map[string][]byte{"not compressed": plain.Bytes(), "long blocks": long.Bytes(), "cut": raw[:len(raw)-9], "more behind": append(bytes.Clone(raw), 0)} {
		name := filepath.Join(t.TempDir(), "y.db")
		if err := os.WriteFile(name, raw, 0o666); err != nil {
			t.Fatal(err)
		}
		d, whole, err := Open(name)
		if err != nil || whole {
			t.Fatalf("%s: %v, %v", what, whole, err)
		}
		found := boards[11] // no other has its stones
		d.Found(found, Searched(1, 0, 1))
		in := &Input{Name: name}
		err = d.Fill(context.Background(), in)
		if broken := what == "cut" || what == "more behind"; broken {
			if err == nil || !strings.Contains(err.Error(), name) || d.Len() != 1 {
				t.Errorf("%s: %v, %d positions", what, err, d.Len())
			}
			continue
		}
		if read, size := in.Progress(); err != nil || read != size || int(size) != len(raw) {
			t.Errorf("%s: %v, %d of %d bytes", what, err, read, size)
		}
		if r, _ := d.Get(found); r.Depth() != 1 {
			t.Errorf("%s: what was found meanwhile is %+v", what, r)
		}
		known, _ := want.Get(found)
		d.Set(found, known, Whole)
		d.changed = map[Key]struct{}{}
		same(t, what, d, want, boards)
	}
}

// A file that is damaged, or changed in its place, is no reason to say that nothing is known, nor to save over it.
func TestDamageBehindTheBack(t *testing.T) {
	if !keepsOpen {
		return // all is in memory
	}
	name, boards := large(t)
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, _ := f.Stat()
	if _, err := f.WriteAt([]byte("damage"), info.Size()/2); err != nil {
		t.Fatal(err)
	}
	d, _, err := Open(name)
	if err != nil || d.stored == nil {
		t.Fatal(err)
	}
	d.Found(boards[0], Searched(1, 3, 50))
	if err := d.Save(name); err == nil || !d.Changed() {
		t.Errorf("a damaged file is saved over: %v", err)
	}
	d.all(func(Key, Record) {})
	if err := d.Err(); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("the damage: %v", err)
	}
	name, boards = large(t)
	if d, _, err = Open(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, info.Size()/2); err != nil {
		t.Fatal(err)
	}
	for _, b := range boards {
		d.Get(b)
	}
	if err := d.Err(); err == nil || !strings.Contains(err.Error(), "another program has changed") {
		t.Errorf("a file that is shorter now: %v", err)
	}
}

// All keys of a file are found in it, also the first and the last of each block.
func TestEveryRecordIsFoundInTheFile(t *testing.T) {
	name, _ := large(t)
	s, err := openStored(name)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	all := map[Key]Record{}
	if err := s.each(func(key Key, r Record) error { all[key] = r; return nil }); err != nil {
		t.Fatal(err)
	}
	if s.blocks.Len() < 10 || len(all) != s.n {
		t.Fatalf("%d blocks, %d of %d records", s.blocks.Len(), len(all), s.n)
	}
	for _, key := range slices.SortedFunc(maps.Keys(all), inFile) {
		if r, ok := s.get(key); !ok || r != all[key] {
			t.Fatalf("%v: %+v, %v", key, r, ok)
		}
		if _, ok := s.get(key + "\x00\x00"); ok && all[key+"\x00\x00"] == (Record{}) {
			t.Fatalf("%v with one more", key)
		}
	}
}

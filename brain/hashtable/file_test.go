package hashtable

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/score"
)

// load reads file into the table.
func load(t *Table, file []byte, tag uint64) (entries int64, err error) {
	in, err := NewReader(bytes.NewReader(file), tag)
	if err != nil {
		return 0, err
	}
	return t.Read(context.Background(), in)
}

// write writes the table with the tag 7.
func write(t *Table, w io.Writer) error {
	d := t.Dump(7)
	defer d.Close()
	_, err := d.Write(context.Background(), w)
	return err
}

// filled returns a table of the given size with entries of rising depth, and its file.
func filled(t testing.TB, size int64, entries uint64) (*Table, []byte) {
	var table Table
	table.Resize(size)
	if entries > 0 {
		table.Begin(0, 0, nil)
	}
	for key := range spread(entries) {
		table.Store(key, Entry{Move: board.At(7, 6), Value: score.Value(key % 5000), Depth: int(board.Mix(key) % 100), Bound: Exact})
	}
	var file bytes.Buffer
	if err := write(&table, &file); err != nil {
		t.Fatal(err)
	}
	return &table, file.Bytes()
}

// A file has all entries; a small table keeps the deep ones of it.
func TestFile(t *testing.T) {
	const entries = 5000
	old, file := filled(t, 4<<20, entries)
	if used, room := old.Usage(); used != entries || room != 4<<20/16 {
		t.Errorf("%d of %d entries", used, room)
	}
	var table Table
	table.Resize(4 << 20)
	if n, err := load(&table, file, 7); n != entries || err != nil {
		t.Fatalf("read %d entries: %v", n, err)
	}
	for key := range spread(entries) {
		want, _ := old.Probe(key)
		if e, ok := table.Probe(key); !ok || e != want {
			t.Fatalf("key %x: %+v, %v, want %+v", key, e, ok, want)
		}
	}
	var small Table
	small.Resize(1 << 14)
	if _, err := load(&small, file, 7); err != nil {
		t.Fatal(err)
	}
	depths := 0
	small.each(func(_, data uint64) { depths += unpack(data).Depth })
	if n, room := small.Usage(); n == 0 || n > room || depths < 60*int(n) { // 50 on average in the file
		t.Errorf("a small table has %d of %d entries, of depth %d on average", n, room, depths/max(int(n), 1))
	}
}

// A table without entries takes no memory, which a large one is long to get.
func TestEmptyFile(t *testing.T) {
	_, file := filled(t, 1<<20, 0)
	var table Table
	table.Resize(64 << 20)
	if n, err := load(&table, file, 7); n != 0 || err != nil {
		t.Fatalf("%d entries: %v", n, err)
	}
	if table.memory != nil {
		t.Error("the table is allocated")
	}
}

func TestBrokenFilesAreRefused(t *testing.T) {
	const entries = 500
	table, good := filled(t, 1<<20, entries)
	for name, bad := range map[string][]byte{
		"nothing": nil, "text": []byte("a text that is no table at all, but long enough"), "another tag": bytes.Replace(good, []byte{7, 0, 0}, []byte{8, 0, 0}, 1),
	} {
		if _, err := load(table, bad, 7); err == nil {
			t.Errorf("%s was read", name)
		}
		if n, _ := table.Usage(); n != entries {
			t.Errorf("%s: %d entries, %d before", name, n, entries)
		}
	}
	old := append([]byte(oldMagic), good[len(magic):]...)
	if _, err := load(table, old, 7); err != errOldTable || !IsTable(old) {
		t.Errorf("version 1: %v", err)
	}
	flipped := bytes.Clone(good)
	flipped[len(good)/2] ^= 4
	for name, bad := range map[string][]byte{"half of it": good[:len(good)/2], "one bit wrong": flipped, "no checksum": good[:len(good)-8]} {
		if _, err := load(table, bad, 7); err == nil {
			t.Errorf("%s was read", name)
		}
		if n, _ := table.Usage(); n != 0 {
			t.Errorf("%s: %d entries are left", name, n)
		}
	}
	if err := write(table, full{}); err == nil {
		t.Error("a full disk is no error")
	}
}

// framed returns a file of the entries, with a right header and sum.
func framed(entries []byte, tag uint64) []byte {
	le := binary.LittleEndian
	all := le.AppendUint64([]byte(magic), tag)
	all = le.AppendUint64(all, uint64(len(entries)/16))
	all = append(all, entries[:len(entries)/16*16]...)
	return le.AppendUint64(all, uint64(crc32.ChecksumIEEE(all)))
}

// What no search can have stored is not read: a value beyond a five would be shown.
func TestImpossibleEntriesAreLeftOut(t *testing.T) {
	good := Entry{Move: board.At(7, 6), Value: score.WinIn(9), Static: score.None, Depth: 20, Bound: Exact}
	deep, won, lost, static := good, good, good, good
	deep.Depth, won.Value, lost.Value, static.Static = MaxDepth+1, score.Win+1, -1<<15, 7000
	for _, tt := range []struct {
		name string
		Entry
		kept int64
	}{{"good", good, 1}, {"too deep", deep, 0}, {"better than a win", won, 0}, {"worse than a loss", lost, 0}, {"a static value", static, 0}} {
		le := binary.LittleEndian
		var table Table
		table.Resize(1 << 20)
		if _, err := load(&table, framed(le.AppendUint64(le.AppendUint64(nil, 12345), pack(tt.Entry, 0)), 7), 7); err != nil {
			t.Fatal(err)
		}
		if used, _ := table.Usage(); used != tt.kept {
			t.Errorf("%s: %d entries, want %d", tt.name, used, tt.kept)
		}
	}
}

// A table that is being written keeps its entries, though it is cleared, resized, freed or used meanwhile.
func TestATableIsWrittenWhileItIsUsed(t *testing.T) {
	const size, entries = 32 << 20, 5000 // outside the heap: memory that is given back too early ends the program
	fill := func(table *Table) {
		table.Begin(0, 0, nil)
		for key := range spread(1000) {
			table.Store(^key, Entry{Depth: 3, Bound: Exact})
		}
	}
	for name, change := range map[string]func(table *Table){
		"nothing":        func(*Table) {},
		"clear":          (*Table).Clear,
		"resize":         func(table *Table) { table.Resize(size / 2) },
		"free":           (*Table).Free,
		"fill":           fill,
		"clear and fill": func(table *Table) { table.Clear(); fill(table) },
	} {
		table, _ := filled(t, size, entries)
		d := table.Dump(7)
		change(table)
		var file bytes.Buffer
		n, err := d.Write(context.Background(), &file)
		d.Close()
		table.Free()
		var again Table
		again.Resize(size)
		read, err2 := load(&again, file.Bytes(), 7)
		if err != nil || err2 != nil || n < entries || name != "fill" && n != entries || read != n {
			t.Errorf("%s: wrote %d of %d entries, %v; read %d, %v", name, n, entries, err, read, err2)
			continue
		}
		for key := range spread(entries) {
			if !has(&again, key) {
				t.Errorf("%s: the key %x is missing", name, key)
				break
			}
		}
		again.Free()
	}
}

// An emptying is a writer that takes all entries of a table away after the first bytes.
type emptying struct {
	bytes.Buffer
	table *Table
}

func (e *emptying) Write(b []byte) (int, error) {
	for i := range e.table.buckets {
		for j := range e.table.buckets[i] {
			e.table.buckets[i][j].store(0, 0)
		}
	}
	return e.Buffer.Write(b)
}

// Entries that go while the table is written are missing, and the file is right without them.
func TestATableThatLosesEntriesIsWritten(t *testing.T) {
	table, _ := filled(t, 4<<20, 20_000)
	file := &emptying{table: table}
	if err := write(table, file); err != nil {
		t.Fatal(err)
	}
	var again Table
	again.Resize(4 << 20)
	if n, err := load(&again, file.Bytes(), 7); n == 0 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
}

// Reading and writing end with their context, and leave no part of a table.
func TestTablesAreWrittenAndReadUntilStopped(t *testing.T) {
	table, file := filled(t, 4<<20, 500)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	d := table.Dump(7)
	defer d.Close()
	if _, err := d.Write(ctx, io.Discard); err != context.Canceled {
		t.Errorf("writing: %v", err)
	}
	in, err := NewReader(bytes.NewReader(file), 7)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Read(ctx, in); err != context.Canceled {
		t.Errorf("reading: %v", err)
	}
	if used, _ := table.Usage(); used != 0 {
		t.Errorf("%d entries", used)
	}
}

// FuzzRead reads any bytes as a stored table, with a right header and sum or without.
func FuzzRead(f *testing.F) {
	_, file := filled(f, 1<<16, 20)
	f.Add(file, false)
	f.Add(file[len(magic)+16:len(file)-8], true)
	f.Add(slices.Repeat([]byte{0, 255, 1, 128}, 40), true)
	f.Fuzz(func(t *testing.T, data []byte, frame bool) {
		if frame {
			data = framed(data, 7)
		}
		var table Table
		table.Resize(1 << 16)
		n, err := load(&table, data, 7)
		if frame && err != nil {
			t.Errorf("a file with a right sum is refused: %v", err)
		}
		if used, room := table.Usage(); used > room || used > n {
			t.Errorf("%d entries read, %d of %d in use", n, used, room)
		}
		table.each(func(_, data uint64) {
			if e := unpack(data); !e.possible() {
				t.Errorf("the table has %+v", e)
			}
		})
	})
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

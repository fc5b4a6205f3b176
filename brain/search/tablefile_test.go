package search

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

func TestTableIsWrittenAndRead(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	p := newTestPool(1, 4<<20)
	if used, _ := p.Usage(); used != 0 {
		t.Errorf("a new table has %d entries", used)
	}
	first := p.Search(context.Background(), b, Limits{Depth: 10}, nil)
	used, room := p.Usage()
	if used < first.Info.Nodes/8 || used > room || room != 4<<20/16 {
		t.Errorf("%d of %d entries after %d nodes", used, room, first.Info.Nodes)
	}
	var file bytes.Buffer
	if err := p.WriteTable(&file, 7); err != nil {
		t.Fatal(err)
	}

	q := newTestPool(1, 4<<20)
	n, err := q.ReadTable(bytes.NewReader(file.Bytes()), 7)
	if again, _ := q.Usage(); err != nil || n != used || again != used {
		t.Fatalf("read %d entries, in use %d, want %d: %v", n, again, used, err)
	}
	p.forget()
	for range 2 {
		want := p.Search(context.Background(), b, Limits{Depth: 11}, nil)
		again := q.Search(context.Background(), b, Limits{Depth: 11}, nil)
		if again.Move != want.Move || again.Info.Nodes != want.Info.Nodes {
			t.Errorf("%v after %d nodes with the table as read, %v after %d as written", again.Move, again.Info.Nodes, want.Move, want.Info.Nodes)
		}
	}

	small := newTestPool(1, 1<<18)
	if _, err := small.ReadTable(bytes.NewReader(file.Bytes()), 7); err != nil {
		t.Fatal(err)
	}
	if n, room := small.Usage(); n == 0 || n > room {
		t.Errorf("a small table has %d of %d entries", n, room)
	}
}

// A table without entries takes no memory, which a large one is long to get.
func TestEmptyTableIsRead(t *testing.T) {
	var file bytes.Buffer
	if err := newTestPool(1, 1<<20).WriteTable(&file, 7); err != nil {
		t.Fatal(err)
	}
	p := newTestPool(1, 64<<20)
	if n, err := p.ReadTable(&file, 7); n != 0 || err != nil {
		t.Fatalf("%d entries: %v", n, err)
	}
	if p.Allocated() {
		t.Error("the table is allocated")
	}
}

func TestBrokenTablesAreRefused(t *testing.T) {
	p := newTestPool(1, 1<<20)
	p.Search(context.Background(), boardtest.After(t, board.Freestyle, 15, "h8"), Limits{Nodes: 2000}, nil)
	before, _ := p.Usage()
	var file bytes.Buffer
	if err := p.WriteTable(&file, 7); err != nil {
		t.Fatal(err)
	}
	good := file.Bytes()
	for name, bad := range map[string][]byte{
		"nothing": nil, "text": []byte("a text that is no table at all, but long enough"), "another tag": bytes.Replace(good, []byte{7, 0, 0}, []byte{8, 0, 0}, 1),
	} {
		if _, err := p.ReadTable(bytes.NewReader(bad), 7); err == nil {
			t.Errorf("%s was read", name)
		}
		if n, _ := p.Usage(); n != before {
			t.Errorf("%s: %d entries, %d before", name, n, before)
		}
	}
	old := append([]byte(oldTableMagic), good[len(tableMagic):]...)
	if _, err := p.ReadTable(bytes.NewReader(old), 7); err != errOldTable || !IsTable(old) {
		t.Errorf("version 1: %v", err)
	}
	flipped := bytes.Clone(good)
	flipped[len(good)/2] ^= 4
	for name, bad := range map[string][]byte{"half of it": good[:len(good)/2], "one bit wrong": flipped, "no checksum": good[:len(good)-8]} {
		if _, err := p.ReadTable(bytes.NewReader(bad), 7); err == nil {
			t.Errorf("%s was read", name)
		}
		if n, _ := p.Usage(); n != 0 {
			t.Errorf("%s: %d entries are left", name, n)
		}
	}
	if err := p.WriteTable(full{}, 7); err == nil {
		t.Error("a full disk is no error")
	}
}

// tableFile returns a file of the entries, with a right header and sum.
func tableFile(entries []byte, tag uint64) []byte {
	le := binary.LittleEndian
	all := le.AppendUint64([]byte(tableMagic), tag)
	all = le.AppendUint64(all, uint64(len(entries)/16))
	all = append(all, entries[:len(entries)/16*16]...)
	return le.AppendUint64(all, uint64(crc32.ChecksumIEEE(all)))
}

// What no search can have stored is not read: a value beyond a five would be shown.
func TestImpossibleEntriesAreLeftOut(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	good := entry{move: board.At(7, 6), value: WinIn(9), static: noValue, depth: 20, bound: exact}
	deep, won, lost, static := good, good, good, good
	deep.depth, won.value, lost.value, static.static = maxDepth+1, Win+1, -1<<15, 7000
	for _, tt := range []struct {
		name string
		entry
		kept int64
	}{{"good", good, 1}, {"too deep", deep, 0}, {"better than a win", won, 0}, {"worse than a loss", lost, 0}, {"a static value", static, 0}} {
		le := binary.LittleEndian
		p := newTestPool(1, 1<<20)
		if _, err := p.ReadTable(bytes.NewReader(tableFile(le.AppendUint64(le.AppendUint64(nil, b.Hash()), pack(tt.entry, 0)), 7)), 7); err != nil {
			t.Fatal(err)
		}
		if used, _ := p.Usage(); used != tt.kept {
			t.Errorf("%s: %d entries, want %d", tt.name, used, tt.kept)
		}
	}
}

// FuzzReadTable reads any bytes as a stored table, with a right header and sum or without. A
// search with what was read plays a legal move.
func FuzzReadTable(f *testing.F) {
	p := newTestPool(1, 1<<16)
	b := boardtest.After(f, board.Renju, 9, "e5d4e4d5")
	p.Search(context.Background(), b, Limits{Nodes: 50}, nil)
	var file bytes.Buffer
	if err := p.WriteTable(&file, 7); err != nil {
		f.Fatal(err)
	}
	entries := file.Bytes()[len(tableMagic)+16 : file.Len()-8]
	f.Add(file.Bytes(), false)
	f.Add(entries, true)
	f.Add(slices.Repeat([]byte{0, 255, 1, 128}, 40), true)
	f.Fuzz(func(t *testing.T, data []byte, framed bool) {
		if framed {
			data = tableFile(data, 7)
		}
		q := newTestPool(1, 1<<16)
		n, err := q.ReadTable(bytes.NewReader(data), 7)
		if framed && err != nil {
			t.Errorf("a file with a right sum is refused: %v", err)
		}
		if used, room := q.Usage(); used > room || used > n {
			t.Errorf("%d entries read, %d of %d in use", n, used, room)
		}
		if r := q.Search(context.Background(), b, Limits{Nodes: 100}, nil); !b.Legal(r.Move) || len(r.Failures) > 0 {
			t.Errorf("the move %v, %v", r.Move, r.Failures)
		}
	})
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

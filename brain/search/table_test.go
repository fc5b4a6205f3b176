package search

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// TestRulesAreKeptApart: with the table as searches under other rules have left it a search is as
// with an empty one.
func TestRulesAreKeptApart(t *testing.T) {
	l := Limits{Depth: 8}
	shared := newTestPool(1, 16<<20)
	for _, rule := range []board.Rule{board.Freestyle, board.ExactFive, board.Renju, board.Caro} {
		b := boardtest.After(t, rule, 15, "h8i9i7g9h10")
		got, want := shared.Search(context.Background(), b, l, nil), newTestPool(1, 16<<20).Search(context.Background(), b, l, nil)
		if got.Move != want.Move || got.Info.Nodes != want.Info.Nodes {
			t.Errorf("%v: %v after %d nodes, want %v after %d", rule, got.Move, got.Info.Nodes, want.Move, want.Info.Nodes)
		}
	}
}

// A search in the opponent's time leaves its results where the search after it looks for them. A table
// that has grown in between is left out: that takes two parts of it, 20 ms or more.
func TestTableOfASearchInTheOpponentsTime(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	for _, next := range []time.Duration{100 * time.Millisecond, 0} {
		for grown := true; grown; {
			p := newTestPool(1, 32<<20)
			begin := time.Now()
			first := p.Search(context.Background(), b, Limits{Depth: 4, Next: next}, nil)
			p.forget()
			again := p.Search(context.Background(), b, Limits{Depth: 4, Hard: next}, nil)
			grown = next > 0 && time.Since(begin) > 20*time.Millisecond
			if !grown && again.Info.Nodes*10 > first.Info.Nodes*9 {
				t.Errorf("next %v: %d nodes, then %d", next, first.Info.Nodes, again.Info.Nodes)
			}
			p.Close()
		}
	}
}

// writeTable writes the table of p with the tag 7.
func writeTable(p *Pool, w io.Writer) error {
	d := p.DumpTable(7)
	defer d.Close()
	_, err := d.Write(context.Background(), w)
	return err
}

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
	if err := writeTable(p, &file); err != nil {
		t.Fatal(err)
	}

	q := newTestPool(1, 4<<20)
	n, err := q.ReadTable(context.Background(), bytes.NewReader(file.Bytes()), 7)
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
	if _, err := small.ReadTable(context.Background(), bytes.NewReader(file.Bytes()), 7); err != nil {
		t.Fatal(err)
	}
	if n, room := small.Usage(); n == 0 || n > room {
		t.Errorf("a small table has %d of %d entries", n, room)
	}
}

// An error in the header of a file leaves all as it was.
func TestBrokenTableLeavesTheSearchAlone(t *testing.T) {
	p := newTestPool(1, 1<<20)
	b := boardtest.After(t, board.Freestyle, 15, "h8")
	p.Search(context.Background(), b, Limits{Nodes: 2000}, nil)
	before, corrections := bytes.Buffer{}, p.workers[0].corrections
	if err := writeTable(p, &before); err != nil {
		t.Fatal(err)
	}
	if _, err := p.ReadTable(context.Background(), bytes.NewReader(before.Bytes()), 8); err == nil {
		t.Fatal("a table with another tag was read")
	}
	var after bytes.Buffer
	if err := writeTable(p, &after); err != nil || !bytes.Equal(after.Bytes(), before.Bytes()) || p.workers[0].corrections != corrections {
		t.Errorf("the search has changed: %v", err)
	}
}

const tableHead = 32 // bytes of the header of a stored table

// tableFile returns a file of the entries, with the header head and a right sum.
func tableFile(head, entries []byte) []byte {
	le := binary.LittleEndian
	all := le.AppendUint64(slices.Clone(head[:tableHead-8]), uint64(len(entries)/16))
	all = append(all, entries[:len(entries)/16*16]...)
	return le.AppendUint64(all, uint64(crc32.ChecksumIEEE(all)))
}

// FuzzReadTable reads any bytes as a stored table, with a right header and sum or without. A
// search with what was read plays a legal move.
func FuzzReadTable(f *testing.F) {
	p := newTestPool(1, 1<<16)
	b := boardtest.After(f, board.Renju, 9, "e5d4e4d5")
	p.Search(context.Background(), b, Limits{Nodes: 50}, nil)
	var file bytes.Buffer
	if err := writeTable(p, &file); err != nil {
		f.Fatal(err)
	}
	entries := file.Bytes()[tableHead : file.Len()-8]
	f.Add(file.Bytes(), false)
	f.Add(entries, true)
	f.Add(slices.Repeat([]byte{0, 255, 1, 128}, 40), true)
	f.Fuzz(func(t *testing.T, data []byte, framed bool) {
		if framed {
			data = tableFile(file.Bytes(), data)
		}
		q := newTestPool(1, 1<<16)
		n, err := q.ReadTable(context.Background(), bytes.NewReader(data), 7)
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

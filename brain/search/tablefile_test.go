package search

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"tengen/brain/board"
)

func TestTableIsWrittenAndRead(t *testing.T) {
	b := position(t, board.Freestyle, 15, "h8i9i7g9")
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
	again := q.Search(context.Background(), b, Limits{Depth: 10}, nil)
	if again.Info.Nodes*2 > first.Info.Nodes {
		t.Errorf("%d nodes with the table, %d without", again.Info.Nodes, first.Info.Nodes)
	}

	small := newTestPool(1, 1<<18)
	if _, err := small.ReadTable(bytes.NewReader(file.Bytes()), 7); err != nil {
		t.Fatal(err)
	}
	if n, room := small.Usage(); n == 0 || n > room {
		t.Errorf("a small table has %d of %d entries", n, room)
	}
}

func TestBrokenTablesAreRefused(t *testing.T) {
	p := newTestPool(1, 1<<20)
	p.Search(context.Background(), position(t, board.Freestyle, 15, "h8"), Limits{Nodes: 2000}, nil)
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

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

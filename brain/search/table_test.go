package search

import (
	"context"
	"sync"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// FuzzEntry checks that every field packed into a slot comes back.
func FuzzEntry(f *testing.F) {
	f.Add(uint16(300), int16(-29990), int16(6000), 17, uint8(1), true, uint64(63))
	f.Fuzz(func(t *testing.T, move uint16, value, static int16, depth int, b uint8, pv bool, age uint64) {
		e := entry{
			move: board.Move(move % board.Cells), value: Value(value), static: Value(static),
			depth: minDepth + int(uint(depth)%uint(maxDepth-minDepth+1)), bound: bound(b & 3), pv: pv,
		}
		data := pack(e, age&63)
		if got := unpack(data); got != e {
			t.Errorf("got %+v, want %+v", got, e)
		}
		if ageOf(data) != age&63 {
			t.Errorf("age %d, want %d", ageOf(data), age&63)
		}
	})
}

// TestTableTorn lets four goroutines write and read eight slots; nobody may read a
// value that is not the key's. Run it with -race.
func TestTableTorn(t *testing.T) {
	var table hashTable
	table.resize(2 * bucketBytes)
	table.begin(false, false, nil)
	of := func(key uint64) entry {
		return entry{move: board.Move(key % 1000), value: Value(key % 29000), static: Value(key % 6000), depth: int(key % 100), bound: exact}
	}
	var wg sync.WaitGroup
	for g := range uint64(4) {
		wg.Go(func() {
			for i := range uint64(20000) {
				key := (i*7+g)%64*0x9e3779b97f4a7c15 + 1
				if i%2 == 0 {
					table.store(key, of(key))
				} else if data := table.find(key); data != 0 && unpack(data) != of(key) {
					t.Errorf("key %x: got %+v, want %+v", key, unpack(data), of(key))
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestTableKeepsItsSize(t *testing.T) {
	for _, size := range []int64{0, 1, 63, 64, 1000, 1 << 20, 1<<20 + 63} {
		var table hashTable
		table.resize(size)
		if table.buckets != nil {
			t.Errorf("size %d: allocated before it is needed", size)
		}
		table.begin(false, false, nil)
		if got := int64(len(table.buckets)) * bucketBytes; got > max(size, bucketBytes) {
			t.Errorf("size %d: %d bytes", size, got)
		}
		table.store(12345, entry{move: 7, bound: lower})
		if data := table.find(12345); data == 0 || unpack(data).move != 7 {
			t.Errorf("size %d: stored entry is not found", size)
		}
	}
}

func TestTableClear(t *testing.T) {
	var table hashTable
	table.resize(1 << 16)
	table.begin(false, false, nil)
	table.store(99, entry{move: 3, bound: exact})
	table.clear()
	if table.find(99) != 0 {
		t.Error("an entry survived Clear")
	}
}

func TestProvenValuesTravelThroughTheTable(t *testing.T) {
	for _, v := range []Value{WinIn(9), LossIn(12), 0, 500, -6000} {
		if got := fromTable(toTable(v, 5), 5); got != v {
			t.Errorf("value %d at ply 5: got %d", v, got)
		}
	}
	if got := fromTable(toTable(WinIn(9), 5), 2); got != WinIn(6) {
		t.Errorf("a win 4 plies from the position, met at ply 2: got %d, want %d", got, WinIn(6))
	}
}

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

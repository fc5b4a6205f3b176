package search

import (
	"bytes"
	"context"
	"runtime"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/internal/mapped"
)

// A table begins small for short searches and grows in the background, to the whole by itself;
// another search has all of it at once. It keeps what it has unless it grows.
func TestTableGrows(t *testing.T) {
	const size = 32 << 20
	for _, long := range []bool{true, false} {
		var table hashTable
		table.resize(size)
		table.begin(true, false, nil)
		if n := len(table.buckets); n < smallPart || n == size/bucketBytes {
			t.Fatalf("%d of %d buckets", n, size/bucketBytes)
		}
		for len(table.buckets) < size/bucketBytes {
			const entries = 2000
			for key := uint64(1); key <= entries; key++ {
				table.store(key*0x9e3779b97f4a7c15, entry{move: 3, bound: exact})
			}
			before := len(table.buckets)
			table.begin(!long, false, nil)
			if long && len(table.buckets) < size/bucketBytes || len(table.buckets) < before {
				t.Fatalf("%d buckets, then %d", before, len(table.buckets))
			}
			found := 0
			for key := uint64(1); key <= entries; key++ {
				if table.find(key*0x9e3779b97f4a7c15) != 0 {
					found++
				}
			}
			if len(table.buckets) == before && found < entries {
				t.Fatalf("%d of %d entries are left", found, entries)
			}
		}
	}
}

// A table that changes its size while it grows has the new one.
func TestTableResizesWhileItGrows(t *testing.T) {
	var table hashTable
	for i, size := range []int64{64 << 20, 32 << 20, 48 << 20, 96 << 20, 1 << 20, 96 << 20} {
		table.resize(size)
		table.begin(true, false, nil)
		table.store(uint64(i+1)<<40, entry{move: 5, bound: exact})
		if table.find(uint64(i+1)<<40) == 0 {
			t.Errorf("%d MiB: an entry is not found", size>>20)
		}
		if i%2 != 0 {
			continue // the next size comes at once
		}
		for len(table.buckets) < int(size/bucketBytes) {
			table.begin(true, false, nil)
		}
		if got := int64(len(table.buckets)) * bucketBytes; got != size {
			t.Errorf("%d bytes, want %d", got, size)
		}
	}
	table.memory.pause()
}

// spread are keys all over a table.
func spread(n uint64) func(yield func(key uint64) bool) {
	return func(yield func(key uint64) bool) {
		for i := uint64(1); i <= n; i++ {
			if !yield(i * board.Golden) {
				return
			}
		}
	}
}

// A short search after a long one that was cut takes no memory that the system has not given,
// and what the long one has stored is not left by clear.
func TestTableShrinksForAShortSearch(t *testing.T) {
	const size = 32 << 20
	var table hashTable
	table.resize(size)
	table.begin(false, false, nil)
	for whole := false; !whole; {
		for key := range spread(20000) {
			table.store(key, entry{move: 3, bound: exact})
		}
		table.begin(true, false, nil)
		n := len(table.buckets)
		if n < smallPart || n > table.memory.count() {
			t.Fatalf("%d buckets, %d of %d are ready", n, table.memory.count(), table.size)
		}
		whole = n == table.size
		time.Sleep(2 * touchedPause)
	}
	table.clear()
	table.begin(false, false, nil)
	for i := range table.memory.all {
		for j := range table.memory.all[i] {
			if s := &table.memory.all[i][j]; s.data.Load() != 0 || s.check.Load() != 0 {
				t.Fatalf("bucket %d is not empty", i)
			}
		}
	}
}

// A large table is emptied in the background. Until that is done short searches have the part that
// is empty, which keeps what they store; others have all of it, or what is empty when they can wait no
// longer. None finds anything of before.
func TestTableIsEmptiedInTheBackground(t *testing.T) {
	const size, entries = 128 << 20, 1 << 18
	count := func(table *hashTable, depth int) (n int) {
		for key := range spread(entries) {
			if d := table.find(key); d != 0 && unpack(d).depth == depth {
				n++
			}
		}
		return n
	}
	fill := func(table *hashTable, depth int) {
		for key := range spread(entries) {
			table.store(key, entry{move: 3, bound: exact, depth: depth})
		}
	}
	full := func() *hashTable {
		table := &hashTable{}
		table.resize(size)
		table.begin(false, false, nil)
		fill(table, 9)
		if count(table, 9) != entries {
			t.Fatal("the table is not full")
		}
		table.clear()
		if n := table.memory.count(); n < smallPart {
			t.Errorf("%d of %d buckets are ready right after clear", n, table.size)
		}
		table.each(func(uint64, uint64) { t.Fatal("a table that was cleared has an entry") })
		return table
	}

	table := full()
	for range 3 { // the next clear comes before the first is done
		table.begin(true, false, nil)
		ready := table.memory.count()
		if n := count(table, 9); n > 0 || len(table.buckets) > ready {
			t.Errorf("a short search has %d of %d buckets, of which %d are ready, and %d entries of before", len(table.buckets), table.size, ready, n)
		}
		fill(table, 5)
		if n := count(table, 5); n != entries {
			t.Errorf("%d of %d entries are kept", n, entries)
		}
		table.clear()
	}
	for end := time.Now().Add(10 * time.Second); len(table.buckets) < table.size && time.Now().Before(end); time.Sleep(time.Millisecond) {
		table.begin(true, false, nil)
	}
	if n := count(table, 9) + count(table, 5); n > 0 || len(table.buckets) < table.size {
		t.Errorf("at last there are %d of %d buckets, and %d entries of before", len(table.buckets), table.size, n)
	}

	table = full()
	table.begin(false, false, nil)
	if n := count(table, 9); n > 0 || len(table.buckets) != table.size {
		t.Errorf("a long search has %d of %d buckets, and %d entries of before", len(table.buckets), table.size, n)
	}

	table = full()
	tries := 3
	table.begin(false, false, func() bool { tries--; return tries < 0 })
	if n := count(table, 9); n > 0 || len(table.buckets) < smallPart {
		t.Errorf("a search that cannot wait has %d of %d buckets, and %d entries of before", len(table.buckets), table.size, n)
	}
	table.free()
}

// A search in the opponent's time takes the table that the search after it may have.
func TestTableOfASearchInTheOpponentsTime(t *testing.T) {
	const size = 32 << 20
	for _, c := range []struct {
		next  time.Duration
		whole bool
	}{{100 * time.Millisecond, false}, {aLongMove, true}, {0, true}} {
		p := newTestPool(1, size)
		p.Search(context.Background(), boardtest.New(t, board.Freestyle, 15, 15), Limits{Nodes: 100, Next: c.next}, nil)
		if got := len(p.table.buckets) == size/bucketBytes; got != c.whole {
			t.Errorf("next %v: the whole table is in use: %v", c.next, got)
		}
	}
}

// A short search keeps what a long one before it, or a file, has left in a large table.
func TestShortSearchesKeepTheTable(t *testing.T) {
	const size = 64 << 20
	short := Limits{Nodes: 10, Hard: time.Second}
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	p := newTestPool(1, size)
	p.Search(context.Background(), b, Limits{Nodes: 20_000}, nil)
	used, _ := p.Usage()
	var file bytes.Buffer
	if err := p.WriteTable(&file, 7); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 200 && p.table.memory.count() < size/bucketBytes; i++ {
		time.Sleep(touchedPause)
	}
	p.Search(context.Background(), b, short, nil)
	if left, _ := p.Usage(); left < used {
		t.Errorf("%d of %d entries are left", left, used)
	}
	p = newTestPool(1, size)
	if _, err := p.ReadTable(&file, 7); err != nil {
		t.Fatal(err)
	}
	p.Search(context.Background(), b, short, nil)
	if left, _ := p.Usage(); left < used {
		t.Errorf("%d of %d entries of the file are left", left, used)
	}
}

// The memory of a large table is not on the heap, which would clear it before a search may have it,
// however often its size changes.
func TestLargeTablesAreOutsideTheHeap(t *testing.T) {
	const changes = 60
	sizes := []int64{600 << 20, 200 << 20}
	if !mapped.Outside(sizes[1]) {
		return
	}
	p := newTestPool(1, sizes[0])
	b := boardtest.New(t, board.Freestyle, 15, 15)
	l := Limits{Nodes: 10, Hard: 100 * time.Millisecond}
	p.Search(t.Context(), b, l, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range changes {
		p.Resize(1, sizes[(i+1)%2])
		p.Search(t.Context(), b, l, nil)
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.TotalAlloc - before.TotalAlloc); grown > sizes[1] {
		t.Errorf("%d changes of the table took %d MiB of the heap", changes, grown>>20)
	}
	p.Close()
}

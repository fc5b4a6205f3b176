package hashtable

import (
	"bytes"
	"runtime"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/internal/mapped"
)

// short is the limit of time of a short search.
const short = 100 * time.Millisecond

func has(t *Table, key uint64) bool {
	_, ok := t.Probe(key)
	return ok
}

// A table begins small for short searches and grows in the background, to the whole by itself;
// another search has all of it at once. It keeps what it has unless it grows.
func TestTableGrows(t *testing.T) {
	const size = 32 << 20
	for _, limit := range []time.Duration{0, short} {
		var table Table
		table.Resize(size)
		table.Begin(short, 0, nil)
		if n := len(table.buckets); n < smallPart || n == size/bucketBytes {
			t.Fatalf("%d of %d buckets", n, size/bucketBytes)
		}
		for len(table.buckets) < size/bucketBytes {
			const entries = 2000
			for key := uint64(1); key <= entries; key++ {
				table.Store(key*0x9e3779b97f4a7c15, Entry{Move: 3, Bound: Exact})
			}
			before := len(table.buckets)
			table.Begin(limit, 0, nil)
			if limit == 0 && len(table.buckets) < size/bucketBytes || len(table.buckets) < before {
				t.Fatalf("%d buckets, then %d", before, len(table.buckets))
			}
			found := 0
			for key := uint64(1); key <= entries; key++ {
				if has(&table, key*0x9e3779b97f4a7c15) {
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
	var table Table
	for i, size := range []int64{64 << 20, 32 << 20, 48 << 20, 96 << 20, 1 << 20, 96 << 20} {
		table.Resize(size)
		table.Begin(short, 0, nil)
		table.Store(uint64(i+1)<<40, Entry{Move: 5, Bound: Exact})
		if !has(&table, uint64(i+1)<<40) {
			t.Errorf("%d MiB: an entry is not found", size>>20)
		}
		if i%2 != 0 {
			continue // the next size comes at once
		}
		for len(table.buckets) < int(size/bucketBytes) {
			table.Begin(short, 0, nil)
		}
		if got := int64(len(table.buckets)) * bucketBytes; got != size {
			t.Errorf("%d bytes, want %d", got, size)
		}
	}
	table.memory.pause()
}

// A table of another size does not wait for the goroutine that makes the old memory ready: the memory
// goes back after it.
func TestResizeDoesNotWait(t *testing.T) {
	var table Table
	table.Resize(64 << 20)
	table.Begin(short, 0, nil)
	working := &table.memory.source.working
	working.Add(1) // as a step that takes long
	resized := make(chan bool)
	go func() {
		table.Resize(32 << 20)
		table.Begin(short, 0, nil)
		close(resized)
	}()
	select {
	case <-resized:
	case <-time.After(10 * time.Second):
		t.Error("it waits")
	}
	if !mapped.Outside(64 << 20) {
		working.Done()
		return
	}
	select {
	case <-mapped.Settled():
		t.Error("memory in use went back")
	default:
	}
	working.Done()
	<-mapped.Settled()
	<-resized
	table.Free()
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
	var table Table
	table.Resize(size)
	table.Begin(0, 0, nil)
	for whole := false; !whole; {
		for key := range spread(20000) {
			table.Store(key, Entry{Move: 3, Bound: Exact})
		}
		table.Begin(short, 0, nil)
		n := len(table.buckets)
		if n < smallPart || n > table.memory.count() {
			t.Fatalf("%d buckets, %d of %d are ready", n, table.memory.count(), table.size)
		}
		whole = n == table.size
		time.Sleep(2 * touchedPause)
	}
	table.Clear()
	table.Begin(0, 0, nil)
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
	count := func(table *Table, depth int) (n int) {
		for key := range spread(entries) {
			if e, ok := table.Probe(key); ok && e.Depth == depth {
				n++
			}
		}
		return n
	}
	fill := func(table *Table, depth int) {
		for key := range spread(entries) {
			table.Store(key, Entry{Move: 3, Bound: Exact, Depth: depth})
		}
	}
	full := func() *Table {
		table := &Table{}
		table.Resize(size)
		table.Begin(0, 0, nil)
		fill(table, 9)
		if count(table, 9) != entries {
			t.Fatal("the table is not full")
		}
		table.Clear()
		if n := table.memory.count(); n < smallPart {
			t.Errorf("%d of %d buckets are ready right after clear", n, table.size)
		}
		table.each(func(uint64, uint64) { t.Fatal("a table that was cleared has an entry") })
		return table
	}

	table := full()
	for range 3 { // the next clear comes before the first is done
		table.Begin(short, 0, nil)
		ready := table.memory.count()
		if n := count(table, 9); n > 0 || len(table.buckets) > ready {
			t.Errorf("a short search has %d of %d buckets, of which %d are ready, and %d entries of before", len(table.buckets), table.size, ready, n)
		}
		fill(table, 5)
		if n := count(table, 5); n != entries {
			t.Errorf("%d of %d entries are kept", n, entries)
		}
		table.Clear()
	}
	table.memory.source.working.Wait() // for the goroutine that empties the rest
	table.Begin(short, 0, nil)
	if n := count(table, 9) + count(table, 5); n > 0 || len(table.buckets) < table.size {
		t.Errorf("at last there are %d of %d buckets, and %d entries of before", len(table.buckets), table.size, n)
	}

	table = full()
	table.Begin(0, 0, nil)
	if n := count(table, 9); n > 0 || len(table.buckets) != table.size {
		t.Errorf("a long search has %d of %d buckets, and %d entries of before", len(table.buckets), table.size, n)
	}

	table = full()
	tries := 3
	table.Begin(0, 0, func() bool { tries--; return tries < 0 })
	if n := count(table, 9); n > 0 || len(table.buckets) < smallPart {
		t.Errorf("a search that cannot wait has %d of %d buckets, and %d entries of before", len(table.buckets), table.size, n)
	}
	table.Free()
}

// A short search keeps what a long one before it, or a file, has left in a large table.
func TestShortSearchesKeepTheTable(t *testing.T) {
	const size, entries = 64 << 20, 20_000
	kept := func(table *Table) (n int) {
		table.Begin(short, 10, nil)
		for key := range spread(entries) {
			if has(table, key) {
				n++
			}
		}
		return n
	}
	var table Table
	table.Resize(size)
	table.Begin(0, 0, nil)
	for key := range spread(entries) {
		table.Store(key, Entry{Move: 3, Bound: Exact})
	}
	var file bytes.Buffer
	if err := write(&table, &file); err != nil {
		t.Fatal(err)
	}
	table.memory.source.working.Wait() // for the goroutine that makes the rest ready
	if n := kept(&table); n < entries {
		t.Errorf("%d of %d entries are left", n, entries)
	}
	table.Free()
	if _, err := load(&table, file.Bytes(), 7); err != nil {
		t.Fatal(err)
	}
	if n := kept(&table); n < entries {
		t.Errorf("%d of %d entries of the file are left", n, entries)
	}
	table.Free()
}

// The memory of a large table is not on the heap, which would clear it before a search may have it,
// however often its size changes.
func TestLargeTablesAreOutsideTheHeap(t *testing.T) {
	const changes = 60
	sizes := []int64{600 << 20, 200 << 20}
	if !mapped.Outside(sizes[1]) {
		return
	}
	var table Table
	table.Resize(sizes[0])
	table.Begin(short, 10, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range changes {
		table.Resize(sizes[(i+1)%2])
		table.Begin(short, 10, nil)
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.TotalAlloc - before.TotalAlloc); grown > sizes[1] {
		t.Errorf("%d changes of the table took %d MiB of the heap", changes, grown>>20)
	}
	table.Free()
}

package search

import (
	"bytes"
	"context"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// A table begins small for short searches and grows in the background, to the whole by itself;
// another search has all of it at once. Where it grows it is emptied, else it keeps what it has.
func TestTableGrows(t *testing.T) {
	const size = 32 << 20
	for _, long := range []bool{true, false} {
		var table hashTable
		table.resize(size)
		table.begin(true)
		if n := len(table.buckets); n < smallPart || n == size/bucketBytes {
			t.Fatalf("%d of %d buckets", n, size/bucketBytes)
		}
		for len(table.buckets) < size/bucketBytes {
			const entries = 2000
			for key := uint64(1); key <= entries; key++ {
				table.store(key*0x9e3779b97f4a7c15, entry{move: 3, bound: exact})
			}
			before := len(table.buckets)
			table.begin(!long)
			if long && len(table.buckets) < size/bucketBytes || len(table.buckets) < before {
				t.Fatalf("%d buckets, then %d", before, len(table.buckets))
			}
			found := 0
			for key := uint64(1); key <= entries; key++ {
				if table.find(key*0x9e3779b97f4a7c15) != 0 {
					found++
				}
			}
			if grown := len(table.buckets) > before; grown && found > 0 || !grown && found < entries {
				t.Fatalf("%d entries left, from %d to %d buckets", found, before, len(table.buckets))
			}
		}
	}
}

// A table that changes its size while it grows has the new one.
func TestTableResizesWhileItGrows(t *testing.T) {
	var table hashTable
	for i, size := range []int64{64 << 20, 32 << 20, 48 << 20, 96 << 20, 1 << 20, 96 << 20} {
		table.resize(size)
		table.begin(true)
		table.store(uint64(i+1)<<40, entry{move: 5, bound: exact})
		if table.find(uint64(i+1)<<40) == 0 {
			t.Errorf("%d MiB: an entry is not found", size>>20)
		}
		if i%2 != 0 {
			continue // the next size comes at once
		}
		for len(table.buckets) < int(size/bucketBytes) {
			table.begin(true)
		}
		if got := int64(len(table.buckets)) * bucketBytes; got != size {
			t.Errorf("%d bytes, want %d", got, size)
		}
	}
	table.memory.pause()
}

// A short search after a long one that was cut takes no memory that the system has not given,
// and what the long one has stored is neither found at a wrong place nor left by clear.
func TestTableShrinksForAShortSearch(t *testing.T) {
	var table hashTable
	table.resize(32 << 20)
	table.begin(false)
	fill := func() {
		for key := uint64(1); key <= 20000; key++ {
			table.store(key*0x9e3779b97f4a7c15, entry{move: 3, bound: exact})
		}
	}
	fill()
	kept := len(table.buckets)
	for whole := 0; whole < 2; {
		table.begin(true)
		n := len(table.buckets)
		if n < smallPart || n > table.memory.count() {
			t.Fatalf("%d buckets, %d of %d are given", n, table.memory.count(), table.size)
		}
		if n == table.size {
			whole++
		}
		found := 0
		table.each(func(key, _ uint64) {
			if table.find(key) == 0 {
				t.Fatalf("an entry is at a wrong place in %d buckets", len(table.buckets))
			}
			found++
		})
		if changed := n != kept; changed != (found == 0) {
			t.Fatalf("%d entries are left, from %d to %d buckets", found, kept, n)
		}
		kept = n
		fill()
		time.Sleep(2 * touchedPause)
	}
	table.begin(false)
	table.clear()
	for i := range table.memory.all {
		for j := range table.memory.all[i] {
			if s := &table.memory.all[i][j]; s.data.Load() != 0 || s.check.Load() != 0 {
				t.Fatalf("bucket %d is not empty", i)
			}
		}
	}
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

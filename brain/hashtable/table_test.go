package hashtable

import (
	"sync"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/score"
)

// FuzzEntry checks that every field packed into a slot comes back.
func FuzzEntry(f *testing.F) {
	f.Add(uint16(300), int16(-29990), int16(6000), 17, uint8(1), true, uint64(63))
	f.Fuzz(func(t *testing.T, move uint16, value, static int16, depth int, b uint8, pv bool, age uint64) {
		e := Entry{
			Move: board.Move(move % board.Cells), Value: score.Value(value), Static: score.Value(static),
			Depth: MinDepth + int(uint(depth)%uint(MaxDepth-MinDepth+1)), Bound: Bound(b & 3), PV: pv,
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
	var table Table
	table.Resize(2 * bucketBytes)
	table.Begin(0, 0, nil)
	of := func(key uint64) Entry {
		return Entry{
			Move: board.Move(key % 1000), Value: score.Value(key % 29000), Static: score.Value(key % 6000),
			Depth: int(key % 100), Bound: Exact,
		}
	}
	var wg sync.WaitGroup
	for g := range uint64(4) {
		wg.Go(func() {
			for i := range uint64(20000) {
				key := (i*7+g)%64*0x9e3779b97f4a7c15 + 1
				if i%2 == 0 {
					table.Store(key, of(key))
				} else if e, ok := table.Probe(key); ok && e != of(key) {
					t.Errorf("key %x: got %+v, want %+v", key, e, of(key))
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestTableKeepsItsSize(t *testing.T) {
	for _, size := range []int64{0, 1, 63, 64, 1000, 1 << 20, 1<<20 + 63} {
		var table Table
		table.Resize(size)
		if table.memory != nil {
			t.Errorf("size %d: allocated before it is needed", size)
		}
		table.Begin(0, 0, nil)
		if got := int64(len(table.buckets)) * bucketBytes; got > max(size, bucketBytes) {
			t.Errorf("size %d: %d bytes", size, got)
		}
		table.Store(12345, Entry{Move: 7, Bound: Lower})
		if e, ok := table.Probe(12345); !ok || e.Move != 7 {
			t.Errorf("size %d: stored entry is not found", size)
		}
	}
}

func TestTableClear(t *testing.T) {
	var table Table
	table.Resize(1 << 16)
	table.Begin(0, 0, nil)
	table.Store(99, Entry{Move: 3, Bound: Exact})
	table.Clear()
	if _, ok := table.Probe(99); ok {
		t.Error("an entry survived Clear")
	}
}

// A result of a deeper search stays against a bound, and no other.
func TestDeeperResultsAreKept(t *testing.T) {
	deep := Entry{Move: 7, Value: 100, Depth: 10, Bound: Exact}
	for _, tt := range []struct {
		name     string
		next     Entry
		searches int // between the two
		kept     bool
	}{
		{"a bound of a less deep search", Entry{Move: 8, Value: 50, Depth: 7, Bound: Lower}, 0, true},
		{"a bound of about the same depth", Entry{Move: 8, Value: 50, Depth: 8, Bound: Lower}, 0, false},
		{"an exact value", Entry{Move: 8, Value: 50, Depth: 1, Bound: Exact}, 0, false},
		{"a bound of the next search", Entry{Move: 8, Value: 50, Depth: 7, Bound: Lower}, 1, false},
	} {
		var table Table
		table.Resize(1 << 16)
		table.Begin(0, 0, nil)
		table.Store(99, deep)
		for range tt.searches {
			table.Begin(0, 0, nil)
		}
		table.Store(99, tt.next)
		if e, _ := table.Probe(99); (e == deep) != tt.kept || e != deep && e != tt.next {
			t.Errorf("after %s: %+v", tt.name, e)
		}
	}
}

func TestMostStatic(t *testing.T) {
	if mostStatic != eval.Max {
		t.Errorf("entries have static values up to %d, the evaluation up to %d", mostStatic, eval.Max)
	}
}

// Package hashtable has the hash table of the search: what earlier searches have found out about
// positions. All threads of a search share one, without locks.
package hashtable

import (
	"math/bits"
	"sync/atomic"
	"time"

	"tengen/brain/board"
)

// A slot holds one entry in two words. check is key XOR data: if two goroutines write at once
// and the words get mixed, the XOR gives neither key.
type slot struct{ check, data atomic.Uint64 }

// load returns the key and the data word of the slot; the data is 0 if it is empty.
func (s *slot) load() (key, data uint64) {
	data = s.data.Load()
	return s.check.Load() ^ data, data
}

func (s *slot) store(key, data uint64) {
	s.check.Store(key ^ data)
	s.data.Store(data)
}

// A bucket is the slots that one hash may use: one cache line.
type bucket [4]slot

// A Table remembers results of earlier searches by position hash. Probe, Store and Prefetch may be
// called by any number of goroutines at once, between Begin and the next call of another method. The
// others are its owner's, one at a time. The zero Table has no room: see Resize.
type Table struct {
	size    int           // buckets
	buckets []bucket      // those in use: the first of memory.all
	age     uint64        // of the running search, 0..ageMask
	fresh   bool          // no search has begun since it was emptied
	used    []atomic.Bool // those of memory
	memory  *memory       // nil before the first search
}

const (
	bucketBytes = 64
	chunk       = 1024 // buckets that are cleared together
)

// Set by hand 2026-11.
const (
	older  = 8 // plies that an entry is worth less for each search since
	deeper = 2 // plies by which an entry has to be deeper to be kept against a bound
)

// Resize makes the table at most size bytes, and empty if its size changes, in no time. At least
// one bucket remains. Begin allocates the memory, since managers set the limit of memory just before the
// first move, or change it then.
func (t *Table) Resize(size int64) {
	n := int(max(size/bucketBytes, 1))
	if n == t.size {
		return
	}
	t.Free()
	t.size = n
}

// Free gives the memory back to the system, in the background. Begin allocates it again.
func (t *Table) Free() {
	if t.memory != nil {
		t.memory.free()
	}
	t.buckets, t.used, t.memory = nil, nil, nil
	t.age = 0
}

// Clear empties the table within some milliseconds. A large one is emptied in the background, and
// searches use a part until that is done. One that a Dump reads gets other memory.
func (t *Table) Clear() {
	if t.memory == nil || t.memory.isShared() {
		t.Free()
		return
	}
	t.memory.empty()
	t.buckets = t.buckets[:min(len(t.buckets), t.memory.count())]
	t.age, t.fresh = 0, true
}

// Begin starts a new search: older entries are replaced first. limit and nodes are its limits, 0 for none.
// A short search uses the part of the table that is ready. Another uses all of it: after Clear it waits
// until all is empty, or until enough, if not nil, returns true, and uses what is empty then. For a search
// of few nodes the memory stays in small pages. If the number of buckets in use changes, earlier entries
// are not found any more, since their places change. They are replaced as they grow old.
func (t *Table) Begin(limit time.Duration, nodes int64, enough func() bool) {
	if t.memory == nil {
		t.memory = newMemory(t.size)
		t.used = t.memory.used
		t.fresh = true
	}
	short, few := limit > 0 && limit < longSearch, nodes > 0 && nodes <= fewNodes
	var buckets []bucket
	if short {
		buckets = t.memory.all[:t.memory.count()]
	} else {
		buckets = t.memory.emptied(enough)
	}
	n, old := len(buckets), len(t.buckets)
	if t.fresh || n < old || n > old && n >= min(2*old, t.size) {
		t.buckets = buckets
	}
	t.fresh = false
	if short || !few {
		t.memory.askLarge()
		t.memory.readyRest() // after another search, too, or the next short one would lose what it stored
	}
	t.age = (t.age + 1) & ageMask
}

// index returns the number of the bucket that key may use.
func (t *Table) index(key uint64) uint64 {
	i, _ := bits.Mul64(key, uint64(len(t.buckets)))
	return i
}

// Prefetch loads the bucket of key into the cache while the processor goes on, so that a Probe soon
// afterwards does not wait for memory.
func (t *Table) Prefetch(key uint64) { prefetch(&t.buckets[t.index(key)]) }

// Probe returns the entry of key, if there is one. Once in a long time it is that of another position
// with the same key.
func (t *Table) Probe(key uint64) (e Entry, ok bool) {
	b := &t.buckets[t.index(key)]
	for i := range b {
		if k, data := b[i].load(); k == key && data != 0 {
			return unpack(data), true
		}
	}
	return Entry{}, false
}

// Store remembers e, in place of what is known of the same position, or of the entry
// of the bucket that is worth least: shallow and old. A much deeper result of the same
// position is kept against a bound.
func (t *Table) Store(key uint64, e Entry) {
	at := t.index(key)
	b := &t.buckets[at]
	victim, worst := 0, 1<<30
	for i := range b {
		k, data := b[i].load()
		if k == key && data != 0 {
			old := unpack(data)
			if e.Bound != Exact && old.Depth > e.Depth+deeper && ageOf(data) == t.age {
				return
			}
			if e.Move == board.None {
				e.Move = old.Move
			}
			victim = i
			break
		}
		worth := int(uint8(data>>depthBit)) - older*int((t.age-ageOf(data))&ageMask)
		if data == 0 {
			worth = -1 << 20
		}
		if worth < worst {
			victim, worst = i, worth
		}
	}
	t.put(at, victim, key, e)
}

// put stores e in the i-th slot of the bucket with the number at.
func (t *Table) put(at uint64, i int, key uint64, e Entry) {
	t.buckets[at][i].store(key, pack(e, t.age))
	if u := &t.used[at/chunk]; !u.Load() {
		u.Store(true)
	}
}

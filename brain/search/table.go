package search

import (
	"math/bits"
	"sync/atomic"

	"tengen/brain/board"
)

// A bound is the relation of a stored value to the true one.
type bound uint8

const (
	noBound bound = iota
	upper         // the true value is at most this
	lower         // at least this
	exact
)

// An entry is what the table holds about a position, unpacked.
type entry struct {
	move   board.Move // best or refuting move, or None
	value  Value      // from the position's own ply: see toTable
	static Value      // static value without its correction, or noValue
	depth  int        // plies, minDepth..maxDepth
	bound  bound
	pv     bool // the position has been on a principal variation
}

const (
	minDepth = -2  // plies; the depth of quiescence results from further down a run of fours
	maxDepth = 120 // plies
)

// A slot holds one entry in two words. check is key XOR data: if two workers write at once
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

// A hashTable remembers results of earlier searches by position hash. All workers use it
// without locks. Not safe to resize or clear during a search.
type hashTable struct {
	size    int      // buckets
	buckets []bucket // those in use: the first of memory.all; nil before the first search
	age     uint64   // of the running search, 0..ageMask
	fresh   bool     // no search has begun since it was emptied
	memory  tableMemory
}

const (
	bucketBytes = 64
	chunk       = 1024 // buckets that are cleared together
)

// resize makes the table at most size bytes, and empty if its size changes, in no time. At least
// one bucket remains. The memory is allocated when it is first needed, by begin, since
// managers tell how much it may be just before the first move, or change it then.
func (t *hashTable) resize(size int64) {
	n := int(max(size/bucketBytes, 1))
	if n == t.size {
		return
	}
	t.free()
	t.size = n
}

// free gives the memory back.
func (t *hashTable) free() {
	t.memory.free()
	t.buckets = nil
	t.age = 0
}

// clear empties the table, within some milliseconds: a large one is emptied in the background, and
// the searches until then use a part.
func (t *hashTable) clear() {
	t.memory.empty()
	t.buckets = t.buckets[:min(len(t.buckets), t.memory.count())]
	t.age, t.fresh = 0, true
}

// begin starts a new search: older entries are replaced first. If it is a short one it takes no
// more of the table than what is ready, else all; or all that is empty after clear by the time that
// enough, if not nil, returns true. A search of few nodes takes its buckets as they are, in small pages.
// Where the number of buckets in use changes, what was stored before is not found again, since entries
// have other places, and gives way as it grows old.
func (t *hashTable) begin(short, few bool, enough func() bool) {
	if t.memory.all == nil {
		t.memory.allocate(t.size)
		t.fresh = true
	}
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

// The data word has, from its lowest bit: move 10 bits, value 16, static 16, depth 8, bound
// 2, pv 1, age 6.
const (
	moveMask  = 1<<10 - 1
	boundMask = 1<<2 - 1
	ageMask   = 1<<6 - 1

	valueBit  = 10
	staticBit = valueBit + 16
	depthBit  = staticBit + 16
	boundBit  = depthBit + 8
	pvBit     = boundBit + 2
	ageBit    = pvBit + 1
)

func pack(e entry, age uint64) uint64 {
	d := uint64(e.move)&moveMask |
		uint64(uint16(e.value))<<valueBit |
		uint64(uint16(e.static))<<staticBit |
		uint64(uint8(e.depth-minDepth))<<depthBit |
		uint64(e.bound)<<boundBit |
		age<<ageBit
	if e.pv {
		d |= 1 << pvBit
	}
	return d
}

func unpack(d uint64) entry {
	return entry{
		move:   board.Move(d & moveMask),
		value:  Value(int16(d >> valueBit)),
		static: Value(int16(d >> staticBit)),
		depth:  int(uint8(d>>depthBit)) + minDepth,
		bound:  bound(d >> boundBit & boundMask),
		pv:     d>>pvBit&1 != 0,
	}
}

func ageOf(d uint64) uint64 { return d >> ageBit & ageMask }

// index returns the number of the bucket that key may use.
func (t *hashTable) index(key uint64) uint64 {
	i, _ := bits.Mul64(key, uint64(len(t.buckets)))
	return i
}

// prefetch loads the bucket of key into the cache while the processor goes on, so that a
// probe soon afterwards does not wait for memory.
func (t *hashTable) prefetch(key uint64) { prefetch(&t.buckets[t.index(key)]) }

// find returns the data word of key, or 0 if there is none.
func (t *hashTable) find(key uint64) uint64 {
	b := &t.buckets[t.index(key)]
	for i := range b {
		if k, data := b[i].load(); k == key && data != 0 {
			return data
		}
	}
	return 0
}

// store remembers e, in place of what is known of the same position, or of the entry
// of the bucket that is worth least: shallow and old. A much deeper result of the same
// position is kept against a bound.
func (t *hashTable) store(key uint64, e entry) {
	at := t.index(key)
	b := &t.buckets[at]
	victim, worst := 0, 1<<30
	for i := range b {
		k, data := b[i].load()
		if k == key && data != 0 {
			old := unpack(data)
			if e.bound != exact && old.depth > e.depth+tableDeeper && ageOf(data) == t.age {
				return
			}
			if e.move == board.None {
				e.move = old.move
			}
			victim = i
			break
		}
		worth := int(uint8(data>>depthBit)) - tableAge*int((t.age-ageOf(data))&ageMask)
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
func (t *hashTable) put(at uint64, i int, key uint64, e entry) {
	t.buckets[at][i].store(key, pack(e, t.age))
	if u := &t.memory.used[at/chunk]; !u.Load() {
		u.Store(true)
	}
}

// unknown is what probe returns where the table holds nothing.
var unknown = entry{value: noValue, static: noValue}

// probe returns what the table knows of the position at ply, with the value as seen from
// the root; values that it does not know are noValue.
func (w *worker) probe(key uint64, ply int) (e entry, hit bool) {
	data := w.table.find(key)
	if data == 0 {
		return unknown, false
	}
	e = unpack(data)
	if e.move != board.None && w.b.Cell(e.move) != board.Empty { // another position with the same key
		return unknown, false
	}
	if e.bound == noBound {
		e.value = noValue
	} else {
		e.value = fromTable(e.value, ply)
	}
	return e, true
}

// decides reports whether the value of e, searched to depth at least, suffices for the
// window.
func (e *entry) decides(alpha, beta Value, depth int) bool {
	return e.value != noValue && e.depth >= depth &&
		(e.bound == exact || e.bound == lower && e.value >= beta || e.bound == upper && e.value <= alpha)
}

// proves returns 1 if e is of a proven win, -1 if it is of a proven loss, else 0. A bound that
// says how good a position is at best proves no win, however good that is.
func (e *entry) proves() int {
	switch {
	case e.value == noValue:
	case e.value >= WinFloor && e.bound&lower != 0:
		return 1
	case e.value <= -WinFloor && e.bound&upper != 0:
		return -1
	}
	return 0
}

// refine returns the value of e if it is a better estimate than the static value.
func (e *entry) refine(static Value) Value {
	if e.value != noValue &&
		(e.bound == exact || e.bound == lower && e.value > static || e.bound == upper && e.value < static) {
		return e.value
	}
	return static
}

// boundOf returns the bound of v, the result of a search with the window (alpha, beta).
func boundOf(v, alpha, beta Value) bound {
	switch {
	case v >= beta:
		return lower
	case v > alpha:
		return exact
	}
	return upper
}

// toTable converts a value at ply for the table: proven values there count plies from the
// position, in the search from the root. fromTable is its inverse.
func toTable(v Value, ply int) Value { return v.nearer(ply) }

func fromTable(v Value, ply int) Value { return v.nearer(-ply) }

package continuous

import (
	"tengen/brain/board"
	"tengen/brain/internal/mapped"
)

// An entry is what the table holds about a position. An empty one has depth 0.
type entry struct {
	key         uint64
	least, most Value      // between which the true value lies
	move        board.Move // the best or refuting move, or None
	depth       int        // plies
}

// decides returns the value for the window, if the entry tells it.
func (e *entry) decides(alpha, beta Value) (v Value, ok bool) {
	switch {
	case e.least >= beta || e.least == e.most:
		return e.least, true
	case e.most <= alpha:
		return e.most, true
	}
	return 0, false
}

// A table remembers results by position hash. Two entries share a place: the deeper one and
// the last one.
type table struct {
	memory  *mapped.Memory[entry]
	entries []entry // all of the memory
	used    bool    // something was stored
}

const entryBytes = 32

// newTable returns a table of about the given size in bytes, two entries at least.
func newTable(bytes int64) table {
	memory := mapped.Make[entry](int(max(bytes/entryBytes, 2) &^ 1))
	return table{memory: memory, entries: memory.All()}
}

// clear empties the table. A large one gets new memory, which is faster than to clear the old. Memory that was never stored to is left alone, since the system may not have allocated it
// yet: that would take tens of milliseconds of the first move.
func (t *table) clear() {
	switch bytes := int64(len(t.entries)) * entryBytes; {
	case !t.used:
	case mapped.Outside(bytes):
		t.memory.Free()
		*t = newTable(bytes)
	default:
		clear(t.entries)
		t.used = false
	}
}

func (t *table) at(key uint64) int { return int(key % uint64(len(t.entries)/2) * 2) }

// probe returns what is known of the position, with depth 0 if nothing is.
func (t *table) probe(key uint64) entry {
	for i := t.at(key); ; i++ {
		if e := &t.entries[i]; e.key == key && e.depth > 0 {
			return *e
		}
		if i&1 != 0 {
			return entry{}
		}
	}
}

// store notes that a search to depth plies in the window (alpha, beta) found the value v.
func (t *table) store(key uint64, v, alpha, beta Value, depth int, move board.Move) {
	e := entry{key, v, v, move, depth}
	switch {
	case v <= alpha:
		e.least = -infinity
	case v >= beta:
		e.most = infinity
	}
	i := t.at(key)
	old := &t.entries[i]
	if old.key != key && old.depth > e.depth {
		old.depth-- // it gives way in time
		old = &t.entries[i+1]
	}
	if e.move == board.None && old.key == key {
		e.move = old.move
	}
	*old = e
	t.used = true
}

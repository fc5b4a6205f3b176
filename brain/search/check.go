package search

import (
	"fmt"
	"runtime/debug"

	"tengen/brain/board"
)

// checkBoard panics if b is not what follows from its stones. Only the debug build checks.
func checkBoard(b *board.Board) {
	if !selfCheck {
		return
	}
	if err := b.Check(); err != nil {
		panic("self-check: " + err.Error())
	}
}

// checkTable notes as a failure of the search if the hash table was damaged. Only the debug
// build checks.
func (p *Pool) checkTable() {
	p.table.mixed = p.table.mixed || len(p.workers) > 1
	if !selfCheck || p.table.mixed {
		return
	}
	if err := p.table.check(); err != nil {
		p.failures = append(p.failures, Failure{err.Error(), string(debug.Stack())})
	}
}

// sealBit is the first of the bits above the fields of a data word, in which the debug build
// keeps a sum of key and data.
const sealBit = ageBit + 6

// sealed returns the data word with its sum, or as it is if not in the debug build.
func sealed(key, data uint64) uint64 {
	if !selfCheck {
		return data
	}
	return data | seal(key, data)<<sealBit
}

// seal returns the sum, 64-sealBit bits, which differs if any one bit of a slot is flipped:
// each bit of the data counts in another place than the same bit of the key, which changes
// with it, and than itself within the sum.
func seal(key, data uint64) uint64 {
	const bits = 64 - sealBit
	data &= 1<<sealBit - 1
	sum := uint64(0)
	for i := 0; i < 64; i += bits {
		part := data >> i & (1<<bits - 1)
		sum ^= key>>i&(1<<bits-1) ^ part<<1&(1<<bits-1) ^ part>>(bits-1)
	}
	return sum
}

// check removes the entries that no store can have left, and returns an error that says how
// many there were. It is not for a table to which several workers stored: two may mix a slot,
// whose key then belongs to no position.
func (t *hashTable) check() error {
	damaged := 0
	for i := range t.buckets {
		if !t.used[i/chunk].Load() {
			continue
		}
		for j := range t.buckets[i] {
			s := &t.buckets[i][j]
			key, data := s.load()
			if key == 0 && data == 0 || data>>sealBit == seal(key, data) && t.index(key) == uint64(i) && unpack(data).depth <= maxDepth {
				continue
			}
			s.store(0, 0)
			damaged++
		}
	}
	if damaged > 0 {
		return fmt.Errorf("self-check: %d damaged entries of the hash table are removed", damaged)
	}
	return nil
}

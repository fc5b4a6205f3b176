package threat

import (
	"math/bits"

	"tengen/brain/internal/mapped"
)

// An estimate holds the proof and disproof numbers of a position: how much work a proof and
// a disproof are still expected to be. Proof 0 and disproof infinite is a win of the
// attacker; proof infinite and disproof 0 means that none of the moves searched wins.
type estimate struct{ proof, disproof uint32 }

const infinite = 1 << 30

var (
	proven    = estimate{0, infinite}
	disproven = estimate{infinite, 0}
)

// A proofTable keeps estimates by position hash in fixed memory. A bucket of four keeps
// those that took most work.
type proofTable struct {
	slots      []proofSlot
	memory     *mapped.Memory[proofSlot] // that the slots have outside the heap; nil for none
	mask       uint64
	generation uint32 // of what was stored since the last forget, 1..255
}

type proofSlot struct {
	key      uint32 // high half of the hash; the bucket is chosen by the low half
	proof    uint32
	disproof uint32
	work     uint32 // positions visited below, at most maxWork; the generation above it
}

const (
	bucket   = 4
	workBits = 24
	maxWork  = 1<<workBits - 1
)

// newProofTable returns an empty table of about the given memory.
func newProofTable(bytes int64) proofTable {
	slots := make([]proofSlot, proofSlots(bytes))
	return proofTable{slots: slots, mask: uint64(len(slots) - bucket), generation: 1}
}

// proofSlots returns the number of slots of a table of about the given memory.
func proofSlots(bytes int64) int {
	return 1 << (bits.Len64(max(uint64(bytes)/16, 64)) - 1)
}

// resize makes the table an empty one of about the given memory: see VCF.Resize.
func (t *proofTable) resize(bytes int64) {
	t.memory.Free()
	memory := mapped.Make[proofSlot](proofSlots(bytes))
	slots := memory.All()
	*t = proofTable{slots: slots, memory: memory, mask: uint64(len(slots) - bucket), generation: 1}
}

// free is VCF.Free.
func (t *proofTable) free() {
	t.memory.Free()
	t.slots = nil
}

// forget empties the table. It advances the generation and clears the memory, or gets other memory from
// the system, only once in 255 calls.
func (t *proofTable) forget() {
	t.generation++
	if t.generation > 255 {
		t.slots, t.memory = emptied(t.slots, t.memory)
		t.generation = 1
	}
}

// emptied returns a table with its memory emptied: memory of the system is given back for other memory,
// since pages that were never used would have to be had to clear them.
func emptied[T any](all []T, memory *mapped.Memory[T]) ([]T, *mapped.Memory[T]) {
	if memory == nil || !memory.Outside() {
		clear(all)
		return all, memory
	}
	memory.Free()
	memory = mapped.Make[T](len(all))
	return memory.All(), memory
}

func (t *proofTable) probe(h uint64) (estimate, bool) {
	b := t.slots[h&t.mask:][:bucket]
	for i := range b {
		if b[i].key == uint32(h>>32) && b[i].work>>workBits == t.generation {
			return estimate{b[i].proof, b[i].disproof}, true
		}
	}
	return estimate{}, false
}

func (t *proofTable) store(h uint64, e estimate, work int) {
	b := t.slots[h&t.mask:][:bucket]
	least, fewest := 0, uint32(maxWork+1)
	for i := range b {
		w := b[i].work & maxWork
		if b[i].work>>workBits != t.generation {
			w = 0
		} else if b[i].key == uint32(h>>32) {
			least, work = i, max(work, int(w))
			break
		}
		if w < fewest {
			least, fewest = i, w
		}
	}
	b[least] = proofSlot{uint32(h >> 32), e.proof, e.disproof, t.generation<<workBits | uint32(min(work, maxWork))}
}

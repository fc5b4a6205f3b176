package threat

import "math/bits"

// An estimate is what df-pn knows of a position: how much work it still expects a proof
// and a disproof to be. Proof 0 and disproof infinite is a win of the attacker, proof
// infinite and disproof 0 tells that there is none among the moves that are searched.
type estimate struct{ proof, disproof uint32 }

const infinite = 1 << 30

var (
	proven    = estimate{0, infinite}
	disproven = estimate{infinite, 0}
)

// A proofTable keeps estimates by position hash in fixed memory. A bucket of four keeps
// those that took most work.
type proofTable struct {
	slots []proofSlot
	mask  uint64
}

type proofSlot struct {
	key      uint32 // high half of the hash; the bucket is chosen by the low half
	proof    uint32
	disproof uint32
	work     uint32 // positions visited below, at most; 0 is a free slot
}

const bucket = 4

func (t *proofTable) resize(bytes int64) {
	n := max(uint64(bytes)/16, 64)
	n = 1 << (bits.Len64(n) - 1)
	t.slots = make([]proofSlot, n)
	t.mask = n - bucket
}

func (t *proofTable) clear() { clear(t.slots) }

func (t *proofTable) probe(h uint64) (estimate, bool) {
	b := t.slots[h&t.mask:][:bucket]
	for i := range b {
		if b[i].key == uint32(h>>32) && b[i].work != 0 {
			return estimate{b[i].proof, b[i].disproof}, true
		}
	}
	return estimate{}, false
}

func (t *proofTable) store(h uint64, e estimate, work uint32) {
	b := t.slots[h&t.mask:][:bucket]
	least := &b[0]
	for i := range b {
		if b[i].key == uint32(h>>32) && b[i].work != 0 {
			work = max(work, b[i].work)
			least = &b[i]
			break
		}
		if b[i].work < least.work {
			least = &b[i]
		}
	}
	*least = proofSlot{uint32(h >> 32), e.proof, e.disproof, max(work, 1)}
}

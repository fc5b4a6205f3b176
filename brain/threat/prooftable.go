package threat

import "math/bits"

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

func (t *proofTable) resize(bytes int64) {
	n := max(uint64(bytes)/16, 64)
	n = 1 << (bits.Len64(n) - 1)
	t.slots = make([]proofSlot, n)
	t.mask = n - bucket
	t.generation = 1
}

// forget empties the table. It advances the generation and clears the memory only once in
// 255 calls.
func (t *proofTable) forget() {
	t.generation++
	if t.generation > 255 {
		clear(t.slots)
		t.generation = 1
	}
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

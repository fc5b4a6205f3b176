package solver

import (
	"tengen/brain/board"
	"tengen/brain/threat"
)

// A keptProof is the proof of a win in the position with the hash.
type keptProof struct {
	hash  uint64
	proof *threat.Proof
}

// keep keeps the proof that the side to move on the board wins for the next search.
func (m *Memory) keep(p *threat.Proof) { m.proofs = append(m.proofs, keptProof{m.b.Hash(), p}) }

// forgetProofs drops the proofs, so that they can be freed.
func (m *Memory) forgetProofs() {
	clear(m.proofs)
	m.proofs = m.proofs[:0]
}

// takeProofs returns the proof of the position that the search before has found, nil if there is
// none: the game may have gone on by the move of the proof and any reply, or by a move that it
// refutes. All other proofs are forgotten, except one that the last move begins: the next search may
// need it.
func (m *Memory) takeProofs() *threat.Proof {
	b := m.b
	if len(m.proofs) == 0 {
		return nil
	}
	proof, begun := m.proofAt(b.Hash(), board.None), (*threat.Proof)(nil)
	last, reply := b.Back(2), b.Back(1)
	var before uint64
	if reply != board.None {
		b.Undo()
		before = b.Hash()
		begun = m.proofAt(before, reply)
		if proof == nil && last != board.None {
			b.Undo()
			if proof = m.proofAt(b.Hash(), last); proof != nil {
				proof = proof.After(reply)
			}
			b.Play(last)
		}
		b.Play(reply)
	}
	m.forgetProofs()
	if begun != nil {
		m.proofs = append(m.proofs, keptProof{before, begun})
	}
	return proof
}

// proofAt returns the proof that is kept of the position with the hash and begins with first,
// or with any move if that is None; nil if there is none.
func (m *Memory) proofAt(hash uint64, first board.Move) *threat.Proof {
	for _, k := range m.proofs {
		if k.hash == hash && (first == board.None || k.proof.Move == first) {
			return k.proof
		}
	}
	return nil
}

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
func (s *Solver) keep(p *threat.Proof) { s.proofs = append(s.proofs, keptProof{s.b.Hash(), p}) }

// forgetProofs drops the proofs, so that they can be freed.
func (s *Solver) forgetProofs() {
	clear(s.proofs)
	s.proofs = s.proofs[:0]
}

// takeProofs returns the proof of the position that the search before has found, nil if there is
// none: the game may have gone on by the move of the proof and any reply, or by a move that it
// refutes. All other proofs are forgotten, except one that the last move begins: the next search may
// need it.
func (s *Solver) takeProofs() *threat.Proof {
	b := s.b
	if len(s.proofs) == 0 {
		return nil
	}
	proof, begun := s.proofAt(b.Hash(), board.None), (*threat.Proof)(nil)
	last, reply := b.Back(2), b.Back(1)
	var before uint64
	if reply != board.None {
		b.Undo()
		before = b.Hash()
		begun = s.proofAt(before, reply)
		if proof == nil && last != board.None {
			b.Undo()
			if proof = s.proofAt(b.Hash(), last); proof != nil {
				proof = proof.After(reply)
			}
			b.Play(last)
		}
		b.Play(reply)
	}
	s.forgetProofs()
	if begun != nil {
		s.proofs = append(s.proofs, keptProof{before, begun})
	}
	return proof
}

// proofAt returns the proof that is kept of the position with the hash and begins with m, or with
// any move if m is None; nil if there is none.
func (s *Solver) proofAt(hash uint64, m board.Move) *threat.Proof {
	for _, k := range s.proofs {
		if k.hash == hash && (m == board.None || k.proof.Move == m) {
			return k.proof
		}
	}
	return nil
}

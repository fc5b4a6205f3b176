package prover

import "tengen/brain/proof"

// Tree returns the proof of s as package proof has it: of a win Proof, of a threat to win the proofs of all
// moves that lose. Nodes that are shared here are shared there. S has a win.
func (s *Solution) Tree() *proof.Node {
	done := map[*Proof]*proof.Node{}
	root := tree(s.Proof, done)
	if s.Holds == nil {
		return root
	}
	root = &proof.Node{Else: root}
	for _, r := range s.Loses {
		if r.Proof != s.Proof {
			root.Replies = append(root.Replies, proof.Reply{Move: r.Move, Answer: tree(r.Proof, done)})
		}
	}
	return root
}

// tree copies p. Done has the nodes that are copied already.
func tree(p *Proof, done map[*Proof]*proof.Node) *proof.Node {
	if p == nil || done[p] != nil {
		return done[p]
	}
	n := &proof.Node{Move: p.Move, Else: tree(p.Else, done)}
	for _, r := range p.Replies {
		n.Replies = append(n.Replies, proof.Reply{Move: r.Move, Answer: tree(r.Next, done)})
	}
	done[p] = n
	return n
}

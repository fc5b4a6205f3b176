package prover

import "tengen/brain/proof"

// Tree returns a proof as package proof has it. Nodes that p shares are shared there, too.
func Tree(p *Proof) *proof.Node { return tree(p, map[*Proof]*proof.Node{}) }

// Tree returns the proof of s: of a win the nodes of Proof, of a threat to win those of all moves that
// lose. The solution is one of a position of a Prover that has a win.
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

package prover

import (
	"cmp"
	"context"

	"tengen/brain/board"
	"tengen/brain/proof"
	"tengen/brain/threat"
)

// Tree returns the proof of s as package proof has it: of a win Proof, of a threat to win the proofs of all
// moves that lose. Nodes that are shared here are shared there. S has a win, and b is its position, which
// is unchanged on return. If ctx ends, the proofs are left as the solver made them, whose fives may be
// taken.
func (s *Solution) Tree(ctx context.Context, b *board.Board) *proof.Node {
	done := map[*Proof]*proof.Node{}
	fit := func(p *Proof) *Proof { return cmp.Or(p.Fit(b, threat.Limits{Stop: ended(ctx)}), p) }
	if s.Holds == nil {
		return tree(fit(s.Proof), done)
	}
	root := &proof.Node{Else: tree(s.Proof, done)}
	for _, r := range s.Loses {
		b.Play(r.Move)
		p := fit(r.Proof)
		b.Undo()
		if p != s.Proof {
			root.Replies = append(root.Replies, proof.Reply{Move: r.Move, Answer: tree(p, done)})
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

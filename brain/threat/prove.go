package threat

import (
	"slices"

	"tengen/brain/board"
)

// proveMore times as many fours as in the search are tried for a VCF that becomes part of a
// proof of a VCT, since the table may have lost entries since then.
const proveMore = 8

// A prover turns what a VCT found into a Proof. It takes the attacker's moves from the
// tables and all else from the rules.
type prover struct {
	v    *VCT
	b    *board.Board
	done map[uint64]*Proof

	fourNodes int // of a VCF
}

// prove returns a proof of the position that the search has just won, nil if the limits
// end the attempt.
func (v *VCT) prove(b *board.Board) *Proof {
	p := prover{v, b, map[uint64]*Proof{}, proveMore * v.fourNodes}
	return p.attack()
}

// attack proves the position, the attacker to move.
func (p *prover) attack() *Proof {
	b, v := p.b, p.v
	h := b.Hash()
	if done := p.done[h]; done != nil {
		return done
	}
	if v.stop != nil && v.stop() {
		return nil
	}
	found := p.fours(maxFours)
	for tries := 0; found == nil && tries < 3; tries++ {
		if e, ok := v.table.probe(h); tries > 0 || !ok || e.proof != 0 {
			// The table has lost its entry for this position or for a child.
			v.solve(b)
			if e, ok := v.table.probe(h); !ok || e.proof != 0 {
				return nil
			}
		}
		base := len(v.stack)
		if _, known := v.expand(b, true, 0); known {
			return nil // a VCF that p.fours does not find
		}
		moves := slices.Clone(v.stack[base:])
		v.stack, v.doubts = v.stack[:base], v.doubts[:base]
		for _, m := range moves {
			if e, ok := v.table.probe(b.HashAfter(m)); ok && e.proof == 0 {
				b.Play(m)
				found = p.defend(m)
				b.Undo()
				if found != nil {
					break
				}
			}
		}
		if v.stopped() {
			break
		}
	}
	p.done[h] = found
	return found
}

// fours proves the position by a VCF of at most the given number of fours, if there is one.
func (p *prover) fours(most int) *Proof {
	b := p.b
	n := p.v.vcf.within(b, Limits{Nodes: p.fourNodes, Stop: p.v.stop}, most)
	if n == 0 {
		return nil
	}
	m := p.v.vcf.Line()[0]
	if b.Class(b.Side(), m) == board.MakesFive {
		return &Proof{Move: m, Plies: 1}
	}
	b.Play(m)
	defer b.Undo()
	five := &Proof{Move: b.Set(b.Side().Other(), board.MakesFive).First(), Plies: 1}
	found := &Proof{Move: m, Plies: 3, Else: five}
	for _, r := range FiveBlocks(b, nil) {
		if b.Legal(r) && !p.reply(found, r, func() *Proof { return p.fours(n/2 - 1) }) {
			return nil
		}
	}
	return found
}

// defend proves the position after the attacker's move m.
func (p *prover) defend(m board.Move) *Proof {
	b := p.b
	s := b.Side()
	if b.Count(s, board.MakesFive) > 0 {
		return nil
	}
	found := &Proof{Move: m, Plies: 3}
	var replies []board.Move
	if b.Count(s.Other(), board.MakesFive) > 0 {
		found.Else = &Proof{Move: b.Set(s.Other(), board.MakesFive).First(), Plies: 1}
		replies = FiveBlocks(b, nil)
	} else {
		b.Pass()
		found.Else = p.fours(maxFours)
		b.Undo()
		if found.Else == nil {
			return nil
		}
		found.Plies = found.Else.Plies + 2
		zone := afterPass(b, found.Else)
		replies = zone.cells.Append(nil)
	}
	for _, r := range replies {
		if b.Legal(r) && !p.reply(found, r, p.attack) {
			return nil
		}
	}
	return found
}

// reply adds to a proof how the attacker wins after the reply m.
func (p *prover) reply(to *Proof, m board.Move, prove func() *Proof) bool {
	p.b.Play(m)
	next := prove()
	p.b.Undo()
	if next == nil {
		return false
	}
	to.Replies = append(to.Replies, Reply{m, next})
	to.Plies = max(to.Plies, next.Plies+2)
	return true
}

// afterPass returns the cells where a move of the side to move on b may hold against p, a
// proof by fours of the position after a pass: its zone and the fours.
func afterPass(b *board.Board, p *Proof) (z zone) {
	b.Pass()
	z.addProof(b, p)
	z.addCounterFours(b)
	b.Undo()
	z.addFours(b)
	return z
}

// addProof adds the cells that a proof by fours of the position b depends on, as a VCF
// search with wantZone does.
func (z *zone) addProof(b *board.Board, p *Proof) {
	if p.Else == nil {
		return
	}
	z.addMove(b, p.Move)
	b.Play(p.Move)
	z.addFives(b, b.Side().Other())
	for _, r := range FiveBlocks(b, nil) {
		if z.addReply(b, r); !b.Legal(r) {
			continue
		}
		b.Play(r)
		z.addProof(b, p.After(r))
		b.Undo()
	}
	b.Undo()
}

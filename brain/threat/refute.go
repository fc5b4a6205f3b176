package threat

import "tengen/brain/board"

// A Refuter finds out which moves a proof of the opponent's refutes, without a search. It
// plays the proof out against the replies that the zones of its wins by fours leave over.
// A Refuter serves one goroutine.
//
// Most moves need not even that. Watch plays the proof out once, from the position after a
// pass, and keeps the cells that it depends on: its stones, its zones, and what decides
// whether a point is forbidden. A stone of the defender elsewhere refutes nothing, unless it
// gives him a four that he has not without it. Such a four lies in five cells, none of them
// the attacker's, with that stone and two others: stones of the defender, or replies of the
// proof. TestRefuter checks it at every cell of many positions.
type Refuter struct {
	proof *Proof
	b     *board.Board
	won   map[step]bool
	limit int // positions of the attacker
	nodes int
	stop  func() bool

	watching bool
	zone     zone // of the whole proof
}

// Watch makes p the proof of r; b is its position, or one with more stones. It reports
// whether p wins there within the limits: Nodes is the positions of the attacker. b is
// unchanged on return.
func (r *Refuter) Watch(p *Proof, b *board.Board, l Limits) bool {
	r.proof, r.zone, r.watching = p, zone{}, true
	won := r.play(b, l)
	r.watching = false
	return won
}

// Refutes reports whether the attacker, who is to move on b, wins by the proof against every
// reply; b is the position of Watch with the stone m of the defender, who has passed there.
// It returns false at the limits too. b is unchanged on return.
func (r *Refuter) Refutes(b *board.Board, m board.Move, l Limits) bool {
	if !r.zone.cells.Has(m) && !r.mayMakeFour(b, m) {
		r.nodes = 0
		return true
	}
	return r.play(b, l)
}

// mayMakeFour reports whether the defender's stone m may be part of a four of his.
func (r *Refuter) mayMakeFour(b *board.Board, m board.Move) bool {
	o := b.Side().Other()
	for d := range board.Directions {
		for i := -4; i <= 0; i++ {
			if r.zone.nearFive(b, o, int(m)+i*board.Step(d), board.Step(d)) {
				return true
			}
		}
	}
	return false
}

// Nodes returns how many positions the last call of Watch or Refutes tried.
func (r *Refuter) Nodes() int { return r.nodes }

func (r *Refuter) play(b *board.Board, l Limits) bool {
	if r.won == nil {
		r.won = map[step]bool{}
	}
	clear(r.won)
	r.b, r.limit, r.nodes, r.stop = b, l.nodes(), 0, l.Stop
	return r.attack(r.proof)
}

// attack reports whether p wins, the attacker to move.
func (r *Refuter) attack(p *Proof) bool {
	b := r.b
	if p.Else == nil {
		if r.watching {
			r.zone.addFives(b, b.Side())
		}
		return b.Count(b.Side(), board.MakesFive) > 0
	}
	at := step{b.Hash(), p}
	if r.won[at] {
		return true
	}
	if r.nodes++; r.nodes > r.limit || r.nodes&63 == 0 && r.stop != nil && r.stop() {
		return false
	}
	if !b.Legal(p.Move) {
		return false
	}
	if r.watching {
		r.zone.addMove(b, p.Move)
	}
	b.Play(p.Move)
	won := r.defend(p)
	b.Undo()
	if won {
		r.won[at] = true
	}
	return won
}

// defend tries the replies to p.Move that may hold.
func (r *Refuter) defend(p *Proof) bool {
	b := r.b
	s := b.Side()
	if b.Count(s, board.MakesFive) > 0 {
		return false
	}
	var buffer [2 * board.Cells]board.Move
	var replies []board.Move
	if b.Count(s.Other(), board.MakesFive) > 0 {
		replies = FiveBlocks(b, buffer[:0])
		if r.watching {
			r.zone.addFives(b, s.Other())
		}
	} else {
		b.Pass()
		won := p.Else.Else != nil && r.attack(p.Else)
		b.Undo()
		if !won {
			return false
		}
		zone := afterPass(b, p.Else)
		for _, reply := range p.Replies {
			// It may be none of those here, but p has an answer of its own to it.
			zone.addEmpty(b, reply.Move)
		}
		replies = zone.cells.Append(buffer[:0])
	}
	legal := false
	for _, m := range replies {
		if r.watching {
			r.zone.addReply(b, m)
		}
		if !b.Legal(m) {
			continue
		}
		legal = true
		b.Play(m)
		won := r.attack(p.After(m))
		b.Undo()
		if !won {
			return false
		}
	}
	return legal || b.HasMove()
}

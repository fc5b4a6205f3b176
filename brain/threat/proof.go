package threat

import (
	"errors"
	"fmt"
	"slices"

	"tengen/brain/board"
)

// A Proof is a won position: the attacker's move and what follows it. Positions that can
// be reached in several ways share their proof.
type Proof struct {
	Move    board.Move // of the attacker, who is to move
	Plies   int        // to the five at most, Move included: odd
	Replies []Reply    // those that matter
	Else    *Proof     // wins against every other reply; nil if Move makes the five
}

// A Reply is a move of the defender with the attacker's continuation.
type Reply struct {
	Move board.Move
	Next *Proof
}

// on returns the move with which p wins on b: at the end any five, since in a position that p was
// not made for its own may be none. It is None if p wins on b no more.
func (p *Proof) on(b *board.Board) board.Move {
	legal := b.Legal(p.Move)
	switch {
	case p.Else == nil && !(legal && b.Class(b.Side(), p.Move) == board.MakesFive):
		return b.Set(b.Side(), board.MakesFive).First()
	case !legal:
		return board.None
	}
	return p.Move
}

// Line returns a line of p.Plies moves from b, the position of p: the attacker's moves
// and replies that last longest. From another position where p wins it may be shorter.
func (p *Proof) Line(b *board.Board) []board.Move {
	var line []board.Move
	for p != nil {
		m := p.on(b)
		if m == board.None {
			break
		}
		line = append(line, m)
		b.Play(m)
		next := p.Else
		reply := board.None
		for _, r := range p.Replies {
			if (reply == board.None && r.Next.Plies >= next.Plies || r.Next.Plies > next.Plies) && b.Legal(r.Move) {
				reply, next = r.Move, r.Next
			}
		}
		if next != nil {
			if reply == board.None {
				others := *b.Open()
				for _, r := range p.Replies {
					others.Remove(r.Move)
				}
				if reply = b.CentralOf(others); reply == board.None {
					break
				}
			}
			line = append(line, reply)
			b.Play(reply)
		}
		p = next
	}
	for range line {
		b.Undo()
	}
	return line
}

// Check plays p out on b against every legal reply. The error names the first move found
// after which the attacker does not win. It uses neither tables nor zones. b is unchanged
// on return.
func (p *Proof) Check(b *board.Board) error { return p.check(b, Limits{}) }

// check is Check that gives up at the limits: Nodes is the positions of the attacker.
func (p *Proof) check(b *board.Board, l Limits) error {
	return (&checker{b: b, seen: map[step]bool{}, left: l.nodes(), stop: l.Stop}).attack(p)
}

// Stops appends to dst the legal moves of the side to move on b that are not shown to lose
// to p, a proof of the opponent's from the position after a pass: after any other move the
// opponent wins as p shows. A Refuter has the limits for each move, so that moves that do
// lose may be listed, and with small limits most are. b is unchanged on return.
func (p *Proof) Stops(b *board.Board, l Limits, dst []board.Move) []board.Move {
	var r Refuter
	b.Pass()
	watched := r.Watch(p, b, l)
	b.Undo()
	for _, m := range b.Open().Append(nil) {
		if !b.Legal(m) {
			continue
		}
		stops := !watched || b.Class(b.Side(), m) == board.MakesFive
		if !stops {
			b.Play(m)
			stops = !r.Refutes(b, m, l)
			b.Undo()
		}
		if stops {
			dst = append(dst, m)
		}
	}
	return dst
}

var errLimit = errors.New("limit reached")

// A checker plays proofs out. A proof that has won in a position is not played out there
// again.
type checker struct {
	b    *board.Board
	seen map[step]bool
	left int // positions
	stop func() bool
}

type step struct {
	hash  uint64
	proof *Proof
}

func (c *checker) attack(p *Proof) error {
	b := c.b
	at := step{b.Hash(), p}
	if c.seen[at] {
		return nil
	}
	if c.left--; c.left < 0 || c.left&255 == 0 && c.stop != nil && c.stop() {
		return errLimit
	}
	s := b.Side()
	if p.Else == nil {
		// Any five is as good as the one of the proof.
		if b.Count(s, board.MakesFive) == 0 {
			return fmt.Errorf("no five at %v", p.Move)
		}
		return nil
	}
	if !b.Legal(p.Move) {
		return fmt.Errorf("%v cannot be played", p.Move)
	}
	b.Play(p.Move)
	err := c.defend(p)
	b.Undo()
	if err != nil {
		return fmt.Errorf("%v %w", p.Move, err)
	}
	c.seen[at] = true
	return nil
}

// defend tries all replies to p.Move.
func (c *checker) defend(p *Proof) error {
	b := c.b
	s := b.Side()
	if b.Count(s, board.MakesFive) > 0 {
		return fmt.Errorf("lets %v make a five", s)
	}
	var replies []board.Move
	if b.Count(s.Other(), board.MakesFive) > 0 {
		// FiveBlocks misses nothing, and every other move loses at once.
		replies = FiveBlocks(b, nil)
		if !b.HasMove() {
			return fmt.Errorf("leaves %v no move", s)
		}
	} else {
		replies = b.Open().Append(nil)
	}
	legal := false
	for _, m := range replies {
		if !b.Legal(m) {
			continue
		}
		legal = true
		b.Play(m)
		err := c.attack(p.After(m))
		b.Undo()
		if err != nil {
			return fmt.Errorf("%v %w", m, err)
		}
	}
	if !legal && b.Count(s.Other(), board.MakesFive) == 0 {
		return fmt.Errorf("leaves %v no move", s)
	}
	return nil
}

// Fit returns p with the moves that win on b, and no others: p may end with any five, and one that a reply
// has taken is not the move of a node there. Nodes that need no change are those of p. It is nil if p does
// not win on b within the limits: Nodes is the positions of the attacker. b is unchanged on return.
func (p *Proof) Fit(b *board.Board, l Limits) *Proof {
	return (&fitter{b: b, done: map[step]*Proof{}, left: l.nodes(), stop: l.Stop}).attack(p)
}

// A fitter fits proofs to positions.
type fitter struct {
	b    *board.Board
	done map[step]*Proof
	left int // positions
	stop func() bool
}

func (f *fitter) attack(p *Proof) *Proof {
	b := f.b
	if p.Else == nil && b.Legal(p.Move) && b.Class(b.Side(), p.Move) == board.MakesFive {
		return p
	}
	if five := b.Set(b.Side(), board.MakesFive).First(); five != board.None {
		return &Proof{Move: five, Plies: 1}
	}
	if p.Else == nil || !b.Legal(p.Move) {
		return nil
	}
	at := step{b.Hash(), p}
	if fit, ok := f.done[at]; ok {
		return fit
	}
	if f.left--; f.left < 0 || f.left&255 == 0 && f.stop != nil && f.stop() {
		return nil
	}
	b.Play(p.Move)
	fit := f.defend(p)
	b.Undo()
	f.done[at] = fit
	return fit
}

// defend tries the replies to p.Move.
func (f *fitter) defend(p *Proof) *Proof {
	b := f.b
	if b.Count(b.Side(), board.MakesFive) > 0 {
		return nil
	}
	replies := *b.Open()
	if p.Else.Else == nil && b.Set(b.Side().Other(), board.MakesFive).Has(p.Else.Move) {
		replies = board.Set{} // all others leave that five
		for _, m := range FiveBlocks(b, nil) {
			replies.Add(m)
		}
		for _, r := range p.Replies {
			replies.Add(r.Move)
		}
	}
	fit := *p
	fit.Replies = slices.Clone(p.Replies)
	changed := false
	for _, m := range replies.Append(nil) {
		if !b.Legal(m) {
			continue
		}
		was := p.After(m)
		b.Play(m)
		next := f.attack(was)
		b.Undo()
		if next == nil {
			return nil
		}
		if next != was {
			changed = true
			fit.Replies = slices.DeleteFunc(fit.Replies, func(r Reply) bool { return r.Move == m })
			fit.Replies = append(fit.Replies, Reply{m, next})
			fit.Plies = max(fit.Plies, next.Plies+2)
		}
	}
	if !changed {
		return p
	}
	return &fit
}

// After returns how p goes on after the reply m to p.Move; nil after the five.
func (p *Proof) After(m board.Move) *Proof {
	for _, r := range p.Replies {
		if r.Move == m {
			return r.Next
		}
	}
	return p.Else
}

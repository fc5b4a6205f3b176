package search

import "tengen/brain/board"

// A lastMove is the result of a search of a pool.
type lastMove struct {
	ply   int    // of the position it was for
	hash  uint64 // of that position
	move  board.Move
	value Value
}

// before returns the value of l if b is the position after its move and one reply, else noValue. It
// compares the number of plies and the move alone, which suffices within one game.
func (l *lastMove) before(b *board.Board) Value {
	if l.move == board.None || b.Ply() != l.ply+2 || b.Move(l.ply) != l.move {
		return noValue
	}
	return l.value
}

// leadsTo reports whether b is the position of l, or follows by any move, or by the move of l
// and a reply.
func (l *lastMove) leadsTo(b *board.Board) bool {
	passed := b.Ply() - l.ply
	if passed < 0 || passed > 2 || passed == 2 && b.Move(l.ply) != l.move {
		return false
	}
	at := b.Clone()
	for range passed {
		at.Undo()
	}
	return at.Hash() == l.hash
}

// win returns the value of b for its side to move if l proved that it wins: with each ply
// since then the five is a ply nearer. Else it is -infinity.
func (l *lastMove) win(b *board.Board) Value {
	passed := b.Ply() - l.ply
	v := l.value
	if passed == 1 {
		v = -v
	}
	if v < WinFloor || !l.leadsTo(b) {
		return -infinity
	}
	return v.nearer(passed)
}

// precedes reports whether b is a ply further, after the move of l, by the same comparison.
func (l *lastMove) precedes(b *board.Board) bool {
	return b.Ply() == l.ply+1 && b.Move(l.ply) == l.move
}

// claims takes the result of a search into p.claim. A win that was claimed before lasts over a
// search of the position after its move, which follows tells, if that shows no shorter one.
func (p *Pool) claims(follows bool, l lastMove) {
	c := &p.claim
	if c.value < WinFloor || !follows || -l.value > c.value+1 {
		*c = l
	}
}

// due returns the value that the search is to come to, since such a win is known before it:
// a static one, or one that was claimed and has to get nearer. It is -infinity if none is.
func (p *Pool) due(b *board.Board) Value {
	v := p.claim.win(b)
	if n := p.workers[0].staticWin(); n > 0 {
		v = max(v, WinIn(n))
	}
	return v
}

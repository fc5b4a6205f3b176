package search

import (
	"tengen/brain/board"
	"tengen/brain/score"
)

// A lastMove is the result of a search of a pool.
type lastMove struct {
	ply   int    // of the position it was for
	hash  uint64 // of that position
	move  board.Move
	value Value
}

// valueBefore returns the value of l if b is the position after its move and one reply, else noValue.
// It compares the number of plies and the move alone, which suffices within one game.
func (l *lastMove) valueBefore(b *board.Board) Value {
	if l.move == board.None || b.Ply() != l.ply+2 || b.Move(l.ply) != l.move {
		return noValue
	}
	return l.value
}

// isBefore reports whether b is the position after the move of l, by the same comparison.
func (l *lastMove) isBefore(b *board.Board) bool {
	return b.Ply() == l.ply+1 && b.Move(l.ply) == l.move
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

// winAt returns the value of b for its side to move if l proved that it wins: with each ply
// since then the five is a ply nearer. Else it is -infinity.
func (l *lastMove) winAt(b *board.Board) Value {
	passed := b.Ply() - l.ply
	v := l.value
	if passed == 1 {
		v = -v
	}
	if v < score.WinFloor || !l.leadsTo(b) {
		return -infinity
	}
	return v.Nearer(passed)
}

// noteWin takes the result of a search of b into p.won. A win that was proved before lasts over a
// search of the position after its move, if that shows no shorter one.
func (p *Pool) noteWin(b *board.Board, l lastMove) {
	if p.won.value < score.WinFloor || !p.won.isBefore(b) || -l.value > p.won.value+1 {
		p.won = l
	}
}

// expectedWin returns the value that the search of b is to come to, since such a win is known before
// it: a static one, or one that was proved and has to get nearer. It is -infinity if none is.
func (p *Pool) expectedWin(b *board.Board) Value {
	v := p.won.winAt(b)
	if plies := p.workers[0].staticWin(); plies > 0 {
		v = max(v, score.WinIn(plies))
	}
	return v
}

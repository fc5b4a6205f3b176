package record

import (
	"errors"
	"slices"

	"tengen/brain/board"
)

// inTurn returns stones that are set up as moves in turn: in the order given, or, if a stone is
// forbidden there, in one that the rule allows. Only what stands before it makes a stone forbidden,
// and the order of a file is often that of the cells. With no such order it is the one given.
func (t *Tree) inTurn(setup [2][]board.Move) []board.Move {
	given := make([]board.Move, len(setup[0])+len(setup[1]))
	for i := range given {
		given[i] = setup[i&1][i/2]
	}
	b, err := board.New(t.Rule, t.Width, t.Height)
	if err == nil {
		err = b.PlayAll(given)
	}
	if !errors.Is(err, board.ErrForbidden) || distinct(given) != nil {
		return given
	}
	moves := slices.Clone(given)
	for n := len(moves); n > 0; n-- {
		if !putLast(b, moves[:n]) {
			return given
		}
	}
	return moves
}

// putLast puts a move to the end that is legal after all others and does not win, the latest one
// of its side. It reports whether there is one, and plays on b.
func putLast(b *board.Board, moves []board.Move) bool {
	last := len(moves) - 1
	for k := last; k >= 0; k -= 2 {
		m := moves[k]
		for i := k; i < last; i += 2 {
			moves[i] = moves[i+2]
		}
		b.Reset()
		for _, other := range moves[:last] {
			b.Play(other)
		}
		if b.Try(m.X(), m.Y()) == nil && !b.Wins(b.Side(), m) {
			moves[last] = m
			return true
		}
		for i := last; i > k; i -= 2 {
			moves[i] = moves[i-2]
		}
		moves[k] = m
	}
	return false
}

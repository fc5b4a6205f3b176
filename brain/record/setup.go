package record

import (
	"errors"
	"slices"

	"tengen/brain/board"
)

// InTurn returns stones that are set up as moves in turn, Black first, with board.None for a pass
// of the side that has no more of them. Each side plays its stones in the order given, or, if the
// rule forbids one there, in an order that it allows: what stands before a stone can forbid it, and
// the order of a file is often that of the cells. If none is found it is the order given.
func InTurn(rule board.Rule, width, height int, black, white []board.Move) []board.Move {
	given := make([]board.Move, max(2*len(black)-1, 2*len(white)))
	for i := range given {
		if list := [...][]board.Move{black, white}[i&1]; i/2 < len(list) {
			given[i] = list[i/2]
		}
	}
	b, err := board.New(rule, width, height)
	if err == nil {
		err = b.PlayAll(given)
	}
	if !errors.Is(err, board.ErrForbidden) || distinct(slices.Concat(black, white)) != nil {
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

// lastOnes is how many stones of a side are tried as the last one; few are forbidden in a position
// that a game can reach.
const lastOnes = 16

// putLast puts a move to the end that is legal after all others and does not win, the latest one
// of its side. It reports whether there is one, and plays on b.
func putLast(b *board.Board, moves []board.Move) bool {
	last := len(moves) - 1
	for k := last; k >= 0 && k > last-2*lastOnes; k -= 2 {
		m := moves[k]
		for i := k; i < last; i += 2 {
			moves[i] = moves[i+2]
		}
		b.Reset()
		for _, other := range moves[:last] {
			if other == board.None {
				b.Pass()
			} else {
				b.Play(other)
			}
		}
		if m == board.None || b.Try(m.X(), m.Y()) == nil && !b.Wins(b.Side(), m) {
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

package threat

import (
	"runtime/debug"

	"tengen/brain/board"
)

// A board has room for the longest history, some hundred kilobytes: tests that make thousands would
// collect garbage most of their time.
func init() { debug.SetGCPercent(400) }

// The slow twin of the solver: every move of both sides, no tables, no zones.

// fullWin reports whether the side to move wins within the given number of plies, against
// every legal reply. A win in three plies begins with a four.
func fullWin(b *board.Board, plies int) bool {
	s := b.Side()
	all := empties(b)
	if wins(b, s, all) {
		return true
	}
	if plies < 3 {
		return false
	}
	for _, m := range all {
		if !b.Legal(m) {
			continue
		}
		b.Play(m)
		won := (plies > 3 || wins(b, s, empties(b))) && fullLoss(b, plies-1)
		b.Undo()
		if won {
			return true
		}
	}
	return false
}

// fullLoss reports whether every legal move of the side to move, of which there is one at
// least, loses within the given number of plies.
func fullLoss(b *board.Board, plies int) bool {
	all := empties(b)
	if plies < 2 || wins(b, b.Side(), all) {
		return false
	}
	legal := false
	for _, m := range all {
		if !b.Legal(m) {
			continue
		}
		legal = true
		b.Play(m)
		lost := fullWin(b, plies-1)
		b.Undo()
		if !lost {
			return false
		}
	}
	return legal
}

package opener

import (
	"tengen/brain/board"
	"tengen/brain/book"
	"tengen/brain/score"
)

// shape returns three cells of a random box of five by five, drawn from the whole board.
func (c *chooser) shape() [3]board.Move {
	left, top := c.Random.Below(c.b.Width()-4), c.Random.Below(c.b.Height()-4)
	for {
		var m [3]board.Move
		for i := range m {
			m[i] = board.At(left+c.Random.Below(5), top+c.Random.Below(5))
		}
		if m[0] != m[1] && m[0] != m[2] && m[1] != m[2] {
			return m
		}
	}
}

// A candidate is two or three stones, and how uneven the position after them is.
type candidate struct {
	moves [3]board.Move
	off   score.Value // not negative
}

// keep sorts o into the best candidates, the most even first, and drops the last.
func keep(best []candidate, o candidate) {
	for i := range best {
		if o.off < best[i].off {
			best[i], o = o, best[i]
		}
	}
}

// propose chooses the first three stones: some that are known to be even, in a random symmetry,
// or if none are known for the rule and the size of the board, of many shapes those that a short
// search finds most even for white, who moves next, and of these the one that a longer search
// does. The other side chooses its color, so even is best.
func (c *chooser) propose() [3]board.Move {
	w, h := c.b.Width(), c.b.Height()
	if list := book.Proposals(c.b.Rule(), w, h); len(list) > 0 {
		moves, s := list[c.Random.Below(len(list))], c.Random.Below(board.SymmetriesOf(w, h))
		var stones [3]board.Move
		for i, m := range moves {
			stones[i] = board.Transform(m, s, w, h)
		}
		return stones
	}
	best := make([]candidate, secondSearched)
	for i := range best {
		best[i] = candidate{c.shape(), score.Win}
	}
	for i := 0; i < firstSearched && (i == 0 || !c.Budget.Over()); i++ {
		moves := c.shape()
		keep(best, candidate{moves, c.valueAfter(moves[:], 2*firstSearched).Abs()})
	}
	chosen := best[0]
	chosen.off = score.Win
	for i, o := range best {
		if i > 0 && (c.Budget.Over() || o.off > tooUneven) {
			break
		}
		if o.off = c.valueAfter(o.moves[:], 2*secondSearched).Abs(); o.off < chosen.off {
			chosen = o
		}
	}
	return chosen.moves
}

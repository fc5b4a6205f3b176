package brain

import (
	"errors"
	"slices"

	"tengen/brain/board"
	"tengen/brain/search"
)

// ErrBlocked is returned if no move is left that may be played.
var ErrBlocked = errors.New("every move is blocked")

// blocks are the moves that the user of the manager does not want to see. They stay in force
// for later positions and games until they are undone.
type blocks struct {
	cells []board.Move   // not played from the position that is searched
	paths [][]board.Move // of moves from the empty board; the last is not played
	by    [2]board.Set   // never played by Black, and by White
}

// Block forbids a move from the position that is searched, or allows it again.
func (e *Engine) Block(m board.Move, on bool) {
	e.blocks.cells = slices.DeleteFunc(e.blocks.cells, func(old board.Move) bool { return old == m })
	if on {
		e.blocks.cells = append(e.blocks.cells, m)
	}
}

// BlockPath forbids the last move of path from the position that the moves before it lead to,
// black first, or allows it again. A path that is not a legal game has no effect.
func (e *Engine) BlockPath(path []board.Move, on bool) {
	if len(path) == 0 {
		return
	}
	e.blocks.paths = slices.DeleteFunc(e.blocks.paths, func(old []board.Move) bool { return slices.Equal(old, path) })
	if on {
		e.blocks.paths = append(e.blocks.paths, slices.Clone(path))
	}
}

// BlockFor forbids a cell to Black or White wherever it is empty, or allows it again.
func (e *Engine) BlockFor(c board.Color, m board.Move, on bool) {
	if on {
		e.blocks.by[c&1].Add(m)
	} else {
		e.blocks.by[c&1].Remove(m)
	}
}

// Unblock undoes every Block, or with paths every BlockPath.
func (e *Engine) Unblock(paths bool) {
	if paths {
		e.blocks.paths = nil
	} else {
		e.blocks.cells = nil
	}
}

// restrictions returns what the blocks and the options forbid at the position of root and after
// it, nil for nothing.
func (e *Engine) restrictions(o Options, root *board.Board) *search.Restrictions {
	r := &search.Restrictions{Root: slices.Clone(e.blocks.cells), Cells: e.blocks.by, DrawFor: o.DrawFor}
	if o.MaxMoves < e.width*e.height { // else the board is full first
		r.MaxMoves = o.MaxMoves
	}
	if len(e.blocks.paths) > 0 {
		r.Paths = map[uint64][]board.Move{}
		b := root.Clone()
		for _, path := range e.blocks.paths {
			before, last := path[:len(path)-1], path[len(path)-1]
			b.Reset()
			if b.PlayAll(before) == nil && b.Try(last.X(), last.Y()) == nil && (o.Rule&board.Continuous != 0 || contains(b, root)) {
				r.Paths[b.Hash()] = append(r.Paths[b.Hash()], last)
			}
		}
	}
	if !r.ChangeGame() {
		return nil
	}
	return r
}

// contains reports whether b has all stones and blocked cells of other. Otherwise no game leads from
// other to b, unless its rows become blocked cells.
func contains(b, other *board.Board) bool {
	for y := range b.Height() {
		for x := range b.Width() {
			m := board.At(x, y)
			if c := other.Cell(m); c != board.Empty && c != b.Cell(m) {
				return false
			}
		}
	}
	return true
}

// withoutRoot returns r for positions other than the current one of the game; nil if r is nil.
func withoutRoot(r *search.Restrictions) *search.Restrictions {
	if r == nil {
		return nil
	}
	other := *r
	other.Root = nil
	return &other
}

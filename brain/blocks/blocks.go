// Package blocks has the moves that a user does not want to see, and what a search is forbidden by them.
package blocks

import (
	"slices"

	"tengen/brain/board"
	"tengen/brain/search"
)

// Blocks are the moves that the user of the manager does not want to see. They stay in force
// for later positions and games until they are undone. The zero value has none.
type Blocks struct {
	cells []board.Move   // not played from the position that is searched
	paths [][]board.Move // of moves from the empty board; the last is not played
	by    [2]board.Set   // never played by Black, and by White
}

// Block forbids a move from the position that is searched, or allows it again.
func (k *Blocks) Block(m board.Move, on bool) {
	k.cells = slices.DeleteFunc(k.cells, func(old board.Move) bool { return old == m })
	if on {
		k.cells = append(k.cells, m)
	}
}

// BlockPath forbids the last move of path from the position that the moves before it lead to,
// black first, or allows it again. A path that is not a legal game has no effect.
func (k *Blocks) BlockPath(path []board.Move, on bool) {
	if len(path) == 0 {
		return
	}
	k.paths = slices.DeleteFunc(k.paths, func(old []board.Move) bool { return slices.Equal(old, path) })
	if on {
		k.paths = append(k.paths, slices.Clone(path))
	}
}

// BlockFor forbids a cell to Black or White wherever it is empty, or allows it again.
func (k *Blocks) BlockFor(c board.Color, m board.Move, on bool) {
	if on {
		k.by[c&1].Add(m)
	} else {
		k.by[c&1].Remove(m)
	}
}

// Unblock undoes every Block, or with paths every BlockPath.
func (k *Blocks) Unblock(paths bool) {
	if paths {
		k.paths = nil
	} else {
		k.cells = nil
	}
}

// Restrictions returns what the blocks forbid at the position of root and after it.
func Restrictions(k *Blocks, root *board.Board) *search.Restrictions {
	r := &search.Restrictions{Root: slices.Clone(k.cells), Cells: k.by}
	if len(k.paths) == 0 {
		return r
	}
	r.Paths = map[uint64][]board.Move{}
	b := root.Clone()
	for _, path := range k.paths {
		before, last := path[:len(path)-1], path[len(path)-1]
		b.Reset()
		if b.PlayAll(before) == nil && b.Try(last.X(), last.Y()) == nil && (b.Rule()&board.Continuous != 0 || contains(b, root)) {
			r.Paths[b.Hash()] = append(r.Paths[b.Hash()], last)
		}
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

// WithoutRoot returns r for positions other than the current one of the game; nil if r is nil.
func WithoutRoot(r *search.Restrictions) *search.Restrictions {
	if r == nil {
		return nil
	}
	other := *r
	other.Root = nil
	return &other
}

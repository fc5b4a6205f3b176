package blocks

import (
	"slices"

	"tengen/brain/board"
	"tengen/brain/search"
)

// Distinct returns r with all but one of each group of symmetric moves of b excluded at the root. Values
// stay the same.
func Distinct(b *board.Board, r *search.Restrictions) *search.Restrictions {
	images := mirrored(b, r)
	if len(images) == 0 {
		return r
	}
	var other search.Restrictions
	if r != nil {
		other = *r
	}
	other.Root = slices.Concat(other.Root, images)
	return &other
}

// mirrored returns the empty cells of a symmetric position, except one of each group that a symmetry
// maps to each other: one that r allows, if there is one.
func mirrored(b *board.Board, r *search.Restrictions) []board.Move {
	w, h := b.Width(), b.Height()
	cells := func(f func(m board.Move)) {
		for y := range h {
			for x := range w {
				f(board.At(x, y))
			}
		}
	}
	var same []int // the symmetries of the position
	for s := 1; s < board.SymmetriesOf(w, h); s++ {
		symmetric := true
		cells(func(m board.Move) {
			symmetric = symmetric && b.Cell(m) == b.Cell(board.Transform(m, s, w, h))
		})
		if symmetric {
			same = append(same, s)
		}
	}
	var list []board.Move
	cells(func(m board.Move) {
		if b.Cell(m) == board.Empty && slices.ContainsFunc(same, func(s int) bool {
			other := board.Transform(m, s, w, h)
			return other < m && r.Allows(b, other)
		}) {
			list = append(list, m)
		}
	})
	return list
}

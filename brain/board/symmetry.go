package board

// Symmetries is the number of transforms that map a square board onto itself.
const Symmetries = 8

// SymmetriesOf returns how many of the transforms, the first ones, map a board of that size
// onto itself: all if it is square, else those that do not swap rows and columns.
func SymmetriesOf(width, height int) int {
	if width == height {
		return Symmetries
	}
	return Symmetries / 2
}

// Transform maps m by the symmetry s of 0..7 of a board of the given size: bit 0
// mirrors left and right, bit 1 mirrors top and bottom, bit 2 swaps rows and columns
// (last), which keeps the size only when width and height are equal.
func Transform(m Move, s, width, height int) Move {
	x, y := m.X(), m.Y()
	if s&1 != 0 {
		x = width - 1 - x
	}
	if s&2 != 0 {
		y = height - 1 - y
	}
	if s&4 != 0 {
		x, y = y, x
	}
	return At(x, y)
}

// TransformBack is the inverse of Transform: it returns the cell of a board of the given size
// that s maps to m.
func TransformBack(m Move, s, width, height int) Move {
	if s&4 != 0 {
		m = At(m.Y(), m.X())
	}
	return Transform(m, s&3, width, height)
}

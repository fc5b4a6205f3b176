package board

import (
	"fmt"
	"strconv"
)

// Geometry of the grid that every board lies in.
const (
	MinSize = 5       // cells, the least width and height
	MaxSize = 22      // cells, the greatest width and height
	Pad     = 5       // wall cells on every side, so that no window leaves the grid
	Stride  = 32      // cells from one row of the grid to the next
	Cells   = 32 * 32 // cells of the grid
)

// ValidSize reports whether a board can have that many columns and rows.
func ValidSize(width, height int) bool {
	return min(width, height) >= MinSize && max(width, height) <= MaxSize
}

// A Color is what a cell holds. The order is load-bearing: c^1 swaps Black and White,
// and each value is the cell's two bits in a line word.
type Color uint8

const (
	Black Color = iota
	White
	Wall // beyond the edge, or blocked
	Empty
)

// Other returns White for Black and Black for White.
func (c Color) Other() Color { return c ^ 1 }

// String gives "black", "white", "wall" or "empty".
func (c Color) String() string {
	return [...]string{"black", "white", "wall", "empty"}[c&3]
}

// A Move is a cell of the padded 32x32 grid: y+Pad rows down, x+Pad columns right.
// Zero is no move. The widest board is 22x22, so five wall cells surround it on
// every side and no neighbor test needs a range check.
type Move uint16

// None is no move. As a move in the history of a Board it is a pass.
const None Move = 0

// At returns the cell in column x and row y, both counted from 0 at the top left.
// It is only meaningful for 0 <= x, y < MaxSize.
func At(x, y int) Move { return Move((y+Pad)*Stride + x + Pad) }

// AtOn returns the cell in column x and row y, or an error if it is not on a board of the
// given size.
func AtOn(x, y, width, height int) (Move, error) {
	if x < 0 || x >= width || y < 0 || y >= height {
		return None, fmt.Errorf("%d,%d is not on a board of %dx%d", x, y, width, height)
	}
	return At(x, y), nil
}

// X returns the column, from 0.
func (m Move) X() int { return int(m)%Stride - Pad }

// Y returns the row, from 0 at the top.
func (m Move) Y() int { return int(m)/Stride - Pad }

// Distance returns how many king moves lie between two cells. None is at least Pad from
// every cell.
func Distance(m, n Move) int {
	dx, dy := m.X()-n.X(), m.Y()-n.Y()
	return max(dx, -dx, dy, -dy)
}

// String gives the move in pos notation: the letter of the column and the number
// of the row from 1 at the top, as in "h8"; "none" for None.
func (m Move) String() string {
	if m == None {
		return "none"
	}
	return string(rune('a'+m.X())) + strconv.Itoa(m.Y()+1)
}

// Label names the move as gomoku sites and front ends do, for people: the letter of the column,
// from the left, and the number of the row from 1 at the bottom of a board of that many rows.
func (m Move) Label(rows int) string {
	return string(rune('a'+m.X())) + strconv.Itoa(rows-m.Y())
}

// ParseMoves reads moves in pos notation written without blanks, as in "h8i9j7",
// and checks that each lies on a board of the given size.
func ParseMoves(s string, width, height int) ([]Move, error) {
	var moves []Move
	for i := 0; i < len(s); {
		x := int(s[i]|0x20) - 'a'
		j, y := i+1, 0
		for j < len(s) && s[j] >= '0' && s[j] <= '9' && y < 100 {
			y = y*10 + int(s[j]-'0')
			j++
		}
		if x < 0 || x >= width || j == i+1 || y < 1 || y > height {
			return nil, fmt.Errorf("bad move at %.4q: want a letter and a number on a %dx%d board", s[i:], width, height)
		}
		moves = append(moves, At(x, y-1))
		i = j
	}
	return moves, nil
}

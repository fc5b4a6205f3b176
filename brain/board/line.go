package board

import "math/bits"

// The four directions a row can have.
const (
	Horizontal = iota // along a row of the board
	Vertical          // along a column
	Falling           // down and right
	Rising            // down and left
	Directions
)

// steps are the distances between neighbors in the grid, by direction.
var steps = [Directions]int{1, Stride, Stride + 1, Stride - 1}

// Step returns the distance from a cell to its next neighbor in direction d, as a
// difference of Moves.
func Step(d int) int { return steps[d] }

// A line word holds the 32 cells of one line of the grid, two bits a cell, each a
// Color. Lines are numbered 0..63 in each direction; the cell's place in its line
// is its column for rows and its row for all others.
type lines [Directions][64]uint64

const allWalls = 0xaaaaaaaaaaaaaaaa // 32 cells of Wall

// clear makes all cells walls.
func (l *lines) clear() {
	for d := range l {
		for i := range l[d] {
			l[d][i] = allWalls
		}
	}
}

// place returns the line of cell m in direction d, and its place there.
func place(m Move, d int) (line, at int) {
	x, y := int(m)%Stride, int(m)/Stride
	switch d {
	case Horizontal:
		return y & 63, x
	case Vertical:
		return x & 63, y
	case Falling:
		return (x - y + 31) & 63, y
	}
	return (x + y) & 63, y
}

// toggle adds the bits to the cell m in all four directions.
func (l *lines) toggle(m Move, bits uint64) {
	x, y := int(m)%Stride, int(m)/Stride
	l[Horizontal][y&63] ^= bits << (2 * x & 63)
	l[Vertical][x&63] ^= bits << (2 * y & 63)
	l[Falling][(x-y+31)&63] ^= bits << (2 * y & 63)
	l[Rising][(x+y)&63] ^= bits << (2 * y & 63)
}

// window returns the cells around the empty cell m in direction d, as tables.look wants them.
func (b *Board) window(m Move, d int) uint64 {
	line, at := place(m, d)
	return bits.RotateLeft64(b.lines[d][line], -2*(at-windowReach))
}

// LineReach is the number of cells to either side of the middle of a Line.
const LineReach = 8

// Line returns the cells of the line through m in direction d, two bits a cell, each a
// Color: the cell i steps from m, -LineReach <= i <= LineReach, at bit 2*(i+LineReach).
// Cells beyond the edge are Wall. The bits above those cells mean nothing.
func (b *Board) Line(m Move, d int) uint64 {
	line, at := place(m, d)
	return bits.RotateLeft64(b.lines[d][line], -2*(at-LineReach))
}

// ClassAfter returns the class that the empty cell m would have for the opponent of
// the side to move if a stone of the side to move stood i steps from it in direction
// d. That cell must be empty and 0 < |i| <= Pad.
func (b *Board) ClassAfter(m Move, d, i int) Class {
	o := b.side ^ 1
	w := b.window(m, d) ^ uint64(Empty^b.side)<<(2*(windowReach+i)&63)
	_, p := b.tables.look(w)
	code := b.points[m%Cells].code.Of(o)&^(15<<(4*d)) | uint16(p>>(4*o)&15)<<(4*d)
	return Class(b.tables.class[o&1][code] & 15)
}

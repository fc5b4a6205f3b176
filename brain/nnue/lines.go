package nnue

import "sync"

// A cell of a line, two bits. The order is that of the board's line words; swapping the
// colors is c^1 for the first two.
const (
	black = iota
	white
	wall
	empty
)

// lineReach is the number of cells of a line to either side of its center.
const lineReach = 4

// arms is the number of ways one side of a line can look up to the first wall.
const arms = 1 + 3 + 9 + 27 + 81

// LineNumber returns the number of a line as black sees it, 0..Lines-1. key holds the
// eight cells around the center, two bits each: from the lowest the four before it, the
// nearest last, then the four after it, the nearest first. What lies beyond a wall does
// not count, and mirror images have the same number.
//
// The numbers are part of the file format. One side with n open cells, of which the i-th
// from the center is d_i (black 0, white 1, empty 2), has the number (3^n - 1)/2 + the sum
// of d_i 3^(n-i). Sides a <= b make the line b(b+1)/2 + a.
func LineNumber(key uint16) int { return int(armTables.line(key)) }

// SwapLine returns the number of line n with the colors swapped: what white sees where
// black sees n.
func SwapLine(n int) int { return int(swappedLines()[n]) }

// swappedLines builds the numbers of SwapLine at the first call, side by side.
var swappedLines = sync.OnceValue(func() *[Lines]uint16 {
	var swap [arms]uint8 // the number of a side with the colors swapped
	for a := range swap {
		swap[a] = armNumber(swapColors(armCells(a)))
	}
	t := new([Lines]uint16)
	n := 0
	for b := range arms {
		for a := range b + 1 {
			t[n] = armTables.first[max(swap[a], swap[b])] + uint16(min(swap[a], swap[b]))
			n++
		}
	}
	return t
})

// LineKey returns one of the keys that have the number n: the lesser side before the
// center, walls beyond walls.
func LineKey(n int) uint16 {
	b := 0
	for n > b {
		n -= b + 1
		b++
	}
	return mirrored(armCells(n)) | armCells(b)<<8
}

// armMaps give the numbers of both sides of a line: they are small enough to stay in the
// nearest cache, which a table of all keys would not.
type armMaps struct {
	before, after [256]uint8  // by four cells in the order of a key
	first         [128]uint16 // b(b+1)/2, for b of 0..arms-1
}

var armTables = func() *armMaps {
	t := new(armMaps)
	for cells := range uint16(256) {
		t.after[cells] = armNumber(cells)
		t.before[mirrored(cells)] = t.after[cells]
	}
	for b := range t.first {
		t.first[b] = uint16(b * (b + 1) / 2)
	}
	return t
}()

// line is LineNumber.
func (t *armMaps) line(key uint16) uint16 {
	a, b := t.before[key&255], t.after[key>>8]
	return t.first[max(a, b)%128] + uint16(min(a, b))
}

// armNumber returns the number of four cells, the nearest lowest.
func armNumber(cells uint16) uint8 {
	first, digits := uint8(0), uint8(0)
	for size := uint8(1); size < arms-size && cells&3 != wall; size *= 3 {
		first += size
		digits = digits*3 + uint8(min(cells&3, 2))
		cells >>= 2
	}
	return first + digits
}

// armCells is the inverse of armNumber, with walls from the first wall on.
func armCells(a int) uint16 {
	n, first, size := 0, 0, 1
	for a >= first+size {
		first += size
		size *= 3
		n++
	}
	cells := uint16(wall | wall<<2 | wall<<4 | wall<<6)
	for i, digits := n-1, a-first; i >= 0; i-- {
		c := [...]uint16{black, white, empty}[digits%3]
		cells = cells&^(3<<(2*i)) | c<<(2*i)
		digits /= 3
	}
	return cells
}

// mirrored reverses the order of four cells.
func mirrored(cells uint16) uint16 {
	return cells>>6&3 | cells>>2&(3<<2) | cells<<2&(3<<4) | cells<<6&(3<<6)
}

// swapColors makes the black stones of a key white and the white ones black.
func swapColors(key uint16) uint16 {
	stones := ^key >> 1 & 0x5555 // black and white have no high bit
	return key ^ stones
}

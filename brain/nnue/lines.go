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

// lineReach is the number of cells of a line to either side of its centre.
const lineReach = 4

// arms is the number of ways one side of a line can look up to the first wall.
const arms = 1 + 3 + 9 + 27 + 81

// LineNumber returns the number of a line as black sees it, 0..Lines-1. key holds the
// eight cells around the centre, two bits each: from the lowest the four before it, the
// nearest last, then the four after it, the nearest first. What lies beyond a wall does
// not count, and mirror images have the same number.
//
// The numbers are part of the file format. One side with n open cells, of which the i-th
// from the centre is d_i (black 0, white 1, empty 2), has the number (3^n - 1)/2 + the sum
// of d_i 3^(n-i). Sides a <= b make the line b(b+1)/2 + a.
func LineNumber(key uint16) int { return int(lineTables().number[key]) }

// SwapLine returns the number of line n with the colors swapped: what white sees where
// black sees n.
func SwapLine(n int) int { return int(lineTables().swap[n]) }

// LineKey returns one of the keys that have the number n: the lesser side before the
// centre, walls beyond walls.
func LineKey(n int) uint16 { return lineTables().key[n] }

type lineMaps struct {
	number [1 << 16]uint16
	key    [Lines]uint16
	swap   [Lines]uint16
}

// lineTables builds the tables at the first call, about 1 ms.
var lineTables = sync.OnceValue(func() *lineMaps {
	t := new(lineMaps)
	var after, before [256]int // arm number by four cells in the order of a key
	for cells := range 256 {
		after[cells] = armNumber(cells)
		before[mirrored(cells)] = after[cells]
	}
	for key := range t.number {
		t.number[key] = uint16(lineOf(before[key&255], after[key>>8]))
	}
	var cells, swapped [arms]int
	for a := range arms {
		cells[a] = armCells(a)
		swapped[a] = armNumber(swapColors(cells[a]))
	}
	for b := range arms {
		for a := range b + 1 {
			n := lineOf(a, b)
			t.key[n] = uint16(mirrored(cells[a]) | cells[b]<<8)
			t.swap[n] = uint16(lineOf(swapped[a], swapped[b]))
		}
	}
	return t
})

func lineOf(a, b int) int {
	a, b = min(a, b), max(a, b)
	return b*(b+1)/2 + a
}

// armNumber returns the number of four cells, the nearest lowest.
func armNumber(cells int) int {
	first, digits := 0, 0
	for size := 1; size < arms-size && cells&3 != wall; size *= 3 {
		first += size
		digits = digits*3 + min(cells&3, 2)
		cells >>= 2
	}
	return first + digits
}

// armCells is the inverse of armNumber, with walls from the first wall on.
func armCells(a int) int {
	n, first, size := 0, 0, 1
	for a >= first+size {
		first += size
		size *= 3
		n++
	}
	cells := wall | wall<<2 | wall<<4 | wall<<6
	for i, digits := n-1, a-first; i >= 0; i-- {
		c := [...]int{black, white, empty}[digits%3]
		cells = cells&^(3<<(2*i)) | c<<(2*i)
		digits /= 3
	}
	return cells
}

// mirrored turns four cells round.
func mirrored(cells int) int {
	return cells>>6&3 | cells>>2&(3<<2) | cells<<2&(3<<4) | cells<<6&(3<<6)
}

// swapColors makes black stones of four cells white and white ones black.
func swapColors(cells int) int {
	stones := ^cells >> 1 & 0x55 // black and white have no high bit
	return cells ^ stones
}

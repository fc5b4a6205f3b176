// Package linecode numbers the lines through a cell by what a network sees of them: four cells to
// either side, mirror images as one. The numbers are part of the file format of networks.
package linecode

import "sync"

// A cell of a line, two bits. The order is that of the board's line words; swapping the
// colors is c^1 for the first two.
const (
	black = iota
	white
	wall
	empty
)

const (
	Reach = 4 // cells of a line to either side of its center
	Sides = 1 + 3 + 9 + 27 + 81
	Lines = Sides * (Sides + 1) / 2

	// OpenSides are the first numbers of sides without a wall.
	OpenSides = 1 + 3 + 9 + 27
)

// Number returns the number of a line as black sees it, 0..Lines-1. key holds the
// eight cells around the center, two bits each: from the lowest the four before it, the
// nearest last, then the four after it, the nearest first. What lies beyond a wall does
// not count, and mirror images have the same number.
//
// One side with n open cells, of which the i-th from the center is d_i (black 0, white 1, empty
// 2), has the number (3^n - 1)/2 + the sum of d_i 3^(n-i). Pair makes one number of two sides.
func Number(key uint16) int {
	a, b := sides[mirrored(key&255)], sides[key>>8]
	return int(Pair(uint32(min(a, b)), uint32(max(a, b))))
}

// Pair returns the number of the pair of low and high, low <= high. Pairs with a greater high have
// greater numbers.
func Pair(low, high uint32) uint32 { return high*(high+1)/2 + low }

// Side returns the number of one side of a line, 0..Sides-1: of four cells, the nearest lowest.
func Side(cells uint8) uint8 { return sides[cells] }

// Swap returns the number of line n with the colors swapped: what white sees where
// black sees n.
func Swap(n int) int { return int(swapped()[n]) }

// swapped builds the numbers of Swap at the first call, side by side.
var swapped = sync.OnceValue(func() *[Lines]uint16 {
	var swap [Sides]uint32 // the number of a side with the colors swapped
	for a := range swap {
		swap[a] = uint32(sideNumber(swapColors(sideCells(a))))
	}
	t := new([Lines]uint16)
	n := 0
	for b := range Sides {
		for a := range b + 1 {
			t[n] = uint16(Pair(min(swap[a], swap[b]), max(swap[a], swap[b])))
			n++
		}
	}
	return t
})

// Key returns one of the keys that have the number n: the lesser side before the
// center, walls beyond walls.
func Key(n int) uint16 {
	b := 0
	for n > b {
		n -= b + 1
		b++
	}
	return mirrored(sideCells(n)) | sideCells(b)<<8
}

// sides has the numbers of four cells, the nearest lowest.
var sides = func() (t [256]uint8) {
	for cells := range t {
		t[cells] = sideNumber(uint16(cells))
	}
	return t
}()

func sideNumber(cells uint16) uint8 {
	first, digits := uint8(0), uint8(0)
	for size := uint8(1); size < Sides-size && cells&3 != wall; size *= 3 {
		first += size
		digits = digits*3 + uint8(min(cells&3, 2))
		cells >>= 2
	}
	return first + digits
}

// sideCells is the inverse of sideNumber, with walls from the first wall on.
func sideCells(a int) uint16 {
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

package board

import "math/bits"

// A Set is a set of cells, one word a row of the grid.
type Set [Stride]uint32

// Has reports whether m is in the set.
func (s *Set) Has(m Move) bool { return s[m/Stride]>>(m%Stride)&1 != 0 }

func (s *Set) flip(m Move) { s[m/Stride%Stride] ^= 1 << (m % Stride) }

// Add puts m into the set.
func (s *Set) Add(m Move) { s[m/Stride%Stride] |= 1 << (m % Stride) }

// Remove takes m out of the set.
func (s *Set) Remove(m Move) { s[m/Stride%Stride] &^= 1 << (m % Stride) }

// First returns the first cell of the set, or None.
func (s *Set) First() Move {
	for y, row := range s {
		if row != 0 {
			return Move(y*Stride + bits.TrailingZeros32(row))
		}
	}
	return None
}

// Append adds the cells of the set to dst, by rising number, and returns it. It
// allocates only if dst has no room.
func (s *Set) Append(dst []Move) []Move {
	for y, row := range s {
		for ; row != 0; row &= row - 1 {
			dst = append(dst, Move(y*Stride+bits.TrailingZeros32(row)))
		}
	}
	return dst
}

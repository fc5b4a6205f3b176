package network

import (
	"sync"

	"tengen/brain/board"
	"tengen/brain/linecode"
	"tengen/brain/nnue"
)

// A lineTable is what package linecode knows, as arrays.
type lineTable struct {
	number [1 << 16]uint16    // by the key of a line as black sees it
	swap   [nnue.Lines]uint16 // the number of the same line with the colors swapped
	free   [nnue.Lines]bool   // no stone in the line
}

// lineNumbers builds the table at the first call, which takes a few milliseconds.
var lineNumbers = sync.OnceValue(func() *lineTable {
	t := new(lineTable)
	for key := range t.number {
		t.number[key] = uint16(linecode.Number(uint16(key)))
	}
	for n := range t.swap {
		t.swap[n] = uint16(linecode.Swap(n))
		t.free[n] = linecode.Key(n)&0xaaaa == 0xaaaa // walls and empty cells have the high bit
	}
	return t
})

// keyOf returns the key of the line through m in direction d.
func keyOf(b *board.Board, m board.Move, d int) uint16 {
	const shift = 2 * (board.LineReach - 4)
	w := b.Line(m, d) >> shift
	return uint16(w&0xff | w>>2&0xff00)
}

//go:build !purego

package board

import (
	"math/bits"
	"unsafe"

	"tengen/brain/linecode"
)

// What changeLines takes for granted.
const codeReach = linecode.Reach

var (
	_ = [16]byte([unsafe.Sizeof(point{})]byte{})
	_ = [4]byte([unsafe.Sizeof(turn(0))]byte{})
)

// changeLines is changePlain in assembly: words are the lines through m, each from windowReach cells
// before the first that changes on, base is the index of log in Board.changes, within has the lower of
// two bits set for each cell that can change.
//
//go:noescape
func changeLines(b *Board, t *tables, words *[Directions]uint64, log *[room]Change, turns *[room]turn, m, base, within uint64) (changed, turned int)

// change is changePlain, in four fifths of the time.
func (b *Board) change(m Move, log *[room]Change, turns *[room]turn) (changed, turned int) {
	reach := b.tables.reach
	before := reach + windowReach
	x, y := int(m)%Stride, int(m)/Stride
	words := [Directions]uint64{
		bits.RotateLeft64(b.lines[Horizontal][y&63], 2*(before-x)),
		bits.RotateLeft64(b.lines[Vertical][x&63], 2*(before-y)),
		bits.RotateLeft64(b.lines[Falling][(x-y+31)&63], 2*(before-y)),
		bits.RotateLeft64(b.lines[Rising][(x+y)&63], 2*(before-y)),
	}
	const lowBits = 0x5555555555555555
	within := uint64(1<<(uint(4*reach+2)&63)-1) & lowBits
	return changeLines(b, b.tables, &words, log, turns, uint64(m), uint64(len(b.changes)), within)
}

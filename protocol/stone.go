package protocol

import (
	"strconv"
	"strings"

	"tengen/brain/board"
)

// Who says whose stone a line of BOARD names, by the protocol's own number.
type Who uint8

const (
	Own      Who = 1 + iota // a stone of the engine that reads the line
	Opponent                // a stone of the other side
	Blocked                 // a cell nobody may use: part of a finished row in a continuous game
)

// A Stone is one line of BOARD: column and row from 0 at the top left, and whose it is.
// Who is zero where the protocol sends no third field (SWAP2BOARD).
type Stone struct {
	X, Y int
	Who  Who
}

// At returns the stone of who on the cell m.
func At(m board.Move, who Who) Stone { return Stone{m.X(), m.Y(), who} }

// String gives "x,y,who", or "x,y" if Who is zero.
func (s Stone) String() string {
	t := strconv.Itoa(s.X) + "," + strconv.Itoa(s.Y)
	if s.Who != 0 {
		t += "," + strconv.Itoa(int(s.Who))
	}
	return t
}

// pair reads "x,y" with blanks allowed anywhere but inside a number. The numbers are
// not compared with any board and may be negative.
func pair(s string) (x, y int, ok bool) {
	a, b, found := strings.Cut(s, ",")
	if !found {
		return 0, 0, false
	}
	x, errX := strconv.Atoi(strings.TrimSpace(a))
	y, errY := strconv.Atoi(strings.TrimSpace(b))
	return x, y, errX == nil && errY == nil
}

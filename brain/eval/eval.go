// Package eval puts a number on a quiet position.
package eval

// A Value is a score for the side to move. |v| >= WinFloor means a forced win and encodes
// the distance: WinIn(ply) = Win - ply. Fits in int16.
type Value int32

const (
	Win      Value = 30000 // five on the board
	WinFloor Value = 29000 // the least value of a proven win
	Max      Value = 20000 // the greatest static value
)

// WinIn is the value of winning in ply plies; LossIn of losing.
func WinIn(ply int) Value  { return Win - Value(ply) }
func LossIn(ply int) Value { return Value(ply) - Win }

// Package score has the values of positions: points, and proven wins and losses with their distance.
package score

// A Value is a score for the side to move, in points on the scale of eval.Max. |v| >= WinFloor means a
// forced win or loss and encodes the distance: WinIn(ply) = Win - ply. It fits in int16.
type Value int32

const (
	Win      Value = 30000  // a five on the board
	WinFloor Value = 29000  // the least value of a proven win
	None     Value = -30002 // an unknown value, outside all others
)

// WinIn is the value of completing a five with the ply-th ply from the root.
func WinIn(ply int) Value { return Win - Value(ply) }

// LossIn is the value of the opponent's completing a five with the ply-th ply.
func LossIn(ply int) Value { return Value(ply) - Win }

// Abs returns v without its sign.
func (v Value) Abs() Value { return max(v, -v) }

// Proven reports whether v is a proven win or loss.
func (v Value) Proven() bool { return v >= WinFloor || v <= -WinFloor }

// Mate returns the plies to the end of a proven win, the same as a negative number for a proven
// loss, and 0 if v is neither.
func (v Value) Mate() int {
	switch {
	case v >= WinFloor:
		return int(Win - v)
	case v <= -WinFloor:
		return -int(v + Win)
	}
	return 0
}

// Nearer returns v with a win or loss the given number of plies nearer, or further if that is
// negative. A value that is not proven stays as it is.
func (v Value) Nearer(plies int) Value {
	switch {
	case v >= WinFloor:
		return v + Value(plies)
	case v <= -WinFloor:
		return v - Value(plies)
	}
	return v
}

// Before returns the value of a move for the side that makes it, if v is the value of the
// position after the move for the other side: -v, with a win or loss a ply further away.
func (v Value) Before() Value { return -v.Nearer(-1) }

// After is the inverse of Before: the value for the other side after the best move in a position
// with the value v.
func (v Value) After() Value { return -v.Nearer(1) }

package search

// A Value is a score for the side to move, on the scale of eval.Max. |v| >= WinFloor means a forced
// win or loss and encodes the distance: WinIn(ply) = Win - ply. It fits in int16. Within a search
// of Limits.Study values are compressed; those that it takes and reports are not.
type Value int32

const (
	Win      Value = 30000 // a five on the board
	WinFloor Value = 29000 // the least value of a proven win

	draw     Value = 0
	infinity Value = 30001
	noValue  Value = -30002 // an unknown value, outside all others
)

// Abs returns v without its sign.
func (v Value) Abs() Value { return max(v, -v) }

// WinIn is the value of completing a five with the ply-th ply from the root.
func WinIn(ply int) Value { return Win - Value(ply) }

// LossIn is the value of the opponent's completing a five with the ply-th ply.
func LossIn(ply int) Value { return Value(ply) - Win }

// Plies to the five of a side that has a threat which cannot be stopped.
const (
	winByFive      = 1 // the side to move can make a five
	lossByFive     = 2 // the opponent threatens a five
	lossByOpenFour = 4 // ... an open four
	lossByThrees   = 6 // ... a four with an open three, or two open threes
)

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

// compress returns the value by which a study compares v with others: beyond clearValue only
// 1/clearPart of a difference counts. Where a side is clearly better, all margins are small beside the
// differences between one winning position and another. A search that counted them in full would look
// for the greatest advantage and prune the quiet attacks that win. A proven value stays as it is.
// Compressed values find deep wins, but they lose games.
func (v Value) compress() Value {
	switch {
	case v.Proven():
		return v
	case v > clearValue:
		return clearValue + (v-clearValue)/clearPart
	case v < -clearValue:
		return -clearValue + (v+clearValue)/clearPart
	}
	return v
}

// expand is the inverse of compress, except for what the division drops. A value that is not proven
// does not become a proven one.
func (v Value) expand() Value {
	switch {
	case v.Proven():
		return v
	case v > clearValue:
		return min(clearValue+(v-clearValue)*clearPart, WinFloor-1)
	case v < -clearValue:
		return max(-clearValue+(v+clearValue)*clearPart, 1-WinFloor)
	}
	return v
}

// nearer returns v with a win or loss the given number of plies nearer, or further if that is
// negative. A value that is not proven stays as it is.
func (v Value) nearer(plies int) Value {
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
func (v Value) Before() Value { return -v.nearer(-1) }

// After is the inverse of Before: the value for the other side after the best move in a position
// with the value v.
func (v Value) After() Value { return -v.nearer(1) }

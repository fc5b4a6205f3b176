package brain

import "tengen/brain/search"

// A Value is a score for the side to move. 200 points win 73% of the games between equals: see
// WinRate. A proven win or loss is beyond search.WinFloor: see Mate.
type Value = search.Value

// Mate returns the plies to the end of a proven win, the same as a negative number for a
// proven loss, and 0 if v is neither.
func Mate(v Value) int {
	switch {
	case v >= search.WinFloor:
		return int(search.WinIn(0) - v)
	case v <= -search.WinFloor:
		return -int(v - search.LossIn(0))
	}
	return 0
}

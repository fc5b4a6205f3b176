package search

import "tengen/brain/score"

// A Value is a score for the side to move. Within a search of Limits.Study values are compressed;
// those that it takes and reports are not.
type Value = score.Value

const (
	draw     Value = 0
	infinity Value = score.Win + 1
	noValue        = score.None

	// interrupted stands for the value of a node that is left without one, and so is each node above it.
	// It is the least number, so that no search is repeated after it, and so its own negative.
	interrupted Value = -1 << 31
)

// Plies to the five of a side that has a threat which cannot be stopped.
const (
	winByFive      = 1 // the side to move can make a five
	lossByFive     = 2 // the opponent threatens a five
	lossByOpenFour = 4 // ... an open four
	lossByThrees   = 6 // ... a four with an open three, or two open threes
)

// compress returns the value by which a study compares v with others: beyond clearValue only
// 1/clearPart of a difference counts. Where a side is clearly better, all margins are small beside the
// differences between one winning position and another. A search that counted them in full would look
// for the greatest advantage and prune the quiet attacks that win. A proven value stays as it is.
// Compressed values find deep wins, but they lose games.
func compress(v Value) Value {
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
func expand(v Value) Value {
	switch {
	case v.Proven():
		return v
	case v > clearValue:
		return min(clearValue+(v-clearValue)*clearPart, score.WinFloor-1)
	case v < -clearValue:
		return max(-clearValue+(v+clearValue)*clearPart, 1-score.WinFloor)
	}
	return v
}

package brain

import (
	"tengen/brain/about"
	"tengen/brain/score"
	"tengen/brain/winrate"
)

// A Value is a score for the side to move. 200 points win 73% of the games between equals: see
// WinRate. A proven win or loss is beyond score.WinFloor: see score.Value.Mate.
type Value = score.Value

// ScoreText formats a value: a number, or +M7 and -M6 for a win in 7 plies and a loss in 6.
func ScoreText(v Value) string { return about.ScoreText(int(v), v.Mate()) }

// WinRate returns the share of games, 0 to 1, that the side with the value v wins: see Value.
func WinRate(v Value) float64 {
	switch {
	case v >= score.WinFloor:
		return 1
	case v <= -score.WinFloor:
		return 0
	}
	return winrate.Of(float64(v))
}

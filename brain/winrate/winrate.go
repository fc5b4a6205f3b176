// Package winrate turns the value of a position into the chance to win from it. It is not
// internal because the trainers under cmd use it; other programs take brain.WinRate.
package winrate

import "math"

// Unit is the value in points, as of score.Value, at which the odds are e to 1: 73%.
const Unit = 200

// Of returns the chance, 0 to 1, that the side with the given value wins. It knows nothing of
// values that stand for proven wins.
func Of(points float64) float64 { return AtOdds(points / Unit) }

// AtOdds returns the probability, 0 to 1, of what has the odds e^x to 1: the sigmoid of x.
func AtOdds(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

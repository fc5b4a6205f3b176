package dataset

import (
	"hash/fnv"
	"math"
	"slices"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/record"
	"tengen/brain/sample"
	"tengen/brain/score"
	"tengen/brain/winrate"
)

// Unknown is the result of a game that was not finished.
const Unknown = -1

// Result returns the points of side in the game: 0, 0.5 or 1, or Unknown.
func Result(side board.Color, o record.Outcome) float32 {
	if o == record.Unknown {
		return Unknown
	}
	return float32(o.HalfPoints(side)) / 2
}

// Returns sets results to the target of each ply of g that comes from the result, for the side to
// move: 0..1 or Unknown. With a trace of 1 it is Result. With less it is the λ-return of
// reinforcement learning: trace times the target of the next ply, and 1-trace times the value of the
// search there; after the last ply it is the result. A move that the search would not have played
// ends this: the plies before it learn nothing from the game after it, and the value of the ply's own
// search takes the place of the result. It returns results, grown to one for each ply.
func Returns(results []float32, g *sample.Game, trace float64) []float32 {
	n := len(g.Plies)
	results = slices.Grow(results[:0], n)[:n]
	later := float64(Result(board.Color(n&1), g.Outcome)) // the target of the ply after
	value := later                                        // by the search there
	for i := n - 1; i >= 0; i-- {
		p := &g.Plies[i]
		switch {
		case trace == 1:
			later = float64(Result(board.Color(i&1), g.Outcome))
		case p.Searched() && (p.Move != p.Best || later == Unknown):
			later = ofValue(p.Value)
		case later != Unknown:
			later = 1 - (trace*later + (1-trace)*value)
		}
		results[i] = float32(later)
		value = later
		if p.Searched() {
			value = ofValue(p.Value)
		}
	}
	return results
}

// ofValue returns the expected score for a value of a search.
func ofValue(v int16) float64 {
	return winrate.Of(float64(max(-eval.Max, min(eval.Max, int(v)))))
}

// Target returns the expected score of the side to move, 0..1: mix times that by the search's
// value plus 1-mix times the result of the game. Without a result it is by the value alone,
// for sample.NoValue the result alone.
func Target(value int16, result float32, mix float64) float64 {
	if value == sample.NoValue {
		return float64(result)
	}
	t := ofValue(value)
	if result != Unknown {
		t = mix*t + (1-mix)*float64(result)
	}
	return t
}

// CrossEntropy returns the loss, in nats, of odds of e^x to 1 for a target t. It is exact for
// large x, where the logarithm of winrate.AtOdds is not.
func CrossEntropy(x, t float64) float64 {
	return max(x, 0) - x*t + math.Log1p(math.Exp(-math.Abs(x)))
}

// mostSure is the greatest chance to win that a value counts as in LogLoss, so that a proven win that
// a random move gave away does not count more than hundreds of other positions.
const mostSure = 0.999

// LogLoss returns the loss of a search's value as a prediction of a result, 0, 0.5 or 1, in nats.
func LogLoss(value int16, result float32) float64 {
	p := min(max(ofValue(value), 1-mostSure), mostSure)
	r := float64(result)
	return -r*math.Log(p) - (1-r)*math.Log(1-p)
}

// staticWinPlies is the longest win that threat.StaticWin finds.
const staticWinPlies = 5

// Teaches reports what the position of b, whose ply is p, can teach: its value, and its best
// move. Positions that threat.StaticWin decides are never evaluated and teach nothing, and
// forced moves do not teach the choice of a move.
func Teaches(b *board.Board, p *sample.Ply) (value, choice bool) {
	own, other := b.Side(), b.Side().Other()
	if b.Count(own, board.MakesFive)+b.Count(other, board.MakesFive)+b.Count(own, board.MakesOpenFour) > 0 {
		return false, false
	}
	v := score.Value(0)
	if p.Searched() {
		v = score.Value(p.Value)
	}
	if v >= score.WinIn(staticWinPlies) {
		return false, false
	}
	return true, p.Best != board.None && b.Count(other, board.MakesOpenFour) == 0 && v > score.LossIn(board.MaxHistory)
}

// Validates reports whether g is one of the share of games for validation, which depends only
// on its moves and the seed.
func Validates(g *sample.Game, share float64, seed uint64) bool {
	h := fnv.New64a()
	for _, p := range g.Plies {
		h.Write([]byte{byte(p.Move), byte(p.Move >> 8)})
	}
	return float64(board.Mix(h.Sum64()^seed)>>11)/(1<<53) < share
}

package samples

import (
	"hash/fnv"
	"math"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/record"
	"tengen/brain/search"
)

// Unit is how many points of a search.Value are odds of e to 1.
const Unit = 200

// Unknown is the result of a game that was not finished.
const Unknown = -1

// Result returns what side gets from the game: 0, 0.5 or 1, or Unknown.
func Result(side board.Color, o record.Outcome) float32 {
	switch {
	case o == record.Unknown:
		return Unknown
	case o == record.Drawn:
		return 0.5
	case (o == record.BlackWon) == (side == board.Black):
		return 1
	}
	return 0
}

// Target returns the expected score of the side to move, 0..1: mix parts of it by the
// search's value, the rest by the result of the game. Without a result the value is all,
// and for record.NoValue the result.
func Target(value int16, result float32, mix float64) float64 {
	if value == record.NoValue {
		return float64(result)
	}
	t := Sigmoid(float64(max(-eval.Max, min(eval.Max, int(value)))) / Unit)
	if result != Unknown {
		t = mix*t + (1-mix)*float64(result)
	}
	return t
}

// Sigmoid returns the probability at odds of e^x to 1.
func Sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// CrossEntropy returns the loss in nats of odds of e^x to 1 where t is the truth. It is
// exact for large x, where the logarithm of Sigmoid is not.
func CrossEntropy(x, t float64) float64 {
	return max(x, 0) - x*t + math.Log1p(math.Exp(-math.Abs(x)))
}

// quickPlies is the longest win that the engine sees without a static value.
const quickPlies = 5

// Teaches reports what can be learned from the position of b whose ply is p: its value, and
// the choice of its best move. What threat.StaticWin decides is never evaluated, so it
// teaches nothing; a forced reply is no choice.
func Teaches(b *board.Board, p *record.SamplePly) (value, choice bool) {
	own, other := b.Side(), b.Side().Other()
	if b.Count(own, board.MakesFive)+b.Count(other, board.MakesFive)+b.Count(own, board.MakesOpenFour) > 0 {
		return false, false
	}
	v := search.Value(0)
	if p.Searched() {
		v = search.Value(p.Value)
	}
	if v >= search.WinIn(quickPlies) {
		return false, false
	}
	return true, p.Best != board.None && b.Count(other, board.MakesOpenFour) == 0 && v > search.LossIn(board.MaxHistory)
}

// Validates reports whether g is kept for validation, as a share of all games is. The same
// game is always on the same side, whatever file it comes from.
func Validates(g *record.SampleGame, share float64, seed uint64) bool {
	h := fnv.New64a()
	for _, p := range g.Plies {
		h.Write([]byte{byte(p.Move), byte(p.Move >> 8)})
	}
	z := h.Sum64() ^ seed
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9 // splitmix64
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11)/(1<<53) < share
}

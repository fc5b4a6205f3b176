package tune

import (
	"fmt"
	"math"

	"tengen/brain/record"
)

// A score counts games of one set of numbers against another, from the first one's side.
type score struct {
	Wins   int `json:"w"`
	Losses int `json:"l"`
	Draws  int `json:"d"`

	// Pairs counts pairs of games, one opening from both sides, by the points of the
	// first set: 0, 1/2, 1, 3/2 and 2.
	Pairs [5]int `json:"pairs"`
}

// add counts a pair: the game the first set played as black, and the one as white.
func (s *score) add(asBlack, asWhite record.Outcome) {
	half := 0
	for _, won := range [2]bool{asBlack == record.BlackWon, asWhite == record.WhiteWon} {
		if won {
			s.Wins++
			half += 2
		}
	}
	for _, drawn := range [2]bool{asBlack == record.Drawn, asWhite == record.Drawn} {
		if drawn {
			s.Draws++
			half++
		}
	}
	s.Pairs[half]++
	s.Losses = 2*s.pairs() - s.Wins - s.Draws
}

func (s *score) join(o score) {
	s.Wins, s.Losses, s.Draws = s.Wins+o.Wins, s.Losses+o.Losses, s.Draws+o.Draws
	for i, n := range o.Pairs {
		s.Pairs[i] += n
	}
}

func (s *score) pairs() int {
	n := 0
	for _, k := range s.Pairs {
		n += k
	}
	return n
}

// An estimate is a difference in strength with the bounds of its 95% interval, in
// logistic Elo; infinite where the points are all or none.
type estimate struct {
	points         float64 // a game, 0..1
	elo, low, high float64
}

// estimate measures on pairs, whose two games hang together by their opening. At least
// one pair must have been counted.
func (s *score) estimate() estimate {
	mean, variance := spread(s.Pairs, 0)
	if _, wide := spread(s.Pairs, 0.25); variance == 0 {
		variance = wide // pairs all alike say little when they are few
	}
	half := 1.959963984540054 * math.Sqrt(variance/float64(s.pairs()))
	return estimate{mean, elo(mean), elo(max(mean-half, 0)), elo(min(mean+half, 1))}
}

// spread gives mean and variance of the points a game over pairs, with more added to the
// count of every class.
func spread(pairs [5]int, more float64) (mean, variance float64) {
	n := 0.0
	for i, k := range pairs {
		w := float64(k) + more
		n += w
		mean += w * float64(i) / 4
	}
	mean /= n
	for i, k := range pairs {
		d := float64(i)/4 - mean
		variance += (float64(k) + more) * d * d
	}
	return mean, variance / n
}

// elo gives the difference at which so many points a game are expected.
func elo(points float64) float64 { return 400 * math.Log10(points/(1-points)) }

// String writes the score as "+12 -8 =4, 58.3%, Elo 58.5 [-20.1, 140.2]".
func (s *score) String() string {
	text := fmt.Sprintf("+%d -%d =%d", s.Wins, s.Losses, s.Draws)
	if s.pairs() == 0 {
		return text
	}
	e := s.estimate()
	return fmt.Sprintf("%s, %.1f%%, Elo %s [%s, %s]", text, 100*e.points, number(e.elo), number(e.low), number(e.high))
}

// number writes a float that may be infinite.
func number(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return fmt.Sprintf("%.1f", x)
}

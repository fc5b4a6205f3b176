package main

import "math"

// A score tells how a set of games ended from one engine's side.
type score struct {
	Wins, Losses, Draws int

	// Pairs counts finished game pairs (one opening from both sides) by their points:
	// 0, 1/2, 1, 3/2 and 2. Games of a pair that is not complete are not in it.
	Pairs [5]int
}

func (s score) games() int { return s.Wins + s.Losses + s.Draws }

func (s score) pairs() int {
	n := 0
	for _, k := range s.Pairs {
		n += k
	}
	return n
}

// points of one game, in half points, for one side: 2, 1 or 0.
func (s *score) add(halfPoints int) {
	switch halfPoints {
	case 2:
		s.Wins++
	case 1:
		s.Draws++
	default:
		s.Losses++
	}
}

// flip gives the score from the other side.
func (s score) flip() score {
	p := s.Pairs
	return score{s.Losses, s.Wins, s.Draws, [5]int{p[4], p[3], p[2], p[1], p[0]}}
}

// An estimate is what a score says of the difference between two engines.
type estimate struct {
	Score     float64 // points a game, 0..1
	Elo       float64 // logistic; infinite for 0 and 1
	EloError  float64 // half of the 95% interval
	Low, High float64 // the interval in Elo
	NElo      float64 // normalised Elo
	NEloError float64
	LOS       float64 // probability that the first engine is the stronger one, 0..1
	DrawRatio float64 // drawn games by all games
}

const (
	z95      = 1.959963984540054 // two-sided 95% of the normal distribution
	eloScale = 400 / math.Ln10   // Elo in one unit of the logistic function
)

// eloOf gives the Elo difference at which the expected score is s.
func eloOf(s float64) float64 {
	return -eloScale * math.Log(1/s-1)
}

// scoreOf is the inverse of eloOf.
func scoreOf(elo float64) float64 {
	return 1 / (1 + math.Exp(-elo/eloScale))
}

// moments gives mean and variance of counts over the scores 0..1 in equal steps, and
// their sum.
func moments(counts []float64) (mean, variance, n float64) {
	step := 1 / float64(len(counts)-1)
	for i, c := range counts {
		n += c
		mean += c * float64(i) * step
	}
	mean /= n
	for i, c := range counts {
		d := float64(i)*step - mean
		variance += c * d * d
	}
	return mean, variance / n, n
}

// estimate measures the difference on game pairs if at least one is complete and on
// games otherwise. With nothing played all of it is zero and LOS one half.
func (s score) estimate() estimate {
	e := estimate{LOS: 0.5}
	if s.games() == 0 {
		return e
	}
	e.DrawRatio = float64(s.Draws) / float64(s.games())
	if s.pairs() > 0 {
		e.from(floats(s.Pairs[:]), 2)
	} else {
		e.from(floats([]int{s.Losses, s.Draws, s.Wins}), 1)
	}
	return e
}

func floats(counts []int) []float64 {
	f := make([]float64, len(counts))
	for i, c := range counts {
		f[i] = float64(c)
	}
	return f
}

// from fills e from counts of units of so many games each.
func (e *estimate) from(counts []float64, games float64) {
	mean, variance, n := moments(counts)
	e.Score = mean
	e.Elo = eloOf(mean)
	if variance == 0 {
		// All alike, which says little when they are few. A quarter of a unit more in
		// every class keeps the interval honest.
		more := make([]float64, len(counts))
		for i, c := range counts {
			more[i] = c + 0.25
		}
		_, variance, _ = moments(more)
	}
	se := math.Sqrt(variance / n)
	e.Low, e.High = eloOf(max(mean-z95*se, 0)), eloOf(min(mean+z95*se, 1))
	e.EloError = (e.High - e.Low) / 2
	perGame := math.Sqrt(variance * games) // deviation of one game
	e.NElo = (mean - 0.5) / perGame * 2 * eloScale
	e.NEloError = z95 / math.Sqrt(n*games) * 2 * eloScale
	e.LOS = math.Erfc(-(mean-0.5)/se/math.Sqrt2) / 2
}

// Package elo evaluates the games of matches: Elo with its error, a sequential test between
// two players, and ratings of many players.
//
// Games are counted in pairs, one opening from both sides. The games of a pair are not
// independent, so the five results of a pair (the pentanomial distribution) give a narrower
// and more accurate interval than wins, draws and losses do.
package elo

import (
	"fmt"
	"math"
	"strings"
)

// A Score counts games from one player's side.
type Score struct {
	Wins   int `json:"w"`
	Losses int `json:"l"`
	Draws  int `json:"d"`

	// Pairs counts finished pairs of games by their points: 0, 1/2, 1, 3/2 and 2.
	Pairs [5]int `json:"pairs"`
}

// Games returns the number of games.
func (s Score) Games() int { return s.Wins + s.Losses + s.Draws }

// Points returns one point for each win and half a point for each draw.
func (s Score) Points() float64 { return float64(s.Wins) + float64(s.Draws)/2 }

// Complete returns the number of finished pairs.
func (s Score) Complete() int {
	n := 0
	for _, k := range s.Pairs {
		n += k
	}
	return n
}

// Add counts one game by its half points: 2 for a win, 1 for a draw, 0 for a loss. It does
// not change Pairs.
func (s *Score) Add(halfPoints int) {
	switch halfPoints {
	case 2:
		s.Wins++
	case 1:
		s.Draws++
	default:
		s.Losses++
	}
}

// AddPair counts a pair of games by the half points of each.
func (s *Score) AddPair(first, second int) {
	s.Add(first)
	s.Add(second)
	s.Pairs[first+second]++
}

// Join adds the games of o.
func (s *Score) Join(o Score) {
	s.Wins, s.Losses, s.Draws = s.Wins+o.Wins, s.Losses+o.Losses, s.Draws+o.Draws
	for i, n := range o.Pairs {
		s.Pairs[i] += n
	}
}

// Flip returns the score from the other side.
func (s Score) Flip() Score {
	p := s.Pairs
	return Score{s.Losses, s.Wins, s.Draws, [5]int{p[4], p[3], p[2], p[1], p[0]}}
}

// String writes the score as "+12 -8 =4, 58.3%, Elo 58.5 [-20.1, 140.2]".
func (s Score) String() string {
	text := fmt.Sprintf("+%d -%d =%d", s.Wins, s.Losses, s.Draws)
	if s.Games() == 0 {
		return text
	}
	e := s.Estimate()
	return fmt.Sprintf("%s, %.1f%%, Elo %s [%s, %s]", text, 100*e.Score, Format(e.Elo, 1), Format(e.Low, 1), Format(e.High, 1))
}

// PairsString writes Pairs as "1/4/20/6/2".
func (s Score) PairsString() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Pairs), " ", "/"), "[]")
}

// An Estimate is the difference in strength that a score shows.
type Estimate struct {
	Score     float64 // points a game, 0..1
	Elo       float64 // logistic; infinite for 0 and 1
	EloError  float64 // half of the 95% interval
	Low, High float64 // the 95% interval in Elo
	NElo      float64 // normalised Elo
	NEloError float64
	LOS       float64 // likelihood of superiority: that the first player is the stronger one, 0..1
	DrawRatio float64 // drawn games by all games
}

const (
	z95   = 1.959963984540054 // two-sided 95% of the normal distribution
	scale = 400 / math.Ln10   // Elo in one unit of the logistic function
)

// difference returns the Elo difference at which the expected score is s, 0..1.
func difference(s float64) float64 { return -scale * math.Log(1/s-1) }

// expected returns the expected score at a difference of elo, the inverse of difference.
func expected(elo float64) float64 { return 1 / (1 + math.Exp(-elo/scale)) }

// Estimate uses game pairs if at least one is complete, else single games. For no games
// everything is zero and LOS one half.
func (s Score) Estimate() Estimate {
	e := Estimate{LOS: 0.5}
	if n := s.Games(); n > 0 {
		e.DrawRatio = float64(s.Draws) / float64(n)
	}
	if s.Complete() > 0 {
		e.from(floats(s.Pairs[:]), 2)
	} else if s.Games() > 0 {
		e.from(floats([]int{s.Losses, s.Draws, s.Wins}), 1)
	}
	return e
}

// from sets e by the counts of results, each of a number of games.
func (e *Estimate) from(counts []float64, games float64) {
	mean, variance, n := spread(counts)
	e.Score = mean
	e.Elo = difference(mean)
	se := math.Sqrt(variance / n)
	e.Low, e.High = difference(max(mean-z95*se, 0)), difference(min(mean+z95*se, 1))
	e.EloError = (e.High - e.Low) / 2
	perGame := math.Sqrt(variance * games) // standard deviation of one game
	e.NElo = (mean - 0.5) / perGame * 2 * scale
	e.NEloError = z95 / math.Sqrt(n*games) * 2 * scale
	e.LOS = math.Erfc(-(mean-0.5)/se/math.Sqrt2) / 2
}

// spread is moments, but if all results are equal the variance is that with a quarter of a result more of
// each kind, which keeps an interval from being empty.
func spread(counts []float64) (mean, variance, n float64) {
	mean, variance, n = moments(counts)
	if variance == 0 {
		more := make([]float64, len(counts))
		for i, c := range counts {
			more[i] = c + 0.25
		}
		_, variance, _ = moments(more)
	}
	return mean, variance, n
}

// moments returns mean and variance of counts over the scores 0..1 in equal steps, and
// the sum of counts.
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

func floats(counts []int) []float64 {
	f := make([]float64, len(counts))
	for i, c := range counts {
		f[i] = float64(c)
	}
	return f
}

// Format formats a number that may be infinite, without a sign before zero.
func Format(x float64, digits int) string {
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	case math.IsNaN(x):
		return "?"
	}
	s := fmt.Sprintf("%.*f", digits, x)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return s
}

package main

import (
	"fmt"
	"math"
)

// An sprt is a sequential probability ratio test on game pairs: H0 says that the first
// engine is elo0 stronger, H1 says elo1. The likelihood ratio is the generalised one:
// each hypothesis is given its most likely distribution over the five results of a pair.
// Source: M. Van den Bergh, "The generalized maximum likelihood ratio for the
// expectation value of a distribution" and "Normalized Elo".
type sprt struct {
	Elo0, Elo1  float64
	Alpha, Beta float64 // wanted rates of wrongly accepting H1 and H0
	Normalised  bool    // bounds are normalised Elo, else logistic
}

// A verdict is what a test says of the pairs so far.
type verdict int8

const (
	goOn verdict = iota
	acceptH0
	acceptH1
)

func (v verdict) String() string {
	return [...]string{"undecided", "H0 accepted", "H1 accepted"}[v]
}

func (t *sprt) check() error {
	switch {
	case !(t.Elo0 < t.Elo1):
		return fmt.Errorf("elo0=%g must be less than elo1=%g", t.Elo0, t.Elo1)
	case !(t.Alpha > 0 && t.Alpha < 0.5), !(t.Beta > 0 && t.Beta < 0.5):
		return fmt.Errorf("alpha=%g and beta=%g must lie between 0 and 0.5", t.Alpha, t.Beta)
	case math.Abs(t.Elo0) > 1000, math.Abs(t.Elo1) > 1000:
		return fmt.Errorf("elo0=%g and elo1=%g must lie between -1000 and 1000", t.Elo0, t.Elo1)
	}
	return nil
}

// bounds gives the ratios at which H0 and H1 are accepted.
func (t *sprt) bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// judge gives the logarithm of the likelihood ratio of the pairs and the verdict. It
// costs about a microsecond with logistic and ten with normalised Elo.
func (t *sprt) judge(pairs [5]int) (llr float64, v verdict) {
	llr = t.llr(floats(pairs[:]), 2)
	switch lower, upper := t.bounds(); {
	case llr <= lower:
		return llr, acceptH0
	case llr >= upper:
		return llr, acceptH1
	}
	return llr, goOn
}

// llr works on counts over equally spaced scores from 0 to 1 of units of so many games.
// Classes that never occurred count as a thousandth, so that no hypothesis is impossible.
func (t *sprt) llr(counts []float64, games float64) float64 {
	n := 0.0
	p := make([]float64, len(counts))
	for i, c := range counts {
		p[i] = max(c, 1e-3)
		n += p[i]
	}
	if n < 0.5 {
		return 0
	}
	for i := range p {
		p[i] /= n
	}
	q0, q1 := make([]float64, len(p)), make([]float64, len(p))
	if t.Normalised {
		unit := math.Sqrt(games) / (2 * eloScale)
		likeliestRatio(p, t.Elo0*unit, q0)
		likeliestRatio(p, t.Elo1*unit, q1)
	} else {
		likeliestMean(p, scores(len(p)), scoreOf(t.Elo0), q0)
		likeliestMean(p, scores(len(p)), scoreOf(t.Elo1), q1)
	}
	sum := 0.0
	for i := range p {
		sum += p[i] * math.Log(q1[i]/q0[i])
	}
	return n * sum
}

func scores(n int) []float64 {
	a := make([]float64, n)
	for i := range a {
		a[i] = float64(i) / float64(n-1)
	}
	return a
}

// likeliestMean puts into q the distribution over the values a with mean s under which
// the observed frequencies p are most likely: q = p/(1+k(a-s)) with the k that makes
// the mean right. It reports whether there is one; else q is p.
func likeliestMean(p, a []float64, s float64, q []float64) bool {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range a {
		lo, hi = min(lo, v-s), max(hi, v-s)
	}
	if lo >= 0 || hi <= 0 {
		copy(q, p)
		return false
	}
	// The sum falls from +Inf to -Inf between the poles: Newton, held in by halving.
	left, right := -1/hi, -1/lo
	k := 0.0
	for range 200 {
		f, slope := 0.0, 0.0
		for i, v := range a {
			r := (v - s) / (1 + k*(v-s))
			f += p[i] * r
			slope -= p[i] * r * r
		}
		if f > 0 {
			left = k
		} else {
			right = k
		}
		next := k - f/slope
		if !(next > left && next < right) {
			next = (left + right) / 2
		}
		if math.Abs(next-k) <= 1e-13*max(1, math.Abs(k)) {
			k = next
			break
		}
		k = next
	}
	for i, v := range a {
		q[i] = p[i] / (1 + k*(v-s))
	}
	return true
}

// likeliestRatio puts into q the distribution over the scores 0..1 whose mean lies
// ratio standard deviations above 1/2 under which p is most likely. The condition
// mean - 1/2 = ratio*deviation is made linear around the last q until it stands still.
func likeliestRatio(p []float64, ratio float64, q []float64) {
	a := scores(len(p))
	x := make([]float64, len(p))
	last := make([]float64, len(p))
	for i := range q {
		q[i] = 1 / float64(len(q))
	}
	for range 30 {
		copy(last, q)
		mean, variance, _ := moments(q)
		sigma := math.Sqrt(variance)
		for i, v := range a {
			d := (v - mean) / sigma
			x[i] = v - 0.5 - ratio*sigma*(1+d*d)/2
		}
		if !likeliestMean(p, x, 0, q) {
			return
		}
		change := 0.0
		for i := range q {
			change = max(change, math.Abs(q[i]-last[i]))
		}
		if change < 1e-10 {
			return
		}
	}
}

package elo

import (
	"fmt"
	"math"
)

// An SPRT is a sequential probability ratio test on game pairs. H0 says that the first
// player is Elo0 stronger, H1 says Elo1. The likelihood ratio is the generalized one:
// each hypothesis gets its most likely distribution over the five results of a pair.
// Source: M. Van den Bergh, "The generalized maximum likelihood ratio for the
// expectation value of a distribution" and "Normalized Elo".
type SPRT struct {
	Elo0, Elo1  float64
	Alpha, Beta float64 // rates of wrongly accepting H1 and H0, 0..0.5
	Normalised  bool    // Elo0 and Elo1 are normalised Elo, else logistic
}

// A Verdict is the state of a test.
type Verdict int8

// The states of a test.
const (
	Undecided Verdict = iota
	AcceptH0
	AcceptH1
)

func (v Verdict) String() string {
	return [...]string{"undecided", "H0 accepted", "H1 accepted"}[v]
}

// Greatest bounds of a test. From 232 normalised Elo on withDeviation finds no distribution.
const (
	mostElo        = 1000.0
	mostNormalised = 200.0
)

// Check reports bounds or error rates with which no test is possible.
func (t *SPRT) Check() error {
	most := mostElo
	if t.Normalised {
		most = mostNormalised
	}
	switch {
	case !(t.Elo0 < t.Elo1):
		return fmt.Errorf("elo0=%g must be less than elo1=%g", t.Elo0, t.Elo1)
	case !(t.Alpha > 0 && t.Alpha < 0.5), !(t.Beta > 0 && t.Beta < 0.5):
		return fmt.Errorf("alpha=%g and beta=%g must lie between 0 and 0.5", t.Alpha, t.Beta)
	case math.Abs(t.Elo0) > most, math.Abs(t.Elo1) > most:
		return fmt.Errorf("elo0=%g and elo1=%g must lie between %g and %g", t.Elo0, t.Elo1, -most, most)
	}
	return nil
}

// Bounds returns the log-likelihood ratios at which H0 and H1 are accepted.
func (t *SPRT) Bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// Judge returns the log-likelihood ratio of the pairs, counted as in Score, and the
// verdict. It takes about 1 µs with logistic and 10 µs with normalised Elo.
func (t *SPRT) Judge(pairs [5]int) (llr float64, v Verdict) {
	llr = t.llr(floats(pairs[:]), 2)
	switch lower, upper := t.Bounds(); {
	case llr <= lower:
		return llr, AcceptH0
	case llr >= upper:
		return llr, AcceptH1
	}
	return llr, Undecided
}

// llr returns the log-likelihood ratio by the counts of results, each of a number of games; the
// scores of the results are equally spaced from 0 to 1. A result that never occurred
// counts as a thousandth, so that no hypothesis is impossible.
func (t *SPRT) llr(counts []float64, games float64) float64 {
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
		unit := math.Sqrt(games) / (2 * scale)
		withDeviation(p, t.Elo0*unit, q0)
		withDeviation(p, t.Elo1*unit, q1)
	} else {
		withMean(p, scores(len(p)), expected(t.Elo0), q0)
		withMean(p, scores(len(p)), expected(t.Elo1), q1)
	}
	sum := 0.0
	for i := range p {
		sum += p[i] * math.Log(q1[i]/q0[i])
	}
	return n * sum
}

// scores returns n equally spaced scores from 0 to 1.
func scores(n int) []float64 {
	a := make([]float64, n)
	for i := range a {
		a[i] = float64(i) / float64(n-1)
	}
	return a
}

// withMean sets q to the distribution over the values a with mean s under which the
// observed frequencies p are most likely: q = p/(1+k(a-s)), with the k that gives this
// mean. It reports whether there is one; if not, q is p.
func withMean(p, a []float64, s float64, q []float64) bool {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range a {
		lo, hi = min(lo, v-s), max(hi, v-s)
	}
	if lo >= 0 || hi <= 0 {
		copy(q, p)
		return false
	}
	// f falls from +Inf to -Inf between its poles. Newton's method finds its zero, with a
	// bisection step where Newton's would leave the bracket.
	left, right := -1/hi, -1/lo
	k := 0.0
	for range 200 {
		f, derivative := 0.0, 0.0
		for i, v := range a {
			r := (v - s) / (1 + k*(v-s))
			f += p[i] * r
			derivative -= p[i] * r * r
		}
		if f > 0 {
			left = k
		} else {
			right = k
		}
		next := k - f/derivative
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

// withDeviation sets q to the distribution over the scores 0..1 whose mean lies ratio
// standard deviations above 1/2 under which p is most likely. The condition
// mean - 1/2 = ratio*deviation is linearized around the last q until q converges.
func withDeviation(p []float64, ratio float64, q []float64) {
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
		if !withMean(p, x, 0, q) {
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

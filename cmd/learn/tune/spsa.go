package tune

import (
	"math"
	"math/rand/v2"
)

// A parameter is a tuned parameter of the search, with the fields of search.Tunable.
type parameter struct {
	Name  string `json:"name"`
	Start int    `json:"start"`
	Min   int    `json:"min"`
	Max   int    `json:"max"`
	Step  int    `json:"step"` // a change that some thousand games can show
}

// Exponents of the gain sequences, and the share of the horizon that damps the first
// iterations. Source: J. C. Spall, "Implementation of the simultaneous perturbation
// algorithm for stochastic optimization", 1998.
const (
	alpha = 0.602
	gamma = 0.101
	damp  = 0.1
)

// An spsa maximizes the score of games: simultaneous perturbation stochastic approximation.
// Each iteration moves each value up or down at random, lets the two resulting sets play each
// other, and takes a step toward the winner. Values are real numbers in Min..Max, rounded to
// integers for playing.
//
// Iteration k = 1, 2 ... perturbs a value by c(k) of its steps. The sequences are scaled so
// that c(k) is 1 and a(k) is gain at the horizon; both continue to fall after it.
type spsa struct {
	params  []parameter
	horizon int
	gain    float64 // steps by which one more won game moves a value at the horizon
	seed    uint64
}

// a is the gain of iteration k, c its perturbation in steps.
func (s *spsa) a(k int) float64 {
	stability := damp * float64(s.horizon)
	return s.gain * math.Pow((stability+float64(s.horizon))/(stability+float64(k)), alpha)
}

func (s *spsa) c(k int) float64 { return math.Pow(float64(s.horizon)/float64(k), gamma) }

// defaultGain returns a gain with which a parameter without effect ends about one step away
// from its start. A parameter with a loss of 4 Elo at one step from its optimum gets within a
// third of a step in 12,000 pairs, wherever it starts.
func defaultGain(iterations, pairs int) float64 {
	return 0.5 / math.Sqrt(float64(iterations)*float64(pairs))
}

// start returns the values before the first iteration.
func (s *spsa) start() []float64 {
	theta := make([]float64, len(s.params))
	for i, p := range s.params {
		theta[i] = float64(p.Start)
	}
	return theta
}

// perturb returns the two sets that play each other in iteration k. A real number is rounded up
// with the probability of its fraction, so that on average even changes of less than one have
// their full size; both sets use the same random number, which preserves their distance. The
// result depends only on theta, k and the seed.
func (s *spsa) perturb(theta []float64, k int) (plus, minus []int) {
	r := rand.New(rand.NewPCG(s.seed, uint64(k)))
	plus, minus = make([]int, len(theta)), make([]int, len(theta))
	for i, p := range s.params {
		by := s.c(k) * float64(p.Step)
		if r.IntN(2) == 0 {
			by = -by
		}
		draw := r.Float64()
		plus[i] = int(math.Floor(p.clamp(theta[i]+by) + draw))
		minus[i] = int(math.Floor(p.clamp(theta[i]-by) + draw))
	}
	return plus, minus
}

// update returns the values after iteration k, in which the set plus won won games more than it
// lost. Each value moves in proportion to its distance between the two sets, which is
// smaller at an end of the range. With a distance of twice the perturbation c this is Spall's
// theta + a * (won - -won) / (2 * c), in steps: each win of one set is a loss of the other.
func (s *spsa) update(theta []float64, k int, plus, minus []int, won int) []float64 {
	next := make([]float64, len(theta))
	rate := s.a(k) / (s.c(k) * s.c(k))
	for i, p := range s.params {
		half := float64(plus[i]-minus[i]) / 2
		next[i] = p.clamp(theta[i] + float64(rate*float64(won)*half))
	}
	return next
}

func (p *parameter) clamp(x float64) float64 {
	return min(max(x, float64(p.Min)), float64(p.Max))
}

// whole rounds values for playing.
func whole(theta []float64) []int {
	n := make([]int, len(theta))
	for i, x := range theta {
		n[i] = int(math.Round(x))
	}
	return n
}

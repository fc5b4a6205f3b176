package elo

import (
	"math"
	"slices"
)

// A Rating is a player's strength in Elo, relative to the mean of all players, and half of
// its 95% interval.
type Rating struct {
	Elo, Error float64
}

// Ratings returns the ratings under which all games of a tournament together are most
// likely. cross[i][j] is the score of player i against player j; only j > i is read. One
// virtual draw, counted as half a win and half a loss, against an average player keeps the
// rating of a player who won or lost everything finite. The errors are those of game pairs, as far as
// pairs are complete: see Score. It takes O(n^3) for each of about ten steps.
func Ratings(cross [][]Score) []Rating {
	ratings, _ := fit(cross)
	return ratings
}

// fit is Ratings and returns the draw parameter too. The model is that of Bradley and
// Terry with Davidson's draws: between strengths p and q, win, draw and loss are as
// p : v*sqrt(p*q) : q, with one v for all. Elo is scaled so that near equality the expected
// score follows the logistic curve whatever v is.
// Source: R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties", 1970.
func fit(cross [][]Score) (ratings []Rating, v float64) {
	n := len(cross)
	size := n
	var all Score
	for i := range cross {
		for _, s := range cross[i][i+1:] {
			all.Join(s)
		}
	}
	steps := 100
	if all.Draws > 0 {
		size = n + 1 // the last parameter is log v
	}
	theta := make([]float64, size) // logarithms of the strengths
	if all.Draws > 0 && all.Draws == all.Games() {
		// All are of one strength, and v would be infinite: as in Estimate there is a quarter of
		// a win and of a loss more.
		theta[n] = math.Log(4 * float64(all.Draws))
		steps = 0
	}
	_, hess := gradient(cross, theta)
	for range steps {
		var grad []float64
		grad, hess = gradient(cross, theta)
		step := solve(hess, grad)
		longest := 0.0
		for _, s := range step {
			longest = max(longest, math.Abs(s))
		}
		damp := min(1, 1/longest) // at most one unit, about 174 Elo, at a time
		for i, s := range step {
			theta[i] += damp * s
		}
		if longest < 1e-10 {
			break
		}
	}
	if size > n {
		v = math.Exp(theta[n])
	}
	unit := scale * 2 / (2 + v) // Elo
	mean := 0.0
	for _, t := range theta[:n] {
		mean += t / float64(n)
	}
	ratings = make([]Rating, n)
	for i := range ratings {
		// The variance of theta[i] - mean is c' H^-1 c with c = e_i - 1/n.
		c := make([]float64, size)
		for j := range n {
			c[j] = -1 / float64(n)
		}
		c[i]++
		variance, x := 0.0, solve(hess, c)
		for j := range x {
			variance += c[j] * x[j]
		}
		for a := range n {
			for b := a + 1; b < n; b++ {
				d := x[a] - x[b]
				variance += d * d * surplus(cross[a][b], theta[a]-theta[b], theta[n:])
			}
		}
		ratings[i] = Rating{(theta[i] - mean) * unit, z95 * math.Sqrt(max(variance, 0)) * unit}
	}
	return ratings, v
}

// surplus returns by how much the points of the complete pairs of two players vary more than they would if
// the games of a pair were independent, as the model has them. It is negative where an opening helps one
// side, whoever plays it.
func surplus(s Score, ahead float64, logV []float64) float64 {
	if s.Complete() == 0 {
		return 0
	}
	win, _, loss := shares(ahead, logV)
	mean := win - loss
	model := 2 * float64(s.Complete()) * (win + loss - mean*mean) / 4
	_, variance, n := spread(floats(s.Pairs[:]))
	varies := 4 * n * variance // points, of which a pair has two
	if slices.Max(s.Pairs[:]) == s.Complete() {
		varies = min(varies, model) // a guess, since all pairs are equal
	}
	return varies - model
}

// shares returns how many of the games are expected to end in each way for a player who is so far ahead, of
// the draws by logV, which is empty where there are none.
func shares(ahead float64, logV []float64) (win, draw, loss float64) {
	// With x half of that the results are +1, -1 and 0 times x, and a draw adds log v.
	win, loss = math.Exp(ahead/2), math.Exp(-ahead/2)
	if len(logV) > 0 {
		draw = math.Exp(logV[0])
	}
	sum := win + draw + loss
	return win / sum, draw / sum, loss / sum
}

// gradient returns the gradient and the negated Hessian of the log-likelihood at theta.
func gradient(cross [][]Score, theta []float64) (grad []float64, hess [][]float64) {
	n := len(cross)
	draws := len(theta) > n
	grad = make([]float64, len(theta))
	hess = make([][]float64, len(theta))
	for i := range hess {
		hess[i] = make([]float64, len(theta))
	}
	for a := range n {
		// The virtual draw against a player of strength 1.
		p := 1 / (1 + math.Exp(-theta[a]))
		grad[a] += 0.5 - p
		hess[a][a] += p * (1 - p)
		for b := a + 1; b < n; b++ {
			s := cross[a][b]
			games := float64(s.Games())
			win, draw, loss := shares(theta[a]-theta[b], theta[n:])
			mean := win - loss
			gx := float64(s.Wins-s.Losses) - games*mean
			hxx := games * (win + loss - mean*mean) / 4
			grad[a] += gx / 2
			grad[b] -= gx / 2
			hess[a][a] += hxx
			hess[b][b] += hxx
			hess[a][b] -= hxx
			hess[b][a] -= hxx
			if draws {
				grad[n] += float64(s.Draws) - games*draw
				hess[n][n] += games * draw * (1 - draw)
				hxv := games * -mean * draw / 2
				hess[a][n] += hxv
				hess[n][a] += hxv
				hess[b][n] -= hxv
				hess[n][b] -= hxv
			}
		}
	}
	return grad, hess
}

// solve returns x with m x = y for a symmetric positive definite m, which needs no
// exchange of rows. m and y are not changed.
func solve(m [][]float64, y []float64) []float64 {
	n := len(y)
	a := make([][]float64, n)
	for i := range a {
		a[i] = append(append(make([]float64, 0, n+1), m[i]...), y[i])
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			f := a[j][i] / a[i][i]
			for k := i; k <= n; k++ {
				a[j][k] -= f * a[i][k]
			}
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		x[i] = a[i][n]
		for j := i + 1; j < n; j++ {
			x[i] -= a[i][j] * x[j]
		}
		x[i] /= a[i][i]
	}
	return x
}

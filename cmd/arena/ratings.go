package main

import "math"

// A rating is an engine's strength in Elo, the mean of all engines being 0, and half of
// its 95% interval.
type rating struct {
	Elo, Error float64
}

// A duel holds the games between engines a and b, from a's side.
type duel struct {
	a, b                int
	wins, losses, draws float64
}

// fitRatings finds the ratings of n engines under which all games together are most
// likely, by the model of Bradley and Terry with Davidson's draws: win, draw and loss
// of strengths p and q are as p : v*sqrt(p*q) : q, with one v for all. Half a win and
// half a loss against an average engine are added for each, so that an engine that won
// or lost everything gets a finite number. Elo is scaled so that near equality the
// expected score follows the logistic curve whatever the draws; the second result is v.
// Source: R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties", 1970.
// It costs O(n^3) for each of about ten steps.
func fitRatings(n int, duels []duel) ([]rating, float64) {
	draws := false
	for _, d := range duels {
		draws = draws || d.draws > 0
	}
	size := n
	if draws {
		size++ // the last parameter is log v
	}
	theta := make([]float64, size)
	var hess [][]float64
	for range 100 {
		var grad []float64
		grad, hess = slope(n, theta, duels, draws)
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
	v := 0.0
	if draws {
		v = math.Exp(theta[n])
	}
	scale := eloScale * 2 / (2 + v)
	mean := 0.0
	for _, t := range theta[:n] {
		mean += t / float64(n)
	}
	ratings := make([]rating, n)
	for i := range ratings {
		// Variance of theta[i] - mean is c' H^-1 c with c = e_i - 1/n.
		c := make([]float64, size)
		for j := range n {
			c[j] = -1 / float64(n)
		}
		c[i]++
		variance := 0.0
		for j, x := range solve(hess, c) {
			variance += c[j] * x
		}
		ratings[i] = rating{(theta[i] - mean) * scale, z95 * math.Sqrt(max(variance, 0)) * scale}
	}
	return ratings, v
}

// slope gives gradient and negated Hessian of the log-likelihood at theta.
func slope(n int, theta []float64, duels []duel, draws bool) ([]float64, [][]float64) {
	grad := make([]float64, len(theta))
	hess := make([][]float64, len(theta))
	for i := range hess {
		hess[i] = make([]float64, len(theta))
	}
	for i := range n { // the half win and half loss against strength 0
		p := 1 / (1 + math.Exp(-theta[i]))
		grad[i] += 0.5 - p
		hess[i][i] += p * (1 - p)
	}
	for _, d := range duels {
		games := d.wins + d.losses + d.draws
		if games == 0 {
			continue
		}
		// Utilities of win, loss and draw; each is linear in theta.
		half := (theta[d.a] - theta[d.b]) / 2
		win, loss, draw := math.Exp(half), math.Exp(-half), 0.0
		if draws {
			draw = math.Exp(theta[n])
		}
		sum := win + loss + draw
		win, loss, draw = win/sum, loss/sum, draw/sum
		// With x = (theta a - theta b)/2 the outcomes are +1, -1, 0 times x, and draw
		// adds 1 times log v.
		ex, ev := win-loss, draw
		gx := d.wins - d.losses - games*ex
		hxx := games * (win + loss - ex*ex) / 4
		grad[d.a] += gx / 2
		grad[d.b] -= gx / 2
		hess[d.a][d.a] += hxx
		hess[d.b][d.b] += hxx
		hess[d.a][d.b] -= hxx
		hess[d.b][d.a] -= hxx
		if draws {
			grad[n] += d.draws - games*ev
			hess[n][n] += games * ev * (1 - ev)
			hxv := games * -ex * ev / 2
			hess[d.a][n] += hxv
			hess[n][d.a] += hxv
			hess[d.b][n] -= hxv
			hess[n][d.b] -= hxv
		}
	}
	return grad, hess
}

// solve returns x with m x = y for a symmetric positive definite m, by elimination with
// row exchange. m and y stay as they are.
func solve(m [][]float64, y []float64) []float64 {
	n := len(y)
	a := make([][]float64, n)
	for i := range a {
		a[i] = append(append(make([]float64, 0, n+1), m[i]...), y[i])
	}
	for i := range n {
		best := i
		for j := i + 1; j < n; j++ {
			if math.Abs(a[j][i]) > math.Abs(a[best][i]) {
				best = j
			}
		}
		a[i], a[best] = a[best], a[i]
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

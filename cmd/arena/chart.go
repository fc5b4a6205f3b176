package main

import (
	"fmt"
	"math"
)

// An eloChart is a row with a dot and a 95% bar for each of three engines and more. Names
// and numbers are above the bars. Lengths are SVG units.
type eloChart struct {
	Height, Bottom int // of the chart, 440 wide, and of its grid
	Rows           []eloBar
	Ticks          []eloTick
}

type eloBar struct {
	Name, Text     string
	Y              int
	Low, Mid, High float64 // x
}

type eloTick struct {
	X    float64
	Text string
	Zero bool
}

const chartLeft, chartRight = 16.0, 424.0

// newEloChart returns nil for two engines, whose difference is a single number.
func newEloChart(r *result) *eloChart {
	if len(r.Engines) == 2 {
		return nil
	}
	const first, each, letters = 38, 46, 32
	c := &eloChart{}
	low, high := 0.0, 0.0
	for _, e := range r.Engines {
		low, high = min(low, e.Rating.Elo-e.Rating.Error), max(high, e.Rating.Elo+e.Rating.Error)
	}
	margin := max((high-low)*0.08, 10)
	low, high = low-margin, high+margin
	at := func(elo float64) float64 {
		return math.Round(10*(chartLeft+(elo-low)/(high-low)*(chartRight-chartLeft))) / 10
	}
	for k, i := range r.ranked() {
		e := r.Engines[i]
		c.Rows = append(c.Rows, eloBar{
			Name: shorten(e.Name, letters), Text: fmt.Sprintf("%s ± %.0f", signed(e.Rating.Elo), e.Rating.Error), Y: first + each*k,
			Low: at(e.Rating.Elo - e.Rating.Error), Mid: at(e.Rating.Elo), High: at(e.Rating.Elo + e.Rating.Error),
		})
	}
	c.Bottom = first + each*(len(r.Engines)-1) + 18
	c.Height = c.Bottom + 26
	step := niceStep((high - low) / 4)
	for k := math.Ceil(low / step); k*step <= high; k++ {
		c.Ticks = append(c.Ticks, eloTick{X: at(k * step), Text: signed(k * step), Zero: k == 0})
	}
	return c
}

// niceStep rounds up to 1, 2 or 5 times a power of ten.
func niceStep(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, k := range []float64{1, 2, 5} {
		if k*unit >= x {
			return k * unit
		}
	}
	return 10 * unit
}

func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

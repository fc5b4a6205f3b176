package main

import (
	"fmt"
	"math"
)

// An eloChart is a row with a dot and a 95% bar for each engine, or one row for the
// difference between two engines. Names and numbers are above the bars. Lengths are SVG
// units.
type eloChart struct {
	Height, Bottom int // of the chart, 440 wide, and of its grid
	Rows           []eloBar
	Ticks          []eloTick
	Label          string // of the chart, for readers who cannot see it
}

type eloBar struct {
	Name, Text        string
	Y                 int
	Low, Mid, High    float64 // x
	Dot               bool    // Mid is finite
	OpenLow, OpenHigh bool    // the bar continues beyond the chart
}

type eloTick struct {
	X    float64
	Text string
	Zero bool
}

const (
	chartLimit            = 1200 // Elo; what is further out is cut off
	chartLeft, chartRight = 16.0, 424.0
)

// newEloChart returns nil if there is nothing to show.
func newEloChart(r *result) *eloChart {
	if len(r.Engines) == 2 && r.First.Games() == 0 {
		return nil
	}
	const first, each, letters = 38, 46, 32
	c := &eloChart{}
	type span struct {
		name           string
		low, mid, high float64
	}
	var spans []span
	if len(r.Engines) == 2 {
		spans = []span{{r.Engines[0].Name + " − " + r.Engines[1].Name, r.Est.Low, r.Est.Elo, r.Est.High}}
		c.Label = "Elo difference with 95% interval"
	} else {
		for _, i := range r.ranked() {
			e := r.Engines[i]
			spans = append(spans, span{e.Name, e.Rating.Elo - e.Rating.Error, e.Rating.Elo, e.Rating.Elo + e.Rating.Error})
		}
		c.Label = "Elo of all engines with 95% intervals; 0 is their mean"
	}
	low, high := 0.0, 0.0
	for _, s := range spans {
		for _, x := range []float64{s.low, s.mid, s.high} {
			if math.Abs(x) <= chartLimit {
				low, high = min(low, x), max(high, x)
			}
		}
	}
	margin := max((high-low)*0.08, 10)
	low, high = low-margin, high+margin
	at := func(elo float64) float64 {
		x := chartLeft + (elo-low)/(high-low)*(chartRight-chartLeft)
		return math.Round(10*min(max(x, chartLeft), chartRight)) / 10
	}
	for i, s := range spans {
		text := fmt.Sprintf("%s ± %.0f", signed(s.mid), (s.high-s.low)/2)
		if math.IsInf(s.low, 0) || math.IsInf(s.high, 0) {
			text = fmt.Sprintf("%s to %s", signed(s.low), signed(s.high))
		}
		c.Rows = append(c.Rows, eloBar{
			Name: shorten(s.name, letters), Text: text, Y: first + each*i,
			Low: at(s.low), Mid: at(s.mid), High: at(s.high),
			Dot: !math.IsInf(s.mid, 0), OpenLow: s.low < low, OpenHigh: s.high > high,
		})
	}
	c.Bottom = first + each*(len(spans)-1) + 18
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

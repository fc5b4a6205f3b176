package tables

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// A panel is one fit in the picture of a run.
type panel struct {
	title   string
	history []epoch
	best    int // epoch that was kept
}

// curve draws the losses of fits side by side as an SVG file: a line for training, one
// for validation, a ring around the epoch that was kept.
func curve(title string, panels ...panel) []byte {
	const (
		width, height = 560, 360 // of a panel
		left, right   = 78, 16
		top, bottom   = 64, 48
	)
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="12" fill="#333">`+"\n",
		width*len(panels), height, width*len(panels), height)
	fmt.Fprintf(&s, `<rect width="100%%" height="100%%" fill="#fff"/><text x="%d" y="24" font-size="15">%s</text>`+"\n", left, html.EscapeString(title))
	for i, p := range panels {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, e := range p.history {
			lo, hi = min(lo, e.Train, e.Valid), max(hi, e.Train, e.Valid)
		}
		if !(hi > lo) {
			lo, hi = lo-0.5, lo+0.5
		}
		if math.IsInf(lo, 0) || math.IsNaN(lo) {
			lo, hi = 0, 1
		}
		last := max(len(p.history)-1, 1)
		x := func(n int) float64 { return float64(left) + float64(n)/float64(last)*(width-left-right) }
		y := func(v float64) float64 { return top + (hi-v)/(hi-lo)*(height-top-bottom) }
		fmt.Fprintf(&s, `<g transform="translate(%d 0)"><text x="%d" y="46">%s: loss by epoch, <tspan fill="#06c">training</tspan>, <tspan fill="#c40">validation</tspan></text>`+"\n",
			i*width, left, html.EscapeString(p.title))
		for k := range 5 {
			v := lo + (hi-lo)*float64(k)/4
			fmt.Fprintf(&s, `<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.4f</text>`+"\n",
				left, y(v), width-right, left-8, y(v)+4, v)
		}
		for n := 0; n <= last; n += max((last+9)/10, 1) {
			fmt.Fprintf(&s, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", x(n), height-bottom+20, n)
		}
		line := func(color string, of func(epoch) float64) {
			fmt.Fprintf(&s, `<polyline fill="none" stroke="%s" stroke-width="1.8" points="`, color)
			for n, e := range p.history {
				fmt.Fprintf(&s, "%.1f,%.1f ", x(n), y(of(e)))
			}
			s.WriteString("\"/>\n")
		}
		line("#06c", func(e epoch) float64 { return e.Train })
		line("#c40", func(e epoch) float64 { return e.Valid })
		if p.best < len(p.history) {
			fmt.Fprintf(&s, `<circle cx="%.1f" cy="%.1f" r="5" fill="none" stroke="#c40" stroke-width="1.8"/>`+"\n", x(p.best), y(p.history[p.best].Valid))
		}
		s.WriteString("</g>\n")
	}
	s.WriteString("</svg>\n")
	return []byte(s.String())
}

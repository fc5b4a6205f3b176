// Package losscurve draws how losses fall while something is trained.
package losscurve

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// A Point is one of the curve.
type Point struct {
	Epoch        float64
	Train, Valid float64 // losses in training and in validation
}

// A Panel is one loss: a line for training, one for validation, a ring around the point
// that was kept.
type Panel struct {
	Title  string
	Points []Point // by rising epoch
	Best   int     // of Points; -1 for none
}

// Draw draws the panels side by side as an SVG file, about 2 KB each.
func Draw(title string, panels ...Panel) []byte {
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
		for _, q := range p.Points {
			lo, hi = min(lo, q.Train, q.Valid), max(hi, q.Train, q.Valid)
		}
		if !(hi > lo) {
			lo, hi = lo-0.5, lo+0.5
		}
		if math.IsInf(lo, 0) || math.IsNaN(lo) {
			lo, hi = 0, 1
		}
		first, last := 0.0, 1.0
		if n := len(p.Points); n > 0 {
			first = p.Points[0].Epoch
			last = max(p.Points[n-1].Epoch, first+1)
		}
		x := func(epoch float64) float64 { return left + (epoch-first)/(last-first)*(width-left-right) }
		y := func(v float64) float64 { return top + (hi-v)/(hi-lo)*(height-top-bottom) }
		fmt.Fprintf(&s, `<g transform="translate(%d 0)"><text x="%d" y="46">%s: loss by epoch, <tspan fill="#06c">training</tspan>, <tspan fill="#c40">validation</tspan></text>`+"\n",
			i*width, left, html.EscapeString(p.Title))
		for k := range 5 {
			v := lo + (hi-lo)*float64(k)/4
			fmt.Fprintf(&s, `<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.4f</text>`+"\n",
				left, y(v), width-right, left-8, y(v)+4, v)
		}
		for n := int(math.Ceil(first)); n <= int(last); n += max((int(last-first)+9)/10, 1) {
			fmt.Fprintf(&s, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", x(float64(n)), height-bottom+20, n)
		}
		line := func(color string, of func(Point) float64) {
			fmt.Fprintf(&s, `<polyline fill="none" stroke="%s" stroke-width="1.8" points="`, color)
			for _, q := range p.Points {
				fmt.Fprintf(&s, "%.1f,%.1f ", x(q.Epoch), y(of(q)))
			}
			s.WriteString("\"/>\n")
		}
		line("#06c", func(q Point) float64 { return q.Train })
		line("#c40", func(q Point) float64 { return q.Valid })
		if p.Best >= 0 && p.Best < len(p.Points) {
			fmt.Fprintf(&s, `<circle cx="%.1f" cy="%.1f" r="5" fill="none" stroke="#c40" stroke-width="1.8"/>`+"\n", x(p.Points[p.Best].Epoch), y(p.Points[p.Best].Valid))
		}
		s.WriteString("</g>\n")
	}
	s.WriteString("</svg>\n")
	return []byte(s.String())
}

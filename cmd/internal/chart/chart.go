// Package chart draws the losses of a training in SVG.
package chart

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// A Panel is one chart: a line for the training and one for the validation.
type Panel struct {
	Title                string
	Epochs               []float64 // rising
	Training, Validation []float64 // losses, one for each of Epochs
}

const (
	width, height = 560, 360 // of a panel
	left, right   = 78, 16   // margins within
	top, bottom   = 64, 48
	maxPoints     = 600 // of a line; if there are more, some are omitted
)

// A line is one of the lines of a panel. Its name is in the title in its color.
type line struct {
	name, color string
	values      []float64
}

func (p *Panel) lines() [2]line {
	return [2]line{{"training", "#06c", p.Training}, {"validation", "#c40", p.Validation}}
}

// Magic begins every drawing.
const Magic = `<svg xmlns="http://www.w3.org/2000/svg"`

// Draw draws the panels side by side.
func Draw(title string, panels ...Panel) []byte {
	var s strings.Builder
	fmt.Fprintf(&s, Magic+` viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" font-family="sans-serif" font-size="12" fill="#333">`+"\n",
		width*len(panels), height)
	fmt.Fprintf(&s, `<rect width="100%%" height="100%%" fill="#fff"/><text x="%d" y="24" font-size="15">%s</text>`+"\n", left, html.EscapeString(title))
	for i := range panels {
		fmt.Fprintf(&s, `<g transform="translate(%d 0)">`, i*width)
		panels[i].draw(&s)
		s.WriteString("</g>\n")
	}
	s.WriteString("</svg>\n")
	return []byte(s.String())
}

// span returns the range of the values.
func (p *Panel) span() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, l := range p.lines() {
		for _, v := range l.values {
			low, high = min(low, v), max(high, v)
		}
	}
	switch {
	case math.IsInf(low, 0) || math.IsNaN(low):
		return 0, 1
	case high > low:
		return low, high
	}
	return low - 0.5, low + 0.5
}

// ticksOf returns the round numbers from low to high, four to ten of them, and how many digits they
// have behind the point.
func ticksOf(low, high float64) (ticks []float64, digits int) {
	unit := math.Pow(10, math.Floor(math.Log10((high-low)/4)))
	step := unit
	for _, n := range []float64{2, 5} {
		if n*unit <= (high-low)/4 {
			step = n * unit
		}
	}
	const rounding = 1e-6 // of a step
	for n := math.Ceil(low/step - rounding); n*step <= high+rounding*step; n++ {
		ticks = append(ticks, n*step)
	}
	return ticks, max(0, -int(math.Floor(math.Log10(step))))
}

func (p *Panel) draw(s *strings.Builder) {
	low, high := p.span()
	first, last := 0.0, 1.0
	if n := len(p.Epochs); n > 0 {
		first, last = p.Epochs[0], max(p.Epochs[n-1], p.Epochs[0]+1)
	}
	x := func(v float64) float64 { return left + (v-first)/(last-first)*(width-left-right) }
	y := func(v float64) float64 { return top + (high-v)/(high-low)*(height-top-bottom) }
	fmt.Fprintf(s, `<text x="%d" y="46">%s`, left, html.EscapeString(p.Title))
	for _, l := range p.lines() {
		fmt.Fprintf(s, ` <tspan fill="%s">%s</tspan>`, l.color, l.name)
	}
	s.WriteString("</text>\n")
	ticks, digits := ticksOf(low, high)
	for _, v := range ticks {
		fmt.Fprintf(s, `<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.*f</text>`+"\n",
			left, y(v), width-right, left-8, y(v)+4, digits, v)
	}
	for n := int(math.Ceil(first)); n <= int(last); n += max((int(last-first)+9)/10, 1) {
		fmt.Fprintf(s, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", x(float64(n)), height-bottom+20, n)
	}
	every := max(1, (len(p.Epochs)+maxPoints-1)/maxPoints)
	for _, l := range p.lines() {
		fmt.Fprintf(s, `<polyline fill="none" stroke="%s" stroke-width="1.8" points="`, l.color)
		for n, v := range l.values {
			if n%every == 0 || n == len(l.values)-1 {
				fmt.Fprintf(s, "%.1f,%.1f ", x(p.Epochs[n]), y(v))
			}
		}
		s.WriteString("\"/>\n")
	}
}

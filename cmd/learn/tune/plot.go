package tune

import (
	"fmt"
	"html"
	"math"
	"strings"

	"tengen/cmd/internal/atomicfile"
)

// Sizes of the plot in SVG units, one panel for each parameter.
const (
	panelWidth  = 380
	panelHeight = 190
	plotLeft    = 56 // of the curve within its panel
	plotTop     = 34
	plotWidth   = 306
	plotHeight  = 124
	headHeight  = 44
	mostPoints  = 600 // of a curve
)

// plot draws the values of all parameters over the iterations as SVG. All panels have
// the same scale in steps around the start, so that curves can be compared.
func (r *run) plot() []byte {
	n := len(r.iterations)
	columns := min(3, len(r.Params))
	rows := (len(r.Params) + columns - 1) / columns
	width, height := columns*panelWidth+20, headHeight+rows*panelHeight+10

	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n",
		width, height, width, height)
	b.WriteString(`<rect width="100%" height="100%" fill="#fff"/>` + "\n")
	fmt.Fprintf(&b, `<text x="20" y="28" font-size="16" font-weight="bold">%s</text>`+"\n", html.EscapeString(r.title()))

	reach := r.reach()
	for i, p := range r.Params {
		x, y := 10+i%columns*panelWidth, headHeight+i/columns*panelHeight
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", x, y)
		r.panel(&b, i, p, n, reach)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func (r *run) title() string {
	budget := fmt.Sprintf("%d nodes", r.Nodes)
	if r.Time > 0 {
		budget = r.Time.String()
	}
	return fmt.Sprintf("SPSA, %d iterations of %d pairs, %s a move, %v %dx%d",
		len(r.iterations), r.Pairs, budget, r.Rule, r.Width, r.Height)
}

// reach is how many steps the panels show to either side of the start, at least 2.
func (r *run) reach() float64 {
	most := 2.0
	for _, it := range r.iterations {
		for i, p := range r.Params {
			most = max(most, math.Abs(it.Theta[i]-float64(p.Start))/float64(p.Step))
		}
	}
	return math.Ceil(most)
}

func (r *run) panel(b *strings.Builder, i int, p parameter, n int, reach float64) {
	at := func(value float64) float64 {
		steps := (value - float64(p.Start)) / float64(p.Step)
		return plotTop + plotHeight/2*(1-steps/reach)
	}
	line := func(value float64, style string) {
		fmt.Fprintf(b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" %s/>`+"\n", plotLeft, plotLeft+plotWidth, at(value), at(value), style)
	}
	now := float64(p.Start)
	if n > 0 {
		now = r.iterations[n-1].Theta[i]
	}
	fmt.Fprintf(b, `<text x="%d" y="24" font-size="14" font-weight="bold">%s</text>`+"\n", plotLeft, html.EscapeString(p.Name))
	fmt.Fprintf(b, `<text x="%d" y="24" font-size="14" text-anchor="end">%d → %.0f</text>`+"\n", plotLeft+plotWidth, p.Start, now)

	every := max(1, math.Ceil(reach/4)) // steps between two lines of the grid
	for s := -math.Floor(reach/every) * every; s <= reach; s += every {
		value := float64(p.Start) + s*float64(p.Step)
		if value < float64(p.Min) || value > float64(p.Max) {
			continue
		}
		style := `stroke="#ddd"`
		if s == 0 {
			style = `stroke="#888" stroke-dasharray="4 3"`
		}
		line(value, style)
		if math.Mod(s, 2*every) == 0 {
			fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end" fill="#555">%.0f</text>`+"\n", plotLeft-6, at(value)+4, value)
		}
	}
	for _, end := range [2]int{p.Min, p.Max} {
		if math.Abs(float64(end-p.Start)) <= reach*float64(p.Step) {
			line(float64(end), `stroke="#c33"`)
		}
	}
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#888"/>`+"\n", plotLeft, plotTop, plotWidth, plotHeight)
	fmt.Fprintf(b, `<text x="%d" y="%d" fill="#555">0</text>`+"\n", plotLeft, plotTop+plotHeight+15)
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end" fill="#555">%d</text>`+"\n", plotLeft+plotWidth, plotTop+plotHeight+15, n)

	fmt.Fprintf(b, `<polyline fill="none" stroke="#1565c0" stroke-width="1.5" points="%d,%.1f`, plotLeft, at(float64(p.Start)))
	every2 := max((n+mostPoints-1)/mostPoints, 1)
	for k := 1; k <= n; k++ {
		if k%every2 == 0 || k == n {
			fmt.Fprintf(b, " %.1f,%.1f", plotLeft+plotWidth*float64(k)/float64(n), at(r.iterations[k-1].Theta[i]))
		}
	}
	b.WriteString(`"/>` + "\n")
}

// savePlot replaces the file at path; with the path "" it does nothing.
func (r *run) savePlot(path string) error {
	if path == "" {
		return nil
	}
	return atomicfile.Write(path, r.plot())
}

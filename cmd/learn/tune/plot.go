package tune

import (
	"fmt"
	"math"

	"tengen/cmd/internal/atomicfile"
	"tengen/cmd/internal/chart"
)

// plot draws the values of all parameters over the iterations. All panels show as many
// steps to either side of the start, at least 2, so that lines can be compared.
func (r *run) plot() []byte {
	reach := 2.0
	for _, it := range r.iterations {
		for i, p := range r.Params {
			reach = max(reach, math.Abs(it.Theta[i]-float64(p.Start))/float64(p.Step))
		}
	}
	reach = math.Ceil(reach)
	var panels []chart.Panel
	for i, p := range r.Params {
		start, step := float64(p.Start), float64(p.Step)
		x, values := []float64{0}, []float64{start}
		for _, it := range r.iterations {
			x, values = append(x, float64(it.K)), append(values, it.Theta[i])
		}
		panels = append(panels, chart.Panel{
			Title: fmt.Sprintf("%s %d → %.0f, from %d to %d", p.Name, p.Start, math.Round(r.theta()[i]), p.Min, p.Max),
			X:     x, Lines: []chart.Line{{Values: values}}, Low: start - reach*step, High: start + reach*step, Mark: -1,
		})
	}
	title := fmt.Sprintf("SPSA, %d iterations of %d pairs, %d nodes a move, %v", len(r.iterations), r.Pairs, r.Nodes, &r.Board)
	return chart.Draw(title, 3, panels...)
}

// savePlot replaces the file at path; with the path "" it does nothing.
func (r *run) savePlot(path string) error {
	if path == "" {
		return nil
	}
	return atomicfile.Write(path, r.plot())
}

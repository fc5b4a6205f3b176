package tables

import "tengen/cmd/internal/losscurve"

// A panel is one fit in the picture of a run.
type panel struct {
	title   string
	history []epoch
	best    int // epoch that was kept
}

// curve draws the losses of fits side by side as an SVG file.
func curve(title string, panels ...panel) []byte {
	var all []losscurve.Panel
	for _, p := range panels {
		to := losscurve.Panel{Title: p.title, Best: p.best}
		for n, e := range p.history {
			to.Points = append(to.Points, losscurve.Point{Epoch: float64(n), Train: e.Train, Valid: e.Valid})
		}
		all = append(all, to)
	}
	return losscurve.Draw(title, all...)
}

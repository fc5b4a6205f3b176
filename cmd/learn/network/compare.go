package network

import (
	"fmt"
	"math"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/nnue"
)

// A comparison compares a model with its rounded network on some positions.
type comparison struct {
	Float, Whole validation // against the targets of the plan
	N            int        // positions
	Points       float64    // sum of the differences of the values
	Worst        float64    // the greatest of them
	Moves        int        // logits
	Logits       float64    // sum of the differences of logits, those of a position with the same mean
	census       census
}

// compare measures the model, and its rounded network unless net is nil, on at most most positions of
// games, with the share mix of the search in the targets.
func (t *trainer) compare(net *eval.Network, games []*game, most int, mix float64) (*comparison, error) {
	c := new(comparison)
	w, x := t.readers[0], t.source.extractors[0]
	w.m = t.model
	w.begin()
	var s example
	var e *eval.NetworkEvaluator
	var moves []board.Move
	var scores []int32
	for _, g := range games {
		if err := x.begin(g.Width, g.Height); err != nil {
			return nil, err
		}
		if net != nil {
			if e == nil {
				e = net.New(x.b)
			}
			e.Reset(x.b, 0)
		}
		for i := range g.Plies {
			if c.N >= most {
				return c, nil
			}
			ply := &g.Plies[i]
			if u := g.uses[i]; u != 0 {
				x.example(&s, ply, g.LinesOf(i), g.results[i], u)
				p := w.evaluate(&s)
				c.census.add(&s, p)
				c.N++
				if net != nil {
					whole := *p
					whole.value = float32(e.Value()) / unit
					d := math.Abs(min(max(float64(p.value)*unit, -eval.Max), eval.Max) - float64(whole.value)*unit)
					c.Points += d
					c.Worst = max(c.Worst, d)
					if p.policy {
						moves = x.moves(moves[:0])
						scores = append(scores[:0], make([]int32, len(moves))...)
						e.Logits(moves, scores)
						whole.logits = make([]float32, len(moves))
						var mean float64
						for k, v := range scores {
							whole.logits[k] = float32(v) / nnue.LogitOne
							mean += float64(whole.logits[k]-p.logits[k]) / float64(len(moves))
						}
						for k := range scores {
							c.Moves++
							c.Logits += math.Abs(float64(whole.logits[k]-p.logits[k]) - mean)
						}
					}
					c.Whole.measure(&whole, &s, mix)
				}
				c.Float.measure(p, &s, mix)
			}
			x.play(ply.Move)
		}
	}
	return c, nil
}

func (c *comparison) String() string {
	return fmt.Sprintf("rounded, on %d positions: value %.5f to %.5f (by 75%% search %.5f to %.5f), policy %.4f to %.4f, first %.2f%% to %.2f%%; values differ by %.2f points in the mean, %.0f at most; logits by %.4f in the mean",
		c.N, c.Float.excess(), c.Whole.excess(), c.Float.Mixed.excess(), c.Whole.Mixed.excess(), c.Float.policy(), c.Whole.policy(), 100*c.Float.first(), 100*c.Whole.first(),
		c.Points/float64(max(c.N, 1)), c.Worst, c.Logits/float64(max(c.Moves, 1)))
}

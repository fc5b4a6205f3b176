package network

import (
	"math"
	"slices"

	"tengen/brain/nnue"
)

// This file changes a model without changing its outputs: to other norms, to cells of another
// size, and between the sums of a model and those of nnue.

// A census holds statistics of a model on some positions, by which the exporter chooses
// scales.
type census struct {
	peak    [2][width]float64 // of each view set, greatest activation of a cell
	gate    [2][pair]float64  // of each head, greatest magnitude of the gates
	nonZero [2][pair]float64  // of each head, number of regions that are not 0
	n       [2]float64        // positions of each head
}

// add adds s after p to c.
func (c *census) add(s *example, p *pass) {
	h := s.head
	c.n[h]++
	for i, v := range p.acts {
		peak := &c.peak[s.views[i%pair/width]][i%width]
		*peak = max(*peak, float64(v))
	}
	for r := range regions {
		for k, v := range at(&p.pool, r) {
			if v > 0 {
				c.nonZero[h][k]++
			}
		}
	}
	if !p.policy {
		return
	}
	for k, g := range p.gate {
		c.gate[h][k] = max(c.gate[h][k], math.Abs(float64(g)))
	}
}

// poolLoss returns by how much number k of the pool of all cells of head h is less in nnue, in the
// mean. Each of the nine sums that it adds up loses its low PoolShift bits, which are
// (2^PoolShift - 1)/2 in the mean unless the sum is 0.
func (c *census) poolLoss(h, k int) float64 {
	const each = (1<<nnue.PoolShift - 1) / 2.0
	return each * poolScale / nnue.CellOne * c.nonZero[h][k] / max(c.n[h], 1)
}

// factors returns the factors of the numbers of cells that bring their peaks to a height, from
// 1/most to most.
func (c *census) factors(height, most float64) (f [2][width]float64) {
	for s := range f {
		for k, peak := range c.peak[s] {
			f[s][k] = max(min(height/max(peak, 1e-9), most), 1/most)
		}
	}
	return f
}

// clone returns a copy of m.
func (m *model) clone() *model {
	return &model{layout: m.layout, params: slices.Clone(m.params), norm: slices.Clone(m.norm)}
}

// settle changes the weights of the heads for the norms of the model, which were old before, so that
// the outputs stay the same.
//
// A layer computes w (x - mean)/dev + b for a pool x, with dev = sqrt(Var + epsilon). The same with
// another mean' and dev' needs
//
//	w' = w dev'/dev
//	b' = b + w (mean' - mean)/dev
func (m *model) settle(old []norm) {
	for h := range m.norm {
		m.eachPool(h, func(l layer[float32], t int) {
			was, now := &old[h], &m.norm[h]
			for i := range l.bias {
				bias := float64(l.bias[i])
				for k := range pair {
					w := &l.weights[i*pair+k]
					byPool := float64(*w) / math.Sqrt(was.Var[t][k]+epsilon)
					bias += byPool * (now.Mean[t][k] - was.Mean[t][k])
					*w = float32(byPool * math.Sqrt(now.Var[t][k]+epsilon))
				}
				l.bias[i] = float32(bias)
			}
		})
	}
}

// eachPool calls f for every layer of head h that reads pools, with their type.
func (m *model) eachPool(h int, f func(l layer[float32], t int)) {
	w := m.head(m.params, h)
	for t, l := range w.region {
		f(l, t)
	}
	f(w.global, allType)
	f(w.gate, allType)
}

// plainNorms returns norms that change nothing: mean 0 and deviation 1.
func plainNorms(heads int) []norm {
	all := make([]norm, heads)
	for h := range all {
		for t := range all[h].Var {
			for k := range all[h].Var[t] {
				all[h].Var[t][k] = 1 - epsilon
			}
		}
	}
	return all
}

// fold moves the norms into the weights. Those of the model are plain then.
func (m *model) fold() {
	old := m.norm
	m.norm = plainNorms(len(old))
	m.settle(old)
}

// rescale multiplies the numbers of the cells of each view set by f, and c with them. The outputs
// of the model, whose norms must be plain, stay the same unless cells are clamped above: layers on
// pools divide their weights by f, and the gate, whose product with a cell makes a logit, divides its
// outputs, too.
func (m *model) rescale(f [2][width]float64, c *census) {
	for s := range m.sets {
		rows := m.set(m.params, s)
		for i := range rows {
			rows[i] *= float32(f[s][i%width])
		}
		for k := range c.peak[s] {
			c.peak[s][k] *= f[s][k]
		}
	}
	for h := range m.norm {
		var by [pair]float32 // of the cells as the head sees them, the side to move first
		for k := range by {
			by[k] = float32(f[(h+k/width)%m.sets][k%width])
		}
		m.eachPool(h, func(l layer[float32], _ int) {
			for i := range l.weights {
				l.weights[i] /= by[i%pair]
			}
		})
		gate := m.head(m.params, h).gate
		for i := range pair {
			for k := range pair {
				gate.weights[i*pair+k] /= by[i]
			}
			gate.bias[i] /= by[i]
			c.gate[h][i] /= float64(by[i])
		}
	}
}

// compensate adds to the biases of the layers on the pool of all cells a share of poolLoss: 1 before
// the model is rounded, -1 after it is loaded. The norms must be plain.
func (m *model) compensate(c *census, share float64) {
	for h := range m.norm {
		w := m.head(m.params, h)
		for _, l := range []layer[float32]{w.global, w.gate} {
			for i := range l.bias {
				bias := float64(l.bias[i])
				for k, weight := range l.weights[i*pair:][:pair] {
					bias += share * float64(weight) * c.poolLoss(h, k)
				}
				l.bias[i] = float32(bias)
			}
		}
	}
}

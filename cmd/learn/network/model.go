package network

import (
	"math"
	"math/rand/v2"

	"tengen/brain/board"
	"tengen/brain/winrate"
	"tengen/cmd/learn/dataset"
)

// A model is a network in float32.
type model struct {
	layout
	params []float32 // by layout
	norm   []norm    // of each head
}

// A norm normalizes pooled sums to mean 0 and deviation 1: it holds the running means of their
// values and squared deviations. Pools 0, 1 and 2 are regions by type, pool 3 is the sum of
// all.
type norm struct {
	Mean, Var [4][pair]float64
}

// poolScale is the factor of pooled sums in the heads.
const poolScale = 1.0 / 16

// newModel returns a random model: rows from a normal distribution of deviation 0.1, layers
// uniformly within one over the square root of their inputs, the rest 0.
func newModel(rule board.Rule, seed uint64) *model {
	l := layoutFor(rule)
	m := &model{layout: l, params: make([]float32, l.size()), norm: make([]norm, l.sets)}
	r := rand.New(rand.NewPCG(seed, 0x6e6574))
	lines := lineNumbers()
	for s := range l.sets {
		rows := m.set(m.params, s)
		for i := range rows {
			rows[i] = float32(0.1 * r.NormFloat64())
		}
		for n, free := range lines.free {
			if free {
				clear(rows[n*width:][:width])
			}
		}
		for i := range rows[biasRow*width:] {
			rows[biasRow*width+i] = 0.02
		}
		even := func(x []float32, inputs int) {
			for i := range x {
				x[i] = float32((2*r.Float64() - 1) / math.Sqrt(float64(inputs)))
			}
		}
		h := m.head(m.params, s)
		for t := range h.region {
			even(h.region[t].weights, pair)
			even(h.region[t].bias, pair)
			even(h.merge[t], regionHidden)
		}
		even(h.global.weights, pair)
		even(h.global.bias, pair)
		even(h.out.weights, hidden)
		even(h.gate.weights, pair)
		even(h.gate.bias, pair)
	}
	return m
}

// A worker computes the outputs of a model for samples, and the gradient. It is not safe for
// concurrent use.
type worker struct {
	m       *model
	running []scaling // of each head, from the model's running means
	batch   []scaling // of each head, from the samples of the last learn
	passes  []pass
	loss    Losses

	// For training only.
	grad  []float32 // by layout
	dirty []bool    // of each block of grad: it may differ from 0
	sums  [][4]poolSum
}

// A scaling normalizes pools: scale*(pool-mean) has mean 0 and deviation 1.
type scaling struct{ mean, scale [4][pair]float32 }

// A pass holds the forward and backward pass of one example.
type pass struct {
	acts      []float32                     // [cells][pair]
	count     []float32                     // [cells]
	coef      []float32                     // [cells] of the gate in the derivative by the cell
	score     []float32                     // [cells] gate times cell
	logits    []float32                     // of the candidates; after measure, the derivatives by them
	pool      [(regions + 1) * pair]float32 // the sums of cells by region, and of all
	normal    [(regions + 1) * pair]float32 // pool, normalized
	gradients [(regions + 1) * pair]float32 // derivatives by normal, then by the sum of cells
	u         [regions][regionHidden]float32
	h         [hidden]float32
	gate      [pair]float32
	value     float32 // logit
	policy    bool    // whether gate, score and logits are of this example
}

// at returns the numbers of one pool.
func at(pools *[(regions + 1) * pair]float32, r int) *[pair]float32 {
	return (*[pair]float32)(pools[r*pair:])
}

// all is the pool of all cells, and its type.
const (
	all     = regions
	allType = regionTypes
)

// poolType is regionType and the type of all.
var poolType = func() (t [regions + 1]int) {
	copy(t[:], regionType[:])
	t[all] = allType
	return t
}()

// A poolSum holds sums over pools of one type.
type poolSum struct {
	n               int
	sum, squares    [pair]float32 // of values less their running mean, and of the squares of that
	gradient, drift [pair]float32 // of derivatives by the normalized pool, and of their products with it; after finish their means
	scale           [pair]float32 // after finish: the factor of the derivatives by the pool
}

// Losses are the sums of the losses of a batch or a validation. The name is exported for gob.
type Losses struct {
	Values         int
	Value, Entropy float64 // sums over Values, in nats
	Policies, Hits int
	Policy         float64 // sum over Policies, in nats
}

func (l *Losses) add(o *Losses) {
	l.Values += o.Values
	l.Value += o.Value
	l.Entropy += o.Entropy
	l.Policies += o.Policies
	l.Hits += o.Hits
	l.Policy += o.Policy
}

func newWorker(m *model, gradient bool) *worker {
	w := &worker{m: m, running: make([]scaling, m.sets), batch: make([]scaling, m.sets)}
	if gradient {
		w.grad = make([]float32, m.size())
		w.dirty = make([]bool, m.size()/block)
		w.sums = make([][4]poolSum, m.sets)
	}
	w.begin()
	return w
}

// epsilon avoids a division by 0 for pools that never change.
const epsilon = 1e-5

// begin takes the running means from the model, which may have changed.
func (w *worker) begin() {
	for h := range w.m.norm {
		n := &w.m.norm[h]
		for t := range n.Mean {
			for k := range n.Mean[t] {
				w.running[h].mean[t][k] = float32(n.Mean[t][k])
				w.running[h].scale[t][k] = float32(1 / math.Sqrt(n.Var[t][k]+epsilon))
			}
		}
	}
	w.loss = Losses{}
}

// cellsOf calls f for every group of cells with the same number of lines, for both views: the
// view, the index of the first cell, and the rows of the cells, n each.
func (s *example) cellsOf(f func(view, first, cells, n int, rows []uint16)) {
	rows := s.rows
	for view := range 2 {
		first := 0
		for lines, cells := range s.cells {
			n := lines + 2
			if cells > 0 {
				f(view, first, int(cells), n, rows[:int(cells)*n])
			}
			rows = rows[int(cells)*n:]
			first += int(cells)
		}
	}
}

// evaluate computes the value of s, and the logits of its candidates if there are any, as
// a trained network does. The result is valid until the next call.
func (w *worker) evaluate(s *example) *pass {
	if len(w.passes) == 0 {
		w.passes = make([]pass, 1)
	}
	p := &w.passes[0]
	p.gather(w.m, s)
	p.heads(w.m, s, &w.running[s.head])
	return p
}

// learn adds the gradient of samples to w.grad and their losses to w.loss. mix is the share of the
// search in their targets, dv and dp are the weights of the losses of a value and a policy. Pools and
// derivatives are normalized by the means of these samples, not by the running ones; else
// the rows would drift in the direction in which all pools grow.
func (w *worker) learn(samples []*example, mix float64, dv, dp float32) {
	w.pools(samples)
	passes := w.passes[:len(samples)]
	for i, s := range samples {
		p := &passes[i]
		p.heads(w.m, s, &w.batch[s.head])
		derivative := p.measure(s, s.target(mix), &w.loss)
		w.headsBack(s, p, derivative, dv, dp)
	}
	w.finish()
	for i, s := range samples {
		w.cellsBack(s, &passes[i])
	}
}

// finish turns the sums of derivatives over the samples into means, for cellsBack.
func (w *worker) finish() {
	for h := range w.sums {
		for t := range w.sums[h] {
			s := &w.sums[h][t]
			by := 1 / float32(max(s.n, 1))
			for k := range s.gradient {
				s.gradient[k] *= by
				s.drift[k] *= by
				s.scale[k] = w.batch[h].scale[t][k] * poolScale
			}
		}
	}
}

// pools computes the cells of samples, adds their pools to w.sums, and sets w.batch to
// normalize them.
func (w *worker) pools(samples []*example) {
	for len(w.passes) < len(samples) {
		w.passes = append(w.passes, pass{})
	}
	clear(w.sums)
	for i, s := range samples {
		p := &w.passes[i]
		p.gather(w.m, s)
		for r, t := range poolType {
			to := &w.sums[s.head][t]
			to.n++
			moments(&to.sum, &to.squares, at(&p.pool, r), &w.running[s.head].mean[t])
		}
	}
	for h := range w.batch {
		for t := range w.sums[h] {
			from := &w.sums[h][t]
			by := 1 / float32(max(from.n, 1))
			for k := range from.sum {
				d := from.sum[k] * by
				w.batch[h].mean[t][k] = w.running[h].mean[t][k] + d
				square := max(float32(from.squares[k]*by)-float32(d*d), 0)
				w.batch[h].scale[t][k] = float32(1 / math.Sqrt(float64(square)+epsilon))
			}
		}
	}
}

// gather computes the cells of s and their pools.
func (p *pass) gather(m *model, s *example) {
	cells := len(s.region)
	if cap(p.count) < cells {
		capacity := cells + cells/4
		p.acts = make([]float32, capacity*pair)
		p.count, p.coef, p.score = make([]float32, capacity), make([]float32, capacity), make([]float32, capacity)
	}
	p.acts, p.count, p.coef, p.score = p.acts[:cells*pair], p.count[:cells], p.coef[:cells], p.score[:cells]
	for i, n := range s.count {
		p.count[i] = float32(n)
	}
	clear(p.pool[:])
	s.cellsOf(func(view, first, cells, n int, rows []uint16) {
		bias := (int(s.views[view])*setRows + biasRow) * width
		gather(p.acts[first*pair+view*width:], p.pool[view*width:], m.params, m.params[bias:][:width],
			rows, n, s.region[first:][:cells], p.count[first:][:cells])
	})
	mix(at(&p.pool, all)[:], p.pool[:], ones[:])
}

// ones are the coefficients of a plain sum over regions.
var ones = [regions]float32{1, 1, 1, 1, 1, 1, 1, 1, 1}

// heads computes the value of s, whose cells are gathered, and the logits of its
// candidates.
func (p *pass) heads(m *model, s *example, by *scaling) {
	w := m.head(m.params, int(s.head))
	for r, t := range poolType {
		normalize(at(&p.normal, r), at(&p.pool, r), &by.mean[t], &by.scale[t])
	}
	dots(p.h[:], w.global.weights, at(&p.normal, all)[:])
	mask := w.mask[int(s.mask)*hidden:][:hidden]
	for k := range p.h {
		p.h[k] += w.global.bias[k] + mask[k]
	}
	for r, t := range regionType {
		u := &p.u[r]
		dots(u[:], w.region[t].weights, at(&p.normal, r)[:])
		for k := range u {
			u[k] = min(max(u[k]+w.region[t].bias[k], 0), hiddenMax)
		}
		mix(p.h[:], w.merge[t], u[:])
	}
	for k := range p.h {
		p.h[k] = min(max(p.h[k], 0), hiddenMax)
	}
	var out [1]float32
	dots(out[:], w.out.weights, p.h[:])
	p.value = out[0] + w.out.bias[0]

	p.policy = len(s.candidates) > 0
	if !p.policy {
		return
	}
	dots(p.gate[:], w.gate.weights, at(&p.normal, all)[:])
	for k := range p.gate {
		p.gate[k] += w.gate.bias[k]
	}
	dots(p.score, p.acts, p.gate[:])
	p.logits = p.logits[:0]
	for _, c := range s.candidates {
		p.logits = append(p.logits, p.score[c.cell]*gateScale+
			w.policyOwn[c.codes[0]]+w.policyOpp[c.codes[1]]+w.near[0][c.near[0]]+w.near[1][c.near[1]])
	}
}

// gateScale is the share of gate times cell in a logit.
const gateScale = 1.0 / 8

// measure adds the losses of s to l, for a target value of t. It sets p.logits to the
// derivatives of the loss by the logits and returns that by the value.
func (p *pass) measure(s *example, t float32, l *Losses) (derivative float32) {
	if s.valued {
		l.Values++
		l.Value += dataset.CrossEntropy(float64(p.value), float64(t))
		l.Entropy += entropy(float64(t))
		derivative = float32(winrate.AtOdds(float64(p.value))) - t
	}
	if !p.policy {
		return derivative
	}
	best, top := p.logits[0], 0
	for i, l := range p.logits {
		if l > best {
			best, top = l, i
		}
	}
	chosen := p.logits[s.best]
	if len(s.shares) > 0 {
		chosen = 0
		for _, t := range s.shares {
			chosen += float32(t.of * p.logits[t.candidate])
		}
	}
	exps(p.logits, best)
	var sum float64
	for _, e := range p.logits {
		sum += float64(e)
	}
	l.Policies++
	l.Policy += math.Log(sum) - float64(chosen-best)
	if top == s.best {
		l.Hits++
	}
	by := float32(1 / sum)
	for i := range p.logits {
		p.logits[i] *= by
	}
	if len(s.shares) == 0 {
		p.logits[s.best]--
	}
	for _, t := range s.shares {
		p.logits[t.candidate] -= t.of
	}
	return derivative
}

// headsBack adds the gradient of the heads to w.grad, for an example after measure, and sets
// p.gradients to the derivatives by the normalized pools.
func (w *worker) headsBack(s *example, p *pass, derivative, dv, dp float32) {
	from, g, dirty := w.m.head(w.m.params, int(s.head)), w.m.head(w.grad, int(s.head)), w.headDirty(int(s.head))
	var dh [hidden]float32
	dvalue := derivative * dv
	for k, h := range p.h {
		if h > 0 && h < hiddenMax {
			dh[k] = dvalue * from.out.weights[k]
		}
		g.out.weights[k] += float32(dvalue * h)
	}
	g.out.bias[0] += dvalue
	mask := g.mask[int(s.mask)*hidden:][:hidden]
	for k, d := range dh {
		g.global.bias[k] += d
		mask[k] += d
	}
	dirty.mask[int(s.mask)*hidden/block] = true
	clear(p.gradients[:])
	outer(g.global.weights, dh[:], at(&p.normal, all)[:])
	mix(at(&p.gradients, all)[:], from.global.weights, dh[:])

	clear(p.coef)
	if p.policy {
		for i, c := range s.candidates {
			d := p.logits[i] * dp
			p.coef[c.cell] += d * gateScale
			g.policyOwn[c.codes[0]] += d
			g.policyOpp[c.codes[1]] += d
			dirty.policyOwn[c.codes[0]/block] = true
			dirty.policyOpp[c.codes[1]/block] = true
			g.near[0][c.near[0]] += d
			g.near[1][c.near[1]] += d
		}
		var dgate [pair]float32
		mix(dgate[:], p.acts, p.coef)
		outer(g.gate.weights, dgate[:], at(&p.normal, all)[:])
		for k, d := range dgate {
			g.gate.bias[k] += d
		}
		mix(at(&p.gradients, all)[:], from.gate.weights, dgate[:])
	}

	for r, t := range regionType {
		var du [regionHidden]float32
		dots(du[:], from.merge[t], dh[:])
		outer(g.merge[t], p.u[r][:], dh[:])
		for k, u := range p.u[r] {
			if !(u > 0 && u < hiddenMax) {
				du[k] = 0
			}
			g.region[t].bias[k] += du[k]
		}
		outer(g.region[t].weights, du[:], at(&p.normal, r)[:])
		mix(at(&p.gradients, r)[:], from.region[t].weights, du[:])
	}
	for r, t := range poolType {
		to := &w.sums[s.head][t]
		drifts(&to.gradient, &to.drift, at(&p.gradients, r), at(&p.normal, r))
	}
}

// headDirty returns the marks of head h, with those of the sections that every position changes
// set.
func (w *worker) headDirty(h int) headOf[bool] {
	d := headOfBlocks(w.dirty[w.m.rows()/block+h*headBlocks:][:headBlocks])
	for _, l := range [...]layer[bool]{d.region[0], d.region[1], d.region[2], d.global, d.out, d.gate} {
		mark(l.weights)
		mark(l.bias)
	}
	for _, section := range [...][]bool{d.merge[0], d.merge[1], d.merge[2], d.near[0], d.near[1]} {
		mark(section)
	}
	return d
}

func mark(dirty []bool) {
	for i := range dirty {
		dirty[i] = true
	}
}

// cellsBack adds the gradient of the cells to w.grad, after headsBack for all samples.
func (w *worker) cellsBack(s *example, p *pass) {
	for r, t := range poolType {
		by := &w.sums[s.head][t]
		normalizeBack(at(&p.gradients, r), at(&p.normal, r), &by.gradient, &by.drift, &by.scale)
	}
	outer(p.gradients[:all*pair], ones[:], at(&p.gradients, all)[:])
	s.cellsOf(func(view, first, cells, n int, rows []uint16) {
		bias := int(s.views[view])*setRows + biasRow
		scatter(w.grad, w.grad[bias*width:][:width], p.acts[first*pair+view*width:], p.gradients[view*width:], p.gate[view*width:],
			rows, n, s.region[first:][:cells], p.count[first:][:cells], p.coef[first:][:cells])
		for _, row := range rows {
			w.dirty[row] = true
		}
		w.dirty[bias] = true
	})
}

// entropy returns the least cross entropy for a target t, in nats.
func entropy(t float64) float64 {
	if t <= 0 || t >= 1 {
		return 0
	}
	return -t*math.Log(t) - (1-t)*math.Log(1-t)
}

// unit is the number of points at which the odds are e to 1.
const unit = winrate.Unit

// target returns dataset.Target of s.
func (s *example) target(mix float64) float32 {
	return float32(dataset.Target(s.search, s.result, mix))
}

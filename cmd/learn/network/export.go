package network

import (
	"fmt"
	"math"
	"slices"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/nnue"
)

// A census holds statistics of a model on some positions, by which the exporter chooses
// scales.
type census struct {
	peak [2][width]float64 // of each view set, greatest activation of a cell
	gate [2][pair]float64  // of each head, greatest magnitude of the gates
	busy [2][pair]float64  // of each head, number of regions that are not 0
	n    [2]float64        // positions of each head
}

// see adds s after p to c.
func (c *census) see(s *example, p *pass) {
	h := s.head
	c.n[h]++
	for i, v := range p.acts {
		peak := &c.peak[s.views[i%pair/width]][i%width]
		*peak = max(*peak, float64(v))
	}
	for r := range regions {
		for k, v := range at(&p.pool, r) {
			if v > 0 {
				c.busy[h][k]++
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

// lost returns the mean loss of number k of all cells for head h by the shift of regions: the
// bits that a region loses are uniformly distributed unless it is 0.
func (c *census) lost(h, k int) float64 {
	const each = (1<<nnue.PoolShift - 1) / 2.0 / (1 << nnue.PoolShift)
	return each * c.busy[h][k] / max(c.n[h], 1)
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

// rescale multiplies the numbers of the cells of each view set, and changes the heads so that
// the outputs of the model stay the same unless cells are clamped above. It changes c in the
// same way.
func (m *model) rescale(f [2][width]float64, c *census) {
	for s := range m.sets {
		rows := m.params[s*setRows*width:][:setRows*width]
		for i := range rows {
			rows[i] *= float32(f[s][i%width])
		}
		for k := range c.peak[s] {
			c.peak[s][k] *= f[s][k]
		}
	}
	for h := range m.norm {
		var by [pair]float64
		for k := range by {
			by[k] = f[(h+k/width)%m.sets][k%width]
		}
		w, n := m.head(m.params, h), &m.norm[h]
		for i := range pair {
			for k := range pair {
				w[atGate+i*pair+k] /= float32(by[i])
			}
			w[atGateBias+i] /= float32(by[i])
			c.gate[h][i] /= by[i]
		}
		for t := range n.Mean {
			for k, f := range by {
				was := n.Var[t][k]
				n.Mean[t][k] *= f
				n.Var[t][k] *= f * f
				// epsilon has no factor.
				change := float32(math.Sqrt(n.Var[t][k]+epsilon) / (f * math.Sqrt(was+epsilon)))
				first, outputs := atRegion+t*regionHidden*pair, regionHidden
				if t == allType {
					first, outputs = atGlobal, hidden
					for i := range pair {
						w[atGate+i*pair+k] *= change
					}
				}
				for i := range outputs {
					w[first+i*pair+k] *= change
				}
			}
		}
	}
}

// clone returns a copy of m.
func (m *model) clone() *model {
	return &model{layout: m.layout, params: slices.Clone(m.params), norm: slices.Clone(m.norm)}
}

// unitOfAll is the size in a pool of a number of all cells in nnue.
const unitOfAll = poolScale * (1 << nnue.PoolShift) / nnue.CellOne

// export rounds the model to the integers of nnue. It makes cells as large as possible, up to a
// quarter above the peaks of c, since rounding costs less then. The weights absorb the
// running means of the pools. Every layer gets the greatest scale at which its weights fit
// and none of its sums can overflow. It is an error if there is no such scale.
func (m *model) export(rule board.Rule, origin string, c *census) (*nnue.Network, error) {
	m, c = m.clone(), &census{c.peak, c.gate, c.busy, c.n}
	f := c.factors(float64(cellMax)/1.25, 4)
	for s := range f {
		for k := range f[s] {
			f[s][k] = max(f[s][k], 1)
		}
	}
	m.rescale(f, c)
	n := &nnue.Network{Rule: uint8(rule), Origin: origin, Views: make([]nnue.View, m.sets), Heads: make([]nnue.Head, m.sets)}
	for s := range n.Views {
		var r rounder
		v := &n.Views[s]
		rows := m.params[s*setRows*width:][:setRows*width]
		for _, part := range []struct {
			dst   [][width]int16
			first int
		}{{v.Line[:], 0}, {v.Own[:], ownRow}, {v.Other[:], otherRow}} {
			for i := range part.dst {
				r.shorts(part.dst[i][:], rows[(part.first+i)*width:], nnue.CellOne)
			}
		}
		r.shorts(v.Bias[:], rows[biasRow*width:], nnue.CellOne)
		if r.bad {
			return nil, fmt.Errorf("the rows of view %d do not fit into 16 bits", s)
		}
	}
	for h := range n.Heads {
		if err := m.exportHead(n, h, c); err != nil {
			return nil, err
		}
	}
	return n, n.Check()
}

// exportHead fills in head h of n, whose views are done.
func (m *model) exportHead(n *nnue.Network, h int, c *census) error {
	x := &headExporter{n: n, h: h, to: &n.Heads[h], w: m.head(m.params, h), norm: &m.norm[h], census: c}
	for _, part := range []func() error{x.fixed, x.global, x.regions, x.merge, x.value, x.policy} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// A headExporter rounds one head.
type headExporter struct {
	n      *nnue.Network
	h      int // of n
	to     *nnue.Head
	w      []float32 // the head's parameters
	norm   *norm
	census *census
}

// folded returns the weights of a layer on pools of type t, which norm then does not change,
// and its bias. unit is the size of nnue's numbers of these pools.
func (x *headExporter) folded(weights []float32, bias float32, t int, unit float64) (by [pair]float64, at float64) {
	at = float64(bias)
	for k := range by {
		v := float64(weights[k]) * (1 / math.Sqrt(x.norm.Var[t][k]+epsilon))
		by[k] = v * unit
		at -= v * x.norm.Mean[t][k]
		if t == allType {
			at += v * unit * x.census.lost(x.h, k)
		}
	}
	return by, at
}

// fit sets shift to the greatest one with which fill rounds well and the network passes its
// check.
func (x *headExporter) fit(name string, shift *uint8, fill func(r *rounder, scale float64)) error {
	for s := nnue.MaxShift; s >= 0; s-- {
		r := rounder{}
		*shift = uint8(s)
		fill(&r, math.Ldexp(1, s))
		if !r.bad && x.n.Check() == nil {
			return nil
		}
	}
	return fmt.Errorf("the numbers of %s do not fit at any scale", name)
}

// fixed rounds the numbers with a fixed scale.
func (x *headExporter) fixed() error {
	var r rounder
	w, to := x.w, x.to
	for i := range to.Bias {
		_, b := x.folded(w[atGlobal+i*pair:], w[atBias+i], allType, unitOfAll)
		to.Bias[i] = r.long(b * nnue.HiddenOne)
	}
	for i := range to.Mask {
		r.shorts(to.Mask[i][:], w[atMask+i*hidden:], nnue.HiddenOne)
	}
	r.shorts(to.PolicyOwn[:], w[atPolicyOwn:], nnue.LogitOne)
	r.shorts(to.PolicyOther[:], w[atPolicyOther:], nnue.LogitOne)
	for i := range to.Near {
		r.shorts(to.Near[i][:], w[atNear+i*nearPad:], nnue.LogitOne)
	}
	if r.bad {
		return fmt.Errorf("the numbers of head %d do not fit", x.h)
	}
	return nil
}

func (x *headExporter) global() error {
	return x.fit("the sum of all cells", &x.to.GlobalShift, func(r *rounder, s float64) {
		for i := range x.to.Global {
			by, _ := x.folded(x.w[atGlobal+i*pair:], 0, allType, unitOfAll)
			r.scaled(x.to.Global[i][:], by[:], nnue.HiddenOne*s)
		}
	})
}

func (x *headExporter) regions() error {
	return x.fit("the regions", &x.to.RegionShift, func(r *rounder, s float64) {
		for t := range x.to.Region {
			for i := range x.to.Region[t] {
				at := t*regionHidden + i
				by, b := x.folded(x.w[atRegion+at*pair:], x.w[atRegionBias+at], t, poolScale/nnue.CellOne)
				r.scaled(x.to.Region[t][i][:], by[:], nnue.HiddenOne*s)
				x.to.RegionBias[t][i] = r.long(b * nnue.HiddenOne * s)
			}
		}
	})
}

func (x *headExporter) merge() error {
	return x.fit("what regions add", &x.to.MergeShift, func(r *rounder, s float64) {
		for t := range x.to.Merge {
			for i := range x.to.Merge[t] {
				for k := range x.to.Merge[t][i] {
					x.to.Merge[t][i][k] = r.short(float64(x.w[atMerge+(t*regionHidden+k)*hidden+i]) * s)
				}
			}
		}
	})
}

func (x *headExporter) value() error {
	return x.fit("the value", &x.to.OutShift, func(r *rounder, s float64) {
		for i := range x.to.Out {
			x.to.Out[i] = r.short(float64(x.w[atOut+i]) * unit / nnue.HiddenOne * s)
		}
		x.to.OutBias = r.long(float64(x.w[atOutBias]) * unit * s)
	})
}

// policy rounds the gate. It can hold twice the values in the census; beyond that gates are
// clamped.
func (x *headExporter) policy() error {
	_, bits := math.Frexp(2 * slices.Max(x.census.gate[x.h][:]))
	one := math.Ldexp(1, min(15-bits, 12))
	err := x.fit("the gate", &x.to.GateShift, func(r *rounder, s float64) {
		for i := range x.to.Gate {
			by, b := x.folded(x.w[atGate+i*pair:], x.w[atGateBias+i], allType, unitOfAll)
			r.scaled(x.to.Gate[i][:], by[:], one*s)
			x.to.GateBias[i] = r.long(b * one * s)
		}
	})
	if err != nil {
		return err
	}
	_, bits = math.Frexp(one * nnue.CellOne / (gateScale * nnue.LogitOne))
	if bits < 1 {
		return fmt.Errorf("the gates of head %d are too large", x.h)
	}
	x.to.PolicyShift = uint8(bits - 1)
	return nil
}

// A rounder rounds to integers and notes whether one did not fit.
type rounder struct{ bad bool }

func (r *rounder) within(x, most float64) float64 {
	x = math.RoundToEven(x)
	if !(math.Abs(x) <= most) {
		r.bad = true
		return 0
	}
	return x
}

func (r *rounder) short(x float64) int16 { return int16(r.within(x, math.MaxInt16)) }
func (r *rounder) long(x float64) int32  { return int32(r.within(x, math.MaxInt32)) }

func (r *rounder) scaled(dst []int16, src []float64, scale float64) {
	for i := range dst {
		dst[i] = r.short(src[i] * scale)
	}
}

func (r *rounder) shorts(dst []int16, src []float32, scale float64) {
	for i := range dst {
		dst[i] = r.short(float64(src[i]) * scale)
	}
}

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

// compare measures the model, and the network that it was rounded to unless that is nil, on at
// most so many positions of games.
func (t *trainer) compare(net *eval.Network, games []*game, most int) (*comparison, error) {
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
				x.example(&s, ply, g.results[i], u)
				p := w.evaluate(&s)
				c.census.see(&s, p)
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
					c.Whole.measure(&whole, &s, t.Mix)
				}
				c.Float.measure(p, &s, t.Mix)
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

package network

import (
	"fmt"
	"math"
	"slices"

	"tengen/brain/board"
	"tengen/brain/nnue"
)

// A row connects numbers of a model with the integers of nnue that they become: one integer is
// number * one << shift of its part, rounded.
type row struct {
	floats []float32 // integer i stands for floats[i*step]
	step   int
	shorts []int16 // these, or
	long   *int32  // this one
	one    float64
}

// A part is all rows that share a shift.
type part struct {
	name  string
	shift *uint8 // nil for 0
	rows  []row
}

func (p *part) add(floats []float32, shorts []int16, one float64) {
	p.rows = append(p.rows, row{floats: floats, step: 1, shorts: shorts, one: one})
}

func (p *part) addLongs(floats []float32, longs []int32, one float64) {
	for i := range longs {
		p.addLong(floats[i:], &longs[i], one)
	}
}

func (p *part) addLong(floats []float32, long *int32, one float64) {
	p.rows = append(p.rows, row{floats: floats, step: 1, long: long, one: one})
}

// partOfView connects the rows of a view set with a view of nnue.
func partOfView(rows []float32, v *nnue.View) part {
	p := part{name: "the rows"}
	for _, group := range []struct {
		shorts [][width]int16
		first  int
	}{{v.Line[:], 0}, {v.Own[:], ownRow}, {v.Other[:], otherRow}} {
		for i := range group.shorts {
			p.add(rows[(group.first+i)*width:], group.shorts[i][:], nnue.CellOne)
		}
	}
	p.add(rows[biasRow*width:], v.Bias[:], nnue.CellOne)
	return p
}

// What the integers of nnue stand for in a model.
const (
	regionOne = poolScale / nnue.CellOne                 // 1 in the sum of a region, in a pool
	globalOne = regionOne * (1 << nnue.PoolShift)        // 1 in the sum of all cells, which lost PoolShift bits
	gateOne   = gateScale * nnue.LogitOne / nnue.CellOne // a gate of 1, at a PolicyShift of 0: times a cell it is gateScale of a logit
)

// partsOfHead connects a head, whose norms are plain, with one of nnue whose PolicyShift is set.
func partsOfHead(h head, to *nnue.Head) []part {
	fixed := part{name: "biases, masks and policy"}
	fixed.addLongs(h.global.bias, to.Bias[:], nnue.HiddenOne)
	for i := range to.Mask {
		fixed.add(h.mask[i*hidden:], to.Mask[i][:], nnue.HiddenOne)
	}
	fixed.add(h.policyOwn, to.PolicyOwn[:], nnue.LogitOne)
	fixed.add(h.policyOpp, to.PolicyOther[:], nnue.LogitOne)
	for i := range to.Near {
		fixed.add(h.near[i], to.Near[i][:], nnue.LogitOne)
	}

	global := part{name: "the sum of all cells", shift: &to.GlobalShift}
	for i := range to.Global {
		global.add(h.global.weights[i*pair:], to.Global[i][:], nnue.HiddenOne*globalOne)
	}

	region := part{name: "the regions", shift: &to.RegionShift}
	merge := part{name: "the regions' layer", shift: &to.MergeShift}
	for t := range to.Region {
		for i := range to.Region[t] {
			region.add(h.region[t].weights[i*pair:], to.Region[t][i][:], nnue.HiddenOne*regionOne)
		}
		region.addLongs(h.region[t].bias, to.RegionBias[t][:], nnue.HiddenOne)
		for i := range to.Merge[t] { // the transpose
			merge.rows = append(merge.rows, row{floats: h.merge[t][i:], step: hidden, shorts: to.Merge[t][i][:], one: 1})
		}
	}

	value := part{name: "the value", shift: &to.OutShift}
	value.add(h.out.weights, to.Out[:], unit/float64(nnue.HiddenOne))
	value.addLong(h.out.bias, &to.OutBias, unit)

	gate := part{name: "the gate", shift: &to.GateShift}
	one := math.Ldexp(gateOne, int(to.PolicyShift))
	for i := range to.Gate {
		gate.add(h.gate.weights[i*pair:], to.Gate[i][:], one*globalOne)
	}
	gate.addLongs(h.gate.bias, to.GateBias[:], one)
	return []part{fixed, global, region, merge, value, gate}
}

// load sets the floats by the integers.
func (p *part) load() {
	shift := 0
	if p.shift != nil {
		shift = int(*p.shift)
	}
	for _, r := range p.rows {
		one := math.Ldexp(r.one, shift)
		for i, x := range r.shorts {
			r.floats[i*r.step] = float32(float64(x) / one)
		}
		if r.long != nil {
			r.floats[0] = float32(float64(*r.long) / one)
		}
	}
}

// round sets the integers by the floats and reports whether all fit.
func (p *part) round(shift int) bool {
	fits := true
	within := func(x float32, one, most float64) float64 {
		v := math.RoundToEven(float64(x) * one)
		if !(math.Abs(v) <= most) { // or not a number
			fits = false
			return 0
		}
		return v
	}
	for _, r := range p.rows {
		one := math.Ldexp(r.one, shift)
		for i := range r.shorts {
			r.shorts[i] = int16(within(r.floats[i*r.step], one, math.MaxInt16))
		}
		if r.long != nil {
			*r.long = int32(within(r.floats[0], one, math.MaxInt32))
		}
	}
	return fits
}

// fit rounds at the greatest shift with which the numbers fit and check passes.
func (p *part) fit(check func() error) error {
	if p.shift == nil {
		if !p.round(0) {
			return fmt.Errorf("the numbers of %s do not fit", p.name)
		}
		return nil
	}
	for s := nnue.MaxShift; s >= 0; s-- {
		*p.shift = uint8(s)
		if p.round(s) && check() == nil {
			return nil
		}
	}
	return fmt.Errorf("the numbers of %s do not fit at any scale", p.name)
}

// loadModel returns the model of a network. Its norms are plain. Its biases compensate for the bits that
// the sum of all cells loses in nnue, until compensate undoes that.
func loadModel(n *nnue.Network) *model {
	l := layoutFor(board.Rule(n.Rule))
	m := &model{layout: l, params: make([]float32, l.size()), norm: plainNorms(l.sets)}
	for s := range n.Views {
		p := partOfView(m.set(m.params, s), &n.Views[s])
		p.load()
	}
	for h := range n.Heads {
		for _, p := range partsOfHead(m.head(m.params, h), &n.Heads[h]) {
			p.load()
		}
	}
	return m
}

// export rounds the model to the integers of nnue. It makes cells as large as possible, up to a
// quarter above the peaks of c, since rounding costs less then. The weights absorb the
// running means of the pools. Every layer gets the greatest scale at which its weights fit
// and none of its sums can overflow. It is an error if there is no such scale.
func (m *model) export(rule board.Rule, origin string, c *census) (*nnue.Network, error) {
	m, c = m.clone(), &census{c.peak, c.gate, c.nonZero, c.n}
	m.fold()
	f := c.factors(float64(cellMax)/1.25, 4)
	for s := range f {
		for k := range f[s] {
			f[s][k] = max(f[s][k], 1)
		}
	}
	m.rescale(f, c)
	m.compensate(c, 1)
	n := &nnue.Network{Rule: uint8(rule), Origin: origin, Views: make([]nnue.View, m.sets), Heads: make([]nnue.Head, m.sets)}
	for s := range n.Views {
		p := partOfView(m.set(m.params, s), &n.Views[s])
		if err := p.fit(n.Check); err != nil {
			return nil, fmt.Errorf("view %d: %w", s, err)
		}
	}
	for h := range n.Heads {
		to := &n.Heads[h]
		var err error
		if to.PolicyShift, err = policyShift(slices.Max(c.gate[h][:])); err != nil {
			return nil, fmt.Errorf("head %d: %w", h, err)
		}
		for _, p := range partsOfHead(m.head(m.params, h), to) {
			if err := p.fit(n.Check); err != nil {
				return nil, fmt.Errorf("head %d: %w", h, err)
			}
		}
	}
	return n, n.Check()
}

// policyShift returns the greatest PolicyShift with which gates of twice the peak fit into 16 bits, at
// most mostPolicyShift. Gates beyond that are clamped in nnue.
func policyShift(peak float64) (uint8, error) {
	const mostPolicyShift = 14
	for s := mostPolicyShift; s >= 0; s-- {
		if 2*peak*math.Ldexp(gateOne, s) < 1<<15 {
			return uint8(s), nil
		}
	}
	return 0, fmt.Errorf("gates of %g are too large", peak)
}

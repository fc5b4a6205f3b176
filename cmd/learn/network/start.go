package network

import (
	"math"

	"tengen/brain/board"
	"tengen/brain/nnue"
)

// loadModel returns the model of a network. Its norms have mean 0 and deviation 1 until settle,
// and its biases compensate for the shift of regions until unshift.
func loadModel(n *nnue.Network) *model {
	l := layoutFor(board.Rule(n.Rule))
	m := &model{layout: l, params: make([]float32, l.size()), norm: make([]norm, l.sets)}
	floats := func(dst []float32, src []int16, one float64) {
		for i, x := range src {
			dst[i] = float32(float64(x) / one)
		}
	}
	for s := range n.Views {
		v, rows := &n.Views[s], m.params[s*setRows*width:][:setRows*width]
		for i := range v.Line {
			floats(rows[i*width:], v.Line[i][:], nnue.CellOne)
		}
		for i := range v.Own {
			floats(rows[(ownRow+i)*width:], v.Own[i][:], nnue.CellOne)
			floats(rows[(otherRow+i)*width:], v.Other[i][:], nnue.CellOne)
		}
		floats(rows[biasRow*width:], v.Bias[:], nnue.CellOne)
	}
	for h := range n.Heads {
		from, to := &n.Heads[h], m.head(m.params, h)
		for t := range m.norm[h].Var {
			for k := range m.norm[h].Var[t] {
				m.norm[h].Var[t][k] = 1 - epsilon
			}
		}
		shifted := func(one float64, shift uint8) float64 { return math.Ldexp(one, int(shift)) }
		region := shifted(nnue.HiddenOne*poolScale/nnue.CellOne, from.RegionShift)
		for t := range from.Region {
			for i := range from.Region[t] {
				at := t*regionHidden + i
				floats(to[atRegion+at*pair:], from.Region[t][i][:], region)
				to[atRegionBias+at] = float32(float64(from.RegionBias[t][i]) / shifted(nnue.HiddenOne, from.RegionShift))
			}
		}
		for i := range from.Global {
			floats(to[atGlobal+i*pair:], from.Global[i][:], shifted(nnue.HiddenOne*unitOfAll, from.GlobalShift))
			to[atBias+i] = float32(float64(from.Bias[i]) / nnue.HiddenOne)
		}
		for t := range from.Merge {
			for i := range from.Merge[t] {
				for k, x := range from.Merge[t][i] {
					to[atMerge+(t*regionHidden+k)*hidden+i] = float32(float64(x) / shifted(1, from.MergeShift))
				}
			}
		}
		for i := range from.Mask {
			floats(to[atMask+i*hidden:], from.Mask[i][:], nnue.HiddenOne)
		}
		floats(to[atOut:], from.Out[:], shifted(unit/float64(nnue.HiddenOne), from.OutShift))
		to[atOutBias] = float32(float64(from.OutBias) / shifted(unit, from.OutShift))
		// See export for what a gate's one is.
		gate := shifted(nnue.LogitOne*gateScale/nnue.CellOne, from.PolicyShift)
		for i := range from.Gate {
			floats(to[atGate+i*pair:], from.Gate[i][:], shifted(gate*unitOfAll, from.GateShift))
			to[atGateBias+i] = float32(float64(from.GateBias[i]) / shifted(gate, from.GateShift))
		}
		floats(to[atPolicyOwn:], from.PolicyOwn[:], nnue.LogitOne)
		floats(to[atPolicyOther:], from.PolicyOther[:], nnue.LogitOne)
		for i := range from.Near {
			floats(to[atNear+i*nearPad:], from.Near[i][:], nnue.LogitOne)
		}
	}
	return m
}

// settle changes the weights of the heads so that the outputs of the model with its norms are
// those with the old norms.
func (m *model) settle(old []norm) {
	for h := range m.norm {
		w, now := m.head(m.params, h), &m.norm[h]
		layer := func(weights, bias []float32, t int) {
			for i := range bias {
				for k := range pair {
					x := &weights[i*pair+k]
					weight := float64(*x) / math.Sqrt(old[h].Var[t][k]+epsilon) // by the pool
					bias[i] += float32(weight * (now.Mean[t][k] - old[h].Mean[t][k]))
					*x = float32(weight * math.Sqrt(now.Var[t][k]+epsilon))
				}
			}
		}
		for t := range regionTypes {
			layer(w[atRegion+t*regionHidden*pair:], w[atRegionBias+t*regionHidden:][:regionHidden], t)
		}
		layer(w[atGlobal:], w[atBias:][:hidden], allType)
		layer(w[atGate:], w[atGateBias:][:pair], allType)
	}
}

// unshift removes from the biases of a loaded model what export added to compensate for the
// shift of regions.
func (m *model) unshift(c *census) {
	for h := range m.norm {
		w := m.head(m.params, h)
		layer := func(weights, bias []float32) {
			for i := range bias {
				for k := range pair {
					bias[i] -= float32(float64(weights[i*pair+k]) * unitOfAll * c.lost(h, k))
				}
			}
		}
		layer(w[atGlobal:], w[atBias:][:hidden])
		layer(w[atGate:], w[atGateBias:][:pair])
	}
}

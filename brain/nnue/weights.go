package nnue

import "tengen/brain/linecode"

// The grid that cells lie in: a cell is its row times Stride plus its column. Boards are
// no wider than 22, so that two cells of one board seven columns apart or nearer differ
// by a number that no others differ by.
const (
	Stride = 32
	Cells  = 32 * Stride
)

// A row holds the numbers of both viewers, black's in the first Width and white's behind
// them: what a line or a code adds to a cell, a cell, a sum of cells.
type row [Pair]int16

// Rows of Weights.rows.
const (
	lineRows  = 0                // by the number in linecode, as black sees it
	blackRows = lineRows + Lines // by code, what black's stone would make, with the biases
	whiteRows = blackRows + Codes
	zeroRow   = whiteRows + Codes // a cell that is taken has it six times
	rowCount  = zeroRow + 1

	noLines = zeroRow * (1 | 1<<16 | 1<<32 | 1<<48) // of a cell that is taken
)

// half32 is a matrix from Width inputs to outputs outputs, laid out for multiplying two
// neighboring inputs at a time with all outputs.
type half32 [Width / 2][outputs][2]int16

// outputs is the number of outputs of a layer that are computed together.
const outputs = 16

// Weights are a Network laid out for evaluating. They are read-only, so that all
// accumulators share them.
type Weights struct {
	rows   []row            // rowCount of them, for the kernels in assembly
	packed []packedRow      // the same for those in plain Go
	codes  *[1 << 16]uint16 // number of four patterns, by packed code
	heads  [2]*headWeights  // by side to move; the same twice where both play by the same rules
}

// headWeights are a Head laid out for the kernels. Biases hold what their layer starts
// from: with half of what the shift takes away, so that it rounds. The matrices come first
// and begin at multiples of 64 bytes, so that no register is loaded from two cache lines.
type headWeights struct {
	value    valueWeights
	region   [RegionTypes]regionWeights
	gate     [Pair / outputs * 2]half32
	gateBias [Pair]int32
	mask     [Masks][Hidden]int16

	outBias     int32
	policyHalf  int32
	regionShift uint64
	gateShift   uint64
	outShift    uint8
	policyShift uint8

	policyOwn   [Codes]int16
	policyOther [Codes]int16
	near        [2][2 * Cells]int16 // by cell - move + Cells
	nearNone    [2]int16

	packed packedHead // zeros with kernels in assembly
}

// regionWeights are the layer of the regions of one type.
type regionWeights struct {
	weights [2]half32 // of the own view, of the other's
	bias    [outputs]int32
}

// valueWeights are what the kernel of the value reads.
type valueWeights struct {
	global      [Hidden / outputs][2]half32
	globalBias  [Hidden]int32
	merge       [Hidden / outputs][RegionTypes * RegionHidden / 2][outputs][2]int16
	mergeBias   [Hidden]int32
	out         [Hidden]int16
	globalShift uint64
	mergeShift  uint64
	_           [48]byte
}

// NewWeights lays n out, which has to pass Check. codes gives the code number of four
// packed patterns, four bits each, and is kept. About 0.5 ms.
func NewWeights(n *Network, codes *[1 << 16]uint16) *Weights {
	w := &Weights{codes: codes}
	rows := make([]row, rowCount)
	blackView, whiteView := &n.Views[0], &n.Views[len(n.Views)-1]
	for i := range Lines {
		rows[lineRows+i] = join(&blackView.Line[i], &whiteView.Line[linecode.Swap(i)])
	}
	for i := range Codes {
		rows[blackRows+i] = join(&blackView.Own[i], &whiteView.Other[i])
		rows[whiteRows+i] = join(&blackView.Other[i], &whiteView.Own[i])
	}
	blackBias := alignedRow{row: join(&blackView.Bias, new([Width]int16))}
	whiteBias := alignedRow{row: join(new([Width]int16), &whiteView.Bias)}
	if useVector {
		for i := range Codes {
			rows[blackRows+i].add(&blackBias.row)
			rows[whiteRows+i].add(&whiteBias.row)
		}
		w.rows = rows
	} else {
		w.packed = make([]packedRow, rowCount)
		for i := range rows {
			w.packed[i] = rows[i].pack()
		}
		for i := range Codes {
			w.packed[blackRows+i].add(blackBias.pack())
			w.packed[whiteRows+i].add(whiteBias.pack())
		}
	}
	w.heads[0] = newHeadWeights(&n.Heads[0])
	w.heads[1] = w.heads[0]
	if len(n.Heads) == 2 {
		w.heads[1] = newHeadWeights(&n.Heads[1])
	}
	return w
}

func join(black, white *[Width]int16) (r row) {
	copy(r[:], black[:])
	copy(r[Width:], white[:])
	return r
}

// add adds the numbers of s to those of r. They wrap where the sum of the cell will wrap back.
func (r *row) add(s *row) {
	for i, x := range s {
		r[i] += x
	}
}

func newHeadWeights(h *Head) *headWeights {
	w := &headWeights{
		regionShift: uint64(h.RegionShift),
		outBias:     h.OutBias + int32(half(h.OutShift)), outShift: h.OutShift, mask: h.Mask,
		gateShift:  uint64(h.GateShift),
		policyHalf: int32(half(h.PolicyShift)), policyShift: h.PolicyShift,
		policyOwn: h.PolicyOwn, policyOther: h.PolicyOther,
	}
	v := &w.value
	v.out, v.globalShift, v.mergeShift = h.Out, uint64(h.GlobalShift), uint64(h.MergeShift)
	for i := range Hidden {
		block, at := i/outputs, i%outputs
		v.globalBias[i] = h.Bias[i]<<h.GlobalShift + int32(half(h.GlobalShift))
		v.mergeBias[i] = int32(half(h.MergeShift))
		layOut(v.global[block][:], at, &h.Global[i])
		for t := range RegionTypes {
			for j, x := range h.Merge[t][i] {
				k := t*RegionHidden + j
				v.merge[block][k/2][at][k%2] = x
			}
		}
	}
	for t := range w.region {
		for i := range RegionHidden {
			w.region[t].bias[i] = h.RegionBias[t][i] + int32(half(h.RegionShift))
			layOut(w.region[t].weights[:], i, &h.Region[t][i])
		}
	}
	for i := range Pair {
		w.gateBias[i] = h.GateBias[i] + int32(half(h.GateShift))
		layOut(w.gate[i/outputs*2:], i%outputs, &h.Gate[i])
	}
	if !useVector {
		w.pack()
	}
	for n := range w.near {
		w.nearNone[n] = h.Near[n][NearNone]
		for i := range w.near[n] {
			dy := (i - Cells + Stride/2) >> 5
			w.near[n][i] = h.Near[n][NearNumber(i-Cells-dy*Stride, dy)]
		}
	}
	return w
}

// layOut writes the row of one output to its place in the two halves of w.
func layOut(w []half32, output int, inputs *[Pair]int16) {
	for i, x := range inputs {
		w[i/Width][i%Width/2][output][i%2] = x
	}
}

// pack lays out the matrices for the plain kernels.
func (w *headWeights) pack() {
	for i := range w.packed.value.global {
		w.packed.value.global[i].lay(w.value.global[i][:])
		pack(w.packed.value.merge[i][:], w.value.merge[i][:])
	}
	for t := range w.packed.region {
		w.packed.region[t].lay(w.region[t].weights[:])
	}
	for i := range w.packed.gate {
		w.packed.gate[i].lay(w.gate[2*i:][:2])
	}
}

// lay makes l the matrix that lies in the halves w.
func (l *packedLayer) lay(w []half32) {
	pack(l[:Width], w[0][:])
	pack(l[Width:], w[1][:])
}

// pack makes dst the columns of the matrix w.
func pack(dst []column, w [][outputs][2]int16) {
	for i := range w {
		for j := range outputs / 2 {
			a, b := &w[i][2*j], &w[i][2*j+1]
			dst[2*i][j] = pairOf(int32(a[0]), int32(b[0]))
			dst[2*i+1][j] = pairOf(int32(a[1]), int32(b[1]))
		}
	}
}

package nnue

// The kernels. Each has a version in plain Go, here, that every other version agrees with
// bit by bit, and a dispatching function of its name in the files by architecture.

// A version is what one cell was at some time.
type version struct {
	rows   [cellRows]uint16 // of four lines, of black's code, of white's
	before uint16           // the version of the cell that this one replaced
	sum    uint16           // index of the sum over the cell's region
	code   uint32           // black's patterns in the low half, white's in the high
	cell   uint16
}

// cellRows is the number of rows of a cell: four lines and two codes.
const (
	cellRows  = 6
	blackSlot = 4
	whiteSlot = 5
)

// addPlain works out the numbers of cells of all versions from the first given one on: the sum
// of their rows, clamped to 0..CellMax. The sums over regions are brought up to date. cells
// holds the numbers by version. It adds all six rows anew: that is as fast as subtracting and
// adding the two or three that differ, and has no branch to mispredict.
func addPlain(cells, sums, rows []row, versions []version, first int) {
	for i := first; i < len(versions); i++ {
		v := &versions[i]
		var x row
		for _, k := range v.rows {
			for j, n := range &rows[k] {
				x[j] += n
			}
		}
		before, sum := &cells[v.before], &sums[v.sum]
		for j := range x {
			x[j] = max(0, min(x[j], CellMax))
			sum[j] += x[j] - before[j]
		}
		cells[i] = x
	}
}

// poolPlain makes dst the sum of the sums of all regions, each shifted by PoolShift.
func poolPlain(dst *row, sums []row, regions *[Regions]uint16) {
	*dst = row{}
	for _, r := range regions {
		for j, x := range &sums[r] {
			dst[j] += x >> PoolShift
		}
	}
}

// layerPlain makes dst the outputs of a layer: the matrix w times the inputs x and y, plus
// bias, shifted and clamped to low..high. dst holds a multiple of outputs numbers, bias as
// many, w two halves for each outputs of them.
func layerPlain(dst []int16, w []half32, bias []int32, x, y *[Width]int16, shift uint64, low, high int16) {
	for i := range dst {
		a := multiply(bias[i], w[i/outputs*2][:], i%outputs, x[:])
		a = multiply(a, w[i/outputs*2+1][:], i%outputs, y[:])
		dst[i] = int16(max(int32(low), min(a>>shift, int32(high))))
	}
}

// multiply adds to a the product of the inputs x with their weights for one output.
func multiply(a int32, w [][outputs][2]int16, output int, x []int16) int32 {
	for i := range w {
		pair := &w[i][output]
		a += int32(pair[0])*int32(x[2*i]) + int32(pair[1])*int32(x[2*i+1])
	}
	return a
}

// valuePlain returns the product of the value's weights with the hidden layer. x and y are
// the two halves of the pool, own first; hidden holds the regions' layers by index; mask
// is the row of the mask.
func valuePlain(w *valueWeights, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32 {
	var merged [RegionTypes * RegionHidden]int16
	for r, i := range regions {
		for j, u := range &hidden[i] {
			merged[int(RegionType[r])*RegionHidden+j] += u
		}
	}
	sum := int32(0)
	for i := range Hidden {
		block, at := i/outputs, i%outputs
		a := multiply(w.globalBias[i], w.global[block][0][:], at, x[:])
		a = multiply(a, w.global[block][1][:], at, y[:])
		b := multiply(w.mergeBias[i], w.merge[block][:], at, merged[:])
		h := max(0, min(a>>w.globalShift+b>>w.mergeShift+int32(mask[i]), HiddenMax))
		sum += h * int32(w.out[i])
	}
	return sum
}

// productsPlain makes dst[i] the product of the gate with cells[versions[i]].
func productsPlain(dst []int32, cells []row, versions []uint16, gate *row) {
	for i, v := range versions {
		sum := int32(0)
		for j, x := range &cells[v] {
			sum += int32(x) * int32(gate[j])
		}
		dst[i] = sum
	}
}

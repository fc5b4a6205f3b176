package nnue

// The kernels. Each has a version in plain Go, here, that every other version agrees with
// bit by bit, and a dispatching function of its name in the files by architecture.

// A change makes one cell's sum of rows from another version of it.
type change struct {
	from, to uint16 // versions
	sum      uint16 // index of the sum of the cell's region
	count    uint16 // pairs of old and new that count
	old, new [cellRows]uint16
}

// cellRows is the number of rows of a cell: four lines and two codes.
const cellRows = 6

// applyPlain makes cells[to] = cells[from] - old rows + new rows for every change, and
// keeps the sums of cells clamped to 0..CellMax up to date. Changes are made in order.
func applyPlain(cells, sums, rows []row, changes []change) {
	for i := range changes {
		c := &changes[i]
		from, to, sum := &cells[c.from], &cells[c.to], &sums[c.sum]
		x := *from
		for k := range c.count {
			old, new := &rows[c.old[k]], &rows[c.new[k]]
			for j := range x {
				x[j] += new[j] - old[j]
			}
		}
		for j := range x {
			sum[j] += clampCell(x[j]) - clampCell(from[j])
		}
		*to = x
	}
}

func clampCell(x int16) int16 { return max(0, min(x, CellMax)) }

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

// productsPlain makes dst[i] the product of the gate with the clamped numbers of
// cells[versions[i]].
func productsPlain(dst []int32, cells []row, versions []uint16, gate *row) {
	for i, v := range versions {
		sum := int32(0)
		for j, x := range &cells[v] {
			sum += int32(clampCell(x)) * int32(gate[j])
		}
		dst[i] = sum
	}
}

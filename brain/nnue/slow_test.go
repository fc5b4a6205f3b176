package nnue

// The slow twins of the kernels, one number after the other. See there what they do.

func addSlow(cells, sums, rows []row, versions []version, first int) {
	for i := first; i < len(versions); i++ {
		v := &versions[i]
		var x row
		for _, k := range [...]uint16{uint16(v.lines), uint16(v.lines >> 16), uint16(v.lines >> 32), uint16(v.lines >> 48), v.codes[0], v.codes[1]} {
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

func poolSlow(dst *row, sums []row, regions *[Regions]uint16) {
	*dst = row{}
	for _, r := range regions {
		for j, x := range &sums[r] {
			dst[j] += x >> PoolShift
		}
	}
}

func layerSlow(dst []int16, w []half32, bias []int32, x, y *[Width]int16, shift uint64, low, high int16) {
	for i := range dst {
		a := multiplySlow(bias[i], w[i/outputs*2][:], i%outputs, x[:])
		a = multiplySlow(a, w[i/outputs*2+1][:], i%outputs, y[:])
		dst[i] = int16(max(int32(low), min(a>>shift, int32(high))))
	}
}

func layersSlow(w *headWeights, hidden [][RegionHidden]int16, sums []row, known []uint8, regions *[Regions]uint16, stm int) {
	for r, i := range regions {
		if known[i]&(1<<stm) != 0 {
			continue
		}
		known[i] += 1 << stm
		of := &w.region[RegionType[r]]
		views := [2]*[Width]int16{(*[Width]int16)(sums[i][:Width]), (*[Width]int16)(sums[i][Width:])}
		layerSlow(hidden[i][:], of.weights[:], of.bias[:], views[stm], views[1-stm], w.regionShift, 0, HiddenMax)
	}
}

// multiplySlow adds to a the product of the inputs x with their weights for one output.
func multiplySlow(a int32, w [][outputs][2]int16, output int, x []int16) int32 {
	for i := range w {
		pair := &w[i][output]
		a += int32(pair[0])*int32(x[2*i]) + int32(pair[1])*int32(x[2*i+1])
	}
	return a
}

func valueSlow(w *valueWeights, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32 {
	var merged [RegionTypes * RegionHidden]int16
	for r, i := range regions {
		for j, u := range &hidden[i] {
			merged[int(RegionType[r])*RegionHidden+j] += u
		}
	}
	sum := int32(0)
	for i := range Hidden {
		block, at := i/outputs, i%outputs
		a := multiplySlow(w.globalBias[i], w.global[block][0][:], at, x[:])
		a = multiplySlow(a, w.global[block][1][:], at, y[:])
		b := multiplySlow(w.mergeBias[i], w.merge[block][:], at, merged[:])
		h := max(0, min(a>>w.globalShift+b>>w.mergeShift+int32(mask[i]), HiddenMax))
		sum += h * int32(w.out[i])
	}
	return sum
}

func productsSlow(dst []int32, cells []row, versions []uint16, gate *row) {
	for i, v := range versions {
		sum := int32(0)
		for j, x := range &cells[v] {
			sum += int32(x) * int32(gate[j])
		}
		dst[i] = sum
	}
}

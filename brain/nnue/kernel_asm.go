//go:build !purego && (amd64 || arm64 || (wasm && web))

package nnue

// The kernels in assembly, with AVX-512, AVX2 or NEON; useVector tells whether the processor has
// one of them.

func add(cells, sums []row, w *Weights, versions []version, first int) {
	if useVector {
		addVector(cells, sums, w.rows, versions, first)
	} else {
		addPlain(cells, sums, w.packed, versions, first)
	}
}

func pool(dst *row, sums []row, regions *[Regions]uint16) {
	if useVector {
		poolVector(dst, sums, regions)
	} else {
		poolPlain(dst, sums, regions)
	}
}

func layer(dst []int16, w []half32, p []packedLayer, bias []int32, x, y *[Width]int16, shift uint64, low, high int16) {
	if useVector {
		layerVector(dst, w, bias, x, y, shift, low, high)
	} else {
		layerPlain(dst, p, bias, x, y, shift, low, high)
	}
}

func value(w *valueWeights, p *packedValue, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32 {
	if useVector {
		return valueVector(w, x, y, hidden, regions, mask)
	}
	return valuePlain(w, p, x, y, hidden, regions, mask)
}

func products(dst []int32, cells []row, versions []uint16, gate *row) {
	if useVector {
		productsVector(dst, cells, versions, gate)
	} else {
		productsPlain(dst, cells, versions, gate)
	}
}

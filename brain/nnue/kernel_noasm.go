//go:build purego || (!amd64 && !arm64)

package nnue

func add(cells, sums, rows []row, versions []version, first int) {
	addPlain(cells, sums, rows, versions, first)
}

func pool(dst *row, sums []row, regions *[Regions]uint16) { poolPlain(dst, sums, regions) }

func layer(dst []int16, w []half32, bias []int32, x, y *[Width]int16, shift uint64, low, high int16) {
	layerPlain(dst, w, bias, x, y, shift, low, high)
}

func value(w *valueWeights, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32 {
	return valuePlain(w, x, y, hidden, regions, mask)
}

func products(dst []int32, cells []row, versions []uint16, gate *row) {
	productsPlain(dst, cells, versions, gate)
}

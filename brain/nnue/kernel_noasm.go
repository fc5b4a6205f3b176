//go:build purego || (!amd64 && !arm64 && !(wasm && web))

package nnue

const useVector = false

func add(cells, sums []row, w *Weights, versions []version, first int) {
	addPlain(cells, sums, w.packed, versions, first)
}

func pool(dst *row, sums []row, regions *[Regions]uint16) { poolPlain(dst, sums, regions) }

func layer(dst []int16, _ []half32, p []packedLayer, bias []int32, x, y *[Width]int16, shift uint64, low, high int16) {
	layerPlain(dst, p, bias, x, y, shift, low, high)
}

func layers(h *headWeights, hidden [][RegionHidden]int16, sums []row, known []uint8, regions *[Regions]uint16, stm int) {
	layersOneByOne(h, hidden, sums, known, regions, stm)
}

func value(w *valueWeights, p *packedValue, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32 {
	return valuePlain(w, p, x, y, hidden, regions, mask)
}

func products(dst []int32, cells []row, versions []uint16, gate *row) {
	productsPlain(dst, cells, versions, gate)
}

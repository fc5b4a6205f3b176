//go:build !purego

package nnue

// useVector is a variable so that tests can run both versions. All processors have NEON.
var useVector = true

//go:noescape
func addVector(cells, sums, rows []row, versions []version, first int)

//go:noescape
func poolVector(dst *row, sums []row, regions *[Regions]uint16)

//go:noescape
func layerVector(dst []int16, w []half32, bias []int32, x, y *[Width]int16, shift uint64, low, high int16)

//go:noescape
func valueVector(w *valueWeights, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32

//go:noescape
func productsVector(dst []int32, cells []row, versions []uint16, gate *row)

func layers(h *headWeights, hidden [][RegionHidden]int16, sums []row, known []uint8, regions *[Regions]uint16, stm int) {
	layersOneByOne(h, hidden, sums, known, regions, stm)
}

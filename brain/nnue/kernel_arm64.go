//go:build !purego

package nnue

// useNEON is a variable so that tests can run both versions. All processors have NEON.
var useNEON = true

//go:noescape
func addNEON(cells, sums, rows []row, versions []version, first int)

func add(cells, sums, rows []row, versions []version, first int) {
	if useNEON {
		addNEON(cells, sums, rows, versions, first)
	} else {
		addPlain(cells, sums, rows, versions, first)
	}
}

//go:noescape
func poolNEON(dst *row, sums []row, regions *[Regions]uint16)

func pool(dst *row, sums []row, regions *[Regions]uint16) {
	if useNEON {
		poolNEON(dst, sums, regions)
	} else {
		poolPlain(dst, sums, regions)
	}
}

//go:noescape
func layerNEON(dst []int16, w []half32, bias []int32, x, y *[Width]int16, shift uint64, low, high int16)

func layer(dst []int16, w []half32, bias []int32, x, y *[Width]int16, shift uint64, low, high int16) {
	if useNEON {
		layerNEON(dst, w, bias, x, y, shift, low, high)
	} else {
		layerPlain(dst, w, bias, x, y, shift, low, high)
	}
}

//go:noescape
func valueNEON(w *valueWeights, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32

func value(w *valueWeights, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32 {
	if useNEON {
		return valueNEON(w, x, y, hidden, regions, mask)
	}
	return valuePlain(w, x, y, hidden, regions, mask)
}

//go:noescape
func productsNEON(dst []int32, cells []row, versions []uint16, gate *row)

func products(dst []int32, cells []row, versions []uint16, gate *row) {
	if useNEON {
		productsNEON(dst, cells, versions, gate)
	} else {
		productsPlain(dst, cells, versions, gate)
	}
}

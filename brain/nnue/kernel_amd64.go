//go:build !purego

package nnue

// useAVX2 is a variable so that tests can run both versions.
var useAVX2 = hasAVX2()

//go:noescape
func addAVX2(cells, sums, rows []row, versions []version, first int)

func add(cells, sums, rows []row, versions []version, first int) {
	if useAVX2 {
		addAVX2(cells, sums, rows, versions, first)
	} else {
		addPlain(cells, sums, rows, versions, first)
	}
}

//go:noescape
func poolAVX2(dst *row, sums []row, regions *[Regions]uint16)

func pool(dst *row, sums []row, regions *[Regions]uint16) {
	if useAVX2 {
		poolAVX2(dst, sums, regions)
	} else {
		poolPlain(dst, sums, regions)
	}
}

//go:noescape
func layerAVX2(dst []int16, w []half32, bias []int32, x, y *[Width]int16, shift uint64, low, high int16)

func layer(dst []int16, w []half32, bias []int32, x, y *[Width]int16, shift uint64, low, high int16) {
	if useAVX2 {
		layerAVX2(dst, w, bias, x, y, shift, low, high)
	} else {
		layerPlain(dst, w, bias, x, y, shift, low, high)
	}
}

//go:noescape
func valueAVX2(w *valueWeights, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32

func value(w *valueWeights, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32 {
	if useAVX2 {
		return valueAVX2(w, x, y, hidden, regions, mask)
	}
	return valuePlain(w, x, y, hidden, regions, mask)
}

//go:noescape
func productsAVX2(dst []int32, cells []row, versions []uint16, gate *row)

func products(dst []int32, cells []row, versions []uint16, gate *row) {
	if useAVX2 {
		productsAVX2(dst, cells, versions, gate)
	} else {
		productsPlain(dst, cells, versions, gate)
	}
}

func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

// xgetbv returns the low half of the extended control register 0. The processor has to
// have OSXSAVE.
func xgetbv() uint32

// hasAVX2 reports whether the processor has AVX2 and the system saves its registers.
// Source: Intel's manual, volume 1, 14.7.1.
func hasAVX2() bool {
	const (
		osxsave = 1 << 27 // leaf 1, ecx
		avx     = 1 << 28 // leaf 1, ecx
		avx2    = 1 << 5  // leaf 7, ebx
		saved   = 6       // xgetbv: the low and the high halves of the registers
	)
	if highest, _, _, _ := cpuid(0, 0); highest < 7 {
		return false
	}
	if _, _, ecx, _ := cpuid(1, 0); ecx&osxsave == 0 || ecx&avx == 0 || xgetbv()&saved != saved {
		return false
	}
	_, ebx, _, _ := cpuid(7, 0)
	return ebx&avx2 != 0
}

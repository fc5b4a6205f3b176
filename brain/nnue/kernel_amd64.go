//go:build !purego

package nnue

// useVector and useAVX512 are variables so that tests can run all versions. With useAVX512,
// useVector takes the kernels in AVX-512.
var (
	useVector = HasAVX2()
	useAVX512 = hasAVX512()
)

func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

// xgetbv returns the low half of the extended control register 0. The processor has to
// have OSXSAVE.
func xgetbv() uint32

// HasAVX2 reports whether the processor has AVX2 and the system saves its registers.
func HasAVX2() bool {
	const (
		avx2  = 1 << 5   // leaf 7, ebx
		saved = 1<<2 | 2 // the high and the low halves of the registers
	)
	ebx, _, state := extensions()
	return ebx&avx2 != 0 && state&saved == saved
}

// hasAVX512 reports whether the processor has AVX-512 with sums of products (VNNI), and the
// system saves its registers. Processors without VNNI slow down while they use AVX-512.
func hasAVX512() bool {
	const (
		basic = 1<<16 | 1<<30 | 1<<31     // leaf 7, ebx: F, BW, VL
		vnni  = 1 << 11                   // leaf 7, ecx
		saved = 1<<7 | 1<<6 | 1<<5 | 3<<1 // registers 16 to 31, high halves, masks, and those of AVX2
	)
	ebx, ecx, state := extensions()
	return ebx&basic == basic && ecx&vnni != 0 && state&saved == saved
}

// extensions returns what the processor has, as in leaf 7 of CPUID, and which registers the
// system saves, as in the extended control register 0; all are 0 without AVX.
// Source: Intel's manual, volume 1, 14.7.1 and 15.3.
func extensions() (ebx, ecx, state uint32) {
	const (
		osxsave = 1 << 27 // leaf 1, ecx
		avx     = 1 << 28 // leaf 1, ecx
	)
	if highest, _, _, _ := cpuid(0, 0); highest < 7 {
		return 0, 0, 0
	}
	if _, _, c, _ := cpuid(1, 0); c&osxsave == 0 || c&avx == 0 {
		return 0, 0, 0
	}
	_, ebx, ecx, _ = cpuid(7, 0)
	return ebx, ecx, xgetbv()
}

//go:noescape
func addAVX2(cells, sums, rows []row, versions []version, first int)

//go:noescape
func addAVX512(cells, sums, rows []row, versions []version, first int)

func addVector(cells, sums, rows []row, versions []version, first int) {
	if useAVX512 {
		addAVX512(cells, sums, rows, versions, first)
	} else {
		addAVX2(cells, sums, rows, versions, first)
	}
}

//go:noescape
func poolAVX2(dst *row, sums []row, regions *[Regions]uint16)

//go:noescape
func poolAVX512(dst *row, sums []row, regions *[Regions]uint16)

func poolVector(dst *row, sums []row, regions *[Regions]uint16) {
	if useAVX512 {
		poolAVX512(dst, sums, regions)
	} else {
		poolAVX2(dst, sums, regions)
	}
}

//go:noescape
func layerAVX2(dst []int16, w []half32, bias []int32, x, y *[Width]int16, shift uint64, low, high int16)

//go:noescape
func layerAVX512(dst []int16, w []half32, bias []int32, x, y *[Width]int16, shift uint64, low, high int16)

func layerVector(dst []int16, w []half32, bias []int32, x, y *[Width]int16, shift uint64, low, high int16) {
	if useAVX512 {
		layerAVX512(dst, w, bias, x, y, shift, low, high)
	} else {
		layerAVX2(dst, w, bias, x, y, shift, low, high)
	}
}

//go:noescape
func layersAVX2(w *[RegionTypes]regionWeights, hidden [][RegionHidden]int16, sums []row, known []uint8, regions *[Regions]uint16, stm, shift uint64)

//go:noescape
func layersAVX512(w *[RegionTypes]regionWeights, hidden [][RegionHidden]int16, sums []row, known []uint8, regions *[Regions]uint16, stm, shift uint64)

// layers is layersOneByOne, with one call for all regions.
func layers(h *headWeights, hidden [][RegionHidden]int16, sums []row, known []uint8, regions *[Regions]uint16, stm int) {
	switch {
	case !useVector:
		layersOneByOne(h, hidden, sums, known, regions, stm)
	case useAVX512:
		layersAVX512(&h.region, hidden, sums, known, regions, uint64(stm), h.regionShift)
	default:
		layersAVX2(&h.region, hidden, sums, known, regions, uint64(stm), h.regionShift)
	}
}

//go:noescape
func valueAVX2(w *valueWeights, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32

//go:noescape
func valueAVX512(w *valueWeights, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32

func valueVector(w *valueWeights, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32 {
	if useAVX512 {
		return valueAVX512(w, x, y, hidden, regions, mask)
	}
	return valueAVX2(w, x, y, hidden, regions, mask)
}

//go:noescape
func productsAVX2(dst []int32, cells []row, versions []uint16, gate *row)

//go:noescape
func productsAVX512(dst []int32, cells []row, versions []uint16, gate *row)

func productsVector(dst []int32, cells []row, versions []uint16, gate *row) {
	if useAVX512 {
		productsAVX512(dst, cells, versions, gate)
	} else {
		productsAVX2(dst, cells, versions, gate)
	}
}

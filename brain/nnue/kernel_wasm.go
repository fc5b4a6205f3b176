//go:build web && !purego

package nnue

import "unsafe"

// The kernels in a browser are functions of another module, see wasm.go, on the memory of the
// program.

// useVector is a variable so that tests can run both versions. Browsers without vectors have other
// functions in place of the kernels.
var useVector = present() != 0

//go:wasmimport gate present
func present() int32

//go:wasmimport gate add
//go:noescape
func gateAdd(cells, sums, rows, versions, dst unsafe.Pointer, count int32)

//go:wasmimport gate pool
//go:noescape
func gatePool(dst, sums, regions unsafe.Pointer)

//go:wasmimport gate layer
//go:noescape
func gateLayer(dst unsafe.Pointer, count int32, w, bias, x, y unsafe.Pointer, shift, low, high int32)

//go:wasmimport gate value
//go:noescape
func gateValue(global, globalBias unsafe.Pointer, globalShift int32, merge, mergeBias unsafe.Pointer, mergeShift int32, out, x, y, hidden, regions, mask unsafe.Pointer) int32

//go:wasmimport gate products
//go:noescape
func gateProducts(dst, cells, versions unsafe.Pointer, count int32, gate unsafe.Pointer)

func addVector(cells, sums, rows []row, versions []version, first int) {
	if first < len(versions) {
		gateAdd(of(cells), of(sums), of(rows), unsafe.Pointer(&versions[first]), unsafe.Pointer(&cells[first]), int32(len(versions)-first))
	}
}

func poolVector(dst *row, sums []row, regions *[Regions]uint16) {
	gatePool(unsafe.Pointer(dst), of(sums), unsafe.Pointer(regions))
}

func layerVector(dst []int16, w []half32, bias []int32, x, y *[Width]int16, shift uint64, low, high int16) {
	gateLayer(of(dst), int32(len(dst)), of(w), of(bias), unsafe.Pointer(x), unsafe.Pointer(y), int32(shift), int32(low), int32(high))
}

func valueVector(w *valueWeights, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32 {
	return gateValue(unsafe.Pointer(&w.global), unsafe.Pointer(&w.globalBias), int32(w.globalShift), unsafe.Pointer(&w.merge), unsafe.Pointer(&w.mergeBias), int32(w.mergeShift),
		unsafe.Pointer(&w.out), unsafe.Pointer(x), unsafe.Pointer(y), of(hidden), unsafe.Pointer(regions), unsafe.Pointer(mask))
}

func productsVector(dst []int32, cells []row, versions []uint16, gate *row) {
	gateProducts(of(dst), of(cells), of(versions), int32(len(versions)), unsafe.Pointer(gate))
}

// of returns the address of the first element.
func of[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

func layers(h *headWeights, hidden [][RegionHidden]int16, sums []row, known []uint8, regions *[Regions]uint16, stm int) {
	layersOneByOne(h, hidden, sums, known, regions, stm)
}

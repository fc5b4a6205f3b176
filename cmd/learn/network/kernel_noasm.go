//go:build !amd64 || purego

package network

const useAVX2 = false

func gatherAVX2(dst, pool, table, bias *float32, idx *uint16, region *uint8, count *float32, n, cells int) {
	panic("not available")
}

func scatterAVX2(grad, bias, acts, pool, gate *float32, idx *uint16, region *uint8, count, coef *float32, n, cells int) {
	panic("not available")
}

func dots64AVX2(dst, w, x *float32, rows int)                       { panic("not available") }
func dots32AVX2(dst, w, x *float32, rows int)                       { panic("not available") }
func mix64AVX2(dst, w, coef *float32, rows int)                     { panic("not available") }
func mix32AVX2(dst, w, coef *float32, rows int)                     { panic("not available") }
func outer64AVX2(w, coef, x *float32, rows int)                     { panic("not available") }
func outer32AVX2(w, coef, x *float32, rows int)                     { panic("not available") }
func momentsAVX2(sum, squares, x, pivot *[pair]float32)             { panic("not available") }
func normalizeAVX2(dst, x, mean, scale *[pair]float32)              { panic("not available") }
func driftsAVX2(gradient, drift, d, x *[pair]float32)               { panic("not available") }
func normalizeBackAVX2(d, x, gradient, drift, scale *[pair]float32) { panic("not available") }
func expsAVX2(x *float32, n int, most float32)                      { panic("not available") }
func addAVX2(dst, src *float32, n int)                              { panic("not available") }
func adamAVX2(w, m, v, grad *float32, n int, s *adamStep)           { panic("not available") }

//go:build !purego

package network

import "tengen/brain/nnue"

// useAVX2 is a variable so that tests can run both versions.
var useAVX2 = nnue.HasAVX2()

//go:noescape
func gatherAVX2(dst, pool, table, bias *float32, idx *uint16, region *uint8, count *float32, n, cells int)

//go:noescape
func scatterAVX2(grad, bias, acts, pool, gate *float32, idx *uint16, region *uint8, count, coef *float32, n, cells int)

//go:noescape
func dots64AVX2(dst, w, x *float32, rows int)

//go:noescape
func dots32AVX2(dst, w, x *float32, rows int)

//go:noescape
func mix64AVX2(dst, w, coef *float32, rows int)

//go:noescape
func mix32AVX2(dst, w, coef *float32, rows int)

//go:noescape
func outer64AVX2(w, coef, x *float32, rows int)

//go:noescape
func outer32AVX2(w, coef, x *float32, rows int)

//go:noescape
func momentsAVX2(sum, squares, x, pivot *[pair]float32)

//go:noescape
func normalizeAVX2(dst, x, mean, scale *[pair]float32)

//go:noescape
func driftsAVX2(gradient, drift, d, x *[pair]float32)

//go:noescape
func normalizeBackAVX2(d, x, gradient, drift, scale *[pair]float32)

//go:noescape
func expsAVX2(x *float32, n int, most float32)

//go:noescape
func addAVX2(dst, src *float32, n int)

//go:noescape
func adamAVX2(w, m, v, grad *float32, n int, s *adamStep)

//go:build !purego

package network

// useAVX2 is a variable so that tests can run both versions.
var useAVX2 = hasAVX2()

// hasAVX2 reports whether the processor has AVX2 and the system keeps its registers.
func hasAVX2() bool {
	top, _, _, _ := cpuid(0, 0)
	if top < 7 {
		return false
	}
	const osxsave, avx = 1 << 27, 1 << 28
	if _, _, c, _ := cpuid(1, 0); c&(osxsave|avx) != osxsave|avx {
		return false
	}
	if a, _ := xgetbv(); a&6 != 6 {
		return false
	}
	_, b, _, _ := cpuid(7, 0)
	return b&(1<<5) != 0
}

func cpuid(leaf, sub uint32) (a, b, c, d uint32)
func xgetbv() (a, d uint32)

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
func addAVX2(dst, src *float32, n int)

//go:noescape
func adamAVX2(w, m, v, grad *float32, n int, s *adamStep)

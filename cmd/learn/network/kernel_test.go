package network

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// randoms returns n floats around 0, some of them 0.
func randoms(r *rand.Rand, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		if r.IntN(8) > 0 {
			s[i] = float32(r.NormFloat64())
		}
	}
	return s
}

// either returns the kernel or its twin.
func either[F any](isKernel bool, kernel, twin F) F {
	if isKernel {
		return kernel
	}
	return twin
}

// TestKernels compares the kernels, which are assembly where the processor can run it, with their
// twins, bit by bit.
func TestKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	// twice calls f with equal copies of data for the kernel and for its twin, and compares them.
	twice := func(name string, f func(kernel bool, data [][]float32), data ...[]float32) {
		t.Helper()
		var got, want [][]float32
		for _, d := range data {
			got, want = append(got, slices.Clone(d)), append(want, slices.Clone(d))
		}
		f(true, got)
		f(false, want)
		for i := range got {
			for k := range got[i] {
				if got[i][k] != want[i][k] {
					t.Fatalf("%s: slice %d, number %d is %g, the twin says %g", name, i, k, got[i][k], want[i][k])
				}
			}
		}
	}
	for n := 1; n <= 6; n++ {
		for _, cells := range []int{1, 2, 7, 60} {
			const rows = 50
			idx := make([]uint16, cells*n)
			for i := range idx {
				idx[i] = uint16(r.IntN(rows))
			}
			region := make([]uint8, cells)
			for i := range region {
				region[i] = uint8(r.IntN(regions))
			}
			table, bias, count, coef := randoms(r, rows*width), randoms(r, width), randoms(r, cells), randoms(r, cells)
			acts, pool, gate := randoms(r, cells*pair), randoms(r, regions*pair), randoms(r, pair)
			for i := range acts {
				if r.IntN(5) == 0 {
					acts[i] = cellMax
				}
				table[i%len(table)] *= 2
			}
			for _, view := range []int{0, width} {
				twice("gather", func(kernel bool, d [][]float32) {
					if kernel {
						gather(d[0][view:], d[1][view:], table, bias, idx, n, region, count)
					} else {
						gatherGeneric(d[0][view:], d[1][view:], table, bias, idx, n, region, count)
					}
				}, acts, pool)
				twice("scatter", func(kernel bool, d [][]float32) {
					if kernel {
						scatter(d[0], d[1], acts[view:], pool[view:], gate[view:], idx, n, region, count, coef)
					} else {
						scatterGeneric(d[0], d[1], acts[view:], pool[view:], gate[view:], idx, n, region, count, coef)
					}
				}, randoms(r, rows*width), bias)
			}
		}
	}
	for _, long := range []int{32, 64} {
		for _, rows := range []int{1, 3, 16, 64} {
			w, x, coef := randoms(r, rows*long), randoms(r, long), randoms(r, rows)
			twice("dots", func(kernel bool, d [][]float32) {
				if kernel {
					dots(d[0], w, x)
				} else {
					dotsGeneric(d[0], w, x)
				}
			}, make([]float32, rows))
			twice("mix", func(kernel bool, d [][]float32) {
				if kernel {
					mix(d[0], w, coef)
				} else {
					mixGeneric(d[0], w, coef)
				}
			}, x)
			twice("outer", func(kernel bool, d [][]float32) {
				if kernel {
					outer(d[0], coef, x)
				} else {
					outerGeneric(d[0], coef, x)
				}
			}, w)
		}
	}
	pool := func(s []float32) *[pair]float32 { return (*[pair]float32)(s) }
	one := func() []float32 { return randoms(r, pair) }
	type onPools func(a, b, c, d *[pair]float32)
	for name, f := range map[string][2]onPools{
		"moments":   {moments, momentsGeneric},
		"normalize": {normalize, normalizeGeneric},
		"drifts":    {drifts, driftsGeneric},
	} {
		twice(name, func(kernel bool, d [][]float32) {
			either(kernel, f[0], f[1])(pool(d[0]), pool(d[1]), pool(d[2]), pool(d[3]))
		}, one(), one(), one(), one())
	}
	twice("normalizeBack", func(kernel bool, d [][]float32) {
		either(kernel, normalizeBack, normalizeBackGeneric)(pool(d[0]), pool(d[1]), pool(d[2]), pool(d[3]), pool(d[4]))
	}, one(), one(), one(), one(), one())
	for n := range 40 {
		x := randoms(r, n)
		for i := range x {
			x[i] *= 30
		}
		most := slices.Max(append(x, 5))
		twice("exps", func(kernel bool, d [][]float32) { either(kernel, exps, expsGeneric)(d[0], most) }, x)
	}
	for _, n := range []int{32, 96} {
		twice("add", func(kernel bool, d [][]float32) {
			if kernel {
				add(d[0], d[1])
			} else {
				addGeneric(d[0], d[1])
			}
		}, randoms(r, n), randoms(r, n))
		v := randoms(r, n)
		for i := range v {
			v[i] *= v[i]
		}
		s := &adamStep{scale: 0.7, beta1: 0.9, rest1: 0.1, beta2: 0.999, rest2: 0.001, unbias: 3.7, eps: 1e-8, rate: 0.013, keep: 0.997}
		twice("adam", func(kernel bool, d [][]float32) {
			if kernel {
				adam(d[0], d[1], d[2], d[3], s)
			} else {
				adamGeneric(d[0], d[1], d[2], d[3], s)
			}
		}, randoms(r, n), randoms(r, n), v, randoms(r, n))
	}
}

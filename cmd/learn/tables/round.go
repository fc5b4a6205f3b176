package tables

import (
	"cmp"
	"math"
	"slices"

	"tengen/brain/eval"
)

// Bounds of the work that rounding makes: codes that are rounded with regard to each
// other, and samples that tell how they go together.
const (
	roundCodes   = 700
	roundSamples = 40000
)

// roundCells rounds the numbers of codes in w, the first of a valueLayout, to whole
// points. A common code stands on a hundred cells at once, where half a point each is
// a quarter of the odds; so codes are rounded one after the other, the most common
// first, and every one makes up for the error of those before it, as far as they occur
// together. This is Babai's nearest plane for the squared error of the values.
func roundCells(samples []*sample, w []float64, colors int) {
	n := colors * eval.Codes
	samples = samples[:min(len(samples), roundSamples)]
	square := make([]float64, n)
	for _, s := range samples {
		for _, k := range s.counts {
			square[k.index] += float64(k.n) * float64(k.n)
		}
	}
	var common []int // the most common last
	for i, q := range square {
		if q > 0 {
			common = append(common, i)
		}
	}
	slices.SortFunc(common, func(a, b int) int { return cmp.Or(cmp.Compare(square[a], square[b]), a-b) })
	common = common[max(0, len(common)-roundCodes):]
	l := factor(moments(samples, common, n))

	left := make([]float64, len(common)) // what rounding took from each
	for k := len(common) - 1; k >= 0; k-- {
		v := w[common[k]]
		want := v
		for j := k + 1; j < len(common); j++ {
			want += l[j][k] * left[j]
		}
		w[common[k]] = math.Round(want)
		left[k] = v - w[common[k]]
	}
	for i := range w[:n] {
		w[i] = math.Round(w[i])
	}
}

// moments returns the lower half of the sums of products of the counts of codes, with a
// little more on the diagonal so that it can be factored.
func moments(samples []*sample, codes []int, n int) [][]float64 {
	place := make([]int, n)
	for i := range place {
		place[i] = -1
	}
	h := make([][]float64, len(codes))
	for k, i := range codes {
		place[i] = k
		h[k] = make([]float64, k+1)
	}
	type at struct {
		k int
		n float64
	}
	var list []at
	for _, s := range samples {
		list = list[:0]
		for _, c := range s.counts {
			if k := place[c.index]; k >= 0 {
				list = append(list, at{k, float64(c.n)})
			}
		}
		slices.SortFunc(list, func(a, b at) int { return a.k - b.k })
		for j, a := range list {
			row := h[a.k]
			for _, b := range list[:j+1] {
				row[b.k] += a.n * b.n
			}
		}
	}
	for k := range h {
		h[k][k] += 1 + float64(len(samples))/20
	}
	return h
}

// factor turns h, the lower half of a positive definite matrix, into the unit lower
// triangle of L D L', and returns it.
func factor(h [][]float64) [][]float64 {
	n := len(h)
	d := make([]float64, n)
	for j := range n {
		row := h[j]
		for k := range j {
			// row[k] is D[k]*L[j][k] once the parameters before k are taken off.
			v := row[k]
			for i, u := range h[k][:k] {
				v -= row[i] * u
			}
			row[k] = v
		}
		d[j] = row[j]
		for k := range j {
			v := row[k]
			row[k] = v / d[k]
			d[j] -= v * row[k]
		}
		row[j] = 1
	}
	return h
}

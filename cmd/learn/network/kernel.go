package network

import "math"

// The kernels below do all the arithmetic on rows. Each has a plain Go version, which
// is its definition, and on amd64 one in assembly that gives the same bits: the
// additions of both are in the same order and no product is fused with a sum.

// gather computes the cells of one view and adds them up by region. Cell i is the sum of
// bias and of the n rows of table that idx[i*n:][:n] names, clamped to 0..cellMax. It goes
// to dst[i*pair:][:width], and count[i] times it is added to pool[region[i]*pair:][:width].
func gather(dst, pool, table, bias []float32, idx []uint16, n int, region []uint8, count []float32) {
	if len(region) == 0 {
		return
	}
	cells := len(region)
	_, _, _, _ = dst[(cells-1)*pair+width-1], idx[cells*n-1], bias[width-1], count[cells-1]
	if useAVX2 {
		gatherAVX2(&dst[0], &pool[0], &table[0], &bias[0], &idx[0], &region[0], &count[0], n, cells)
		return
	}
	gatherGeneric(dst, pool, table, bias, idx, n, region, count)
}

func gatherGeneric(dst, pool, table, bias []float32, idx []uint16, n int, region []uint8, count []float32) {
	for i, r := range region {
		a := (*[width]float32)(dst[i*pair:])
		copy(a[:], bias)
		for _, row := range idx[i*n:][:n] {
			w := (*[width]float32)(table[int(row)*width:])
			for k := range a {
				a[k] += w[k]
			}
		}
		to := (*[width]float32)(pool[int(r)*pair:])
		for k := range a {
			a[k] = min(max(a[k], 0), cellMax)
			to[k] += float32(count[i] * a[k])
		}
	}
}

// scatter is the backward pass of gather. The derivative by cell i is
// count[i]*pool[region[i]*pair:] + coef[i]*gate where acts[i*pair:] is not clamped, and 0
// where it is. It is added to the rows of grad that the cell is the sum of, and to bias.
func scatter(grad, bias, acts, pool, gate []float32, idx []uint16, n int, region []uint8, count, coef []float32) {
	if len(region) == 0 {
		return
	}
	cells := len(region)
	_, _, _, _, _, _ = acts[(cells-1)*pair+width-1], idx[cells*n-1], bias[width-1], gate[width-1], count[cells-1], coef[cells-1]
	if useAVX2 {
		scatterAVX2(&grad[0], &bias[0], &acts[0], &pool[0], &gate[0], &idx[0], &region[0], &count[0], &coef[0], n, cells)
		return
	}
	scatterGeneric(grad, bias, acts, pool, gate, idx, n, region, count, coef)
}

func scatterGeneric(grad, bias, acts, pool, gate []float32, idx []uint16, n int, region []uint8, count, coef []float32) {
	var sum [width]float32
	for i, r := range region {
		a := (*[width]float32)(acts[i*pair:])
		by := (*[width]float32)(pool[int(r)*pair:])
		var d [width]float32
		for k := range d {
			if a[k] > 0 && a[k] < cellMax {
				d[k] = float32(count[i]*by[k]) + float32(coef[i]*gate[k])
			}
			sum[k] += d[k]
		}
		for _, row := range idx[i*n:][:n] {
			w := (*[width]float32)(grad[int(row)*width:])
			for k := range d {
				w[k] += d[k]
			}
		}
	}
	for k := range sum {
		bias[k] += sum[k]
	}
}

// dots sets dst[i] to the dot product of x and row i of w, rows of len(x), which is 32
// or 64.
func dots(dst, w, x []float32) {
	if len(dst) == 0 {
		return
	}
	_ = w[len(dst)*len(x)-1]
	switch {
	case useAVX2 && len(x) == 64:
		dots64AVX2(&dst[0], &w[0], &x[0], len(dst))
	case useAVX2 && len(x) == 32:
		dots32AVX2(&dst[0], &w[0], &x[0], len(dst))
	default:
		dotsGeneric(dst, w, x)
	}
}

func dotsGeneric(dst, w, x []float32) {
	for i := range dst {
		row := w[i*len(x):][:len(x)]
		var s [32]float32 // lane l of register j is s[8*j+l]
		for k := range s {
			s[k] = float32(x[k] * row[k])
		}
		for at := 32; at < len(x); at += 32 {
			for k := range s {
				s[k] += float32(x[at+k] * row[at+k])
			}
		}
		var t [8]float32
		for l := range t {
			t[l] = (s[l] + s[8+l]) + (s[16+l] + s[24+l])
		}
		dst[i] = ((t[0] + t[4]) + (t[1] + t[5])) + ((t[2] + t[6]) + (t[3] + t[7]))
	}
}

// mix adds to dst, of length 32 or 64, coef[i] times row i of w, for all i in order.
func mix(dst, w, coef []float32) {
	if len(coef) == 0 {
		return
	}
	_ = w[len(coef)*len(dst)-1]
	switch {
	case useAVX2 && len(dst) == 64:
		mix64AVX2(&dst[0], &w[0], &coef[0], len(coef))
	case useAVX2 && len(dst) == 32:
		mix32AVX2(&dst[0], &w[0], &coef[0], len(coef))
	default:
		mixGeneric(dst, w, coef)
	}
}

func mixGeneric(dst, w, coef []float32) {
	for i, c := range coef {
		row := w[i*len(dst):][:len(dst)]
		for k := range dst {
			dst[k] += float32(c * row[k])
		}
	}
}

// outer adds coef[i] times x, of length 32 or 64, to row i of w, for all i.
func outer(w, coef, x []float32) {
	if len(coef) == 0 {
		return
	}
	_ = w[len(coef)*len(x)-1]
	switch {
	case useAVX2 && len(x) == 64:
		outer64AVX2(&w[0], &coef[0], &x[0], len(coef))
	case useAVX2 && len(x) == 32:
		outer32AVX2(&w[0], &coef[0], &x[0], len(coef))
	default:
		outerGeneric(w, coef, x)
	}
}

func outerGeneric(w, coef, x []float32) {
	for i, c := range coef {
		row := w[i*len(x):][:len(x)]
		for k := range x {
			row[k] += float32(c * x[k])
		}
	}
}

// moments adds x*poolScale less pivot to sum, and its square to squares.
func moments(sum, squares, x, pivot *[pair]float32) {
	if useAVX2 {
		momentsAVX2(sum, squares, x, pivot)
		return
	}
	momentsGeneric(sum, squares, x, pivot)
}

func momentsGeneric(sum, squares, x, pivot *[pair]float32) {
	for k := range x {
		d := float32(x[k]*poolScale) - pivot[k]
		sum[k] += d
		squares[k] += float32(d * d)
	}
}

// normalize sets dst to scale*(x*poolScale - mean).
func normalize(dst, x, mean, scale *[pair]float32) {
	if useAVX2 {
		normalizeAVX2(dst, x, mean, scale)
		return
	}
	normalizeGeneric(dst, x, mean, scale)
}

func normalizeGeneric(dst, x, mean, scale *[pair]float32) {
	for k := range x {
		dst[k] = (float32(x[k]*poolScale) - mean[k]) * scale[k]
	}
}

// drifts adds d to gradient, and d times x to drift.
func drifts(gradient, drift, d, x *[pair]float32) {
	if useAVX2 {
		driftsAVX2(gradient, drift, d, x)
		return
	}
	driftsGeneric(gradient, drift, d, x)
}

func driftsGeneric(gradient, drift, d, x *[pair]float32) {
	for k := range d {
		gradient[k] += d[k]
		drift[k] += float32(d[k] * x[k])
	}
}

// normalizeBack is the backward pass of normalize for a batch with the means of gradient and
// drift: d becomes scale*(d - (gradient + drift*x)).
func normalizeBack(d, x, gradient, drift, scale *[pair]float32) {
	if useAVX2 {
		normalizeBackAVX2(d, x, gradient, drift, scale)
		return
	}
	normalizeBackGeneric(d, x, gradient, drift, scale)
}

func normalizeBackGeneric(d, x, gradient, drift, scale *[pair]float32) {
	for k := range d {
		d[k] = (d[k] - (gradient[k] + float32(x[k]*drift[k]))) * scale[k]
	}
}

// exps sets each number x, which is at most most, to e^(x - most), with a relative error of about
// 1e-7. Results below e^-80 become e^-80.
func exps(x []float32, most float32) {
	done := 0
	if useAVX2 && len(x) >= 8 {
		done = len(x) &^ 7
		expsAVX2(&x[0], done, most)
	}
	expsGeneric(x[done:], most)
}

// The coefficients are those of the function expf in Cephes, by S. Moshier.
func expsGeneric(x []float32, most float32) {
	const (
		log2e = 1.44269504088896341
		ln2   = 0.693359375    // in few bits, so that multiples are exact ...
		rest  = -2.12194440e-4 // ... and the rest of it
	)
	for i := range x {
		d := max(x[i]-most, leastPower)
		n := float32(math.Floor(float64(float32(d*log2e) + 0.5)))
		d -= float32(n * ln2)
		d -= float32(n * rest)
		y := float32(1.9875691500e-4)
		y = float32(y*d) + 1.3981999507e-3
		y = float32(y*d) + 8.3334519073e-3
		y = float32(y*d) + 4.1665795894e-2
		y = float32(y*d) + 1.6666665459e-1
		y = float32(y*d) + 5.0000001201e-1
		y = float32(y*float32(d*d)) + d
		x[i] = (y + 1) * math.Float32frombits(uint32(int32(n)+127)<<23)
	}
}

// leastPower is the exponent of the least result of exps.
const leastPower = -80

// add adds src to dst and sets src to 0. Their length is a multiple of 32.
func add(dst, src []float32) {
	_ = src[len(dst)-1]
	if useAVX2 {
		addAVX2(&dst[0], &src[0], len(dst))
		return
	}
	addGeneric(dst, src)
}

func addGeneric(dst, src []float32) {
	for i := range dst {
		dst[i] += src[i]
		src[i] = 0
	}
}

// An adamStep holds the numbers of a step of AdamW for one group of parameters. The
// order of the fields is known to the assembly.
type adamStep struct {
	scale  float32 // of the gradient
	beta1  float32
	rest1  float32 // 1 - beta1
	beta2  float32
	rest2  float32 // 1 - beta2
	unbias float32 // 1 / (1 - beta2^t)
	eps    float32
	rate   float32 // learning rate / (1 - beta1^t)
	keep   float32 // 1 - learning rate * decay
}

// adam moves the parameters w by the gradient g, which it sets to 0. m and v are the
// running means of the gradient and its square. The length is a multiple of 32.
func adam(w, m, v, g []float32, s *adamStep) {
	if len(w) == 0 {
		return
	}
	_, _, _ = m[len(w)-1], v[len(w)-1], g[len(w)-1]
	if useAVX2 {
		adamAVX2(&w[0], &m[0], &v[0], &g[0], len(w), s)
		return
	}
	adamGeneric(w, m, v, g, s)
}

func adamGeneric(w, m, v, g []float32, s *adamStep) {
	for i := range w {
		d := float32(g[i] * s.scale)
		g[i] = 0
		m[i] = float32(m[i]*s.beta1) + float32(d*s.rest1)
		v[i] = float32(v[i]*s.beta2) + float32(float32(d*d)*s.rest2)
		root := float32(math.Sqrt(float64(float32(v[i] * s.unbias))))
		w[i] = float32(w[i]*s.keep) - float32(m[i]*s.rate)/(root+s.eps)
	}
}

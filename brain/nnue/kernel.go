package nnue

import "unsafe"

// The kernels. Each has a version in plain Go, here, for processors without one in assembly, and a
// dispatching function of its name in the files by architecture. All versions give the same numbers
// for what Network.Check lets pass.
//
// Plain Go has no vectors, but a word of 64 bits adds four numbers at a time or multiplies two:
//
//   - A packed sum of the numbers n0 to n3 is n0 + n1<<16 + n2<<32 + n3<<48, modulo 1<<64. Packed
//     sums add up like their numbers, whatever their signs, and as long as each number of the
//     result is 0 or greater, the word holds it in its own 16 bits.
//   - In the same way x * (w0 + w1<<32) is a packed pair of x*w0 and x*w1.

// A version is what one cell was at some time: the indexes of its six rows, and its place. Those of
// the lines and of the codes lie side by side.
type version struct {
	lines  uint64    // rows of the four lines, 16 bits each
	codes  [2]uint16 // rows of black's code, of white's
	before uint16    // the version of the cell that this one replaced
	sum    uint16    // index of the sum over the cell's region
	cell   uint16
}

// A packedRow is a row as packed sums.
type packedRow [Pair / 4]uint64

// A column holds the weights of one input for the outputs, as packed pairs.
type column [outputs / 2]uint64

// packedHead holds the matrices of a headWeights for the plain kernels: a column for each input.
type packedHead struct {
	value  packedValue
	region [RegionTypes]packedLayer
	gate   [Pair / outputs]packedLayer
}

type packedLayer [Pair]column

// packedValue holds those of a valueWeights.
type packedValue struct {
	global [Hidden / outputs]packedLayer
	merge  [Hidden / outputs][RegionTypes * RegionHidden]column
}

const (
	ones  = 1 | 1<<16 | 1<<32 | 1<<48 // 1 in all four parts of a word
	signs = ones << 15                // the highest bits of the parts
	evens = 1<<16 - 1 | (1<<16-1)<<32 // all bits of the first and the third part
)

// An alignedRow begins where a word may, as the elements of a slice of rows do.
type alignedRow struct {
	_ [0]uint64
	row
}

// words returns the numbers of r four to a word. r has to begin where a word may.
func (r *row) words() *[Pair / 4]uint64 { return (*[Pair / 4]uint64)(unsafe.Pointer(r)) }

// pack returns r as packed sums.
func (r *row) pack() (p packedRow) {
	for i, w := range r.words() {
		p[i] = w - w&signs<<1 // a negative number borrows from the next one
	}
	return p
}

func (p *packedRow) add(q packedRow) {
	for i, w := range q {
		p[i] += w
	}
}

// pairOf returns the packed pair of low and high, and ofPair the two numbers of a pair.
func pairOf(low, high int32) uint64 { return uint64(int64(low) + int64(high)<<32) }

func ofPair(p uint64) (low, high int32) {
	low = int32(p)
	return low, int32((p - uint64(int64(low))) >> 32)
}

// addPlain works out the numbers of cells of all versions from the first given one on: the sum
// of their rows, clamped to 0..CellMax. The sums over regions are brought up to date. cells
// holds the numbers by version. It adds all six rows anew: that is as fast as subtracting and
// adding the two or three that differ, and has no branch to mispredict.
func addPlain(cells, sums []row, rows []packedRow, versions []version, first int) {
	for i := first; i < len(versions); i++ {
		v := &versions[i]
		r0, r1 := &rows[uint16(v.lines)], &rows[uint16(v.lines>>16)]
		r2, r3 := &rows[uint16(v.lines>>32)], &rows[uint16(v.lines>>48)]
		r4, r5 := &rows[v.codes[0]], &rows[v.codes[1]]
		before, sum, cell := cells[v.before].words(), sums[v.sum].words(), cells[i].words()
		for j := range cell {
			x := r0[j] + r1[j] + r2[j] + r3[j] + r4[j] + r5[j] + signs // 1<<15 more than the numbers
			from0 := x & signs
			x &= from0 - from0>>15                         // the number, or 0 if it is negative
			beyond := (x + (1<<15-1-CellMax)*ones) & signs // where the number is greater than CellMax
			x = (x | (beyond>>15)*CellMax) & (CellMax * ones)
			sum[j] += x - before[j]
			cell[j] = x
		}
	}
}

// CellMax has to be all ones: addPlain cuts off the bits above.
const _ = -uint(CellMax & (CellMax + 1))

// poolPlain makes dst the sum of the sums of all regions, each shifted by PoolShift.
func poolPlain(dst *row, sums []row, regions *[Regions]uint16) {
	var x [Pair / 4]uint64
	for _, r := range regions {
		for j, w := range sums[r].words() {
			x[j] += w >> PoolShift & ((1<<(16-PoolShift) - 1) * ones)
		}
	}
	*dst.words() = x
}

// layerPlain makes dst the outputs of a layer: the matrix w times the inputs x and y, plus
// bias, shifted and clamped to low..high. dst holds a multiple of outputs numbers, bias as
// many, w a packedLayer for each outputs of them.
func layerPlain(dst []int16, w []packedLayer, bias []int32, x, y *[Width]int16, shift uint64, low, high int16) {
	for i := range w {
		var sums column
		sums.multiply(w[i][:Width], x[:])
		sums.multiply(w[i][Width:], y[:])
		to, from := dst[i*outputs:][:outputs], bias[i*outputs:][:outputs]
		for j, p := range sums {
			a, b := ofPair(p)
			to[2*j] = int16(max(int32(low), min((a+from[2*j])>>shift, int32(high))))
			to[2*j+1] = int16(max(int32(low), min((b+from[2*j+1])>>shift, int32(high))))
		}
	}
}

// multiply adds to the sums the products of the inputs x with their weights.
func (sums *column) multiply(w []column, x []int16) {
	a, b, c, d, e, f, g, h := sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7]
	w = w[:len(x)]
	for i, n := range x {
		n, w := uint64(n), &w[i]
		a += n * w[0]
		b += n * w[1]
		c += n * w[2]
		d += n * w[3]
		e += n * w[4]
		f += n * w[5]
		g += n * w[6]
		h += n * w[7]
	}
	*sums = column{a, b, c, d, e, f, g, h}
}

// layersOneByOne works out the layers of the regions for side to move stm that are not known. hidden,
// sums and known hold what belongs to a region by its index.
func layersOneByOne(h *headWeights, hidden [][RegionHidden]int16, sums []row, known []uint8, regions *[Regions]uint16, stm int) {
	for r, i := range regions {
		if known[i]>>stm&1 == 0 {
			n := RegionType[r]
			t := &h.region[n]
			own, other := sums[i].halves(stm)
			layer(hidden[i][:], t.weights[:], h.packed.region[n:][:1], t.bias[:], own, other, h.regionShift, 0, HiddenMax)
			known[i] |= 1 << stm
		}
	}
}

// valuePlain returns the product of the value's weights with the hidden layer. x and y are
// the two halves of the pool, own first; hidden holds the regions' layers by index; mask
// is the row of the mask. p holds the matrices of w.
func valuePlain(w *valueWeights, p *packedValue, x, y *[Width]int16, hidden [][RegionHidden]int16, regions *[Regions]uint16, mask *[Hidden]int16) int32 {
	var merged [RegionTypes * RegionHidden]int16
	for r, i := range regions {
		for j, u := range &hidden[i] {
			merged[int(RegionType[r])*RegionHidden+j] += u
		}
	}
	sum := int32(0)
	for block := range p.global {
		var global, merge column
		global.multiply(p.global[block][:Width], x[:])
		global.multiply(p.global[block][Width:], y[:])
		merge.multiply(p.merge[block][:], merged[:])
		for j := range global {
			var a, b [2]int32
			a[0], a[1] = ofPair(global[j])
			b[0], b[1] = ofPair(merge[j])
			for k := range a {
				i := block*outputs + 2*j + k
				h := (a[k]+w.globalBias[i])>>w.globalShift + (b[k]+w.mergeBias[i])>>w.mergeShift + int32(mask[i])
				sum += max(0, min(h, HiddenMax)) * int32(w.out[i])
			}
		}
	}
	return sum
}

// productsPlain makes dst[i] the product of the gate with cells[versions[i]].
func productsPlain(dst []int32, cells []row, versions []uint16, gate *row) {
	// For the numbers x and y of a cell and those of the gate for them, (x + y<<32) * (yGate +
	// xGate<<32) is a packed pair whose second number is x*xGate + y*yGate.
	var pairs [Pair / 2]uint64
	for i, w := range gate.words() {
		pairs[2*i] = pairOf(int32(int16(w>>32)), int32(int16(w)))
		pairs[2*i+1] = pairOf(int32(int16(w>>48)), int32(int16(w>>16)))
	}
	for i, v := range versions {
		sum := uint64(0)
		for j, w := range cells[v].words() {
			sum += (w&evens)*pairs[2*j] + (w>>16&evens)*pairs[2*j+1]
		}
		_, dst[i] = ofPair(sum)
	}
}

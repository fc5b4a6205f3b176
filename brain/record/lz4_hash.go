package record

// An xxh32 is the state of the hash XXH32 with seed 0.
// Source: xxHash specification 0.1.1.
type xxh32 struct {
	lanes [4]uint32
	tail  [16]byte
	n     int // bytes in tail
	total uint32
}

const (
	xxPrime1 = 2654435761
	xxPrime2 = 2246822519
	xxPrime3 = 3266489917
	xxPrime4 = 668265263
	xxPrime5 = 374761393
)

func newXXH32() xxh32 {
	return xxh32{lanes: [4]uint32{(xxPrime1 + xxPrime2) & 0xffffffff, xxPrime2, 0, -xxPrime1 & 0xffffffff}}
}

// xxh32Of returns the hash of p.
func xxh32Of(p []byte) uint32 {
	x := newXXH32()
	x.write(p)
	return x.sum()
}

func (x *xxh32) write(p []byte) {
	x.total += uint32(len(p))
	if x.n > 0 {
		k := copy(x.tail[x.n:], p)
		x.n += k
		p = p[k:]
		if x.n < len(x.tail) {
			return
		}
		x.stripes(x.tail[:])
		x.n = 0
	}
	whole := len(p) &^ 15
	x.stripes(p[:whole])
	x.n = copy(x.tail[:], p[whole:])
}

// stripes takes in p, a multiple of 16 bytes.
func (x *xxh32) stripes(p []byte) {
	for ; len(p) >= 16; p = p[16:] {
		for i := range x.lanes {
			x.lanes[i] = rotate(x.lanes[i]+le.Uint32(p[4*i:])*xxPrime2, 13) * xxPrime1
		}
	}
}

func (x *xxh32) sum() uint32 {
	h := uint32(xxPrime5)
	if x.total >= 16 {
		h = rotate(x.lanes[0], 1) + rotate(x.lanes[1], 7) +
			rotate(x.lanes[2], 12) + rotate(x.lanes[3], 18)
	}
	h += x.total
	p := x.tail[:x.n]
	for ; len(p) >= 4; p = p[4:] {
		h = rotate(h+le.Uint32(p)*xxPrime3, 17) * xxPrime4
	}
	for _, b := range p {
		h = rotate(h+uint32(b)*xxPrime5, 11) * xxPrime1
	}
	h = (h ^ h>>15) * xxPrime2
	h = (h ^ h>>13) * xxPrime3
	return h ^ h>>16
}

// rotate turns x left by n bits, 0 < n < 32. The compiler knows it as one instruction.
func rotate(x uint32, n int) uint32 { return x<<n | x>>(32-n) }

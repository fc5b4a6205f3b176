package lz4

import "math/bits"

// An xxh32 is the state of the hash XXH32 with seed 0.
// Source: xxHash specification 0.1.1.
type xxh32 struct {
	lanes [4]uint32
	tail  [16]byte // input that does not fill a stripe of 16 bytes yet
	n     int      // bytes in tail
	total uint32
}

const (
	prime1 = 2654435761
	prime2 = 2246822519
	prime3 = 3266489917
	prime4 = 668265263
	prime5 = 374761393
)

func newXXH32() xxh32 {
	return xxh32{lanes: [4]uint32{(prime1 + prime2) & 0xffffffff, prime2, 0, -prime1 & 0xffffffff}}
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

// stripes adds p, whose length is a multiple of 16.
func (x *xxh32) stripes(p []byte) {
	for ; len(p) >= 16; p = p[16:] {
		for i := range x.lanes {
			x.lanes[i] = bits.RotateLeft32(x.lanes[i]+le.Uint32(p[4*i:])*prime2, 13) * prime1
		}
	}
}

func (x *xxh32) sum() uint32 {
	h := uint32(prime5)
	if x.total >= 16 {
		h = bits.RotateLeft32(x.lanes[0], 1) + bits.RotateLeft32(x.lanes[1], 7) +
			bits.RotateLeft32(x.lanes[2], 12) + bits.RotateLeft32(x.lanes[3], 18)
	}
	h += x.total
	p := x.tail[:x.n]
	for ; len(p) >= 4; p = p[4:] {
		h = bits.RotateLeft32(h+le.Uint32(p)*prime3, 17) * prime4
	}
	for _, b := range p {
		h = bits.RotateLeft32(h+uint32(b)*prime5, 11) * prime1
	}
	h = (h ^ h>>15) * prime2
	h = (h ^ h>>13) * prime3
	return h ^ h>>16
}

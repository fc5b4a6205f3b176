package record

import "errors"

// An LZ4 block is a row of sequences: a byte whose high half counts literals and whose
// low half counts the bytes of a match less four (15 in either: more bytes follow, up to
// one below 255), the literals, and the distance back to the match as a u16. The last
// sequence has literals only; the last five bytes are literals and no match begins in
// the last twelve.
// Source: LZ4 block format description.
const (
	lz4MinMatch  = 4
	lz4LastBytes = 5
	lz4LastMatch = 12
	lz4Window    = 1 << 16 // a distance is less than this
	lz4HashBits  = 14
)

var errLZ4Block = errors.New("damaged LZ4 block")

// appendLZ4 appends src as an LZ4 block. It looks for each match where the same four
// bytes came last, and never looks back: about 100 MB/s. The result is at most
// len(src) + len(src)/255 + 16 bytes long. src is at most 1 GiB.
func appendLZ4(dst, src []byte) []byte {
	var last [1 << lz4HashBits]int32 // where bytes with this hash were seen last, plus one
	anchor, i := 0, 0                // literals begin at anchor
	for i+lz4LastMatch < len(src) {
		key := le.Uint32(src[i:])
		h := key * 2654435761 >> (32 - lz4HashBits)
		at := int(last[h]) - 1
		last[h] = int32(i + 1)
		if at < 0 || i-at >= lz4Window || le.Uint32(src[at:]) != key {
			i++
			continue
		}
		n := lz4MinMatch
		for i+n < len(src)-lz4LastBytes && src[i+n] == src[at+n] {
			n++
		}
		dst = appendSequence(dst, src[anchor:i], i-at, n)
		i += n
		anchor = i
	}
	return appendSequence(dst, src[anchor:], 0, 0)
}

// appendSequence appends literals and a match of n bytes, none if n is 0.
func appendSequence(dst, literals []byte, distance, n int) []byte {
	match := max(n-lz4MinMatch, 0)
	dst = append(dst, byte(min(len(literals), 15)<<4|min(match, 15)))
	dst = append(appendCount(dst, len(literals)), literals...)
	if n > 0 {
		dst = appendCount(le.AppendUint16(dst, uint16(distance)), match)
	}
	return dst
}

// appendCount appends what of n does not fit the half byte of a sequence.
func appendCount(dst []byte, n int) []byte {
	if n -= 15; n < 0 {
		return dst
	}
	for ; n >= 255; n -= 255 {
		dst = append(dst, 255)
	}
	return append(dst, byte(n))
}

// decodeLZ4 appends to dst the bytes that the block src stands for, at most limit of
// them. Matches may reach into what dst holds already. Any damage is errLZ4Block; there
// is no panic and no more memory than limit asks for.
func decodeLZ4(dst, src []byte, limit int) ([]byte, error) {
	limit += len(dst)
	i := 0
	count := func(n int) (int, bool) {
		if n < 15 {
			return n, true
		}
		for i < len(src) {
			b := src[i]
			i++
			if n += int(b); b < 255 || n > limit {
				return n, n <= limit
			}
		}
		return 0, false
	}
	for i < len(src) {
		token := int(src[i])
		i++
		n, ok := count(token >> 4)
		if !ok || n > len(src)-i || n > limit-len(dst) {
			return nil, errLZ4Block
		}
		dst = append(dst, src[i:i+n]...)
		i += n
		if i == len(src) {
			if token&15 != 0 {
				break // a match was promised
			}
			return dst, nil
		}
		if len(src)-i < 2 {
			break
		}
		distance := int(le.Uint16(src[i:]))
		i += 2
		n, ok = count(token & 15)
		n += lz4MinMatch
		if !ok || distance == 0 || distance > len(dst) || n > limit-len(dst) {
			break
		}
		for at := len(dst) - distance; n > 0; { // a match may overlap itself
			k := min(n, len(dst)-at)
			dst = append(dst, dst[at:at+k]...)
			n -= k
		}
	}
	return nil, errLZ4Block
}

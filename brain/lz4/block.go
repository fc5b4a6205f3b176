package lz4

import "errors"

// An LZ4 block is a list of sequences. A sequence is a byte with the number of literals in
// its high half and the length of the match less four in its low half (15 in either:
// bytes to add follow, up to and including the first below 255), the literals, and the
// distance back to the match as a u16. The last sequence has literals only; the last five
// bytes are literals, and no match begins in the last twelve.
// Source: LZ4 block format description.
const (
	minMatch  = 4
	lastBytes = 5
	lastMatch = 12
	window    = 1 << 16 // distances are less
	hashBits  = 14
)

var errBlock = errors.New("damaged LZ4 block")

// appendBlock appends src, at most 1 GiB, as an LZ4 block. It tries the last occurrence of
// the same four bytes and takes the first match found: about 100 MB/s. The result is at
// most len(src) + len(src)/255 + 16 bytes long.
func appendBlock(dst, src []byte) []byte {
	var last [1 << hashBits]int32 // where four bytes with this hash occurred last, plus one
	anchor, i := 0, 0             // the literals begin at anchor
	for i+lastMatch < len(src) {
		key := le.Uint32(src[i:])
		h := key * 2654435761 >> (32 - hashBits)
		at := int(last[h]) - 1
		last[h] = int32(i + 1)
		if at < 0 || i-at >= window || le.Uint32(src[at:]) != key {
			i++
			continue
		}
		n := minMatch
		for i+n < len(src)-lastBytes && src[i+n] == src[at+n] {
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
	match := max(n-minMatch, 0)
	dst = append(dst, byte(min(len(literals), 15)<<4|min(match, 15)))
	dst = append(appendCount(dst, len(literals)), literals...)
	if n > 0 {
		dst = appendCount(le.AppendUint16(dst, uint16(distance)), match)
	}
	return dst
}

// appendCount appends the part of n that does not fit into four bits.
func appendCount(dst []byte, n int) []byte {
	if n -= 15; n < 0 {
		return dst
	}
	for ; n >= 255; n -= 255 {
		dst = append(dst, 255)
	}
	return append(dst, byte(n))
}

// decodeBlock decompresses the block src and appends the result, at most limit bytes, to
// dst. Matches may reach back into dst. Any damage gives errBlock.
func decodeBlock(dst, src []byte, limit int) ([]byte, error) {
	dst, whole := decode(dst, src, limit)
	if !whole {
		return nil, errBlock
	}
	return dst, nil
}

// startOfBlock returns the first bytes, at most limit, of the content of a block that begins with src.
func startOfBlock(src []byte, limit int) []byte {
	dst, _ := decode(nil, src, limit)
	return dst
}

// decode is decodeBlock, which reports whether src is a whole block without damage. If not, it returns what
// comes before the first sequence that is damaged or goes on beyond limit.
func decode(dst, src []byte, limit int) (content []byte, whole bool) {
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
			break
		}
		dst = append(dst, src[i:i+n]...)
		i += n
		if i == len(src) {
			if token&15 != 0 {
				break // the token announces a match
			}
			return dst, true
		}
		if len(src)-i < 2 {
			break
		}
		distance := int(le.Uint16(src[i:]))
		i += 2
		n, ok = count(token & 15)
		n += minMatch
		if !ok || distance == 0 || distance > len(dst) || n > limit-len(dst) {
			break
		}
		for at := len(dst) - distance; n > 0; { // a match may overlap itself
			k := min(n, len(dst)-at)
			dst = append(dst, dst[at:at+k]...)
			n -= k
		}
	}
	return dst, false
}

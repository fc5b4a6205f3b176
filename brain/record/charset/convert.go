package charset

import (
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// next returns the character at the beginning of raw, which is not empty, and its length in bytes.
// It is -1 and 1 if there is none.
func (e Encoding) next(raw []byte) (rune, int) {
	c := raw[0]
	if c < utf8.RuneSelf {
		return rune(c), 1
	}
	var trail byte
	if len(raw) > 1 {
		trail = raw[1]
	}
	switch e {
	case UTF8:
		if r, n := utf8.DecodeRune(raw); r != utf8.RuneError || n > 1 {
			return r, n
		}
		return -1, 1
	case ShiftJIS:
		return nextShiftJIS(c, trail)
	case EUCJP:
		switch {
		case c == 0x8e && trail >= 0xa1 && trail <= 0xdf:
			return rune(trail) - 0xa1 + 0xff61, 2
		case c >= 0xa1 && trail >= 0xa1 && trail <= 0xfe:
			return pair(jis0208, int(c-0xa1)*94+int(trail-0xa1))
		}
	case GB18030:
		return nextGB18030(raw)
	case Big5:
		if at, ok := big5Pointer(c, trail); ok {
			return pair(big5, at)
		}
	case EUCKR:
		if c >= 0x81 && c <= 0xfe && trail >= 0x41 && trail <= 0xfe {
			return pair(eucKR, int(c-0x81)*190+int(trail-0x41))
		}
	default:
		if t := e.single(); t != nil {
			return t.point(int(c) - 0x80), 1
		}
	}
	return -1, 1
}

// pair returns the character of a pointer that two bytes give.
func pair(t *table, pointer int) (rune, int) {
	if r := t.point(pointer); r >= 0 {
		return r, 2
	}
	return -1, 1
}

// Pointers of four bytes in GB18030: the last one of the basic plane, the first one beyond it, and one
// that is in no range.
const (
	gbLast     = 39419
	gbAstral   = 189000
	gbOdd      = 7457
	gbOddPoint = 0xe7c7
)

// Private characters of Shift_JIS, by pointers.
const (
	userFirst = 8836
	userLast  = 10715
	userStart = 0xe000
)

func nextShiftJIS(c, trail byte) (rune, int) {
	switch {
	case c >= 0xa1 && c <= 0xdf:
		return rune(c) - 0xa1 + 0xff61, 1
	case c < 0x81 || c == 0xa0 || c > 0xfc || trail < 0x40 || trail == 0x7f || trail > 0xfc:
		return -1, 1
	}
	lead, offset := 0x81, 0x40
	if c >= 0xe0 {
		lead = 0xc1
	}
	if trail > 0x7f {
		offset = 0x41
	}
	pointer := (int(c)-lead)*188 + int(trail) - offset
	if pointer >= userFirst && pointer <= userLast {
		return rune(pointer - userFirst + userStart), 2
	}
	return pair(jis0208, pointer)
}

func nextGB18030(raw []byte) (rune, int) {
	c := raw[0]
	switch {
	case c == 0x80:
		return '€', 1
	case c == 0xff || len(raw) < 2:
		return -1, 1
	}
	trail := raw[1]
	if trail >= '0' && trail <= '9' {
		if len(raw) < 4 || raw[2] < 0x81 || raw[2] == 0xff || raw[3] < '0' || raw[3] > '9' {
			return -1, 1
		}
		r := gbRange(((int(c-0x81)*10+int(trail-'0'))*126+int(raw[2]-0x81))*10 + int(raw[3]-'0'))
		if r < 0 {
			return -1, 1
		}
		return r, 4
	}
	if trail < 0x40 || trail == 0x7f || trail == 0xff {
		return -1, 1
	}
	offset := 0x40
	if trail > 0x7f {
		offset = 0x41
	}
	return pair(gb18030, int(c-0x81)*190+int(trail)-offset)
}

// gbRange returns the character of four bytes by their pointer, -1 if there is none.
func gbRange(pointer int) rune {
	if pointer > gbLast && pointer < gbAstral || pointer > gbAstral+0xfffff {
		return -1
	}
	if pointer == gbOdd {
		return gbOddPoint
	}
	at := sort.Search(gbStarts.len(), func(i int) bool { return int(gbStarts.point(i))-1 > pointer }) - 1
	return gbPoints.point(at) + rune(pointer) - (gbStarts.point(at) - 1)
}

// gbRangePointer is the inverse of gbRange.
func gbRangePointer(r rune) (int, bool) {
	if r == gbOddPoint {
		return gbOdd, true
	}
	at := sort.Search(gbPoints.len(), func(i int) bool { return gbPoints.point(i) > r }) - 1
	if at < 0 || r > utf8.MaxRune || utf16.IsSurrogate(r) {
		return 0, false
	}
	pointer := int(gbStarts.point(at)-1) + int(r-gbPoints.point(at))
	return pointer, gbRange(pointer) == r
}

func big5Pointer(c, trail byte) (int, bool) {
	switch {
	case c < 0x81 || c > 0xfe:
	case trail >= 0x40 && trail <= 0x7e:
		return int(c-0x81)*157 + int(trail) - 0x40, true
	case trail >= 0xa1 && trail <= 0xfe:
		return int(c-0x81)*157 + int(trail) - 0x62, true
	}
	return 0, false
}

// append adds the bytes of a character that is not ASCII, nothing if there are none.
func (e Encoding) append(raw []byte, r rune) []byte {
	switch e {
	case ShiftJIS:
		if r >= 0xff61 && r <= 0xff9f {
			return append(raw, byte(r-0xff61+0xa1))
		}
		p, ok := jis0208.pointer(r)
		if r >= userStart && r <= userStart+userLast-userFirst {
			p, ok = int(r)-userStart+userFirst, true
		}
		if !ok {
			return raw
		}
		lead, trail := p/188, p%188
		first, offset := 0x81, 0x40
		if lead >= 0x1f {
			first = 0xc1
		}
		if trail >= 0x3f {
			offset = 0x41
		}
		return append(raw, byte(lead+first), byte(trail+offset))
	case EUCJP:
		if r >= 0xff61 && r <= 0xff9f {
			return append(raw, 0x8e, byte(r-0xff61+0xa1))
		}
		if p, ok := jis0208.pointer(r); ok && p < 94*94 {
			return append(raw, byte(p/94+0xa1), byte(p%94+0xa1))
		}
	case GB18030:
		if p, ok := gb18030.pointer(r); ok {
			trail := p % 190
			offset := 0x40
			if trail >= 0x3f {
				offset = 0x41
			}
			return append(raw, byte(p/190+0x81), byte(trail+offset))
		}
		if p, ok := gbRangePointer(r); ok {
			return append(raw, byte(p/12600+0x81), byte(p/1260%10+'0'), byte(p/10%126+0x81), byte(p%10+'0'))
		}
	case Big5:
		if p, ok := big5.pointer(r); ok {
			trail := p % 157
			offset := 0x40
			if trail >= 0x3f {
				offset = 0x62
			}
			return append(raw, byte(p/157+0x81), byte(trail+offset))
		}
	case EUCKR:
		if p, ok := eucKR.pointer(r); ok {
			return append(raw, byte(p/190+0x81), byte(p%190+0x41))
		}
	default:
		if t := e.single(); t != nil {
			if p, ok := t.pointer(r); ok {
				return append(raw, byte(p+0x80))
			}
		}
	}
	return raw
}

// decodeUTF16 decodes pairs of bytes without a mark. An odd byte at the end and halves of
// surrogates become what they are in Windows-1252.
func decodeUTF16(raw []byte, big bool) (string, bool) {
	var b strings.Builder
	b.Grow(len(raw))
	ok := true
	unit := func(i int) rune {
		if big {
			return rune(raw[i])<<8 | rune(raw[i+1])
		}
		return rune(raw[i+1])<<8 | rune(raw[i])
	}
	i := 0
	for ; i+1 < len(raw); i += 2 {
		r := unit(i)
		if utf16.IsSurrogate(r) {
			two := rune(utf8.RuneError)
			if i+3 < len(raw) {
				two = utf16.DecodeRune(r, unit(i+2))
			}
			if two == utf8.RuneError {
				ok = false
				b.WriteRune(latin(raw[i]))
				b.WriteRune(latin(raw[i+1]))
				continue
			}
			r = two
			i += 2
		}
		b.WriteRune(r)
	}
	if i < len(raw) && raw[i] != 0 {
		ok = false
		b.WriteRune(latin(raw[i]))
	}
	return b.String(), ok
}

// decodeISO2022JP decodes what switches between ASCII, katakana of one byte and kanji of two by
// escapes.
func decodeISO2022JP(raw []byte) (string, bool) {
	var b strings.Builder
	ok := true
	mode := byte('B')
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c == 0x1b && i+2 < len(raw) && raw[i+1] == '(' && strings.IndexByte("BJI", raw[i+2]) >= 0:
			mode = raw[i+2]
			i += 3
		case c == 0x1b && i+2 < len(raw) && raw[i+1] == '$' && (raw[i+2] == '@' || raw[i+2] == 'B'):
			mode = '$'
			i += 3
		case c == '\n' || c == '\r':
			b.WriteByte(c)
			i++
		case mode == '$' && i+1 < len(raw) && c > 0x20 && c < 0x7f && raw[i+1] > 0x20 && raw[i+1] < 0x7f:
			r := jis0208.point(int(c-0x21)*94 + int(raw[i+1]-0x21))
			if r < 0 {
				r, ok = '〓', false
			}
			b.WriteRune(r)
			i += 2
		case mode == 'I' && c > 0x20 && c < 0x60:
			b.WriteRune(rune(c) - 0x21 + 0xff61)
			i++
		default:
			ok = ok && c < utf8.RuneSelf
			b.WriteRune(latin(c))
			i++
		}
	}
	return b.String(), ok
}

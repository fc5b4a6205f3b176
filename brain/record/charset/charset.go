// Package charset decodes and encodes text in the encodings that files of games have, and guesses
// which of them bytes are in. Its tables are those of the WHATWG Encoding Standard.
package charset

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// An Encoding says how bytes stand for text. The zero value is UTF-8.
type Encoding uint8

const (
	UTF8 Encoding = iota
	UTF16LE
	UTF16BE
	ShiftJIS // Windows-31J
	EUCJP    // without JIS X 0212
	ISO2022JP
	GB18030 // GBK and GB2312 too
	Big5    // with the characters of Hong Kong
	EUCKR   // Windows-949
	Windows1250
	Windows1251
	Windows1252 // ISO 8859-1 too
	Windows1253
	Windows1254
	Windows1257
	Windows1258
	ISO8859_2
	ISO8859_5
	ISO8859_7
	ISO8859_15
	KOI8R
	KOI8U
	IBM866

	encodings
)

// names are those of String and, after them, others that files have, as fold leaves them.
var names = [encodings][]string{
	UTF8:        {"UTF-8", "utf8", "unicode", "unicode11utf8"},
	UTF16LE:     {"UTF-16LE", "utf16", "ucs2", "utf16le"},
	UTF16BE:     {"UTF-16BE", "utf16be"},
	ShiftJIS:    {"Shift_JIS", "shiftjis", "sjis", "xsjis", "mskanji", "windows31j", "cp932", "ms932", "932"},
	EUCJP:       {"EUC-JP", "eucjp", "xeucjp", "ujis"},
	ISO2022JP:   {"ISO-2022-JP", "iso2022jp", "jis"},
	GB18030:     {"GB18030", "gb18030", "gbk", "xgbk", "gb2312", "gb231280", "csgb2312", "chinese", "euccn", "cp936", "ms936", "windows936", "936", "gb"},
	Big5:        {"Big5", "big5", "big5hkscs", "xxbig5", "cnbig5", "csbig5", "cp950", "ms950", "windows950", "950"},
	EUCKR:       {"EUC-KR", "euckr", "korean", "ksc56011987", "ksc5601", "ksc56011989", "isoir149", "cp949", "ms949", "windows949", "uhc", "949"},
	Windows1250: {"Windows-1250", "windows1250", "cp1250", "xcp1250", "1250"},
	Windows1251: {"Windows-1251", "windows1251", "cp1251", "xcp1251", "1251"},
	Windows1252: {"Windows-1252", "windows1252", "cp1252", "xcp1252", "1252", "iso88591", "latin1", "l1", "ansi", "ascii", "usascii"},
	Windows1253: {"Windows-1253", "windows1253", "cp1253", "1253"},
	Windows1254: {"Windows-1254", "windows1254", "cp1254", "1254", "iso88599", "latin5"},
	Windows1257: {"Windows-1257", "windows1257", "cp1257", "1257"},
	Windows1258: {"Windows-1258", "windows1258", "cp1258", "1258"},
	ISO8859_2:   {"ISO-8859-2", "iso88592", "latin2", "l2"},
	ISO8859_5:   {"ISO-8859-5", "iso88595", "cyrillic"},
	ISO8859_7:   {"ISO-8859-7", "iso88597", "greek"},
	ISO8859_15:  {"ISO-8859-15", "iso885915", "latin9"},
	KOI8R:       {"KOI8-R", "koi8r", "koi8", "koi"},
	KOI8U:       {"KOI8-U", "koi8u"},
	IBM866:      {"IBM866", "ibm866", "cp866", "866"},
}

// singleOf are the encodings of one byte, in the order of singles.
var singleOf = [...]Encoding{
	Windows1250, Windows1251, Windows1252, Windows1253, Windows1254, Windows1257, Windows1258,
	ISO8859_2, ISO8859_5, ISO8859_7, ISO8859_15, KOI8R, KOI8U, IBM866,
}

// String returns the usual name.
func (e Encoding) String() string {
	if e < encodings {
		return names[e][0]
	}
	return "unknown"
}

// Lookup returns the encoding of a name, such as those of IANA and of Windows, in upper or lower
// case, with or without hyphens.
func Lookup(name string) (Encoding, bool) {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r | 0x20
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, name)
	for e, list := range names {
		if slices.Contains(list[1:], name) {
			return Encoding(e), true
		}
	}
	return UTF8, false
}

// Valid reports whether all bytes stand for characters.
func (e Encoding) Valid(raw []byte) bool {
	switch e {
	case UTF8:
		return utf8.Valid(raw)
	case ISO2022JP:
		_, ok := decodeISO2022JP(raw)
		return ok
	case UTF16LE, UTF16BE:
		_, ok := decodeUTF16(raw, e == UTF16BE)
		return ok
	}
	for i := 0; i < len(raw); {
		r, n := e.next(raw[i:])
		if r < 0 {
			return false
		}
		i += n
	}
	return true
}

// Decode returns the text of raw. A byte that stands for no character becomes what it is in
// Windows-1252, so that the text is valid and no byte is lost without a trace; ok is false then.
func (e Encoding) Decode(raw []byte) (text string, ok bool) {
	switch e {
	case ISO2022JP:
		return decodeISO2022JP(raw)
	case UTF16LE, UTF16BE:
		return decodeUTF16(raw, e == UTF16BE)
	case UTF8:
		if utf8.Valid(raw) {
			return string(raw), true
		}
	}
	var b strings.Builder
	b.Grow(len(raw) + len(raw)/2)
	ok = true
	for i := 0; i < len(raw); {
		r, n := e.next(raw[i:])
		if r < 0 {
			r, n, ok = latin(raw[i]), 1, false
		}
		b.WriteRune(r)
		i += n
	}
	return b.String(), ok
}

// latin returns what a byte is in Windows-1252.
func latin(c byte) rune {
	if c < utf8.RuneSelf {
		return rune(c)
	}
	if r := singles[2].point(int(c) - 0x80); r >= 0 {
		return r
	}
	return rune(c)
}

// Encode returns the bytes of a text; ok is false if it has a character that the encoding lacks.
func (e Encoding) Encode(text string) (raw []byte, ok bool) {
	switch e {
	case UTF8:
		return []byte(text), true
	case UTF16LE, UTF16BE:
		for _, u := range utf16.Encode([]rune(text)) {
			if e == UTF16LE {
				raw = append(raw, byte(u), byte(u>>8))
			} else {
				raw = append(raw, byte(u>>8), byte(u))
			}
		}
		return raw, true
	case ISO2022JP:
		return nil, false
	}
	for _, r := range text {
		if r < utf8.RuneSelf {
			raw = append(raw, byte(r))
			continue
		}
		n := len(raw)
		if raw = e.append(raw, r); len(raw) == n {
			return nil, false
		}
	}
	return raw, true
}

// single returns the table of an encoding of one byte, nil for others.
func (e Encoding) single() *table {
	if i := slices.Index(singleOf[:], e); i >= 0 {
		return singles[i]
	}
	return nil
}

package record

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"tengen/brain/record/charset"
)

// A text is what a file says, decoded.
type text struct {
	s        string
	encoding charset.Encoding
	remark   string // what is to be said of the encoding, or nothing
}

// statedEncoding finds the encoding that an SGF file states.
var statedEncoding = regexp.MustCompile(`(?i)\bCA\s*\[\s*([a-z0-9_.:-]+)\s*\]`)

// decode returns the text of a file: in the encoding of that name, if there is one, else in that of
// its byte order mark, else in UTF-8 if it is that and not ASCII, else in the one that CA states, if
// it is that, else in the one that its bytes are likeliest in. A byte order mark is left out.
func decode(raw []byte, name string) (text, error) {
	marked, hasMark := charset.Mark(raw)
	plain := raw
	if hasMark {
		plain = raw[len(markOf(marked)):]
	}
	if name != "" {
		e, ok := charset.Lookup(name)
		if !ok {
			return text{}, fmt.Errorf("unknown encoding %.40q, want a name such as UTF-8, GBK, Shift_JIS, Big5, EUC-KR or Windows-1251", name)
		}
		if hasMark && marked == e || strings.HasPrefix(strings.ToUpper(name), "UTF-16") && hasMark && marked != charset.UTF8 {
			raw, e = plain, marked
		}
		s, ok := e.Decode(raw)
		if !ok {
			return text{}, fmt.Errorf("the file is not in %v", e)
		}
		return text{s: s, encoding: e}, nil
	}
	if hasMark && (marked != charset.UTF8 || utf8.Valid(plain)) {
		s, _ := marked.Decode(plain)
		return text{s: s, encoding: marked}, nil
	}
	e, sure := charset.Guess(plain)
	t := text{encoding: e}
	if m := statedEncoding.FindSubmatch(plain); m != nil && !sure {
		stated, known := charset.Lookup(string(m[1]))
		switch {
		case !known:
			t.remark = fmt.Sprintf("the encoding CA[%s] is not known: texts are taken for %v", m[1], e)
		case stated.Valid(plain):
			t.encoding, sure = stated, true
		default:
			t.remark = fmt.Sprintf("texts are not in %v, as CA says: they are taken for %v", stated, e)
		}
	} else if !sure {
		t.remark = fmt.Sprintf("texts are taken for %v", e)
	}
	t.s, _ = t.encoding.Decode(plain)
	return t, nil
}

// markOf returns the byte order mark of an encoding.
func markOf(e charset.Encoding) []byte {
	mark := []byte("\ufeff")
	if e != charset.UTF8 {
		mark, _ = e.Encode("\ufeff")
	}
	return mark
}

// parts divides an SGF file in which games state several encodings into parts of one, else it
// returns the whole file. A part begins where a game does: behind the end of all games before it, not
// at a variation or a text that looks like a game. No character of several bytes has one of those that
// begin a game.
func parts(raw []byte) [][]byte {
	all := statedEncoding.FindAllSubmatchIndex(raw, -1)
	stated := map[string]bool{}
	for _, m := range all {
		stated[string(bytes.ToLower(raw[m[2]:m[3]]))] = true
	}
	if len(stated) < 2 || utf8.Valid(raw) {
		return [][]byte{raw}
	}
	var list [][]byte
	begin := 0
	looked := 0 // bytes
	for _, m := range all[1:] {
		at := bytes.LastIndex(raw[:m[0]], []byte("(;"))
		if at <= begin || !bytes.HasSuffix(bytes.TrimRight(raw[:at], " \t\r\n\x00\x1a"), []byte(")")) {
			continue
		}
		if looked += at - begin; looked > partsLook*len(raw) {
			break
		}
		if before, err := decode(raw[begin:at], ""); err == nil && closedSGF(before.s) {
			list = append(list, raw[begin:at])
			begin = at
		}
	}
	return append(list, raw[begin:])
}

// partsLook is how many times the size of a file parts looks for ends of games.
const partsLook = 4

// lineEnds puts "\n" for the ends of lines of all kinds.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// withoutControls returns a text with blanks for control characters, except those of lines and tabs:
// some begin another encoding, some have a meaning in a library, and none can be shown.
func withoutControls(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' {
			return ' '
		}
		return r
	}, s)
}

// foldText makes of the characters that people's text has for ASCII those: full-width ones, blanks of
// other widths and ends of lines of all kinds.
var foldText = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n",
	"\ufeff", "", "\u200b", "", "\u200c", "", "\u200d", "", "\u2060", "", "\x00", "",
	"、", ".", "，", ",", "。", ".", "．", ".", "；", ";", "：", ":", "—", "-", "–", "-", "−", "-", "―", "-", "→", " ", "➔", " ", "・", ".", "·", ".")

// folded returns a text with its characters as in ASCII where they mean the same.
func folded(s string) string {
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < utf8.RuneSelf && s[i] != '\r' && s[i] != 0
	}
	if ascii {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == 0xfe0f: // says that the sign before it is a picture
			return -1
		case r >= 0xff01 && r <= 0xff5e:
			return r - 0xff01 + '!'
		case r == 0xa0, r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x205f, r == 0x3000, r == '\v', r == '\f':
			return ' '
		}
		return r
	}, foldText.Replace(s))
}

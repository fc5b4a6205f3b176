package charset

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sample is how many bytes Guess looks at, in lines with bytes above 127.
const sample = 64 << 10

// guesses are the encodings that Guess knows, the likelier ones first.
var guesses = []Encoding{UTF8, GB18030, ShiftJIS, Big5, EUCKR, Windows1252, Windows1251, Windows1250, EUCJP, KOI8R}

// Guess returns the encoding that bytes are most likely in. It is sure if they are ASCII, begin with a
// byte order mark or are valid UTF-8.
func Guess(raw []byte) (e Encoding, sure bool) {
	if e, marked := Mark(raw); marked {
		return e, true
	}
	if e, wide := wide(raw); wide {
		return e, true
	}
	if utf8.Valid(raw) {
		if (bytes.Contains(raw, []byte("\x1b$B")) || bytes.Contains(raw, []byte("\x1b$@"))) && ISO2022JP.Valid(raw) {
			return ISO2022JP, true
		}
		return UTF8, true
	}
	raw = foreign(raw)
	least := 0
	for i, g := range guesses {
		if c := g.cost(raw); i == 0 || c < least {
			e, least = g, c
		}
	}
	return e, false
}

// Mark returns the encoding of the byte order mark that bytes begin with.
func Mark(raw []byte) (e Encoding, ok bool) {
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		return UTF8, true
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		return UTF16LE, true
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return UTF16BE, true
	}
	return UTF8, false
}

// wide recognizes UTF-16 without a mark by the zeros that half of the bytes of ASCII are.
func wide(raw []byte) (e Encoding, ok bool) {
	head := raw[:min(len(raw), sample)]
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i&1]++
		}
	}
	units := len(head) / 2
	switch {
	case units == 0 || zeros[0]+zeros[1] == 0:
	case zeros[1] > 4*zeros[0] && 3*zeros[1] >= units:
		return UTF16LE, true
	case zeros[0] > 4*zeros[1] && 3*zeros[0] >= units:
		return UTF16BE, true
	}
	return UTF8, false
}

// foreign returns the lines that are not ASCII alone, up to the size of a sample.
func foreign(raw []byte) []byte {
	var some []byte
	for line := range bytes.Lines(raw) {
		at := bytes.IndexFunc(line, func(r rune) bool { return r >= utf8.RuneSelf })
		if at < 0 {
			continue
		}
		some = append(some, line[:min(len(line), sample)]...)
		if len(some) >= sample {
			break
		}
	}
	return some
}

// Costs of characters: about ten times the bits by which one is rarer than others. Set by hand with the
// samples of the tests.
const (
	costASCII    = 30
	costOdd      = 60 // of ASCII that texts hardly have
	costFrequent = 60
	costKana     = 50
	costMark     = 70 // of punctuation
	costUsual    = 100
	costSymbol   = 130
	costRare     = 150
	costRarest   = 190
	costLetter   = 45
	costMixed    = 15 // of a change between ASCII and other letters
	costControl  = 300
	costInvalid  = 400
)

// cost returns how unlikely it is that raw is text in the encoding.
func (e Encoding) cost(raw []byte) int {
	if t := e.single(); t != nil {
		return e.costSingle(raw)
	}
	total := 0
	before := rune(' ')
	for i := 0; i < len(raw); {
		r, n := e.next(raw[i:])
		if n > 1 && isASCIILetter(before) || n == 1 && before >= utf8.RuneSelf && isASCIILetter(r) {
			total += costMixed
		}
		before = r
		switch {
		case r < 0:
			total += costInvalid
		case r < utf8.RuneSelf:
			total += costOfASCII(byte(r))
		case e == UTF8:
			total += costFrequent
		default:
			total += e.costOf(r, raw[i:i+n])
		}
		i += n
	}
	return total
}

func isASCIILetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }

func costOfASCII(c byte) int {
	switch {
	case c < ' ' && strings.IndexByte("\t\r\n", c) < 0 || c == 0x7f:
		return costControl
	case strings.IndexByte("`^{|}~\\@", c) >= 0:
		return costOdd
	}
	return costASCII
}

// costOf returns the cost of a character of several bytes, or of half-width katakana.
func (e Encoding) costOf(r rune, raw []byte) int {
	if unicode.Is(unicode.Co, r) || len(raw) == 4 {
		return costControl
	}
	kana := r >= 0x3041 && r <= 0x30fe
	lead, trail := raw[0], raw[len(raw)-1]
	common, rare := "", false
	switch e {
	case ShiftJIS, EUCJP:
		common = japanese
		if kana {
			return costKana
		}
		if len(raw) == 1 || lead == 0x8e {
			return costSymbol
		}
		if e == EUCJP {
			rare = lead >= 0xd0
		} else {
			rare = lead >= 0x98
		}
	case GB18030:
		common = simplified
		switch {
		case len(raw) == 1, lead < 0xa1 || trail < 0xa1:
			return costRarest
		case lead >= 0xd8:
			rare = true
		}
	case Big5:
		common = traditional
		switch {
		case lead >= 0xc9 && lead <= 0xf9:
			rare = true
		case lead < 0xa1 || lead > 0xf9 || lead > 0xc6:
			return costRarest
		}
	case EUCKR:
		common = korean
		switch {
		case lead < 0xa1 || trail < 0xa1:
			return costRarest
		case lead >= 0xca:
			rare = true
		}
	}
	switch {
	case sets[common][r]:
		return costFrequent
	case kana, unicode.Is(unicode.Cyrillic, r), unicode.Is(unicode.Greek, r):
		return costRare
	case !unicode.IsLetter(r):
		if strings.ContainsRune("，。、！？：；（）「」『』《》“”·…—　", r) || r >= 0xff01 && r <= 0xff5e {
			return costMark
		}
		return costSymbol
	case rare:
		return costRare
	}
	return costUsual
}

// costSingle is cost for an encoding of one byte: what a letter costs depends on its neighbors.
func (e Encoding) costSingle(raw []byte) int {
	total := 0
	t := e.single()
	before, run := rune(' '), 0 // run counts letters of other scripts than ASCII that follow each other
	for i, c := range raw {
		r := rune(c)
		if c >= utf8.RuneSelf {
			r = t.point(int(c) - 0x80)
		}
		after := rune(' ')
		if i+1 < len(raw) {
			if after = rune(raw[i+1]); after >= utf8.RuneSelf {
				after = t.point(int(after) - 0x80)
			}
		}
		switch {
		case r < 0, r >= 0x80 && r < 0xa0:
			total += costControl
			run = 0
		case r < utf8.RuneSelf:
			total += costOfASCII(c)
			run = 0
		case !unicode.IsLetter(r):
			run = 0
			if strings.ContainsRune("«»“”„‘’–—…°№\u00a0", r) {
				total += costMark + 20
			} else {
				total += costSymbol
			}
		case unicode.Is(unicode.Cyrillic, r):
			total += costLetter
			if unicode.IsUpper(r) && unicode.IsLower(before) {
				total += costRare
			}
			if unicode.IsUpper(r) {
				total += 15
			}
			if before < utf8.RuneSelf && unicode.IsLetter(before) || after >= 0 && after < utf8.RuneSelf && unicode.IsLetter(after) {
				total += costUsual
			}
			if r < 'А' || r > 'я' {
				total += 40
			}
		default:
			total += costOfLetter(e, r, before, after)
			if run++; run > 1 {
				total += 30 * min(run, 4)
			}
		}
		before = r
	}
	return total
}

// costOfLetter returns the cost of a Latin letter that is not ASCII.
func costOfLetter(e Encoding, r, before, after rune) int {
	cost := costRare
	for i, list := range letters[e] {
		if strings.ContainsRune(list, r) {
			cost = 40 + 12*i
			break
		}
	}
	if unicode.IsUpper(r) && unicode.IsLower(before) {
		cost += costUsual
	}
	if isVowel(r) == isVowel(before) && isVowel(r) == isVowel(after) && unicode.IsLetter(before) && unicode.IsLetter(after) {
		cost += 30 // vowels and consonants alternate
	}
	if r == 'õ' && !unicode.IsLetter(after) {
		cost += 30 // Estonian has it within words, Hungarian ő at their end
	}
	return cost
}

func isVowel(r rune) bool {
	return strings.ContainsRune("aeiouyáéíóúýäëïöüàèìòùâêîôûãõåæøěůąęőűăAEIOUYÁÉÍÓÚÝÄËÏÖÜÀÈÌÒÙÂÊÎÔÛÃÕÅÆØĚŮĄĘŐŰĂ", r)
}

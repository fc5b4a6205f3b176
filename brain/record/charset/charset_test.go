package charset

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// samples are names and comments as files of games have them, with the bytes of an encoding.
var samples = []struct {
	e    Encoding
	text string
	raw  string
}{
	{ShiftJIS, "黒番 表ソ 一覧表", "\x8d\x95\x94\xd4 \x95\x5c\x83\x5c \x88\xea\x97\x97\x95\x5c"},
	{ShiftJIS, "山口釉水", "\x8eR\x8c\xfb\xe7\xd6\x90\x85"},
	{ShiftJIS, "中村茂 対 長谷川一人", "\x92\x86\x91\xba\x96\xce \x91\xce \x92\xb7\x92J\x90\xec\x88\xea\x90l"},
	{ShiftJIS, "ここで四を打つ。", "\x82\xb1\x82\xb1\x82\xc5\x8el\x82\xf0\x91\xc5\x82\xc2\x81B"},
	{ShiftJIS, "連珠 名人戦", "\x98A\x8e\xec \x96\xbc\x90l\x90\xed"},
	{ShiftJIS, "５目に打ちました", "\x82T\x96\xda\x82\xc9\x91\xc5\x82\xbf\x82\xdc\x82\xb5\x82\xbd"},
	{GB18030, "黑方", "\xba\xda\xb7\xbd"},
	{GB18030, "你好", "\xc4\xe3\xba\xc3"},
	{GB18030, "这里应该冲四", "\xd5\xe2\xc0\xef\xd3\xa6\xb8\xc3\xb3\xe5\xcb\xc4"},
	{GB18030, "文心", "\xce\xc4\xd0\xc4"},
	{GB18030, "拉普菲", "\xc0\xad\xc6\xd5\xb7\xc6"},
	{GB18030, "中文注释", "\xd6\xd0\xce\xc4\xd7\xa2\xca\xcd"},
	{GB18030, "李华", "\xc0\xee\xbb\xaa"},
	{GB18030, "黑8手是好棋，白必败", "\xba\xda8\xca\xd6\xca\xc7\xba\xc3\xc6\xe5\xa3\xac\xb0\xd7\xb1\xd8\xb0\xdc"},
	{GB18030, "測試", "\x9cy\xd4\x87"},
	{GB18030, "有禁手", "\xd3\xd0\xbd\xfb\xca\xd6"},
	{Big5, "黑方勝", "\xb6\xc2\xa4\xe8\xb3\xd3"},
	{Big5, "這裡應該沖四", "\xb3o\xb8\xcc\xc0\xb3\xb8\xd3\xa8R\xa5|"},
	{Big5, "陳大文", "\xb3\xaf\xa4j\xa4\xe5"},
	{Big5, "五子棋連珠", "\xa4\xad\xa4l\xb4\xd1\xb3s\xaf]"},
	{Big5, "許功蓋", "\xb3\x5c\xa5\x5c\xbb\x5c"},
	{EUCKR, "흑이 이겼습니다", "\xc8\xe6\xc0\xcc \xc0\xcc\xb0\xe5\xbd\xc0\xb4\xcf\xb4\xd9"},
	{EUCKR, "김철수", "\xb1\xe8\xc3\xb6\xbc\xf6"},
	{EUCKR, "오목 대국", "\xbf\xc0\xb8\xf1 \xb4\xeb\xb1\xb9"},
	{EUCKR, "백번", "\xb9\xe9\xb9\xf8"},
	{EUCKR, "렌주룰", "\xb7\xbb\xc1\xd6\xb7\xea"},
	{EUCKR, "안녕하세요", "\xbe\xc8\xb3\xe7\xc7\xcf\xbc\xbc\xbf\xe4"},
	{EUCJP, "ここで四を打つ", "\xa4\xb3\xa4\xb3\xa4\xc7\xbb\xcd\xa4\xf2\xc2\xc7\xa4\xc4"},
	{EUCJP, "連珠の名人戦です", "\xcf\xa2\xbc\xee\xa4\xce\xcc\xbe\xbf\xcd\xc0\xef\xa4\xc7\xa4\xb9"},
	{Windows1251, "Привет", "\xcf\xf0\xe8\xe2\xe5\xf2"},
	{Windows1251, "Чёрные выиграли", "\xd7\xb8\xf0\xed\xfb\xe5 \xe2\xfb\xe8\xe3\xf0\xe0\xeb\xe8"},
	{Windows1251, "Иван Петров", "\xc8\xe2\xe0\xed \xcf\xe5\xf2\xf0\xee\xe2"},
	{Windows1251, "рэндзю", "\xf0\xfd\xed\xe4\xe7\xfe"},
	{Windows1251, "ход белых, двойная четвёрка", "\xf5\xee\xe4 \xe1\xe5\xeb\xfb\xf5, \xe4\xe2\xee\xe9\xed\xe0\xff \xf7\xe5\xf2\xe2\xb8\xf0\xea\xe0"},
	{Windows1250, "Petr Dvořák", "Petr Dvo\xf8\xe1k"},
	{Windows1250, "Příklad", "P\xf8\xedklad"},
	{Windows1250, "Łukasz Wiśniewski", "\xa3ukasz Wi\x9cniewski"},
	{Windows1250, "bílý vyhrál čtyřkou", "b\xedl\xfd vyhr\xe1l \xe8ty\xf8kou"},
	{Windows1250, "Győző", "Gy\xf5z\xf5"},
	{Windows1250, "žluťoučký kůň", "\x9elu\x9dou\xe8k\xfd k\xf9\xf2"},
	{Windows1252, "Müller", "M\xfcller"},
	{Windows1252, "Bjørn", "Bj\xf8rn"},
	{Windows1252, "Ants Soosõrv", "Ants Soos\xf5rv"},
	{Windows1252, "C'est très fort", "C'est tr\xe8s fort"},
	{Windows1252, "Señor Núñez", "Se\xf1or N\xfa\xf1ez"},
	{Windows1252, "schöner Zug für Weiß", "sch\xf6ner Zug f\xfcr Wei\xdf"},
	{KOI8R, "Белые выиграли", "\xe2\xc5\xcc\xd9\xc5 \xd7\xd9\xc9\xc7\xd2\xc1\xcc\xc9"},
	{KOI8R, "Привет всем", "\xf0\xd2\xc9\xd7\xc5\xd4 \xd7\xd3\xc5\xcd"},
}

func TestSamplesInTheirEncoding(t *testing.T) {
	for _, s := range samples {
		if got, ok := s.e.Decode([]byte(s.raw)); !ok || got != s.text {
			t.Errorf("%v: decoded %q, %v; want %q", s.e, got, ok, s.text)
		}
		if raw, ok := s.e.Encode(s.text); !ok || string(raw) != s.raw {
			t.Errorf("%v: %q encoded %q, %v; want %q", s.e, s.text, raw, ok, s.raw)
		}
	}
}

func TestGuess(t *testing.T) {
	for _, s := range samples {
		if e, sure := Guess([]byte("C[" + s.raw + "];B[hh]")); e != s.e || sure {
			got, _ := e.Decode([]byte(s.raw))
			t.Errorf("%q in %v is taken for %v: %q (%d against %d)", s.text, s.e, e, got, e.cost([]byte(s.raw)), s.e.cost([]byte(s.raw)))
		}
		if e, sure := Guess([]byte("C[" + s.text + "]")); e != UTF8 || !sure {
			t.Errorf("%q in UTF-8 is taken for %v", s.text, e)
		}
		for _, wide := range []Encoding{UTF16LE, UTF16BE} {
			raw, _ := wide.Encode("(;GM[4]C[" + s.text + "];B[hh])")
			if e, _ := Guess(raw); e != wide {
				t.Errorf("%q in %v is taken for %v", s.text, wide, e)
			}
		}
	}
}

// A text that an encoding holds comes back as it was.
func TestEveryCharacterComesBack(t *testing.T) {
	for e := range encodings {
		n := 0
		for r := rune(0); r <= unicode.MaxRune; r++ {
			if r == 0x30000 {
				r = unicode.MaxRune - 9 // nothing but planes of UTF and GB18030
			}
			if !utf8.ValidRune(r) {
				continue
			}
			raw, ok := e.Encode(string(r))
			if ok {
				n++
			}
			if back, decoded := e.Decode(raw); ok && (!decoded || back != string(r)) {
				t.Fatalf("%v: %U is encoded as %x and decoded as %q, %v", e, r, raw, back, ok)
			}
			if r == 0xffff && e != Big5 { // which alone has tables beyond
				r = unicode.MaxRune - 9
			}
		}
		if least := 200; n < least && e != ISO2022JP {
			t.Errorf("%v has %d characters", e, n)
		}
	}
}

func TestNoByteIsLost(t *testing.T) {
	var all []byte
	for i := range 256 {
		for _, k := range []int{0x20, 0x40, 0x5c, 0x5d, 0x81, 0xa1, 0xff} {
			if i != 0xfd || k != 0xff { // U+FFFD itself in UTF-16
				all = append(all, byte(i), byte(k))
			}
		}
	}
	for e := range encodings {
		text, _ := e.Decode(all)
		if !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) {
			t.Errorf("%v: text with U+FFFD", e)
		}
	}
}

func TestLookup(t *testing.T) {
	for name, want := range map[string]Encoding{
		"utf-8": UTF8, "UTF8": UTF8, "Shift_JIS": ShiftJIS, "SJIS": ShiftJIS, "x-sjis": ShiftJIS, "cp932": ShiftJIS, "Windows-31J": ShiftJIS,
		"GB2312": GB18030, "gbk": GB18030, "GB18030": GB18030, "cp936": GB18030, "big5": Big5, "BIG5-HKSCS": Big5, "EUC-KR": EUCKR,
		"ks_c_5601-1987": EUCKR, "CP949": EUCKR, "windows-1251": Windows1251, "cp1250": Windows1250, "ISO-8859-1": Windows1252, "iso-8859-2": ISO8859_2,
		"koi8-r": KOI8R, "UTF-16": UTF16LE, "utf-16be": UTF16BE, "ISO-2022-JP": ISO2022JP, "euc-jp": EUCJP,
	} {
		if got, ok := Lookup(name); !ok || got != want {
			t.Errorf("%s: %v, %v, want %v", name, got, ok, want)
		}
	}
	for _, name := range []string{"", "klingon", "-"} {
		if e, ok := Lookup(name); ok {
			t.Errorf("%q is %v", name, e)
		}
	}
	for e := range encodings {
		if got, ok := Lookup(e.String()); !ok || got != e {
			t.Errorf("%v is %v, %v", e, got, ok)
		}
	}
}

func TestISO2022JP(t *testing.T) {
	raw := []byte("C[\x1b$B9u\x1b(B]")
	if e, _ := Guess(raw); e != ISO2022JP {
		t.Errorf("taken for %v", e)
	}
	if text, ok := ISO2022JP.Decode(raw); !ok || text != "C[黒]" {
		t.Errorf("%q, %v", text, ok)
	}
}

// A text that was cut within a character is still text of its encoding.
func TestOneBadByte(t *testing.T) {
	for _, s := range samples {
		if s.e == GB18030 && utf8.RuneCountInString(s.text) > 4 {
			raw := s.raw[:len(s.raw)-1]
			if e, _ := Guess([]byte("C[" + raw + "]")); e != GB18030 {
				t.Errorf("%q without its last byte is taken for %v", s.text, e)
			}
		}
	}
	if e, _ := Guess([]byte("C[" + strings.Repeat("白の勝ち", 3) + "\xe7\x99]")); e != UTF8 {
		t.Errorf("UTF-8 that was cut is taken for %v", e)
	}
}

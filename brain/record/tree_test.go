package record

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record/charset"
)

func readOne(t *testing.T, raw string, o Reading) *Tree {
	t.Helper()
	trees, err := Read([]byte(raw), o)
	if err != nil || len(trees) != 1 {
		t.Fatalf("%q: %d trees, %v; want one", raw, len(trees), err)
	}
	return trees[0]
}

func sgfOf(t *testing.T, tree *Tree) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteSGFTree(&b, tree); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// study has all that a tree can hold.
const study = `(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[renju]PB[Ann [1\]]PW[Bob]RE[W+Resign]TE[resigned]EV[Open]RO[2.1]DT[2026-11-22]AB[aa]AW[bb]AE[cc]PL[W]C[a root
with two lines]GN[named]
;B[hh]HO[1]LB[aa:1][bb:x\:y]CR[cc][dd]MA[ee]SQ[ff]TR[gg]N[start]C[a \\ and a \]]
(;W[gh];B[]C[a pass];W[ig]XX[1\]][2])
(;W[ii]
(;B[jj])
(;B[kk];W[ll])))

`

func TestSGFTreeIsWrittenAsItWasRead(t *testing.T) {
	tree := readOne(t, study, Reading{})
	if got := sgfOf(t, tree); got != study {
		t.Errorf("got\n%s\nwant\n%s", got, study)
	}
	n := tree.Root.Children[0]
	if tree.Rule != board.Renju || !tree.RuleKnown || tree.Black != "Ann [1]" || tree.Outcome() != WhiteWon || tree.Root.Side != board.White {
		t.Errorf("header %+v", tree)
	}
	if n.Move != board.At(7, 7) || !n.Hot || n.Comment != `a \ and a ]` || len(n.Marks) != 7 || n.Marks[1].Text != "x:y" || len(n.Children) != 2 {
		t.Errorf("first move %+v", n)
	}
	pass := n.Children[0].Children[0]
	if pass.Color != board.Black || pass.Move != board.None {
		t.Errorf("a pass is %+v", pass)
	}
	if line := n.Children[1].Children[1]; line.Children[0].Move != board.At(11, 11) {
		t.Errorf("variation %+v", line)
	}
}

// A comment is a time if it is a number of milliseconds, and not too large for one.
func TestTimesInComments(t *testing.T) {
	for comment, want := range map[string]int{"250ms": 250, "99999999999999999999ms": 0, "-5ms": 0, "many ms": 0, "250": 0} {
		g, err := readOne(t, "(;GM[4]SZ[15];B[hh]C["+comment+"])", Reading{}).Game()
		if err != nil || !slices.Equal(g.Millis, []int{want}) {
			t.Errorf("%s: %v, %v, want %d", comment, g.Millis, err, want)
		}
	}
}

func TestSGFOfOtherPrograms(t *testing.T) {
	tests := []struct {
		name, in string
		rule     board.Rule
		moves    string
	}{
		{"rule in a word", "(;GM[4]SZ[15]RU[Renju];B[hh];W[ii])", board.Renju, "h8i9"},
		{"rule by a name of the flags", "(;GM[4]SZ[15]RU[exact-caro];B[hh])", board.Caro | board.ExactFive, "h8"},
		{"rule of a number", "(;GM[4]SZ[15]RU[1];B[hh])", board.ExactFive, "h8"},
		{"no size", "(;GM[4];B[oo])", board.Freestyle, "o15"},
		{"upper-case points", "(;GM[4]SZ[15];B[HH];W[TT])", board.Freestyle, "h8"},
		{"letter and number from the bottom", "(;GM[4]SZ[15];B[h8];W[i10])", board.Freestyle, "h8i6"},
		{"a pass at the end", "(;GM[4]SZ[15];B[hh];W[])", board.Freestyle, "h8pass"},
		{"two moves in a node", "(;GM[4]SZ[15];B[hh]W[ii];B[jj])", board.Freestyle, "h8i9j10"},
		{"a cell set up twice", "(;GM[4]SZ[15]AW[hh]AB[hh][hh];W[ii])", board.Freestyle, "h8i9"},
		{"old names", "(;GaMe[4]SiZe[15];Black[hh])", board.Freestyle, "h8"},
		{"moves after the five", "(;GM[4]SZ[15];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea];W[eb])", board.Freestyle, "a1a2b1b2c1c2d1d2e1e2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := readOne(t, tt.in, Reading{})
			g, err := tree.Game()
			if err != nil || tree.Rule != tt.rule || FormatMoves(g.Moves) != tt.moves {
				t.Errorf("rule %v, moves %s, %v; want %v, %s", tree.Rule, FormatMoves(g.Moves), err, tt.rule, tt.moves)
			}
		})
	}
}

// lib is a library made by hand as RenLib 3.4 saves it: h8 with a comment of two lines, i9
// marked, with a sibling j10 that has a board text, and a label on the empty cell a1.
var lib = "\xffRenLib\xff\x03\x04" + strings.Repeat("\xff", 10) +
	"\x00\x00" +
	"\x78\x08" + "one\x08two\x00" +
	"\x89\xd0" +
	"\x9a\xc1\x00\x01" + "A\x00" +
	"\x01\x43\x00\x01" + "xy\x00\x00"

func TestLibIsRead(t *testing.T) {
	tree := readOne(t, lib, Reading{Rule: board.Renju})
	want := `(;FF[4]GM[4]CA[UTF-8]SZ[15]
;B[hh]LB[jj:A][aa:xy]C[one
two]
(;W[ii]HO[1])
(;W[jj]))

`
	if got := sgfOf(t, tree); got != want || tree.Rule != board.Renju || tree.RuleKnown {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var b bytes.Buffer
	if err := WriteLib(&b, tree); err != nil {
		t.Fatal(err)
	}
	if again := readOne(t, b.String(), Reading{Rule: board.Renju}); !reflect.DeepEqual(again, tree) {
		t.Errorf("written and read again:\n%s", sgfOf(t, again))
	}
	// Two more labels: of those on j10 the last counts, and those on moves come first.
	twice := readOne(t, strings.TrimSuffix(lib, "\x01\x43\x00\x01xy\x00\x00")+
		"\x01\xc3\x00\x01xy\x00\x00"+"\x9a\x43\x00\x01B\x00", Reading{})
	if got := sgfOf(t, twice); !strings.Contains(got, "LB[jj:B][aa:xy]") {
		t.Errorf("labels that come twice: %s", got)
	}
	if empty := readOne(t, lib[:libHeader], Reading{}); len(empty.Root.Children) != 0 {
		t.Errorf("an empty library has %d moves", len(empty.Root.Children))
	}
	// Libraries that begin with h8 may lack the root.
	old := readOne(t, "\xffRenLib\xff\x03\x00"+strings.Repeat("\xff", 10)+"\x78\x00\x89\x40", Reading{})
	if g, err := old.Game(); err != nil || FormatMoves(g.Moves) != "h8i9" {
		t.Errorf("an old library has %s, %v; want h8i9", FormatMoves(g.Moves), err)
	}
}

// RenLib writes texts in the code page of the computer, which the file does not tell: the bytes
// of texts that nobody changes have to stay.
func TestLibKeepsTheCodePage(t *testing.T) {
	library := func(comment, label, below string) string {
		pad := func(s string) string { return s + strings.Repeat("\x00", 2-len(s)%2) }
		return "\xffRenLib\xff\x03\x04" + strings.Repeat("\xff", 10) + "\x00\x00" +
			"\x78\x08" + pad(comment) + "\x89\xc1\x00\x01" + pad(label) + "\x9a\x48" + pad(below)
	}
	for _, test := range []struct{ name, comment, label, below, shown string }{
		{"cp1252", "M\xf6ller", "\x80", "\x93quoted\x94", "Möller"},
		{"GBK", "\xc4\xe3\xba\xc3", "\xba\xda", "\xb0\xd7", "你好"},
		{"cp1251", "\xcf\xf0\xe8\xe2\xe5\xf2", "A", "ok", "Привет"},
		{"Shift_JIS", "\x8d\x95\x82\xcc\x8f\x5c", "A", "\x83\x5c", "黒の十"},
		{"GBK with words that are UTF-8 by chance", "\xc4\xe3\xba\xc3", "\xc3\xa4", "\xc4\xa3", "你好"},
		{"such words first", "\xc3\xa4", "\xc4\xa3", "\xc4\xe3", "盲"},
		{"UTF-8", "Möller \u4f60", "ä", "你好", "Möller 你"},
		{"what UTF-8 looks like in Latin-1", "Ã¤", "", "Ã¶", "Ã¤"},
		{"ASCII", "white wins", "A", "B", "white wins"},
	} {
		raw := library(test.comment, test.label, test.below)
		tree := readOne(t, raw, Reading{})
		if got := tree.Root.Children[0].Comment; got != test.shown {
			t.Errorf("%s: shown as %q, want %q", test.name, got, test.shown)
		}
		var b bytes.Buffer
		if err := WriteLib(&b, tree); err != nil {
			t.Fatal(err)
		}
		if test.label == "" { // a text that is flagged and empty is not written so
			raw = strings.Replace(raw, "\xc1\x00\x01\x00\x00", "\xc0", 1)
		}
		if b.String() != raw {
			t.Errorf("%s: written\n%q, want\n%q", test.name, b.String()[libHeader:], raw[libHeader:])
		}
	}
}

func TestBrokenFilesGiveOneClearLine(t *testing.T) {
	head := lib[:libHeader]
	for _, tt := range []struct{ in, want string }{
		{"", "the file is empty"},
		{"hello", "neither SGF"},
		{"\x00\x01\x02", "neither SGF"},
		{"\x04\x22\x4d\x18xxxx", "a database of positions"},
		{"(;GM[1]SZ[19];B[dd])", "a game of Go"},
		{"(;GM[2]SZ[8])", "another game, GM[2]"},
		{"(;GM[4]SZ[15]AB[hh];B[hh];W[ig])", "move 1, h8, is on a stone"},
		{"(;GM[4]SZ[15];B[ha](;W[ha];B[hh])(;W[hb]))", "move 2, h15, is on a stone"},
		{"(;GM[4]SZ[15];B[zz])", "not on a board of 15x15"},
		{"(;GM[4]SZ[99])", "size"},
		{"(;GM[4]SZ[15]", "not closed"},
		{"(;GM[4]SZ[15];B;W[hh])", "property B has no value"},
		{"(;GM[4]SZ[15];B[hh];QSX[ii];B[gg])", "QSX[ii] is not known and seems to hold a move"},
		{"!<arch>\n/               0", "library of a compiler"},
		{"PK\x03\x04xxxx", "not a valid zip file"},
		{"Piskvorky 15x15, 11:11, 0\n8.5,8,0\n", "line 2"},
		{"Piskvorky 15x15, 11:11, 0\n8x8\n", "line 2"},
		{"8,9 9,9\n", "pairs of numbers"},
		{"h8i9h1 0", "the number 0"},
		{"1. h8 3. i9", "the number 3 stands before move 2"},
		{"1 h8\n2 i9\n3", "no move stands behind the number 3"},
		{"h8 i9 nonsense", "bad move"},
		{"()", "there is no node"},
		{strings.Repeat("(", 5000), "too deep"},
		{"(" + strings.Repeat(";", 3000) + ")", "a line of more than"},
		{lib[:10], "not a RenLib library"},
		{head + "\x78\x08abc", "the file ends within a text"},
		{head + "\x78\x40\x89\x40", "more bytes follow the last move"},
		{head + "\x7f\x00\x70\x40", "a move off the board"},
		{"\xffRenLib\xff\x04" + head[9:], "version 4"},
		{"Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n9,9,0\n", "game 1: move 2, h8, is on a stone"},
		{"Piskvorky 15x15, 11:11, 0\n99,8,0\n", "line 2"},
		{"Piskvorky " + strings.Repeat("x", 100000), "not a .psq file"},
		{"10\n15\n2\n7 7\n10 8\n", "move 2: row 10, column 8 is not on a board of 15x10, where they count from 0"},
		{"15\n99\n0\n", "a board of 99x15"},
		{"15 15 x", "neither SGF"},
		{"15 15 1 7 x", "not a number"},
		{"15\n15\n2\n7 7\n7 7", "move 2, h8, is on a stone"},
		{"h8z9", "line 1"},
		{"h8i9\nh9h9", "line 2: \"h9h9\": move 2, h9, is on a stone"},
		{"https://gomocalc.com/#/h9h9", "move 2, h9, is on a stone"},
		{"h8x" + strings.Repeat("あ", 9), `"xあああ"`}, // no part of a letter
		{"15 15 1 7 x" + strings.Repeat("あ", 99), `"x` + strings.Repeat("あ", 39) + `" is not a number`},
		{"(;GM[4]SZ[15];B[x" + strings.Repeat("あ", 99) + "])", `"x` + strings.Repeat("あ", 39) + `"`},
	} {
		_, err := Read([]byte(tt.in), Reading{})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.ContainsRune(err.Error(), '\n') || len(err.Error()) > 200 {
			t.Errorf("%.40q: %v, want one line with %q", tt.in, err, tt.want)
		}
	}
}

// A file with a broken game has the others still, up to one that is no game tree.
func TestBrokenGamesAmongOthers(t *testing.T) {
	const good, off, open = "(;GM[4]SZ[15];B[hh](;W[ii])(;W[gg]))", "(;GM[4]SZ[15];B[hh](;W[zz])(;W[gg]))", "(;GM[4]SZ[15]"
	const header = "Piskvorky 15x15, 11:11, 0\n"
	for in, want := range map[string]struct {
		games string // . is broken
		says  string
	}{
		good + off + good:                           {"g.g", "game 2: W: point"},
		off + good + "(;GM[1])":                     {".g.", "game 1: W: point"},
		good + good + open:                          {"gg.", "game 3: the game"},
		good + "()" + good:                          {"g.", "game 2: there is no node"},
		header + "8,8\n8,8\n9,9\n" + header + "1,1": {".g", "game 1: move 2, h8"},

		header + "8,8\n" + header + "8,8\n16,8\n99,9\na\nb\n" + header + "1,1":   {"g.g", "game 2: line 5: 16,8 is not on a board of 15x15"},
		"Piskvorky 99x15\n8,8\n" + header + "1,1":                                {".g", "game 1: line 1: bad header"},
		"Piskvorky 5x5\n" + strings.Repeat("1,1\n", maxMoves+1) + header + "1,1": {".g", "more moves than cells"},
	} {
		trees, err := Read([]byte(in), Reading{Rule: board.Renju})
		games := ""
		for i, tree := range trees {
			if tree != nil && tree.Rule == board.Renju {
				games += "g"
			} else if broken, ok := err.(BrokenGames); ok && tree == nil && broken[i] != nil {
				games += "."
			}
		}
		if games != want.games || err == nil || !strings.Contains(err.Error(), want.says) {
			t.Errorf("%.99q: %q, %v; want %q and %q", in, games, err, want.games, want.says)
		}
	}
}

// A game of numbered moves is one of several lines, so that an error names its move alone.
func TestErrorsOfNumberedMovesNameNoLine(t *testing.T) {
	for in, want := range map[string]string{
		"1. h8 i9\n2. j4 i9": "move 4, i9, is on a stone",
		"1. h8 i9\n2. z4":    `bad move at "z4": want a letter and a number on a 15x15 board`,
	} {
		if _, err := Read([]byte(in), Reading{}); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}

func TestMoveListsCountRowsFromEitherSide(t *testing.T) {
	tests := []struct {
		in     string
		bottom bool
		want   string
	}{
		{"h8i10", false, "h8i10"},
		{"h8i10", true, "h8i6"},
		{" H8 I10\n", true, "h8i6"},
		{"1. h8 2. i10", false, "h8i10"},
		{"1.h8\n2.i10", false, "h8i10"},
		{"https://gomocalc.com/#/h8i10", false, "h8i6"},
		{"# a comment\nh8,i10", false, "h8i10"},
		{"# version 1.0\nh8,i10", false, "h8i10"},
		{"# a comment\n 1. h8\n# another\n 2. i10", false, "h8i10"},
		{"https://example.org/v1.0/#/h8i10", false, "h8i6"},
	}
	for _, tt := range tests {
		tree := readOne(t, tt.in, Reading{FromBottom: tt.bottom})
		if g, err := tree.Game(); err != nil || FormatMoves(g.Moves) != tt.want {
			t.Errorf("%q, from the bottom %v: %s, %v; want %s", tt.in, tt.bottom, FormatMoves(g.Moves), err, tt.want)
		}
	}
	for _, in := range []string{"h8i9\nj10\n", "# version 1.0\nh8i9\nj10\n", "https://example.org/1./#/h8i9\nhttps://example.org/1./#/j10"} {
		if trees, err := Read([]byte(in), Reading{}); err != nil || len(trees) != 2 {
			t.Errorf("%q: %d games, %v; want two lines", in, len(trees), err)
		}
	}
}

func TestSGFKeepsEveryRule(t *testing.T) {
	for r := board.Freestyle; r < 16; r++ {
		if !r.Valid() {
			continue
		}
		tree := NewTree(15, 15)
		tree.Rule, tree.RuleKnown = r, true
		if again := readOne(t, sgfOf(t, tree), Reading{}); again.Rule != r || !again.RuleKnown {
			t.Errorf("%v, %d, is read back as %v, %d", r, r, again.Rule, again.Rule)
		}
	}
}

// A property can hold any text: its value as it stands, or escaped anew if its escapes are wrong.
func TestSGFPropertiesHoldAnyText(t *testing.T) {
	for _, v := range []string{`a`, `a]`, `a\]b`, `a\\`, `a\`, `a\\]b`, `a\\\]b`, `a\\\]`} {
		tree := NewTree(15, 15)
		tree.Root.Properties = []Property{{"XX", []string{v}}, {"YY", []string{"y"}}}
		var b bytes.Buffer
		if err := WriteSGFTree(&b, tree); err != nil {
			t.Fatal(err)
		}
		all, err := sgfTrees(&b)
		if err != nil || len(all) != 1 || len(all[0].Root.Properties) != 2 {
			t.Fatalf("%q: %+v, %v", v, all, err)
		}
		if got := all[0].Root.Properties[0].Values; len(got) != 1 || got[0] != v && plainText(got[0]) != v {
			t.Errorf("%q: values %q", v, got)
		}
	}
}

func TestSAVOfYixinBoard(t *testing.T) {
	tree := readOne(t, "10\n15\n3\n7 8\n0 14\n9 0\n", Reading{Rule: board.Renju})
	if g, err := tree.Game(); err != nil || FormatMoves(g.Moves) != "i8o1a10" || g.Width != 15 || g.Height != 10 || g.Rule != board.Renju {
		t.Errorf("%+v, %v", g, err)
	}
}

// A game of Piskvork that an illegal or forbidden last move has ended is read.
func TestPSQOfALostGame(t *testing.T) {
	tree := readOne(t, "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n8,8,5\na\nb\n-1\n1,2\n", Reading{Rule: board.Renju})
	if g, err := tree.Game(); err != nil || FormatMoves(g.Moves) != "h8i9" || g.Rule != board.Renju || g.Outcome != WhiteWon || g.Opening != 2 || g.Event != "2" {
		t.Errorf("%s, %v", FormatMoves(g.Moves), err)
	}
}

func TestLibCannotHoldEveryTree(t *testing.T) {
	for in, want := range map[string]string{
		"(;GM[4]SZ[19];B[hh])":               "15x15",
		"(;GM[4]SZ[15]AB[hh])":               "set up",
		"(;GM[4]SZ[15];B[hh];B[ii])":         "move 2 is not",
		"(;GM[4]SZ[15]W[hh])":                "move 1 is not",
		"(;GM[4]SZ[15];W[hh])":               "move 1 is not",
		"(;GM[4]SZ[15];B[hh];C[no move][x])": "move 2 is not",
	} {
		if err := WriteLib(&bytes.Buffer{}, readOne(t, in, Reading{})); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
}

// The largest trees that a hostile file can ask for stay within the memory that the limits
// allow. Smaller files reach no limit.
func TestHostileFilesTakeBoundedMemory(t *testing.T) {
	const size = 4 << 20 // enough to reach every limit
	game := "Piskvorky 9x9\n"
	for i := range 81 {
		game += fmt.Sprintf("%d,%d\n", 1+i%9, 1+i/9)
	}
	for name, in := range map[string]string{
		"nodes":      "(" + strings.Repeat(";)(", size/3),
		"children":   "(;" + strings.Repeat("(;)", size/3) + ")",
		"games":      strings.Repeat("(;)", size/3),
		"values":     "(;A" + strings.Repeat("[]", size/2) + ")",
		"properties": "(;" + strings.Repeat("A[]", size/3) + ")",
		"rectangles": "(;SZ[22]" + strings.Repeat("CR[aa:vv]", size/9) + ")",
		"library":    lib[:libHeader] + "\x00\x00" + strings.Repeat("\x78\xc0", size/2),
		"psq":        strings.Repeat("Piskvorky 5x5\n", size/14),
		"psq moves":  strings.Repeat(game, size/len(game)+1),
		"lines":      strings.Repeat("a1\n", size/3),
		"JSON":       `{"moves":[` + strings.Repeat("[],", size/3-8) + "[]]}",
	} {
		raw := []byte(in)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, err := Read(raw, Reading{})
		runtime.ReadMemStats(&after)
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 400 {
			t.Errorf("%s: %d MiB allocated (%v)", name, took, err)
		}
		if err == nil {
			t.Errorf("%s: read without an error", name)
		}
		t.Logf("%s: %d MiB, %v", name, (after.TotalAlloc-before.TotalAlloc)>>20, err)
	}
}

// Games that state their encodings are decoded one by one, but what looks like a game within a text or
// is a variation is none.
func TestPartsAreGames(t *testing.T) {
	gbk := func(s string) string {
		raw, _ := charset.GB18030.Encode(s)
		return string(raw)
	}
	big5 := func(s string) string {
		raw, _ := charset.Big5.Encode(s)
		return string(raw)
	}
	for _, tt := range []struct {
		in   string
		want []string // comment of the first move of each game
	}{
		{gbk("(;GM[4]CA[GBK]SZ[15];B[hh]C[黑方])") + "\n" + big5("(;GM[4]CA[Big5]SZ[15];B[hh]C[許功蓋])"), []string{"黑方", "許功蓋"}},
		{gbk("(;GM[4]CA[GBK]SZ[15];B[hh]C[黑方](;W[ii])(;CA[Big5]W[jj]))"), []string{"黑方"}},
		{gbk("(;GM[4]CA[GBK]SZ[15];B[hh]C[黑方 ) (;CA[Big5\\] ];W[ii])"), []string{"黑方 ) (;CA[Big5] "}},
		{"(;(0\xbc0 BM[0\x15CA[0]0)0\x80\x0000000 000(000000000000000 B[", []string{""}},
	} {
		trees, err := Read([]byte(tt.in), Reading{})
		if err != nil || len(trees) != len(tt.want) {
			t.Errorf("%q: %d games, %v, want %d", tt.in, len(trees), err, len(tt.want))
			continue
		}
		for i, tree := range trees {
			line := tree.MainLine()
			if got := line[min(1, len(line)-1)].Comment; got != tt.want[i] {
				t.Errorf("%q: game %d has the comment %q, want %q", tt.in, i+1, got, tt.want[i])
			}
			if back := readOne(t, sgfOf(t, tree), Reading{}); sgfOf(t, back) != sgfOf(t, tree) {
				t.Errorf("%q: written as %q, read back as %q", tt.in, sgfOf(t, tree), sgfOf(t, back))
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(study), false)
	f.Add([]byte(lib), false)
	f.Add([]byte("Piskvorky 20x20, 11:11, 0\n11,11,0\n12,11,250\na\nb\n0\n"), false)
	f.Add([]byte("Piskvorky 20,20x"+strings.Repeat("O", 1000)), false)
	f.Add([]byte("1. h8 2. i10"), true)
	f.Add([]byte("15\n15\n2\n7 7\n8 8\n"), true)
	f.Fuzz(func(t *testing.T, raw []byte, bottom bool) {
		trees, err := Read(raw, Reading{FromBottom: bottom})
		if err != nil {
			if s := err.Error(); s == "" || len(s) > 1000 {
				t.Fatalf("error %q", s)
			}
			return
		}
		for _, tree := range trees {
			var b bytes.Buffer
			if err := WriteSGFTree(&b, tree); err != nil {
				t.Fatal(err)
			}
			again, err := sgfTrees(&b)
			if err != nil || len(again) != 1 {
				t.Fatalf("written and read again: %v", err)
			}
			if len(again[0].MainLine()) != len(tree.MainLine()) {
				t.Fatalf("written and read again:\n%s\nwant\n%s", sgfOf(t, again[0]), sgfOf(t, tree))
			}
			if tree.Format == SGF && tree.Remarks == nil {
				if again[0].Encoding, again[0].Remarks = tree.Encoding, tree.Remarks; !reflect.DeepEqual(again[0], tree) {
					t.Fatalf("written and read again:\n%s\nwant\n%s", sgfOf(t, again[0]), sgfOf(t, tree))
				}
			}
			b.Reset()
			if WriteLib(&b, tree) != nil {
				continue
			}
			one, err := readLib(b.Bytes(), "")
			if err != nil {
				t.Fatalf("written and read again: %v", err)
			}
			if tree.Format == RenLib {
				one.Encoding, one.Remarks = tree.Encoding, tree.Remarks
				if !reflect.DeepEqual(one, tree) {
					t.Fatalf("written and read again:\n%s\nwant\n%s", sgfOf(t, one), sgfOf(t, tree))
				}
			}
		}
	})
}

// TestReadPasses: Read reads what FormatMoves writes, also with passes.
func TestReadPasses(t *testing.T) {
	for _, text := range []string{"h8i9j10", "h8passi9", "passh8i9", "h8i9passj10", "h8i9pass", "h8i9passpass", "pass"} {
		trees, err := Read([]byte(text), Reading{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		g, err := trees[0].Game()
		if got := FormatMoves(g.Moves); err != nil || got != text {
			t.Errorf("%s is read as %s, %v", text, got, err)
		}
	}
}

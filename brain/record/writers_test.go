package record

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"tengen/brain/board"
	"tengen/brain/record/charset"
)

// words are texts that each encoding holds; their bytes look like brackets and escapes in some.
var words = map[charset.Encoding][]string{
	charset.UTF8:        {"表ソ能", "黑方", "흑", "Žluťoučký", "рэндзю", "[a] \\ ]"},
	charset.UTF16LE:     {"表ソ能", "黑方", "good move", "rené"},
	charset.UTF16BE:     {"表ソ能", "黑方", "good move", "rené"},
	charset.ShiftJIS:    {"表ソ能", "ここで四", "[a] \\ ]", "一覧表", "ｶﾅ"},
	charset.EUCJP:       {"表ソ能", "ここで四"},
	charset.GB18030:     {"黑方", "這步棋好", "[a] \\ ]", "鷿 Ž 㐀"},
	charset.Big5:        {"許功蓋", "黑方勝", "[a] \\ ]"},
	charset.EUCKR:       {"흑이 이겼다", "김철수", "[a] \\ ]", "뷁"},
	charset.Windows1250: {"Dvořák", "źdźbło"},
	charset.Windows1251: {"Иванов", "рэндзю"},
	charset.Windows1252: {"Müller", "¿qué?"},
	charset.KOI8R:       {"Иванов"},
}

// anyTree returns a tree whose texts are made of some words.
func anyTree(r *rand.Rand, words []string) *Tree {
	t := NewTree(15, 15)
	text := func() string {
		s := words[r.IntN(len(words))]
		if r.IntN(3) == 0 {
			s += "\n" + words[r.IntN(len(words))] + "."
		}
		return s
	}
	t.Black, t.White = words[0], words[r.IntN(len(words))]
	at := t.Root
	cells := r.Perm(225)
	for i, cell := range cells[:2+r.IntN(20)] {
		n := NewNode()
		n.Color, n.Move = board.Color(i&1), board.At(cell%15, cell/15)
		if r.IntN(2) == 0 {
			n.Comment = text()
		}
		if r.IntN(3) == 0 {
			n.Marks = append(n.Marks, Mark{At: board.At(i%15, 14), Text: words[0]})
		}
		if r.IntN(4) == 0 {
			other := NewNode()
			cell := cells[100+i]
			other.Color, other.Move = n.Color, board.At(cell%15, cell/15)
			at.Children = []*Node{n, other}
		} else {
			at.Children = []*Node{n}
		}
		at = n
	}
	return t
}

// What the writers make comes back as it was, in every encoding that a file can be brought to.
func TestWhatIsWrittenComesBackInEveryEncoding(t *testing.T) {
	for e, list := range words {
		r := rand.New(rand.NewPCG(1, uint64(e)))
		for range 20 {
			tree := anyTree(r, list)
			tree.Format = SGF
			var b bytes.Buffer
			if err := WriteSGFTree(&b, tree); err != nil {
				t.Fatal(err)
			}
			s := strings.Replace(b.String(), "CA[UTF-8]", "CA["+e.String()+"]", 1)
			raw, ok := e.Encode(s)
			if !ok {
				t.Fatalf("%v does not hold %q", e, s)
			}
			back, err := Read(raw, Reading{})
			if err != nil || len(back) != 1 {
				t.Fatalf("%v: %v of %q", e, err, s)
			}
			tree.Encoding = e
			if !reflect.DeepEqual(back[0], tree) {
				t.Errorf("%v: %s read back as\n%s%q", e, s, sgfOf(t, back[0]), back[0].Remarks)
			}

			lib := anyTree(r, list)
			lib.Black, lib.White = "", ""
			libComesBack(t, lib, e)

			g, err := tree.Game()
			if err != nil {
				t.Fatal(err)
			}
			b.Reset()
			if err := WritePSQ(&b, &g); err != nil {
				t.Fatal(err)
			}
			raw, _ = e.Encode(b.String())
			psqComesBack(t, raw, e.String(), &g)
		}
	}
}

// libComesBack checks that a library keeps its encoding, or is in UTF-8 where that would not be found out.
func libComesBack(t *testing.T, lib *Tree, e charset.Encoding) {
	t.Helper()
	lib.Encoding, lib.Format = e, RenLib
	var b bytes.Buffer
	if err := WriteLib(&b, lib); err != nil {
		t.Fatal(err)
	}
	back, err := Read(b.Bytes(), Reading{})
	if err != nil {
		t.Fatal(err)
	}
	if lib.Encoding = back[0].Encoding; sgfOf(t, back[0]) != sgfOf(t, lib) || back[0].Remarks != nil {
		t.Errorf("%v: a library read back as %s%q, want %s", e, sgfOf(t, back[0]), back[0].Remarks, sgfOf(t, lib))
	}
}

// psqComesBack checks that raw is read as g, with its names as they are on one line or with "brain" before
// them.
func psqComesBack(t *testing.T, raw []byte, encoding string, g *Game) {
	t.Helper()
	trees, err := Read(raw, Reading{Encoding: encoding})
	if err != nil || len(trees) != 1 {
		t.Errorf("%q: %v", raw, err)
		return
	}
	back, err := trees[0].Game()
	name := func(got, want string) bool {
		want = strings.TrimSpace(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || r == '\u2028' {
				return ' '
			}
			return r
		}, want))
		return got == want || got == strings.TrimSpace("brain "+want)
	}
	if err != nil || !slices.Equal(back.Moves, g.Moves) || !name(back.Black, g.Black) || !name(back.White, g.White) || trees[0].Remarks != nil {
		t.Errorf("a game of Piskvork read back as %q %q %v %q, %v, want %q %q %v", back.Black, back.White, back.Moves, trees[0].Remarks, err, g.Black, g.White, g.Moves)
	}
}

// pieces are texts that look like something else to some reader.
var pieces = []string{
	"]", "[", "\\", ";", "(", ")", ":", "B", "W", "AB", "SZ[15", "RU[renju", "CA[GBK]", "CA[Big5", ";B[hh", "(;GM[4]", "PB[", "C[a]",
	"\n", "\r", " ", "8,8,0", "Piskvorky 15x15, 0", "\nPiskvorky 15x15\n8,8,0\n", "piskvork 1", "(1,2)", "[3,4", "-1", "0", "x", "brain ", "1,Renju_1",
	"h8i9", "1. h8", "http://a/#/h8", `{"game":1}`, "<games", "[i=0;", "5ms", "opening move", " tt",
	"黑方", "表", "ソ", "é", "ÿ", "😀", "１", "２", "，", "\ufeff", "\u200b", "\u2028", "\u0085", "\u00a0", "\u3000",
	"\x1b$B", "\x1b(B", "\x00", "\x01", "\x08", "\x7f", "~{",
}

// Texts that look like something else come back, too: names, comments and labels are never taken for
// moves, properties, another encoding or another format.
func TestAnyTextComesBack(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		list := make([]string, 6)
		for i := range list {
			for range 1 + r.IntN(5) {
				list[i] += pieces[r.IntN(len(pieces))]
			}
		}
		tree := anyTree(r, list)
		tree.Format, tree.RuleKnown = SGF, true
		tree.Event, tree.Round, tree.Date, tree.Result, tree.Reason, tree.Root.Name = list[1], list[2], list[3], list[4], list[5], list[2]
		var b bytes.Buffer
		if err := WriteJSON(&b, tree); err != nil {
			t.Fatal(err)
		}
		back, err := Read(b.Bytes(), Reading{})
		if err != nil || len(back) != 1 {
			t.Fatalf("seed %d: %v of %q", seed, err, b.String())
		}
		if back[0].Format = SGF; !reflect.DeepEqual(back[0], tree) {
			t.Errorf("seed %d: %q is another tree", seed, b.String())
		}

		// SGF and libraries have blanks for control characters and one kind of line ends.
		plain := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", " ", "\x01", " ", "\x08", " ", "\x1b", " ")
		written := sgfOf(t, tree)
		if back, err = Read([]byte(written), Reading{}); err != nil || len(back) != 1 {
			t.Fatalf("seed %d: %v of %q", seed, err, written)
		}
		one := back[0]
		if again := sgfOf(t, one); again != written || one.Remarks != nil {
			t.Errorf("seed %d: %q read back as %q, %q", seed, written, again, one.Remarks)
		}
		for i, n := range tree.MainLine() {
			if line := one.MainLine(); i >= len(line) || line[i].Comment != plain.Replace(n.Comment) {
				t.Errorf("seed %d: %q has not the comment %q of move %d", seed, written, n.Comment, i)
			}
		}
		for _, text := range [][2]string{{one.Black, tree.Black}, {one.White, tree.White}, {one.Event, tree.Event}, {one.Date, tree.Date}, {one.Result, tree.Result}, {one.Root.Name, tree.Root.Name}} {
			if text[0] != plain.Replace(text[1]) {
				t.Errorf("seed %d: %q has %q, want %q", seed, written, text[0], text[1])
			}
		}

		g, err := tree.Game()
		if err != nil {
			t.Fatal(err)
		}
		b.Reset()
		if err := WriteSGF(&b, &g); err != nil {
			t.Fatal(err)
		}
		back, err = Read(b.Bytes(), Reading{})
		if err != nil || len(back) != 1 || back[0].Remarks != nil || len(back[0].MainLine()) != len(g.Moves)+1 {
			t.Errorf("seed %d: %v of %q", seed, err, b.String())
		}
		b.Reset()
		if err := WritePSQ(&b, &g); err != nil {
			t.Fatal(err)
		}
		psqComesBack(t, b.Bytes(), "", &g)

		lib := anyTree(r, list)
		lib.Black, lib.White = "", ""
		for _, n := range lib.MainLine() {
			n.Comment = strings.ReplaceAll(n.Comment, "\r", "")
			n.Marks = slices.DeleteFunc(n.Marks, func(m Mark) bool { return strings.ContainsAny(m.Text, "\r\n") })
		}
		libComesBack(t, lib, charset.Encoding(r.IntN(int(charset.KOI8R)+1)))
	}
}

// A text is no game of .pos, whatever its first letter and its length are.
func TestNoTextIsAGameOfPos(t *testing.T) {
	for e, list := range words {
		for _, n := range []int{'P', '(', '[', 'h', '1'} {
			for _, begin := range []string{"Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n", "(;GM[4]SZ[15];B[hh];W[ii]PB[", "[Event \"a\"]\n1. h8 2. i7\n", "h8i7 (", "1. h8 2. i7\n"} {
				raw, ok := e.Encode(begin + list[0])
				if !ok || raw[0] != byte(n) || len(raw) > n+1 {
					continue
				}
				for len(raw) <= n {
					raw = append(raw, ' ')
				}
				if f := Detect(raw); f == BinaryPos {
					t.Errorf("%v: %q is taken for .pos", e, raw)
				}
			}
		}
	}
}

// A game in JSON is the same tree.
func TestJSONComesBack(t *testing.T) {
	tree := readOne(t, study, Reading{})
	var b bytes.Buffer
	for range 2 {
		if err := WriteJSON(&b, tree); err != nil {
			t.Fatal(err)
		}
	}
	back, err := Read(b.Bytes(), Reading{})
	if err != nil || len(back) != 2 {
		t.Fatal(len(back), err)
	}
	for _, one := range back {
		if one.Format = SGF; !reflect.DeepEqual(one, tree) {
			t.Errorf("read back as %s", sgfOf(t, one))
		}
	}
	for in, want := range map[string]string{
		`{"game":2,"width":15,"height":15,"root":{}}`:                                                    "version 2",
		`{"game":1,"width":99,"height":15,"root":{}}`:                                                    "99x15",
		`{"game":1,"width":15,"height":15}`:                                                              "no node",
		`{"game":1,"width":15,"height":15,"root":{"next":[null]}}`:                                       "no node",
		`{"game":1,"width":15,"height":15,"root":{"next":[{"color":"black","move":"z1"}]}}`:              "bad move",
		`{"game":1,"width":15,"height":15,"root":{"next":[{"color":"red","move":"h8"}]}}`:                "unknown color",
		`{"game":1,"width":15,"height":15,"root":{"black":"h8","next":[{"color":"white","move":"h8"}]}}`: "on a stone",
		`{"game":1,"width":15,"height":15,"root":{"marks":[{"at":"h8","kind":"star"}]}}`:                 "bad mark",
		`{"game":1,"width":15,"height":15,"root":{}`:                                                     "game 1",
		`{"game":1,"width":15,"height":15,"root":` + strings.Repeat(`{"next":[`, maxDepth+9):             "game 1",
		`{"game":1,"rule":200,"width":15,"height":15,"root":{}}`:                                         "unknown rule 200",
		`{"game":1,"width":15,"height":15,"root":{"more":[["XX"]]}}`:                                     "a value",
		`{"game":1,"width":15,"height":15,"root":{"more":[["","x"]]}}`:                                   "a name",
		`{"game":1,"width":15,"height":15,"root":{"more":[["x[a]","x"]]}}`:                               "a name",
		`{"game":1,"width":15,"height":15,"root":{"more":[["XX","x];B[aa"]]}}`:                           "not escaped",
		`{"game":1,"width":15,"height":15,"root":{"more":[["XX","x\\"]]}}`:                               "not escaped",
	} {
		if _, err := Read([]byte(in), Reading{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %q", in, err, want)
		}
	}
}

// Games of several files are one tree: moves that they share are one.
func TestMerge(t *testing.T) {
	a := readOne(t, "(;GM[4]SZ[15];B[hh]C[a];W[ii](;B[jj])(;B[kk]))", Reading{})
	b := readOne(t, "(;GM[4]SZ[15];B[hh]C[b]LB[ii:A];W[ii];B[kk];W[ll])", Reading{})
	if err := a.Merge(b); err != nil {
		t.Fatal(err)
	}
	if got := sgfOf(t, a); !strings.Contains(got, ";B[hh]LB[ii:A]C[a\nb];W[ii]\n(;B[jj])\n(;B[kk];W[ll]))") {
		t.Errorf("merged to %s", got)
	}
	if err := a.Merge(readOne(t, "(;GM[4]SZ[19];B[hh])", Reading{})); err == nil {
		t.Error("boards of two sizes in one tree")
	}
}

package record

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

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
	r := rand.New(rand.NewPCG(1, 2))
	for e, list := range words {
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

			// A library keeps its encoding, or is in UTF-8 where that would not be found out.
			lib := anyTree(r, list)
			lib.Black, lib.White, lib.Encoding, lib.Format = "", "", e, RenLib
			b.Reset()
			if err := WriteLib(&b, lib); err != nil {
				t.Fatal(err)
			}
			back, err = Read(b.Bytes(), Reading{})
			if err != nil {
				t.Fatal(err)
			}
			if lib.Encoding = back[0].Encoding; sgfOf(t, back[0]) != sgfOf(t, lib) || back[0].Remarks != nil {
				t.Errorf("%v: a library read back as %s%q, want %s", e, sgfOf(t, back[0]), back[0].Remarks, sgfOf(t, lib))
			}

			g, err := tree.Game()
			if err != nil {
				t.Fatal(err)
			}
			b.Reset()
			if err := WritePSQ(&b, &g); err != nil {
				t.Fatal(err)
			}
			raw, _ = e.Encode(b.String())
			back, err = Read(raw, Reading{Encoding: e.String()})
			if err != nil || back[0].Black != tree.Black || back[0].White != tree.White || back[0].lineLength() != tree.lineLength() {
				t.Errorf("%v: a game of Piskvork read back as %+v, %v", e, back, err)
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

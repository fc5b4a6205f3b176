package main

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
)

// trip sends a tree to the page and back.
func trip(t *testing.T, tree *record.Tree) (*record.Tree, string) {
	t.Helper()
	var buffer bytes.Buffer
	if err := record.WriteSGFTree(&buffer, tree); err != nil {
		t.Fatal(err)
	}
	list, _, f := readGames(buffer.Bytes(), record.Reading{})
	if f != nil {
		t.Fatalf("%v in %s", f, &buffer)
	}
	raw, err := json.Marshal(list[0])
	if err != nil {
		t.Fatal(err)
	}
	var v saved
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	data, f := v.write("sgf")
	if f != nil {
		t.Fatal(f)
	}
	back, err := record.Read(data, record.Reading{})
	if err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return back[0], string(raw)
}

func TestTreesComeBackFromThePage(t *testing.T) {
	tests := []struct{ name, sgf, in string }{
		{"a line", "(;SZ[15]RU[renju]PB[A]PW[B]RE[B+1]DT[2026-01-02];B[hh];W[ii];B[jj])", `"cell":112`},
		{"times and opening", "(;SZ[15];B[hh]C[opening move];W[ii]C[opening move];B[jj]C[12ms])", `"took":12`},
		{"variations and comments", "(;SZ[15]C[start];B[hh]C[one\\]two\nthree](;W[ii];B[jj])(;W[ij]N[name];B[ji](;W[aa])(;W[ab])))", "one]two\\nthree"},
		{"marks", "(;SZ[15];B[hh]LB[aa:A][bb:12]TR[cc]SQ[dd]CR[ee]MA[ff])", `"kind":"triangle"`},
		{"unknown properties", "(;SZ[15]XX[a][b];B[hh]YY[c\\]d])", `"more":[["YY"`},
		{"set up stones", "(;SZ[15]AB[hh][ii]AW[jj];W[aa])", `"setup":true`},
		{"set up with a side that is not usual", "(;SZ[15]AB[hh]AW[jj]PL[W];W[aa];B[bb])", `"setup":true`},
		{"a handicap", "(;SZ[15]AB[hh][hj][hl];W[aa];B[bb])", `"opening":5`},
		{"only white stones", "(;SZ[15]AW[hh][hj];B[aa])", `"opening":4`},
		{"white begins", "(;SZ[15];W[hh];B[ii])", `"auto":true`},
		{"a player moves twice", "(;SZ[15];B[hh];B[ii];W[jj])", `"auto":true`},
		{"passes", "(;SZ[15];B[hh];W[];B[jj];W[])", `"cell":-1`},
		{"moves after the five", "(;SZ[15];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea];W[eb])", `"moves":10`},
		{"a variation in which a player moves twice", "(;SZ[15];B[hh](;B[ii])(;W[jj])(;W[]))", `"auto":true`},
		{"hot and a side", "(;SZ[15]PL[W];W[hh]HO[1])", `"hot":true`},
		{"a large board", "(;SZ[20:19]RU[0];B[ts])", `"width":20`},
	}
	for _, test := range tests {
		trees, err := record.Read([]byte(test.sgf), record.Reading{})
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		back, page := trip(t, trees[0])
		if back.RuleKnown = trees[0].RuleKnown; !back.RuleKnown {
			back.Rule = trees[0].Rule
		}
		if !strings.Contains(page, test.in) {
			t.Errorf("%s: the page gets %s, want %s in it", test.name, page, test.in)
		}
		if !reflect.DeepEqual(back, trees[0]) {
			t.Errorf("%s:\nread %s\nback %s", test.name, treeText(trees[0]), treeText(back))
		}
	}
}

func treeText(t *record.Tree) string {
	raw, _ := json.Marshal(t) // a tree is plain data
	return string(raw)
}

// The order of the stones that a file sets up does not make one of them a foul, or the game freestyle.
func TestAPositionOfRenjuInAnyOrder(t *testing.T) {
	for _, stones := range []string{"AB[gh][ih][hg][hi][hh]AW[aa][oa][ao][oo]", "AB[gh][ih][hg][hi][hh]AW[aa]PL[B]"} {
		list, _, f := readGames([]byte("(;SZ[15]"+stones+")"), record.Reading{Rule: board.Renju})
		if f != nil {
			t.Fatal(f)
		}
		if v := list[0]; v.Rule != board.Renju || !v.legal() {
			t.Errorf("%s: rule %v, legal %v", stones, v.Rule, v.legal())
		}
	}
}

// A node without a move is no position of the page: what it says goes to the move before it.
func TestNodesWithoutMoves(t *testing.T) {
	list, _, f := readGames([]byte("(;SZ[15];B[hh]C[a];C[b];W[ii])"), record.Reading{})
	if f != nil {
		t.Fatal(f)
	}
	if n := list[0].Root.Next[0]; n.Comment != "a\nb" || len(n.Next) != 1 || *n.Next[0].Cell != 128 {
		t.Errorf("%+v", n)
	}
}

// A game that cannot be used does not keep the page from the others of its file.
func TestABrokenGameAmongOthers(t *testing.T) {
	list, all, f := readGames([]byte("(;SZ[15];B[hh])(;SZ[15];B[hh];W[hh])(;SZ[15];B[ii])"), record.Reading{})
	if f != nil || len(list) != 2 || all != 3 || *list[1].Root.Next[0].Cell != 8*15+8 {
		t.Errorf("%d of %d games, %v", len(list), all, f)
	}
	if list, _, f := readGames([]byte("(;SZ[15];B[hh];W[hh])"), record.Reading{}); f == nil || !strings.HasPrefix(f.Text, "game 1: ") {
		t.Errorf("%d games, %v", len(list), f)
	}
}

// What the page says of stones that are set up, and of a pass that is not in the file, goes to the
// node that the file has for them.
func TestCommentsWithoutNodesOfTheirOwn(t *testing.T) {
	for sgf, want := range map[string]string{
		"(;SZ[15]AB[hh]AW[jj]C[c];B[aa])": "C[before\na\nb\nc]",
		"(;SZ[15];B[hh];B[ii]C[c])":       "C[before];B[hh]MA[da]C[a\nb];B[ii]C[c]",
	} {
		list, _, f := readGames([]byte(sgf), record.Reading{})
		if f != nil {
			t.Fatal(f)
		}
		v := list[0]
		first := v.Root.Next[0] // the second has a comment of the file, or is the pass
		v.Root.Comment, first.Comment, first.Marks = "before", "a", []pageMark{{Cell: 3, Kind: "cross"}}
		first.Next[0].Comment = strings.TrimSpace("b\n" + first.Next[0].Comment)
		data, f := v.write("sgf")
		if f != nil {
			t.Fatal(f)
		}
		if text := strings.ReplaceAll(string(data), "\n;", ";"); !strings.Contains(text, want) || !strings.Contains(text, "MA[da]") {
			t.Errorf("%s is written as %s, want %s", sgf, text, want)
		}
	}
}

func TestNodesWithoutMovesKeepTheOrder(t *testing.T) {
	list, _, f := readGames([]byte("(;SZ[15](;C[a](;B[hh];W[ii])(;B[hi]))(;B[gg])(;C[b];B[gh]))"), record.Reading{})
	if f != nil {
		t.Fatal(f)
	}
	var cells []int
	for _, n := range list[0].Root.Next {
		cells = append(cells, *n.Cell)
	}
	if want := []int{112, 127, 96, 111}; !slices.Equal(cells, want) || list[0].Root.Comment != "a\nb" {
		t.Errorf("first moves %v, want %v; comment %q", cells, want, list[0].Root.Comment)
	}
}

func TestWhatThePageCannotShow(t *testing.T) {
	for text, want := range map[string]string{
		"(;SZ[15];B[hh];AB[ii])":                            "middle of the game",
		"(;GM[1]SZ[19];B[pd])":                              "",
		"(;SZ[15]" + strings.Repeat(";B[];W[]", 1500) + ")": "",
		"hello": "neither", "": "empty",
	} {
		list, _, f := readGames([]byte(text), record.Reading{})
		if f == nil || f.Code != "format" || !strings.Contains(f.Text, want) {
			t.Errorf("%.30q: %d games, %v, want a fault with %q", text, len(list), f, want)
		}
	}
}

// One game that cannot be shown does not keep the others of its file back.
func TestGamesBesideOneThatCannotBeShown(t *testing.T) {
	list, all, f := readGames([]byte("(;SZ[15];B[hh];AB[ii])(;SZ[15];B[gg])(;SZ[15];B[aa];AE[aa])"), record.Reading{})
	if f != nil || all != 3 || len(list) != 1 || *list[0].Root.Next[0].Cell != 96 {
		t.Errorf("%d games of %d: %+v, %v", len(list), all, list, f)
	}
}

// What a small file repeats makes neither a game that is nested as deep as it likes, nor more
// than the page can show.
func TestRepeatedStonesAndMarks(t *testing.T) {
	all := strings.Repeat("[aa:ss]", 2896)
	list, _, f := readGames([]byte("(;SZ[19]AB"+all+")"), record.Reading{})
	if f != nil {
		t.Fatal(f)
	}
	plies := 0
	for n := list[0].Root; len(n.Next) > 0; n = n.Next[0] {
		plies++
	}
	if want := 2*19*19 - 1; plies != want {
		t.Errorf("a full board of black stones is set up by %d moves, want %d", plies, want)
	}
	for _, text := range []string{"(;SZ[19]TR" + all + ")", "(;SZ[19];B[aa]TR" + all + ")"} {
		if list, _, f := readGames([]byte(text), record.Reading{}); f == nil {
			t.Errorf("%.20q: %d games with a million marks", text, len(list))
		}
	}
}

func TestHostileTrees(t *testing.T) {
	cell := func(n int) *int { return &n }
	for name, root := range map[string]*pageNode{
		"a cell off the board":    {Next: []*pageNode{{Cell: cell(225)}}},
		"no cell":                 {Next: []*pageNode{{}}},
		"a set-up off the board":  {Next: []*pageNode{{Cell: cell(-2), Setup: true}}},
		"a mark off the board":    {Marks: []pageMark{{Cell: 300, Kind: "cross"}}},
		"an unknown mark":         {Marks: []pageMark{{Cell: 3, Kind: "star"}}},
		"a property without name": {More: [][]string{{"", "x"}}},
		"a property that ends":    {More: [][]string{{"XX", "x];B[aa"}}},
		"an open escape":          {More: [][]string{{"XX", `x\`}}},
	} {
		v := saved{Width: 15, Height: 15, Root: root}
		if data, f := v.write("sgf"); f == nil {
			t.Errorf("%s: written as %s", name, data)
		}
	}
	if _, f := (&saved{Width: 15, Height: 15, Rule: board.Renju}).write("sgf"); f == nil {
		t.Error("a game without a tree is written")
	}
}

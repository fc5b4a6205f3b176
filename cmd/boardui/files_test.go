//go:build !js

package main

import (
	"encoding/json"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/record/charset"
)

// The explorer of the page offers the files that it can take, and the buttons save in formats that can be
// written.
func TestPageKnowsTheFormats(t *testing.T) {
	html := pageFile(t, "index.html")
	if want := `id="feed-file" type="file" accept=".lib,.db"`; !strings.Contains(html, want) {
		t.Errorf("index.html has no %s", want)
	}
	for _, name := range []string{"psq", "sgf", "lib"} {
		if _, ok := record.OutputNamed(name); !ok || !strings.Contains(html, `id="save-`+name+`"`) {
			t.Errorf("no button or no format %s", name)
		}
	}
}

func TestFilesComeBackAsTheyWere(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	const root = `{"next":[{"color":"black","move":"h8","comment":"12ms","next":[{"color":"white","move":"i9","comment":"340ms","next":[{"color":"black","move":"h9","comment":"5ms"}]}]}]}`
	for _, format := range []string{"psq", "sgf", "lib"} {
		game := map[string]any{"game": "game-of-a-test", "format": format, "outcome": "", "tree": map[string]any{
			"game": 1, "width": 15, "height": 15, "rule": 4, "root": json.RawMessage(root), "black": "A [person]", "white": "Tengen", "date": "2026-01-02"}}
		var file struct{ Data []byte }
		if status, code := q.ask("/api/save", game, &file); status != 200 {
			t.Fatal(format, status, code)
		}
		var back struct {
			Games []struct {
				Tree struct {
					Width, Rule int
					Black       string
					Root        json.RawMessage
				}
			}
		}
		if status, code := q.ask("/api/open", map[string]any{"game": "game-of-a-test", "data": file.Data, "rule": 4}, &back); status != 200 || len(back.Games) != 1 {
			t.Fatal(format, status, code, len(back.Games))
		}
		g := back.Games[0].Tree
		want, black := root, "A [person]"
		if format == "lib" { // which has no names; times are comments
			black = ""
		}
		if string(g.Root) != want || g.Width != 15 || g.Rule != 4 || g.Black != black {
			t.Errorf("%s: got back %s, %+v", format, g.Root, g)
		}
	}
}

func TestGameOfAnotherRuleIsShownUnderFreestyle(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	// Black plays two threes, which renju forbids, and .psq does not tell the rule.
	text := "Piskvorky 15x15, 11:11, 0\n8,7,0\n1,1,0\n8,6,0\n1,3,0\n7,8,0\n1,5,0\n6,8,0\n1,7,0\n8,8,0\nA\nB\n0\n"
	var back openedFile
	if status, code := q.ask("/api/open", map[string]any{"game": "game-of-a-test", "data": []byte(text), "rule": 4}, &back); status != 200 || len(back.Games) != 1 || back.Games[0].Tree.Rule != 0 {
		t.Errorf("%d %s %+v", status, code, back)
	}
}

// A file with more games than the page shows says how many it has.
func TestGamesOfAFileAreCounted(t *testing.T) {
	line := "(;SZ[15]" + strings.Repeat(";B[];W[]", 450) + ")"
	for _, test := range []struct {
		text  string
		shown int
	}{
		{strings.Repeat("(;SZ[15];B[hh])", 3), 3},
		{strings.Repeat("(;SZ[15];B[hh])", maxShown+7), maxShown},
		{strings.Repeat(line, 120), maxItems / 900},
	} {
		list, all, f := readGames([]byte(test.text), record.Reading{})
		if f != nil || len(list) != test.shown || all != strings.Count(test.text, "(") {
			t.Errorf("%d games of %d are shown, %v; want %d of %d", len(list), all, f, test.shown, strings.Count(test.text, "("))
		}
	}
}

// Files as people have them, in all encodings and dialects: the page shows what testdata/files/want.txt
// says of each, or says why it does not. Its button offers files with the endings of those that it shows.
func TestFilesAsPeopleHaveThem(t *testing.T) {
	const dir = "../../testdata/files/"
	want, err := os.ReadFile(dir + "want.txt")
	if err != nil {
		t.Fatal(err)
	}
	shownEndings := map[string]bool{}
	for line := range strings.Lines(string(want)) {
		if line[0] == '#' {
			continue
		}
		f := strings.Split(strings.TrimSpace(line), "\t")
		name, rules, pos, says := f[0], strings.Fields(f[1]), f[3], f[4]
		raw, err := os.ReadFile(dir + name)
		if err != nil {
			t.Fatal(err)
		}
		list, all, fault := readGames(raw, record.Reading{})
		if pos == "-" {
			if fault == nil || !strings.Contains(fault.Text, says) {
				t.Errorf("%s: %d games, %+v; want a fault with %q", name, len(list), fault, says)
			}
			continue
		}
		if fault != nil || all != len(list) {
			t.Errorf("%s: %d games of %d, %+v", name, len(list), all, fault)
			continue
		}
		shownEndings[path.Ext(name)] = true
		var moves []string
		for i, g := range list {
			game, err := g.Tree.Game()
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			moves = append(moves, record.FormatMoves(game.Moves))
			if rule := rules[min(i, len(rules)-1)]; strconv.Itoa(int(g.Tree.Rule)) != rule {
				t.Errorf("%s: rule %d, want %s", name, g.Tree.Rule, rule)
			}
			shown, err := json.Marshal(g)
			if err != nil || strings.ContainsRune(string(shown), utf8.RuneError) {
				t.Errorf("%s: shown as %s", name, shown)
			}
		}
		if got := strings.Join(moves, " "); got != pos {
			t.Errorf("%s: moves %s, want %s", name, got, pos)
		}
	}
	offer := `id="file" type="file" accept="` + strings.Join(slices.Sorted(maps.Keys(shownEndings)), ",") + `"`
	if !strings.Contains(pageFile(t, "index.html"), offer) {
		t.Errorf("index.html has no %s", offer)
	}
}

// A game keeps the encoding of its file and what that says of the rule.
func TestFilesKeepWhatTheyWere(t *testing.T) {
	gbk, _ := charset.GB18030.Encode("这里应该冲四，白必败")
	lib := "\xffRenLib\xff\x03\x00" + strings.Repeat("\xff", 10) + "\x00\x00\x78\x48" + string(gbk) + strings.Repeat("\x00", 2-len(gbk)%2)
	list, _, f := readGames([]byte(lib), record.Reading{})
	if f != nil || list[0].Encoding != "GB18030" || list[0].Tree.Root.Children[0].Comment != "这里应该冲四，白必败" {
		t.Fatalf("%+v, %+v", list, f)
	}
	data, f := list[0].write("lib")
	if f != nil || !strings.Contains(string(data), string(gbk)) {
		t.Errorf("written as %q, %+v", data, f)
	}
	list, _, f = readGames([]byte("(;GM[4]SZ[15]RU[Taraguchi-10];B[hh])"), record.Reading{})
	if f != nil {
		t.Fatal(f)
	}
	if data, f := list[0].write("sgf"); f != nil || !strings.Contains(string(data), "RU[Taraguchi-10]") {
		t.Errorf("written as %q, %+v", data, f)
	}
	list[0].Tree.Rule = board.Freestyle // the user has changed it
	if data, f := list[0].write("sgf"); f != nil || !strings.Contains(string(data), "RU[freestyle]") {
		t.Errorf("written as %q, %+v", data, f)
	}
}

// The order of the stones that a file sets up does not make one of them a foul, or the game freestyle.
func TestAPositionOfRenjuInAnyOrder(t *testing.T) {
	for _, stones := range []string{"AB[gh][ih][hg][hi][hh]AW[aa][oa][ao][oo]", "AB[gh][ih][hg][hi][hh]AW[aa]PL[B]"} {
		list, _, f := readGames([]byte("(;SZ[15]"+stones+")"), record.Reading{Rule: board.Renju})
		if f != nil {
			t.Fatal(f)
		}
		if v := list[0].Tree; v.Rule != board.Renju || !legal(v) {
			t.Errorf("%s: rule %v, legal %v", stones, v.Rule, legal(v))
		}
	}
}

// A bad game does not hide the others of its file.
func TestABrokenGameAmongOthers(t *testing.T) {
	list, all, f := readGames([]byte("(;SZ[15];B[hh])(;SZ[15]AB[hh];B[hh])(;SZ[15];B[ii])"), record.Reading{})
	if f != nil || len(list) != 2 || all != 3 || list[1].Tree.Root.Children[0].Move != board.At(8, 8) {
		t.Errorf("%d of %d games, %v", len(list), all, f)
	}
	if list, _, f := readGames([]byte("(;SZ[15]AB[hh];B[hh])"), record.Reading{}); f == nil || !strings.HasPrefix(f.Text, "game 1: ") {
		t.Errorf("%d games, %v", len(list), f)
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

// A game that cannot be shown does not hide the others of its file.
func TestGamesBesideOneThatCannotBeShown(t *testing.T) {
	list, all, f := readGames([]byte("(;SZ[15];B[hh];AB[ii])(;SZ[15];B[gg])(;SZ[15];B[aa];AE[aa])"), record.Reading{})
	if f != nil || all != 3 || len(list) != 1 || list[0].Tree.Root.Children[0].Move != board.At(6, 6) {
		t.Errorf("%d games of %d: %+v, %v", len(list), all, list, f)
	}
}

// What a small file repeats makes no more than the page can show.
func TestRepeatedStonesAndMarks(t *testing.T) {
	all := strings.Repeat("[aa:ss]", 2896)
	list, _, f := readGames([]byte("(;SZ[19]AB"+all+")"), record.Reading{})
	if f != nil {
		t.Fatal(f)
	}
	if n := len(list[0].Tree.Root.Setup); n != 19*19 {
		t.Errorf("%d stones on a full board", n)
	}
	for _, text := range []string{"(;SZ[19]TR" + all + ")", "(;SZ[19];B[aa]TR" + all + ")"} {
		if list, _, f := readGames([]byte(text), record.Reading{}); f == nil {
			t.Errorf("%.20q: %d games with a million marks", text, len(list))
		}
	}
}

func TestHostileTrees(t *testing.T) {
	for name, root := range map[string]string{
		"no tree":                `null`,
		"a tree without a root":  `{"game":1,"width":15,"height":15}`,
		"a null for a node":      `{"game":1,"width":15,"height":15,"root":{"next":[null]}}`,
		"a move off the board":   `{"game":1,"width":15,"height":15,"root":{"next":[{"color":"black","move":"p1"}]}}`,
		"a stone off the board":  `{"game":1,"width":15,"height":15,"root":{"black":"a16"}}`,
		"a mark off the board":   `{"game":1,"width":15,"height":15,"root":{"marks":[{"at":"a0","kind":"cross"}]}}`,
		"a board that is none":   `{"game":1,"width":1000000,"height":15,"root":{}}`,
		"a property that ends":   `{"game":1,"width":15,"height":15,"root":{"more":[["XX","x];B[aa"]]}}`,
		"a rule that is unknown": `{"game":1,"width":15,"height":15,"rule":77,"root":{}}`,
	} {
		var v fileGame
		if json.Unmarshal([]byte(`{"tree":`+root+`}`), &v) != nil {
			continue
		}
		if data, f := v.write("sgf"); f == nil {
			t.Errorf("%s: written as %s", name, data)
		}
	}
}

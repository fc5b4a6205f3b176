//go:build !js

package main

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/record/charset"
)

// The page offers all files that can be read, and its buttons save in formats that can be written.
func TestPageKnowsTheFormats(t *testing.T) {
	html := pageFile(t, "index.html")
	for id, endings := range map[string]string{"file": strings.Join(record.Endings(), ",."), "feed-file": "lib,.db"} {
		if want := `id="` + id + `" type="file" accept=".` + endings + `"`; !strings.Contains(html, want) {
			t.Errorf("index.html has no %s", want)
		}
	}
	for _, name := range []string{"psq", "sgf", "lib"} {
		if _, ok := record.OutputNamed(name); !ok || !strings.Contains(html, `id="save-`+name+`"`) {
			t.Errorf("no button or no format %s", name)
		}
	}
}

func TestFilesComeBackAsTheyWere(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	const root = `{"next":[{"cell":112,"took":12,"next":[{"cell":128,"took":340,"next":[{"cell":127,"took":5}]}]}]}`
	for _, format := range []string{"psq", "sgf", "lib"} {
		game := map[string]any{"game": "game-of-a-test", "width": 15, "height": 15, "rule": 4, "root": json.RawMessage(root), "opening": 0,
			"format": format, "black": "A [person]", "white": "Tengen", "outcome": "", "reason": "", "date": "2026-01-02"}
		var file struct{ Data []byte }
		if status, code := q.ask("/api/save", game, &file); status != 200 {
			t.Fatal(format, status, code)
		}
		var back opened
		if status, code := q.ask("/api/open", map[string]any{"game": "game-of-a-test", "data": file.Data, "rule": 4}, &back); status != 200 || len(back.Games) != 1 {
			t.Fatal(format, status, code, len(back.Games))
		}
		g := back.Games[0]
		got, err := json.Marshal(g.Root)
		if err != nil {
			t.Fatal(err)
		}
		want, black := root, "A [person]"
		if format == "lib" { // which has no names; times are comments
			black = ""
		}
		if string(got) != want || g.Width != 15 || g.Rule != 4 || g.Black != black || g.Moves != 3 {
			t.Errorf("%s: got back %s, %+v", format, got, g)
		}
	}
}

func TestGameOfAnotherRuleIsShownUnderFreestyle(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	// Black plays two threes, which renju forbids, and .psq does not tell the rule.
	text := "Piskvorky 15x15, 11:11, 0\n8,7,0\n1,1,0\n8,6,0\n1,3,0\n7,8,0\n1,5,0\n6,8,0\n1,7,0\n8,8,0\nA\nB\n0\n"
	var back opened
	if status, code := q.ask("/api/open", map[string]any{"game": "game-of-a-test", "data": []byte(text), "rule": 4}, &back); status != 200 || len(back.Games) != 1 || back.Games[0].Rule != 0 {
		t.Errorf("%d %s %+v", status, code, back)
	}
}

func TestContinuousGameIsToldAsOne(t *testing.T) {
	for rule, want := range map[string]saved{"RU[2]": {Continuous: true}, "RU[3]": {Rule: board.ExactFive, Continuous: true}, "RU[4]": {Rule: board.Renju}} {
		list, _, f := readGames([]byte("(;GM[4]SZ[15]"+rule+";B[hh])"), record.Reading{})
		if f != nil || len(list) != 1 || list[0].Rule != want.Rule || list[0].Continuous != want.Continuous {
			t.Errorf("%s: %+v, %v", rule, list, f)
		}
	}
}

// How a game has ended besides a row is in its last move.
func TestWhoHasGivenUp(t *testing.T) {
	for text, want := range map[string]pageNode{
		"RE[W+1]TE[resigned]": {Resigned: "black"},
		"RE[B+Resign]":        {Resigned: "white"},
		"RE[W+1]TE[timeout]":  {Resigned: "black", Flagged: true},
		"RE[B+Time]":          {Resigned: "white", Flagged: true},
		"RE[0]TE[timeout]":    {},
		"RE[W+1]":             {},
	} {
		list, _, f := readGames([]byte("(;GM[4]SZ[15]"+text+";B[hh])"), record.Reading{})
		if f != nil {
			t.Fatal(f)
		}
		if last := list[0].Root.Next[0]; last.Resigned != want.Resigned || last.Flagged != want.Flagged {
			t.Errorf("%s: %+v, want %+v", text, last, want)
		}
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
// says of each, or says why it does not.
func TestFilesAsPeopleHaveThem(t *testing.T) {
	const dir = "../../testdata/files/"
	want, err := os.ReadFile(dir + "want.txt")
	if err != nil {
		t.Fatal(err)
	}
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
		var moves []string
		for i, g := range list {
			text := ""
			p := pageTree{width: g.Width}
			for n := g.Root; len(n.Next) > 0; {
				n = n.Next[0]
				text += record.FormatMoves([]board.Move{p.at(*n.Cell)})
			}
			moves = append(moves, text)
			if rule := rules[min(i, len(rules)-1)]; strconv.Itoa(int(g.Rule)) != rule {
				t.Errorf("%s: rule %d, want %s", name, g.Rule, rule)
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
}

// A game keeps the encoding of its file and what that says of the rule.
func TestFilesKeepWhatTheyWere(t *testing.T) {
	gbk, _ := charset.GB18030.Encode("这里应该冲四，白必败")
	lib := "\xffRenLib\xff\x03\x00" + strings.Repeat("\xff", 10) + "\x00\x00\x78\x48" + string(gbk) + strings.Repeat("\x00", 2-len(gbk)%2)
	list, _, f := readGames([]byte(lib), record.Reading{})
	if f != nil || list[0].Encoding != "GB18030" || list[0].Root.Next[0].Comment != "这里应该冲四，白必败" {
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
	list[0].Rule = board.Freestyle // the user has changed it
	if data, f := list[0].write("sgf"); f != nil || !strings.Contains(string(data), "RU[freestyle]") {
		t.Errorf("written as %q, %+v", data, f)
	}
}

package main

import (
	"encoding/json"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
)

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

//go:build !js

package main

import (
	"fmt"
	"strings"
	"testing"

	"tengen/brain/board"
)

// A game of a file may go on after its end; the end is what the page shows.
func TestAfterTheEnd(t *testing.T) {
	p := position{Width: 15, Height: 15, Rule: board.Renju, Moves: "h7a1h6a3g8a5f8a7h8a9"}
	l, f := p.show(false)
	if f != nil || l.Over != "white" || l.Rows != nil || !l.Foul {
		t.Errorf("after a forbidden move: %+v, %v", l, f)
	}
	p = position{Width: 15, Height: 15, Moves: "a1a2b1b2c1c2d1d2e1e2f1"}
	l, f = p.show(true)
	if f != nil || l.Over != "black" || len(l.Rows) != 1 || l.Rows[0] != "a1b1c1d1e1" || l.Foul {
		t.Errorf("after a five: %+v, %v", l, f)
	}
	p.Moves = "a1o1b1o3c1o5d1o7e1o9"
	if l, f = p.show(true); f != nil || l.Over != "black" || l.Threats != nil {
		t.Errorf("a five threatens nothing more: %+v, %v", l, f)
	}
	if _, _, f := p.set(); f == nil {
		t.Error("an engine may be asked after the end")
	}
}

// A pass after the end is named like any other move.
func TestPassAfterTheEnd(t *testing.T) {
	b, err := board.New(board.Freestyle, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	moves, err := board.ParseMoves("a1a2b1b2c1c2d1d2e1", 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	if f := replay(b, append(moves, board.None)); f == nil || !strings.Contains(f.Error(), "move 10, pass, comes after the end") {
		t.Errorf("%v", f)
	}
}

func TestPositionsWithPasses(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	ask := func(moves string) (look, string) {
		var l look
		_, code := q.ask("/api/look", map[string]any{"game": "game-of-a-test", "width": 15, "height": 15, "rule": 0, "moves": moves, "threats": false}, &l)
		return l, code
	}
	tests := []struct{ moves, side, over, code string }{
		{"h8-i8-j8-", "black", "", ""},
		{"h8-i8-j8-k8", "white", "", ""},
		{"h8-i8-j8-k8-l8", "white", "black", ""},
		{"-h8-i8-j8-k8-l8", "black", "white", ""},
		{"h8-i8-j8-k8-l8-", "black", "black", ""},
		{"h8-i8-j8-k8-l8a1a2", "white", "black", ""},
		{"-", "white", "", ""},
		{"h8-h8", "", "", "taken"},
		{"h8 - i8", "", "", "moves"},
		{strings.Repeat("-", maxPasses), "black", "", ""},
		{strings.Repeat("-", maxPasses+1), "", "", "moves"},
	}
	for _, test := range tests {
		l, code := ask(test.moves)
		if l.Side != test.side || l.Over != test.over || code != test.code {
			t.Errorf("%.30s: %q to move, over %q, fault %q, want %+v", test.moves, l.Side, l.Over, code, test)
		}
	}
	// meek plays the first cell of every second column that is free.
	if end := last(q.think(map[string]any{"moves": "h8-i8-"})); end.Moves != "a1" || end.Look.Side != "white" {
		t.Errorf("the answer with a handicap: %+v", end)
	}
}

func TestLookSeesTheRules(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	tests := []struct {
		name      string
		rule      int
		moves     string
		over      string
		rows      string
		forbidden string
	}{
		{"the beginning", 0, "", "", "", ""},
		{"five", 0, "a1a2b1b2c1c2d1d2e1", "black", "a1b1c1d1e1", ""},
		{"five of white along a diagonal", 0, "a2a1c2b2e2c3g2d4i2e5", "white", "a1b2c3d4e5", ""},
		{"six, freestyle", 0, "a1a3b1b3c1c3d1d3f1f3e1", "black", "a1b1c1d1e1f1", ""},
		{"six, exactly five", 1, "a1a3b1b3c1c3d1d3f1f3e1", "", "", ""},
		{"two rows with one stone", 0, "a1a3b1b3c1c3d1d3e2f9e3g9e4h9e5j9e1", "black", "a1b1c1d1e1|e1e2e3e4e5", ""},
		{"capped five, caro", 8, "b1a1c1g1d1o2e1o4f1", "", "", ""},
		{"two threes, renju", 4, "h7a1h6a3g8a5f8a7", "", "", "h8"},
		{"two threes, freestyle", 0, "h7a1h6a3g8a5f8a7", "", "", ""},
	}
	for _, test := range tests {
		v := lookAt(test.moves)
		v["rule"] = test.rule
		var got look
		if status, code := q.ask("/api/look", v, &got); status != 200 {
			t.Errorf("%s: %d %s", test.name, status, code)
			continue
		}
		if got.Over != test.over || strings.Join(got.Rows, "|") != test.rows || got.Forbidden != test.forbidden {
			t.Errorf("%s: over %q, rows %q, forbidden %q, want %q, %q, %q",
				test.name, got.Over, got.Rows, got.Forbidden, test.over, test.rows, test.forbidden)
		}
	}
	status, code := q.ask("/api/think", map[string]any{"game": "game-of-a-test", "width": 15, "height": 15, "rule": 4, "moves": "h7a1h6a3g8a5f8a7h8", "millis": 100}, &struct{}{})
	if status != 400 || code != "forbidden" {
		t.Errorf("a forbidden move: %d %s, want 400 forbidden", status, code)
	}
}

func TestThreatsOfBothSidesAreSeen(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	v := lookAt("h8a1i8b1j8c1a15d1")
	v["threats"] = true
	var got look
	if status, code := q.ask("/api/look", v, &got); status != 200 {
		t.Fatal(status, code)
	}
	want := []threat{{"black", 3, "g8", "h8i8j8"}, {"black", 3, "k8", "h8i8j8"}, {"white", 4, "e1", "a1b1c1d1"}}
	if fmt.Sprint(got.Threats) != fmt.Sprint(want) {
		t.Errorf("threats %v, want %v", got.Threats, want)
	}
}

func TestFullBoardIsADraw(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	// Rows of five in the pattern xxoox and its opposite hold no five.
	moves := "a1c1b1d1e1a2c2b2d2e2a3c3b3d3e3a4c4b4d4e4a5c5b5d5e5"
	v := map[string]any{"game": "game-of-a-test", "width": 5, "height": 5, "rule": 0, "moves": moves, "threats": false}
	var got look
	status, code := q.ask("/api/look", v, &got)
	if status != 200 || got.Over != "draw" {
		t.Errorf("%d %s, over %q, want draw", status, code, got.Over)
	}
}

// The only empty cell would make seven in a row of black, which is forbidden.
func TestBlackWithoutAMoveHasLost(t *testing.T) {
	b, err := board.New(board.Renju, 7, 5)
	if err != nil {
		t.Fatal(err)
	}
	for y := 1; y < 5; y++ {
		for x := range 7 {
			b.Block(board.At(x, y))
		}
	}
	for _, x := range []int{0, 1, 2, 4, 5, 6} {
		b.Play(board.At(x, 0))
		b.Pass()
	}
	if got := see(b, true); got.Over != "white" || got.Forbidden != "d1" || got.Side != "black" || got.Rows != nil {
		t.Errorf("%+v, want white to have won with d1 forbidden", got)
	}
}

// Why black may not play a point is said of each.
func TestWhyPointsAreForbidden(t *testing.T) {
	for _, test := range []struct{ name, black, at, want string }{
		{"a row of six", "d8e8f8h8i8", "g8", "overline"},
		{"fours in two directions", "e8f8g8h5h6h7", "h8", "fours"},
		{"two fours in one line", "d8f8g8j8", "h8", "fours"},
		{"threes in two directions", "f8g8h6h7", "h8", "threes"},
	} {
		moves, err := board.ParseMoves(test.black, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		b, err := board.New(board.Renju, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range moves {
			b.Play(m)
			b.Play(board.At(2*i, 14)) // white, far away
		}
		l := see(b, false)
		if l.Forbidden != test.at || len(l.Fouls) != 1 || l.Fouls[0] != test.want {
			t.Errorf("%s: %q is forbidden by %q, want %s by %s", test.name, l.Forbidden, l.Fouls, test.at, test.want)
		}
	}
}

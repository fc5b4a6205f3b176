package main

import (
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

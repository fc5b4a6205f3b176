package main

import (
	"strings"
	"testing"
)

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
		{"h8-i8-j8-k8-l8-", "", "", "over"},
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

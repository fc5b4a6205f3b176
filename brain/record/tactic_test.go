package record

import (
	"strings"
	"testing"

	"tengen/brain/board"
)

func TestATacticIsRead(t *testing.T) {
	all, err := ReadTactics(strings.NewReader("\ufeff# a comment\r\n\r\n 4 15  h8i9h9h7g9i10 j8g8\t17 \r\n0 20 - k10 1\n"))
	if err != nil || len(all) != 2 {
		t.Fatalf("%d tactics, error %v; want 2", len(all), err)
	}
	a, b := all[0], all[1]
	if a.Rule != board.Renju || a.Size != 15 || FormatMoves(a.Moves) != "h8i9h9h7g9i10" ||
		FormatMoves(a.Wins) != "j8g8" || a.Plies != 17 || a.Line != 3 {
		t.Errorf("the first is %+v", a)
	}
	if b.Rule != board.Freestyle || b.Size != 20 || len(b.Moves) != 0 || FormatMoves(b.Wins) != "k10" || b.Line != 4 {
		t.Errorf("the second is %+v", b)
	}
}

func TestABadTacticIsRefusedWithItsLine(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"too few fields", "0 15 h8i9 j8", "4 fields"},
		{"too many fields", "0 15 h8i9 j8 9 10", "6 fields"},
		{"a rule in words", "renju 15 h8i9 j8 9", "rule"},
		{"a rule there is not", "12 15 h8i9 j8 9", "rule"},
		{"a rule too large for a byte", "256 15 h8i9 j8 9", "rule"},
		{"a board too large", "0 23 h8i9 j8 9", "size"},
		{"a board of no size", "0 x h8i9 j8 9", "size"},
		{"a move off the board", "0 15 h8p9 j8 9", "p9"},
		{"a stone twice", "0 15 h8h8 j8 9", "taken"},
		{"a game that is over", "0 15 a1a2b1b2c1c2d1d2e1 j8 9", "ends the game"},
		{"a forbidden winning move", "4 15 g8a1i8a3h7a5h9a7 h8 9", "forbidden"},
		{"no winning move", "0 15 h8i9 - 9", "winning"},
		{"a winning move on a stone", "0 15 h8i9 h8 9", "h8"},
		{"a winning move twice", "0 15 h8i9 j8j8 9", "twice"},
		{"an even number of plies", "0 15 h8i9 j8 10", "plies"},
		{"no plies", "0 15 h8i9 j8 0", "plies"},
	} {
		all, err := ReadTactics(strings.NewReader("# first\n" + tt.line + "\n"))
		if err == nil || !strings.Contains(err.Error(), "line 2: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, error %v; want line 2 and %q", tt.name, all, err, tt.want)
		}
	}
}

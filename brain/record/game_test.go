package record

import (
	"testing"

	"tengen/brain/board"
)

func TestOutcome(t *testing.T) {
	tests := []struct {
		winner board.Color
		want   Outcome
		text   string
	}{
		{board.Black, BlackWon, "1-0"},
		{board.White, WhiteWon, "0-1"},
		{board.Empty, Drawn, "1/2-1/2"},
	}
	for _, test := range tests {
		o := WonBy(test.winner)
		if o != test.want || o.String() != test.text || ParseOutcome(test.text) != o {
			t.Errorf("%v won: %v, text %q, read back as %v", test.winner, o, o.String(), ParseOutcome(test.text))
		}
	}
	for _, text := range []string{"*", "", "2-0", "1-0 "} {
		if o := ParseOutcome(text); o != Unknown {
			t.Errorf("%q is read as %v", text, o)
		}
	}
}

func TestHalfPoints(t *testing.T) {
	for o, want := range map[Outcome][2]int{BlackWon: {2, 0}, WhiteWon: {0, 2}, Drawn: {1, 1}, Unknown: {1, 1}} {
		if got := [2]int{o.HalfPoints(board.Black), o.HalfPoints(board.White)}; got != want {
			t.Errorf("%v: %v, want %v", o, got, want)
		}
	}
}

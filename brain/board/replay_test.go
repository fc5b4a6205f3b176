package board

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestPlayAll(t *testing.T) {
	const open = "h8a1h9a3h10a5h11a7" // black makes five on h7 or h12
	tests := []struct {
		name  string
		rule  Rule
		moves string // with "-" for a pass
		plies int    // that are played
		err   error
		says  string
	}{
		{"no move", Freestyle, "", 0, nil, ""},
		{"a game that goes on", Freestyle, open, 8, nil, ""},
		{"the last move ends the game", Freestyle, open + "h12", 9, nil, ""},
		{"a pass", Freestyle, "h8-h9", 3, nil, ""},
		{"on a stone", Freestyle, "h8i9h8", 2, ErrTaken, "bad move 3, h8: the cell is taken"},
		{"after the end", Freestyle, open + "h12a9", 9, ErrOver, "bad move 10, a9: the game is over"},
		{"a pass after the end", Freestyle, open + "h12-", 9, ErrOver, "bad move 10, none: the game is over"},
		{"a foul", Renju, "h8a1h9a3f7a5g7a7h7a9", 8, ErrForbidden, "bad move 9, h7: forbidden for black"},
		{"on after a row of a continuous game", Continuous, open + "h12a9", 10, nil, ""},
		{"on a stone of that row", Continuous, open + "h12h8", 9, ErrTaken, "bad move 10, h8: the cell is taken"},
		{"off the board", Freestyle, "h8p1", 1, ErrOff, "bad move 2, p1: not on the board"},
	}
	for _, test := range tests {
		b, err := New(test.rule, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		var moves []Move
		for i, part := range strings.Split(test.moves, "-") {
			if i > 0 {
				moves = append(moves, None)
			}
			some, err := ParseMoves(part, MaxSize, MaxSize)
			if err != nil {
				t.Fatal(err)
			}
			moves = append(moves, some...)
		}
		err = b.PlayAll(moves)
		if b.Ply() != test.plies || !errors.Is(err, test.err) {
			t.Errorf("%s: %d plies, %v, want %d, %v", test.name, b.Ply(), err, test.plies, test.err)
		}
		if got := b.Moves(); !slices.Equal(got, moves[:test.plies]) {
			t.Errorf("%s: the moves are %v, want %v", test.name, got, moves[:test.plies])
		}
		if row := b.rule&Continuous != 0 && b.Ply() >= 9; row != (b.Cell(At(7, 7)) == Wall) {
			t.Errorf("%s: h8 is %v", test.name, b.Cell(At(7, 7)))
		}
		if err != nil && err.Error() != test.says {
			t.Errorf("%s: %v, want %s", test.name, err, test.says)
		}
	}
}

// What Moves returns does not change with the board.
func TestMovesStay(t *testing.T) {
	b, err := New(Freestyle, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Moves(); len(got) != 0 {
		t.Errorf("%v on the empty board", got)
	}
	b.Play(At(7, 7))
	b.Pass()
	moves := b.Moves()
	b.Undo()
	b.Play(At(8, 8))
	if want := []Move{At(7, 7), None}; !slices.Equal(moves, want) {
		t.Errorf("%v, want %v", moves, want)
	}
}

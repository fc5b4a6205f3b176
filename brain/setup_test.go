package brain

import (
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
)

func TestSetupColors(t *testing.T) {
	tests := []struct {
		name   string
		stones string // cells with their owner: h8 is ours, H8 theirs
		side   board.Color
		told   string // the value of INFO side
	}{
		{"an empty board", "", board.Black, "0"},
		{"equal counts: we are black", "h8I9", board.Black, "0"},
		{"equal counts in another order: we are black", "I9h8", board.Black, "0"},
		{"one of theirs more: we are white", "H8i9J10", board.White, "0"},
		{"one of theirs more, ours first: we are white", "i9H8J10", board.White, "0"},
		{"one of ours more: the first is black, ours", "h8I9j10", board.Black, "0"},
		{"one of ours more, theirs first: we are white", "I9h8j10", board.White, "0"},
		{"only ours", "h8i9j10", board.Black, "0"},
		{"only theirs", "H8I9J10", board.White, "0"},
		{"equal counts, we are told to be white", "h8I9", board.White, "2"},
		{"one of theirs more, we are told to be black", "H8i9J10", board.Black, "1"},
		{"only theirs, we are told to be black", "H8I9J10", board.Black, "1"},
	}
	for _, test := range tests {
		e := newGame(t, 15, 15, "side", test.told)
		var stones []Stone
		for _, m := range cells(t, test.stones) {
			owner := Own
			if at := strings.Index(strings.ToLower(test.stones), m.String()); test.stones[at] < 'a' {
				owner = Opponent
			}
			stones = append(stones, Stone{Move: m, Owner: owner})
		}
		if err := e.Setup(stones); err != nil {
			t.Fatal(err)
		}
		if e.board.Side() != test.side {
			t.Errorf("%s: %v is to move, want %v", test.name, e.board.Side(), test.side)
		}
		for _, s := range stones {
			want := test.side
			if s.Owner == Opponent {
				want = want.Other()
			}
			if got := e.board.Cell(s.Move); got != want {
				t.Errorf("%s: %v is %v, want %v", test.name, s.Move, got, want)
			}
		}
	}
}

// In a continuous game the stones of rows are listed as blocked cells, and the others need not
// be as many of one side as of the other.
func TestSetupColorsOfAContinuousGame(t *testing.T) {
	for _, c := range []struct {
		name, ours, theirs, blocked string
		side                        board.Color
	}{
		{"our row, we are black", "j10g7g8e8", "a1c1e1g1i1k1m1o1a3", "a15b15c15d15e15", board.Black},
		{"our row, we are white", "j10g7g8e8", "a1c1e1g1i1k1m1o1a3c3", "a15b15c15d15e15", board.White},
		{"their row, we are black", "j10g7g8e8a1c1e1", "g1i1", "a15b15c15d15e15", board.Black},
		{"nothing but rows", "", "", "a15b15c15d15e15a1b1c1d1", board.White},
	} {
		e := newGame(t, 15, 15, "rule", "6")
		stones := append(list(t, c.blocked, Blocked), append(list(t, c.theirs, Opponent), list(t, c.ours, Own)...)...)
		if err := e.Setup(stones); err != nil {
			t.Fatal(err)
		}
		if got := e.board.Side(); got != c.side {
			t.Errorf("%s: %v is to move, want %v", c.name, got, c.side)
		}
		for _, m := range cells(t, c.ours) {
			if got := e.board.Cell(m); got != c.side {
				t.Errorf("%s: our stone on %v is %v, want %v", c.name, m, got, c.side)
			}
		}
	}
}

func TestSetupKeepsTheOrderOfAGame(t *testing.T) {
	e := newGame(t, 15, 15)
	moves := cells(t, "h8i9g7j8f6")
	var stones []Stone
	for i, m := range moves {
		stones = append(stones, Stone{Move: m, Owner: []Owner{Opponent, Own}[i%2]})
	}
	if err := e.Setup(stones); err != nil {
		t.Fatal(err)
	}
	if got := e.board.Moves(); !slices.Equal(got, moves) {
		t.Errorf("got %v, want %v", got, moves)
	}
}

func TestTakeBackInAnyOrder(t *testing.T) {
	e := newGame(t, 15, 15)
	moves := cells(t, "h8i9g7j8")
	for _, m := range moves {
		if err := e.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	before := e.board.Hash()
	steps := []struct {
		take board.Move
		side board.Color
	}{{moves[3], board.White}, {moves[0], board.Black}, {moves[2], board.Black}, {moves[1], board.Black}}
	for i, step := range steps {
		if err := e.TakeBack(step.take); err != nil {
			t.Fatal(err)
		}
		if e.board.Cell(step.take) != board.Empty {
			t.Errorf("step %d: the stone is still there", i)
		}
		if e.board.Side() != step.side {
			t.Errorf("step %d: %v is to move, want %v", i, e.board.Side(), step.side)
		}
		if e.TakeBack(step.take) == nil {
			t.Errorf("step %d: a stone was taken back twice", i)
		}
	}
	if err := e.Restart(); err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		e.Play(m)
	}
	if e.board.Hash() != before {
		t.Error("the same game gives another position")
	}
}

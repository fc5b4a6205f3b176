package brain

import (
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/score"
)

// overBeforeTheLastStone lists a game that the other side has won, its row first.
func overBeforeTheLastStone(t *testing.T) []Stone {
	return slices.Concat(list(t, "h8h9h10h11h12o15", Opponent), list(t, "a1c1e1g1i1", Own))
}

// TestEvaluate: the value is that of the evaluation, of a static win, or of the result.
func TestEvaluate(t *testing.T) {
	tests := []struct {
		name, moves string
		want        Value
	}{
		{"a five is there", "h8a1h9a3h10a5h11", score.LossIn(2)}, // white cannot stop both ends
		{"a five is next", "h8a1h9a3h10a5h11a7", score.WinIn(1)},
		{"an open four is next", "h8a1h9a3h10a5", score.WinIn(3)},
		{"lost", "h8a1h9a3h10a5h11a7h12", score.LossIn(0)},
	}
	for _, test := range tests {
		e := New(Config{})
		if _, err := e.Evaluate(); err != ErrNoGame {
			t.Errorf("without a game: %v", err)
		}
		if err := e.NewGame(15, 15); err != nil {
			t.Fatal(err)
		}
		for _, m := range cells(t, test.moves) {
			if err := e.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := e.Evaluate(); err != nil || got != test.want {
			t.Errorf("%s: %v, %v, want %v", test.name, got, err, test.want)
		}
	}
	e := newGame(t, 15, 15)
	if err := e.Setup(overBeforeTheLastStone(t)); err != nil {
		t.Fatal(err)
	}
	if got, err := e.Evaluate(); err != nil || got != score.LossIn(0) {
		t.Errorf("lost before the last stone: %v, %v", got, err)
	}
	for _, moves := range quietPositions(t, 4) {
		e := New(Config{})
		if err := e.NewGame(15, 15); err != nil {
			t.Fatal(err)
		}
		b, _ := board.New(board.Freestyle, 15, 15)
		for _, m := range moves {
			if err := e.Play(m); err != nil {
				t.Fatal(err)
			}
			b.Play(m)
		}
		want := Value(e.config.Evaluation.New(b).Value())
		if got, err := e.Evaluate(); err != nil || got != want || score.Value(got).Proven() {
			t.Errorf("%v: %d, %v, want %d", moves, got, err, want)
		}
	}
}

// TestPolicy: the shares are those of all legal moves, and the likeliest touches a stone.
func TestPolicy(t *testing.T) {
	e := New(Config{})
	e.Set("rule", "4")
	if _, err := e.Policy(); err != ErrNoGame {
		t.Errorf("without a game: %v", err)
	}
	if err := e.NewGame(15, 15); err != nil {
		t.Fatal(err)
	}
	moves, err := board.ParseMoves("h8h9i9g7i7", 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		if err := e.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	list, err := e.Policy()
	if err != nil || len(list) != 15*15-len(moves) || !slices.ContainsFunc(moves, func(m board.Move) bool { return board.Distance(m, list[0].Move) == 1 }) {
		t.Fatalf("%d moves, %v", len(list), err)
	}
	sum := 0.0
	for i, c := range list {
		if i > 0 && c.Share > list[i-1].Share {
			t.Errorf("%v with %v after %v", c.Move, c.Share, list[i-1].Share)
		}
		sum += c.Share
	}
	if sum < 0.999 || sum > 1.001 {
		t.Errorf("the shares add up to %v", sum)
	}
}

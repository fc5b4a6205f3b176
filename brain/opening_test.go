package brain

import (
	"context"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/score"
)

// swap2Step asks for a step of swap2 and checks that every move of the answer is legal.
func swap2Step(t *testing.T, e *Engine, stones string) Opening {
	t.Helper()
	o, err := e.Opening(context.Background(), cells(t, stones), Query{})
	if err != nil {
		t.Fatal(err)
	}
	taken := map[board.Move]bool{}
	for _, m := range cells(t, stones) {
		taken[m] = true
	}
	for _, m := range o.Moves {
		if !e.board.On(m.X(), m.Y()) || taken[m] {
			t.Errorf("%v after %q is not on a free cell", m, stones)
		}
		taken[m] = true
	}
	if o.Swap != (len(o.Moves) == 0) {
		t.Errorf("after %q the answer is both or nothing: %+v", stones, o)
	}
	return o
}

func TestOpeningProposesThreeStones(t *testing.T) {
	for _, size := range [][2]int{{5, 5}, {15, 15}, {22, 5}, {20, 20}} {
		for _, rule := range []string{"0", "1", "4", "8"} {
			e := newGame(t, size[0], size[1], "rule", rule, "max_node", "2000")
			if o := swap2Step(t, e, ""); len(o.Moves) != 3 {
				t.Errorf("%v, rule %s: got %+v, want three moves", size, rule, o)
			}
		}
	}
}

// The proposal should not be won for either side: a search of its own finds no win.
func TestOpeningProposalIsNotDecided(t *testing.T) {
	e := newGame(t, 15, 15, "rule", "1", "max_node", "20000")
	o := swap2Step(t, e, "")
	for _, m := range o.Moves {
		e.Play(m)
	}
	e.Set("max_node", "3000")
	if v := think(t, e).Infos[0].Score; v > score.WinFloor || v < -score.WinFloor {
		t.Errorf("%v has the value %s", o.Moves, ScoreText(v))
	}
}

func TestOpeningTakesTheBetterSide(t *testing.T) {
	tests := []struct {
		name   string
		stones string
		swap   bool
	}{
		{"black has two and white a stone in the corner", "h8a1i8", true},
		{"black has thrown his stones away", "a1h8o15", false},
		{"five stones, black is winning", "h8a1i8o15j9", true},
		{"five stones, white is winning", "a1h8o15i8a15", false},
	}
	for _, test := range tests {
		e := newGame(t, 15, 15, "rule", "1", "max_node", "10000")
		o := swap2Step(t, e, test.stones)
		if o.Swap != test.swap {
			t.Errorf("%s: got %+v", test.name, o)
		}
		if e.Stones() != 0 {
			t.Errorf("%s: the game has changed", test.name)
		}
	}
}

// The side is chosen by searches under the options in force.
func TestOpeningKeepsToTheOptions(t *testing.T) {
	for _, test := range []struct {
		name, stones, moves, won string
		swap                     bool
	}{
		{"draws are black's", "a1h8o15i8a15", "8", "1", true},
		{"draws are white's", "h8a1i8o15j9", "7", "2", false},
	} {
		e := newGame(t, 15, 15, "rule", "1", "max_node", "20000", "max_moves", test.moves, "draw_result", test.won)
		if o := swap2Step(t, e, test.stones); o.Swap != test.swap {
			t.Errorf("%s: got %+v", test.name, o)
		}
	}
}

func TestOpeningCanBeRepeated(t *testing.T) {
	var answers [2]Opening
	for i := range answers {
		answers[i] = swap2Step(t, newGame(t, 15, 15, "max_node", "2000"), "")
	}
	for i, m := range answers[0].Moves {
		if m != answers[1].Moves[i] {
			t.Fatalf("got %v, then %v", answers[0].Moves, answers[1].Moves)
		}
	}
}

func TestOpeningRefusesWrongLists(t *testing.T) {
	e := newGame(t, 15, 15, "max_node", "500")
	for _, stones := range []string{"h8", "h8i9", "h8i9j10k11", "h8i9j10k11l12m13", "h8h8i9"} {
		if o, err := e.Opening(context.Background(), cells(t, stones), Query{}); err == nil {
			t.Errorf("%q: got %+v", stones, o)
		}
	}
}

func TestOpeningKeepsToItsTime(t *testing.T) {
	for _, stones := range []string{"", "h8i9j7", "h8i9j7g7k10"} {
		e := newGame(t, 15, 15, "timeout_turn", "300")
		start := time.Now()
		swap2Step(t, e, stones)
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%q: a step of at most 300 ms took %v", stones, d)
		}
	}
}

func TestOpeningSurvivesAFailureOfTheSearch(t *testing.T) {
	for _, stones := range []string{"", "h8i9j7", "h8i9j7g7k10"} {
		e := newGame(t, 14, 15, "max_node", "5000") // a board without proposals
		o, err := e.Opening(context.Background(), cells(t, stones), Query{Report: func(Info) { panic("broken") }})
		if err != nil || len(o.Notes) == 0 {
			t.Errorf("%q: got %+v, %v", stones, o, err)
		}
	}
}

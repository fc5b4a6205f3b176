package brain

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/brain/opening"
)

// choose asks for the choices of one player and checks them. Errors end the test.
func choose(t *testing.T, e *Engine, s *opening.State) []opening.Choice {
	t.Helper()
	before := fmt.Sprint(s)
	c, err := e.Choose(context.Background(), s, Query{})
	if err != nil {
		t.Fatalf("%v after %v: %v", s.Rule(), s.Choices(), err)
	}
	if len(c.List) == 0 || len(c.Notes) > 0 {
		t.Fatalf("%v after %v: %v, notes %q", s.Rule(), s.Choices(), c.List, c.Notes)
	}
	if fmt.Sprint(s) != before {
		t.Fatalf("%v after %v: the state has changed", s.Rule(), s.Choices())
	}
	return c.List
}

// opened returns the state after the choices, separated by commas.
func opened(t *testing.T, r opening.Rule, choices string) *opening.State {
	t.Helper()
	s, err := opening.New(r, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range strings.FieldsFunc(choices, func(r rune) bool { return r == ',' }) {
		c, err := opening.ParseChoice(text, 15, 15)
		if err == nil {
			err = s.Apply(c)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// Positions in which one color is clearly better: black has good stones and white a stone in
// a corner, or the other way round.
func TestChooseByValue(t *testing.T) {
	e := newGame(t, 15, 15, "rule", "4", "max_node", "20000")
	for _, c := range []struct {
		rule    opening.Rule
		choices string
		want    opening.Action
	}{
		{opening.Swap, "put h8,put a1,put i8", opening.DoSwap},
		{opening.Swap, "put a1,put h8,put o15", opening.Stay},
		{opening.Swap2, "put h8,put a1,put i8", opening.DoSwap},
		{opening.Swap2, "put a1,put h8,put o15,two,put i8,put a15", opening.Stay},
		{opening.Swap2, "put h8,put a1,put i8,two,put o15,put j9", opening.DoSwap},
		{opening.Taraguchi10, "put h8,stay,put h9,stay,put i9,stay,put e5,stay,put i8", opening.DoSwap},
		// Black's stones together, white's far away: the best fifth move wins, and the eighth is good.
		{opening.Soosyrv8, "put h8,put h9,put i9,stay,put a1,declare 1", opening.Stay},
		// White has a fourth stone that black must not answer with a bad fifth.
		{opening.Soosyrv8, "put h8,put h9,put f6,stay,put i9,declare 8", opening.DoSwap},
		{opening.Taraguchi10, "put h8,stay,put h9,stay,put i9,stay,put e11", opening.Ten},
	} {
		if got := choose(t, e, opened(t, c.rule, c.choices))[0]; got.Action != c.want {
			t.Errorf("%v after %s: %v, want %v", c.rule, c.choices, got, c.want)
		}
	}
}

// White picks the offer that helps black least; black offers his best moves first.
func TestChoosePicksAndOffers(t *testing.T) {
	e := newGame(t, 15, 15, "rule", "4", "max_node", "20000")
	s := opened(t, opening.RIF, "put h8,put h9,put i9,stay,put j10,offer g7,offer a15")
	if c := choose(t, e, s); c[0].Move.String() != "a15" {
		t.Errorf("picked %v", c)
	}

	// The offers of one who must show eight are moves that an ordinary player would
	// consider: all near the stones, no two alike.
	s = opened(t, opening.Soosyrv8, "put h8,put h9,put h10,stay,put h11,declare 8,stay")
	list := choose(t, e, s)
	if len(list) != 8 {
		t.Fatalf("%d offers", len(list))
	}
	for i, a := range list {
		if x, y := a.Move.X(), a.Move.Y(); x < 3 || x > 11 || y < 3 || y > 14 {
			t.Errorf("%v is offered", a.Move)
		}
		for _, b := range list[:i] {
			if opening.Symmetric(s.Stones(), a.Move, b.Move, 15, 15) {
				t.Errorf("%v and %v are offered", a.Move, b.Move)
			}
		}
	}
}

func TestChooseCanBeRepeated(t *testing.T) {
	for _, r := range opening.Rules()[1:] {
		var first []opening.Choice
		for i := range 2 {
			list := choose(t, newGame(t, 15, 15, "rule", "4", "max_node", "1000"), opened(t, r, ""))
			if i == 0 {
				first = list
			} else if !slices.Equal(list, first) {
				t.Errorf("%v: %v, then %v", r, first, list)
			}
		}
	}
}

func TestChooseKeepsToItsTime(t *testing.T) {
	for _, c := range []struct {
		rule    opening.Rule
		choices string
	}{
		{opening.Swap2, ""},
		{opening.LongPro, "put h8,put h9"},
		{opening.RIF, ""},
		{opening.RIF, "put h8,put h9,put i9"},
		{opening.Soosyrv8, "put h8,put h9,put i9"},
		{opening.Yamaguchi, ""},
		{opening.Taraguchi10, "put h8,stay,put h9,stay,put i9,stay,put e11"},
	} {
		e := newGame(t, 15, 15, "rule", "4", "timeout_turn", "300")
		start := time.Now()
		choose(t, e, opened(t, c.rule, c.choices))
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%v after %q: choices of at most 300 ms took %v", c.rule, c.choices, d)
		}
	}
}

func TestChooseRefuses(t *testing.T) {
	e := newGame(t, 15, 15, "max_node", "500")
	small, err := opening.New(opening.Swap2, 9, 9)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*opening.State{small, opened(t, opening.Free, ""), opened(t, opening.Swap, "put a1,put a2,put a3,stay")} {
		if c, err := e.Choose(context.Background(), s, Query{}); err == nil {
			t.Errorf("%v: %v", s.Rule(), c)
		}
	}
	if c, err := New(Config{}).Choose(context.Background(), opened(t, opening.Swap2, ""), Query{Options: new(DefaultOptions())}); err == nil {
		t.Errorf("without a game: %v", c)
	}
}

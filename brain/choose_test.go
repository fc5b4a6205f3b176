package brain

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
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

// Every opening rule is played to its end, on several boards and under several rules of the
// game, by choices that are all legal.
func TestChoosePlaysEveryOpening(t *testing.T) {
	for _, size := range []int{9, 15, 20} {
		for _, rule := range []string{"0", "1", "4", "8"} {
			e := newGame(t, size, size, "rule", rule, "max_node", "1000")
			for _, r := range opening.Rules()[1:] {
				s, err := opening.New(r, size, size)
				if err != nil {
					t.Fatal(err)
				}
				for !s.Done() {
					by := s.Step().By
					for _, c := range choose(t, e, s) {
						if s.Step().By != by {
							t.Fatalf("%v: %v is the choice of the other player", r, c)
						}
						if err := s.Apply(c); err != nil {
							t.Fatalf("%v: %v", r, err)
						}
					}
					if !s.Done() && s.Step().By == by {
						t.Fatalf("%v after %v: the %v player has not finished", r, s.Choices(), by)
					}
				}
				if e.Stones() != 0 {
					t.Fatalf("%v: the game has changed", r)
				}
			}
		}
	}
}

// Someone else may have decided a part of what belongs together.
func TestChooseGoesOn(t *testing.T) {
	e := newGame(t, 15, 15, "rule", "4", "max_node", "500")
	for _, c := range []struct {
		rule    opening.Rule
		choices string
		want    string // the kinds of choice
	}{
		{opening.Swap, "put a1", "put put"},
		{opening.Swap2, "put a1,put b2", "put"},
		{opening.Swap2, "put h8,put h9,put i9,two", "put put"},
		{opening.Swap2, "put h8,put h9,put i9,two,put j9", "put"},
		{opening.RIF, "put h8", "put put"},
		{opening.RIF, "put h8,put i9", "put"},
		{opening.RIF, "put h8,put i9,put j10,stay", "put"},
		{opening.RIF, "put h8,put i9,put j10,stay,put a1,offer j8", "offer"},
		{opening.Soosyrv8, "put h8,put i9,put j10,stay", "put declare"},
		{opening.Soosyrv8, "put h8,put i9,put j10,stay,put a1", "declare"},
		{opening.Soosyrv8, "put h8,put i9,put j10,stay,put a1,declare 3,stay,offer a2,offer a3", "offer"},
		{opening.Yamaguchi, "put h8,put i9", "put declare"},
		{opening.Yamaguchi, "put h8,put i9,put j10", "declare"},
		{opening.Yamaguchi, "put h8,put i9,put j10,declare 110,stay,put h9", strings.TrimSpace(strings.Repeat("offer ", 110))},
		{opening.Taraguchi10, "put h8,stay,put h9,stay,put h10,stay,put h11,ten,offer a1", strings.TrimSpace(strings.Repeat("offer ", 9))},
	} {
		var kinds []string
		for _, choice := range choose(t, e, opened(t, c.rule, c.choices)) {
			kinds = append(kinds, choice.Action.String())
		}
		if got := strings.Join(kinds, " "); got != c.want {
			t.Errorf("%v after %s: %s, want %s", c.rule, c.choices, got, c.want)
		}
	}
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

// Openings of renju put by the engine are among the 26, and not always the same.
func TestChooseRenjuOpening(t *testing.T) {
	for _, r := range []opening.Rule{opening.RIF, opening.Soosyrv8, opening.Yamaguchi} {
		names := map[string]bool{}
		for range 6 {
			e := newGame(t, 15, 15, "rule", "4", "timeout_turn", "60")
			s := opened(t, r, "")
			list := choose(t, e, s)
			for _, c := range list {
				if err := s.Apply(c); err != nil {
					t.Fatal(err)
				}
			}
			n, ok := opening.NameOf(s.Stones())
			if !ok || s.Stones()[0] != board.At(7, 7) {
				t.Fatalf("%v: %v is no opening", r, s.Stones())
			}
			names[n.Code] = true
			if r == opening.Yamaguchi && s.Declared() == 0 {
				t.Errorf("no number after %v", list)
			}
		}
		if len(names) < 2 {
			t.Errorf("%v: always %v", r, names)
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

func TestChooseSurvivesAFailureOfTheSearch(t *testing.T) {
	for _, r := range opening.Rules()[1:] {
		e := newGame(t, 15, 15, "rule", "4", "max_node", "2000")
		s := opened(t, r, "")
		for !s.Done() {
			c, err := e.Choose(context.Background(), s, Query{Report: func(Info) { panic("broken") }})
			if err != nil {
				t.Fatal(err)
			}
			for _, choice := range c.List {
				if err := s.Apply(choice); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

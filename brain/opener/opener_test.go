package opener

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/internal/playtest"
	"tengen/brain/internal/random"
	"tengen/brain/opening"
	"tengen/brain/play"
	"tengen/brain/score"
	"tengen/brain/search"
)

// scattered is a value of -100..100 that depends on the position after m alone.
func scattered(b *board.Board, m board.Move) score.Value {
	b.Play(m)
	defer b.Undo()
	return score.Value(board.Mix(b.Hash())%201) - 100
}

// newPlayer returns a player with 1000 nodes whose searches find scattered values.
func newPlayer(t *testing.T) *Player {
	return &Player{
		Searcher: &playtest.Searcher{Value: scattered}, Random: 1,
		Budget: play.NewBudget(t.Context(), search.Limits{Nodes: 1000}, 1),
	}
}

// after returns a board with the stones of s.
func after(t *testing.T, rule board.Rule, s *opening.State) *board.Board {
	t.Helper()
	w, h := s.Size()
	b := boardtest.New(t, rule, w, h)
	for _, m := range s.Stones() {
		b.Play(m)
	}
	return b
}

// choose asks for the choices of one player and checks that s stays as it was.
func choose(t *testing.T, p *Player, s *opening.State) []opening.Choice {
	t.Helper()
	before := fmt.Sprint(s)
	c := p.Choose(after(t, board.Renju, s), s)
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
// game, by choices that are all legal, whether the searches find moves or fail. All searches of a
// decision together ask for the nodes of the budget at most, and one for each.
func TestChoosePlaysEveryOpening(t *testing.T) {
	for _, fails := range []bool{false, true} {
		for _, size := range []int{9, 15, 20} {
			for _, rule := range []board.Rule{board.Freestyle, board.ExactFive, board.Renju, board.Caro} {
				for _, r := range opening.Rules()[1:] {
					s, err := opening.New(r, size, size)
					if err != nil {
						t.Fatal(err)
					}
					for !s.Done() {
						playPart(t, s, rule, fails)
					}
				}
			}
		}
	}
}

// playPart plays the choices of one player.
func playPart(t *testing.T, s *opening.State, rule board.Rule, fails bool) {
	t.Helper()
	searcher := &playtest.Searcher{Value: scattered, Fails: fails}
	p := newPlayer(t)
	p.Searcher = searcher
	c := p.Choose(after(t, rule, s), s)
	by := s.Step().By
	for _, choice := range c.List {
		if s.Step().By != by {
			t.Fatalf("%v: %v is the choice of the other player", s.Rule(), choice)
		}
		if err := s.Apply(choice); err != nil {
			t.Fatalf("%v: %v", s.Rule(), err)
		}
	}
	if !s.Done() && s.Step().By == by {
		t.Fatalf("%v after %v: the %v player has not finished", s.Rule(), s.Choices(), by)
	}
	if len(c.Notes) > 1 || len(c.Notes) > 0 != (fails && len(searcher.Asked) > 0) {
		t.Fatalf("%v after %v: the notes %q of %d searches", s.Rule(), s.Choices(), c.Notes, len(searcher.Asked))
	}
	nodes := int64(0)
	for _, l := range searcher.Asked {
		nodes += l.Nodes
	}
	if most := int64(1000*len(c.List) + len(searcher.Asked)); nodes > most {
		t.Fatalf("%v after %v: %d nodes in %d searches for %d choices", s.Rule(), s.Choices(), nodes, len(searcher.Asked), len(c.List))
	}
}

// Someone else may have decided a part of what belongs together.
func TestGoesOn(t *testing.T) {
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
		for _, choice := range choose(t, newPlayer(t), opened(t, c.rule, c.choices)) {
			kinds = append(kinds, choice.Action.String())
		}
		if got := strings.Join(kinds, " "); got != c.want {
			t.Errorf("%v after %s: %s, want %s", c.rule, c.choices, got, c.want)
		}
	}
}

// Who may swap takes the side that a search finds better.
func TestSwapByValue(t *testing.T) {
	for _, v := range []score.Value{-50, 50} {
		for rule, choices := range map[opening.Rule]string{
			opening.Swap: "put h8,put a1,put i8", opening.Swap2: "put h8,put a1,put i8,two,put o15,put j9",
		} {
			p := newPlayer(t)
			p.Searcher = &playtest.Searcher{Value: func(*board.Board, board.Move) score.Value { return v }}
			want := map[bool]opening.Action{true: opening.DoSwap, false: opening.Stay}[v < 0]
			if got := choose(t, p, opened(t, rule, choices))[0]; got.Action != want {
				t.Errorf("%v, %d for the side to move: %v, want %v", rule, v, got, want)
			}
		}
	}
}

// Openings of renju put by the engine are among the 26, and not always the same.
func TestRenjuOpenings(t *testing.T) {
	for _, r := range []opening.Rule{opening.RIF, opening.Soosyrv8, opening.Yamaguchi} {
		names := map[string]bool{}
		for seed := range 6 {
			p := newPlayer(t)
			p.Random = random.Source(seed)
			s := opened(t, r, "")
			list := choose(t, p, s)
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

// The moves that are proposed are those whose value is nearest to the bias, of all or, of pairs, of those
// that were drawn.
func TestBalance(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9")
	for _, bias := range []score.Value{-90, 0, 90} {
		for n := 1; n <= 2; n++ {
			p := newPlayer(t)
			p.Budget = play.NewBudget(t.Context(), search.Limits{Nodes: 1 << 30}, 1)
			// The value of a position is that of its best move, of which there are many: it depends on the
			// stones alone here, for the side to move.
			p.Searcher = &playtest.Searcher{Value: func(b *board.Board, _ board.Move) score.Value {
				return score.Value(board.Mix(b.Hash())%201) - 100
			}}
			got, err := p.Balance(b, n, bias, nil)
			if err != nil || len(got.Moves) != n || (got.Score-bias).Abs() > 3 {
				t.Errorf("%d moves for %d: %+v, %v", n, bias, got, err)
			}
		}
	}
	if _, err := newPlayer(t).Balance(b, 3, 0, nil); err == nil {
		t.Error("three moves are proposed")
	}
	five := boardtest.After(t, board.Freestyle, 15, "h8a1i8a3j8a5k8a7")
	r := &search.Restrictions{}
	for _, m := range five.Open().Append(nil) {
		if !five.Wins(board.Black, m) {
			r.Root = append(r.Root, m)
		}
	}
	if got, err := newPlayer(t).Balance(five, 1, 0, r); !errors.Is(err, ErrDecided) {
		t.Errorf("where all moves win: %+v, %v", got, err)
	}
}

// A search that the end of the budget cuts short does not change what longer ones have found, but is
// better than nothing.
func TestBalanceCutOff(t *testing.T) {
	for _, known := range []bool{true, false} {
		p := newPlayer(t)
		p.Budget = play.NewBudget(t.Context(), search.Limits{Nodes: 5}, 1)
		k := balancer{Player: p, b: boardtest.After(t, board.Freestyle, 15, "h8i9")}
		c := tryout{moves: []board.Move{board.At(0, 0)}, value: 1234, off: 1, known: known}
		k.try(&c, 600)
		if kept := c.value == 1234 && c.off == 1; kept != known || !c.known {
			t.Errorf("known before: %v; then %+v", known, c)
		}
	}
}

// Swap2 answers with three moves, with a move or SWAP, or with two moves.
func TestSwap2(t *testing.T) {
	for _, test := range []struct {
		stones string
		value  score.Value // for the side to move
		swap   bool
		moves  int
	}{
		{"", 0, false, 3},
		{"h8a1i8", 100, false, 1}, {"h8a1i8", -100, true, 0},
		{"h8a1i8o15j9", 100, false, 1}, {"h8a1i8o15j9", -100, true, 0},
	} {
		stones, err := board.ParseMoves(test.stones, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		s, err := opening.Swap2After(stones, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		p := newPlayer(t)
		p.Searcher = &playtest.Searcher{Value: func(*board.Board, board.Move) score.Value { return test.value }}
		b := after(t, board.Freestyle, s)
		got := p.Swap2(b, s)
		if got.Swap != test.swap || len(got.Moves) != test.moves || slices.ContainsFunc(got.Moves, func(m board.Move) bool { return slices.Contains(stones, m) }) {
			t.Errorf("after %q with %d: %+v", test.stones, test.value, got)
		}
	}
}

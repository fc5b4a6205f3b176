package tune

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/search"
)

func newBoard(t *testing.T, rule, size int) *board.Board {
	t.Helper()
	b, err := board.New(board.Rule(rule), size, size)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func moves(t *testing.T, text string, size int) []board.Move {
	t.Helper()
	list, err := board.ParseMoves(text, size, size)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// script plays the moves of text for either side and gives the values in turn, then 0.
func script(t *testing.T, text string, size int, values ...search.Value) mover {
	list := moves(t, text, size)
	return func(_ context.Context, b *board.Board) (board.Move, search.Value) {
		if len(list) == 0 {
			t.Fatal("the game goes on beyond its script")
		}
		m, v := list[0], search.Value(0)
		list = list[1:]
		if len(values) > 0 {
			v, values = values[0], values[1:]
		}
		return m, v
	}
}

func TestGamesEnd(t *testing.T) {
	won, lost := search.WinIn(9), search.LossIn(10)
	tests := []struct {
		name    string
		c       conditions
		opening string
		moves   string
		values  []search.Value
		want    record.Outcome
		breach  string
	}{
		{"black makes five", conditions{Size: 15}, "h8a1i8a3", "j8a5k8a7l8", nil, record.BlackWon, ""},
		{"white makes five", conditions{Size: 15}, "a1h8a3i8", "a5j8a7k8c13l8", nil, record.WhiteWon, ""},
		{"six is five in freestyle", conditions{Size: 15}, "h8a1i8a3j8a5l8a7m8c1", "k8", nil, record.BlackWon, ""},
		{"six is nothing when exactly five is asked for", conditions{Size: 15, Rule: 1, DrawAfter: 11}, "h8a1i8a3j8a5l8a7m8c1", "k8", nil, record.Drawn, ""},
		{"black's six is forbidden in renju", conditions{Size: 15, Rule: 4}, "h8a1i8a3j8a5l8a7m8c1", "k8", nil, record.Unknown, "black played k8, which is forbidden"},
		{"a double three is forbidden in renju", conditions{Size: 15, Rule: 4}, "h8a1i8a3j9o15j10o1", "j8", nil, record.Unknown, "forbidden"},
		{"a five may be forbidden otherwise", conditions{Size: 15, Rule: 4}, "h8a1i8a3j8a5k8a7l9c1l10c3", "l8", nil, record.BlackWon, ""},
		{"a stone on a stone", conditions{Size: 15}, "h8", "h8", nil, record.Unknown, "white played h8, which is on a stone, after h8"},
		{"a stone beyond the edge", conditions{Size: 5}, "c3", "e6", nil, record.Unknown, "off the board"},
		{"a full board is a draw", conditions{Size: 5}, "", "d2b2d3d4d5e2a3e3b3a5b4a4b5c4e4c1d1c5e5e1a2c3b1a1c2", nil, record.Drawn, ""},
		{"so many stones are a draw", conditions{Size: 15, DrawAfter: 4}, "h8i9", "a1a3", nil, record.Drawn, ""},
		{"agreed as the loser sees it second", conditions{Size: 15, Adjudicate: true}, "h8i9", "a1a3", []search.Value{won, lost}, record.BlackWon, ""},
		{"agreed as the winner sees it second", conditions{Size: 15, Adjudicate: true}, "h8i9", "a1a3", []search.Value{lost, won}, record.WhiteWon, ""},
		{"not agreed if both see themselves win", conditions{Size: 15, Adjudicate: true, DrawAfter: 5}, "h8i9", "a1a3c3", []search.Value{won, won, 50}, record.Drawn, ""},
		{"not agreed if the proof is forgotten", conditions{Size: 15, Adjudicate: true, DrawAfter: 5}, "h8i9", "a1a3c3", []search.Value{won, -900, won}, record.Drawn, ""},
		{"a bound is no proof", conditions{Size: 15, Adjudicate: true, DrawAfter: 4}, "h8i9", "a1a3", []search.Value{won, -search.Win - 1}, record.Drawn, ""},
		{"nothing is agreed unless asked for", conditions{Size: 15, DrawAfter: 4}, "h8i9", "a1a3", []search.Value{won, lost}, record.Drawn, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := script(t, tt.moves, max(tt.c.Size, 6), tt.values...)
			got, err := tt.c.play(context.Background(), newBoard(t, tt.c.Rule, tt.c.Size), moves(t, tt.opening, tt.c.Size), m, m)
			if tt.breach != "" {
				if err == nil || !strings.Contains(err.Error(), tt.breach) {
					t.Fatalf("got %v, %v, want an error with %q", got, err, tt.breach)
				}
				return
			}
			if err != nil || got != tt.want {
				t.Errorf("got %v, %v, want %v", got, err, tt.want)
			}
		})
	}
}

func TestNoMoveWhereThereIsOneIsAnError(t *testing.T) {
	none := func(context.Context, *board.Board) (board.Move, search.Value) { return board.None, 0 }
	c := conditions{Size: 15, Rule: 4}
	if got, err := c.play(context.Background(), newBoard(t, 4, 15), nil, none, none); err == nil || got != record.Unknown {
		t.Errorf("got %v, %v, want an error", got, err)
	}
}

// TestGamesKeepTheRules plays games of the search under all rules; each move is judged by
// a board that the game does not know.
func TestGamesKeepTheRules(t *testing.T) {
	for _, rule := range []int{0, 1, 4, 8, 9} {
		for _, size := range []int{6, 15} {
			c := conditions{Rule: rule, Size: size, Nodes: 150, Adjudicate: size == 15}
			opening := moves(t, "c3d4", size)
			own := newBoard(t, rule, size)
			for _, m := range opening {
				own.Play(m)
			}
			ended := false
			pool := c.think(c.newPool(search.DefaultParams()))
			judged := func(ctx context.Context, b *board.Board) (board.Move, search.Value) {
				if b.Hash() != own.Hash() {
					t.Fatalf("rule %d: the game has another position than its moves make", rule)
				}
				m, v := pool(ctx, b)
				if ended || !own.Legal(m) {
					t.Fatalf("rule %d: %v after %s (ended: %v)", rule, m, record.FormatMoves(history(own)), ended)
				}
				ended = own.Wins(own.Side(), m)
				own.Play(m)
				return m, v
			}
			got, err := c.play(context.Background(), newBoard(t, rule, size), opening, judged, judged)
			if err != nil {
				t.Fatal(err)
			}
			if (got == record.Drawn) != (own.Empties() == 0 && !ended) || got == record.Unknown {
				t.Errorf("rule %d: %v with %d cells free", rule, got, own.Empties())
			}
		}
	}
}

var testOpenings = []string{"h5k5h3j4i4l4n4i3", "i12h12h6g8j15e4", "d4e7d7d6", "h8i9i7", "g7h9i8h10", "c3d4e5"}

func testDeck(t *testing.T) *openings {
	o := &openings{size: 15, seed: 3}
	for _, text := range testOpenings {
		o.all = append(o.all, moves(t, text, 15))
	}
	return o
}

func other() search.Params {
	p := search.DefaultParams()
	p.ReduceScale, p.FutilityStep, p.CountBase = p.ReduceScale*2, p.FutilityStep/2, 1
	return p
}

// TestEqualSetsAreEqual: with a limit of nodes the two games of a pair between equal sets
// are one game, so that each pair gives exactly one point.
func TestEqualSetsAreEqual(t *testing.T) {
	for name, p := range map[string]search.Params{"the defaults": search.DefaultParams(), "others": other()} {
		c, err := newContest(conditions{Size: 15, Nodes: 400, Table: 1, Adjudicate: true}, 2)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		s, err := c.run(context.Background(), p, p, testDeck(t).hand(0, 6), func(score) { n++ })
		if err != nil {
			t.Fatal(err)
		}
		if s.Pairs != [5]int{2: 6} || s.Wins != s.Losses || n != 6 {
			t.Errorf("%s: %v, pairs %v, %d told", name, s.String(), s.Pairs, n)
		}
	}
}

// TestScoresTurnAround: exchanging the sets exchanges wins and losses, and neither the
// number of workers nor what they played before matters.
func TestScoresTurnAround(t *testing.T) {
	c := conditions{Size: 15, Nodes: 400, Table: 1, Adjudicate: true}
	one, err := newContest(c, 1)
	if err != nil {
		t.Fatal(err)
	}
	three, err := newContest(c, 3)
	if err != nil {
		t.Fatal(err)
	}
	hand := testDeck(t).hand(0, 6)
	a, err := one.run(context.Background(), search.DefaultParams(), other(), hand, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := three.run(context.Background(), other(), search.DefaultParams(), hand, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.Pairs == [5]int{2: 6} {
		t.Errorf("no pair tells two different sets apart: %v", a)
	}
	if a.Wins != b.Losses || a.Losses != b.Wins || a.Draws != b.Draws {
		t.Errorf("%v one way, %v the other", a.String(), b.String())
	}
	for i := range a.Pairs {
		if a.Pairs[i] != b.Pairs[4-i] {
			t.Errorf("pairs %v one way, %v the other", a.Pairs, b.Pairs)
		}
	}
}

// TestColorsAreExchanged: where the side to move wins at once, each set wins one game.
func TestColorsAreExchanged(t *testing.T) {
	c, err := newContest(conditions{Size: 15, Nodes: 200, Table: 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	hand := [][]board.Move{moves(t, "h8a1i8a3j8a5k8a7", 15), moves(t, "a1h8a3i8a5j8c9k8c11", 15)}
	s, err := c.run(context.Background(), search.DefaultParams(), other(), hand, nil)
	if err != nil || s.Pairs != [5]int{2: 2} || s.Wins != 2 || s.Losses != 2 {
		t.Errorf("%v, pairs %v, %v; want two wins and two losses", s.String(), s.Pairs, err)
	}
}

func TestAContestEndsWithItsContext(t *testing.T) {
	c, err := newContest(conditions{Size: 15, Nodes: 1 << 40, Table: 1}, 2)
	if err != nil {
		t.Fatal(err)
	}
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	s, err := c.run(ctx, search.DefaultParams(), search.DefaultParams(), testDeck(t).hand(0, 4), nil)
	if !errors.Is(err, context.Canceled) && !errors.Is(err, cause) || s.pairs() != 0 {
		t.Errorf("%v, %v", s.String(), err)
	}
}

// TestOpeningsAreDealtEvenly: each once a round, turned otherwise in each of eight
// rounds, and all playable.
func TestOpeningsAreDealtEvenly(t *testing.T) {
	o := testDeck(t)
	n := len(o.all)
	seen := map[string]int{}
	for round := range board.Symmetries {
		stones := map[int]int{}
		for i := range n {
			m := o.deal(round*n + i)
			if err := record.CheckOpening(m, board.Freestyle, 15, 15); err != nil {
				t.Fatal(err)
			}
			seen[record.FormatMoves(m)]++
			stones[len(m)]++
		}
		if stones[8] != 1 || stones[6] != 1 || stones[4] != 2 || stones[3] != 2 {
			t.Errorf("round %d deals %v", round, stones)
		}
	}
	if len(seen) < 8*n-8 { // some are their own mirror image
		t.Errorf("only %d different openings in %d", len(seen), 8*n)
	}
	late, again := record.FormatMoves(o.deal(7*n+1)), testDeck(t)
	if got := record.FormatMoves(again.deal(7*n + 1)); got != late {
		t.Errorf("the same number is %s after all others and %s at once", late, got)
	}
}

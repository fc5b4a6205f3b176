package match

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/record"
	"tengen/brain/score"
	"tengen/brain/search"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/progress"
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
func script(t *testing.T, text string, size int, values ...score.Value) mover {
	list := moves(t, text, size)
	return func(_ context.Context, b *board.Board) (board.Move, score.Value) {
		if len(list) == 0 {
			t.Fatal("the game goes on beyond its script")
		}
		m, v := list[0], score.Value(0)
		list = list[1:]
		if len(values) > 0 {
			v, values = values[0], values[1:]
		}
		return m, v
	}
}

func TestGamesEnd(t *testing.T) {
	won, lost := score.WinIn(9), score.LossIn(10)
	tests := []struct {
		name    string
		c       Conditions
		opening string
		moves   string
		values  []score.Value
		want    record.Outcome
		breach  string
	}{
		{"black makes five", Conditions{Board: flags.Board{Width: 15, Height: 15}}, "h8a1i8a3", "j8a5k8a7l8", nil, record.BlackWon, ""},
		{"white makes five", Conditions{Board: flags.Board{Width: 15, Height: 15}}, "a1h8a3i8", "a5j8a7k8c13l8", nil, record.WhiteWon, ""},
		{"six is five in freestyle", Conditions{Board: flags.Board{Width: 15, Height: 15}}, "h8a1i8a3j8a5l8a7m8c1", "k8", nil, record.BlackWon, ""},
		{"six is nothing when exactly five is asked for", Conditions{Board: flags.Board{Rule: 1, Width: 15, Height: 15}, DrawAfter: 11}, "h8a1i8a3j8a5l8a7m8c1", "k8", nil, record.Drawn, ""},
		{"black's six is forbidden in renju", Conditions{Board: flags.Board{Rule: 4, Width: 15, Height: 15}}, "h8a1i8a3j8a5l8a7m8c1", "k8", nil, record.Unknown, "black plays k8, which is not legal"},
		{"a double three is forbidden in renju", Conditions{Board: flags.Board{Rule: 4, Width: 15, Height: 15}}, "h8a1i8a3j9o15j10o1", "j8", nil, record.Unknown, "black plays j8, which is not legal"},
		{"a five may be forbidden otherwise", Conditions{Board: flags.Board{Rule: 4, Width: 15, Height: 15}}, "h8a1i8a3j8a5k8a7l9c1l10c3", "l8", nil, record.BlackWon, ""},
		{"a stone on a stone", Conditions{Board: flags.Board{Width: 15, Height: 15}}, "h8", "h8", nil, record.Unknown, "white plays h8, which is not legal, after h8"},
		{"a stone beyond the edge", Conditions{Board: flags.Board{Width: 5, Height: 5}}, "c3", "e6", nil, record.Unknown, "not legal"},
		{"a full board is a draw", Conditions{Board: flags.Board{Width: 5, Height: 5}}, "", "d2b2d3d4d5e2a3e3b3a5b4a4b5c4e4c1d1c5e5e1a2c3b1a1c2", nil, record.Drawn, ""},
		{"so many stones are a draw", Conditions{Board: flags.Board{Width: 15, Height: 15}, DrawAfter: 4}, "h8i9", "a1a3", nil, record.Drawn, ""},
		{"agreed as the loser sees it second", Conditions{Board: flags.Board{Width: 15, Height: 15}, Adjudicate: true}, "h8i9", "a1a3", []score.Value{won, lost}, record.BlackWon, ""},
		{"agreed as the winner sees it second", Conditions{Board: flags.Board{Width: 15, Height: 15}, Adjudicate: true}, "h8i9", "a1a3", []score.Value{lost, won}, record.WhiteWon, ""},
		{"not agreed if both see themselves win", Conditions{Board: flags.Board{Width: 15, Height: 15}, Adjudicate: true, DrawAfter: 5}, "h8i9", "a1a3c3", []score.Value{won, won, 50}, record.Drawn, ""},
		{"not agreed if the proof is forgotten", Conditions{Board: flags.Board{Width: 15, Height: 15}, Adjudicate: true, DrawAfter: 5}, "h8i9", "a1a3c3", []score.Value{won, -900, won}, record.Drawn, ""},
		{"a bound is no proof", Conditions{Board: flags.Board{Width: 15, Height: 15}, Adjudicate: true, DrawAfter: 4}, "h8i9", "a1a3", []score.Value{won, -score.Win - 1}, record.Drawn, ""},
		{"nothing is agreed unless asked for", Conditions{Board: flags.Board{Width: 15, Height: 15}, DrawAfter: 4}, "h8i9", "a1a3", []score.Value{won, lost}, record.Drawn, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := script(t, tt.moves, max(tt.c.Width, 6), tt.values...)
			got, err := tt.c.play(context.Background(), tt.c.New(), moves(t, tt.opening, tt.c.Width), m)
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
	none := func(context.Context, *board.Board) (board.Move, score.Value) { return board.None, 0 }
	c := Conditions{Board: flags.Board{Rule: 4, Width: 15, Height: 15}}
	if got, err := c.play(t.Context(), c.New(), nil, none); err == nil || got != record.Unknown {
		t.Errorf("got %v, %v, want an error", got, err)
	}
}

// TestGamesKeepTheRules plays games of the search under all rules; each move is judged by
// a board that the game does not know.
func TestGamesKeepTheRules(t *testing.T) {
	for _, rule := range []int{0, 1, 4, 8, 9} {
		for _, size := range []int{6, 15} {
			c := Conditions{Board: flags.Board{Rule: board.Rule(rule), Width: size, Height: size}, Nodes: 150, Hash: 1, Adjudicate: size == 15}
			player := Default()
			opening := moves(t, "c3d4", size)
			own := newBoard(t, rule, size)
			for _, m := range opening {
				own.Play(m)
			}
			ended := false
			pool := player.NewPool(1)
			judged := func(ctx context.Context, b *board.Board) (board.Move, score.Value) {
				if b.Hash() != own.Hash() {
					t.Fatalf("rule %d: the game has another position than its moves make", rule)
				}
				r := pool.Search(ctx, b, search.Limits{Nodes: c.Nodes}, nil)
				m := r.Move
				if ended || !own.Legal(m) {
					t.Fatalf("rule %d: %v after %s (ended: %v)", rule, m, record.FormatMoves(own.Moves()), ended)
				}
				ended = own.Wins(own.Side(), m)
				own.Play(m)
				return m, r.Info.Score
			}
			got, err := c.play(context.Background(), newBoard(t, rule, size), opening, judged)
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

func readOpenings(t *testing.T) (all [][]board.Move) {
	for _, text := range testOpenings {
		all = append(all, moves(t, text, 15))
	}
	return all
}

func other() Player {
	p := search.DefaultParams()
	p.ReduceScale, p.FutilityStep, p.CountBase = p.ReduceScale*2, p.FutilityStep/2, 1
	return Player{eval.Embedded(), p}
}

// testMatch is a match of the default player against one with other numbers.
func testMatch(t *testing.T, nodes int64) *Match {
	return &Match{
		Conditions: Conditions{Board: flags.Board{Width: 15, Height: 15}, Nodes: nodes, Hash: 1, Adjudicate: true},
		Players:    [2]Player{Default(), other()},
		Openings:   readOpenings(t),
		Workers:    2,
	}
}

// With a limit of nodes the two games of a pair between equal players are one game, so
// that each pair gives exactly one point.
func TestEqualPlayersAreEqual(t *testing.T) {
	for name, p := range map[string]Player{"the default": Default(), "another": other()} {
		m := testMatch(t, 400)
		m.Players = [2]Player{p, p}
		n := 0
		s, err := m.Run(t.Context(), nil, func(p Pair, _ elo.Score) error {
			n++
			if p.Moves[0] != p.Moves[1] {
				t.Errorf("%s: the games of pair %d differ", name, p.Number)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if s.Pairs != [5]int{2: 6} || s.Wins != s.Losses || n != 6 {
			t.Errorf("%s: %v, pairs %v, %d told", name, s, s.Pairs, n)
		}
	}
}

// Exchanging the players exchanges wins and losses, and neither the number of workers nor
// what they played before matters.
func TestScoresTurnAround(t *testing.T) {
	one, three := testMatch(t, 400), testMatch(t, 400)
	one.Workers, three.Workers = 1, 3
	three.Players = [2]Player{other(), Default()}
	a, err := one.Run(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := three.Run(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.Pairs == [5]int{2: 6} {
		t.Errorf("no pair tells two different players apart: %v", a)
	}
	if a != b.Flip() {
		t.Errorf("%v one way, %v the other", a, b)
	}
}

// Two evaluations play in one process: tables that see nothing lose to those of the
// engine, whichever of them is first.
func TestTablesPlayAgainstTables(t *testing.T) {
	zeros := new(eval.Side)
	blind := Player{eval.ByTables(&eval.Tables{Rule: board.Freestyle, Sides: [2]*eval.Side{zeros, zeros}}), search.DefaultParams()}
	m := testMatch(t, 300)
	m.Players = [2]Player{Default(), blind}
	s, err := m.Run(t.Context(), nil, nil)
	if err != nil || s.Points() < 10 {
		t.Errorf("%v, %v: want the engine to win nearly all of 12 games", s, err)
	}
}

// Where the side to move wins at once, each player wins one game.
func TestColorsAreExchanged(t *testing.T) {
	m := testMatch(t, 200)
	m.Openings = [][]board.Move{moves(t, "h8a1i8a3j8a5k8a7", 15), moves(t, "a1h8a3i8a5j8c9k8c11", 15)}
	s, err := m.Run(t.Context(), nil, nil)
	if err != nil || s.Pairs != [5]int{2: 2} || s.Wins != 2 || s.Losses != 2 {
		t.Errorf("%v, pairs %v, %v; want two wins and two losses", s, s.Pairs, err)
	}
}

func TestAMatchEndsWithItsContext(t *testing.T) {
	m := testMatch(t, 1<<40)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	s, err := m.Run(ctx, nil, nil)
	if !errors.Is(err, context.Canceled) && !errors.Is(err, cause) || s.Complete() != 0 {
		t.Errorf("%v, %v", s, err)
	}
}

// A match stopped in the middle continues from its journal to the same score and plays no
// pair twice.
func TestAMatchGoesOnFromItsJournal(t *testing.T) {
	name := filepath.Join(t.TempDir(), "m.jsonl")
	m := testMatch(t, 200)
	want, err := m.Run(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	done, journal, err := m.open(name)
	if err != nil || len(done) > 0 {
		t.Fatalf("%v, %v", done, err)
	}
	enough := errors.New("enough")
	n := 0
	if _, err := m.Run(t.Context(), done, func(p Pair, _ elo.Score) error {
		if n++; n > 2 {
			return enough
		}
		return journal.Add(journalLine{Pair: &p})
	}); !errors.Is(err, enough) {
		t.Fatal(err)
	}
	if err := journal.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	got, err := m.Resume(t.Context(), name, progress.New(&shown, false))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if raw, err := os.ReadFile(name); err != nil || !strings.HasPrefix(string(raw), string(before)) || strings.Count(string(raw), "\n") != 7 {
		t.Errorf("journal %s, %v", raw, err)
	}
	if !strings.Contains(shown.String(), "6/6 pairs | "+want.String()) {
		t.Errorf("shown: %s", &shown)
	}
	if got, err := m.Resume(t.Context(), name, nil); err != nil || got != want {
		t.Errorf("once more: %v, %v", got, err)
	}
	m.Nodes++
	if _, err := m.Resume(t.Context(), name, nil); !errors.Is(err, flags.ErrUsage) || !strings.Contains(err.Error(), "belongs to another match (nodes was 200 and is now 201)") {
		t.Errorf("another match: %v", err)
	}
	m.Nodes--
	if err := os.WriteFile(name, []byte(strings.Replace(string(before), `"pair":`, `"pair":9`, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Resume(t.Context(), name, nil); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a pair that is none: %v", err)
	}
}

// A match with more openings continues the journal of one with the first of them, and no other does.
func TestAMatchWithMoreOpeningsGoesOn(t *testing.T) {
	name := filepath.Join(t.TempDir(), "m.jsonl")
	m := testMatch(t, 50)
	all := m.Openings
	want, err := m.Resume(t.Context(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	m.Openings = all[:2]
	if _, err := m.Resume(t.Context(), name, nil); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m.Openings = append([][]board.Move{all[1], all[0]}, all[2:]...)
	if _, err := m.Resume(t.Context(), name, nil); !errors.Is(err, flags.ErrUsage) || !strings.Contains(err.Error(), "belongs to another match") {
		t.Errorf("other openings: %v", err)
	}
	m.Openings = all[:1]
	if _, err := m.Resume(t.Context(), name, nil); !errors.Is(err, flags.ErrUsage) {
		t.Errorf("fewer openings: %v", err)
	}
	m.Openings = all
	got, err := m.Resume(t.Context(), name, nil)
	if err != nil || got != want {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if raw, err := os.ReadFile(name); err != nil || !strings.HasPrefix(string(raw), string(before)) || strings.Count(string(raw), "\n") != 1+len(all) {
		t.Errorf("journal %s, %v", raw, err)
	}
}

func TestFlags(t *testing.T) {
	for _, tt := range []struct {
		args, want string // want: the error, or the conditions
	}{
		{"", "{freestyle 15x15 4000 8 true 0}"},
		{"-rule 4 -size 20 -nodes 7 -hash 2 -adjudicate=false -drawafter 30", "{renju 20x20 7 2 false 30}"},
		{"-nodes 0", "-nodes"},
		{"-hash 0", "-hash"},
	} {
		var c Conditions
		fs := flags.New("match")
		c.Add(fs, 4000)
		err := flags.Parse(fs, strings.Fields(tt.args), os.Stdout, "", flags.Operands{})
		got := fmt.Sprintf("{%v %v %v %v %v}", &c.Board, c.Nodes, c.Hash, c.Adjudicate, c.DrawAfter)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.args, got, tt.want)
		}
	}
}

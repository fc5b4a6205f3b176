package brain

import (
	"context"
	"errors"
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/opener"
	"tengen/brain/score"
)

// Moves that balance a game are played, and after two of them no side is proved to win. One move
// cannot always balance.
func TestBalanceLeavesAnOpenGame(t *testing.T) {
	for _, n := range []int{1, 2} {
		for _, pos := range []string{"", "h8i9i7"} {
			e := newGame(t, 15, 15, "max_node", "60000")
			set(t, e, pos)
			before := e.Stones()
			p, err := e.Balance(context.Background(), n, 0, Query{})
			if err != nil || len(p.Moves) != n || e.Stones() != before+n {
				t.Fatalf("%q: %v, %v, %d stones", pos, p, err, e.Stones())
			}
			if n == 2 && p.Score.Proven() {
				t.Errorf("%q: %v leaves a won game", pos, p.Moves)
			}
		}
	}
}

func TestBalanceAimsAtTheBias(t *testing.T) {
	var values []score.Value
	for _, bias := range []int{-400, 0, 400} {
		e := newGame(t, 15, 15, "max_node", "60000")
		set(t, e, "h8i9")
		p, err := e.Balance(context.Background(), 2, bias, Query{})
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, p.Score)
	}
	if values[0] > values[1] || values[1] > values[2] || values[0] == values[2] {
		t.Errorf("values %v for biases -400, 0 and 400", values)
	}
}

func TestBalanceAtTheEnds(t *testing.T) {
	e := newGame(t, 5, 5, "max_node", "2000")
	ctx := context.Background()
	if _, err := New(Config{}).Balance(ctx, 1, 0, Query{}); !errors.Is(err, ErrNoGame) {
		t.Errorf("without a game: %v", err)
	}
	for e.Stones() < 25 {
		if _, err := e.Balance(ctx, 1, 0, Query{}); err != nil {
			if v, _ := e.board.Verdict(); v == board.Unfinished {
				t.Fatalf("after %d stones: %v", e.Stones(), err)
			}
			break
		}
	}
	if _, err := e.Balance(ctx, 2, 0, Query{}); err == nil {
		t.Error("two moves on a board that is full, or after the end of the game")
	}
	for _, n := range []int{-1, 0, 3} {
		if p, err := newGame(t, 15, 15, "max_node", "2000").Balance(ctx, n, 0, Query{}); err == nil {
			t.Errorf("%d moves: %v", n, p)
		}
	}
	// The cells that are left make a row, which in a continuous game does not win.
	for _, rule := range []string{"0", "2"} {
		for _, n := range []int{1, 2} {
			e = newGame(t, 15, 15, "rule", rule, "max_node", "2000")
			set(t, e, "h8a1i8a3j8a5k8a7")
			rows := cells(t, "g8l8")
			for _, m := range e.board.Open().Append(nil) {
				e.Block(m, !slices.Contains(rows, m))
			}
			if p, err := e.Balance(ctx, n, 0, Query{}); !errors.Is(err, opener.ErrDecided) {
				t.Errorf("rule %s, %d moves, the first of which makes a row: %v, %v", rule, n, p, err)
			}
		}
	}
	// Stopped at once it still answers.
	e = newGame(t, 15, 15)
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if p, err := e.Balance(stopped, 2, 0, Query{}); err != nil || len(p.Moves) != 2 {
		t.Errorf("%v, %v", p, err)
	}
}

// Stopped at once, it tells a value that a search has found: here a proven one.
func TestBalanceStoppedAtOnce(t *testing.T) {
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	for _, n := range []int{1, 2} {
		e := newGame(t, 5, 5, "timeout_turn", "-1", "max_moves", "5", "draw_result", "1")
		set(t, e, "c3d4")
		p, err := e.Balance(stopped, n, 0, Query{})
		if err != nil || len(p.Moves) != n || p.Score < score.WinFloor {
			t.Errorf("%d moves: %+v, %v", n, p, err)
		}
	}
}

// Neither of two moves is one that is blocked, and one that is left may lie far from all stones.
func TestBalanceKeepsToTheBlocks(t *testing.T) {
	e := newGame(t, 15, 15, "max_node", "2000")
	set(t, e, "h8")
	a1, h6 := board.At(0, 0), board.At(7, 5)
	for y := range 15 {
		for x := range 15 {
			m := board.At(x, y)
			e.Block(m, m != a1)
			e.BlockFor(board.Black, m, m != h6)
		}
	}
	p, err := e.Balance(context.Background(), 2, 0, Query{})
	if err != nil || !slices.Equal(p.Moves, []board.Move{a1, h6}) {
		t.Errorf("plays %v, %v, want %v and %v", p.Moves, err, a1, h6)
	}
}

// The values are those of searches under the options and the blocks in force.
func TestBalanceKeepsToTheOptions(t *testing.T) {
	for _, n := range []int{1, 2} {
		for _, won := range []struct {
			by   string // as in draw_result
			want int    // for Black, who is to move
		}{{"1", 1}, {"2", -1}} {
			e := newGame(t, 5, 5, "max_node", "20000", "max_moves", "5", "draw_result", won.by)
			set(t, e, "c3d4")
			p, err := e.Balance(t.Context(), n, 0, Query{})
			if err != nil || len(p.Moves) != n || !p.Score.Proven() || int(p.Score)*won.want < 0 {
				t.Errorf("draws are won by %s, %d moves: %v, %v", won.by, n, p, err)
			}
		}
	}
}

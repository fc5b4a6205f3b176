package brain

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/threat"
)

// Positions with black to move.
const (
	openThree = "h8a1h9a3h10a5"        // an open four wins by fours alone
	twoTwos   = "h8a1i8a3j9o15j10o1"   // j8 makes two open threes
	fourOfOwn = "h8a1h9a3h10a5h11a7"   // h7 and h12 make a five
	overFive  = "h8a1h9a3h10a5h11a7h7" // white to move, but black has a five
)

func newTestSolver(t *testing.T, rule board.Rule, pos string) *Solver {
	t.Helper()
	s, err := NewSolver(rule, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Set(pos); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSolverIsGuided: a solver has the network as its guide, with which it needs fewer nodes.
func TestSolverIsGuided(t *testing.T) {
	s := newTestSolver(t, board.Freestyle, "e4d5a9c4c9h4c8e5c7c6f5f6e6d7d4e8f9d9d8f10g6b5a4h7h6c10b11g7h8e11e9g11a5b6a6a7f11e12d3c2c13")
	alone := threat.NewVCT(solverBytes)
	if alone.Win(s.board, threat.Limits{}) == nil {
		t.Fatal("no win")
	}
	if found := s.Win(t.Context(), AnyThreat); !found.Win || found.Nodes > alone.Nodes()/2 {
		t.Errorf("a win: %v, in %d nodes, %d without a guide", found.Win, found.Nodes, alone.Nodes())
	}
}

// TestSolverProvesWins plays the proof of every win against all replies.
func TestSolverProvesWins(t *testing.T) {
	tests := []struct {
		name  string
		rule  board.Rule
		pos   string
		kind  Threats
		plies int // of the line at least, 0 for no win
		most  time.Duration
	}{
		{"a five", board.Freestyle, fourOfOwn, Fours, 1, time.Minute},
		{"an open four", board.Freestyle, openThree, Fours, 3, time.Minute},
		{"an open four among all threats", board.Freestyle, openThree, AnyThreat, 3, time.Minute},
		{"two threes are no fours", board.Freestyle, twoTwos, Fours, 0, time.Second / 5},
		{"two threes", board.Freestyle, twoTwos, AnyThreat, 5, time.Minute},
		{"where two threes are forbidden", board.Renju, twoTwos, AnyThreat, 7, time.Minute},
		{"an empty board", board.Freestyle, "-", AnyThreat, 0, time.Second / 5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newTestSolver(t, test.rule, test.pos)
			hash := s.board.Hash()
			ctx, cancel := context.WithTimeout(t.Context(), test.most)
			defer cancel()
			found := s.Win(ctx, test.kind)
			if s.board.Hash() != hash {
				t.Fatal("the board has changed")
			}
			if found.Win != (test.plies > 0) || found.Win != (found.Proof != nil) || len(found.Line) < test.plies {
				t.Fatalf("win %v in %v, want %d plies", found.Win, found.Line, test.plies)
			}
			if !found.Win {
				return
			}
			if err := found.Proof.Check(s.board); err != nil {
				t.Error(err)
			}
			for _, m := range found.Line[:len(found.Line)-1] {
				s.board.Play(m)
			}
			if last := found.Line[len(found.Line)-1]; !s.board.Wins(s.board.Side(), last) {
				t.Errorf("the line %v does not end with a five", found.Line)
			}
		})
	}
}

// TestSolverDefends compares the moves that hold with a search after every legal move.
func TestSolverDefends(t *testing.T) {
	for _, pos := range []string{"h8a1h9a3h10", "h8a1h9a3h10a5h11", "h8a1h9a3h10a5h7"} {
		s := newTestSolver(t, board.Freestyle, pos)
		found := s.Defend(t.Context(), Fours)
		if !found.Win || found.Holds == nil {
			t.Fatalf("%s: no threat found", pos)
		}
		var want []board.Move
		other := newTestSolver(t, board.Freestyle, pos)
		for _, m := range s.board.Open().Append(nil) {
			other.board.Play(m)
			if !other.Win(t.Context(), Fours).Win {
				want = append(want, m)
			}
			other.board.Undo()
		}
		if !slices.Equal(found.Holds, want) {
			t.Errorf("%s: %v hold, want %v", pos, found.Holds, want)
		}
	}
	found := newTestSolver(t, board.Freestyle, "h8").Defend(t.Context(), Fours)
	if found.Win || found.Holds != nil {
		t.Errorf("a threat of one stone: %+v", found)
	}
}

func TestSolverStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := newTestSolver(t, board.Freestyle, "h8i9i7g9h10h9g8j11f7e6j8")
	if found := s.Win(ctx, AnyThreat); found.Nodes > 10_000 {
		t.Errorf("%d nodes after the context has ended", found.Nodes)
	}
}

func TestSolverRefusesPositions(t *testing.T) {
	tests := []struct{ pos, want string }{
		{"h8h8", "bad move 2, h8"},
		{"h8p1", "p1"},
		{"h8 i", "i"},
		{overFive, "the game is over"},
		{overFive + "a9", "bad move 10, a9: the game is over"},
	}
	s := newTestSolver(t, board.Freestyle, "")
	for _, test := range tests {
		if err := s.Set(test.pos); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want one with %q", test.pos, err, test.want)
		}
	}
	if _, err := NewSolver(board.Freestyle, 1, 15); err == nil {
		t.Error("a board of one column")
	}
	if err := s.SetMoves([]board.Move{board.At(7, 7), board.None, board.At(7, 8)}); err != nil {
		t.Error(err)
	}
	if own, other := s.Sides(); own != "white" || other != "black" {
		t.Errorf("%s to move against %s after a pass, want white", own, other)
	}
}

func TestSolverDrawing(t *testing.T) {
	s, err := NewSolver(board.Freestyle, 6, 5)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Set("a1b2"); err != nil {
		t.Fatal(err)
	}
	got := s.Drawing([]board.Move{board.At(2, 2), board.At(3, 3)}, []board.Move{board.At(5, 4)})
	want := `     a  b  c  d  e  f
  5  .  .  .  .  .  *
  4  .  .  .  2  .  .
  3  .  .  1  .  .  .
  2  .  O  .  .  .  .
  1  X  .  .  .  .  .
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

package prover

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/proof"
	"tengen/brain/threat"
)

// Positions with black to move.
const (
	openThree = "h8a1h9a3h10a5"        // an open four wins by fours alone
	twoTwos   = "h8a1i8a3j9o15j10o1"   // j8 makes two open threes
	fourOfOwn = "h8a1h9a3h10a5h11a7"   // h7 and h12 make a five
	overFive  = "h8a1h9a3h10a5h11a7h7" // white to move, but black has a five
)

func newTest(t *testing.T, rule board.Rule, pos string) *Prover {
	t.Helper()
	s, err := New(rule, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Set(pos); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestProverIsGuided: a solver has the network as its guide, with which it needs fewer nodes.
func TestProverIsGuided(t *testing.T) {
	s := newTest(t, board.Freestyle, "e4d5a9c4c9h4c8e5c7c6f5f6e6d7d4e8f9d9d8f10g6b5a4h7h6c10b11g7h8e11e9g11a5b6a6a7f11e12d3c2c13")
	alone := threat.NewVCT(tableBytes)
	if alone.Win(s.board, threat.Limits{}) == nil {
		t.Fatal("no win")
	}
	if found := s.Win(t.Context(), VCT); !found.Win || found.Nodes > alone.Nodes()/2 {
		t.Errorf("a win: %v, in %d nodes, %d without a guide", found.Win, found.Nodes, alone.Nodes())
	}
}

// TestProverProvesWins plays the proof of every win against all replies.
func TestProverProvesWins(t *testing.T) {
	tests := []struct {
		name  string
		rule  board.Rule
		pos   string
		kind  Kind
		plies int // of the line at least, 0 for no win
		most  time.Duration
	}{
		{"a five", board.Freestyle, fourOfOwn, VCF, 1, time.Minute},
		{"an open four", board.Freestyle, openThree, VCF, 3, time.Minute},
		{"an open four among all threats", board.Freestyle, openThree, VCT, 3, time.Minute},
		{"two threes are no fours", board.Freestyle, twoTwos, VCF, 0, time.Second / 5},
		{"two threes", board.Freestyle, twoTwos, VCT, 5, time.Minute},
		{"where two threes are forbidden", board.Renju, twoTwos, VCT, 7, time.Minute},
		{"an empty board", board.Freestyle, "-", VCT, 0, time.Second / 5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newTest(t, test.rule, test.pos)
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

// TestProverDefends compares the moves that hold with a search after every legal move.
func TestProverDefends(t *testing.T) {
	for _, pos := range []string{"h8a1h9a3h10", "h8a1h9a3h10a5h11", "h8a1h9a3h10a5h7"} {
		s := newTest(t, board.Freestyle, pos)
		found := s.Defend(t.Context(), VCF)
		if !found.Win || found.Holds == nil {
			t.Fatalf("%s: no threat found", pos)
		}
		var want []board.Move
		other := newTest(t, board.Freestyle, pos)
		for _, m := range s.board.Open().Append(nil) {
			other.board.Play(m)
			if !other.Win(t.Context(), VCF).Win {
				want = append(want, m)
			}
			other.board.Undo()
		}
		if !slices.Equal(found.Holds, want) {
			t.Errorf("%s: %v hold, want %v", pos, found.Holds, want)
		}
	}
	found := newTest(t, board.Freestyle, "h8").Defend(t.Context(), VCF)
	if found.Win || found.Holds != nil {
		t.Errorf("a threat of one stone: %+v", found)
	}
}

func TestProverStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := newTest(t, board.Freestyle, "h8i9i7g9h10h9g8j11f7e6j8")
	if found := s.Win(ctx, VCT); found.Nodes > 10_000 {
		t.Errorf("%d nodes after the context has ended", found.Nodes)
	}
}

func TestProverRefusesPositions(t *testing.T) {
	tests := []struct{ pos, want string }{
		{"h8h8", "bad move 2, h8"},
		{"h8p1", "p1"},
		{"h8 i", "i"},
		{overFive, "the game is over"},
		{overFive + "a9", "bad move 10, a9: the game is over"},
	}
	s := newTest(t, board.Freestyle, "")
	for _, test := range tests {
		if err := s.Set(test.pos); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want one with %q", test.pos, err, test.want)
		}
	}
	if _, err := New(board.Freestyle, 1, 15); err == nil {
		t.Error("a board of one column")
	}
	if err := s.SetMoves([]board.Move{board.At(7, 7), board.None, board.At(7, 8)}); err != nil {
		t.Error(err)
	}
	if side := s.Board().Side(); side != board.White {
		t.Errorf("%v to move after a pass, want white", side)
	}
}

// TestDefendRefutes: every legal move holds or loses, and the proof of each that loses wins after it.
func TestDefendRefutes(t *testing.T) {
	s := newTest(t, board.Freestyle, "h8a1h9a3h10")
	found := s.Defend(t.Context(), VCT)
	if !found.Win || len(found.Holds)+len(found.Loses) != 15*15-5 {
		t.Fatalf("win %v, %d moves hold, %d lose", found.Win, len(found.Holds), len(found.Loses))
	}
	for _, r := range found.Loses {
		if slices.Contains(found.Holds, r.Move) {
			t.Errorf("%v holds and loses", r.Move)
		}
		s.board.Play(r.Move)
		if err := r.Proof.Check(s.board); err != nil {
			t.Errorf("%v: %v", r.Move, err)
		}
		if err := s.board.PlayAll(r.Line); err != nil {
			t.Errorf("%v: %v", r.Move, err)
		}
		if v, winner := s.board.Verdict(); v != board.WinningRow || winner != board.Black {
			t.Errorf("%v: black has not won after %v", r.Move, r.Line)
		}
		for range len(r.Line) + 1 {
			s.board.Undo()
		}
	}
}

// TestTreeHoldsByTheRules: every tree of a win, and of the moves that lose to a threat, has for each reply a
// move that wins there, though proofs of the solver may end with any five.
func TestTreeHoldsByTheRules(t *testing.T) {
	for _, test := range []struct {
		rule   board.Rule
		pos    string
		search func(*Prover, context.Context, Kind) Solution
	}{
		{board.Freestyle, openThree, (*Prover).Win},
		{board.Freestyle, twoTwos, (*Prover).Win},
		{board.Renju, "f8a1g8c1h8e1k8g1", (*Prover).Win},
		{board.Freestyle, "h8a1h9a3h10", (*Prover).Defend},
		{board.Freestyle, openThree + "h7", (*Prover).Defend},
		{board.Renju, openThree + "h11", (*Prover).Defend},
		{board.Freestyle, "h8a1i8a3j9o15j10", (*Prover).Defend},
	} {
		s := newTest(t, test.rule, test.pos)
		found := test.search(s, t.Context(), VCT)
		if !found.Win {
			t.Fatalf("%v, %s: no win", test.rule, test.pos)
		}
		b := s.Board()
		p := &proof.Proof{Rule: test.rule, Width: 15, Height: 15, Moves: b.Moves(), Root: found.Tree(t.Context(), b), Holds: found.Holds}
		if _, err := p.Check(t.Context()); err != nil {
			t.Errorf("%v, %s: %v", test.rule, test.pos, err)
		}
		if b.Hash() != s.board.Hash() {
			t.Errorf("%v, %s: the board is changed", test.rule, test.pos)
		}
	}
}

// A search that finds no win says whether that is because of its time.
func TestLimitOfASearch(t *testing.T) {
	late, cancel := context.WithCancel(t.Context())
	cancel()
	const pos = "h8i9i7g9h10h9g8j11f7e6j8"
	for _, test := range []struct {
		name string
		ctx  context.Context
		pos  string
		kind Kind
		want Limit
	}{
		{"two stones, fours", t.Context(), "h8i9", VCF, NoLimit},
		{"one stone, threats", t.Context(), "h8", VCT, NoLimit},
		{"no time", late, pos, VCT, TimeLimit},
	} {
		for name, search := range map[string]func(*Prover, context.Context, Kind) Solution{"win": (*Prover).Win, "threat": (*Prover).Defend} {
			if found := search(newTest(t, board.Freestyle, test.pos), test.ctx, test.kind); found.Win || found.Limit != test.want {
				t.Errorf("%s, %s: %v, limit %v, want %v", test.name, name, found.Win, found.Limit, test.want)
			}
		}
	}
}

// TestThreat: every move that is not among those that hold loses to the win itself, and what Defend lets
// hold is among them.
func TestThreat(t *testing.T) {
	for _, pos := range []string{"h8a1h9a3h10", "h8a1h9a3h10a5h11", "h8a1i8a3j9o15j10"} {
		s := newTest(t, board.Freestyle, pos)
		found := s.Threat(t.Context(), VCT)
		if !found.Win || len(found.Loses) > 0 {
			t.Fatalf("%s: win %v, %d moves lose", pos, found.Win, len(found.Loses))
		}
		for _, m := range s.board.Open().Append(nil) {
			if slices.Contains(found.Holds, m) {
				continue
			}
			s.board.Play(m)
			if err := found.Proof.Check(s.board); err != nil {
				t.Errorf("%s %v: %v", pos, m, err)
			}
			s.board.Undo()
		}
		for _, m := range s.Defend(t.Context(), VCT).Holds {
			if !slices.Contains(found.Holds, m) {
				t.Errorf("%s: %v holds and loses to the threat", pos, m)
			}
		}
	}
	if found := newTest(t, board.Freestyle, "h8").Threat(t.Context(), VCT); found.Win || found.Holds != nil {
		t.Errorf("a threat of one stone: %+v", found)
	}
}

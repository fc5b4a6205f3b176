package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/longtest"
	"tengen/brain/score"
)

func searchWith(t *testing.T, b *board.Board, depth int, r *Restrictions) Result {
	t.Helper()
	return newTestPool(1, 1<<20).Search(context.Background(), b, Limits{Depth: depth, Restrict: r}, nil)
}

func TestRootMovesAreBarred(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8a1i8a3j8a5") // g8 and k8 make an open four
	g8, k8 := board.At(6, 7), board.At(10, 7)
	for _, barred := range [][]board.Move{{g8}, {k8}, {g8, k8}} {
		r := searchWith(t, b, 3, &Restrictions{Root: barred})
		if slices.Contains(barred, r.Move) || !b.Legal(r.Move) {
			t.Errorf("without %v: plays %v", barred, r.Move)
		}
	}
	all := b.Open().Append(nil)
	for i, left := range all[:20] {
		barred := slices.Concat(all[:i], all[i+1:])
		if r := searchWith(t, b, 2, &Restrictions{Root: barred}); r.Move != left {
			t.Fatalf("only %v is left, plays %v", left, r.Move)
		}
	}
	if r := searchWith(t, b, 2, &Restrictions{Root: all}); r.Move != board.None {
		t.Errorf("nothing is left, plays %v", r.Move)
	}
}

func TestPathsAreBarred(t *testing.T) {
	// White has to stop an open three. If Black must play k8 after g8, that is no worse for White.
	b := boardtest.After(t, board.Freestyle, 15, "h8a1i8a3j8")
	after := b.Clone()
	after.Play(board.At(6, 7))
	k8 := board.At(10, 7)
	r := &Restrictions{Paths: map[uint64][]board.Move{after.Hash(): nil}}
	for _, m := range after.Open().Append(nil) {
		if m != k8 {
			r.Paths[after.Hash()] = append(r.Paths[after.Hash()], m)
		}
	}
	free := searchWith(t, b, 6, nil)
	bound := searchWith(t, b, 6, r)
	if bound.Info.Score < free.Info.Score {
		t.Errorf("White is worse off with Black restricted: %d after %d", bound.Info.Score, free.Info.Score)
	}
	if bound.Info.PV[0] == board.At(6, 7) && len(bound.Info.PV) > 1 && bound.Info.PV[1] != k8 {
		t.Errorf("the line %v leaves the only path", bound.Info.PV)
	}
	own := searchWith(t, b, 6, &Restrictions{Paths: map[uint64][]board.Move{b.Hash(): {free.Move}}})
	if own.Move == free.Move {
		t.Errorf("plays %v, which the path bars", own.Move)
	}
}

func TestCellsAreBarred(t *testing.T) {
	// Black's four has one open end, which Black may not use: no five, and White need not stop it.
	b := boardtest.After(t, board.Freestyle, 15, "a8c14b8e14c8g14d8")
	e8 := board.At(4, 7)
	var r Restrictions
	r.Cells[board.Black].Add(e8)
	if got := searchWith(t, b, 6, &r); got.Info.Score <= -score.WinFloor {
		t.Errorf("White is lost, score %d", got.Info.Score)
	}
	b.Play(board.At(0, 0))
	if got := searchWith(t, b, 4, &r); got.Move == e8 || got.Info.Score == score.WinIn(1) {
		t.Errorf("plays %v with score %d", got.Move, got.Info.Score)
	}
	b.Undo()
	r = Restrictions{}
	r.Cells[board.White].Add(e8)
	if got := searchWith(t, b, 4, &r); got.Move == e8 {
		t.Errorf("White plays %v", got.Move)
	}
}

// Threats that the side making them may not carry out force nothing: their five is barred.
func TestBarredFivesDoNotThreaten(t *testing.T) {
	e8 := board.At(4, 7)
	b := boardtest.After(t, board.Freestyle, 15, "a8c14b8e14c8g14d8")
	var both Restrictions
	both.Cells[board.Black].Add(e8)
	both.Cells[board.White].Add(e8)
	for depth := 2; depth <= 8; depth++ {
		if got := searchWith(t, b, depth, &both); got.Info.Score <= -score.WinFloor {
			t.Errorf("depth %d: White is lost, score %d, line %v", depth, got.Info.Score, got.Info.PV)
		}
	}
	// White has to stop the three h4 to j4, not the four.
	b = boardtest.After(t, board.Freestyle, 15, "a8c14b8e14c8g14d8a1h4c1i4e1j4")
	var black Restrictions
	black.Cells[board.Black].Add(e8)
	if got := searchWith(t, b, 8, &black); got.Move == e8 || got.Info.Score <= -score.WinFloor {
		t.Errorf("White plays %v with score %d", got.Move, got.Info.Score)
	}
}

// A five wins whatever path is barred from the position.
func TestFivesArePlayedBesidePaths(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "a8f4b8g4c8h4d8") // Black threatens e8, White an open four
	i4, e8, far := board.At(8, 3), board.At(4, 7), board.At(14, 14)
	after := b.Clone()
	after.Play(i4)
	r := &Restrictions{Paths: map[uint64][]board.Move{after.Hash(): {far}}}
	result := newTestPool(1, 1<<20).Search(context.Background(), b, Limits{Depth: 4, Lines: 2, Restrict: r}, nil)
	if result.Move != e8 {
		t.Errorf("White plays %v with score %d, and Black makes five", result.Move, result.Info.Score)
	}
}

// A five that a path bars after a move need not be stopped by that move.
func TestBarredFivesNeedNoBlock(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "a8f4b8g4c8h4d8") // Black threatens e8, White an open four
	i4, e8 := board.At(8, 3), board.At(4, 7)
	after := b.Clone()
	after.Play(i4)
	r := &Restrictions{Paths: map[uint64][]board.Move{after.Hash(): {e8}}}
	if got := searchWith(t, b, 6, r); got.Move != i4 || got.Info.Score != score.WinIn(3) {
		t.Errorf("White plays %v with score %d, want %v and a win in 3 plies", got.Move, got.Info.Score, i4)
	}
	// In a lost position too: Black has two fives, but not after White's open four.
	b = boardtest.After(t, board.Freestyle, 15, "b8f4c8g4d8h4e8")
	after = b.Clone()
	after.Play(i4)
	r = &Restrictions{Paths: map[uint64][]board.Move{after.Hash(): {board.At(0, 7), board.At(5, 7)}}}
	before := boardtest.After(t, board.Freestyle, 15, "b8f4c8g4d8h4")
	if got := searchWith(t, before, 4, r); got.Move == e8 && got.Info.Score >= score.WinFloor {
		t.Errorf("Black plays %v with score %d, and White wins by %v", got.Move, got.Info.Score, i4)
	}
}

// A win is none if a path bars its five, however far down: Black's e8 makes an open four, and the
// five that White's reply leaves is barred.
func TestBarredFivesWinNothing(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "b8o1c8a15d8")
	a8, e8, f8, far := board.At(0, 7), board.At(4, 7), board.At(5, 7), board.At(14, 14)
	r := &Restrictions{Paths: map[uint64][]board.Move{}}
	for _, m := range b.Open().Append(nil) {
		if m != far {
			r.Root = append(r.Root, m)
		}
	}
	for _, stop := range [...][2]board.Move{{a8, f8}, {f8, a8}} {
		after := b.Clone()
		for _, m := range []board.Move{far, e8, stop[0]} {
			after.Play(m)
		}
		r.Paths[after.Hash()] = []board.Move{stop[1]}
	}
	for depth := 2; depth <= 5; depth++ {
		if got := searchWith(t, b, depth, r); got.Info.Score.Proven() {
			t.Errorf("depth %d: score %d, line %v", depth, got.Info.Score, got.Info.PV)
		}
	}
}

// A five that may not be played is no reason to end the search soon.
func TestBarredFivesEndNoSearch(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8g8i8a3j8a5k8a7")
	five := []board.Move{board.At(11, 7)}
	for name, r := range map[string]*Restrictions{
		"at the root": {Root: five},
		"by a path":   {Paths: map[uint64][]board.Move{b.Hash(): five}},
	} {
		got := newTestPool(1, 1<<20).Search(context.Background(), b, Limits{Depth: forcedDepth + 3, Soft: time.Hour, Restrict: r}, nil)
		if got.Info.Depth != forcedDepth+3 {
			t.Errorf("barred %s: the search ends at depth %d", name, got.Info.Depth)
		}
	}
}

func TestMaxMovesAndDraws(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7") // White to move
	for _, tt := range []struct {
		name string
		r    Restrictions
		want func(Value) bool
	}{
		{"a draw is even", Restrictions{MaxMoves: 6}, func(v Value) bool { return v == 0 }},
		{"a draw is Black's", Restrictions{MaxMoves: 6, DrawFor: DrawIsBlacks}, func(v Value) bool { return v == score.LossIn(3) }},
		{"a draw is White's", Restrictions{MaxMoves: 6, DrawFor: DrawIsWhites}, func(v Value) bool { return v == score.WinIn(3) }},
		{"enough moves", Restrictions{MaxMoves: 200}, func(v Value) bool { return v != 0 && !v.Proven() }},
	} {
		if r := searchWith(t, b, 8, &tt.r); !tt.want(r.Info.Score) {
			t.Errorf("%s: score %d, line %v", tt.name, r.Info.Score, r.Info.PV)
		}
	}
	// A win that needs more moves than are left is none.
	b = boardtest.After(t, board.Freestyle, 15, "h8a1i8a3j8a5")
	if r := searchWith(t, b, 8, &Restrictions{MaxMoves: b.Ply() + 2}); r.Info.Score.Proven() {
		t.Errorf("score %d with two moves left", r.Info.Score)
	}
	if r := searchWith(t, b, 8, &Restrictions{MaxMoves: b.Ply() + 3}); r.Info.Score != score.WinIn(3) {
		t.Errorf("score %d with three moves left", r.Info.Score)
	}
	// So is a loss: nothing stops two threes, but that takes six plies.
	b = boardtest.After(t, board.Freestyle, 15, "d4a1e4c15f4o1j12a15k12o15l12a8d8o8e8h1f8")
	for _, depth := range []int{8, 9, 10, 12} {
		if r := searchWith(t, b, depth, &Restrictions{MaxMoves: b.Ply() + 3}); r.Info.Score != 0 {
			t.Errorf("depth %d: score %d with three moves left, line %v", depth, r.Info.Score, r.Info.PV)
		}
	}
}

// Lines are of moves that the restrictions leave, and end with the game.
func TestLinesKeepToRestrictions(t *testing.T) {
	longtest.Here(t)
	for _, rule := range allRules {
		r := rand.New(rand.NewPCG(43, uint64(rule)))
		for i := range 60 {
			b := fewEmpty(t, r, rule, 12)
			rs := restrictions(r, b, 2+r.IntN(9))
			lastEmpty := max(min(b.Width()*b.Height()-rs.MaxMoves, b.Empties()-1), 0)
			line := newTestPool(1, 1<<20).Search(context.Background(), b, Limits{Nodes: 5000, Lines: 1 + i%3, Restrict: rs}, nil).Info.PV
			five := false
			for ply, m := range line {
				barred := rs.Cells[b.Side()].Has(m) || slices.Contains(rs.Paths[b.Hash()], m)
				if five || b.Empties() <= lastEmpty || !b.Legal(m) || barred {
					t.Errorf("%v: ply %d of %v: after a five %v, %d empty cells of which %d are left, legal %v, barred %v",
						rule, ply+1, line, five, b.Empties(), lastEmpty, b.Legal(m), barred)
					break
				}
				five = b.Wins(b.Side(), m)
				b.Play(m)
			}
		}
	}
}

// Where somebody wins a draw every position is decided, and with a few empty cells a search
// without limits finds out how.
func TestTheEndIsSearchedToTheEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for range 40 {
		b := boardtest.New(t, board.Freestyle, 6, 5)
		for b.Empties() > 9 {
			open := b.Open().Append(nil)
			b.Play(open[r.IntN(len(open))])
		}
		if b.Won() {
			continue
		}
		got := newTestPool(1, 1<<20).Search(context.Background(), b, Limits{Restrict: &Restrictions{DrawFor: DrawIsWhites}}, nil)
		if !got.Info.Score.Proven() {
			t.Errorf("score %d at depth %d with %d empty cells", got.Info.Score, got.Info.Depth, b.Empties())
		}
	}
}

// A pass is no move of MaxMoves, and a blocked cell, which was a stone, is one.
func TestMaxMovesAreStones(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8a1i8a3j8a5")
	played := b.Ply()
	for range 4 {
		b.Pass()
	}
	if r := searchWith(t, b, 8, &Restrictions{MaxMoves: played + 2}); r.Info.Score.Proven() {
		t.Errorf("score %d with two moves left after passes", r.Info.Score)
	}
	if r := searchWith(t, b, 8, &Restrictions{MaxMoves: played + 3}); r.Info.Score != score.WinIn(3) {
		t.Errorf("score %d with three moves left after passes", r.Info.Score)
	}
	b = boardtest.New(t, board.Freestyle, 15, 15)
	for x := range 15 {
		b.Block(board.At(x, 14))
	}
	moves, err := board.ParseMoves("h8a1i8a3j8a5", 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		b.Play(m)
	}
	if r := searchWith(t, b, 8, &Restrictions{MaxMoves: 15 + played + 2}); r.Info.Score.Proven() {
		t.Errorf("score %d with two moves left and blocked cells", r.Info.Score)
	}
	if r := searchWith(t, b, 8, &Restrictions{MaxMoves: 15 + played + 3}); r.Info.Score != score.WinIn(3) {
		t.Errorf("score %d with three moves left and blocked cells", r.Info.Score)
	}
}

func TestRestrictionsDoNotSpoilTheTable(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	want := searchWith(t, b, 7, nil)
	p := newTestPool(1, 1<<20)
	after := b.Clone()
	after.Play(want.Move)
	restrict := &Restrictions{Paths: map[uint64][]board.Move{after.Hash(): after.Open().Append(nil)[:100]}}
	p.Search(context.Background(), b, Limits{Depth: 7, Restrict: restrict}, nil)
	p.Search(context.Background(), b, Limits{Depth: 7, Restrict: &Restrictions{MaxMoves: 6}}, nil)
	p.forget()
	if got := p.Search(context.Background(), b, Limits{Depth: 7}, nil); got.Info.Score != want.Info.Score || got.Info.Nodes != want.Info.Nodes {
		t.Errorf("score %d after %d nodes, want %d after %d", got.Info.Score, got.Info.Nodes, want.Info.Score, want.Info.Nodes)
	}
}

// Neither do other cells, if their numbers add up to the same.
func TestCellsDoNotSpoilTheTable(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	cells := func(black, white []board.Move) *Restrictions {
		var r Restrictions
		for _, m := range black {
			r.Cells[board.Black].Add(m)
		}
		for _, m := range white {
			r.Cells[board.White].Add(m)
		}
		return &r
	}
	h7, i8, g8, j7, h11 := board.At(7, 6), board.At(8, 7), board.At(6, 7), board.At(9, 6), board.At(7, 10)
	capped := func(r *Restrictions, moves int) *Restrictions {
		r.MaxMoves = moves
		return r
	}
	for name, two := range map[string][2]*Restrictions{
		"the colors change":      {cells([]board.Move{h7}, []board.Move{i8}), cells([]board.Move{i8}, []board.Move{h7})},
		"as far from the middle": {cells([]board.Move{h7, i8}, nil), cells([]board.Move{g8, j7}, nil)},
		"with fewer moves":       {capped(cells([]board.Move{h7}, nil), 31), capped(cells([]board.Move{h11}, nil), 32)},
	} {
		p := newTestPool(1, 1<<20)
		p.Search(context.Background(), b, Limits{Depth: 7, Restrict: two[0]}, nil)
		p.forget()
		want := searchWith(t, b, 7, two[1])
		if got := p.Search(context.Background(), b, Limits{Depth: 7, Restrict: two[1]}, nil); got.Info.Score != want.Info.Score || got.Info.Nodes != want.Info.Nodes {
			t.Errorf("%s: score %d after %d nodes, want %d after %d", name, got.Info.Score, got.Info.Nodes, want.Info.Score, want.Info.Nodes)
		}
	}
}

func TestReachAddsRootMoves(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8")
	for reach, want := range map[int]int{0: 7*7 - 1 + 8, 3: 7*7 - 1 + 8, 4: 9*9 - 1, 22: 15*15 - 1} {
		lines := 0
		newTestPool(1, 1<<20).Search(context.Background(), b, Limits{Depth: 1, Lines: 300, Reach: reach}, func(i Info) { lines = i.Lines })
		if lines != want {
			t.Errorf("reach %d: %d moves, want %d", reach, lines, want)
		}
	}
}

func TestWatchTellsTheRootMoves(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	begun, ended, best := map[board.Move]int{}, map[board.Move]int{}, board.None
	r := newTestPool(2, 1<<20).Search(context.Background(), b, Limits{Depth: 6, From: 4, Watch: func(e RootEvent) {
		switch e.Kind {
		case MoveBegins:
			begun[e.Move]++
		case MoveEnds:
			ended[e.Move]++
		case MoveIsBest:
			best = e.Move
		}
	}}, nil)
	if best != r.Move {
		t.Errorf("the last best move told is %v, the result %v", best, r.Move)
	}
	if len(begun) < 30 || len(begun) != len(ended) {
		t.Errorf("%d moves begun, %d ended", len(begun), len(ended))
	}
	for m, n := range begun {
		if ended[m] != n {
			t.Errorf("%v began %d times and ended %d times", m, n, ended[m])
		}
	}
}

// What is known of a position is taken as it is, by the side that it is for.
func TestKnownPositions(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9")
	m := board.At(8, 6)
	after := b.Clone()
	after.Play(m)
	for _, tt := range []struct {
		known, want Value
		played      bool
	}{
		{score.LossIn(6), score.WinIn(7), true},
		{score.WinIn(5), 0, false},
	} {
		r := searchWith(t, b, 4, &Restrictions{Known: map[uint64]Value{after.Hash(): tt.known}})
		if (r.Move == m) != tt.played || tt.played && r.Info.Score != tt.want || !tt.played && r.Info.Score.Proven() {
			t.Errorf("%d is known of %v: plays %v with %d", tt.known, m, r.Move, r.Info.Score)
		}
	}
	// Below the root too: every answer of White to the move wins.
	r := &Restrictions{Known: map[uint64]Value{}}
	for _, answer := range after.Open().Append(nil) {
		after.Play(answer)
		r.Known[after.Hash()] = score.LossIn(4)
		after.Undo()
	}
	if got := searchWith(t, b, 4, r); got.Move == m {
		t.Errorf("plays the losing %v", m)
	}
}

package search

import (
	"context"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
	"tengen/brain/score"
)

// TestCompress: compress keeps the order, the sign, values near 0 and proven ones; expand
// takes it back up to what the division drops.
func TestCompress(t *testing.T) {
	before := -infinity
	for v := -score.Win; v <= score.Win; v++ {
		c := compress(v)
		if c < before || c != -compress(-v) || c.Proven() != v.Proven() {
			t.Fatalf("%d is compressed to %d after %d", v, c, before)
		}
		before = c
		off := v - expand(c)
		switch exact := v.Abs() <= clearValue || v.Proven(); {
		case exact && c != v, exact && off != 0, off.Abs() >= clearPart:
			t.Fatalf("%d is compressed to %d, which is expanded to %d", v, c, expand(c))
		}
	}
	if far := compress(5000); far > 1000 {
		t.Errorf("5000 is compressed to %d", far)
	}
}

// constant is an evaluator to which every position is worth so much for Black. A style adds more
// with every stone.
type constant struct {
	b      *board.Board
	black  int
	style  int
	styled board.Color // the side that plays in the style
}

func (c *constant) Reset(b *board.Board, style int) { c.b, c.style, c.styled = b, style, b.Side() }
func (c *constant) Undone()                         {}
func (c *constant) Order(_ []board.Move, s []int32) { clear(s) }
func (c *constant) Value() int                      { return c.forSide(board.Black, c.black) + c.StylePart() }
func (c *constant) StylePart() int                  { return c.forSide(c.styled, c.style*(5+c.b.Ply())) }

// forSide returns what is worth v for s for the side to move.
func (c *constant) forSide(s board.Color, v int) int {
	if c.b.Side() != s {
		return -v
	}
	return v
}

// TestScoresAreExpanded: what a search reports is on the scale of its evaluator, and so are the
// values that are given to it.
func TestScoresAreExpanded(t *testing.T) {
	for _, rule := range []board.Rule{board.Freestyle, board.ExactFive, board.Renju, board.Caro} {
		b := boardtest.After(t, rule, 15, "h8i9i7g9")
		for _, black := range []int{0, 120, 1403, -1403} {
			p := NewPool(func(*board.Board) eval.Evaluator { return &constant{black: black} }, DefaultParams(), 1, 1<<20)
			r := p.Search(context.Background(), b, Limits{Depth: 3, Study: true}, nil)
			if off := r.Info.Score - Value(black); off.Abs() >= clearPart {
				t.Errorf("%v: a position worth %d has the score %d", rule, black, r.Info.Score)
			}
			r = p.Search(context.Background(), b, Limits{Depth: 3}, nil)
			if r.Info.Score != Value(black) {
				t.Errorf("%v: in a game a position worth %d has the score %d", rule, black, r.Info.Score)
			}
		}
	}
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	known := map[uint64]Value{}
	for _, m := range b.Open().Append(nil) {
		known[b.HashAfter(m)] = -1400
	}
	p := NewPool(func(*board.Board) eval.Evaluator { return &constant{black: 900} }, DefaultParams(), 1, 1<<20)
	r := p.Search(context.Background(), b, Limits{Depth: 3, Study: true, Restrict: &Restrictions{Known: known}}, nil)
	if off := r.Info.Score - 1400; off.Abs() >= clearPart {
		t.Errorf("after moves that are known to be worth 1400 the score is %d", r.Info.Score)
	}
}

// TestValuesOfAStudyAreCompressed: where the static value is beyond studyFrom, and what is known of
// the values of one kind is not used for the other.
func TestValuesOfAStudyAreCompressed(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	e := &constant{}
	p := NewPool(func(*board.Board) eval.Evaluator { return e }, DefaultParams(), 1, 1<<20)
	w := p.workers[0]
	before := false
	for _, tt := range []struct {
		study bool
		style int
		black int
		want  bool
	}{
		{true, 0, 900, true},
		{true, 0, -900, true},
		{false, 0, 900, false},
		{true, 0, studyFrom, false},
		{true, 0, studyFrom + 1, true},
		{true, 50, 900, false},
	} {
		p.Clear()
		e.black = tt.black
		w.corrections.threats[0][0] = 1
		r := p.Search(context.Background(), b, Limits{Depth: 1, Study: tt.study, Style: tt.style}, nil)
		off := r.Info.Score - Value(tt.black)
		if w.compresses != tt.want || off.Abs() >= clearPart {
			t.Errorf("%v: values are compressed: %v; the score is %d", tt, w.compresses, r.Info.Score)
		}
		if keyed := w.b.Hash() != b.Hash(); keyed != (tt.want || tt.style != 0) {
			t.Errorf("%v: another hash: %v", tt, keyed)
		}
		if left := w.corrections.threats[0][0] == 1; left != (before == tt.want && tt.style == 0) {
			t.Errorf("%v: corrections are left: %v", tt, left)
		}
		before = tt.want
	}
}

// TestScoresHaveNoStyle: what a style adds to the values of a search is in none that leave it, and a
// draw is worth as much more as every other position.
func TestScoresHaveNoStyle(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	for _, style := range []int{-100, 50} {
		for _, black := range []int{0, 120, 1403, -1403} {
			p := NewPool(func(*board.Board) eval.Evaluator { return &constant{black: black} }, DefaultParams(), 1, 1<<20)
			p.Search(context.Background(), b, Limits{Depth: 3, Style: style, Study: true}, func(i Info) {
				if p.workers[0].compresses {
					t.Errorf("style %d: values are compressed", style)
				}
				if i.Score != Value(black) {
					t.Errorf("style %d: a position worth %d has the score %d with %v", style, black, i.Score, i.PV)
				}
			})
			p.Search(context.Background(), b, Limits{Depth: 3, Style: style, Lines: 4}, func(i Info) {
				off := (i.Score - Value(black)).Abs()
				if off > 2*Value(style).Abs() { // values by bounds may have a line that is too short
					t.Errorf("style %d: a position worth %d has the score %d in line %d, %v", style, black, i.Score, i.Line, i.PV)
				}
			})
			r := p.Search(context.Background(), b, Limits{Depth: 3, Style: style, Restrict: &Restrictions{MaxMoves: 6}}, nil)
			if r.Info.Score != draw {
				t.Errorf("style %d: a draw has the score %d", style, r.Info.Score)
			}
			known := map[uint64]Value{}
			for _, m := range b.Open().Append(nil) {
				known[b.HashAfter(m)] = -70
			}
			r = p.Search(context.Background(), b, Limits{Depth: 3, Style: style, Restrict: &Restrictions{Known: known}}, nil)
			if r.Info.Score != 70 {
				t.Errorf("style %d: after moves that are known to be worth 70 the score is %d", style, r.Info.Score)
			}
		}
	}
}

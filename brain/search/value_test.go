package search

import (
	"context"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

func TestValueBefore(t *testing.T) {
	for _, tt := range []struct{ after, want Value }{
		{0, 0}, {120, -120}, {-120, 120}, {WinIn(9), LossIn(10)}, {LossIn(8), WinIn(9)}, {WinFloor - 1, 1 - WinFloor},
	} {
		if got := tt.after.Before(); got != tt.want {
			t.Errorf("%d: %d, want %d", tt.after, got, tt.want)
		}
		if got := tt.want.After(); got != tt.after {
			t.Errorf("after %d: %d, want %d", tt.want, got, tt.after)
		}
		if got := tt.after.Abs(); got != tt.after && got != -tt.after || got < 0 {
			t.Errorf("|%d| is %d", tt.after, got)
		}
	}
}

// TestValueCompress: compress keeps the order, the sign, values near 0 and proven ones; expand
// takes it back up to what the division drops.
func TestValueCompress(t *testing.T) {
	before := -infinity
	for v := -Win; v <= Win; v++ {
		c := v.compress()
		if c < before || c != -(-v).compress() || c.Proven() != v.Proven() {
			t.Fatalf("%d is compressed to %d after %d", v, c, before)
		}
		before = c
		off := v - c.expand()
		switch exact := v.Abs() <= clearValue || v.Proven(); {
		case exact && c != v, exact && off != 0, off.Abs() >= clearPart:
			t.Fatalf("%d is compressed to %d, which is expanded to %d", v, c, c.expand())
		}
	}
	if far := Value(5000).compress(); far > 1000 {
		t.Errorf("5000 is compressed to %d", far)
	}
}

// constant is an evaluator to which every position is worth so much for Black.
type constant struct {
	b     *board.Board
	black int
}

func (c *constant) Reset(b *board.Board, _ int) int { c.b = b; return 0 }
func (c *constant) Undone()                         {}
func (c *constant) Order(_ []board.Move, s []int32) { clear(s) }
func (c *constant) Value() int {
	if c.b.Side() == board.White {
		return -c.black
	}
	return c.black
}

// TestScoresAreExpanded: what a search reports is on the scale of its evaluator, and so are the
// values that are given to it.
func TestScoresAreExpanded(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	for _, black := range []int{0, 120, 1403, -1403} {
		p := NewPool(func(*board.Board) *constant { return &constant{black: black} }, DefaultParams(), 1, 1<<20)
		r := p.Search(context.Background(), b, Limits{Depth: 3}, nil)
		if off := r.Info.Score - Value(black); off.Abs() >= clearPart {
			t.Errorf("a position worth %d has the score %d", black, r.Info.Score)
		}
		if r := p.Search(context.Background(), b, Limits{Depth: 3, Style: 50}, nil); r.Info.Score != Value(black) {
			t.Errorf("with a style a position worth %d has the score %d", black, r.Info.Score)
		}
	}
	known := map[uint64]Value{}
	for _, m := range b.Open().Append(nil) {
		known[b.HashAfter(m)] = -1400
	}
	p := NewPool(func(*board.Board) *constant { return &constant{} }, DefaultParams(), 1, 1<<20)
	r := p.Search(context.Background(), b, Limits{Depth: 3, Restrict: &Restrictions{Known: known}}, nil)
	if off := r.Info.Score - 1400; off.Abs() >= clearPart {
		t.Errorf("after moves that are known to be worth 1400 the score is %d", r.Info.Score)
	}
}

package search

import (
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// TestForcedMovesByClass: the moves of a forced position come by what they make and take,
// without the evaluator, which the worker here does not have. Every move comes once.
func TestForcedMovesByClass(t *testing.T) {
	for _, tt := range []struct {
		name  string
		moves string
		kind  generator
		first []string // in any order
		after []string // come later
	}{
		// White's open three h8 to j8 leaves its ends, and own fours by a1, b1, c1.
		{"stops", "a1h8b1i8c1j8", blockFours, []string{"g8", "k8"}, []string{"d1", "e1"}},
		// The fours at the crossing of two rows of three threaten two fives.
		{"fours", "a1o1b1o3c1o5d4o7d3o9d2o11", onlyFours, []string{"d1"}, []string{"e1", "d5"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := boardtest.After(t, board.Freestyle, 15, tt.moves)
			w := &worker{b: b, p: newNumbers(DefaultParams())}
			p := w.newMovePicker(tt.kind, board.None)
			var got []string
			last := int32(1 << 30)
			for m := p.move(); m != board.None; m = p.move() {
				if slices.Contains(got, m.String()) {
					t.Errorf("%v twice", m)
				}
				got = append(got, m.String())
				points := 2*forcedOrder[b.Class(b.Side(), m)] + forcedOrder[b.Class(b.Side().Other(), m)]
				if points > last {
					t.Errorf("%v with %d after %d", m, points, last)
				}
				last = points
			}
			n := len(tt.first)
			for i, m := range slices.Concat(tt.first, tt.after) {
				if at := slices.Index(got, m); at < 0 || (at < n) != (i < n) {
					t.Errorf("%s is number %d of %v", m, at+1, got)
				}
			}
		})
	}
}

// TestScoredMove: what a scored move holds comes back, and moves that the policy does not order lie
// behind none, on 32 bits, too.
func TestScoredMove(t *testing.T) {
	m := board.At(3, 11)
	best, score32 := int32(noPolicy), int32(500)
	for _, tt := range []struct{ v, behind, want int }{
		{0, 0, 0}, {-700, 31, 31}, {1 << 20, 1 << 20, 0xffff}, {12, int(best) - int(score32), 0}, {12, int(best) + int(score32), 0},
	} {
		if s := newScored(m, tt.v, tt.behind); s.move() != m || s.behind() != tt.want || int(s>>32) != tt.v {
			t.Errorf("%v is %v, %d behind, with %d", tt, s.move(), s.behind(), s>>32)
		}
	}
}

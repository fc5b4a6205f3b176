package search

import (
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// TestHistory: the history tells a rewarded move from one that was penalized, and keeps what it
// has learned after other moves and for the other side apart.
func TestHistory(t *testing.T) {
	w := &worker{b: boardtest.After(t, board.Freestyle, 15, "h8i9i7g9"), p: newNumbers(DefaultParams())}
	good, bad, third := board.At(10, 8), board.At(4, 4), board.At(9, 3)
	for range 1000 {
		w.updateHistory(good, []board.Move{bad}, 12, 0, false)
	}
	all := func(moves string, m board.Move) [3]int {
		b := boardtest.After(t, board.Freestyle, 15, moves)
		c := continuationOf(b)
		return [3]int{w.history.of(b.Side(), quietMove, m), int(*w.history.after(c, 0, m)), int(*w.history.after(c, 1, m))}
	}
	for _, tt := range []struct {
		name, moves string
		move        board.Move
		want        [3]int // signs
	}{
		{"the rewarded move", "h8i9i7g9", good, [3]int{1, 1, 1}},
		{"the penalized move", "h8i9i7g9", bad, [3]int{-1, -1, -1}},
		{"another move", "h8i9i7g9", third, [3]int{}},
		{"after the same last move", "h8i9e5g9", good, [3]int{1, 1, 0}},
		{"after the same move before the last", "h8i9i7e5", good, [3]int{1, 0, 1}},
		{"for the other side", "h8i9a1i7g9", good, [3]int{}},
	} {
		got := all(tt.moves, tt.move)
		for i, v := range got {
			if sign := max(-1, min(v, 1)); sign != tt.want[i] || v > historyMax || v < -historyMax {
				t.Errorf("%s: %d, want the signs %d and at most %d", tt.name, got, tt.want, historyMax)
				break
			}
		}
	}
	if mine := w.history.classes; mine == (history{}).classes {
		t.Error("nothing was learned of what the moves make and take")
	}
}

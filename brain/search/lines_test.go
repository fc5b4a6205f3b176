package search

import (
	"context"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/longtest"
)

// Five lines to the same depth cost less than four times the nodes of one line, and each of
// them is worth reading. The requirement is 20 positions; these are the shorter ones.
func TestFiveLinesCostLessThanFourTimesOne(t *testing.T) {
	longtest.Here(t)
	var one, five int64
	for _, moves := range []string{"d4e7d7d6", "i12h12h6g8j15e4", "g2e6g4h6f7h5", "h7i6h4f5e4h5", "f7j8l8h6", "n10m13j14"} {
		b := boardtest.After(t, board.Freestyle, 15, moves)
		one += newTestPool(1, 16<<20).Search(context.Background(), b, Limits{Depth: 11}, nil).Info.Nodes
		var last [5]Info
		r := newTestPool(1, 16<<20).Search(context.Background(), b, Limits{Depth: 11, Lines: 5}, func(i Info) {
			checkLine(t, b, i.PV)
			i.PV = append([]board.Move(nil), i.PV...)
			last[i.Line] = i
		})
		five += r.Info.Nodes
		for i, info := range last {
			if info.Depth != 11 || len(info.PV) <= 2 && !info.Score.Proven() || i > 0 && info.Score > last[i-1].Score {
				t.Errorf("%s: line %d: depth %d, score %d, %v", moves, i+1, info.Depth, info.Score, info.PV)
			}
		}
	}
	t.Logf("%d nodes for one line, %d for five: %.2f times", one, five, float64(five)/float64(one))
	if five >= 4*one {
		t.Errorf("five lines took %d nodes, one took %d", five, one)
	}
}

// The values of several lines are those that searches of the positions after their moves find,
// within what the search itself varies.
func TestValuesOfLines(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	scores := map[board.Move]Value{}
	newTestPool(1, 16<<20).Search(context.Background(), b, Limits{Depth: 9, Lines: 6}, func(i Info) {
		if i.Depth == 9 {
			scores[i.PV[0]] = i.Score
		}
	})
	if len(scores) != 6 {
		t.Fatalf("%d lines", len(scores))
	}
	for m, v := range scores {
		b.Play(m)
		alone := -newTestPool(1, 16<<20).Search(context.Background(), b, Limits{Depth: 8}, nil).Info.Score
		b.Undo()
		if d := v - alone; !v.Proven() && !alone.Proven() && (d > 120 || d < -120) {
			t.Errorf("%v: %d as one of several, %d alone", m, v, alone)
		}
	}
}

// TestCloseBounds: bounds of a value are closer where a point of it stands for several.
func TestCloseBounds(t *testing.T) {
	for _, tt := range []struct {
		compresses bool
		low, high  Value
		want       bool
	}{
		{true, 0, closeLines, true},
		{true, 0, closeLines + 1, false},
		{true, clearValue - closeLines, clearValue, true},
		{true, clearValue - 1, clearValue + 1, false},
		{true, clearValue, clearValue + clearLines, true},
		{true, -clearValue - 1, -clearValue + 1, false},
		{false, clearValue, clearValue + closeLines, true},
	} {
		w := &worker{compresses: tt.compresses}
		if w.nearlyEqual(tt.low, tt.high) != tt.want {
			t.Errorf("compressed %v: %d and %d are close: %v", tt.compresses, tt.low, tt.high, !tt.want)
		}
	}
}

func TestLeastOfTheBest(t *testing.T) {
	w := &worker{}
	for _, v := range []Value{5, -3, 9, 9, 0, 7} {
		w.root.moves = append(w.root.moves, rootMove{score: v})
	}
	for lines, want := range map[int]Value{1: 9, 2: 9, 3: 7, 4: 5, 5: 0, 6: -3, 7: -3} {
		if got := w.least(6, lines); got != want {
			t.Errorf("the least of the best %d is %d, want %d", lines, got, want)
		}
	}
	if got := w.least(2, 1); got != 5 {
		t.Errorf("got %d, want 5", got)
	}
}

package sample

import (
	"testing"

	"tengen/brain/score"
)

// What an engine reports becomes a value of its search, whatever it is.
func TestValueOf(t *testing.T) {
	for _, points := range []int{0, 1, -1, 200, -12345, int(score.WinFloor) - 1, 1 - int(score.WinFloor)} {
		if got := ValueOf(points, 0); int(got) != points || score.Value(got).Proven() {
			t.Errorf("%d points are %d", points, got)
		}
	}
	for _, mate := range []int{1, 2, 7, 400, int(score.Win - score.WinFloor)} {
		if got := ValueOf(0, mate); score.Value(got) != score.WinIn(mate) {
			t.Errorf("a win in %d is %d", mate, got)
		}
		if got := ValueOf(0, -mate); score.Value(got) != score.LossIn(mate) {
			t.Errorf("a loss in %d is %d", mate, got)
		}
	}
	for points, want := range map[int]int16{1 << 30: 28999, -1 << 30: -28999} {
		if got := ValueOf(points, 0); got != want {
			t.Errorf("%d points are %d", points, got)
		}
	}
	if win, loss := ValueOf(0, 1<<30), ValueOf(0, -1<<30); win != 29000 || loss != -29000 {
		t.Errorf("the latest win is %d, the latest loss %d", win, loss)
	}
}

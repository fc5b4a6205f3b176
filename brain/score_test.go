package brain

import (
	"testing"

	"tengen/brain/score"
)

func TestMate(t *testing.T) {
	for _, test := range []struct {
		v    Value
		want int
		text string
	}{
		{0, 0, "0"}, {6000, 0, "6000"}, {-6000, 0, "-6000"},
		{score.WinIn(1), 1, "+M1"}, {score.WinIn(7), 7, "+M7"}, {score.LossIn(2), -2, "-M2"}, {score.LossIn(30), -30, "-M30"},
	} {
		if got, text := test.v.Mate(), ScoreText(test.v); got != test.want || text != test.text {
			t.Errorf("%d: %d plies, %s, want %d, %s", test.v, got, text, test.want, test.text)
		}
	}
}

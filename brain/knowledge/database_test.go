package knowledge

import (
	"testing"

	"tengen/brain/eval"
	"tengen/brain/score"
)

func TestValuesOfRecordsComeBack(t *testing.T) {
	for _, v := range []score.Value{0, 17, -eval.Max, eval.Max, score.WinIn(1), score.WinIn(77), score.LossIn(2), score.LossIn(90)} {
		if got := valueOf(recordOf(v, 5)); got != v {
			t.Errorf("%d comes back as %d", v, got)
		}
	}
}

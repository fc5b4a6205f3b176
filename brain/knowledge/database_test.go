package knowledge

import (
	"testing"

	"tengen/brain/eval"
	"tengen/brain/search"
)

func TestValuesOfRecordsComeBack(t *testing.T) {
	for _, v := range []search.Value{0, 17, -eval.Max, eval.Max, search.WinIn(1), search.WinIn(77), search.LossIn(2), search.LossIn(90)} {
		if got := valueOf(recordOf(v, 5)); got != v {
			t.Errorf("%d comes back as %d", v, got)
		}
	}
}

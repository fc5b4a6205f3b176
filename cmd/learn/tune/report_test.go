package tune

import (
	"fmt"
	"strings"
	"testing"

	"tengen/brain/search"
	"tengen/cmd/internal/elo"
)

func TestTheReportNamesWhatMoved(t *testing.T) {
	base := search.DefaultParams()
	params, err := choose(&base, "ReduceCut,CountBase")
	if err != nil {
		t.Fatal(err)
	}
	r := testRun(params, 100, 4)
	r.Base = base
	r.iterations = []iteration{{K: 1, Score: elo.Score{Wins: 3, Losses: 4, Draws: 1, Pairs: [5]int{1, 1, 1, 1}},
		Theta: []float64{float64(base.ReduceCut) - 100.4, 5.6}}}
	var b strings.Builder
	if err := r.report(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"after 1 iterations, 4 pairs, 12.5% of games drawn",
		fmt.Sprintf("ReduceCut %13d %6d   -0.5\n", base.ReduceCut, base.ReduceCut-100),
		fmt.Sprintf("CountBase %13d %6d   %+.1f\n", base.CountBase, 6, 5.6-float64(base.CountBase)),
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if base != search.DefaultParams() {
		t.Error("the defaults have changed")
	}
}

package winrate

import (
	"math"
	"testing"
)

// TestOf checks the properties of the scale by its odds.
func TestOf(t *testing.T) {
	for v := -6000.0; v <= 6000; v += 50 {
		p, q := Of(v), Of(-v)
		if math.Abs(p+q-1) > 1e-12 {
			t.Fatalf("at %v the chances %v and %v do not add up to 1", v, p, q)
		}
		if better := Of(v + Unit); better <= p && p < 1-1e-12 {
			t.Fatalf("at %v the chance is %v, %v at %v", v, p, better, v+Unit)
		}
		odds, more := p/q, Of(v+Unit)/Of(-v-Unit)
		if math.Abs(more/odds-math.E) > 1e-9 {
			t.Fatalf("from %v on, %d points make the odds %v times as good, want e", v, Unit, more/odds)
		}
	}
	if p := math.Round(100 * Of(Unit)); p != 73 {
		t.Errorf("%v%% at %d points, want 73%%", p, Unit)
	}
}

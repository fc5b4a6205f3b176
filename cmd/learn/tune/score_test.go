package tune

import (
	"math"
	"testing"

	"tengen/brain/record"
)

func TestPairsAreCountedFromTheFirstSide(t *testing.T) {
	var s score
	for _, pair := range [][2]record.Outcome{
		{record.BlackWon, record.WhiteWon}, // won both
		{record.BlackWon, record.BlackWon},
		{record.WhiteWon, record.WhiteWon},
		{record.Drawn, record.BlackWon}, // drawn and lost
		{record.Drawn, record.Drawn},
		{record.WhiteWon, record.BlackWon}, // lost both
	} {
		s.add(pair[0], pair[1])
	}
	want := score{Wins: 4, Losses: 5, Draws: 3, Pairs: [5]int{1, 1, 3, 0, 1}}
	if s != want {
		t.Errorf("got %+v, want %+v", s, want)
	}
	s.join(want)
	if s.Wins != 8 || s.Losses != 10 || s.Draws != 6 || s.Pairs != [5]int{2, 2, 6, 0, 2} || s.pairs() != 12 {
		t.Errorf("twice that is %+v", s)
	}
}

// TestEstimate: points and Elo by hand; the interval by the normal approximation, here
// for 100 pairs with a variance of 0.05 a pair: 0.6 +- 1.96 * sqrt(0.05/100).
func TestEstimate(t *testing.T) {
	s := score{Pairs: [5]int{0, 20, 40, 20, 20}}
	e := s.estimate()
	variance := (0.2*0.35*0.35 + 0.4*0.1*0.1 + 0.2*0.15*0.15 + 0.2*0.4*0.4)
	half := 1.96 * math.Sqrt(variance/100)
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"points", e.points, 0.6},
		{"Elo", e.elo, 70.437},
		{"low", e.low, 400 * math.Log10((0.6-half)/(0.4+half))},
		{"high", e.high, 400 * math.Log10((0.6+half)/(0.4-half))},
	} {
		if math.Abs(tt.got-tt.want) > 0.01 {
			t.Errorf("%s: got %v, want %v", tt.name, tt.got, tt.want)
		}
	}
	for _, tt := range []struct {
		name  string
		pairs [5]int
		want  string
	}{
		{"nothing", [5]int{}, "+0 -0 =0"},
		{"all won", [5]int{4: 9}, "+0 -0 =0, 100.0%, Elo inf [324.3, inf]"},
		{"all lost", [5]int{9}, "+0 -0 =0, 0.0%, Elo -inf [-inf, -324.3]"},
	} {
		s := score{Pairs: tt.pairs}
		if got := s.String(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	few, many := (&score{Pairs: [5]int{2: 10}}).estimate(), (&score{Pairs: [5]int{2: 1000}}).estimate()
	if few.elo != 0 || few.high < 5 || many.high > few.high/10 {
		t.Errorf("pairs all alike: 10 give %+v, 1000 give %+v", few, many)
	}
}

package tune

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/cmd/internal/elo"
)

var testParams = []parameter{
	{"Reduction", 900, 300, 1800, 90},
	{"Margin", 40, 0, 200, 12},
	{"Count", 3, 1, 16, 1},
}

// hill measures two sets by games of chance: each loses the given Elo for every
// step away from the optimum, squared.
func hill(params []parameter, optimum []float64, loss float64, seed uint64, pairs int) func(context.Context, int, []int, []int) (elo.Score, error) {
	worth := func(set []int) (elo float64) {
		for i, p := range params {
			d := (float64(set[i]) - optimum[i]) / float64(p.Step)
			elo -= loss * d * d
		}
		return elo
	}
	return func(_ context.Context, k int, plus, minus []int) (elo.Score, error) {
		r := rand.New(rand.NewPCG(seed, uint64(k)))
		chance := 1 / (1 + math.Pow(10, (worth(minus)-worth(plus))/400))
		var s elo.Score
		for range pairs {
			half := 0
			for range 2 {
				if r.Float64() < chance {
					half += 2
					s.Wins++
				} else {
					s.Losses++
				}
			}
			s.Pairs[half]++
		}
		return s, nil
	}
}

func testRun(params []parameter, iterations, pairs int) *run {
	return &run{settings: settings{
		Params: params, Horizon: iterations, Pairs: pairs, Seed: 7, Gain: defaultGain(iterations, pairs),
	}}
}

func climb(t *testing.T, r *run, measure func(context.Context, int, []int, []int) (elo.Score, error)) []float64 {
	t.Helper()
	tu := &tuner{run: r, goal: r.Horizon, measure: measure, keep: func(*iteration) error { return nil }}
	if err := tu.loop(context.Background()); err != nil {
		t.Fatal(err)
	}
	return r.theta()
}

// TestFindsTheOptimum climbs a hill of 4 Elo a step, told by games alone, up in one
// parameter and down in the others. A wrong sign anywhere runs away from it.
func TestFindsTheOptimum(t *testing.T) {
	optimum := []float64{900 + 5*90, 40 - 3*12, 3 + 4}
	r := testRun(testParams, 1500, 8)
	for i, x := range climb(t, r, hill(testParams, optimum, 4, 3, 8)) {
		p := testParams[i]
		if off := (x - optimum[i]) / float64(p.Step); math.Abs(off) > 1.2 {
			t.Errorf("%s ends at %.1f, %.1f steps from the optimum %v", p.Name, x, off, optimum[i])
		}
	}
}

// TestStaysWhereNothingMatters: the default gain leaves a step or two of noise.
func TestStaysWhereNothingMatters(t *testing.T) {
	wander := 0.0
	for seed := range uint64(20) {
		r := testRun(testParams[:1], 200, 8)
		r.Seed = seed
		x := climb(t, r, hill(testParams[:1], []float64{0}, 0, seed, 8))
		d := (x[0] - 900) / 90
		wander += d * d / 20
	}
	if wander = math.Sqrt(wander); wander < 0.5 || wander > 3 {
		t.Errorf("a value without meaning wanders %.1f steps", wander)
	}
}

// TestValuesStayInTheirRange climbs toward optima beyond both ends.
func TestValuesStayInTheirRange(t *testing.T) {
	r := testRun(testParams, 400, 8)
	theta := climb(t, r, hill(testParams, []float64{5000, -500, 40}, 0.5, 5, 8))
	for _, it := range r.iterations {
		for i, p := range testParams {
			for _, x := range []float64{float64(it.Plus[i]), float64(it.Minus[i]), it.Theta[i]} {
				if x < float64(p.Min) || x > float64(p.Max) {
					t.Fatalf("iteration %d: %s is %v, not within %d..%d", it.K, p.Name, x, p.Min, p.Max)
				}
			}
		}
	}
	for i, want := range []float64{1800, 0, 16} {
		p := testParams[i]
		if math.Abs(theta[i]-want) > 0.5*float64(p.Step) {
			t.Errorf("%s ends at %v, not at the end %v of its range", p.Name, theta[i], want)
		}
	}
}

// TestRoundingKeepsTheMean: whole numbers stand on average for the real ones, and the two
// sets are as far from each other as asked for, also for a step of one.
func TestRoundingKeepsTheMean(t *testing.T) {
	s := testRun(testParams, 1000, 1).spsa()
	theta := []float64{901.3, 40.7, 5.28}
	const n = 20000
	for _, k := range []int{1, 500} {
		mean, distance, up := make([]float64, 3), make([]float64, 3), 0
		for seed := range uint64(n) {
			s.seed = seed
			plus, minus := s.perturb(theta, k)
			for i := range theta {
				mean[i] += float64(plus[i]+minus[i]) / 2 / n
				distance[i] += math.Abs(float64(plus[i]-minus[i])) / n
			}
			if plus[2] > minus[2] {
				up++
			}
		}
		for i, p := range testParams {
			if math.Abs(mean[i]-theta[i]) > 0.02 {
				t.Errorf("iteration %d: %s is %.3f on average, want %v", k, p.Name, mean[i], theta[i])
			}
			if want := 2 * s.c(k) * float64(p.Step); math.Abs(distance[i]-want) > 0.02 {
				t.Errorf("iteration %d: the sets of %s lie %.3f apart, want %.3f", k, p.Name, distance[i], want)
			}
		}
		if up < n*48/100 || up > n*52/100 {
			t.Errorf("iteration %d: %d of %d go up", k, up, n)
		}
	}
}

func TestGainSequences(t *testing.T) {
	s := &spsa{horizon: 1000, gain: 0.02}
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"a ends at the gain", s.a(1000), 0.02},
		{"a begins higher", s.a(1), 0.02 * math.Pow(1100./101, 0.602)},
		{"a goes on falling", s.a(10000), 0.02 * math.Pow(1100./10100, 0.602)},
		{"c ends at one step", s.c(1000), 1},
		{"c begins at two", s.c(1), math.Pow(1000, 0.101)},
	} {
		if math.Abs(tt.got-tt.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, tt.got, tt.want)
		}
	}
}

func TestUpdate(t *testing.T) {
	s := &spsa{params: []parameter{{"x", 50, 0, 100, 10}}, horizon: 100, gain: 0.1}
	for _, tt := range []struct {
		name             string
		from             float64
		plus, minus, won int
		want             float64
	}{
		{"toward a winning plus", 50, 60, 40, 2, 52},
		{"away from a losing plus", 50, 60, 40, -2, 48},
		{"toward a winning plus that is below", 50, 40, 60, 3, 47},
		{"a draw changes nothing", 50, 60, 40, 0, 50},
		{"equal numbers tell nothing", 50, 50, 50, 9, 50},
		{"half the distance, half the way", 100, 100, 90, -2, 99},
		{"not beyond the end", 99, 100, 89, 5, 100},
	} {
		got := s.update([]float64{tt.from}, 100, []int{tt.plus}, []int{tt.minus}, tt.won)
		if math.Abs(got[0]-tt.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", tt.name, got[0], tt.want)
		}
	}
}

// With sets that lie a perturbation from the value, a step is Spall's: gain by perturbation for each
// won game.
func TestUpdateIsSpallsStep(t *testing.T) {
	s := &spsa{params: []parameter{{"x", 5000, 0, 10000, 1000}}, horizon: 100, gain: 0.1}
	for _, k := range []int{1, 10, 100, 1000} {
		by := s.c(k) * 1000
		got := s.update([]float64{5000}, k, []int{5000 + int(math.Round(by))}, []int{5000 - int(math.Round(by))}, 1)[0] - 5000
		if want := s.a(k) / s.c(k) * 1000; math.Abs(got-want) > 0.001*want {
			t.Errorf("iteration %d: a step of %.2f, want %.2f", k, got, want)
		}
	}
}

func TestPerturbationDependsOnNothingButItsNumber(t *testing.T) {
	s := testRun(testParams, 100, 1).spsa()
	plus, minus := s.perturb(s.start(), 5)
	s.perturb(s.start(), 6)
	plus2, minus2 := s.perturb(s.start(), 5)
	if !slices.Equal(plus, plus2) || !slices.Equal(minus, minus2) {
		t.Errorf("%v %v, then %v %v", plus, minus, plus2, minus2)
	}
}

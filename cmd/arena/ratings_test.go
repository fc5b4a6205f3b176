package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

// For two engines the model has as many parameters as outcomes, so that its solution is
// known: the ratio of strengths is wins by losses and v is draws by sqrt(wins*losses).
func TestRatingsOfTwoEnginesHaveAClosedForm(t *testing.T) {
	const w, l, d = 30000, 20000, 50000
	r, v := fitRatings(2, []duel{{0, 1, w, l, d}})
	wantV := d / math.Sqrt(w*l)
	want := math.Log(float64(w)/l) * eloScale * 2 / (2 + wantV)
	if got := r[0].Elo - r[1].Elo; math.Abs(got-want) > 0.01 || math.Abs(v-wantV) > 0.001 {
		t.Errorf("difference %.3f, v %.4f; want %.3f, %.4f", got, v, want, wantV)
	}
	if logistic := eloOf(0.55); math.Abs(r[0].Elo-r[1].Elo-logistic) > 1 {
		t.Errorf("difference %.2f is far from %.2f, which the score of 55%% says", r[0].Elo-r[1].Elo, logistic)
	}
}

func TestRatingsAreFoundAgainInSimulatedGames(t *testing.T) {
	truth := []float64{0.9, 0.3, 0, -0.4, -0.8} // natural logarithms of strength, mean 0
	const v = 0.5
	rng := rand.New(rand.NewPCG(1, 2))
	outside := 0
	const runs = 40
	for range runs {
		var duels []duel
		for i := range truth {
			for j := range i {
				d := duel{a: i, b: j}
				for range 200 {
					p, q := math.Exp(truth[i]), math.Exp(truth[j])
					x := v * math.Sqrt(p*q)
					switch u := rng.Float64() * (p + q + x); {
					case u < p:
						d.wins++
					case u < p+q:
						d.losses++
					default:
						d.draws++
					}
				}
				duels = append(duels, d)
			}
		}
		r, got := fitRatings(len(truth), duels)
		if math.Abs(got-v) > 0.1 {
			t.Errorf("v %.3f, want about %.1f", got, v)
		}
		for i := range truth {
			want := truth[i] * eloScale * 2 / (2 + v)
			if math.Abs(r[i].Elo-want) > r[i].Error {
				outside++
			}
		}
	}
	// 5% of 200 are 10; correlated, so allow twice that and demand some.
	if outside > 22 || outside < 1 {
		t.Errorf("%d of %d true ratings lie outside the 95%% interval", outside, runs*len(truth))
	}
}

func TestRatingsStayFiniteWithoutLossesOrGames(t *testing.T) {
	r, _ := fitRatings(3, []duel{{0, 1, 10, 0, 0}})
	if !(r[0].Elo > 200 && r[0].Elo < 2000 && r[1].Elo < -100) || math.Abs(r[0].Elo+r[1].Elo+r[2].Elo) > 1e-6 {
		t.Errorf("ratings %+v", r)
	}
	for _, x := range r {
		if math.IsNaN(x.Error) || math.IsInf(x.Error, 0) {
			t.Errorf("error of %+v is not finite", x)
		}
	}
}

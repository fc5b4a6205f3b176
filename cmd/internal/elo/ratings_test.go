package elo

import (
	"math"
	"math/rand/v2"
	"testing"
)

// crosstable makes a table of n players from the upper half.
func crosstable(n int, score func(i, j int) Score) [][]Score {
	cross := make([][]Score, n)
	for i := range cross {
		cross[i] = make([]Score, n)
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			cross[i][j] = score(i, j)
			cross[j][i] = cross[i][j].Flip()
		}
	}
	return cross
}

// For two players the model has as many parameters as results, so that its solution is
// known: the ratio of strengths is wins by losses and v is draws by sqrt(wins*losses).
func TestRatingsOfTwoPlayersHaveAClosedForm(t *testing.T) {
	const w, l, d = 30000, 20000, 50000
	r, v := fit(crosstable(2, func(_, _ int) Score { return Score{Wins: w, Losses: l, Draws: d} }))
	wantV := d / math.Sqrt(w*l)
	want := math.Log(float64(w)/l) * scale * 2 / (2 + wantV)
	if got := r[0].Elo - r[1].Elo; math.Abs(got-want) > 0.01 || math.Abs(v-wantV) > 0.001 {
		t.Errorf("difference %.3f, v %.4f; want %.3f, %.4f", got, v, want, wantV)
	}
	if logistic := difference(0.55); math.Abs(r[0].Elo-r[1].Elo-logistic) > 1 {
		t.Errorf("difference %.2f is far from %.2f, the difference at a score of 55%%", r[0].Elo-r[1].Elo, logistic)
	}
}

func TestRatingsAreRecoveredFromSimulatedGames(t *testing.T) {
	truth := []float64{0.9, 0.3, 0, -0.4, -0.8} // natural logarithms of strength, mean 0
	const v = 0.5
	rng := rand.New(rand.NewPCG(1, 2))
	outside := 0
	const runs = 40
	for range runs {
		r, got := fit(crosstable(len(truth), func(i, j int) Score {
			var s Score
			for range 200 {
				p, q := math.Exp(truth[i]), math.Exp(truth[j])
				x := v * math.Sqrt(p*q)
				switch u := rng.Float64() * (p + q + x); {
				case u < p:
					s.Wins++
				case u < p+q:
					s.Losses++
				default:
					s.Draws++
				}
			}
			return s
		}))
		if math.Abs(got-v) > 0.1 {
			t.Errorf("v %.3f, want about %.1f", got, v)
		}
		for i := range truth {
			want := truth[i] * scale * 2 / (2 + v)
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
	r := Ratings(crosstable(3, func(i, j int) Score {
		if i == 0 && j == 1 {
			return Score{Wins: 10}
		}
		return Score{}
	}))
	if !(r[0].Elo > 200 && r[0].Elo < 2000 && r[1].Elo < -100) || math.Abs(r[0].Elo+r[1].Elo+r[2].Elo) > 1e-6 {
		t.Errorf("ratings %+v", r)
	}
	for _, x := range r {
		if math.IsNaN(x.Error) || math.IsInf(x.Error, 0) {
			t.Errorf("error of %+v is not finite", x)
		}
	}
}

// One game that is won, and for both players the virtual draw against an average player: where the
// likelihood is greatest, its derivative by the distance of the players is 0.
func TestAVirtualDrawHoldsTheWinner(t *testing.T) {
	r := Ratings(crosstable(2, func(_, _ int) Score { return Score{Wins: 1} }))
	d := (r[0].Elo - r[1].Elo) / scale
	if slope := (1 - expected(d*scale)) + (0.5 - expected(d*scale/2)); math.Abs(slope) > 1e-9 {
		t.Errorf("ratings %+v: the likelihood still changes by %g", r, slope)
	}
}

// The first games of a tournament may all be draws: then all are equal, and the error falls with
// the number of games.
func TestDrawsAloneGiveRatings(t *testing.T) {
	last := math.Inf(1)
	for _, n := range []int{1, 2, 10, 1000, 1_000_000} {
		cross := crosstable(3, func(i, j int) Score {
			if i == 0 && j == 1 {
				return Score{Draws: n}
			}
			return Score{}
		})
		for i, r := range Ratings(cross) {
			if r.Elo != 0 || !(r.Error > 0 && r.Error < 1000) {
				t.Errorf("%d draws: rating %d is %+v", n, i, r)
			}
		}
		if e := Ratings(cross)[0].Error; e < last {
			last = e
		} else {
			t.Errorf("%d draws: error %g, and %g with less", n, e, last)
		}
	}
}

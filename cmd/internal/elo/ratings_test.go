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

// Openings help one side or the other, so that the games of a pair are far from independent: the errors are
// right for the pairs. Taken as independent games they would be nearly twice as large.
func TestErrorsAreThoseOfPairs(t *testing.T) {
	truth := []float64{0.5, 0.1, 0, -0.2, -0.4}
	rng := rand.New(rand.NewPCG(3, 4))
	outside, single := 0, 0
	const runs = 60
	for range runs {
		cross := crosstable(len(truth), func(i, j int) Score {
			var s Score
			for range 100 {
				helps := 4.0 // the side that the opening helps, as in the logarithm of strength
				if rng.IntN(2) == 0 {
					helps = -helps
				}
				game := func(ahead float64) int {
					if rng.Float64() < 1/(1+math.Exp(-ahead)) {
						return 2
					}
					return 0
				}
				s.AddPair(game(truth[i]-truth[j]+helps), 2-game(truth[j]-truth[i]+helps))
			}
			return s
		})
		r := Ratings(cross)
		alone := Ratings(crosstable(len(truth), func(i, j int) Score {
			s := cross[i][j]
			s.Pairs = [5]int{}
			return s
		}))
		for i := range truth {
			// Where openings decide most games, the distance in points is less than that of the strengths.
			want := 0.0
			for j := range truth {
				want += (effect(truth[i]-truth[j]) / float64(len(truth)))
			}
			if math.Abs(r[i].Elo-want) > r[i].Error {
				outside++
			}
			if math.Abs(alone[i].Elo-want) > alone[i].Error {
				single++
			}
			if r[i].Elo != alone[i].Elo || r[i].Error > 0.7*alone[i].Error {
				t.Fatalf("%+v by pairs, %+v by single games", r[i], alone[i])
			}
		}
	}
	// 5% of 300 are 15.
	if outside > 30 || outside < 5 || single > 2 {
		t.Errorf("of %d true ratings %d lie outside the 95%% interval, %d by single games", runs*len(truth), outside, single)
	}
}

// effect is the difference in Elo that a difference in strength makes where openings help by 4.
func effect(ahead float64) float64 {
	mean := (1/(1+math.Exp(-ahead-4)) + 1/(1+math.Exp(-ahead+4))) / 2
	return difference(mean)
}

// For two players the error of the distance is that of Estimate.
func TestTheErrorOfTwoPlayersIsTheirEstimate(t *testing.T) {
	for _, pairs := range [][5]int{{100, 300, 900, 400, 150}, {500, 0, 0, 0, 500}, {0, 120, 800, 80, 0}, {10, 20, 2000, 60, 0}} {
		s := Score{Pairs: pairs, Losses: 2*pairs[0] + pairs[1], Draws: pairs[1] + 2*pairs[2] + pairs[3], Wins: pairs[3] + 2*pairs[4]}
		r := Ratings(crosstable(2, func(_, _ int) Score { return s }))
		if got, want := 2*r[0].Error, s.Estimate().EloError; math.Abs(got/want-1) > 0.02 {
			t.Errorf("%v: error %.2f, want %.2f", pairs, got, want)
		}
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

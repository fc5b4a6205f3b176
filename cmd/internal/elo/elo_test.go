package elo

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

// Numbers published with fastchess (github.com/Disservin/fastchess, app/tests/sprt_test.cpp
// and elo_test.cpp): counts of pairs that scored 0, 1/2, 1, 3/2 and 2 points, the middle
// one being draw-draw and win-loss together.
func TestLLRAsPublishedByFastchess(t *testing.T) {
	tests := []struct {
		name       string
		pairs      [5]int
		elo0, elo1 float64
		normalised bool
		want       float64
	}{
		{"normalised pentanomial 1", [5]int{365, 16618, 36029 + 200, 16974, 390}, 0, 2, true, 2.25},
		{"normalised pentanomial 2", [5]int{127, 4883, 10311 + 401, 5150, 104}, -1.75, 0.25, true, 3.01},
		{"normalised pentanomial 3", [5]int{0, 0, 0, 0, 5550}, 0, 5, true, 111.82},
		{"logistic pentanomial 1", [5]int{223, 9863, 20279 + 1000, 10037, 246}, 0.5, 2.5, false, -3.07},
		{"logistic pentanomial 2", [5]int{871, 26175, 55003 + 980, 26678, 821}, 0, 2, false, -4.98},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			test := SPRT{tt.elo0, tt.elo1, 0.05, 0.05, tt.normalised}
			if got, _ := test.Judge(tt.pairs); math.Abs(got-tt.want) > max(0.00501, math.Abs(tt.want)*5e-4) {
				t.Errorf("LLR %.4f, published %.2f", got, tt.want)
			}
		})
	}
}

func TestLLROfSingleGamesAsPublishedByFastchess(t *testing.T) {
	tests := []struct {
		name                string
		wins, losses, draws float64
		elo0, elo1          float64
		normalised          bool
		want                float64
	}{
		{"normalised trinomial 1", 36433, 36027, 68692, 0, 2, true, 0.92},
		{"normalised trinomial 2", 10871, 10650, 20431, -1.75, 0.25, true, 2.30},
		{"normalised trinomial 3", 4250, 0, 0, 0, 10, true, 120.56},
		{"logistic trinomial 1", 21404, 21184, 40708, 0.5, 2.5, false, -1.57},
		{"logistic trinomial 2", 57433, 57030, 106593, 0, 2, false, -2.59},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			test := SPRT{tt.elo0, tt.elo1, 0.05, 0.05, tt.normalised}
			got := test.llr([]float64{tt.losses, tt.draws, tt.wins}, 1)
			if math.Abs(got-tt.want) > max(0.00501, math.Abs(tt.want)*5e-4) {
				t.Errorf("LLR %.4f, published %.2f", got, tt.want)
			}
		})
	}
}

func TestEloAsPublishedByFastchess(t *testing.T) {
	tests := []struct {
		name                                    string
		s                                       Score
		elo, eloError, nElo, nEloError, los, sc float64 // NaN: not published
	}{
		{"pairs 1", Score{1, 1, 1, [5]int{34, 54, 31 + 32, 64, 75}}, 55.58, 27.65, 57.94, 28.28, 100.00, 0.579},
		{"pairs 2", Score{1, 1, 1, [5]int{332, 433, 457 + 41, 333, 334}}, -8.64, 10.33, -9.17, 10.96, 5.05, 0.488},
		{"pairs 3", Score{1, 1, 1, [5]int{7895, 8757, 5485 + 200, 568, 9999}}, -21.04, 2.95, -19.01, 2.65, 0, 0.470},
		{"games 1", Score{Wins: 76, Losses: 89, Draws: 123}, math.NaN(), math.NaN(), -20.76, 40.13, 15.53, 0.477},
		{"games 2", Score{Wins: 136, Losses: 96, Draws: 111}, 40.70, 30.43, 49.77, 36.77, 99.60, 0.558},
		{"games 3", Score{Wins: 34, Losses: 356}, math.NaN(), math.NaN(), -508.44, 34.48, math.NaN(), 0.087},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := tt.s.Estimate()
			for _, c := range []struct {
				what      string
				got, want float64
				unit      float64 // half of the last published digit
			}{
				{"Elo", e.Elo, tt.elo, 0.005}, {"Elo error", e.EloError, tt.eloError, 0.005},
				{"nElo", e.NElo, tt.nElo, 0.005}, {"nElo error", e.NEloError, tt.nEloError, 0.005},
				{"LOS", 100 * e.LOS, tt.los, 0.005}, {"score", e.Score, tt.sc, 0.0005},
			} {
				if math.Abs(c.got-c.want) > c.unit*1.01 {
					t.Errorf("%s %.4f, published %v", c.what, c.got, c.want)
				}
			}
		})
	}
}

// simulate plays matches of pairs drawn from odds until the test decides and returns how
// often H1 was accepted.
func simulate(test SPRT, odds [5]float64, matches int, seed uint64) (h1 int) {
	const parts = 4
	counts := make([]int, parts)
	var wait sync.WaitGroup
	for part := range parts {
		wait.Go(func() {
			for i := part; i < matches; i += parts {
				rng := rand.New(rand.NewPCG(seed, uint64(i)))
				var pairs [5]int
				v := Undecided
				for v == Undecided {
					u, k := rng.Float64(), 0
					for ; k < 4 && u >= odds[k]; k++ {
						u -= odds[k]
					}
					pairs[k]++
					_, v = test.Judge(pairs)
				}
				if v == AcceptH1 {
					counts[part]++
				}
			}
		})
	}
	wait.Wait()
	for _, c := range counts {
		h1 += c
	}
	return h1
}

// tilt shifts odds so that the hypothesis is exactly true.
func tilt(odds [5]float64, elo float64, normalised bool) [5]float64 {
	var out [5]float64
	if normalised {
		withDeviation(odds[:], elo*math.Sqrt2/(2*scale), out[:])
	} else {
		withMean(odds[:], scores(5), expected(elo), out[:])
	}
	return out
}

func TestWrongVerdictsStayWithinTheErrorRates(t *testing.T) {
	const matches = 800
	tests := []struct {
		name string
		test SPRT
		odds [5]float64
	}{
		{"logistic, as drawish as chess", SPRT{0, 20, 0.05, 0.05, false}, [5]float64{0.01, 0.2, 0.56, 0.21, 0.02}},
		{"logistic, decisive as gomoku", SPRT{-5, 35, 0.05, 0.1, false}, [5]float64{0.24, 0.02, 0.48, 0.02, 0.24}},
		{"normalised", SPRT{0, 40, 0.05, 0.05, true}, [5]float64{0.15, 0.1, 0.5, 0.1, 0.15}},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for h, elo := range []float64{tt.test.Elo0, tt.test.Elo1} {
				odds := tilt(tt.odds, elo, tt.test.Normalised)
				wrong, rate := simulate(tt.test, odds, matches, uint64(10*i+h+1)), tt.test.Alpha
				if h == 1 {
					wrong, rate = matches-wrong, tt.test.Beta
				}
				limit := rate + 2*math.Sqrt(rate*(1-rate)/matches)
				got := float64(wrong) / matches
				t.Logf("H%d true: %.4f wrong, at most %.4f", h, got, limit)
				if got > limit {
					t.Errorf("H%d true: %.4f of %d verdicts wrong, at most %.4f wanted", h, got, matches, limit)
				}
				if got < rate/4 {
					t.Errorf("H%d true: only %.4f wrong; the test is far too slow to decide", h, got)
				}
			}
		})
	}
}

func TestNothingPlayedDecidesNothing(t *testing.T) {
	for _, normalised := range []bool{false, true} {
		test := SPRT{0, 5, 0.05, 0.05, normalised}
		if llr, v := test.Judge([5]int{}); llr != 0 || v != Undecided {
			t.Errorf("LLR %v, %v; want 0, undecided", llr, v)
		}
	}
	if e := (Score{}).Estimate(); e.LOS != 0.5 || e.Elo != 0 {
		t.Errorf("estimate of nothing: %+v", e)
	}
}

func TestPairsAllAlikeKeepAnInterval(t *testing.T) {
	e := Score{Wins: 10, Losses: 10, Pairs: [5]int{0, 0, 10, 0, 0}}.Estimate()
	if e.Elo != 0 || !(e.EloError > 10) || e.LOS != 0.5 {
		t.Errorf("ten pairs of one win each: %+v", e)
	}
	e = Score{Wins: 20, Pairs: [5]int{0, 0, 0, 0, 10}}.Estimate()
	if !math.IsInf(e.Elo, 1) || !(e.LOS > 0.99) || math.IsInf(e.Low, 0) {
		t.Errorf("ten pairs won: %+v", e)
	}
}

func TestUnsoundBoundsAreRefused(t *testing.T) {
	for _, bad := range []SPRT{{5, 5, .05, .05, false}, {5, 0, .05, .05, false}, {0, 5, 0, .05, false}, {0, 5, .05, 1, false}, {0, math.NaN(), .05, .05, false}, {0, 1001, .05, .05, false}, {0, 201, .05, .05, true}} {
		if bad.Check() == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}

// With bounds as far apart as they may be, the side that lost everything is the weaker one, and
// the other one the stronger.
func TestTheGreatestBoundsJudgeRight(t *testing.T) {
	for _, e := range [][2]float64{{0, mostElo}, {-mostElo, 0}, {0, mostNormalised}, {-mostNormalised, 0}, {-mostNormalised, mostNormalised}} {
		for _, normalised := range []bool{false, true} {
			test := SPRT{e[0], e[1], .05, .05, normalised}
			if test.Check() != nil {
				continue
			}
			for _, pairs := range [][5]int{{100}, {60, 30, 10}, {40, 0, 60}} {
				llr, v := test.Judge(pairs)
				flipped := [5]int{pairs[4], pairs[3], pairs[2], pairs[1], pairs[0]}
				other, w := test.Judge(flipped)
				if e[0] == 0 && v != AcceptH0 || e[1] == 0 && w != AcceptH1 || e[0] == -e[1] && (v != AcceptH0 || w != AcceptH1) {
					t.Errorf("%+v: %v gives %g, %v, flipped %g, %v", test, pairs, llr, v, other, w)
				}
			}
		}
	}
}

func TestScoresAddUp(t *testing.T) {
	var s Score
	for _, pair := range [][2]int{{2, 2}, {2, 0}, {0, 2}, {1, 0}, {1, 1}, {0, 0}} {
		s.AddPair(pair[0], pair[1])
	}
	want := Score{Wins: 4, Losses: 5, Draws: 3, Pairs: [5]int{1, 1, 3, 0, 1}}
	if s != want || s.Points() != 5.5 {
		t.Errorf("got %+v, want %+v", s, want)
	}
	s.Join(want.Flip())
	if want := (Score{Wins: 9, Losses: 9, Draws: 6, Pairs: [5]int{2, 1, 6, 1, 2}}); s != want || s.Complete() != 12 {
		t.Errorf("joined with the other side: %+v, want %+v", s, want)
	}
}

func TestScoresAreWrittenInOneLine(t *testing.T) {
	for _, tt := range []struct {
		score Score
		want  string
	}{
		{Score{}, "+0 -0 =0"},
		{Score{Wins: 18, Pairs: [5]int{4: 9}}, "+18 -0 =0, 100.0%, Elo inf [324.3, inf]"},
		{Score{Losses: 18, Pairs: [5]int{9}}, "+0 -18 =0, 0.0%, Elo -inf [-inf, -324.3]"},
	} {
		if got := tt.score.String(); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

func TestZeroHasNoSign(t *testing.T) {
	for x, want := range map[float64]string{math.Copysign(0, -1): "0.00", -0.001: "0.00", -0.01: "-0.01", -10: "-10.00"} {
		if got := Format(x, 2); got != want {
			t.Errorf("%g is written %q, want %q", x, got, want)
		}
	}
}

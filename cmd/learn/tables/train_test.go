package tables

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/record"
	"tengen/brain/sample"
	"tengen/brain/search"
)

var rules = []board.Rule{
	board.Freestyle, board.ExactFive, board.Renju, board.Caro, board.Caro | board.ExactFive,
}

// lot draws numbers from the test's own sequence.
func lot(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 5)) }

// randomTables returns tables for r with numbers of -deviation..deviation.
func randomTables(r board.Rule, rnd *rand.Rand, deviation int) *eval.Tables {
	t := eval.NewTables(r)
	for _, s := range t.Sides[:t.Colors()] {
		for _, part := range [][]int16{s.Cells[:], s.Threat[:], s.Own[:], s.Other[:]} {
			for i := range part {
				part[i] = int16(rnd.IntN(2*deviation+1) - deviation)
			}
		}
	}
	return t
}

// randomGame plays stones by lot close to each other. Searches are made up: the value
// is what t says of the position and the best move is the one t tries first.
func randomGame(tb testing.TB, r board.Rule, rnd *rand.Rand, t *eval.Tables) *sample.Game {
	tb.Helper()
	g := &sample.Game{Rule: r, Width: 11, Height: 12, Opening: 2, Outcome: record.Outcome(rnd.IntN(4))}
	x := newExtractor(r)
	if err := x.begin(g.Width, g.Height); err != nil {
		tb.Fatal(err)
	}
	b := x.b
	e := eval.ByTables(t).New(b)
	for len(g.Plies) < 30 {
		m := board.At(5, 6)
		var best board.Move
		if b.Ply() > 0 {
			near := b.Candidates()
			list := near.Append(nil)
			m = list[rnd.IntN(len(list))]
			best = slices.MaxFunc(list, func(a, b board.Move) int { return order(e, a) - order(e, b) })
		}
		if !b.Legal(m) || b.Wins(b.Side(), m) {
			break
		}
		p := sample.Ply{Move: m, Value: sample.NoValue}
		if len(g.Plies) >= g.Opening {
			p.Value, p.Best = int16(valueOf(x, t)), best
		}
		g.Plies = append(g.Plies, p)
		x.play(m)
	}
	return g
}

// all returns the games of next, until it returns nil.
func all(next func() (*sample.Game, error)) (games []*sample.Game) {
	for g, _ := next(); g != nil; g, _ = next() {
		games = append(games, g)
	}
	return games
}

// order is how promising e calls m.
func order(e eval.Evaluator, m board.Move) int {
	var score [1]int32
	e.Order([]board.Move{m}, score[:])
	return int(score[0])
}

// value is the static value of s by t, to the point what an eval.Evaluator says.
func (s *example) value(t *eval.Tables) int {
	var sum int32
	for _, k := range s.counts {
		c, i := k.index/eval.Codes, k.index%eval.Codes
		sum += int32(k.n) * int32(t.Sides[c].Cells[i])
	}
	v := sum / 2
	if s.white {
		v = -v
	}
	return max(-eval.Max, min(eval.Max, int(v+int32(t.Sides[s.side].Threat[s.mask]))))
}

// valueOf is the static value of the board of x by t, as the fit works it out.
func valueOf(x *extractor, t *eval.Tables) int {
	s := x.look()
	s.counts = x.appendCounts(nil)
	return s.value(t)
}

// randomCorpus makes samples of random games.
func randomCorpus(tb testing.TB, r board.Rule, seed uint64, games int, s split) *corpus {
	tb.Helper()
	rnd := lot(seed)
	t := randomTables(r, rnd, 20)
	c, err := readCorpus(context.Background(), r, s, 2, all(func() (*sample.Game, error) {
		if games--; games < 0 {
			return nil, nil
		}
		return randomGame(tb, r, rnd, t), nil
	}))
	if err != nil {
		tb.Fatal(err)
	}
	c.setTargets(0.75)
	return c
}

var usual = split{share: 0.2}

// What is fitted must be what the engine computes, to the point: on random positions,
// passes among them, by random tables.
func TestTheFitSeesWhatTheEngineSees(t *testing.T) {
	for _, rule := range rules {
		t.Run(rule.String(), func(t *testing.T) {
			rnd := lot(uint64(rule))
			x := newExtractor(rule)
			for _, size := range [][2]int{{15, 15}, {7, 9}, {22, 6}} {
				tables := randomTables(rule, rnd, 300)
				set := eval.ByTables(tables)
				if err := x.begin(size[0], size[1]); err != nil {
					t.Fatal(err)
				}
				for range 60 {
					if m := board.At(rnd.IntN(size[0]), rnd.IntN(size[1])); rnd.IntN(10) == 0 {
						x.play(board.None)
					} else if x.b.Cell(m) == board.Empty {
						x.play(m)
					}
					if got, want := valueOf(x, tables), set.New(x.b).Value(); got != want {
						t.Fatalf("%v, ply %d: %d, the engine says %d", size, x.b.Ply(), got, want)
					}
				}
			}
		})
	}
}

// The order's score of every move is what the engine orders by.
func TestTheFitOrdersAsTheEngineDoes(t *testing.T) {
	for _, rule := range rules {
		t.Run(rule.String(), func(t *testing.T) {
			rnd := lot(uint64(rule) + 50)
			tables := randomTables(rule, rnd, 500)
			x := newExtractor(rule)
			checked := 0
			for range 20 {
				g := randomGame(t, rule, rnd, tables)
				if err := x.begin(g.Width, g.Height); err != nil {
					t.Fatal(err)
				}
				w := orderLayout(tables).zero()
				e := eval.ByTables(tables).New(x.b)
				for _, p := range g.Plies {
					s, ok := example{}, false
					if p.Searched() {
						s, ok = x.example(&p, g.Outcome)
					}
					if ok && s.choices != nil {
						checked++
						at := int(s.side) * 2 * eval.Codes
						k := s.choices[s.best]
						if got, want := int(w[at+int(k.own)]+w[at+eval.Codes+int(k.other)]), order(e, p.Best); got != want {
							t.Fatalf("%v: score %d, the engine says %d", p.Best, got, want)
						}
						// None is better, as randomGame chose it.
						for _, other := range s.choices {
							if w[at+int(other.own)]+w[at+eval.Codes+int(other.other)] > w[at+int(k.own)]+w[at+eval.Codes+int(k.other)] {
								t.Fatalf("%v is not the best", p.Best)
							}
						}
					}
					x.play(p.Move)
				}
			}
			if checked < 300 {
				t.Errorf("%d positions were compared", checked)
			}
		})
	}
}

// Gradients by differences: what the loss does when a parameter is moved a little.
func TestGradientIsThatOfTheLoss(t *testing.T) {
	for _, rule := range []board.Rule{board.ExactFive, board.Renju} {
		c := randomCorpus(t, rule, 7, 40, usual)
		start := randomTables(rule, lot(8), 20)
		order, _ := orderProblem(c, start, 30, 2)
		for _, p := range []*problem{valueProblem(c, start, 2), order} {
			t.Run(rule.String()+", "+p.name, func(t *testing.T) {
				rnd := lot(9)
				params := make([]float64, p.layout.params())
				for i := range params {
					params[i] = rnd.NormFloat64() * 3
				}
				all := make([]int32, len(p.train))
				for i := range all {
					all[i] = int32(i)
				}
				total := func() float64 {
					loss, _ := p.mean(p.train, p.layout.at(params))
					return loss + p.layout.prior(params, make([]float64, len(params)), len(p.train))
				}
				b := newBatch(p)
				loss := b.gradient(all, params) + p.layout.prior(params, make([]float64, len(params)), len(p.train))
				if want := total(); math.Abs(loss-want) > 1e-12*math.Abs(want) {
					t.Errorf("loss %v with a gradient, %v without", loss, want)
				}
				gradient := slices.Clone(b.params)
				check := func(what string, move func(by float64), want float64) {
					t.Helper()
					const by = 1e-3
					move(by)
					up := total()
					move(-2 * by)
					down := total()
					move(by)
					// Differences of third order and of rounding stay below this.
					if got := (up - down) / (2 * by); math.Abs(got-want) > 1e-9+1e-5*math.Abs(want) {
						t.Errorf("%s: the loss changes by %.10f, its gradient is %.10f", what, got, want)
					}
				}
				tried := 0
				for range 100000 {
					i := rnd.IntN(len(params))
					if gradient[i] == 0 || tried == 60 {
						continue
					}
					tried++
					check(fmt.Sprintf("parameter %d", i), func(by float64) { params[i] += by }, gradient[i])
				}
				// All parameters at once, in a direction drawn by lot.
				way := make([]float64, len(params))
				var along float64
				for i := range way {
					way[i] = rnd.NormFloat64() / 10
					along += way[i] * gradient[i]
				}
				check("all params", func(by float64) {
					for i := range params {
						params[i] += by * way[i]
					}
				}, along)
				if tried < 60 {
					t.Errorf("only %d params have a gradient", tried)
				}
			})
		}
	}
}

// Targets computed from tables lead back to tables with the same values.
func TestAFitFindsWhatMadeTheTargets(t *testing.T) {
	rule := board.Freestyle
	rnd := lot(21)
	made := eval.ByHand(rule)
	for i := range made.Sides[0].Cells {
		made.Sides[0].Cells[i] = int16(rnd.IntN(5)) // nothing like the hand's
	}
	games := 500
	c, err := readCorpus(context.Background(), rule, split{share: 0.1}, 2, all(func() (*sample.Game, error) {
		if games--; games < 0 {
			return nil, nil
		}
		return randomGame(t, rule, rnd, made), nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	c.setTargets(1)
	p := valueProblem(c, eval.ByHand(rule), 2)
	var s *state
	if err := p.solve(&s, plan{Rate: 0.5, Epochs: 25, Patient: 2, Cuts: 3}, io.Discard, io.Discard, func(bool) error { return nil }); err != nil {
		t.Fatal(err)
	}
	floor := 0.0 // the entropy of the targets
	for _, v := range p.valid {
		floor -= (v.target*math.Log(v.target) + (1-v.target)*math.Log(1-v.target)) / float64(len(p.valid))
	}
	before, after := s.History[0].Valid, s.History[s.BestEpoch].Valid
	if after-floor > (before-floor)/10 {
		t.Errorf("the loss above what cannot be known fell from %.5f to %.5f only", before-floor, after-floor)
	}
}

// Positions that the engine never evaluates are not learned from.
func TestFilters(t *testing.T) {
	tests := []struct {
		name           string
		moves          string // 15x15, black first
		value          search.Value
		best           string
		valued, orders bool
	}{
		{"a quiet position", "h8i9", 10, "h9", true, true},
		{"the best move is not known", "h8i9", 10, "", true, false},
		{"the best move is far off", "h8i9", 10, "a1", true, false},
		{"an own five", "h8a1i8a3j8a5k8a7", 10, "l8", false, false},
		{"an own open four", "h8a1i8a3j8a5", 10, "k8", false, false},
		{"a five to stop", "h8a1i8a3j8a5k8", -10, "l8", false, false},
		{"an open four to stop", "h8a1i8a3j8", -10, "k8", true, false},
		{"a win in seven", "h8i9", search.WinIn(7), "h9", true, true},
		{"a win in five", "h8i9", search.WinIn(5), "h9", false, false},
		{"a proven loss", "h8i9", search.LossIn(8), "h9", true, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := &sample.Game{Width: 15, Height: 15}
			moves, err := board.ParseMoves(test.moves, 15, 15)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range moves {
				g.Plies = append(g.Plies, sample.Ply{Move: m, Value: sample.NoValue})
			}
			best, _ := board.ParseMoves(test.best, 15, 15)
			last := sample.Ply{Move: board.At(14, 14), Value: int16(test.value)}
			if len(best) > 0 {
				last.Best = best[0]
			}
			g.Plies = append(g.Plies, last)
			x := newExtractor(0)
			samples, err := x.game(g)
			if err != nil {
				t.Fatal(err)
			}
			valued, orders := false, false
			for _, s := range samples {
				valued, orders = true, orders || s.choices != nil
			}
			if len(samples) > 1 || valued != test.valued || orders != test.orders {
				t.Errorf("%d samples, teaches values: %v, order: %v; want %v and %v", len(samples), valued, orders, test.valued, test.orders)
			}
		})
	}
}

// writeGames makes a sample file of random games, each as the changes leave it.
func writeGames(tb testing.TB, name string, r board.Rule, seed uint64, games int, changes ...func(*sample.Game)) {
	tb.Helper()
	var buf bytes.Buffer
	w, err := sample.NewWriter(&buf, "games by lot")
	if err != nil {
		tb.Fatal(err)
	}
	rnd := lot(seed)
	t := randomTables(r, rnd, 20)
	for range games {
		g := randomGame(tb, r, rnd, t)
		for _, change := range changes {
			change(g)
		}
		if err := w.Write(g); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(name, buf.Bytes(), 0o666); err != nil {
		tb.Fatal(err)
	}
}

// The number of processors must not show.
func TestSameSeedSameTables(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	dir := t.TempDir()
	games := filepath.Join(dir, "games.tgs")
	writeGames(t, games, board.Renju, 1, 60)
	fit := func(args ...string) string {
		t.Helper()
		out := filepath.Join(dir, "out.tab")
		var said bytes.Buffer
		if err := Run(context.Background(), append(args, "-o", out, "-epochs", "3", "-batch", "100", games), &said, io.Discard); err != nil {
			t.Fatal(err, said.String())
		}
		raw, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	one := fit("-concurrency", "1")
	if fit("-concurrency", "3") != one {
		t.Error("three processors give other tables than one")
	}
	if fit("-seed", "2") == one {
		t.Error("another seed gives the same tables")
	}
}

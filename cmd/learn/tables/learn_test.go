package tables

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/sample"
	"tengen/cmd/internal/evalflags"
	"tengen/cmd/learn/dataset"
)

// The best epoch is kept; when validation stops falling the steps get smaller, from the
// best on, and then it is over.
func TestJudge(t *testing.T) {
	pl := plan{Rate: 9, Epochs: 7, Patient: 2, Cuts: 1}
	tests := []struct {
		name  string
		valid []float64 // by epoch; the first before any
		best  int
		cuts  int
		rate  float64
		done  string
	}{
		{"falling", []float64{5, 4, 3, 2}, 3, 0, 9, ""},
		{"falling to the end", []float64{9, 8, 7, 6, 5, 4, 3, 2}, 7, 0, 9, "7 epochs"},
		{"as it was is no better", []float64{5, 5}, 0, 0, 9, ""},
		{"up once", []float64{5, 4, 6}, 1, 0, 9, ""},
		{"up once, then down", []float64{5, 4, 6, 3, 6}, 3, 0, 9, ""},
		{"up twice", []float64{5, 4, 6, 5}, 1, 1, 3, ""},
		{"up twice, then twice again", []float64{5, 4, 6, 5, 6, 5}, 1, 1, 3, "no lower validation loss for 2 epochs"},
		{"down again by small steps", []float64{5, 4, 6, 5, 3, 5}, 4, 1, 3, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &state{Rate: pl.Rate, Params: []float64{0}, Best: []float64{0}, First: []float64{1}, History: []epoch{{Valid: test.valid[0]}}}
			for i, v := range test.valid[1:] {
				if s.Done != "" {
					t.Fatalf("over before epoch %d: %s", i+1, s.Done)
				}
				s.Params[0] = float64(i + 1)
				s.judge(epoch{Valid: v}, pl)
				if s.Cuts == 1 && s.Waiting == 0 && s.BestEpoch != i+1 && s.Params[0] != s.Best[0] {
					t.Errorf("epoch %d: smaller steps from %v, not from the best", i+1, s.Params[0])
				}
			}
			if s.BestEpoch != test.best || s.Best[0] != float64(test.best) || s.Cuts != test.cuts || s.Rate != test.rate || s.Done != test.done {
				t.Errorf("epoch %d of params %v is the best, %d cuts, rate %v, done %q; want %d, %d, %v, %q",
					s.BestEpoch, s.Best, s.Cuts, s.Rate, s.Done, test.best, test.cuts, test.rate, test.done)
			}
		})
	}
}

// No example of a game that validates is learned from, and none is lost.
func TestSamplesAreOfOneSide(t *testing.T) {
	rnd := lot(51)
	tables := randomTables(board.Freestyle, rnd, 20)
	var games []*sample.Game
	for range 60 {
		games = append(games, randomGame(t, board.Freestyle, rnd, tables))
	}
	rest := games
	c, err := readCorpus(context.Background(), board.Freestyle, usual, 2, all(func() (*sample.Game, error) {
		if len(rest) == 0 {
			return nil, nil
		}
		g := rest[0]
		rest = rest[1:]
		return g, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	x := newExtractor(board.Freestyle)
	train, valid := 0, 0
	for _, g := range games {
		list, err := x.game(g)
		if err != nil {
			t.Fatal(err)
		}
		if dataset.Validates(g, usual.share, usual.seed) {
			valid += len(list)
		} else {
			train += len(list)
		}
	}
	if len(c.train) != train || len(c.valid) != valid || train == 0 || valid == 0 {
		t.Errorf("%d samples to learn from and %d to validate, want %d and %d", len(c.train), len(c.valid), train, valid)
	}
}

// learn runs the command and returns its tables and what it said.
func learn(t *testing.T, name string, args ...string) (raw []byte, said string) {
	t.Helper()
	var out bytes.Buffer
	if err := Run(context.Background(), append([]string{"-o", name}, args...), &out, &out); err != nil {
		t.Fatal(err, out.String())
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return raw, out.String()
}

// losses returns the first loss of validation that was said and the rounded one.
func losses(t *testing.T, said, fit string) (first, rounded string) {
	t.Helper()
	before := regexp.MustCompile(fit + ` +epoch +0 .*validation ([0-9.]+)`).FindStringSubmatch(said)
	after := regexp.MustCompile(`rounded: .*` + fit + ` ([0-9.]+)`).FindStringSubmatch(said)
	if before == nil || after == nil {
		t.Fatalf("no losses of %s in\n%s", fit, said)
	}
	return before[1], after[1]
}

// What the file of tables holds is what was learned: it is as good as was said, and all
// parts of it have moved. The same from games without values, as others record them.
func TestTheTablesHoldWhatWasLearned(t *testing.T) {
	for _, rule := range []board.Rule{board.Freestyle, board.Renju} {
		for _, values := range []bool{true, false} {
			t.Run(fmt.Sprint(rule, ", values ", values), func(t *testing.T) {
				dir := t.TempDir()
				games := filepath.Join(dir, "games.tgs")
				if values {
					writeGames(t, games, rule, 8, 80)
				} else {
					writeGames(t, games, rule, 8, 300, byValue, strip)
				}
				args := []string{"-start", "zero", "-temperature", "20", "-rate", "2", "-batch", "50", "-epochs", "8", games}
				out := filepath.Join(dir, "out.tab")
				_, said := learn(t, out, args...)
				tables, err := evalflags.LoadTables(out)
				if err != nil {
					t.Fatal(err)
				}
				for c, s := range tables[0].Sides[:tables[0].Colors()] {
					for i, part := range [][]int16{s.Cells[:], s.Threat[:], s.Own[:], s.Other[:]} {
						if i > 1 && !values { // what is played there by lot has no order
							break
						}
						if !slices.ContainsFunc(part, func(v int16) bool { return v != 0 }) {
							t.Errorf("part %d of side %d holds zeros alone", i, c)
						}
					}
				}
				_, again := learn(t, filepath.Join(dir, "again.tab"), "-start", out, "-temperature", "20", "-epochs", "0", games)
				for _, fit := range []string{"values", "order"} {
					first, rounded := losses(t, said, fit)
					if (values || fit == "values") && rounded >= first {
						t.Errorf("%s: the loss went from %s to %s", fit, first, rounded)
					}
					if read, _ := losses(t, again, fit); read != rounded {
						t.Errorf("%s: a loss of %s was said, the file has %s", fit, rounded, read)
					}
				}
			})
		}
	}
}

func TestTheMixDecidesWhatIsLearned(t *testing.T) {
	dir := t.TempDir()
	games := filepath.Join(dir, "games.tgs")
	writeGames(t, games, board.Freestyle, 9, 100)
	of := func(mix string) (numbers [2][]int16) {
		name := filepath.Join(dir, "mix"+mix+".tab")
		learn(t, name, "-mix", mix, "-epochs", "3", "-batch", "50", games)
		tables, err := evalflags.LoadTables(name)
		if err != nil {
			t.Fatal(err)
		}
		s := tables[0].Sides[0]
		return [2][]int16{s.Cells[:], s.Own[:]}
	}
	value, result, usual := of("1"), of("0"), of("0.75")
	if slices.Equal(value[0], result[0]) || slices.Equal(value[0], usual[0]) || slices.Equal(result[0], usual[0]) {
		t.Error("values learned from the search, from the results and from both are the same")
	}
	if !slices.Equal(value[1], result[1]) {
		t.Error("the order of moves depends on the results")
	}
}

// strip takes the values and best moves out of g.
func strip(g *sample.Game) {
	for i := range g.Plies {
		g.Plies[i].Value, g.Plies[i].Best = sample.NoValue, board.None
	}
}

// byValue has g won by the side that its last value is for.
func byValue(g *sample.Game) {
	last := len(g.Plies) - 1
	g.Outcome = record.BlackWon
	if (g.Plies[last].Value > 0) != (last%2 == 0) {
		g.Outcome = record.WhiteWon
	}
}

// unfinish takes the result out of g.
func unfinish(g *sample.Game) { g.Outcome = record.Unknown }

// A position without a value teaches the result, whatever the mix, in a game that has
// none at all.
func TestGamesWithoutValuesTeachTheirResult(t *testing.T) {
	rnd := lot(61)
	g := randomGame(t, board.Freestyle, rnd, randomTables(board.Freestyle, rnd, 20))
	g.Outcome = record.BlackWon
	x := newExtractor(board.Freestyle)
	with, err := x.game(g)
	if err != nil {
		t.Fatal(err)
	}
	strip(g)
	bare, err := x.game(g)
	if err != nil {
		t.Fatal(err)
	}
	if len(bare) == 0 || len(bare) != len(with) {
		t.Fatalf("%d samples, with values %d", len(bare), len(with))
	}
	c := &corpus{train: bare}
	c.setTargets(0.75)
	orders := 0
	for _, s := range bare {
		want := 1.0
		if s.white {
			want = 0
		}
		if s.target != want {
			t.Errorf("target %v, want %v", s.target, want)
		}
		if s.choices != nil {
			orders++
		}
	}
	if orders == 0 {
		t.Error("no move played teaches the order")
	}
	unfinish(g)
	if none, err := x.game(g); err != nil || len(none) > 0 {
		t.Errorf("%d samples of a game without values and result, %v", len(none), err)
	}
}

// Nothing that is read is written over, and games that teach nothing are an error.
func TestWhatWouldBeLostIsRefused(t *testing.T) {
	dir := t.TempDir()
	games, svg := filepath.Join(dir, "games.tgs"), filepath.Join(dir, "out.tab.svg")
	writeGames(t, games, board.Freestyle, 4, 20)
	raw, err := os.ReadFile(games)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(svg, raw, 0o666); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(dir, "kept.tab.checkpoint")
	if err := os.WriteFile(kept, raw, 0o666); err != nil {
		t.Fatal(err)
	}
	start := filepath.Join(dir, "start.tab")
	if err := os.WriteFile(start, raw, 0o666); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty.tgs")
	writeGames(t, empty, board.Freestyle, 5, 40, strip, unfinish)
	link := filepath.Join(dir, "link.tab")
	if err := os.Link(games, link); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		args []string
		says string
	}{
		{"tables over games", []string{"-o", games, games}, "would overwrite"},
		{"tables over games by another name", []string{"-o", link, games}, "would overwrite"},
		{"the curve over games", []string{"-o", filepath.Join(dir, "out.tab"), svg}, "would overwrite"},
		{"the checkpoint over games", []string{"-o", filepath.Join(dir, "kept.tab"), kept}, "would overwrite"},
		{"tables over those to start from", []string{"-o", start, "-start", start, games}, "would overwrite"},
		{"tables over games that are not read", []string{"-o", empty, games}, "empty.tgs exists"},
		{"the curve over what is not read", []string{"-o", filepath.Join(dir, "out.tab"), games}, "out.tab.svg exists"},
		{"games named twice", []string{"-o", filepath.Join(dir, "x.tab"), games, link}, "count twice"},
		{"a folder that is not there", []string{"-o", filepath.Join(dir, "none", "x.tab"), games}, "does not exist"},
		{"games that teach nothing", []string{"-o", filepath.Join(dir, "y.tab"), empty}, "no positions for the values"},
	} {
		if err := Run(context.Background(), append([]string{"-epochs", "1"}, test.args...), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want an error that says %q", test.name, err, test.says)
		}
	}
	for _, name := range []string{games, svg, kept, start} {
		if now, err := os.ReadFile(name); err != nil || !bytes.Equal(now, raw) {
			t.Errorf("%s was changed", name)
		}
	}
}

package network

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/nnue"
	"tengen/brain/record"
	"tengen/brain/sample"
	"tengen/cmd/learn/dataset"
)

// writeGames makes a sample file of random games and returns its name.
func writeGames(t *testing.T, name string, rule board.Rule, games int, seed uint64) string {
	t.Helper()
	var raw bytes.Buffer
	w, err := sample.NewWriter(&raw, "random games")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, uint64(rule)))
	for i := range games {
		size := 9 + 2*(i&1)
		if err := w.Write(randomGame(r, rule, size, size, 24)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, raw.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// learn runs the command.
func learn(t *testing.T, ctx context.Context, args ...string) (string, error) {
	t.Helper()
	var out, stderr bytes.Buffer
	err := Run(ctx, args, &out, &stderr)
	if stderr.Len() > 0 {
		t.Errorf("standard error: %s", &stderr)
	}
	return out.String(), err
}

// A countdown is a context that ends when it has been asked for a number of steps.
type countdown struct {
	context.Context
	steps int
}

func (c *countdown) Err() error {
	c.steps--
	if c.steps < 0 {
		return context.Canceled
	}
	return nil
}

// TestKilledRunsGoOn: a run that is stopped twice and goes on with another number of
// processors makes the same network as one in a piece. The state has many parts, and one that is lost
// shows in the bytes of the network after more steps.
func TestKilledRunsGoOn(t *testing.T) {
	dir := t.TempDir()
	games := writeGames(t, "games.tgs", board.Freestyle, 60, 1)
	deep := writeGames(t, "deep.tgs", board.Freestyle, 4, 2)
	args := func(name string, more ...string) []string {
		return append([]string{"-quiet", "-o", filepath.Join(dir, name), "-batch", "64", "-epochs", "2", "-warm", "5", "-validate", "0.2", "-ema", "0.5", "-deep", deep}, append(more, games)...)
	}
	const many = 1 << 30
	count := &countdown{t.Context(), many}
	whole, err := learn(t, count, args("whole.tnn", "-concurrency", "3")...)
	if err != nil {
		t.Fatal(err)
	}
	positions, _, _ := counts(t, whole)
	read := many - count.steps - 2*(positions/64) // how often the context is asked before the first step
	if !strings.Contains(whole, "epoch 2.00: ") || !strings.Contains(whole, "; deep: value ") || !strings.Contains(whole, "; from ply 20 on policy ") || !strings.Contains(whole, "rounded, ") || !strings.Contains(whole, "\ndeep, on ") {
		t.Errorf("said %s", whole)
	}
	for i, steps := range []int{read + 1, read + 17} {
		ctx := &countdown{t.Context(), steps}
		out, err := learn(t, ctx, args("parts.tnn", "-concurrency", fmt.Sprint(1+i))...)
		if !errors.Is(err, context.Canceled) || strings.Contains(out, "epoch ") != (i > 0) || strings.Contains(out, "continuing from") != (i > 0) {
			t.Fatalf("a stopped run: %v, %s", err, out)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "parts.tnn")); err == nil {
		t.Error("a stopped run wrote a network")
	}
	if _, err := learn(t, t.Context(), args("parts.tnn")...); err != nil {
		t.Fatal(err)
	}
	var raws [2][]byte
	for i, name := range []string{"whole.tnn", "parts.tnn"} {
		if raws[i], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(raws[0], raws[1]) {
		t.Error("a run in parts made another network")
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.checkpoint*")); len(left) > 0 || err != nil {
		t.Errorf("finished runs leave %v, %v", left, err)
	}
	files := []string{"whole.tnn.svg", "whole.tnn"}
	var before [][]byte
	for _, name := range files {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		before = append(before, raw)
	}
	if _, err := learn(t, t.Context(), args("whole.tnn")...); err != nil { // the same command writes the same again
		t.Fatal(err)
	}
	for i, name := range files {
		if after, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(before[i], after) {
			t.Errorf("%s is another file when the command is run again: %v", name, err)
		}
	}
	if n, err := nnue.Load(raws[0]); err != nil || !strings.Contains(n.Origin, "random games") || !strings.Contains(n.Origin, "Epochs:2") {
		t.Errorf("%v, origin %q", err, n.Origin)
	}
	if out, err := learn(t, t.Context(), "info", filepath.Join(dir, "whole.tnn")); err != nil || !strings.Contains(out, "Network for freestyle (rule 0)") || !strings.Contains(out, "random games") {
		t.Errorf("info: %v, %s", err, out)
	}
	if out, err := learn(t, t.Context(), args("next.tnn", "-start", filepath.Join(dir, "whole.tnn"), "-epochs", "1")...); err != nil {
		t.Error(err)
	} else if a, b := firstValue(t, out), firstValue(t, whole); !(a < b) {
		t.Errorf("going on from a network the first value is %g, from nothing it was %g", a, b)
	}
	if _, err := learn(t, &countdown{t.Context(), read + 1}, args("parts.tnn")...); !errors.Is(err, context.Canceled) {
		t.Errorf("a stopped run: %v", err)
	}
	if _, err := learn(t, t.Context(), args("parts.tnn", "-rate", "0.002")...); err == nil || !strings.Contains(err.Error(), "another run") {
		t.Errorf("a checkpoint of another plan: %v", err)
	}
}

// counts returns the numbers of positions that a run prints.
func counts(t *testing.T, out string) (training, validation, repeated int) {
	t.Helper()
	_, rest, _ := strings.Cut(out, "for validation; ")
	if _, err := fmt.Sscanf(rest, "%d positions for training, %d for validation, %d duplicates", &training, &validation, &repeated); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return training, validation, repeated
}

// Positions of -deep are not trained on, nor validated on otherwise.
func TestDeepPositionsAreNotTrainedOn(t *testing.T) {
	dir := t.TempDir()
	games := writeGames(t, "games.tgs", board.Freestyle, 60, 1)
	deep := writeGames(t, "deep.tgs", board.Freestyle, 30, 1) // the first of them
	args := []string{"-quiet", "-batch", "64", "-epochs", "1", "-validate", "0.2", "-o"}
	without, err := learn(t, t.Context(), append(args, filepath.Join(dir, "a.tnn"), games)...)
	if err != nil {
		t.Fatal(err)
	}
	with, err := learn(t, t.Context(), append(args, filepath.Join(dir, "b.tnn"), "-deep", deep, games)...)
	if err != nil {
		t.Fatal(err)
	}
	a, va, ra := counts(t, without)
	b, vb, rb := counts(t, with)
	_, rest, _ := strings.Cut(with, "\ndeep, on ")
	var n int
	if _, err := fmt.Sscan(rest, &n); err != nil || n == 0 || rb-ra != n || a+va != b+vb+n {
		t.Errorf("%d+%d positions, %d with -deep %d+%d; %d more duplicates", a, va, n, b, vb, rb-ra)
	}
}

// With -soft the policy learns the lines of searches: the training's loss is another one, and the
// validation's stays that of the best move.
func TestPolicyLearnsLines(t *testing.T) {
	games := writeGames(t, "games.tgs", board.Freestyle, 60, 1)
	losses := func(more ...string) (training, validation float64) {
		t.Helper()
		out, err := learn(t, t.Context(), append(append([]string{"-quiet", "-o", filepath.Join(t.TempDir(), "x.tnn"), "-batch", "64", "-epochs", "1", "-rate", "0", "-row-rate", "0", "-validate", "0.2"}, more...), games)...)
		if err != nil {
			t.Fatal(err)
		}
		first := out[strings.Index(out, "epoch "):]
		for i, at := range []*float64{&training, &validation} {
			if _, err := fmt.Sscanf(strings.SplitN(first, "policy ", 3)[i+1], "%g", at); err != nil {
				t.Fatalf("%v in %s", err, out)
			}
		}
		return training, validation
	}
	a, va := losses()
	b, vb := losses("-soft", "50")
	if a == b || va != vb {
		t.Errorf("training losses %g and %g, validation %g and %g", a, b, va, vb)
	}
}

// The games may come from more runs than the file of a network has room to name, and from files
// whose names are no text.
func TestGamesOfManyOrigins(t *testing.T) {
	games := writeGames(t, "games.tgs", board.Freestyle, 60, 1)
	raw, err := os.ReadFile(games)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		var more bytes.Buffer
		if _, err := sample.NewWriter(&more, fmt.Sprintf("run %d\r\xff%s\n", i, strings.Repeat("x", 2000))); err != nil {
			t.Fatal(err)
		}
		one, err := os.ReadFile(writeGames(t, "one.tgs", board.Freestyle, 1, uint64(i)))
		if err != nil {
			t.Fatal(err)
		}
		_, game, _ := bytes.Cut(one, []byte("random games"))
		raw = append(append(raw, more.Bytes()...), game...)
	}
	if err := os.WriteFile(games, raw, 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "x.tnn")
	if _, err := learn(t, t.Context(), "-quiet", "-o", out, "-batch", "64", "-epochs", "1", games); err != nil {
		t.Fatal(err)
	}
	text, err := learn(t, t.Context(), "info", out)
	if err != nil || !strings.Contains(text, "random games") || !strings.Contains(text, "run 18 ?xxx") || strings.Contains(text, "run 19") || !strings.Contains(text, "and 81 other origins") {
		t.Errorf("%v, %.300s", err, text)
	}
}

// firstValue returns the loss of values at the first validation in out.
func firstValue(t *testing.T, out string) (v float64) {
	t.Helper()
	_, rest, _ := strings.Cut(out, "validation: value ")
	if _, err := fmt.Sscan(rest, &v); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return v
}

// The progress line has the losses since the last validation, also where that is due.
func TestProgressHasLosses(t *testing.T) {
	games := writeGames(t, "games.tgs", board.Freestyle, 60, 1)
	var stderr bytes.Buffer
	if err := Run(t.Context(), []string{"-o", filepath.Join(t.TempDir(), "x.tnn"), "-batch", "512", "-epochs", "1", "-validate", "0.2", games}, io.Discard, &stderr); err != nil {
		t.Fatal(err)
	}
	if line := stderr.String(); !strings.HasPrefix(line, "epoch 1.00 of 1 |") || strings.Contains(line, "value 0.0000") {
		t.Errorf("%q", line)
	}
}

func TestBadCommandLines(t *testing.T) {
	games := writeGames(t, "games.tgs", board.Freestyle, 2, 1)
	renju := writeGames(t, "renju.tgs", board.Renju, 2, 1)
	enough := writeGames(t, "enough.tgs", board.Freestyle, 40, 1)
	out, drawn := filepath.Join(t.TempDir(), "x.tnn"), filepath.Join(t.TempDir(), "drawn.tnn")
	if err := os.WriteFile(drawn+".svg", []byte("notes of mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"-o", out, "-batch", "64", "-epochs", "1", "-deep", renju, enough}, "-deep: " + renju + " has 0 games of rule 0"},
		{[]string{games}, "-o FILE is missing"},
		{[]string{"-o", out}, "a file of games is missing"},
		{[]string{"-o", filepath.Join(out, "y"), games}, "does not exist"},
		{[]string{"-o", games, games}, "would overwrite"},
		{[]string{"-o", renju, games}, "renju.tgs exists"},
		{[]string{"-o", drawn, games}, "drawn.tnn.svg exists"},
		{[]string{"-o", out, games, games}, "given twice"},
		{[]string{"info", games}, "not a file of a network"},
		{[]string{"info"}, "FILE is missing"},
		{[]string{"info", games, games}, "unknown argument"},
		{[]string{"-o", out, "-batch", "1", games}, "want a number"},
		{[]string{"-o", out, games}, "0 of them without values; "},
		{[]string{"-o", out, games}, "too few to learn from"},
		{[]string{"-o", out, games, renju}, "of other rules"},
		{[]string{"-o", out, filepath.Join(t.TempDir(), "none")}, "none"},
	} {
		if _, err := learn(t, t.Context(), test.args...); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%v: %v, want %q", test.args, err, test.says)
		}
	}
}

// trained returns a trainer that has learned a little from random games.
func trained(t *testing.T, rule board.Rule, games, epochs int) *trainer {
	t.Helper()
	f := filter{proven: true, validate: 0.2, seed: 1}
	c, err := readGames(t.Context(), []string{writeGames(t, "games.tgs", rule, games, 7)}, -1)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.prepare(f, 1, 2, newKeySet()); err != nil {
		t.Fatal(err)
	}
	p := plan{Epochs: epochs, Batch: 128, Warm: 5, Rate: 2e-2, RowRate: 1e-2, Decay: 0.01, RowDecay: 0.3, Policy: 0.3, Mix: 0.9, Seed: 1}
	tr := newTrainer(c, p, 2, newModel(rule, 1))
	if err := tr.run(t.Context(), io.Discard, nil, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	return tr
}

// TestExport: a network in integers says nearly what the model does, and the model has
// learned what there was to learn.
func TestExport(t *testing.T) {
	for _, rule := range []board.Rule{board.Freestyle, board.Renju} {
		t.Run(rule.String(), func(t *testing.T) {
			tr := trained(t, rule, 150, 4)
			first, last := tr.state.History[0].Valid, tr.state.History[len(tr.state.History)-1].Valid
			if last.excess() > 0.75*first.excess() || last.policy() > first.policy()-0.5 || last.first() < 0.15 {
				t.Errorf("learned little: %v, after %v", &last, &first)
			}
			seen, err := tr.compare(nil, tr.corpus.train, 500, tr.Mix)
			if err != nil {
				t.Fatal(err)
			}
			n, err := tr.model.export(rule, "a test", &seen.census)
			if err != nil {
				t.Fatal(err)
			}
			net, err := eval.NewNetwork(n)
			if err != nil {
				t.Fatal(err)
			}
			c, err := tr.compare(net, tr.corpus.valid, math.MaxInt, tr.Mix)
			if err != nil {
				t.Fatal(err)
			}
			if c.N != tr.corpus.validPositions {
				t.Errorf("%d of %d positions", c.N, tr.corpus.validPositions)
			}
			points, logits := c.Points/float64(c.N), c.Logits/float64(c.Moves)
			if points > 8 || c.Worst > 60 || logits > 0.05 || math.Abs(c.Whole.excess()-c.Float.excess()) > 0.001 {
				t.Errorf("%v; want at most 8 points in the mean, 60 at most, and 0.05 of a logit", c)
			}

			// The network leads back to the model.
			norms := tr.model.norm
			if err := tr.begin(n); err != nil {
				t.Fatal(err)
			}
			old := tr.model.norm
			tr.model.norm = norms
			tr.model.settle(old)
			again, err := tr.compare(net, tr.corpus.valid, math.MaxInt, tr.Mix)
			if err != nil {
				t.Fatal(err)
			}
			if again.Points > 1.2*c.Points || again.Worst > 60 || again.Logits > 1.2*c.Logits {
				t.Errorf("after loading what was exported: %v", again)
			}
		})
	}
}

// TestHugeNumbersAreNoNetwork: what does not fit is an error, not another network.
func TestHugeNumbersAreNoNetwork(t *testing.T) {
	for _, at := range []int{5000 * width, 9000 * width} {
		m := newModel(board.Freestyle, 1)
		m.params[at] = 300
		if _, err := m.export(board.Freestyle, "", new(census)); err == nil {
			t.Errorf("number %d is 300, and there is a network", at)
		}
	}
	m := newModel(board.Freestyle, 1)
	m.head(m.params, 0).mask[0] = float32(math.NaN())
	if _, err := m.export(board.Freestyle, "", new(census)); err == nil {
		t.Error("a number is none, and there is a network")
	}
}

// TestRepeatedPositionsTeachOnce: turned and mirrored games teach nothing again, and
// what is for validation is not learned.
func TestRepeatedPositionsTeachOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	g := randomGame(r, board.Freestyle, 15, 15, 20)
	c := &corpus{rule: board.Freestyle}
	for s := range board.Symmetries {
		turned := *g
		turned.Plies = append([]sample.Ply(nil), g.Plies...)
		for i := range turned.Plies {
			p := &turned.Plies[i]
			p.Move, p.Best = board.Transform(p.Move, s, 15, 15), board.Transform(p.Best, s, 15, 15)
		}
		c.train = append(c.train, &game{Game: turned})
	}
	if err := c.prepare(filter{proven: true}, 1, 2, newKeySet()); err != nil {
		t.Fatal(err)
	}
	if c.positions == 0 || c.repeated != 7*c.positions || len(c.train) != 1 {
		t.Errorf("%d positions of %d games, %d left out, want 7 times as many", c.positions, len(c.train), c.repeated)
	}
}

// TestSamplesHaveReturns: the samples of a game have the results that the trace makes.
func TestSamplesHaveReturns(t *testing.T) {
	g := &game{Game: *randomGame(rand.New(rand.NewPCG(4, 5)), board.Freestyle, 15, 15, 20)}
	g.Outcome = record.BlackWon
	for _, trace := range []float64{1, 0.5} {
		c := &corpus{rule: board.Freestyle, train: []*game{g}}
		if err := c.prepare(filter{proven: true}, trace, 1, newKeySet()); err != nil {
			t.Fatal(err)
		}
		made := make([]*example, g.count)
		for i := range made {
			made[i] = new(example)
		}
		if err := newExtractor(c.rule).game(made, g); err != nil {
			t.Fatal(err)
		}
		for i, want := range dataset.Returns(nil, &g.Game, trace) {
			if g.uses[i] == 0 {
				continue
			}
			if got := made[0].result; got != want {
				t.Errorf("trace %v, ply %d: %v, want %v", trace, i, got, want)
			}
			made = made[1:]
		}
		if len(made) > 0 || g.count == 0 {
			t.Errorf("trace %v: %d of %d samples left over", trace, len(made), g.count)
		}
	}
}

// TestEveryPositionComesOnce: an epoch hands out every position once, in another order
// each time, and a feed that is wound forward goes on in the same order.
func TestEveryPositionComesOnce(t *testing.T) {
	var games []*game
	n := uint32(0)
	for i := range 100 {
		games = append(games, &game{first: n, count: i % 7})
		n += uint32(i % 7)
	}
	var before []uint32
	for epoch := range 2 {
		f := newFeed(games, 40, 1, epoch)
		var all []uint32
		for {
			from := len(all)
			if all, _ = f.draw(all, 16); len(all) == from {
				break
			}
		}
		seen := make([]bool, n)
		for _, i := range all {
			if seen[i] {
				t.Fatalf("position %d comes twice", i)
			}
			seen[i] = true
		}
		if len(all) != int(n) {
			t.Errorf("%d positions, want %d", len(all), n)
		}
		if epoch > 0 && slicesAgree(all, before) > len(all)/4 {
			t.Error("two epochs have the same order")
		}
		before = all
	}
}

// slicesAgree counts the places where a and b are the same.
func slicesAgree(a, b []uint32) (n int) {
	for i := range a {
		if a[i] == b[i] {
			n++
		}
	}
	return n
}

// TestStartsFromAnotherRule: both colors of renju begin with the numbers of freestyle; the
// other way round there is no telling which to take.
func TestStartsFromAnotherRule(t *testing.T) {
	name := func(rule board.Rule) string {
		m := newModel(rule, 1)
		n, err := m.export(rule, "", new(census))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := n.Save(nil)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "x.tnn")
		if err := os.WriteFile(file, raw, 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	freestyle, renju := name(board.Freestyle), name(board.Renju)
	n, _, _, err := loadNetwork(freestyle, board.Renju)
	if err != nil {
		t.Fatal(err)
	}
	if n.Rule != uint8(board.Renju) || len(n.Views) != 2 || n.Views[0] != n.Views[1] || n.Heads[0] != n.Heads[1] {
		t.Errorf("renju from freestyle: rule %d, %d views", n.Rule, len(n.Views))
	}
	if err := newTrainer(&corpus{rule: board.Renju}, plan{}, 1, newModel(board.Renju, 1)).begin(n); err != nil {
		t.Error(err)
	}
	if n, _, _, err := loadNetwork(freestyle, board.ExactFive); err != nil || n.Rule != uint8(board.ExactFive) {
		t.Errorf("standard from freestyle: %v", err)
	}
	if _, _, _, err := loadNetwork(renju, board.Freestyle); err == nil || !strings.Contains(err.Error(), "rule 4") {
		t.Errorf("freestyle from renju: %v", err)
	}
}

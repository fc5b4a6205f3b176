package network

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/nnue"
)

// Training that goes on from a network at rates that ruin it is mended by the mean with the start;
// a finished run that is run again writes the same. One that hardly changes the start, or starts
// from another rule, makes no mean that is worse.
func TestMeanWithTheStart(t *testing.T) {
	dir := t.TempDir()
	games := writeGames(t, "games.tgs", board.Freestyle, 60, 1)
	file := func(name string) string { return filepath.Join(dir, name) }
	run := func(name string, more ...string) string {
		t.Helper()
		out, err := learn(t, t.Context(), append(append([]string{"-quiet", "-o", file(name), "-batch", "64", "-warm", "0", "-validate", "0.2"}, more...), games)...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	run("start.tnn", "-epochs", "6")
	args := []string{"-start", file("start.tnn"), "-epochs", "1", "-rate", "0.03", "-row-rate", "0.1"}
	out := run("mean.tnn", args...)
	lines := strings.Split(out, "\n")
	trained, mean := "", ""
	for _, line := range lines {
		if _, losses, ok := strings.Cut(line, "validation: "); ok {
			if strings.HasPrefix(line, "the mean of ") {
				mean = losses
			} else {
				trained = losses
			}
		}
	}
	if a, b := firstValue(t, "validation: "+mean), firstValue(t, "validation: "+trained); mean == "" || !(a < b) {
		t.Errorf("the mean has the loss %g, what was trained %g:\n%s", a, b, out)
	}
	before, err := os.ReadFile(file("mean.tnn"))
	if err != nil {
		t.Fatal(err)
	}
	run("mean.tnn", args...)
	if after, err := os.ReadFile(file("mean.tnn")); err != nil || !bytes.Equal(before, after) {
		t.Errorf("run again it is another network: %v", err)
	}
	standard := writeGames(t, "standard.tgs", board.ExactFive, 60, 1)
	out, err = learn(t, t.Context(), "-quiet", "-o", file("standard.tnn"), "-batch", "64", "-validate", "0.2", "-epochs", "1", "-start", file("start.tnn"), standard)
	if err != nil || strings.Contains(out, "the mean of") {
		t.Errorf("a mean with a network of another rule: %v\n%s", err, out)
	}
}

// The mean is the trained model if its share is all, and gives what the start gives if it is nothing.
func TestMix(t *testing.T) {
	c, err := readGames(t.Context(), []string{writeGames(t, "games.tgs", board.Freestyle, 40, 3)}, -1)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.prepare(filter{validate: 0.3, seed: 1}, 1, 2, newKeySet()); err != nil {
		t.Fatal(err)
	}
	p := plan{Batch: 64, Epochs: 1, Policy: 0.3, Mix: 0.9, Seed: 1}
	tr := newTrainer(c, p, 2, newModel(board.Freestyle, 1))
	a, b := newModel(board.Freestyle, 1), newModel(board.Freestyle, 2)
	losses := func(share float64) float64 {
		t.Helper()
		if err := tr.mix(a, b, share); err != nil {
			t.Fatal(err)
		}
		v, err := tr.validate(c.valid, 1)
		if err != nil {
			t.Fatal(err)
		}
		return tr.loss(&v)
	}
	none, all := losses(0), losses(1)
	for i, x := range b.params {
		if tr.model.params[i] != x {
			t.Fatalf("parameter %d is %g, want %g", i, tr.model.params[i], x)
		}
	}
	a, b = b, a
	if x, y := losses(1), losses(0); x != none || y != all {
		t.Errorf("losses %g and %g, the other way round %g and %g", none, all, x, y)
	}
}

// The average of the weights is written if it is better, as at rates that never settle, and the last
// weights if it is not, as where all of the first steps count. Which is better shows in trained networks
// only.
func TestAverageOfTheWeights(t *testing.T) {
	dir := t.TempDir()
	games := writeGames(t, "games.tgs", board.Freestyle, 60, 1)
	run := func(name string, more ...string) (string, []byte) {
		t.Helper()
		file := filepath.Join(dir, name)
		out, err := learn(t, t.Context(), append(append([]string{"-quiet", "-o", file, "-batch", "64", "-warm", "0", "-validate", "0.2", "-epochs", "3"}, more...), games)...)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return out, raw
	}
	last := func(out, mark string) float64 { // what the training makes small
		t.Helper()
		line := out[strings.LastIndex(out, mark):]
		_, rest, _ := strings.Cut(line[strings.Index(line, "validation: "):], "policy ")
		var policy float64
		if _, err := fmt.Sscan(strings.Replace(rest, ",", " ", 1), &policy); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		return firstValue(t, line) + 0.3*policy
	}
	fast := []string{"-rate", "0.1", "-row-rate", "0.1"}
	plain, _ := run("plain.tnn", fast...)
	out, _ := run("better.tnn", append(fast, "-ema", "1")...)
	if !strings.Contains(out, "the average of 1 epochs is better") {
		t.Fatalf("no average:\n%s", out)
	}
	if a, b := last(out, "the average"), last(plain, "epoch 3.00"); !(a < b) {
		t.Errorf("the average has the loss %g, the last weights %g", a, b)
	}
	_, want := run("slow.tnn", "-rate", "0.0005", "-row-rate", "0.0005")
	out, got := run("worse.tnn", "-rate", "0.0005", "-row-rate", "0.0005", "-ema", "1000")
	if !strings.Contains(out, "is not better") {
		t.Fatalf("an average over all steps is better:\n%s", out)
	}
	a, err := nnue.Load(got)
	if err != nil {
		t.Fatal(err)
	}
	b, err := nnue.Load(want)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a.Views, b.Views) || !reflect.DeepEqual(a.Heads, b.Heads) {
		t.Error("not the last weights are written")
	}
}

// Package network trains the network of brain/nnue in float32 on games that the engine
// has played against itself: value and policy together.
package network

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/nnue"
	"tengen/cmd/internal/atomicfile"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/losscurve"
	"tengen/cmd/internal/progress"
	"tengen/cmd/internal/resume"
)

// Options of a run.
type options struct {
	files      []string
	out        string
	checkpoint string
	deep       string
	init       string // network to start from
	curve      string
	rule       int // -1 for the only one there is
	threads    int
	quiet      bool
	line       *progress.Line // nil to be quiet
	filter     filter
	plan       plan
}

// Run obeys the command line behind "learn network".
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	if !o.quiet {
		o.line = progress.New(stderr, time.Minute)
	}
	// Samples come and go in the same memory, so room beside them would be wasted.
	debug.SetGCPercent(20)
	return o.train(ctx, stdout)
}

const synopsis = `learn network [flags] -o FILE SAMPLES...`

func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{
		rule: -1, threads: runtime.GOMAXPROCS(0),
		filter: filter{proven: true, validate: 0.05},
		plan:   plan{Epochs: 4, Batch: 1024, Warm: 100, Rate: 3e-3, Rows: 1e-2, Decay: 0.01, Fade: 0.3, Policy: 0.3, Mix: 0.9, Seed: 1},
	}
	fs := flags.New("network")
	fs.StringVar(&o.out, "o", "", "write the network to this `FILE`")
	fs.StringVar(&o.checkpoint, "checkpoint", "", "keep what is needed to continue in this `FILE` (default: the network's name with .checkpoint)")
	fs.StringVar(&o.deep, "deep", "", "validate on this `FILE` of samples with values of deeper searches as well")
	fs.StringVar(&o.init, "init", "", "start from the network in this `FILE`")
	fs.StringVar(&o.curve, "curve", "", "draw the losses into this `FILE` (default: the network's name with .svg)")
	flags.Number(fs, &o.rule, "rule", 0, 15, "learn from games of this `RULE` of the protocol (default: the only one there is)")
	fs.BoolVar(&o.filter.proven, "proven", true, "learn from positions whose win or loss the search has proven, too")
	flags.Number(fs, &o.filter.validate, "validate", 0, 0.9, "`SHARE` of the games kept for validation")
	flags.Number(fs, &o.plan.Epochs, "epochs", 1, 1000, "`NUMBER` of passes over the positions")
	flags.Number(fs, &o.plan.Batch, "batch", shards, 1<<16, "`NUMBER` of positions a step")
	flags.Number(fs, &o.plan.Warm, "warm", 0, 1<<20, "`NUMBER` of steps until the full learning rate")
	flags.Number(fs, &o.plan.Rate, "rate", 0, 1, "learning `RATE` of the heads")
	flags.Number(fs, &o.plan.Rows, "row-rate", 0, 1, "learning `RATE` of the rows")
	flags.Number(fs, &o.plan.Decay, "decay", 0, 10, "weight `DECAY` of the heads")
	flags.Number(fs, &o.plan.Fade, "row-decay", 0, 10, "weight `DECAY` of the rows")
	flags.Number(fs, &o.plan.Policy, "policy", 0, 100, "`WEIGHT` of the policy's loss beside that of the value")
	flags.Number(fs, &o.plan.Mix, "mix", 0, 1, "`SHARE` of the search's value in the target; the rest is the result of the game")
	fs.Uint64Var(&o.plan.Seed, "seed", 1, "`NUMBER` that decides the start, the order of positions and which games validate")
	flags.Concurrency(fs, &o.threads)
	flags.Quiet(fs, &o.quiet)
	if err := flags.Parse(fs, args, stdout, synopsis, 1, 1<<20, "a file of samples"); err != nil {
		return nil, err
	}
	o.files = fs.Args()
	if o.out == "" {
		return nil, flags.Usage("-o is missing")
	}
	if o.checkpoint == "" {
		o.checkpoint = o.out + ".checkpoint"
	}
	if o.curve == "" {
		o.curve = o.out + ".svg"
	}
	o.filter.seed = o.plan.Seed
	for _, name := range []string{o.out, o.checkpoint, o.curve} {
		if dir, err := os.Stat(filepath.Dir(name)); err != nil || !dir.IsDir() {
			return nil, flags.Usage("there is no folder %s", filepath.Dir(name))
		}
		for _, file := range append([]string{o.deep, o.init}, o.files...) {
			if file != "" && filepath.Clean(file) == filepath.Clean(name) {
				return nil, flags.Usage("%s is named to be read and to be written", name)
			}
		}
	}
	return o, nil
}

// train does what the verb is for.
func (o *options) train(ctx context.Context, stdout io.Writer) error {
	began := time.Now()
	c, err := readGames(o.files, o.rule, o.filter)
	if err != nil {
		return err
	}
	if o.rule < 0 && c.others > 0 {
		return fmt.Errorf("the files hold %d games of other rules than %d: name one with -rule", c.others, c.rule)
	}
	if err := c.prepare(o.filter, o.threads); err != nil {
		return err
	}
	if c.positions < o.plan.Batch || c.validPositions == 0 {
		return fmt.Errorf("%d games of rule %d with %d positions, %d for validation: too few to learn from", c.games, c.rule, c.positions, c.validPositions)
	}
	fmt.Fprintf(stdout, "%v: %d games, %d for validation; %d positions to learn from, %d for validation, %d left out for being there before; read in %.1f s, %d MiB\n",
		c.rule, len(c.train)+len(c.valid), len(c.valid), c.positions, c.validPositions, c.repeated, time.Since(began).Seconds(), memory())
	start := newModel(c.rule, o.plan.Seed)
	if o.init != "" {
		n, sum, err := loadNetwork(o.init, c.rule)
		if err != nil {
			return err
		}
		start = loadModel(n)
		c.sums = append(c.sums, sum)
	}
	t := newTrainer(c, o.plan, o.threads, start)
	if o.init != "" {
		if err := t.began(); err != nil {
			return err
		}
	}
	if o.deep != "" {
		d, err := readGames([]string{o.deep}, int(c.rule), o.filter)
		if err != nil {
			return err
		}
		if err := d.prepare(filter{proven: true}, o.threads); err != nil {
			return err
		}
		t.deep = d.train
		c.sums = append(c.sums, "deep "+strings.Join(d.sums, " "))
	}
	run := fmt.Sprintf("rule %d, %s, %+v, %+v", c.rule, strings.Join(c.sums, ", "), o.filter, o.plan)
	var s state
	switch found, err := resume.LoadCheckpoint(o.checkpoint, run, &s); {
	case err != nil:
		return err
	case found:
		fmt.Fprintf(stdout, "going on from %s\n", o.checkpoint)
		if err := t.resume(&s); err != nil {
			return err
		}
	}
	draw := func() error { return atomicfile.Write(o.curve, t.draw(filepath.Base(o.out))) }
	err = t.run(ctx, stdout, o.line, func() error {
		return errors.Join(resume.SaveCheckpoint(o.checkpoint, run, t.state), draw())
	})
	o.line.End()
	if err != nil {
		return err
	}
	if err := draw(); err != nil {
		return err
	}
	return t.finish(o.out, stdout)
}

// finish writes the network and tells what rounding has cost.
func (t *trainer) finish(name string, stdout io.Writer) error {
	const judge = 16384 // positions
	seen, err := t.compare(nil, t.corpus.train, censusSize)
	if err != nil {
		return err
	}
	last := t.state.History[len(t.state.History)-1]
	origin := fmt.Sprintf("%v, %d positions of %d games\n%s\n%s\n%+v\n", t.corpus.rule, t.corpus.positions, len(t.corpus.train), strings.Join(t.corpus.origins, "\n"), &last, t.plan)
	n, err := t.model.export(t.corpus.rule, origin, &seen.census)
	if err != nil {
		return err
	}
	raw, err := n.Save(nil)
	if err != nil {
		return err
	}
	net, err := eval.NewNetwork(n)
	if err != nil {
		return err
	}
	c, err := t.compare(net, t.corpus.valid, judge)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(name, raw); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%v\n%s: %d bytes\n", c, name, len(raw))
	return nil
}

// loadNetwork reads a network for a rule. It returns in words what it has read.
func loadNetwork(name string, rule board.Rule) (*nnue.Network, string, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, "", err
	}
	n, err := nnue.Load(raw)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	if board.Rule(n.Rule) != rule {
		return nil, "", fmt.Errorf("%s is for rule %d, want %d", name, n.Rule, rule)
	}
	if _, err := eval.NewNetwork(n); err != nil {
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	return n, fmt.Sprintf("from %s %08x", filepath.Base(name), crc32.ChecksumIEEE(raw)), nil
}

// draw draws the losses as an SVG file.
func (t *trainer) draw(title string) []byte {
	value := losscurve.Panel{Title: "value, excess over the targets", Best: -1}
	policy := losscurve.Panel{Title: "policy", Best: -1}
	for i := range t.state.History {
		p := &t.state.History[i]
		value.Points = append(value.Points, losscurve.Point{Epoch: p.Epoch, Train: p.Training.excess(), Valid: p.Valid.excess()})
		policy.Points = append(policy.Points, losscurve.Point{Epoch: p.Epoch, Train: p.Training.policy(), Valid: p.Valid.policy()})
	}
	return losscurve.Draw(fmt.Sprintf("%s, %v, seed %d", title, t.corpus.rule, t.Seed), value, policy)
}

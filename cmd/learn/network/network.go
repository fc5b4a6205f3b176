// Package network trains the network of brain/nnue in float32 on games that the engine
// has played against itself: value and policy together.
package network

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/nnue"
	"tengen/brain/record/atomicfile"
	"tengen/cmd/internal/chart"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/progress"
	"tengen/cmd/internal/resume"
)

// Options are the inputs, outputs and parameters of the training.
type Options struct {
	Files      []string
	Out        string // the network
	SVG        string // the losses
	Checkpoint string
	Deep       string // samples with values of deeper searches to validate on as well, "" for none
	Init       string // the network to start from, "" for a new one
	Rule       int    // -1 for the only one there is
	Threads    int

	filter filter
	plan   plan
}

// Default returns the default options.
func Default() Options {
	return Options{
		Rule: -1, Threads: runtime.GOMAXPROCS(0),
		filter: filter{proven: true, validate: 0.05, seed: 1},
		plan:   plan{Epochs: 4, Batch: 1024, Warm: 100, Rate: 3e-3, Rows: 1e-2, Decay: 0.01, Fade: 0.3, Policy: 0.3, Mix: 0.9, Seed: 1},
	}
}

// Seed sets the number that decides the start, the order of positions and which games
// validate.
func (o *Options) Seed(seed uint64) { o.plan.Seed, o.filter.seed = seed, seed }

// Run runs the command line after "learn network".
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && args[0] == "info" {
		if len(args) != 2 {
			return flags.Usage("info wants one file of a network")
		}
		return info(args[1], stdout)
	}
	o, quiet, err := parse(args, stdout)
	if err != nil {
		return err
	}
	_, err = o.Fit(ctx, stdout, progress.New(stderr, quiet))
	return err
}

// parse reads the command line.
func parse(args []string, stdout io.Writer) (o Options, quiet bool, err error) {
	o = Default()
	seed := uint64(1)
	fs := flags.New("network")
	fs.StringVar(&o.Out, "o", "", "write the network to this `FILE`")
	fs.StringVar(&o.SVG, "svg", "", "draw the losses into this `FILE` (default: the network's name with .svg)")
	fs.StringVar(&o.Checkpoint, "checkpoint", "", "keep what is needed to continue in this `FILE` (default: the network's name with .checkpoint)")
	fs.StringVar(&o.Deep, "deep", "", "validate on this `FILE` of games with values of deeper searches as well")
	fs.StringVar(&o.Init, "init", "", "start from the network in this `FILE`, of this rule or of another")
	flags.Number(fs, &o.Rule, "rule", 0, 15, "learn from games of this `RULE` of the protocol (default: the only one there is)")
	fs.BoolVar(&o.filter.proven, "proven", true, "learn from positions whose win or loss the search has proven, too")
	flags.Number(fs, &o.filter.validate, "validate", 1e-9, 0.9, "`SHARE` of the games kept for validation")
	flags.Number(fs, &o.plan.Epochs, "epochs", 1, 1000, "`NUMBER` of passes over the positions")
	flags.Number(fs, &o.plan.Batch, "batch", 8*shards, 1<<16, "`NUMBER` of positions a step")
	flags.Number(fs, &o.plan.Warm, "warm", 0, 1<<20, "`NUMBER` of steps until the full learning rate")
	flags.Number(fs, &o.plan.Rate, "rate", 0, 1, "learning `RATE` of the heads")
	flags.Number(fs, &o.plan.Rows, "row-rate", 0, 1, "learning `RATE` of the rows")
	flags.Number(fs, &o.plan.Decay, "decay", 0, 10, "weight `DECAY` of the heads")
	flags.Number(fs, &o.plan.Fade, "row-decay", 0, 10, "weight `DECAY` of the rows")
	flags.Number(fs, &o.plan.Policy, "policy", 0, 100, "`WEIGHT` of the policy's loss beside that of the value")
	flags.Number(fs, &o.plan.Mix, "mix", 0, 1, "`SHARE` of the search's value in the target; the rest is the result of the game")
	fs.Uint64Var(&seed, "seed", seed, "`NUMBER` that decides the start, the order of positions and which games validate")
	flags.Concurrency(fs, &o.Threads)
	flags.Quiet(fs, &quiet)
	if err := flags.Parse(fs, args, stdout, "learn network -o FILE [FLAGS] GAMES...\nlearn network info FILE", 1, math.MaxInt, "a file of games"); err != nil {
		return o, false, err
	}
	o.Seed(seed)
	o.Files = fs.Args()
	if o.Out == "" {
		return o, false, flags.Usage("-o FILE is missing")
	}
	o.nameFiles()
	return o, quiet, flags.CheckFiles(o.inputs(), []string{o.Out, o.SVG, o.Checkpoint})
}

// nameFiles names the files beside the network that have no name.
func (o *Options) nameFiles() {
	base := strings.TrimSuffix(o.Out, ".tnn")
	if o.SVG == "" {
		o.SVG = base + ".svg"
	}
	if o.Checkpoint == "" {
		o.Checkpoint = base + ".checkpoint"
	}
}

// inputs are the files that are read.
func (o *Options) inputs() []string {
	all := slices.Clone(o.Files)
	for _, name := range []string{o.Deep, o.Init} {
		if name != "" {
			all = append(all, name)
		}
	}
	return all
}

// A Result is the result of Fit. Losses are those of the network in integers in validation;
// that of values is what they cost beyond what their targets do.
type Result struct {
	Value  float64 `json:"value"`
	Policy float64 `json:"policy"`
	First  float64 `json:"first"` // share of the best moves that the policy has first

	Games      int `json:"games"`
	Validation int `json:"validation"` // games of these
	Positions  int `json:"positions"`  // to learn from
}

// Fit learns a network and writes its files. What it tells goes to out; line may be nil.
// If ctx ends it saves what is needed to go on, and the same options go on later; done,
// they write the same network again.
func (o *Options) Fit(ctx context.Context, out io.Writer, line *progress.Line) (*Result, error) {
	o.nameFiles()
	began := time.Now()
	c, err := o.read()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "%v: %d games, %d for validation; %d positions to learn from, %d for validation, %d left out for being there before; read in %.1f s, %d MiB\n",
		c.rule, len(c.train)+len(c.valid), len(c.valid), c.positions, c.validPositions, c.repeated, time.Since(began).Seconds(), memory())
	t := newTrainer(c, o.plan, o.Threads, newModel(c.rule, o.plan.Seed))
	if err := o.equip(t); err != nil {
		return nil, err
	}
	run := fmt.Sprintf("rule %d, %s, %+v, %+v", c.rule, strings.Join(c.sums, ", "), o.filter, o.plan)
	var s state
	switch found, err := resume.LoadCheckpoint(o.Checkpoint, run, &s); {
	case err != nil:
		return nil, err
	case found:
		fmt.Fprintf(out, "going on from %s\n", o.Checkpoint)
		if err := t.resume(&s); err != nil {
			return nil, err
		}
	}
	draw := func() error { return atomicfile.Write(o.SVG, t.draw(filepath.Base(o.Out))) }
	err = t.run(ctx, out, line, func() error {
		return errors.Join(resume.SaveCheckpoint(o.Checkpoint, run, t.state), draw())
	})
	line.End()
	if err == nil {
		err = draw()
	}
	if err != nil {
		return nil, err
	}
	v, err := t.finish(o.Out, out)
	if err != nil {
		return nil, err
	}
	return &Result{v.excess(), v.policy(), v.first(), len(c.train) + len(c.valid), len(c.valid), c.positions}, nil
}

// read reads the games.
func (o *Options) read() (*corpus, error) {
	c, err := readGames(o.Files, o.Rule)
	if err != nil {
		return nil, err
	}
	if o.Rule < 0 && c.others > 0 {
		return nil, fmt.Errorf("the files hold %d games of other rules than %d: name one with -rule", c.others, c.rule)
	}
	if err := c.prepare(o.filter, o.Threads); err != nil {
		return nil, err
	}
	if c.positions < o.plan.Batch || c.validPositions == 0 {
		return nil, fmt.Errorf("%d games of rule %d with %d positions, %d for validation: too few to learn from", c.games, c.rule, c.positions, c.validPositions)
	}
	return c, nil
}

// equip gives t what else the options name.
func (o *Options) equip(t *trainer) error {
	c := t.corpus
	if o.Init != "" {
		n, sum, err := loadNetwork(o.Init, c.rule)
		if err != nil {
			return err
		}
		if err := t.begin(n); err != nil {
			return err
		}
		c.sums = append(c.sums, sum)
	}
	if o.Deep != "" {
		d, err := readGames([]string{o.Deep}, int(c.rule))
		if err != nil {
			return err
		}
		if err := d.prepare(filter{proven: true}, o.Threads); err != nil {
			return err
		}
		t.deep = d.train
		c.sums = append(c.sums, "deep "+strings.Join(d.sums, " "))
	}
	return nil
}

// info prints the header of a file of a network.
func info(name string, out io.Writer) error {
	raw, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	n, err := nnue.Load(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Fprintf(out, "Network for %v (rule %d), %d bytes\n%s\n", board.Rule(n.Rule), n.Rule, len(raw), strings.TrimRight(n.Origin, "\n"))
	return nil
}

// finish writes the network, tells what rounding has cost and returns the losses of what
// was written.
func (t *trainer) finish(name string, out io.Writer) (*validation, error) {
	const judge = 16384 // positions
	seen, err := t.compare(nil, t.corpus.train, censusSize)
	if err != nil {
		return nil, err
	}
	last := t.state.History[len(t.state.History)-1]
	origin := fmt.Sprintf("%v, %d positions of %d games\n%s\n%s\n%+v\n", t.corpus.rule, t.corpus.positions, len(t.corpus.train), strings.Join(t.corpus.origins, "\n"), &last, t.plan)
	n, err := t.model.export(t.corpus.rule, origin, &seen.census)
	if err != nil {
		return nil, err
	}
	raw, err := n.Save(nil)
	if err != nil {
		return nil, err
	}
	net, err := eval.NewNetwork(n)
	if err != nil {
		return nil, err
	}
	c, err := t.compare(net, t.corpus.valid, judge)
	if err != nil {
		return nil, err
	}
	if err := atomicfile.Write(name, raw); err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "%v\n%s: %d bytes\n", c, name, len(raw))
	return &c.Whole, nil
}

// loadNetwork reads a network to start from under a rule, which may be another than its own:
// where the colors differ and its do not, both begin with its numbers. It returns in words
// what it has read.
func loadNetwork(name string, rule board.Rule) (*nnue.Network, string, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, "", err
	}
	n, err := nnue.Load(raw)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	if _, err := eval.NewNetwork(n); err != nil {
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	switch sets := layoutFor(rule).sets; {
	case len(n.Views) > sets:
		return nil, "", fmt.Errorf("%s is for rule %d, where the colors differ; for rule %d they do not", name, n.Rule, rule)
	case len(n.Views) < sets:
		n.Views, n.Heads = slices.Repeat(n.Views, sets), slices.Repeat(n.Heads, sets)
	}
	n.Rule = uint8(rule)
	return n, fmt.Sprintf("from %s %08x", filepath.Base(name), crc32.ChecksumIEEE(raw)), nil
}

// draw draws the losses as an SVG file.
func (t *trainer) draw(title string) []byte {
	var epochs, trained, valid, trainedPolicy, validPolicy []float64
	for i := range t.state.History {
		p := &t.state.History[i]
		epochs = append(epochs, p.Epoch)
		trained, valid = append(trained, p.Training.excess()), append(valid, p.Valid.excess())
		trainedPolicy, validPolicy = append(trainedPolicy, p.Training.policy()), append(validPolicy, p.Valid.policy())
	}
	lines := func(trained, valid []float64) []chart.Line {
		return []chart.Line{{Name: "training", Values: trained}, {Name: "validation", Values: valid}}
	}
	return chart.Draw(fmt.Sprintf("%s, %v, seed %d", title, t.corpus.rule, t.Seed),
		chart.Panel{Title: "value: loss beyond that of the targets by epoch,", X: epochs, Lines: lines(trained, valid), Mark: -1},
		chart.Panel{Title: "policy: loss by epoch,", X: epochs, Lines: lines(trainedPolicy, validPolicy), Mark: -1})
}

// Package network trains the network of brain/nnue in float32 on games that the engine
// has played against itself: value and policy together.
package network

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"tengen/brain/atomicfile"
	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/nnue"
	"tengen/cmd/internal/chart"
	"tengen/cmd/internal/checkpoint"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/progress"
	"tengen/cmd/internal/resume"
	"tengen/cmd/learn/dataset"
)

// Options are the inputs, outputs and parameters of the training.
type Options struct {
	Files   []string
	Out     string // the network
	Deep    string // games with values of deeper searches for a second validation, "" for none
	Start   string // the network to start from, "" for a new one
	Rule    int    // -1 for the only one in the files
	Threads int

	filter filter
	plan   plan
	given  map[string]bool // flags on the command line
}

// Default returns the default options. Positions with a proven result are needed: without them a
// network for freestyle won 23 games, lost 35 and drew 9 against the one that it started from, although
// its loss on all other positions was less (150,000 nodes a move, 2026-11).
func Default() Options {
	return Options{
		Rule: -1, Threads: runtime.GOMAXPROCS(0),
		filter: filter{proven: true, validate: 0.05, seed: 1},
		plan:   plan{Epochs: 4, Batch: 1024, Warm: 100, Rate: 3e-3, RowRate: 1e-2, Decay: 0.01, RowDecay: 0.3, Policy: 0.3, Mix: 0.9, Trace: 1, Seed: 1},
	}
}

// Seed sets the seed of the start, the order of positions and the choice of games for
// validation.
func (o *Options) Seed(seed uint64) { o.plan.Seed, o.filter.seed = seed, seed }

// Run runs the command line after "learn network".
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && args[0] == "info" {
		return info(args[1:], stdout)
	}
	o, quiet, err := parse(args, stdout)
	if err != nil {
		return err
	}
	_, err = o.Fit(ctx, stdout, progress.New(stderr, quiet))
	return err
}

const synopsis = `usage: learn network -o FILE [flags] GAMES...
       learn network info FILE                  describes a network

Trains a network for the evaluation on games of selfplay. A row of it is what a line of nine cells, or
what the stones around a cell make there, adds to the numbers of the cell; the heads make a value and
a policy from the numbers of all cells. The optimizer is AdamW. The learning rates rise over the
first -warm steps and fall to 2% along half a cosine.

Four times an epoch it prints the losses: of the value above the entropy of the targets, of the policy
in nats, and how often the best move of the search is first.`

// parse reads the command line.
func parse(args []string, stdout io.Writer) (o Options, quiet bool, err error) {
	o = Default()
	seed := uint64(1)
	fs := flags.New("network")
	fs.StringVar(&o.Out, "o", "", "write the network to `FILE`, and a chart of the losses to FILE.svg")
	fs.StringVar(&o.Deep, "deep", "", "validate on the games in `FILE`, too, with values of longer searches as selfplay label makes them. Their positions are not trained on. They decide which average or mean is written (default none)")
	fs.StringVar(&o.Start, "start", "", "start from the network in `FILE`; one for renju starts only renju. From one of the same rule the learning rates are a third by default, and a mean of it and the result is written if validation finds that better (default a new network)")
	flags.RuleOfFiles(fs, &o.Rule)
	fs.BoolVar(&o.filter.proven, "proven", true, "train the value on positions with a proven win or loss, too")
	flags.Number(fs, &o.filter.validate, "validate", 1e-9, 0.9, "`SHARE` of the games kept for validation")
	flags.Number(fs, &o.plan.Epochs, "epochs", 1, 1000, "`NUMBER` of passes over the positions")
	flags.Number(fs, &o.plan.Batch, "batch", 8*shards, 1<<16, "`NUMBER` of positions in a step of the optimizer")
	flags.Number(fs, &o.plan.Warm, "warm", 0, 1<<20, "`NUMBER` of steps until the learning rates are full")
	flags.Number(fs, &o.plan.Rate, "rate", 0, 1, "greatest learning `RATE` of the heads")
	flags.Number(fs, &o.plan.RowRate, "row-rate", 0, 1, "greatest learning `RATE` of the rows")
	flags.Number(fs, &o.plan.Decay, "decay", 0, 10, "weight `DECAY` of the heads: a step takes this share, times the learning rate, from each number")
	flags.Number(fs, &o.plan.RowDecay, "row-decay", 0, 10, "weight `DECAY` of the rows; with more of it rare rows stay small, with less the games are learned by heart sooner")
	flags.Number(fs, &o.plan.Average, "ema", 0, 1000, "average the weights exponentially, over the last `EPOCHS` or so, and write the average if validation finds it better; 0 for no average (default 0)")
	flags.Number(fs, &o.plan.Policy, "policy", 0, 100, "`WEIGHT` of the policy's loss; the value's loss has 1")
	flags.Number(fs, &o.plan.Soft, "soft", 0, 10_000, "train the policy on all lines of selfplay -lines: a move that is this number of `POINTS` worse than the best has 1/e of its share; 0 for the best move alone (default 0)")
	flags.Number(fs, &o.plan.Mix, "mix", 0, 1, "`SHARE` of the search's value in the target; the rest is the result of the game")
	flags.Number(fs, &o.plan.Trace, "trace", 0, 1, "`SHARE` of the next position's result in the result of a position; the rest is the value of the next search. A random move ends this. With 1 it is the result of the game")
	flags.Seed(fs, &seed, "`SEED` of the start, the order of positions and the choice of games for validation")
	flags.Concurrency(fs, &o.Threads, "goroutines")
	flags.Quiet(fs, &quiet)
	if err := flags.Parse(fs, args, stdout, synopsis, flags.Some("a file of games")); err != nil {
		return o, false, err
	}
	o.Seed(seed)
	o.given = flags.Given(fs)
	o.Files = fs.Args()
	if o.Out == "" {
		return o, false, flags.Usage("-o FILE is missing")
	}
	inputs := slices.Clone(o.Files)
	for _, name := range []string{o.Deep, o.Start} {
		if name != "" {
			inputs = append(inputs, name)
		}
	}
	if err := flags.CheckFiles(inputs, []string{o.Out, o.Out + ".svg", o.Out + ".checkpoint"}); err != nil {
		return o, false, err
	}
	return o, quiet, errors.Join(flags.CheckReplaced(o.Out, nnue.Magic), flags.CheckReplaced(o.Out+".svg", chart.Magic))
}

// A Result is the result of Fit. Losses are those of the rounded network in validation, that
// of values without the entropy of the targets.
type Result struct {
	Value  float64 `json:"value"`
	Policy float64 `json:"policy"`
	First  float64 `json:"first"` // share of positions whose best move has the highest policy

	Games      int `json:"games"`
	Validation int `json:"validation"` // games of these
	Positions  int `json:"positions"`  // for training
}

// Fit trains a network and writes it. Results go to out; line may be nil. When ctx ends it
// saves a checkpoint, and the next Fit continues there.
func (o *Options) Fit(ctx context.Context, out io.Writer, line *progress.Line) (*Result, error) {
	began := time.Now()
	c, err := o.read(ctx)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "%v: %d games, %d for validation; %d positions for training, %d for validation, %d duplicates omitted; read in %.1f s, %d MiB\n",
		c.rule, len(c.train)+len(c.valid), len(c.valid), c.positions, c.validPositions, c.repeated, time.Since(began).Seconds(), memory())
	t := newTrainer(c, o.plan, o.Threads, newModel(c.rule, o.plan.Seed))
	start, err := o.start(t)
	if err != nil {
		return nil, err
	}
	run := fmt.Sprintf("rule %d, %s, %+v, %+v, program=%s", c.rule, strings.Join(c.sums, ", "), o.filter, t.plan, resume.Build())
	saved := o.Out + ".checkpoint"
	var s state
	switch found, err := checkpoint.Load(saved, run, &s); {
	case err != nil:
		return nil, flags.Usage("%v", err)
	case found:
		fmt.Fprintf(out, "continuing from %s\n", saved)
		if err := t.resume(&s); err != nil {
			return nil, err
		}
	}
	draw := func() error { return atomicfile.Write(o.Out+".svg", t.draw(filepath.Base(o.Out))) }
	err = t.run(ctx, out, line, func() error {
		return errors.Join(checkpoint.Save(saved, run, t.state), draw())
	})
	line.End()
	if err == nil {
		err = t.average(out)
	}
	if err == nil && start != nil {
		err = t.blend(start, out)
	}
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
	if err := checkpoint.Remove(saved); err != nil {
		return nil, err
	}
	return &Result{v.excess(), v.policy(), v.first(), len(c.train) + len(c.valid), len(c.valid), c.positions}, nil
}

// read reads the games.
func (o *Options) read(ctx context.Context) (*corpus, error) {
	c, err := readGames(ctx, o.Files, o.Rule)
	if err != nil {
		return nil, err
	}
	seen := newKeySet()
	if o.Deep != "" {
		d, err := readGames(ctx, []string{o.Deep}, int(c.rule))
		if err != nil {
			return nil, err
		}
		if err := d.prepare(filter{proven: true}, 1, o.Threads, seen); err != nil {
			return nil, err
		}
		if len(d.train) == 0 {
			return nil, flags.Usage("-deep: %s has %d games of rule %d, %d of them without values: nothing to validate on", o.Deep, d.games, c.rule, d.bare)
		}
		c.deep = d.train
		c.sums = append(c.sums, "deep "+strings.Join(d.sums, " "))
	}
	if err := c.prepare(o.filter, o.plan.Trace, o.Threads, seen); err != nil {
		return nil, err
	}
	if c.positions < o.plan.Batch || c.validPositions == 0 {
		return nil, fmt.Errorf("%d games of rule %d, %d of them without values; %d positions, %d for validation: too few to learn from", c.games, c.rule, c.bare, c.positions, c.validPositions)
	}
	return c, nil
}

// start makes t start from the network of -start, if any. It returns the model of that if it is of
// the same rule, else nil.
func (o *Options) start(t *trainer) (*model, error) {
	c := t.corpus
	if o.Start == "" {
		return nil, nil
	}
	n, rule, sum, err := loadNetwork(o.Start, c.rule)
	if err != nil {
		return nil, flags.Usage("-start: %v", err)
	}
	if err := t.begin(n); err != nil {
		return nil, err
	}
	c.sums = append(c.sums, sum)
	if rule != c.rule {
		return nil, nil
	}
	o.lowerRates(&t.plan)
	return t.model.clone(), nil
}

// lowerRates sets the rates for training that starts from a network of the same rule, unless the
// command line has them.
func (o *Options) lowerRates(p *plan) {
	if !o.given["rate"] {
		p.Rate /= startDivisor
	}
	if !o.given["row-rate"] {
		p.RowRate /= startDivisor
	}
}

// info prints the header of a file of a network.
func info(args []string, out io.Writer) error {
	fs := flags.New("info")
	if err := flags.Parse(fs, args, out, "usage: learn network info FILE\n\nDescribes a network: its rule and its training.", flags.One("FILE")); err != nil {
		return err
	}
	name := fs.Arg(0)
	raw, err := flags.ReadFile(name)
	if err != nil {
		return flags.Usage("%v", err)
	}
	n, err := nnue.Load(raw)
	if err != nil {
		return flags.Usage("%s: %v", name, err)
	}
	_, err = fmt.Fprintf(out, "Network for %v (rule %d), %d bytes\n%s\n", board.Rule(n.Rule), n.Rule, len(raw), strings.TrimRight(n.Origin, "\n"))
	return err
}

// finish writes the network, and prints and returns its losses after rounding.
func (t *trainer) finish(name string, out io.Writer) (*validation, error) {
	const judge = 16384 // positions
	seen, err := t.compare(nil, t.corpus.train, censusSize, t.Mix)
	if err != nil {
		return nil, err
	}
	last := t.state.History[len(t.state.History)-1]
	origin := fmt.Sprintf("%v, %d positions of %d games\n%s\n%s\n%+v\n", t.corpus.rule, t.corpus.positions, len(t.corpus.train), strings.Join(dataset.About(t.corpus.origins), "\n"), &last, t.plan)
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
	c, err := t.compare(net, t.corpus.valid, judge, t.Mix)
	if err != nil {
		return nil, err
	}
	deep, err := t.compare(net, t.corpus.deep, judge, 1)
	if err != nil {
		return nil, err
	}
	if err := atomicfile.Write(name, raw); err != nil {
		return nil, err
	}
	fmt.Fprintln(out, c)
	if deep.N > 0 {
		fmt.Fprintf(out, "deep, on %d positions: %s\n", deep.N, deep.Whole.deepString())
	}
	fmt.Fprintf(out, "%s: %d bytes\n", name, len(raw))
	return &c.Whole, nil
}

// loadNetwork reads a network to start from. It may be of another rule: for a rule whose colors
// differ, both start with the numbers of a network whose colors do not. It also returns the rule
// that the network is for, and a description of the file.
func loadNetwork(name string, rule board.Rule) (n *nnue.Network, of board.Rule, description string, err error) {
	raw, err := flags.ReadFile(name)
	if err != nil {
		return nil, 0, "", err
	}
	n, err = nnue.Load(raw)
	if err != nil {
		return nil, 0, "", fmt.Errorf("%s: %w", name, err)
	}
	if _, err := eval.NewNetwork(n); err != nil {
		return nil, 0, "", fmt.Errorf("%s: %w", name, err)
	}
	of = board.Rule(n.Rule)
	switch sets := layoutFor(rule).sets; {
	case len(n.Views) > sets:
		return nil, 0, "", fmt.Errorf("%s is for rule %d, whose colors differ, and cannot start one for rule %d", name, n.Rule, rule)
	case len(n.Views) < sets:
		n.Views, n.Heads = slices.Repeat(n.Views, sets), slices.Repeat(n.Heads, sets)
	}
	n.Rule = uint8(rule)
	return n, of, fmt.Sprintf("from %s %08x", filepath.Base(name), crc32.ChecksumIEEE(raw)), nil
}

// draw draws the losses as an SVG file.
func (t *trainer) draw(title string) []byte {
	value := chart.Panel{Title: "value: loss above the entropy of the targets by epoch,"}
	policy := chart.Panel{Title: "policy: loss by epoch,"}
	for i := range t.state.History {
		p := &t.state.History[i]
		value.Epochs, policy.Epochs = append(value.Epochs, p.Epoch), append(policy.Epochs, p.Epoch)
		value.Training, value.Validation = append(value.Training, p.Training.excess()), append(value.Validation, p.Valid.excess())
		policy.Training, policy.Validation = append(policy.Training, p.Training.policy()), append(policy.Validation, p.Valid.policy())
	}
	return chart.Draw(fmt.Sprintf("%s, %v, seed %d", title, t.corpus.rule, t.Seed), value, policy)
}

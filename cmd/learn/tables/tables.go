// Package tables trains the tables of brain/eval on games that the engine has played against
// itself.
//
// Points of cells and threats are fitted to the search's values and the results by logistic
// loss, scores for the order of moves to the search's best moves by softmax. Games of other
// programs that have no values, from learn selfplay convert, count with their results and
// moves. Training stops when the loss on games kept for validation stops falling. The same
// program, samples and seed give the same tables on any number of processors; the same
// command continues a run that was killed.
package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/cmd/internal/chart"
	"tengen/cmd/internal/evalflags"
	"tengen/cmd/internal/flags"
)

// Options are the inputs, outputs and parameters of the training.
type Options struct {
	Files   []string
	Out     string // the tables
	Start   string // "engine", "hand", "zero" or a file of tables
	Rule    int    // -1 for the only one in the files
	Workers int    // processors

	mix         float64 // share of the search's value in the target; the rest is the result
	temperature float64 // of the softmax; 0 for the one that fits the start best
	split       split
	plan        plan
}

// Default returns the default options.
func Default() Options {
	return Options{
		Start: "engine", Rule: -1, Workers: runtime.GOMAXPROCS(0),
		mix: 0.75, split: split{share: 0.05},
		plan: plan{Rate: 0.5, Epochs: 60, Patient: 2, Cuts: 3},
	}
}

// Seed sets the number that decides which games validate and the order of samples.
func (o *Options) Seed(seed uint64) { o.plan.Seed, o.split.seed = seed, seed }

// Run runs the command line after "learn tables".
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, quiet, err := parse(args, stdout)
	if err != nil {
		return err
	}
	if quiet {
		stderr = io.Discard
	}
	_, err = o.Fit(ctx, stdout, stderr)
	return err
}

// parse reads the command line.
func parse(args []string, stdout io.Writer) (_ *Options, quiet bool, err error) {
	o, seed := Default(), uint64(1)
	fs := flags.New("tables")
	fs.StringVar(&o.Out, "o", "", "write the tables to `FILE`, and a chart of the losses to FILE.svg")
	fs.StringVar(&o.Start, "start", o.Start, "tables to start from: engine, those of the engine; hand, set by hand; zero; or those of a `FILE`")
	flags.RuleOfFiles(fs, &o.Rule)
	flags.Number(fs, &o.mix, "mix", 0, 1, "`SHARE` of the search's value in the target; the rest is the result of the game")
	flags.Number(fs, &o.split.share, "validate", 1e-9, 0.9, "`SHARE` of the games kept for validation")
	flags.Number(fs, &o.temperature, "temperature", 0, math.MaxFloat64, "`POINTS` of order that make a move e times likelier; 0 for the number that fits the start best (default 0)")
	flags.Seed(fs, &seed, "`SEED` of the choice of games for validation and of the order of samples")
	flags.Number(fs, &o.plan.Epochs, "epochs", 0, math.MaxInt32, "maximum `NUMBER` of passes over the samples")
	flags.Number(fs, &o.plan.Batch, "batch", 0, math.MaxInt32, "`NUMBER` of samples in a step; 0 for a hundredth of all, 256 to 8192 (default 0)")
	flags.Number(fs, &o.plan.Rate, "rate", 1e-9, math.MaxFloat64, "initial learning `RATE`: points for each parameter in a step")
	flags.Concurrency(fs, &o.Workers, "goroutines")
	flags.Quiet(fs, &quiet)
	if err := flags.Parse(fs, args, stdout, "usage: learn tables -o FILE [flags] GAMES...\n\nTrains tables for the evaluation on games of selfplay.", flags.Some("a file of games")); err != nil {
		return nil, false, err
	}
	o.Seed(seed)
	o.Files = fs.Args()
	if o.Out == "" {
		return nil, false, flags.Usage("-o FILE is missing")
	}
	written := []string{o.Out, o.Out + ".svg", o.Out + ".checkpoint"}
	if err := flags.CheckFiles(o.Files, written); err != nil {
		return nil, false, err
	}
	if err := flags.CheckFiles([]string{o.Start}, written); err != nil {
		return nil, false, err
	}
	return &o, quiet, errors.Join(flags.CheckReplaced(o.Out, eval.TablesMagic), flags.CheckReplaced(o.Out+".svg", chart.Magic))
}

// Start returns tables for a rule by name: "engine" for those of the engine, "hand" for
// those that were set by hand, "zero", or a file.
func Start(name string, rule board.Rule) (*eval.Tables, error) {
	switch name {
	case "engine":
		return eval.Default(rule), nil
	case "hand":
		return eval.ByHand(rule), nil
	case "zero":
		t := eval.NewTables(rule)
		t.Origin = "zeros"
		return t, nil
	}
	all, err := evalflags.LoadTables(name)
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if t.Rule == rule {
			return t, nil
		}
	}
	return nil, fmt.Errorf("%s has no tables for rule %d", name, rule)
}

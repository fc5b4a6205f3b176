// Package tables fits the numbers of the evaluation to games that the engine has played
// against itself, and writes a file of tables for brain/eval.
//
// Points of cells and threats are fitted to the search's values and the results by logistic
// loss, scores for the order of moves to the search's best moves by soft-max. Games of
// other programs that have no values, as learn selfplay convert reads them, teach by their
// results and by the moves played. It stops when the loss on games kept for validation
// stops falling. The same program, samples and seed give the same tables on any number of
// processors; the same command continues a run that was killed.
package tables

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/cmd/internal/flags"
)

// Options are the inputs, outputs and parameters of the training.
type Options struct {
	Files   []string
	Out     string // the tables
	Start   string // "default", "hand", "zero" or a file of tables
	Rule    int    // -1 for the only one there is
	Workers int    // processors

	mix         float64 // share of the search's value in the target; the rest is the result
	temperature float64 // of the soft-max; 0 for what fits the start
	split       split
	plan        plan
}

// Default returns the default options.
func Default() Options {
	return Options{
		Start: "default", Rule: -1, Workers: runtime.GOMAXPROCS(0),
		mix: 0.75, split: split{share: 0.05},
		plan: plan{Rate: 0.5, Epochs: 60, Patient: 2, Cuts: 3},
	}
}

// Seed sets the number that decides which games validate and the order of samples.
func (o *Options) Seed(seed uint64) { o.plan.Seed, o.split.seed = seed, seed }

// beside names a file beside the tables: the losses (.svg), or what is needed to resume
// (.checkpoint).
func (o *Options) beside(ending string) string { return strings.TrimSuffix(o.Out, ".tab") + ending }

// Run runs the command line after "learn tables".
func Run(ctx context.Context, args []string, stdout, _ io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	_, err = o.Fit(ctx, stdout)
	return err
}

// parse reads the command line.
func parse(args []string, stdout io.Writer) (*Options, error) {
	o, seed := Default(), uint64(1)
	fs := flags.New("tables")
	fs.StringVar(&o.Out, "o", "", "write the tables to this `FILE`, and the losses beside it as .svg")
	fs.StringVar(&o.Start, "start", o.Start, "numbers to start from and to fall back on where samples are rare: default, hand, zero or a `FILE` of tables")
	flags.Number(fs, &o.Rule, "rule", 0, 9, "learn from games of this `RULE` of the protocol (default: the only one there is)")
	flags.Number(fs, &o.mix, "mix", 0, 1, "`SHARE` of the search's value in the target; the rest is the result of the game")
	flags.Number(fs, &o.split.share, "validate", 1e-9, 0.9, "`SHARE` of the games kept for validation")
	flags.Number(fs, &o.temperature, "temperature", 0, math.MaxFloat64, "`POINTS` of order by which a move is e times likelier; 0 finds it from the start")
	fs.Uint64Var(&seed, "seed", seed, "`NUMBER` that decides which games validate and the order of samples")
	flags.Number(fs, &o.plan.Epochs, "epochs", 0, math.MaxInt32, "`NUMBER` of passes over the samples, at most")
	flags.Number(fs, &o.plan.Batch, "batch", 0, math.MaxInt32, "`NUMBER` of samples a step; 0 for a hundredth of them, 256 to 8192")
	flags.Number(fs, &o.plan.Rate, "rate", 1e-9, math.MaxFloat64, "learning `RATE`: points that a value moves by in a step for each number, at first")
	flags.Concurrency(fs, &o.Workers)
	if err := flags.Parse(fs, args, stdout, "learn tables -o FILE [FLAGS] GAMES...", 1, math.MaxInt, "a file of games"); err != nil {
		return nil, err
	}
	o.Seed(seed)
	o.Files = fs.Args()
	if o.Out == "" {
		return nil, flags.Usage("-o FILE is missing")
	}
	beside := []string{o.beside(".svg"), o.beside(".checkpoint")}
	if err := flags.CheckFiles(o.Files, append(beside, o.Out)); err != nil {
		return nil, err
	}
	return &o, flags.CheckFiles([]string{o.Start}, beside) // new tables may replace the old
}

func load(name string) ([]*eval.Tables, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := eval.Load(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return all, nil
}

// Start returns tables for a rule by name: "default" for those of the engine, "hand" for
// those that were set by hand, "zero", or a file.
func Start(name string, rule board.Rule) (*eval.Tables, error) {
	switch name {
	case "default":
		return eval.Default(rule), nil
	case "hand":
		return eval.ByHand(rule), nil
	case "zero":
		t := eval.NewTables(rule)
		t.Origin = "zeros"
		return t, nil
	}
	all, err := load(name)
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

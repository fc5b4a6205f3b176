// Package tables fits the numbers of the evaluation to games that the engine has played
// against itself, and writes a file of tables for brain/eval:
//
//	learn tables -o renju.tab games.tgs more.tgs    learn from files of learn selfplay
//	learn tables info renju.tab                     what a file of tables was learned from
//
// Points of cells and threats are fitted to the search's values and the results by
// logistic loss, scores for the order of moves to the search's best moves by soft-max.
// Games of other programs that have no values, as learn selfplay convert reads them,
// teach by their results and by the moves played. It stops when the loss on games kept
// for validation stops falling. The same program, samples and seed give the same tables
// on any number of processors; killed and given the same command again it goes on where
// it was.
package tables

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/cmd/internal/flags"
)

// Options say what is learned from what, and how.
type Options struct {
	Files      []string
	Out        string // the tables
	SVG        string // the losses
	Checkpoint string
	Start      string // "default", "hand", "zero" or a file of tables
	Rule       int    // -1 for the only one there is

	mix         float64 // share of the search's value in the target; the rest is the result
	scale       float64 // of the search's values: see setTargets; 0 for what fits the results
	temperature float64 // of the soft-max; 0 for what fits the start
	loose       float64 // factor on the deviations of what numbers have of their own
	filter      filter
	plan        plan
}

// Default returns the options that hold where the command line says nothing.
func Default() Options {
	return Options{
		Start: "default", Rule: -1, mix: 0.75, scale: unit, loose: 1,
		filter: filter{proven: true, validate: 0.05},
		plan:   plan{Rate: 0.5, Epochs: 60, Patient: 2, Cuts: 3, Seed: 1},
	}
}

// Seed sets the number that decides which games validate and the order of samples.
func (o *Options) Seed(seed uint64) { o.plan.Seed, o.filter.seed = seed, seed }

// Run runs the command line behind "learn tables".
func Run(ctx context.Context, args []string, stdout, _ io.Writer) error {
	if len(args) > 0 && args[0] == "info" {
		if len(args) != 2 {
			return flags.Usage("info wants one file of tables")
		}
		return info(args[1], stdout)
	}
	o, threads, err := parse(args, stdout)
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(threads)
	// Samples stay, so memory beside them for as much again would be wasted.
	debug.SetGCPercent(20)
	_, err = o.Fit(ctx, stdout)
	return err
}

// parse reads the command line.
func parse(args []string, stdout io.Writer) (*Options, int, error) {
	o, seed, threads := Default(), uint64(1), runtime.GOMAXPROCS(0)
	fs := flags.New("tables")
	fs.StringVar(&o.Out, "o", "", "write the tables to this `FILE`")
	fs.StringVar(&o.SVG, "svg", "", "draw the losses into this `FILE` (default: the tables' name with .svg)")
	fs.StringVar(&o.Checkpoint, "checkpoint", "", "keep what is needed to continue in this `FILE` (default: the tables' name with .checkpoint)")
	fs.StringVar(&o.Start, "start", o.Start, "numbers to start from and to fall back on where samples are rare: default, hand, zero or a `FILE` of tables")
	fs.Func("rule", "learn from games of this `RULE` of the protocol (default: the only one there is)", func(text string) error {
		for r := range flags.RuleNames {
			if fmt.Sprint(int(r)) == text {
				o.Rule = int(r)
				return nil
			}
		}
		return fmt.Errorf("want 0, 1, 4, 8 or 9")
	})
	flags.Number(fs, &o.temperature, "temperature", 0, math.MaxFloat64, "`POINTS` of order by which a move is e times likelier; 0 finds it from the start")
	flags.Number(fs, &o.loose, "loose", math.SmallestNonzeroFloat64, math.MaxFloat64, "`FACTOR` on how far numbers may go from those of similar cells")
	flags.Number(fs, &o.scale, "scale", 0, math.MaxFloat64, "`POINTS` of a search value that are odds of e to 1; 0 finds it from the results")
	flags.Number(fs, &o.mix, "mix", 0, 1, "`SHARE` of the search's value in the target; the rest is the result of the game")
	fs.BoolVar(&o.filter.proven, "proven", true, "learn from positions whose win or loss the search has proven, too")
	flags.Number(fs, &o.filter.validate, "validate", 1e-9, 0.9, "`SHARE` of the games kept for validation")
	fs.Uint64Var(&seed, "seed", seed, "`NUMBER` that decides which games validate and the order of samples")
	flags.Number(fs, &o.plan.Epochs, "epochs", 0, math.MaxInt32, "`NUMBER` of passes over the samples, at most")
	flags.Number(fs, &o.plan.Batch, "batch", 0, math.MaxInt32, "`NUMBER` of samples a step; 0 for a hundredth of them, 256 to 8192")
	flags.Number(fs, &o.plan.Rate, "rate", 1e-9, math.MaxFloat64, "learning `RATE`: points that a value moves by in a step for each number, at first")
	flags.Concurrency(fs, &threads)
	if err := flags.Parse(fs, args, stdout, "learn tables -o FILE [FLAGS] GAMES...\nlearn tables info FILE", 1, math.MaxInt, "a file of games"); err != nil {
		return nil, 0, err
	}
	o.Seed(seed)
	o.Files = fs.Args()
	if o.Out == "" {
		return nil, 0, flags.Usage("-o FILE is missing")
	}
	o.nameFiles()
	return &o, threads, o.checkNames()
}

// nameFiles names the files beside the tables that have no name.
func (o *Options) nameFiles() {
	base := strings.TrimSuffix(o.Out, ".tab")
	if o.SVG == "" {
		o.SVG = base + ".svg"
	}
	if o.Checkpoint == "" {
		o.Checkpoint = base + ".checkpoint"
	}
}

// checkNames refuses names with which something would be lost.
func (o *Options) checkNames() error {
	outputs := []string{o.Out, o.SVG, o.Checkpoint}
	if err := flags.CheckFiles(o.Files, outputs); err != nil {
		return err
	}
	return flags.CheckFiles([]string{o.Start}, outputs[1:]) // new tables may take the place of the old
}

// info prints what a file of tables says of itself.
func info(name string, out io.Writer) error {
	all, err := load(name)
	if err != nil {
		return err
	}
	for i, t := range all {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "Tables for %v (rule %d)\n%s\n", t.Rule, t.Rule, strings.TrimRight(t.Origin, "\n"))
	}
	return nil
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

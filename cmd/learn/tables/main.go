// Package tables fits the numbers of the evaluation to games that the engine has played
// against itself, and writes a file of tables for brain/eval:
//
//	learn tables -out renju.tab games.tgs more.tgs    learn from sample files of cmd/selfplay
//	learn tables info renju.tab                       what a file of tables was trained on
//
// Points of cells and threats are fitted to the search's values and the results by
// logistic loss, scores for the order of moves to the search's best moves by soft-max.
// Games of others that have no values, as selfplay convert reads them, teach by their
// results and by the moves played.
// It stops when the loss on games kept for validation stops falling. The same program,
// samples and seed give the same tables on any number of processors; killed and given
// the same command again it goes on where it was.
package tables

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/cmd/internal/flags"
)

// Options of a run.
type options struct {
	files  []string
	out    string
	curve  string
	saves  string // checkpoint
	start  string
	rule   int     // -1 for the only one there is
	mix    float64 // share of the search's value in the target; the rest is the result
	scale  float64 // of the search's values: see setTargets; 0 for what fits the results
	heat   float64
	loose  float64
	filter filter
	plan   plan
}

// Run obeys the command line behind "learn tables".
func Run(_ context.Context, args []string, out, _ io.Writer) error {
	if len(args) > 0 && args[0] == "info" {
		if len(args) != 2 {
			return flags.Usage("info wants one file of tables")
		}
		return info(args[1], out)
	}
	o, threads, err := parse(args, out)
	if err != nil || o == nil {
		return err
	}
	runtime.GOMAXPROCS(threads)
	// Samples stay, so room beside them for as much again would be wasted.
	debug.SetGCPercent(20)
	return train(o, out)
}

// parse reads the command line; it returns nil options after a cry for help.
func parse(args []string, out io.Writer) (*options, int, error) {
	o := &options{plan: plan{Patient: 2, Cuts: 3}}
	fs := flag.NewFlagSet("train", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.out, "out", "", "write the tables to this `FILE`")
	fs.StringVar(&o.curve, "curve", "", "draw the losses into this `FILE` (default: the tables' name with .svg)")
	fs.StringVar(&o.saves, "checkpoint", "", "keep what is needed to continue in this `FILE` (default: the tables' name with .part)")
	fs.StringVar(&o.start, "start", "default", "numbers to start from and to fall back on where samples are rare: default, hand, zero or a `FILE` of tables")
	fs.IntVar(&o.rule, "rule", -1, "learn from games of this `RULE` of the protocol (default: the only one there is)")
	fs.Float64Var(&o.heat, "heat", 0, "points of order by which a move is e times likelier; 0 finds it from the start")
	fs.Float64Var(&o.loose, "loose", 1, "times the usual distance that numbers may go from their kin")
	fs.Float64Var(&o.scale, "scale", unit, "points of a search value that are odds of e to 1; 0 finds it from the results")
	fs.Float64Var(&o.mix, "mix", 0.75, "share of the search's value in the target; the rest is the result")
	fs.BoolVar(&o.filter.proven, "proven", true, "learn from positions whose win or loss the search has proven, too")
	fs.Float64Var(&o.filter.validate, "validate", 0.05, "share of the games kept for validation")
	fs.Uint64Var(&o.plan.Seed, "seed", 1, "`NUMBER` that decides which games validate and the order of samples")
	fs.IntVar(&o.plan.Epochs, "epochs", 60, "passes over the samples, at most")
	fs.IntVar(&o.plan.Batch, "batch", 0, "samples a step; 0 for a hundredth of them, 256 to 8192")
	fs.Float64Var(&o.plan.Rate, "rate", 0.5, "points that a value moves by in a step for each number, at first")
	threads := fs.Int("threads", runtime.GOMAXPROCS(0), "processors to use")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(out, "learn tables [options] FILE...\nlearn tables info FILE")
		fs.SetOutput(out)
		fs.PrintDefaults()
		return nil, 0, nil
	case err != nil:
		return nil, 0, flags.Usage("%v", err)
	}
	o.files = fs.Args()
	o.filter.seed = o.plan.Seed
	for _, wrong := range []struct {
		is   bool
		says string
	}{
		{len(o.files) == 0, "no sample files are named"},
		{o.out == "", "-out is missing"},
		{o.rule != -1 && (o.rule < 0 || o.rule > 15 || !board.Rule(o.rule).Valid() || board.Rule(o.rule)&board.Continuous != 0), "-rule is no rule to learn for: want 0, 1, 4, 8 or 9"},
		{!(o.heat >= 0) || math.IsInf(o.heat, 1), "-heat is negative or no number"},
		{!(o.scale >= 0) || math.IsInf(o.scale, 1), "-scale is negative or no number"},
		{!(o.loose > 0) || math.IsInf(o.loose, 1), "-loose is not positive or no number"},
		{!(o.mix >= 0 && o.mix <= 1), "-mix is not between 0 and 1"},
		{!(o.filter.validate > 0 && o.filter.validate < 1), "-validate is not between 0 and 1"},
		{o.plan.Epochs < 0, "-epochs is negative"},
		{o.plan.Batch < 0, "-batch is negative"},
		{!(o.plan.Rate > 0) || math.IsInf(o.plan.Rate, 1), "-rate is not positive or no number"},
		{*threads < 1, "-threads is less than 1"},
	} {
		if wrong.is {
			return nil, 0, flags.Usage("%s", wrong.says)
		}
	}
	base := strings.TrimSuffix(o.out, ".tab")
	if o.curve == "" {
		o.curve = base + ".svg"
	}
	if o.saves == "" {
		o.saves = base + ".part"
	}
	if err := o.checkNames(); err != nil {
		return nil, 0, err
	}
	return o, *threads, nil
}

// checkNames sees to it that nothing that is written takes the place of something else,
// and that there is a place for it: who finds out after an hour has lost the hour.
func (o *options) checkNames() error {
	var infos []os.FileInfo
	for _, name := range o.files {
		info, err := os.Stat(name)
		if err != nil {
			continue // whoever opens it says so
		}
		if slices.ContainsFunc(infos, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
			return flags.Usage("%s is named twice: its games would count twice", name)
		}
		infos = append(infos, info)
	}
	outputs := []string{o.out, o.curve, o.saves}
	for i, name := range outputs {
		if slices.ContainsFunc(outputs[:i], func(other string) bool { return filepath.Clean(other) == filepath.Clean(name) }) {
			return flags.Usage("%s is named twice to be written", name)
		}
		if dir, err := os.Stat(filepath.Dir(name)); err != nil || !dir.IsDir() {
			return flags.Usage("there is no folder %s", filepath.Dir(name))
		}
		to, err := os.Stat(name)
		if err != nil {
			continue
		}
		for _, file := range append(slices.Clone(o.files), o.start) {
			if from, err := os.Stat(file); err == nil && os.SameFile(from, to) && (file != o.start || name != o.out) {
				return flags.Usage("%s would be written over %s, which is read", name, file)
			}
		}
	}
	return nil
}

// info prints what a file of tables says of itself.
func info(name string, out io.Writer) error {
	all, err := loadTables(name)
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

func loadTables(name string) ([]*eval.Tables, error) {
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

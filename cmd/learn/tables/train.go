package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tengen/brain/atomicfile"
	"tengen/brain/eval"
	"tengen/cmd/internal/chart"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/resume"
	"tengen/cmd/learn/dataset"
)

// A checkpoint is the state of a run.
type checkpoint struct {
	Temperature float64
	Values      *state
	Order       *state // nil until the values are done
}

// A Result is the result of a fit. Losses are those of the values on the games kept for
// validation, in nats.
type Result struct {
	Before float64 `json:"before"` // of the tables to start from
	After  float64 `json:"after"`

	Games       int `json:"games"`
	Validation  int `json:"validation"`  // games of these
	Values      int `json:"values"`      // positions for values
	MoveChoices int `json:"movechoices"` // positions for the order of moves
}

// A fit is a run of Fit.
type fit struct {
	*Options
	set           *dataset.Set
	corpus        *corpus
	start         *eval.Tables
	values, order *problem
	checkpoint
}

// Fit trains tables and writes them. Results go to out, a line for every epoch goes to log.
// When ctx ends it stops after the epoch, and the next Fit continues there.
func (o *Options) Fit(ctx context.Context, out, log io.Writer) (*Result, error) {
	began := time.Now()
	f, err := o.read(ctx)
	if err != nil {
		return nil, err
	}
	c := f.corpus
	r := &Result{
		Games: c.games, Validation: c.validGames,
		Values: len(f.values.train) + len(f.values.valid), MoveChoices: len(f.order.train) + len(f.order.valid),
	}
	fmt.Fprintf(out, "%v: %d games (%d for validation, %d without values), %d positions with a value; %d for values, %d for the order of moves; read in %.1f s\n",
		c.rule, r.Games, r.Validation, c.bare, c.positions, r.Values, r.MoveChoices, time.Since(began).Seconds())
	if err := f.solve(ctx, out, log); err != nil {
		return nil, err
	}
	t, loss := f.round(out)
	raw, err := t.Save(nil)
	if err != nil {
		return nil, err
	}
	if err := atomicfile.Write(o.Out, raw); err != nil {
		return nil, err
	}
	if err := resume.RemoveCheckpoint(o.Out + ".checkpoint"); err != nil {
		return nil, err
	}
	r.Before, r.After = f.Values.History[0].Valid, loss
	steps := len(f.Values.History) + len(f.Order.History) - 2
	fmt.Fprintf(out, "%s: %d bytes, checksum %08x; %d epochs, %.0f s\n", o.Out, len(raw), t.Checksum(), steps, time.Since(began).Seconds())
	return r, nil
}

// read reads the games and makes the problems.
func (o *Options) read(ctx context.Context) (*fit, error) {
	set, err := dataset.Read(ctx, o.Files, o.Rule)
	if err != nil {
		return nil, err
	}
	start, err := Start(o.Start, set.Rule)
	if err != nil {
		return nil, flags.Usage("-start: %v", err)
	}
	c, err := readCorpus(ctx, set.Rule, o.split, o.Workers, set.Games)
	if err != nil {
		return nil, err
	}
	if c.games == c.validGames || c.validGames == 0 {
		return nil, fmt.Errorf("%d games of rule %d, %d of them for validation: too few to learn from", c.games, c.rule, c.validGames)
	}
	c.setTargets(o.mix)
	f := &fit{Options: o, set: set, corpus: c, start: start, values: valueProblem(c, start, o.Workers)}
	f.order, f.Temperature = orderProblem(c, start, o.temperature, o.Workers)
	for _, p := range []*problem{f.values, f.order} {
		if len(p.train) == 0 || len(p.valid) == 0 {
			return nil, fmt.Errorf("%d games of rule %d with %d values: no positions for the %s", c.games, c.rule, c.positions, p.name)
		}
	}
	return f, nil
}

// drawEvery is the minimum time between two pictures of the losses.
const drawEvery = time.Second

// solve solves both problems, from the checkpoint if there is one.
func (f *fit) solve(ctx context.Context, out, log io.Writer) error {
	run := fmt.Sprintf("%v, %s, start %s %08x, %+v, %+v, mix %g, temperature %g, program=%s", f.corpus.rule, strings.Join(f.set.Sums, ", "),
		filepath.Base(f.Start), f.start.Checksum(), f.split, f.plan, f.mix, f.Temperature, resume.Build())
	saved := f.Out + ".checkpoint"
	if found, err := resume.LoadCheckpoint(saved, run, &f.checkpoint); err != nil {
		return flags.Usage("%v", err)
	} else if found {
		fmt.Fprintf(out, "continuing from %s\n", saved)
	}
	var drawn time.Time
	keep := func(done bool) error {
		if err := errors.Join(resume.SaveCheckpoint(saved, run, &f.checkpoint), ctx.Err()); err != nil || !done && time.Since(drawn) < drawEvery {
			return err
		}
		drawn = time.Now()
		panels := []chart.Panel{f.Values.panel("values")}
		if f.Order != nil {
			panels = append(panels, f.Order.panel("order of moves"))
		}
		return atomicfile.Write(f.Out+".svg", chart.Draw(fmt.Sprintf("%s, %v, seed %d", filepath.Base(f.Out), f.corpus.rule, f.plan.Seed), panels...))
	}
	if err := f.values.solve(&f.Values, f.plan, out, log, keep); err != nil {
		return err
	}
	fmt.Fprintf(out, "order: %g more points make a move e times likelier\n", f.Temperature)
	return f.order.solve(&f.Order, f.plan, out, log, keep)
}

// round returns the tables in integers and their loss for values in validation.
func (f *fit) round(out io.Writer) (*eval.Tables, float64) {
	t := eval.NewTables(f.corpus.rule)
	takeValues(t, f.values.layout.at(f.Values.Best))
	takeOrder(t, f.order.layout.at(f.Order.Best))
	values, valueHits := f.values.mean(f.values.valid, valueLayout(t).zero())
	order, orderHits := f.order.mean(f.order.valid, orderLayout(t).zero())
	fmt.Fprintf(out, "rounded: values %.5f (%.1f%% right), order %.5f (%.1f%% right)\n", values, 100*valueHits, order, 100*orderHits)
	t.Origin = f.origin(values, order)
	return t, values
}

// solve passes over the samples until it is done. After every epoch it writes a line to log and
// calls keep, which it calls once more when it is done.
func (p *problem) solve(at **state, pl plan, out, log io.Writer, keep func(done bool) error) error {
	line := func(s *state, took time.Duration) {
		n := len(s.History) - 1
		e := s.History[n]
		mark := ""
		if s.BestEpoch == n {
			mark = " *"
		}
		speed := ""
		if took > 0 {
			speed = fmt.Sprintf("  %.0f samples/s", float64(len(p.train))/took.Seconds())
		}
		fmt.Fprintf(log, "%-6s epoch %3d  training %.5f  validation %.5f  right %.1f%%  rate %.3f%s%s\n",
			p.name, n, e.Train, e.Valid, 100*e.Hits, e.Rate, speed, mark)
	}
	if *at == nil {
		*at = p.begin(pl)
		line(*at, 0)
	}
	s := *at
	if s.Done == "" && pl.Epochs == 0 {
		s.Done = "-epochs is 0"
	}
	for s.Done == "" {
		began := time.Now()
		s.judge(p.epoch(s, pl), pl)
		line(s, time.Since(began))
		if err := keep(false); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%s: %s; epoch %d is used\n", p.name, s.Done, s.BestEpoch)
	return keep(true)
}

// origin returns the text in the file of tables: the training data, the plan and the losses. It
// is the same for every run of the same command.
func (f *fit) origin(values, order float64) string {
	var s strings.Builder
	c, k := f.corpus, &f.checkpoint
	line := func(key, format string, args ...any) { fmt.Fprintf(&s, key+": "+format+"\n", args...) }
	line("games", "%d, of which %d for validation", c.games, c.validGames)
	line("positions", "%d with a value; %d samples", c.positions, len(c.train)+len(c.valid))
	sums := f.set.Sums[:min(len(f.set.Sums), 100)] // the origin of tables has room for so many names
	if more := len(f.set.Sums) - len(sums); more > 0 {
		sums = append(slices.Clip(sums), fmt.Sprintf("and %d more files", more))
	}
	line("data", "%s", strings.Join(sums, ", "))
	for _, text := range dataset.About(f.set.Origins) {
		line("data from", "%s", strings.Join(strings.Fields(text), " "))
	}
	line("start", "%s, checksum %08x", filepath.Base(f.Start), f.start.Checksum())
	line("seed", "%d", f.plan.Seed)
	line("plan", "rate %g, batch %d", f.plan.Rate, f.plan.Batch)
	line("target", "%g search value, %g result", f.mix, 1-f.mix)
	line("values", "epoch %d of %d, validation loss %.5f from %.5f, rounded %.5f",
		k.Values.BestEpoch, len(k.Values.History)-1, k.Values.History[k.Values.BestEpoch].Valid, k.Values.History[0].Valid, values)
	line("order", "epoch %d of %d, validation loss %.5f from %.5f, rounded %.5f; temperature %g",
		k.Order.BestEpoch, len(k.Order.History)-1, k.Order.History[k.Order.BestEpoch].Valid, k.Order.History[0].Valid, order, k.Temperature)
	line("commit", "%s", resume.Build())
	return strings.ToValidUTF8(s.String(), "?")
}

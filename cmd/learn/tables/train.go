package tables

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/record"
	"tengen/brain/record/atomicfile"
	"tengen/cmd/internal/chart"
	"tengen/cmd/internal/resume"
	"tengen/cmd/learn/samples"
)

// A checkpoint is all that is needed to go on with a run as if it had never stopped.
type checkpoint struct {
	Temperature float64
	Values      *state
	Order       *state // nil until the values are done
}

// A Result is the result of a fit. Losses are those of the values on the games kept for
// validation, in nats.
type Result struct {
	Before float64 `json:"before"` // of the tables that the fit began with
	After  float64 `json:"after"`

	Games       int `json:"games"`
	Validation  int `json:"validation"`  // games of these
	Values      int `json:"values"`      // positions that teach values
	MoveChoices int `json:"movechoices"` // positions that teach the order of moves
}

// read reads the games and makes samples of them.
func (o *Options) read(ctx context.Context, files *samples.Files, named bool) (*corpus, error) {
	var games []*record.SampleGame
	for g, err := range files.Games() {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	c, err := readCorpus(ctx, board.Rule(files.Rule), o.split, o.Workers, games)
	switch {
	case err != nil:
		return nil, err
	case !named && files.Others > 0:
		return nil, fmt.Errorf("the files hold %d games of other rules than %d: name one with -rule", files.Others, files.Rule)
	case c.games == c.validGames || c.validGames == 0:
		return nil, fmt.Errorf("%d games of rule %d, %d of them for validation: too few to learn from", c.games, files.Rule, c.validGames)
	}
	return c, nil
}

// drawEvery is the least time between two pictures of the losses.
const drawEvery = time.Second

// Fit learns tables and writes them, and its progress to out. When ctx ends it stops after
// the epoch, and the next Fit goes on there.
func (o *Options) Fit(ctx context.Context, out io.Writer) (*Result, error) {
	began := time.Now()
	files := &samples.Files{Names: o.Files, Rule: o.Rule}
	for _, err := range files.Games() { // the first game tells the rule
		if err != nil {
			return nil, err
		}
		break
	}
	if files.Rule < 0 {
		return nil, errors.New("the files hold no games")
	}
	rule := board.Rule(files.Rule)
	start, err := Start(o.Start, rule)
	if err != nil {
		return nil, err
	}
	c, err := o.read(ctx, files, o.Rule >= 0)
	if err != nil {
		return nil, err
	}
	c.setTargets(o.mix)
	values := valueProblem(c, start, o.Workers)
	order, temperature := orderProblem(c, start, o.temperature, o.Workers)
	for _, p := range []*problem{values, order} {
		if len(p.train) == 0 || len(p.valid) == 0 {
			return nil, fmt.Errorf("%d games of rule %d with %d values: no position teaches the %s", c.games, rule, c.positions, p.name)
		}
	}
	r := &Result{Games: c.games, Validation: c.validGames, Values: len(values.train) + len(values.valid), MoveChoices: len(order.train) + len(order.valid)}
	fmt.Fprintf(out, "%v: %d games (%d for validation, %d without values), %d positions with a value; %d teach values, %d the order of moves; read in %.1f s\n",
		rule, r.Games, r.Validation, c.bare, c.positions, r.Values, r.MoveChoices, time.Since(began).Seconds())

	run := fmt.Sprintf("%v, %s, start %s %08x, %+v, %+v, mix %g, temperature %g, program %s",
		rule, strings.Join(files.Sums, ", "), filepath.Base(o.Start), start.Checksum(), o.split, o.plan, o.mix, temperature, resume.Build())
	saved := o.beside(".checkpoint")
	k := &checkpoint{Temperature: temperature}
	if found, err := resume.LoadCheckpoint(saved, run, k); err != nil {
		return nil, err
	} else if found {
		fmt.Fprintf(out, "going on from %s\n", saved)
	}
	var drawn time.Time
	keep := func(done bool) error {
		if err := errors.Join(resume.SaveCheckpoint(saved, run, k), ctx.Err()); err != nil || !done && time.Since(drawn) < drawEvery {
			return err
		}
		drawn = time.Now()
		panels := []chart.Panel{k.Values.panel("values")}
		if k.Order != nil {
			panels = append(panels, k.Order.panel("order of moves"))
		}
		return atomicfile.Write(o.beside(".svg"), chart.Draw(fmt.Sprintf("%s, %v, seed %d", filepath.Base(o.Out), rule, o.plan.Seed), panels...))
	}
	if err := values.solve(&k.Values, o.plan, out, keep); err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "order: a move is e times likelier for %g points more\n", temperature)
	if err := order.solve(&k.Order, o.plan, out, keep); err != nil {
		return nil, err
	}

	t := eval.NewTables(rule)
	points := values.numbers(k.Values.Best)
	roundCells(values.train, points, c.colors)
	takeValues(t, points)
	takeOrder(t, order.numbers(k.Order.Best))
	// What rounding costs.
	valueLoss, valueHits := values.mean(values.valid, valueLayout(t).zero())
	orderLoss, orderHits := order.mean(order.valid, orderLayout(t).zero())
	fmt.Fprintf(out, "rounded: values %.5f (%.1f%% right), order %.5f (%.1f%% right)\n", valueLoss, 100*valueHits, orderLoss, 100*orderHits)
	r.Before, r.After = k.Values.History[0].Valid, valueLoss
	t.Origin = origin(o, c, files, start, k, valueLoss, orderLoss)
	raw, err := t.Save(nil)
	if err != nil {
		return nil, err
	}
	if err := atomicfile.Write(o.Out, raw); err != nil {
		return nil, err
	}
	if err := os.Remove(saved); err != nil {
		return nil, err
	}
	steps := len(k.Values.History) + len(k.Order.History) - 2
	fmt.Fprintf(out, "%s: %d bytes, checksum %08x; %d epochs, %.0f s in all\n", o.Out, len(raw), t.Checksum(), steps, time.Since(began).Seconds())
	return r, nil
}

// solve passes over the samples until it is done, prints a line for every epoch and
// calls keep after it, and once more when it is done.
func (p *problem) solve(at **state, pl plan, out io.Writer, keep func(done bool) error) error {
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
		fmt.Fprintf(out, "%-6s epoch %3d  training %.5f  validation %.5f  right %.1f%%  rate %.3f%s%s\n",
			p.name, n, e.Train, e.Valid, 100*e.Hits, e.Rate, speed, mark)
	}
	if *at == nil {
		*at = p.begin(pl)
		line(*at, 0)
	}
	s := *at
	if s.Done == "" && pl.Epochs == 0 {
		s.Done = "no epochs are wanted"
	}
	for s.Done == "" {
		began := time.Now()
		s.judge(p.epoch(s, pl), pl)
		line(s, time.Since(began))
		if err := keep(false); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%s: %s; epoch %d is kept\n", p.name, s.Done, s.BestEpoch)
	return keep(true)
}

// origin returns the text in the file of tables: what they were trained on, and the losses.
// It holds nothing that differs between two runs of the same command.
func origin(o *Options, c *corpus, files *samples.Files, start *eval.Tables, k *checkpoint, values, order float64) string {
	var s strings.Builder
	line := func(key, format string, args ...any) { fmt.Fprintf(&s, key+": "+format+"\n", args...) }
	line("games", "%d, of which %d for validation", c.games, c.validGames)
	line("positions", "%d with a value; %d samples", c.positions, len(c.train)+len(c.valid))
	line("data", "%s", strings.Join(files.Sums, ", "))
	for _, text := range files.Origins[:min(len(files.Origins), 20)] {
		line("data from", "%s", strings.Join(strings.Fields(text[:min(len(text), 500)]), " "))
	}
	line("start", "%s, checksum %08x", filepath.Base(o.Start), start.Checksum())
	line("seed", "%d", o.plan.Seed)
	line("plan", "rate %g, batch %d", o.plan.Rate, o.plan.Batch)
	line("target", "%g search value, %g result", o.mix, 1-o.mix)
	line("values", "epoch %d of %d, validation loss %.5f from %.5f, rounded %.5f",
		k.Values.BestEpoch, len(k.Values.History)-1, k.Values.History[k.Values.BestEpoch].Valid, k.Values.History[0].Valid, values)
	line("order", "epoch %d of %d, validation loss %.5f from %.5f, rounded %.5f; temperature %g",
		k.Order.BestEpoch, len(k.Order.History)-1, k.Order.History[k.Order.BestEpoch].Valid, k.Order.History[0].Valid, order, k.Temperature)
	line("commit", "%s", resume.Build())
	return strings.ToValidUTF8(s.String(), "?")
}

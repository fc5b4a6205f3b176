package tune

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"tengen/brain/search"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/progress"
)

// tuning are the flags of a run of SPSA.
type tuning struct {
	common
	names string
	goal  int // iterations
	pairs int
	gain  float64 // 0 if not given
	state string
	svg   string
}

func (o *tuning) add(fs *flag.FlagSet) {
	o.common.add(fs)
	fs.StringVar(&o.names, "params", "", "`NAME,NAME` of the numbers to tune; all if not given")
	fs.IntVar(&o.goal, "iterations", 1000, "`NUMBER` of iterations; a state may go on beyond what it was begun for")
	fs.IntVar(&o.pairs, "pairs", 8, "`NUMBER` of pairs of games in an iteration, best a multiple of -concurrency")
	fs.Float64Var(&o.gain, "gain", 0, "`STEPS` by which a game more won moves a value at the end (default 0.5/sqrt(all pairs))")
	fs.StringVar(&o.state, "state", "", "`FILE` that keeps every iteration; the same command goes on")
	fs.StringVar(&o.svg, "svg", "", "plot the values over the iterations into this `FILE`")
}

// settings checks the flags and returns what they decide, with the openings.
func (o *tuning) settings() (*settings, *openings, error) {
	switch {
	case o.goal < 1 || o.goal > 10_000_000:
		return nil, nil, flags.Usage("-iterations %d is not between 1 and 10000000", o.goal)
	case o.pairs < 1 || o.pairs > 100_000:
		return nil, nil, flags.Usage("-pairs %d is not between 1 and 100000", o.pairs)
	case !(o.gain >= 0) || o.gain > 100:
		return nil, nil, flags.Usage("-gain %v is not between 0 and 100", o.gain)
	}
	deck, digest, err := o.check()
	if err != nil {
		return nil, nil, err
	}
	base := search.DefaultParams()
	params, err := choose(&base, o.names)
	if err != nil {
		return nil, nil, flags.Usage("-params: %v", err)
	}
	s := &settings{
		Params: params, Base: base, Horizon: o.goal, Gain: o.gain, Pairs: o.pairs, Seed: o.seed,
		Openings: digest, Engine: o.conditions.engine(), conditions: o.conditions,
	}
	if s.Gain == 0 {
		s.Gain = defaultGain(o.goal, o.pairs)
	}
	return s, deck, nil
}

// open makes the run of the settings, or takes up the one that the state holds. The
// state is nil if none is kept.
func (o *tuning) open(want *settings) (*run, *state, error) {
	if o.state == "" {
		return &run{settings: *want}, nil, nil
	}
	s, r, err := openState(o.state)
	switch {
	case err != nil:
		return nil, nil, flags.Usage("-state: %v", err)
	case r == nil:
		r = &run{settings: *want}
		err = s.add(want)
	default:
		want.Horizon = r.Horizon // laid out when it was begun
		if o.gain == 0 {
			want.Gain = r.Gain
		}
		if what := want.differs(&r.settings); what != "" {
			err = flags.Usage("-state: %s was begun with other settings (%s); the command and the engine's numbers must be the same", o.state, what)
		}
	}
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return r, s, nil
}

// plotEvery is the least time between two plots of a run.
const plotEvery = 20 * time.Second

// runTune tunes. What came out is also written when a signal ends it.
func runTune(ctx context.Context, args []string, stdout io.Writer, stderr io.Writer) error {
	fs := newFlags("tune")
	var o tuning
	o.add(fs)
	if err := parse(fs, args, stdout); err != nil {
		return err
	}
	if err := noArguments(fs); err != nil {
		return err
	}
	want, deck, err := o.settings()
	if err != nil {
		return err
	}
	r, s, err := o.open(want)
	if err != nil {
		return err
	}
	if s != nil {
		defer s.Close()
	}
	if err := o.plot(r); err != nil {
		return flags.Usage("-svg: %v", err)
	}
	c, err := newContest(o.conditions, o.workers)
	if err != nil {
		return err
	}
	var p *progress.Line
	if !o.quiet {
		p = progress.New(stderr, 30*time.Second)
	}

	done, all := 0, 0 // pairs of the running iteration, and of this process
	t := &tuner{run: r, goal: o.goal}
	t.measure = played(c, r, deck, func(score) {
		done++
		all++
		k := len(r.iterations) + 1
		if p.Due(k == o.goal && done == o.pairs) {
			words := []string{fmt.Sprintf("iteration %d/%d, pair %d/%d", k, o.goal, done, o.pairs), fmt.Sprintf("%.0f pairs/h", p.PerHour(all))}
			words = append(words, "to go "+progress.Span(p.ToGo(all, float64((o.goal-k+1)*o.pairs-done))))
			p.Show(append(words, r.present()...)...)
		}
	})
	plotted := time.Now()
	t.keep = func(it *iteration) error {
		done = 0
		if s != nil {
			if err := s.add(it); err != nil {
				return err
			}
		}
		if time.Since(plotted) > plotEvery {
			plotted = time.Now()
			_ = o.plot(r) // no reason to end a run of hours: a viewer may hold the file, and the last plot tells
		}
		return nil
	}
	err = t.loop(ctx)
	p.End()
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return errors.Join(err, o.plot(r), r.report(stdout))
}

func (o *tuning) plot(r *run) error {
	if o.svg == "" {
		return nil
	}
	return r.savePlot(o.svg)
}

// present lists the values as they are now.
func (r *run) present() []string {
	var words []string
	for i, n := range whole(r.theta()) {
		words = append(words, fmt.Sprintf("%s %d", r.Params[i].Name, n))
	}
	return words
}

// runShow prints what a state holds.
func runShow(args []string, stdout io.Writer) error {
	fs := newFlags("tune show")
	svg := fs.String("svg", "", "plot the values over the iterations into this `FILE`")
	if err := parse(fs, args, stdout); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return flags.Usage("show wants flags and then one state file")
	}
	r, err := loadRun(fs.Arg(0))
	if err != nil {
		return flags.Usage("%v", err)
	}
	if *svg != "" {
		if err := r.savePlot(*svg); err != nil {
			return err
		}
	}
	return r.report(stdout)
}

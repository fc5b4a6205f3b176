// Package tune tunes the parameters of the search, search.Params.Tunables, by SPSA. Both sets
// of values of an iteration play each other inside this process.
//
// The same command continues an interrupted journal to the same values as an uninterrupted
// run. "show" shows a journal, also while it is being written, and "match" plays the tuned
// values against those of the engine; it should use other openings.
package tune

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strings"

	"tengen/brain/search"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/openings"
	"tengen/cmd/internal/progress"
	"tengen/cmd/internal/resume"
	"tengen/cmd/learn/match"
)

const defaultNodes = 4000

// Run runs the command line after "learn tune".
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	switch {
	case len(args) > 0 && args[0] == "match":
		return runMatch(ctx, args[1:], stdout, stderr)
	case len(args) > 0 && args[0] == "show":
		return runShow(args[1:], stdout)
	case len(args) > 0 && !strings.HasPrefix(args[0], "-"):
		return flags.UnknownCommand("learn tune", args[0], "match", "show")
	}
	return runTune(ctx, args, stdout, stderr)
}

// games are the flags of all games.
type games struct {
	match.Conditions
	openings string // file
	journal  string // file
	seed     uint64
	workers  int
	quiet    bool
}

func (g *games) add(fs *flag.FlagSet) {
	g.seed, g.workers = 1, runtime.GOMAXPROCS(0)
	g.Conditions.Add(fs, defaultNodes)
	fs.StringVar(&g.openings, "openings", "", "`FILE` of openings: one a line in pos or offset notation, or games as SGF, .psq, RenLib or text; - for standard input")
	fs.StringVar(&g.journal, "journal", "", "record every result in `FILE`; the same command resumes from it (default none)")
	flags.Seed(fs, &g.seed, "`SEED` of the random numbers")
	flags.Concurrency(fs, &g.workers, "games")
	flags.Quiet(fs, &g.quiet)
}

// sequence reads the openings.
func (g *games) sequence() (*openings.Sequence, error) {
	if g.openings == "" {
		return nil, flags.Usage("-openings FILE is missing")
	}
	all, err := openings.Read(g.openings, g.Rule, g.Width, g.Height, g.DrawAfter)
	if err != nil {
		return nil, flags.Usage("-openings: %v", err)
	}
	return &openings.Sequence{Openings: all, Width: g.Width, Height: g.Height, Seed: g.seed}, nil
}

// tuning are the flags of a run.
type tuning struct {
	games
	names string
	goal  int     // iterations
	pairs int     // of an iteration
	gain  float64 // 0 if not given
}

func (o *tuning) add(fs *flag.FlagSet) {
	o.games.add(fs)
	o.goal, o.pairs = 1000, 8
	fs.StringVar(&o.names, "params", "", "parameters to tune, `NAME,NAME,...` (default all)")
	flags.Number(fs, &o.goal, "iterations", 1, 10_000_000, "total `NUMBER` of iterations; a higher number extends a finished run")
	flags.Number(fs, &o.pairs, "pairs", 1, 100_000, "`NUMBER` of pairs of games in an iteration; a multiple of -concurrency is fastest")
	flags.Number(fs, &o.gain, "gain", 0, 100, "`STEPS` by which one more won game moves a value in the last iteration (default 0.5/sqrt(iterations*pairs))")
}

// settings returns the settings of the run by the flags.
func (o *tuning) settings(sequence *openings.Sequence) (*settings, error) {
	base := search.DefaultParams()
	params, err := choose(&base, o.names)
	if err != nil {
		return nil, flags.Usage("-params: %v", err)
	}
	engine := match.Default()
	s := &settings{
		Params: params, Base: base, Horizon: o.goal, Gain: o.gain, Pairs: o.pairs, Seed: o.seed,
		Openings: openings.Digest(sequence.Openings), Engine: engine.Signature(o.New()), Conditions: o.Conditions,
	}
	if s.Gain == 0 {
		s.Gain = defaultGain(o.goal, o.pairs)
	}
	return s, nil
}

// open begins the run, or continues the one in the journal.
func (o *tuning) open(want *settings) (*run, *resume.Journal, error) {
	r := &run{}
	j, err := resume.OpenJournal(o.journal, journalStart, r.read)
	if err != nil {
		return nil, nil, flags.Usage("-journal: %v", err)
	}
	if r.Params == nil {
		r.settings = *want
		err = j.Add(want)
	} else {
		want.Horizon = r.Horizon // of the first start
		if o.gain == 0 {
			want.Gain = r.Gain
		}
		if what := resume.Differences(&r.settings, want); what != "" {
			err = flags.Usage("-journal: %s belongs to a run with other settings: %s", o.journal, what)
		}
	}
	if err != nil {
		j.Close()
		return nil, nil, err
	}
	return r, j, nil
}

const tuneSynopsis = `usage: learn tune -openings FILE [flags]
       learn tune show JOURNAL                          shows the state of a run
       learn tune match -openings FILE [flags] JOURNAL  plays its values against the engine's

Tunes parameters of the search by SPSA. Each command has its own -help.`

// runTune tunes. It prints the values also after a signal.
func runTune(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	fs := flags.New("tune")
	var o tuning
	o.add(fs)
	if err := flags.Parse(fs, args, stdout, tuneSynopsis, flags.Operands{}); err != nil {
		return err
	}
	sequence, err := o.sequence()
	if err != nil {
		return err
	}
	want, err := o.settings(sequence)
	if err != nil {
		return err
	}
	r, j, err := o.open(want)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, j.Close()) }()

	line := progress.New(stderr, o.quiet)
	here := 0 // pairs of this process
	begun := len(r.iterations) * o.pairs
	show := func(iteration int) {
		words := append([]string{fmt.Sprintf("iteration %d/%d", iteration, o.goal)}, r.present()...)
		line.Step("pairs", begun+here, o.goal*o.pairs, here, words...)
	}
	t := &tuner{run: r, goal: o.goal}
	t.measure = played(r, sequence, o.workers, func(match.Pair, elo.Score) error {
		if here++; begun+here < o.goal*o.pairs { // the last pair is shown with the values after it
			show(len(r.iterations) + 1)
		}
		return nil
	})
	t.keep = func(it *iteration) error {
		if it.K == o.goal {
			show(it.K)
		}
		return j.Add(it)
	}
	err = t.loop(ctx)
	line.End()
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return errors.Join(err, r.report(stdout))
}

// present lists the present values.
func (r *run) present() []string {
	var words []string
	for i, n := range whole(r.theta()) {
		words = append(words, fmt.Sprintf("%s %d", r.Params[i].Name, n))
	}
	return words
}

// runShow prints the state of a run.
func runShow(args []string, stdout io.Writer) error {
	fs := flags.New("show")
	if err := flags.Parse(fs, args, stdout, "usage: learn tune show JOURNAL\n\nShows the state of a run.", flags.One("JOURNAL")); err != nil {
		return err
	}
	r, err := loadRun(fs.Arg(0))
	if err != nil {
		return flags.Usage("%v", err)
	}
	return r.report(stdout)
}

// runMatch plays tuned values against those of the engine. It prints the score also after a signal.
func runMatch(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flags.New("match")
	var g games
	g.add(fs)
	count := 1000
	flags.Number(fs, &count, "games", 2, 20_000_000, "even `NUMBER` of games, each opening from both sides, but no game twice: 16 for each opening at most, 8 on a rectangle")
	if err := flags.Parse(fs, args, stdout, "usage: learn tune match -openings FILE [flags] JOURNAL\n\nPlays the values of the run in JOURNAL against those of the engine.", flags.One("JOURNAL")); err != nil {
		return err
	}
	if count%2 != 0 {
		return flags.Usage("-games %d: want an even number", count)
	}
	sequence, err := g.sequence()
	if err != nil {
		return err
	}
	r, err := loadRun(fs.Arg(0))
	if err != nil {
		return flags.Usage("%v", err)
	}
	base := search.DefaultParams()
	for _, p := range r.Params {
		if _, err := choose(&base, p.Name); err != nil {
			return flags.Usage("%s: the engine has no %s to play", fs.Arg(0), p.Name)
		}
	}
	engine, tuned := match.Default(), match.Default()
	tuned.Params = apply(tuned.Params, r.Params, whole(r.theta()))
	m := &match.Match{Conditions: g.Conditions, Players: [2]match.Player{tuned, engine}, Openings: sequence.Distinct(count / 2), Workers: g.workers}
	sum, err := m.Resume(ctx, g.journal, progress.New(stderr, g.quiet))
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	_, e := fmt.Fprintf(stdout, "tuned: %s\n%v, pairs %s\n", strings.Join(r.present(), ", "), sum, sum.PairsString())
	return errors.Join(err, e)
}

// Package tune finds better numbers for the search: SPSA over search.Params.Tunables.
// Both sets of numbers of an iteration play each other inside this process.
//
// The same command continues a journal that was cut short, to the same values as an
// uninterrupted run. "show" shows a journal, also while it is written, and "match" plays the
// tuned numbers against those of the engine; its openings should be others.
package tune

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"tengen/brain/search"
	"tengen/cmd/internal/decks"
	"tengen/cmd/internal/flags"
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
	}
	return runTune(ctx, args, stdout, stderr)
}

// games are the flags of all games.
type games struct {
	match.Conditions
	openings string // file
	journal  string // file
	seed     uint64
	pairs    int
	workers  int
	quiet    bool
}

func (g *games) add(fs *flag.FlagSet) {
	g.seed, g.workers = 1, 1
	g.Conditions.Add(fs, defaultNodes)
	fs.StringVar(&g.openings, "openings", "", "`FILE` of openings in pos or offset notation, one a line")
	fs.StringVar(&g.journal, "journal", "", "`FILE` that keeps what is done; the same command goes on with it")
	fs.Uint64Var(&g.seed, "seed", g.seed, "`NUMBER` that decides everything random")
	flags.Concurrency(fs, &g.workers)
	flags.Quiet(fs, &g.quiet)
}

// deck reads the openings.
func (g *games) deck() (*decks.Deck, error) {
	if g.openings == "" {
		return nil, flags.Usage("-openings is missing: a file of openings")
	}
	all, err := decks.Read(g.openings, g.Rule, g.Width, g.Height)
	if err != nil {
		return nil, flags.Usage("-openings: %v", err)
	}
	return &decks.Deck{Openings: all, Width: g.Width, Height: g.Height, Seed: g.seed}, nil
}

// tuning are the flags of a run of SPSA.
type tuning struct {
	games
	names string
	goal  int     // iterations
	gain  float64 // 0 if not given
}

func (o *tuning) add(fs *flag.FlagSet) {
	o.games.add(fs)
	o.goal, o.pairs = 1000, 8
	fs.StringVar(&o.names, "params", "", "`NAME,NAME` of the numbers to tune; all if not given")
	flags.Number(fs, &o.goal, "iterations", 1, 10_000_000, "`NUMBER` of iterations; a journal may go on beyond what it was begun for")
	flags.Number(fs, &o.pairs, "pairs", 1, 100_000, "`NUMBER` of pairs of games in an iteration, best a multiple of -concurrency")
	flags.Number(fs, &o.gain, "gain", 0, 100, "`STEPS` by which a game more won moves a value at the end (default 0.5/sqrt(all pairs))")
}

// settings returns what the flags decide.
func (o *tuning) settings(deck *decks.Deck) (*settings, error) {
	base := search.DefaultParams()
	params, err := choose(&base, o.names)
	if err != nil {
		return nil, flags.Usage("-params: %v", err)
	}
	engine := match.Default()
	s := &settings{
		Params: params, Base: base, Horizon: o.goal, Gain: o.gain, Pairs: o.pairs, Seed: o.seed,
		Openings: decks.Digest(deck.Openings), Engine: engine.Signature(o.New()), Conditions: o.Conditions,
	}
	if s.Gain == 0 {
		s.Gain = defaultGain(o.goal, o.pairs)
	}
	return s, nil
}

// open makes the run of the settings, or takes up the one that the journal holds.
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
		want.Horizon = r.Horizon // laid out when it was begun
		if o.gain == 0 {
			want.Gain = r.Gain
		}
		if what := resume.Differences(&r.settings, want); what != "" {
			err = flags.Usage("-journal: %s was begun with other settings (%s); the command and the engine's numbers must be the same", o.journal, what)
		}
	}
	if err != nil {
		j.Close()
		return nil, nil, err
	}
	return r, j, nil
}

// runTune tunes. What came out is also written when a signal ends it.
func runTune(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	fs := flags.New("tune")
	var o tuning
	o.add(fs)
	if err := flags.Parse(fs, args, stdout, "learn tune -openings FILE [FLAGS]     tune numbers of the search\n"+
		"learn tune show JOURNAL               show how far a run is\n"+
		"learn tune match [FLAGS] JOURNAL      play tuned numbers against those of the engine", 0, 0, ""); err != nil {
		return err
	}
	deck, err := o.deck()
	if err != nil {
		return err
	}
	want, err := o.settings(deck)
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
	t := &tuner{run: r, goal: o.goal}
	t.measure = played(r, deck, o.workers, func(match.Pair) error {
		here++
		words := append([]string{fmt.Sprintf("iteration %d/%d", len(r.iterations)+1, o.goal)}, r.present()...)
		line.Step("pairs", begun+here, o.goal*o.pairs, here, words...)
		return nil
	})
	t.keep = func(it *iteration) error { return j.Add(it) }
	err = t.loop(ctx)
	line.End()
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return errors.Join(err, r.report(stdout))
}

// present lists the values as they are now.
func (r *run) present() []string {
	var words []string
	for i, n := range whole(r.theta()) {
		words = append(words, fmt.Sprintf("%s %d", r.Params[i].Name, n))
	}
	return words
}

// runShow prints what a journal holds.
func runShow(args []string, stdout io.Writer) error {
	fs := flags.New("show")
	if err := flags.Parse(fs, args, stdout, "learn tune show JOURNAL", 1, 1, "the journal of a run"); err != nil {
		return err
	}
	r, err := loadRun(fs.Arg(0))
	if err != nil {
		return flags.Usage("%v", err)
	}
	return r.report(stdout)
}

// runMatch plays tuned numbers against those of the engine.
func runMatch(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flags.New("match")
	var g games
	g.add(fs)
	g.pairs = 500
	flags.Number(fs, &g.pairs, "pairs", 1, 10_000_000, "`NUMBER` of pairs of games, one opening from both sides")
	if err := flags.Parse(fs, args, stdout, "learn tune match -openings FILE [FLAGS] JOURNAL: the values that the run of the journal has reached", 1, 1, "the journal of a run"); err != nil {
		return err
	}
	deck, err := g.deck()
	if err != nil {
		return err
	}
	r, err := loadRun(fs.Arg(0))
	if err != nil {
		return flags.Usage("%v", err)
	}
	engine, tuned := match.Default(), match.Default()
	tuned.Params = apply(tuned.Params, r.Params, whole(r.theta()))
	m := &match.Match{Conditions: g.Conditions, Players: [2]match.Player{tuned, engine}, Openings: deck.Hand(0, g.pairs), Workers: g.workers}
	sum, err := m.Resume(ctx, g.journal, progress.New(stderr, g.quiet))
	fmt.Fprintln(stdout, "tuned:", strings.Join(r.present(), ", "))
	fmt.Fprintf(stdout, "%v, pairs %s\n", sum, sum.PairsString())
	return err
}

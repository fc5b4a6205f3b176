// Arena plays tournaments between brains of the Gomocup protocol and judges them.
//
//	arena -engine name=a,cmd=./a -engine name=b,cmd=./b -each tc=0/0.5 -games 40 -journal ab.jsonl
//	arena report ab.jsonl > ab.html
//	arena merge -o all.jsonl shard1.jsonl shard2.jsonl
//	arena export -sgf games.sgf -psq folder ab.jsonl
//	arena suite -engine name=a,cmd=./a -each tc=0/1 testdata/tactics/*.txt
//
// Results go to standard output, chatter to standard error. The exit status is 0 when the
// schedule is played or the test has decided, 1 when results could not be recorded, 2 for
// a bad command line, 130 when a signal ended it early.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/cmd/internal/longrun"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout io.Writer, stderr *os.File) int {
	status, err := 0, error(nil)
	command := ""
	if len(args) > 0 {
		command = args[0]
	}
	switch command {
	case "report":
		err = runReport(args[1:], stdout)
	case "merge":
		err = runMerge(args[1:], stdout)
	case "export":
		err = runExport(args[1:], stdout)
	case "suite":
		status, err = runSuite(args[1:], stdout)
	default:
		status, err = runMatch(args, stdout, stderr)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, longrun.ErrUsage):
		fmt.Fprintln(stderr, "arena:", longrun.OneLine(err))
		return 2
	case err != nil:
		fmt.Fprintln(stderr, "arena:", longrun.OneLine(err))
		return max(status, 1)
	}
	return status
}

// synopses stand above the flags in the help of each command.
var synopses = map[string]string{
	"arena": `A match, and what is made of its journal (each with its own -help):
  arena -engine name=NAME,cmd=COMMAND,... -engine ... [-journal FILE] [FLAGS]
  arena report [-o FILE] JOURNAL...           a page of HTML with every game
  arena merge [-o FILE] JOURNAL...            joins the journals of shards
  arena export [-sgf FILE] [-psq DIR] JOURNAL...
  arena suite -engine ... POSITIONS...        positions with a proven win

`,
	"report": "arena report [FLAGS] JOURNAL...\n",
	"merge":  "arena merge [FLAGS] JOURNAL...\n",
	"export": "arena export [FLAGS] JOURNAL...\n",
}

// parse parses flags and turns what is wrong with them into a usage error; asked for
// help it prints the flags on stdout.
func parse(fs *flag.FlagSet, args []string, stdout io.Writer) error {
	fs.SetOutput(io.Discard)
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, synopses[fs.Name()])
		fs.SetOutput(stdout)
		fs.PrintDefaults()
		return err
	}
	if err != nil {
		return longrun.Usage("%v", err)
	}
	return nil
}

// options are the flags of a match that do not decide which games it consists of.
type options struct {
	journal, psq, sgf string
	shard             shard
	workers           int
	quiet             bool
	void              []string
}

// parseMatch reads the command line of a match.
func parseMatch(args []string, stdout io.Writer) (*settings, *options, error) {
	fs := flag.NewFlagSet("arena", flag.ContinueOnError)
	s, o := &settings{}, &options{}
	var each []setting
	var specs [][]setting
	collect := func(f func([]setting)) func(string) error {
		return func(text string) error {
			list, err := parseSettings(text)
			f(list)
			return err
		}
	}
	fs.Func("engine", "an engine: `name=NAME,cmd=COMMAND,KEY=VALUE...`; repeat for each. Keys: name cmd dir tc=match/turn+increment nodes depth memory threads tolerance pause restart hang void info.KEY",
		collect(func(l []setting) { specs = append(specs, l) }))
	fs.Func("each", "settings of all engines: `KEY=VALUE,...`", collect(func(l []setting) { each = append(each, l...) }))
	fs.Func("engines", "a JSON `FILE` with {\"each\":{...},\"engines\":[{...},...]}", func(path string) error {
		e, list, err := engineFile(path)
		each, specs = append(each, e...), append(specs, list...)
		return err
	})
	fs.IntVar(&s.Rule, "rule", 0, "`RULE` of the protocol: 0 freestyle, 1 exactly five, 4 renju, 8 caro, 9 caro exactly five")
	fs.IntVar(&s.Size, "size", 15, "`CELLS` of a side, 5 to 22")
	openings := fs.String("openings", "", "`FILE` of openings in pos or offset notation, one a line")
	fs.StringVar(&s.Order, "order", "sequential", "`ORDER` of openings: sequential or random")
	fs.Uint64Var(&s.Seed, "seed", 1, "`NUMBER` that decides the random order")
	fs.BoolVar(&s.Symmetries, "symmetries", false, "turn and mirror the openings when all have been played")
	fs.IntVar(&s.Games, "games", 2, "games of each pair of engines, an even `NUMBER`")
	fs.IntVar(&s.Rounds, "rounds", 1, "times the whole is repeated")
	fs.BoolVar(&s.Gauntlet, "gauntlet", false, "the first engine against all others")
	fs.IntVar(&s.DrawAfter, "drawafter", 0, "a draw when so many `STONES` are on the board, 0 for never")
	fs.IntVar(&o.workers, "concurrency", 1, "games played at the same time")
	fs.Func("adjudicate", "end a game both engines agree on: `win=VALUE,moves=N`", func(text string) (err error) {
		s.Adjudicate, err = parseAward(text)
		return err
	})
	fs.Func("sprt", "stop when decided: `elo0=..,elo1=..,alpha=..,beta=..,model=logistic|normalised`", func(text string) (err error) {
		s.SPRT, err = parseSPRT(text)
		return err
	})
	fs.StringVar(&o.journal, "journal", "", "`FILE` that keeps every game; the same command continues it")
	fs.StringVar(&o.psq, "psq", "", "write Piskvork records into this `DIR`, or all into one file NAME.psq, of which Piskvork shows the first")
	fs.StringVar(&o.sgf, "sgf", "", "append games to this SGF `FILE`; export writes it anew")
	fs.Func("shard", "play part `i/n` of the schedule; i counts from 0 or 1", func(text string) (err error) {
		o.shard, err = parseShard(text)
		return err
	})
	fs.BoolVar(&o.quiet, "quiet", false, "no progress")
	fs.Func("void", "leave out games that `NAME` lost by time, crash or protocol", voidNames(&o.void))
	if err := parse(fs, args, stdout); err != nil {
		return nil, nil, err
	}
	if fs.NArg() > 0 {
		return nil, nil, longrun.Usage("%q is no flag; try -help", fs.Arg(0))
	}
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	each = takeVoid(each, &o.void)
	for i := range specs {
		specs[i] = takeVoid(specs[i], &o.void)
	}
	var err error
	if s.Engines, err = buildEngines(each, specs); err != nil {
		return nil, nil, longrun.Usage("%v", err)
	}
	if s.SPRT != nil && !given["games"] && !given["rounds"] {
		s.Games = endlessGames
	}
	if err := s.check(); err != nil {
		return nil, nil, longrun.Usage("%v", err)
	}
	if err := s.readOpenings(*openings); err != nil {
		return nil, nil, longrun.Usage("-openings: %v", err)
	}
	if o.workers < 1 || o.workers > 1024 {
		return nil, nil, longrun.Usage("-concurrency %d is not between 1 and 1024", o.workers)
	}
	if o.shard.of > 1 && s.endless() {
		return nil, nil, longrun.Usage("-shard with -sprt needs -games: a shard does not know when the test has decided")
	}
	if err := checkVoid(o.void, s); err != nil {
		return nil, nil, err
	}
	return s, o, nil
}

// takeVoid moves void= out of a list of settings, since it changes the count only.
func takeVoid(list []setting, void *[]string) []setting {
	var rest []setting
	for _, s := range list {
		if s.key == "void" {
			*void = append(*void, s.value)
			continue
		}
		rest = append(rest, s)
	}
	return rest
}

func voidNames(void *[]string) func(string) error {
	return func(text string) error {
		*void = append(*void, text)
		return nil
	}
}

func checkVoid(void []string, s *settings) error {
	for _, name := range void {
		found := false
		for _, e := range s.Engines {
			found = found || e.Name == name
		}
		if !found {
			return longrun.Usage("void=%s names no engine of the match", name)
		}
	}
	return nil
}

func (s *settings) check() error {
	switch {
	case len(s.Engines) < 2:
		return fmt.Errorf("%d engines given, a match needs two: -engine name=...,cmd=...", len(s.Engines))
	case s.Rule != 0 && s.Rule != 1 && s.Rule != 4 && s.Rule != 8 && s.Rule != 9:
		return fmt.Errorf("-rule %d is none of 0, 1, 4, 8, 9", s.Rule)
	case s.Size < board.MinSize || s.Size > board.MaxSize:
		return fmt.Errorf("-size %d is not between %d and %d", s.Size, board.MinSize, board.MaxSize)
	case s.Order != "sequential" && s.Order != "random":
		return fmt.Errorf("-order %q is neither sequential nor random", s.Order)
	case s.Games < 2 || s.Games%2 != 0 || s.Games > 10_000_000:
		return fmt.Errorf("-games %d is not a positive even number", s.Games)
	case s.Rounds < 1 || s.Rounds > 1_000_000:
		return fmt.Errorf("-rounds %d is not positive", s.Rounds)
	case s.DrawAfter < 0:
		return fmt.Errorf("-drawafter %d is negative", s.DrawAfter)
	case s.SPRT != nil && len(s.Engines) != 2:
		return fmt.Errorf("-sprt needs exactly two engines, not %d", len(s.Engines))
	}
	return nil
}

// readOpenings fills s.Openings from a file, or leaves the empty board.
func (s *settings) readOpenings(path string) error {
	if s.Order == "sequential" {
		s.Order, s.Seed = "", 0 // the defaults leave no trace in the match's identity
	}
	if path == "" {
		s.Order, s.Seed, s.Symmetries = "", 0, false
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	all, err := record.ReadOpenings(f, board.Rule(s.Rule), s.Size, s.Size)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(all) == 0 {
		return fmt.Errorf("%s holds no opening", path)
	}
	for i, moves := range all {
		if s.DrawAfter > 0 && len(moves) >= s.DrawAfter {
			return fmt.Errorf("%s: opening %d has %d stones, -drawafter %d leaves no game", path, i+1, len(moves), s.DrawAfter)
		}
		s.Openings = append(s.Openings, record.FormatMoves(moves))
	}
	return nil
}

func parseSPRT(text string) (*sprt, error) {
	t := &sprt{Elo1: 5, Alpha: 0.05, Beta: 0.05}
	list, err := parseSettings(text)
	if err != nil {
		return nil, err
	}
	for _, kv := range list {
		f, err := strconv.ParseFloat(kv.value, 64)
		switch kv.key {
		case "elo0":
			t.Elo0 = f
		case "elo1":
			t.Elo1 = f
		case "alpha":
			t.Alpha = f
		case "beta":
			t.Beta = f
		case "model":
			err = nil
			switch kv.value {
			case "normalised", "normalized":
				t.Normalised = true
			case "logistic":
			default:
				return nil, fmt.Errorf("model %q is neither logistic nor normalised", kv.value)
			}
		default:
			return nil, fmt.Errorf("no setting %q", kv.key)
		}
		if err != nil {
			return nil, fmt.Errorf("%s=%s is not a number", kv.key, kv.value)
		}
	}
	return t, t.check()
}

func parseAward(text string) (*award, error) {
	a := &award{Win: 3000, Moves: 3}
	list, err := parseSettings(text)
	if err != nil {
		return nil, err
	}
	for _, kv := range list {
		n, err := positive(kv.value)
		if err != nil || n > 1_000_000 {
			return nil, fmt.Errorf("%s=%s is not a positive number", kv.key, kv.value)
		}
		switch kv.key {
		case "win":
			a.Win = int(n)
		case "moves":
			a.Moves = int(n)
		default:
			return nil, fmt.Errorf("no setting %q", kv.key)
		}
	}
	return a, nil
}

// runMatch plays a match from the command line.
func runMatch(args []string, stdout io.Writer, stderr *os.File) (int, error) {
	s, o, err := parseMatch(args, stdout)
	if err != nil {
		return 0, err
	}
	m := &match{id: s.id(), settings: s, games: map[int]*gameRecord{}, void: map[string]bool{}}
	for _, name := range o.void {
		m.void[name] = true
	}
	t := &tournament{tag: newTag(), match: m, sched: s.schedule(), shard: o.shard, workers: o.workers, psq: o.psq, warn: stderr}
	for _, text := range s.Openings {
		moves, err := board.ParseMoves(text, s.Size, s.Size)
		if err != nil {
			return 0, err
		}
		t.openings = append(t.openings, moves)
	}
	if o.journal != "" {
		if err := t.resume(o.journal); err != nil {
			return 0, err
		}
		defer t.journal.Close()
	}
	if o.psq != "" {
		if err := preparePSQ(o.psq); err != nil {
			return 0, longrun.Usage("-psq: %v", err)
		}
	}
	if o.sgf != "" {
		if t.sgf, err = os.OpenFile(o.sgf, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
			return 0, longrun.Usage("-sgf: %v", err)
		}
		defer t.sgf.Close()
	}
	if o.quiet {
		t.warn = nil
	} else {
		t.progress = newProgress(stderr, m, t.goal())
		t.warn = t.progress
		t.progress.begin()
	}
	ctx, caught := onSignal(t)
	err = t.run(ctx)
	if t.progress != nil {
		t.progress.end()
	}
	if err != nil {
		return 0, err
	}
	if err := writeSummary(stdout, m, m.sum()); err != nil {
		return 0, err
	}
	if caught() {
		return 130, errors.New("stopped by a signal; the same command continues where a -journal was kept")
	}
	return 0, nil
}

// goal counts the games of the shard.
func (t *tournament) goal() int {
	if t.shard.of <= 1 {
		return t.sched.total()
	}
	n := 0
	for g := 1; g <= t.sched.total(); g += 2 {
		if t.shard.has(t.sched.fixture(g)) {
			n += 2
		}
	}
	return n
}

// resume opens the journal and takes over the games it holds.
func (t *tournament) resume(path string) error {
	j, records, err := openJournal(path)
	if err != nil {
		return longrun.Usage("-journal: %v", err)
	}
	m := t.match
	for i := range records {
		g := &records[i]
		if g.Match != m.id {
			j.Close()
			return longrun.Usage("-journal: %s holds another match (%s, this is %s); the command must be the same", path, g.Match, m.id)
		}
		if g.Shard != t.shard.String() {
			j.Close()
			return longrun.Usage("-journal: %s holds shard %q, this is %q", path, g.Shard, t.shard.String())
		}
		for name, text := range g.About {
			m.addAbout(name, text)
		}
		m.games[g.Game] = g
	}
	if err := m.check(); err != nil {
		j.Close()
		return longrun.Usage("-journal: %s: %v", path, err)
	}
	t.journal = j
	return nil
}

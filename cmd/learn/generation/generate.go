package generation

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/record"
	"tengen/cmd/internal/flags"
)

// Shares of the time of a generation that minutes limit. The training has no share of
// its own: it takes seconds where games took minutes, and the match gets what is left.
const (
	playShare  = 0.45
	matchShare = 0.4 // of what is left then, if a game of the match cost no more than one of self-play
)

// A generator makes generations in a folder.
type generator struct {
	*settings
	*folder
	stderr io.Writer
}

// generate does what the command is for. beside is a folder where the programs may lie.
func generate(ctx context.Context, s *settings, beside string, stdout io.Writer, stderr io.Writer) error {
	d, err := openFolder(s)
	if err != nil {
		return err
	}
	defer d.Close()
	r := &generator{s, d, stderr}
	if err := r.takeTables(); err != nil {
		return err
	}
	if err := d.install(ctx, beside, stderr); err != nil {
		return err
	}
	if n := s.generations; len(d.state.Generations) >= n && d.state.Generations[n-1].Result != nil {
		fmt.Fprintf(stderr, "generation: %s holds this run, which is done; another -dir begins anew\n", s.dir)
	}
	forfeits := false
	for n := range s.generations {
		if len(d.state.Generations) == n {
			g := &generation{Began: d.seconds()}
			if s.minutes > 0 {
				g.Ends = g.Began + (60*s.minutes-g.Began)/float64(s.generations-n)
			}
			d.state.Generations = append(d.state.Generations, g)
		}
		g := d.state.Generations[n]
		for _, stage := range []func(context.Context, int, *generation) error{r.play, r.train, r.judge} {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := stage(ctx, n, g); err != nil {
				return err
			}
			if err := d.save(); err != nil {
				return err
			}
		}
		if err := r.summary(stdout, n, g); err != nil {
			return err
		}
		forfeits = forfeits || len(g.Result.Forfeits) > 0
	}
	if forfeits {
		return errors.New("a match has forfeits and proves nothing")
	}
	return nil
}

// startTables is the file of tables that a run begins with if it is not the engine's.
const startTables = "start.tab"

// takeTables puts the tables that the run begins with into the folder.
func (r *generator) takeTables() error {
	if r.start == "default" {
		return nil
	}
	if _, err := os.Stat(r.file(startTables)); err == nil {
		return nil
	}
	var raw []byte
	var err error
	switch r.start {
	case "hand":
		raw, err = eval.ByHand(board.Rule(r.rule)).Save(nil)
	case "zero":
		t := eval.NewTables(board.Rule(r.rule))
		t.Origin = "zeros"
		raw, err = t.Save(nil)
	default:
		raw, err = tablesFor(r.rule, r.start)
	}
	if err != nil {
		return err
	}
	return r.replace(startTables, raw)
}

// tablesFor reads a file of tables that has to hold some for the rule.
func tablesFor(rule int, name string) ([]byte, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, flags.Usage("-start: %v", err)
	}
	all, err := eval.Load(bytes.NewReader(raw))
	if err != nil {
		return nil, flags.Usage("-start: %s: %v", name, err)
	}
	for _, t := range all {
		if int(t.Rule) == rule {
			return raw, nil
		}
	}
	return nil, flags.Usage("-start: %s has no tables for rule %d", name, rule)
}

// name is the file of generation n, from 0, with an ending.
func (r *generator) name(n int, ending string) string {
	return fmt.Sprintf("gen%d-%s.%s", n+1, ruleNames[r.rule], ending)
}

// old is the file of tables that generation n begins with, "" for the engine's own.
func (r *generator) old(n int) string {
	switch {
	case n > 0:
		return r.name(n-1, "tab")
	case r.start != "default":
		return startTables
	}
	return ""
}

// say tells people what goes on.
func (r *generator) say(n int, format string, args ...any) {
	if !r.quiet {
		fmt.Fprintf(r.stderr, "generation %d: %s\n", n+1, fmt.Sprintf(format, args...))
	}
}

// play plays the games of generation n.
func (r *generator) play(ctx context.Context, n int, g *generation) error {
	if g.Games > 0 {
		return nil
	}
	args := []string{"-o", r.name(n, "tgs"), "-rule", strconv.Itoa(r.rule), "-size", strconv.Itoa(r.size),
		"-nodes", strconv.FormatInt(r.nodes, 10), "-seed", r.playSeed(n), "-concurrency", strconv.Itoa(r.workers)}
	if old := r.old(n); old != "" {
		args = append(args, "-tables", old)
	}
	if r.quiet {
		args = append(args, "-quiet")
	}
	if g.Ends > 0 {
		left := time.Duration((g.Began + playShare*(g.Ends-g.Began) - r.seconds()) * float64(time.Second))
		left = max(left, time.Millisecond).Round(time.Millisecond)
		r.say(n, "games for %v", left.Round(time.Second))
		args = append(args, "-for", left.String())
	} else {
		r.say(n, "%d games", r.games)
		args = append(args, "-games", strconv.Itoa(r.games))
	}
	if err := r.do(ctx, step{name: "selfplay", args: args, stdout: r.stderr, spent: &g.Play}, r.stderr); err != nil {
		return err
	}
	var err error
	if g.Games, g.Positions, err = countGames(r.file(r.name(n, "tgs"))); err != nil {
		return err
	}
	if g.Games == 0 {
		return errors.New("no game was finished in the time that there was")
	}
	return nil
}

// countGames counts the games of a file of samples, and the positions with a value.
func countGames(name string) (games, positions int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	r, err := record.NewSampleReader(bufio.NewReader(f))
	var g record.SampleGame
	for err == nil {
		if err = r.Read(&g); err == nil {
			games++
			positions += g.Positions()
		}
	}
	if err != io.EOF {
		return 0, 0, fmt.Errorf("%s: %w", name, err)
	}
	return games, positions, nil
}

// train fits tables to the games of generation n and of those before.
func (r *generator) train(ctx context.Context, n int, g *generation) error {
	if g.Losses != nil {
		return nil
	}
	r.say(n, "training")
	args := []string{"-out", r.name(n, "tab"), "-rule", strconv.Itoa(r.rule), "-seed", strconv.FormatUint(r.seed, 10),
		"-threads", strconv.Itoa(r.workers)}
	if old := r.old(n); old != "" {
		args = append(args, "-start", old)
	}
	for i := n; i >= 0; i-- {
		args = append(args, r.name(i, "tgs"))
	}
	// A run that goes on adds to what the trainer told before.
	log, err := os.OpenFile(r.file(r.name(n, "log")), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer log.Close()
	if _, err := fmt.Fprintln(log); err != nil {
		return err
	}
	err = r.do(ctx, step{name: "tables", args: args, stdout: log, until: g.Ends, spent: &g.Train}, r.stderr)
	if errors.Is(err, errTime) {
		return errors.New("no time is left for the training: more -minutes are needed")
	}
	if err != nil {
		return err
	}
	text, err := os.ReadFile(log.Name())
	if err != nil {
		return err
	}
	g.Losses, err = readLosses(text)
	return err
}

// judge plays the match of the tables of generation n against those it began with.
func (r *generator) judge(ctx context.Context, n int, g *generation) error {
	if g.Result != nil {
		return nil
	}
	if g.Planned == 0 {
		g.Planned = r.match
		if g.Ends > 0 {
			g.Planned = plan(g, r.seconds())
		}
		if err := r.save(); err != nil {
			return err
		}
	}
	openings, journal := r.name(n, "pos"), r.name(n, "jsonl")
	if _, err := os.Stat(r.file(openings)); err != nil {
		r.say(n, "%d openings for the match", g.Planned/2)
		var text bytes.Buffer
		args := []string{"openings", "-count", strconv.Itoa(g.Planned / 2), "-rule", strconv.Itoa(r.rule), "-size", strconv.Itoa(r.size),
			"-check", strconv.FormatInt(4*r.nodes, 10), "-seed", r.matchSeed(n), "-concurrency", strconv.Itoa(r.workers)}
		if r.quiet {
			args = append(args, "-quiet")
		}
		err := r.do(ctx, step{name: "selfplay", args: args, stdout: &text, until: g.Ends, spent: &g.Match}, r.stderr)
		if errors.Is(err, errTime) {
			return errors.New("no time is left for the match: more -minutes are needed")
		}
		if err == nil {
			err = r.replace(openings, text.Bytes())
		}
		if err != nil {
			return err
		}
	}
	r.say(n, "match of %d games", g.Planned)
	engine := func(name, tables string) string {
		text := "name=" + name + ",cmd=" + program("pbrain-tengen")
		if tables != "" {
			text += " -tables " + tables
		}
		return text
	}
	args := []string{"-engine", engine("new", r.name(n, "tab")), "-engine", engine("old", r.old(n)),
		"-each", "nodes=" + strconv.FormatInt(r.nodes, 10) + ",info.hash_size=" + tableKiB, "-rule", strconv.Itoa(r.rule), "-size", strconv.Itoa(r.size),
		"-openings", openings, "-games", strconv.Itoa(g.Planned), "-concurrency", strconv.Itoa(r.workers), "-journal", journal}
	if stones := r.drawAfter(); stones > 0 {
		args = append(args, "-drawafter", strconv.Itoa(stones))
	}
	if r.quiet {
		args = append(args, "-quiet")
	}
	switch err := r.do(ctx, step{name: "arena", args: args, until: g.Ends, spent: &g.Match}, r.stderr); {
	case errors.Is(err, errTime):
		r.say(n, "the time is over: the games that are played count")
	case err != nil:
		return err
	}
	// What the journal holds counts, whichever way the match ended.
	var text bytes.Buffer
	if err := r.do(ctx, step{name: "arena", args: []string{"merge", journal}, stdout: &text, spent: &g.Match}, r.stderr); err != nil {
		return err
	}
	var err error
	g.Result, err = readResult(text.String())
	return err
}

// tableKiB is the table of an engine of the match, as large as in self-play: at so few
// nodes a larger one would only take time to clear.
const tableKiB = "16384"

// plan returns how many games of a match there is time for, by the speed of the games
// before, when seconds of the run are spent. A game of a match goes on to the five,
// where self-play ends at the proof; it is played through pipes, and has an opening that
// was looked at for longer: 1.6 times the time was measured at 500 nodes.
func plan(g *generation, seconds float64) int {
	plies := float64(g.Positions)/float64(g.Games) + 10
	game := g.Play / float64(g.Positions) * plies
	return max(2, int(matchShare*(g.Ends-seconds)/game)/2*2)
}

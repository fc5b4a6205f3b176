package generation

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"tengen/brain/atomicfile"
	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/openings"
	"tengen/cmd/internal/progress"
	"tengen/cmd/learn/match"
	"tengen/cmd/learn/selfplay"
)

// A generator makes generations in a folder.
type generator struct {
	*settings
	*folder
	stderr io.Writer
}

// generate makes the generations of the run.
func generate(ctx context.Context, s *settings, stdout, stderr io.Writer) error {
	d, err := openFolder(s)
	if err != nil {
		return err
	}
	defer d.Close()
	r := &generator{s, d, stderr}
	if err := r.copyStart(); err != nil {
		return err
	}
	if n := s.generations; len(d.state.Generations) >= n && d.state.Generations[n-1].Score != nil {
		fmt.Fprintf(stderr, "learn generation: the run in %s is finished; use another -dir for a new one\n", s.dir)
	}
	for n := range s.generations {
		if len(d.state.Generations) == n {
			d.state.Generations = append(d.state.Generations, &generation{Began: d.seconds()})
		}
		g := d.state.Generations[n]
		if s.within > 0 && g.Score == nil {
			g.Ends = g.Began + (s.within.Seconds()-g.Began)/float64(s.generations-n)
		}
		for _, step := range []func(context.Context, int, *generation) error{r.play, r.train, r.judge} {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := step(ctx, n, g); err != nil {
				return err
			}
			if err := d.save(); err != nil {
				return err
			}
		}
		if err := r.summary(stdout, n, g); err != nil {
			return err
		}
	}
	return nil
}

// name returns the name of a file of generation n, from 0, by its ending.
func (r *generator) name(n int, ending string) string {
	return r.file(fmt.Sprintf("gen%d-%s.%s", n+1, r.Rule.FileName(), ending))
}

// say prints a message.
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
	job := selfplay.Job{
		Settings: selfplay.Default(), File: r.name(n, "tgs"), Games: r.games, Workers: r.workers, Line: progress.New(r.stderr, r.quiet),
		Note: func(format string, args ...any) { r.say(n, format, args...) },
	}
	job.Board, job.Nodes, job.Seed = r.Board, r.nodes, r.playSeed(n)
	player, err := r.player(r.old(n))
	if err != nil {
		return err
	}
	job.Evaluation = player.Evaluation
	until := 0.0
	if g.Ends > 0 {
		left := g.Ends - g.Began
		if n > 0 { // the last training was on all earlier games, which are trained on again
			left -= r.state.Generations[n-1].Train
		}
		until = g.Began + r.kind().playShare*left
		job.Games = selfplay.Endless
		r.say(n, "games for %v", progress.Span(time.Duration((until-r.seconds())*float64(time.Second))))
	} else {
		r.say(n, "%d games", r.games)
	}
	var games, positions int
	err = r.do(ctx, until, &g.Play, func(ctx context.Context) (err error) {
		games, positions, err = job.Play(ctx)
		return err
	})
	if err != nil && !errors.Is(err, errTime) {
		return err
	}
	if games == 0 {
		return errors.New("no game ended in time: a longer -for is needed")
	}
	g.Games, g.Positions = games, positions
	return nil
}

// errNoMatch is the error of a generation whose time is over before a pair of games has ended.
var errNoMatch = errors.New("no time is left for the match: a longer -for is needed")

// judge plays the match of what generation n has trained against what it started from.
func (r *generator) judge(ctx context.Context, n int, g *generation) error {
	if g.Score != nil {
		return nil
	}
	if g.Planned == 0 {
		g.Planned = r.match
		if g.Ends > 0 {
			g.Planned = plan(g, r.seconds(), r.kind().matchShare)
		}
		if err := r.save(); err != nil {
			return err
		}
	}
	if err := r.openings(ctx, n, g); err != nil {
		return err
	}
	list, err := openings.Read(r.name(n, "pos"), r.Rule, r.Width, r.Height, 0)
	if err != nil {
		return err
	}
	young, err := r.player(r.name(n, r.ending()))
	if err != nil {
		return err
	}
	old, err := r.player(r.old(n))
	if err != nil {
		return err
	}
	m := &match.Match{
		Conditions: match.Conditions{Board: r.Board, Nodes: r.nodes, Hash: selfplay.Default().Hash, Adjudicate: true, DrawAfter: selfplay.DrawAfter(r.Board)},
		Players:    [2]match.Player{young, old}, Openings: list, Workers: r.workers,
	}
	r.say(n, "match of %d games", g.Planned)
	var score elo.Score
	switch err := r.do(ctx, g.Ends, &g.Match, func(ctx context.Context) (err error) {
		score, err = m.Resume(ctx, r.name(n, "jsonl"), progress.New(r.stderr, r.quiet))
		return err
	}); {
	case errors.Is(err, errTime) && score.Complete() == 0:
		return errNoMatch
	case errors.Is(err, errTime):
		r.say(n, "the time is over: the games played so far count")
	case err != nil:
		return err
	}
	g.Score = &score
	return nil
}

// openings makes the openings of the match, unless the file exists.
func (r *generator) openings(ctx context.Context, n int, g *generation) error {
	if _, err := os.Stat(r.name(n, "pos")); err == nil {
		return nil
	}
	r.say(n, "%d openings for the match", g.Planned/2)
	s := selfplay.Default()
	s.Board, s.Seed, s.Openings.Check = r.Board, r.matchSeed(n), 4*r.nodes
	var text bytes.Buffer
	err := r.do(ctx, g.Ends, &g.Match, func(ctx context.Context) error {
		return s.MakeOpenings(ctx, g.Planned/2, r.workers, progress.New(r.stderr, r.quiet), func(moves []board.Move) error {
			_, err := fmt.Fprintln(&text, record.FormatMoves(moves))
			return err
		})
	})
	if errors.Is(err, errTime) {
		g.Planned = 0 // a longer one has time for more games
		return cmp.Or(r.save(), errNoMatch)
	}
	if err != nil {
		return err
	}
	return atomicfile.Write(r.name(n, "pos"), text.Bytes())
}

// unsearched is how many plies of a game have no value: those of the opening and some at random.
const unsearched = 10

// plan returns the number of games of a match for which there is time after seconds of
// the run, by the speed of the games of self-play.
func plan(g *generation, seconds, share float64) int {
	plies := float64(g.Positions)/float64(g.Games) + unsearched
	game := g.Play / float64(g.Positions) * plies
	return max(2, int(share*(g.Ends-seconds)/game)/2*2)
}

// summary prints the result of generation n.
func (r *generator) summary(out io.Writer, n int, g *generation) error {
	w := &bytes.Buffer{}
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "  %-11s %s\n", what, fmt.Sprintf(format, args...))
	}
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)).Round(time.Second) }
	old, ok := map[string]string{"engine": "the engine's own " + r.kind().noun, "hand": "set by hand", "zero": "zeros"}[r.start]
	switch {
	case n > 0:
		old = filepath.Base(r.old(n))
	case !ok:
		old = r.start
	}
	fmt.Fprintf(w, "generation %d of %v, %d nodes a move\n", n+1, &r.Board, r.nodes)
	line("games", "%d in %v: %d positions, %.0f an hour", g.Games, seconds(g.Play), g.Positions, float64(g.Positions)/max(g.Play, 1e-3)*3600)
	line("training", "%v: %v", seconds(g.Train), g.Trained)
	line("match", "%d of %d games in %v, new against old (%s): %v", g.Score.Games(), g.Planned, seconds(g.Match), old, g.Score)
	r.advise(line, n)
	_, err := out.Write(w.Bytes())
	return err
}

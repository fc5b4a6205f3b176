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
	"tengen/brain/eval"
	"tengen/brain/record"
	"tengen/brain/search"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/evalflags"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/openings"
	"tengen/cmd/internal/progress"
	"tengen/cmd/learn/match"
	"tengen/cmd/learn/network"
	"tengen/cmd/learn/selfplay"
)

// playShare is the share of the games in the time of a generation. On two cores the training
// takes .28 of the time of the games (2.4 million positions, 2026-11); it may take as much as
// they do, and the match gets the rest.
const playShare = 0.45

// generate makes the generations of the run.
func generate(ctx context.Context, s *settings, stdout, stderr io.Writer) error {
	r, err := open(s, stderr)
	if err != nil {
		return err
	}
	defer r.close()
	if err := r.copyStart(); err != nil {
		return flags.Usage("-start: %v", err)
	}
	if n := s.generations; len(r.Generations) >= n && r.Generations[n-1].Score != nil {
		fmt.Fprintf(stderr, "learn generation: the run in %s is finished; use another -dir for a new one\n", s.dir)
	}
	for n := range s.generations {
		if len(r.Generations) == n {
			r.Generations = append(r.Generations, &generation{Began: r.elapsed()})
		}
		g := r.Generations[n]
		if s.within > 0 && g.Score == nil {
			g.Ends = g.Began + (s.within-g.Began)/time.Duration(s.generations-n)
		}
		for _, step := range []func(context.Context, int, *generation) error{r.play, r.train, r.judge} {
			err := ctx.Err()
			if err == nil {
				err = step(ctx, n, g)
			}
			if err = cmp.Or(err, r.save()); err != nil {
				return err
			}
		}
		if err := r.summary(stdout, n, g); err != nil {
			return err
		}
	}
	return nil
}

// copyStart copies the network that the run starts from into its directory.
func (r *run) copyStart() error {
	name := r.old(0)
	if name == "" {
		return nil
	}
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	_, raw := eval.NetworkFile(r.Rule, r.Width, r.Height)
	if r.start != "engine" {
		n, err := evalflags.LoadNetwork(r.start)
		if err != nil {
			return err
		}
		if n.Rule() != r.Rule {
			return fmt.Errorf("%s is for rule %d, not %d", r.start, n.Rule(), r.Rule)
		}
		if raw, err = os.ReadFile(r.start); err != nil {
			return err
		}
	}
	return atomicfile.Write(name, raw)
}

// old returns the file of the network that generation n starts from, "" for tables set by hand.
func (r *run) old(n int) string {
	switch {
	case n > 0:
		return r.name(n-1, "tnn")
	case r.start == "hand":
		return ""
	}
	return r.file("start.tnn")
}

// name returns the name of a file of generation n, from 0, by its extension.
func (r *run) name(n int, extension string) string {
	return r.file(fmt.Sprintf("gen%d-%s.%s", n+1, r.Rule.FileName(), extension))
}

// player returns the engine with the network in a file, or with tables set by hand for "".
func (r *run) player(name string) (match.Player, error) {
	p := match.Player{Params: search.DefaultParams(), Evaluation: eval.ByTables(eval.ByHand(r.Rule))}
	if name == "" {
		return p, nil
	}
	n, err := evalflags.LoadNetwork(name)
	if err != nil {
		return p, err
	}
	p.Evaluation = eval.ByTables().WithNetworks(n)
	return p, nil
}

// say prints a message.
func (r *run) say(n int, format string, args ...any) {
	if !r.quiet {
		fmt.Fprintf(r.stderr, "generation %d: %s\n", n+1, fmt.Sprintf(format, args...))
	}
}

// play plays the games of generation n.
func (r *run) play(ctx context.Context, n int, g *generation) error {
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
	var until time.Duration
	if g.Ends > 0 {
		left := g.Ends - g.Began
		if n > 0 { // the last training was on all earlier games, which are trained on again
			left -= r.Generations[n-1].Train
		}
		until = g.Began + time.Duration(playShare*float64(left))
		job.Games = selfplay.Endless
		r.say(n, "games for %v", progress.Span(until-r.elapsed()))
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
	if games < fewestGames {
		return fmt.Errorf("%d games ended in time, and training needs %d: a longer -for is needed", games, fewestGames)
	}
	g.Games, g.Positions = games, positions
	return nil
}

// train trains the network of generation n on all games so far.
func (r *run) train(ctx context.Context, n int, g *generation) error {
	if g.Trained != nil {
		return nil
	}
	r.say(n, "training")
	log, err := os.OpenFile(r.name(n, "log"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer log.Close()
	o := network.Default()
	o.Out, o.Start, o.Rule, o.Threads = r.name(n, "tnn"), r.old(n), int(r.Rule), r.workers
	for i := n; i >= 0; i-- {
		o.Files = append(o.Files, r.name(i, "tgs"))
	}
	o.Seed(r.seed)
	var result *network.Result
	err = r.do(ctx, g.Ends, &g.Train, func(ctx context.Context) (err error) {
		result, err = o.Fit(ctx, log, nil)
		return err
	})
	switch {
	case errors.Is(err, errTime):
		return errors.New("no time is left for the training: a longer -for is needed")
	case err != nil:
		return err
	}
	g.Trained = result
	return log.Close()
}

// judge plays the match of the new network of generation n against the one that it started from. With
// -for it begins with a pair of games for each worker, and doubles their number until the time is over.
func (r *run) judge(ctx context.Context, n int, g *generation) error {
	if g.Score != nil {
		return nil
	}
	young, err := r.player(r.name(n, "tnn"))
	if err != nil {
		return err
	}
	old, err := r.player(r.old(n))
	if err != nil {
		return err
	}
	m := &match.Match{
		Conditions: match.Conditions{Board: r.Board, Nodes: r.nodes, Hash: selfplay.Default().Hash, Adjudicate: true, DrawAfter: selfplay.DrawAfter(r.Board)},
		Players:    [2]match.Player{young, old}, Workers: r.workers,
	}
	pairs := r.match / 2
	if g.Ends > 0 {
		pairs = r.workers
	}
	var score elo.Score
	for {
		err := r.do(ctx, g.Ends, &g.Match, func(ctx context.Context) (err error) {
			if m.Openings, err = r.openings(ctx, n, pairs); err != nil {
				return err
			}
			r.say(n, "match of %d games", 2*len(m.Openings))
			now, err := m.Resume(ctx, r.name(n, "jsonl"), progress.New(r.stderr, r.quiet))
			if now.Complete() > 0 {
				score = now
			}
			return err
		})
		over := errors.Is(err, errTime)
		switch {
		case over && score.Complete() == 0:
			return errors.New("no time is left for the match: a longer -for is needed")
		case over || err == nil && g.Ends == 0:
			g.Score = &score
			return nil
		case err != nil:
			return err
		}
		pairs = 2 * len(m.Openings)
	}
}

// openings returns count openings at least for the match of generation n: those of its file and new
// ones, which it adds to the file.
func (r *run) openings(ctx context.Context, n, count int) ([][]board.Move, error) {
	name := r.name(n, "pos")
	list, err := openings.Read(name, r.Rule, r.Width, r.Height, 0)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if len(list) >= count {
		return list, nil
	}
	s := selfplay.Default()
	s.Board, s.Seed, s.Openings.Check = r.Board, r.matchSeed(n, len(list)), 4*r.nodes
	err = s.MakeOpenings(ctx, count-len(list), list, r.workers, progress.New(r.stderr, r.quiet), func(moves []board.Move) error {
		list = append(list, moves)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	for _, moves := range list {
		fmt.Fprintln(&text, record.FormatMoves(moves))
	}
	return list, atomicfile.Write(name, text.Bytes())
}

// summary prints the result of generation n.
func (r *run) summary(out io.Writer, n int, g *generation) error {
	w := &bytes.Buffer{}
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "  %-11s %s\n", what, fmt.Sprintf(format, args...))
	}
	old := filepath.Base(r.old(n))
	switch {
	case n > 0:
	case r.start == "hand":
		old = "set by hand"
	case r.start == "engine":
		old = "the engine's own network"
	default:
		old = r.start
	}
	t, name := g.Trained, r.name(n, "tnn")
	fmt.Fprintf(w, "generation %d of %v, %d nodes a move\n", n+1, &r.Board, r.nodes)
	line("games", "%d in %v: %d positions, %.0f an hour", g.Games, g.Play.Round(time.Second), g.Positions, float64(g.Positions)/max(g.Play.Seconds(), 1e-3)*3600)
	line("training", "%v: loss of values in validation %.4f above that of the targets, best move first in %.1f%%; %d games (%d for validation), %d positions",
		g.Train.Round(time.Second), t.Value, 100*t.First, t.Games, t.Validation, t.Positions)
	line("match", "%d games in %v, new against old (%s): %v", g.Score.Games(), g.Match.Round(time.Second), old, g.Score)
	line("network", "%s; losses %s, games of the match %s", name, name+".svg", r.name(n, "jsonl"))
	line("to try", "pbrain-tengen -net %s", name)
	file, _ := eval.NetworkFile(r.Rule, r.Width, r.Height)
	line("to build in", "cp %s brain/eval/networks/%s, then go build", name, file)
	_, err := out.Write(w.Bytes())
	return err
}

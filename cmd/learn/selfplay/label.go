package selfplay

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"tengen/brain/board"
	"tengen/brain/sample"
	"tengen/brain/score"
	"tengen/brain/search"
	"tengen/cmd/internal/evalflags"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/inorder"
	"tengen/cmd/internal/progress"
	"tengen/cmd/learn/dataset"
	"tengen/cmd/learn/match"
)

const labelSynopsis = `usage: learn selfplay label -o FILE [flags] FILE...

Searches some positions of games with many nodes, for learn network -deep. Games come from journals
of arena, SGF, the other files of games, and samples, without their values. Forced and decided
positions are not chosen. The same command continues a file.`

// A labeler values positions of games.
type labeler struct {
	nodes     int64
	positions int // of a game at most
	hash      int // MiB
	seed      uint64
	player    match.Player
}

// runLabel is the command label.
func runLabel(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flags.New("label")
	l := labeler{nodes: 100_000, positions: 8, hash: 16, seed: 1}
	out := fs.String("o", "", "`FILE` of samples to write or continue, .tgs")
	from := fs.String("from", "", fromUsage)
	rule, workers, quiet := -1, runtime.GOMAXPROCS(0), false
	flags.RuleOfGames(fs, &rule)
	flags.Number(fs, &l.nodes, "nodes", 1, math.MaxInt64, "`NODES` of a search")
	flags.Number(fs, &l.positions, "positions", 1, math.MaxInt32, "maximum `NUMBER` of positions of a game, chosen at random")
	flags.Number(fs, &l.hash, "hash", 1, 1<<16, "`MIB` of each hash table; there is one for each of -concurrency")
	flags.Seed(fs, &l.seed, "`SEED` of the choice of positions")
	var evaluation evalflags.Flags
	evaluation.Add(fs)
	flags.Concurrency(fs, &workers, "games")
	flags.Quiet(fs, &quiet)
	if err := flags.Parse(fs, args, stdout, labelSynopsis, flags.Some("a file")); err != nil {
		return err
	}
	if err := dataset.CheckFormat("-from", *from); err != nil {
		return err
	}
	if *out == "" {
		return flags.Usage("-o FILE is missing")
	}
	if err := flags.CheckFiles(fs.Args(), []string{*out}); err != nil {
		return err
	}
	l.player = match.Player{Evaluation: evaluation.Evaluation(), Params: search.DefaultParams()}
	games, err := readGames(ctx, fs.Args(), *from, rule)
	if err != nil {
		return err
	}
	note := func(format string, args ...any) { fmt.Fprintf(stderr, "learn selfplay label: "+format+"\n", args...) }
	n := 0
	file, err := openSamples(*out, flags.Shard{}, l.String(), l.engine(games), func(g *sample.Game) error {
		if n++; n > len(games) || !slices.EqualFunc(g.Plies, games[n-1].Plies, func(a, b sample.Ply) bool { return a.Move == b.Move }) {
			return fmt.Errorf("game %d differs from the one in the files to label", g.Number)
		}
		return nil
	}, note)
	if err != nil {
		return err
	}
	before, line := int(file.games), progress.New(stderr, quiet)
	err = inorder.Run(ctx, workers, file.games, uint32(len(games)), func() func(context.Context, uint32) (*sample.Game, error) {
		w := labelWorker{labeler: &l}
		return func(ctx context.Context, i uint32) (*sample.Game, error) { return w.label(ctx, games[i]) }
	}, func(_ uint32, g *sample.Game) error {
		if err := file.write(g); err != nil {
			return err
		}
		line.Step("games", int(file.games), len(games), int(file.games)-before, fmt.Sprintf("%d positions", file.positions))
		return nil
	})
	line.End()
	if e := file.Close(); err == nil {
		err = e
	}
	if err == nil {
		fmt.Fprintf(stderr, "learn selfplay: %s: %d games, %d positions\n", *out, file.games, file.positions)
	}
	return err
}

// String returns the settings in one line.
func (l *labeler) String() string {
	return fmt.Sprintf("label nodes=%d positions=%d seed=%d table=%dMiB", l.nodes, l.positions, l.seed, l.hash)
}

// engine describes the engine for the origin, on the boards of the games.
func (l *labeler) engine(games []*sample.Game) string {
	var boards []flags.Board
	for _, g := range games {
		if b := (flags.Board{Rule: g.Rule, Width: g.Width, Height: g.Height}); !slices.Contains(boards, b) {
			boards = append(boards, b)
		}
	}
	return describe(l.player, boards...)
}

// readGames reads the games of files without their values, numbered from 0. Continuous games are
// left out. A game that the rules do not allow is an error.
func readGames(ctx context.Context, names []string, format string, rule int) (all []*sample.Game, err error) {
	var b *board.Board
	for _, name := range names {
		in, err := dataset.Open(ctx, name, format, rule)
		if err != nil {
			return nil, err
		}
		if err := in.Each(func(from *sample.Game) error {
			if from.Rule&board.Continuous != 0 {
				return nil
			}
			if b, err = dataset.Board(b, from.Rule, from.Width, from.Height); err == nil {
				err = replay(b, from)
			}
			if err != nil {
				return flags.Usage("game %d: %v", from.Number, err)
			}
			g := *from
			g.Number, g.Plies, g.Lines = uint32(len(all)), make([]sample.Ply, len(from.Plies)), nil
			for i, p := range from.Plies {
				g.Plies[i] = sample.Ply{Move: p.Move, Value: sample.NoValue}
			}
			all = append(all, &g)
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// A labelWorker labels games, one at a time.
type labelWorker struct {
	*labeler
	pool *search.Pool
	b    *board.Board
}

// label returns g with the values of searches. It depends only on the moves, the settings and the
// engine. The only error is that of ctx.
func (w *labelWorker) label(ctx context.Context, g *sample.Game) (*sample.Game, error) {
	if w.pool == nil {
		w.pool = w.player.NewPool(w.hash)
	}
	var err error
	if w.b, err = dataset.Board(w.b, g.Rule, g.Width, g.Height); err != nil {
		return nil, err
	}
	chosen := w.choose(g)
	w.b.Reset()
	for i := range g.Plies {
		p := &g.Plies[i]
		if slices.Contains(chosen, i) {
			w.pool.Clear()
			found := w.pool.Search(ctx, w.b, search.Limits{Nodes: w.nodes}, nil)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if v := found.Info.Score; v.Abs() <= score.Win {
				p.Best, p.Value = found.Move, int16(v)
			}
		}
		if p.Move == board.None {
			w.b.Pass()
		} else {
			w.b.Play(p.Move)
		}
	}
	return g, nil
}

// choose returns the plies of g to label: at random among those whose positions teach something.
func (w *labelWorker) choose(g *sample.Game) []int {
	w.b.Reset()
	var plies []int
	h := w.seed
	for i, p := range g.Plies {
		if teaches, _ := dataset.Teaches(w.b, &p); teaches && i >= g.Opening {
			plies = append(plies, i)
		}
		h = board.Mix(h ^ uint64(p.Move))
		if p.Move == board.None {
			w.b.Pass()
		} else {
			w.b.Play(p.Move)
		}
	}
	r := rand.New(rand.NewPCG(w.seed, h))
	r.Shuffle(len(plies), func(i, j int) { plies[i], plies[j] = plies[j], plies[i] })
	return plies[:min(len(plies), w.positions)]
}

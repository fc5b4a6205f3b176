// Package selfplay makes training data: games of the engine against itself, with the best move
// and the value that the search found in every position.
//
// A game depends only on the seed, its number, the settings and the engine, and games are
// written in the order of their numbers. So the same command writes the same bytes with any
// number of workers and after any number of kills. Files may be joined by cat, but only
// merge omits duplicates.
package selfplay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"time"

	"tengen/brain/sample"
	"tengen/brain/score"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/inorder"
	"tengen/cmd/internal/openings"
	"tengen/cmd/internal/progress"
)

// Endless is the number of games of a run that is limited by time alone.
const Endless = math.MaxInt32

const synopsis = `usage: learn selfplay -o FILE [flags]
       learn selfplay openings [flags] > FILE          prints balanced openings
       learn selfplay info FILE...                     describes files of games
       learn selfplay merge -o FILE [flags] FILE...    joins files and omits duplicates
       learn selfplay label -o FILE [flags] FILE...    values positions of games by long searches
       learn selfplay convert -o FILE [flags] FILE...  converts .tgs, .bin, .binpack, .lz4

Plays games of the engine against itself. Each command has its own -help.`

// Run runs the command line after "learn selfplay".
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return runGames(ctx, args, stdout, stderr)
	}
	switch command, rest := args[0], args[1:]; command {
	case "openings":
		return runOpenings(ctx, rest, stdout, stderr)
	case "info":
		return runInfo(ctx, rest, stdout)
	case "label":
		return runLabel(ctx, rest, stdout, stderr)
	case "merge":
		return runCopy(ctx, command, true, rest, stdout, stderr)
	case "convert":
		return runCopy(ctx, command, false, rest, stdout, stderr)
	default:
		return flags.UnknownCommand("learn selfplay", command, "openings", "info", "label", "merge", "convert")
	}
}

// A Job is games to be played into a file.
type Job struct {
	Settings
	File    string
	Games   int           // that all shards have at the end, those of earlier runs included
	Within  time.Duration // for all runs together; 0 for no limit
	Workers int
	Line    *progress.Line                   // may be nil
	Note    func(format string, args ...any) // receives messages for the user
}

// runGames is the command without a name.
func runGames(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flags.New("selfplay")
	j := Job{Settings: Default(), Games: 100, Workers: runtime.GOMAXPROCS(0)}
	j.add(fs)
	fs.StringVar(&j.File, "o", "", "`FILE` of games to write or continue, .tgs")
	j.Shard.Add(fs, "the games, on one of n machines with the same -seed")
	flags.Number(fs, &j.Games, "games", 1, Endless, "total `NUMBER` of games, of all shards; without a limit if only -for is given")
	flags.Duration(fs, &j.Within, "for", "total `TIME`, including that before a restart, such as 90s or 2h30m; unfinished games are discarded (default no limit)")
	file := fs.String("openings", "", "`FILE` of openings: one a line in pos or offset notation, or games as SGF, .psq, RenLib or text; - for standard input (default: openings are generated)")
	flags.Number(fs, &j.Nodes, "nodes", 1, math.MaxInt64, "`NODES` of a search")
	flags.Number(fs, &j.Openings.Check, "check", 1, math.MaxInt64, "`NODES` of the search that checks the balance of a generated opening (default twice -nodes)")
	flags.Number(fs, &j.Random, "random", 0, math.MaxInt32, "`PLIES` after the opening in which every fourth move on average is random")
	flags.Number(fs, &j.Spread, "spread", 0, int(score.Win), "maximum loss of a random move against the best, `POINTS`")
	flags.Number(fs, &j.Lines, "lines", 0, sample.MaxLines, "keep the values of this `NUMBER` of best moves, too, for learn network -soft; they cost a second search of a quarter of -nodes (default 0)")
	flags.Number(fs, &j.DrawAfter, "drawafter", -1, math.MaxInt32, "end a game as a draw at this number of `STONES`, 0 for a full board, -1 for 60% of the cells but at least 120")
	fs.BoolVar(&j.PlayOut, "playout", false, "play until five in a row instead of until both sides have proved the result (default off)")
	flags.Concurrency(fs, &j.Workers, "games")
	quiet := false
	flags.Quiet(fs, &quiet)
	if err := flags.Parse(fs, args, stdout, synopsis, flags.Operands{}); err != nil {
		return err
	}
	set := flags.Given(fs)
	if set["for"] && !set["games"] {
		j.Games = Endless
	}
	switch {
	case j.File == "":
		return flags.Usage("-o FILE is missing")
	case set["for"] && j.Within <= 0:
		return flags.Usage("-for %v: want a positive time", j.Within)
	}
	if *file != "" {
		var err error
		if j.given, err = openings.Read(*file, j.Rule, j.Width, j.Height, max(j.DrawAfter, 0)); err != nil {
			return flags.Usage("-openings: %v", err)
		}
		j.digest = openings.Digest(j.given)
	}
	j.Line = progress.New(stderr, quiet)
	j.Note = func(format string, args ...any) { fmt.Fprintf(stderr, "learn selfplay: "+format+"\n", args...) }
	_, _, err := j.Play(ctx)
	return err
}

// Play plays games until the file has as many as wanted, the time is over or ctx ends. It
// returns the numbers of games and of positions with a value in the file, also with an error.
func (j *Job) Play(ctx context.Context) (games, positions int, err error) {
	if err := j.finish(); err != nil {
		return 0, 0, err
	}
	file, err := openSamples(j.File, j.Shard, j.String(), j.engine(), nil, j.Note)
	if err != nil {
		return 0, 0, err
	}
	defer func() {
		err = errors.Join(err, file.Close())
		games, positions = int(file.games), file.positions
	}()

	spent := &stopwatch{}
	if j.Within > 0 {
		if spent, err = startStopwatch(j.File+".time", file.games == 0); err != nil {
			return 0, 0, err
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, j.Within-spent.total())
		defer cancel()
	}
	before, end := int(file.games), j.Shard.Count(j.Games)
	goal := end
	if j.Games == Endless {
		goal = 0
	}
	if late, ok := ctx.Deadline(); ok && j.Line != nil {
		j.Line.Ends = late
	}
	work := func() func(context.Context, uint32) (*sample.Game, error) {
		p := newPlayer(&j.Settings)
		return func(ctx context.Context, i uint32) (*sample.Game, error) {
			return p.game(ctx, uint32(j.Shard.Number(int(i))))
		}
	}
	err = inorder.Run(ctx, j.Workers, file.games, uint32(end), work, func(_ uint32, g *sample.Game) error {
		if err := file.write(g); err != nil {
			return err
		}
		j.Line.Step("games", int(file.games), goal, int(file.games)-before)
		return spent.save(saveEvery)
	})
	j.Line.End()
	if e := spent.save(0); err == nil {
		err = e
	}
	if j.Within > 0 && errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return 0, 0, err // the deferred function sets the numbers
}

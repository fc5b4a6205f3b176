// Package selfplay makes training data: games of the engine against itself, with the result
// of the search of every position.
//
// A game depends on the seed, its number, the settings and the engine, and games are
// written in the order of their numbers: the same command makes the same bytes, with any
// number of workers, and however often it was killed and started again. Files joined by cat
// are a file too, but only merge drops games that occur twice.
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

	"tengen/brain/record"
	"tengen/brain/search"
	"tengen/cmd/internal/decks"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/inorder"
	"tengen/cmd/internal/progress"
)

// Endless is the number of games of a run that only its time ends.
const Endless = math.MaxInt32

const synopsis = `learn selfplay -o FILE [FLAGS]                    games of the engine against itself
learn selfplay openings [FLAGS] > FILE            balanced openings
learn selfplay info FILE...                       what files of games hold
learn selfplay merge -o FILE [FLAGS] FILE...      join files, no game twice
learn selfplay convert -o FILE [FLAGS] FILE...    from and to .tgs, .bin and .binpack
Each has its own -help. The flags of the first:`

// Run runs the command line after "learn selfplay".
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return runGames(ctx, args, stdout, stderr)
	}
	switch command, rest := args[0], args[1:]; command {
	case "openings":
		return runOpenings(ctx, rest, stdout, stderr)
	case "info":
		return runInfo(rest, stdout)
	case "merge":
		return runCopy(command, true, rest, stdout, stderr)
	case "convert":
		return runCopy(command, false, rest, stdout, stderr)
	default:
		return flags.Usage("unknown command %q, want openings, info, merge, convert or flags", command)
	}
}

// A Job is games to be played into a file.
type Job struct {
	Settings
	File    string
	Games   int           // in the file at the end, those of earlier runs included
	Within  time.Duration // of all runs together; 0 for no limit
	Workers int
	Line    *progress.Line                   // may be nil
	Note    func(format string, args ...any) // is told what the user should know
}

// runGames plays games into a file until it holds as many as asked for or the time is over.
func runGames(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flags.New("selfplay")
	j := Job{Settings: Default(), Games: 100, Workers: runtime.GOMAXPROCS(0)}
	j.add(fs)
	fs.StringVar(&j.File, "o", "", "`FILE` of games, .tgs; one that exists is continued")
	flags.Number(fs, &j.Games, "games", 1, Endless, "`NUMBER` of games in the file at the end; with -for it may be left out")
	fs.DurationVar(&j.Within, "for", 0, "`TIME` to play in all, that of earlier starts included, as 90s or 2h30m; unfinished games are dropped")
	openings := fs.String("openings", "", "`FILE` of openings in pos or offset notation, one a line; without it they are made")
	flags.Number(fs, &j.Nodes, "nodes", 1, math.MaxInt64, "`NODES` of a search")
	flags.Number(fs, &j.Openings.Check, "check", 1, math.MaxInt64, "`NODES` of the search that decides whether an opening made here is balanced (default twice -nodes)")
	flags.Number(fs, &j.Random, "random", 0, math.MaxInt32, "`PLIES` behind the opening of which every fourth may be random")
	flags.Number(fs, &j.Spread, "spread", 0, int(search.Win), "`POINTS` that such a move may be worse than the best")
	flags.Number(fs, &j.DrawAfter, "drawafter", -1, math.MaxInt32, "a draw when so many `STONES` are on the board, 0 for a full board, -1 for 60% of the cells but at least 120")
	fs.BoolVar(&j.PlayOut, "playout", false, "play to the five; else a game ends where the side to move has a proven win")
	flags.Concurrency(fs, &j.Workers)
	quiet := false
	flags.Quiet(fs, &quiet)
	if err := flags.Parse(fs, args, stdout, synopsis, 0, 0, ""); err != nil {
		return err
	}
	given := flags.Given(fs)
	if given["for"] && !given["games"] {
		j.Games = Endless
	}
	switch {
	case j.File == "":
		return flags.Usage("-o FILE is missing")
	case given["for"] && j.Within <= 0:
		return flags.Usage("-for %v: want a time", j.Within)
	}
	if *openings != "" {
		var err error
		if j.deck, err = decks.Read(*openings, j.Rule, j.Width, j.Height); err != nil {
			return err
		}
		j.digest = decks.Digest(j.deck)
	}
	j.Line = progress.New(stderr, quiet)
	j.Note = func(format string, args ...any) { fmt.Fprintf(stderr, "learn selfplay: "+format+"\n", args...) }
	_, _, err := j.Play(ctx)
	return err
}

// Play plays games until the file holds as many as asked for, the time is over or ctx ends.
// It returns how many games and positions with a value the file holds in the end, also with
// the error of ctx.
func (j *Job) Play(ctx context.Context) (games, positions int, err error) {
	if err := j.finish(); err != nil {
		return 0, 0, err
	}
	file, err := openSamples(j.File, &j.Settings, j.Note)
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
	before, goal := int(file.games), j.Games
	if goal == Endless {
		goal = 0
	}
	if end, ok := ctx.Deadline(); ok && j.Line != nil {
		j.Line.Ends = end
	}
	work := func() func(context.Context, uint32) (*record.SampleGame, error) { return newPlayer(&j.Settings).game }
	err = inorder.Run(ctx, j.Workers, file.games, uint32(j.Games), work, func(_ uint32, g *record.SampleGame) error {
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
	return 0, 0, err // the deferred function tells the numbers
}

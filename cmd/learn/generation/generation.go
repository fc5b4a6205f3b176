// Package generation makes new networks: the engine plays itself, a network is trained on the
// games, and a match compares the new with the old.
//
// All files are in the directory -dir: start.tnn (the network that the run starts from, if any),
// gen1-freestyle.tgs (games), .tnn (network), .tnn.svg (losses), .tnn.checkpoint (during the
// training), .log (its output), .pos (openings of the match), .jsonl (its games), and
// state.checkpoint, the state of the run. The same command continues a run that was killed and
// prints the results of one that is finished.
package generation

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"time"

	"tengen/cmd/internal/flags"
)

// settings are the flags of the command.
type settings struct {
	flags.Board
	dir         string
	start       string        // engine, hand or a file
	within      time.Duration // 0 for no limit
	generations int
	nodes       int64
	games       int // of self-play
	match       int // games
	seed        uint64
	workers     int
	quiet       bool
}

// Defaults and limits.
const (
	defaultGames = 20000
	defaultMatch = 400
	defaultNodes = 2000
	shortNodes   = 500 // with -for

	// fewestGames is the least number of games to train on. Fewer have too few positions for a
	// batch, or none of them is for validation.
	fewestGames = 150
)

// Run runs the command line after "learn generation".
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parse(args, stdout)
	if err != nil {
		return err
	}
	return generate(ctx, s, stdout, stderr)
}

const synopsis = `usage: learn generation [flags]

Plays games, trains a network on them and plays a match of new against old at the same number
of nodes a move.`

// parse reads the command line.
func parse(args []string, stdout io.Writer) (*settings, error) {
	s := &settings{seed: 1, generations: 1, games: defaultGames, match: defaultMatch, nodes: defaultNodes, workers: runtime.GOMAXPROCS(0)}
	fs := flags.New("generation")
	s.Board.Add(fs)
	fs.StringVar(&s.dir, "dir", "gen", "`DIRECTORY` of all files; a run that is there is continued")
	flags.Duration(fs, &s.within, "for", "total `TIME`, including that before a restart, such as 30m, instead of -games and -match: 45% for the games, then the training, the rest for the match; a longer one continues a run whose match has not begun (default no limit)")
	flags.Number(fs, &s.generations, "generations", 1, math.MaxInt32, "`NUMBER` of generations; each starts from the network of the one before and trains on the games of all")
	flags.Number(fs, &s.games, "games", fewestGames, math.MaxInt32-1, "`NUMBER` of games of self-play in a generation")
	flags.Number(fs, &s.match, "match", 2, math.MaxInt32, "even `NUMBER` of games in the match of new against old")
	flags.Number(fs, &s.nodes, "nodes", 1, math.MaxInt64, fmt.Sprintf("`NODES` of a search, %d by default with -for", shortNodes))
	flags.Seed(fs, &s.seed, "`SEED` of the random numbers; use a different one on each machine")
	fs.StringVar(&s.start, "start", "", "start from engine, its own network, hand, tables set by hand, or the network in a `FILE` (default engine; with -for, hand)")
	flags.Concurrency(fs, &s.workers, "games, and of goroutines that train,")
	flags.Quiet(fs, &s.quiet)
	if err := flags.Parse(fs, args, stdout, synopsis, flags.Operands{}); err != nil {
		return nil, err
	}
	given := flags.Given(fs)
	switch {
	case given["for"] && s.within <= 0:
		return nil, flags.Usage("-for %v: want a positive time", s.within)
	case given["for"] && (given["games"] || given["match"]):
		return nil, flags.Usage("-for excludes -games and -match")
	case s.dir == "":
		return nil, flags.Usage("-dir is empty")
	case s.match%2 != 0:
		return nil, flags.Usage("-match %d: want an even number", s.match)
	}
	if s.within > 0 && !given["nodes"] {
		s.nodes = shortNodes
	}
	if s.start == "" {
		s.start = "engine"
		if s.within > 0 {
			s.start = "hand"
		}
	}
	return s, nil
}

// String describes the settings that cannot change when a run is continued. The time may, and
// without -for the number of generations.
func (s *settings) String() string {
	text := fmt.Sprintf("rule=%d size=%dx%d nodes=%d seed=%d start=%s", s.Rule, s.Width, s.Height, s.nodes, s.seed, s.start)
	if s.within > 0 {
		return text + fmt.Sprintf(" for generations=%d", s.generations)
	}
	return text + fmt.Sprintf(" games=%d match=%d", s.games, s.match)
}

// Seeds of games and of openings of matches differ in all generations, so that no match is
// played on openings of the training games. A part is the number of the openings before.
func (s *settings) playSeed(g int) uint64 { return s.seed + uint64(2*g)<<32 }
func (s *settings) matchSeed(g, part int) uint64 {
	return s.seed + uint64(2*g+1)<<32 + uint64(part)<<48
}

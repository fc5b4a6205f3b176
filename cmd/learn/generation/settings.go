package generation

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"time"

	"tengen/brain/board"
	"tengen/cmd/internal/flags"
)

// settings are what the command line says.
type settings struct {
	dir         string
	start       string // tables to begin with: default, hand, zero or a file
	minutes     float64
	generations int
	rule, size  int
	nodes       int64
	games       int // of self-play
	match       int // games
	seed        uint64
	workers     int
	quiet       bool
	wait        time.Duration // for another process that uses the folder
}

// What is taken where the command line says nothing.
const (
	wholeGames, wholeMatch, wholeNodes = 20000, 400, 2000
	minuteNodes                        = 500 // of a run that minutes limit
)

// ruleNames are the rules to learn for, by what the files are called.
var ruleNames = map[int]string{0: "freestyle", 1: "standard", 4: "renju", 8: "caro", 9: "exact-caro"}

// parse reads the command line; asked for help it prints the flags on stdout.
func parse(args []string, stdout io.Writer) (*settings, error) {
	s := &settings{wait: 5 * time.Second}
	fs := flag.NewFlagSet("generation", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&s.dir, "dir", "gen", "`FOLDER` where everything lies; a run that is there goes on")
	fs.Float64Var(&s.minutes, "minutes", 0, "`TIME` for all of it, of which 45% go to the games, about 10% to the training and the rest to the match; instead of -games and -match")
	fs.IntVar(&s.generations, "generations", 1, "`NUMBER` of generations, each with the tables of the one before and with the games of all")
	fs.IntVar(&s.games, "games", wholeGames, "`NUMBER` of games that a generation learns from")
	fs.IntVar(&s.match, "match", wholeMatch, "games of the match of new against old, an even `NUMBER`")
	fs.Int64Var(&s.nodes, "nodes", 0, fmt.Sprintf("`NODES` of a search, in the games and in the match (default %d, with -minutes %d)", wholeNodes, minuteNodes))
	fs.IntVar(&s.rule, "rule", 0, "`RULE` of the protocol: 0 freestyle, 1 exactly five, 4 renju, 8 caro, 9 caro exactly five")
	fs.IntVar(&s.size, "size", 15, fmt.Sprintf("`CELLS` of a side, %d to %d", board.MinSize, board.MaxSize))
	fs.Uint64Var(&s.seed, "seed", 1, "`NUMBER` that decides all chances")
	fs.StringVar(&s.start, "start", "", "tables to begin with: default, those of the engine; hand, set by hand; zero; or a `FILE` (default default, with -minutes hand: there is more to learn)")
	fs.IntVar(&s.workers, "concurrency", runtime.GOMAXPROCS(0), "games at the same time, and processors of the trainer")
	fs.BoolVar(&s.quiet, "quiet", false, "no progress on standard error")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, "generation [-minutes N] [FLAGS]\n")
		fs.SetOutput(stdout)
		fs.PrintDefaults()
		return nil, err
	case err != nil:
		return nil, flags.Usage("%v", err)
	}
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch {
	case fs.NArg() > 0:
		return nil, flags.Usage("what is %q?", fs.Arg(0))
	case given["minutes"] && !(s.minutes > 0 && s.minutes <= 1e6):
		return nil, flags.Usage("-minutes %g: want more than 0", s.minutes)
	case given["minutes"] && (given["games"] || given["match"]):
		return nil, flags.Usage("-minutes decides how many games there are: leave out -games and -match")
	case s.dir == "":
		return nil, flags.Usage("-dir is empty")
	case s.generations < 1:
		return nil, flags.Usage("-generations %d: want 1 or more", s.generations)
	case s.games < 1:
		return nil, flags.Usage("-games %d: want 1 or more", s.games)
	case s.match < 2 || s.match%2 != 0:
		return nil, flags.Usage("-match %d: want an even number", s.match)
	case given["nodes"] && s.nodes < 1:
		return nil, flags.Usage("-nodes %d: want 1 or more", s.nodes)
	case ruleNames[s.rule] == "":
		return nil, flags.Usage("-rule %d: want 0, 1, 4, 8 or 9", s.rule)
	case s.size < board.MinSize || s.size > board.MaxSize:
		return nil, flags.Usage("-size %d: want %d to %d", s.size, board.MinSize, board.MaxSize)
	case s.workers < 1 || s.workers > 1024:
		return nil, flags.Usage("-concurrency %d: want 1 to 1024", s.workers)
	}
	nodes, start := int64(wholeNodes), "default"
	if s.minutes > 0 {
		nodes, start = minuteNodes, "hand"
	}
	if s.nodes == 0 {
		s.nodes = nodes
	}
	if s.start == "" {
		s.start = start
	}
	return s, nil
}

// String tells what must be the same for a run to go on. More generations may be wanted
// of a run without a limit, later.
func (s *settings) String() string {
	text := fmt.Sprintf("rule=%d size=%d nodes=%d seed=%d start=%s", s.rule, s.size, s.nodes, s.seed, s.start)
	if s.minutes > 0 {
		return text + fmt.Sprintf(" minutes=%g generations=%d", s.minutes, s.generations)
	}
	return text + fmt.Sprintf(" games=%d match=%d", s.games, s.match)
}

// drawAfter is when a game is a draw, in stones, as selfplay has it; 0 for a full board.
func (s *settings) drawAfter() int {
	if n := max(120, s.size*s.size*6/10); n < s.size*s.size {
		return n
	}
	return 0
}

// Seeds of games and of openings of a match lie apart for all generations, so that none
// is judged on openings that it has learned from.
func (s *settings) playSeed(g int) string  { return strconv.FormatUint(s.seed+uint64(2*g)<<32, 10) }
func (s *settings) matchSeed(g int) string { return strconv.FormatUint(s.seed+uint64(2*g+1)<<32, 10) }

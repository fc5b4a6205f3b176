// Package tune finds better numbers for the search: SPSA over search.Params.Tunables. Both sets
// of an iteration play inside this process, through brain/search, so that the engine
// itself needs no way to set them.
//
//	learn tune -params ReduceScale,ReduceCut -iterations 2000 -openings f15.txt -state run.jsonl -svg run.svg
//	learn tune show -svg run.svg run.jsonl
//	learn tune match -state run.jsonl -pairs 1000 -nodes 20000 -openings other.txt
//
// The first form tunes, and the same command goes on where a state was cut short; with a
// limit of nodes it ends with the same values as if it had not been. The second form
// shows a state, also while it is written. The third plays the tuned set against
// Defaults; its openings should be others.
//
// Results go to standard output, chatter to standard error. The exit status is 0 when all
// was played, 1 when something failed, 2 for a bad command line, 130 after a signal.
package tune

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"tengen/brain/board"
	"tengen/brain/search"
	"tengen/cmd/internal/flags"
)

// Run obeys the command line behind "learn tune".
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	switch {
	case len(args) > 0 && args[0] == "match":
		return runMatch(ctx, args[1:], stdout, stderr)
	case len(args) > 0 && args[0] == "show":
		return runShow(args[1:], stdout)
	}
	return runTune(ctx, args, stdout, stderr)
}

func newFlags(name string) *flag.FlagSet { return flag.NewFlagSet(name, flag.ContinueOnError) }

// parse turns what is wrong with flags into a usage error; asked for help it prints them.
func parse(fs *flag.FlagSet, args []string, stdout io.Writer) error {
	fs.SetOutput(io.Discard)
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fs.SetOutput(stdout)
		fs.PrintDefaults()
		return err
	}
	if err != nil {
		return flags.Usage("%v", err)
	}
	return nil
}

func noArguments(fs *flag.FlagSet) error {
	if fs.NArg() > 0 {
		return flags.Usage("%q is no flag; try -help", fs.Arg(0))
	}
	return nil
}

// common are the flags of all games.
type common struct {
	conditions
	path    string // of the openings
	seed    uint64
	workers int
	quiet   bool
}

const defaultNodes = 4000

func (o *common) add(fs *flag.FlagSet) {
	fs.IntVar(&o.Rule, "rule", 0, "`RULE` of the protocol: 0 freestyle, 1 exactly five, 4 renju, 8 caro, 9 caro exactly five")
	fs.IntVar(&o.Size, "size", 15, "`CELLS` of a side, 5 to 22")
	fs.StringVar(&o.path, "openings", "", "`FILE` of openings in pos or offset notation, one a line; needed")
	fs.Int64Var(&o.Nodes, "nodes", 0, fmt.Sprintf("`NODES` of each move (%d if there is no -time)", defaultNodes))
	fs.DurationVar(&o.Time, "time", 0, "`TIME` of each move instead, as in 50ms")
	fs.IntVar(&o.Table, "table", 8, "`MIB` of the table of each player; two players for each pair at once")
	fs.BoolVar(&o.Adjudicate, "adjudicate", true, "end a game when one side has proved a win and the other its loss")
	fs.IntVar(&o.DrawAfter, "drawafter", 0, "a draw when so many `STONES` are on the board, 0 for never")
	fs.Uint64Var(&o.seed, "seed", 1, "`NUMBER` that decides everything left to chance")
	fs.IntVar(&o.workers, "concurrency", 1, "`PAIRS` played at the same time")
	fs.BoolVar(&o.quiet, "quiet", false, "no progress")
}

// check reads the openings and returns them with their digest.
func (o *common) check() (*openings, string, error) {
	rule := board.Rule(o.Rule)
	switch {
	case o.Rule < 0 || o.Rule > 15 || !rule.Valid() || rule&board.Continuous != 0:
		return nil, "", flags.Usage("-rule %d is none of 0, 1, 4, 8, 9", o.Rule)
	case o.Size < board.MinSize || o.Size > board.MaxSize:
		return nil, "", flags.Usage("-size %d is not between %d and %d", o.Size, board.MinSize, board.MaxSize)
	case o.Nodes < 0 || o.Time < 0:
		return nil, "", flags.Usage("-nodes and -time are not negative")
	case o.Nodes > 0 && o.Time > 0:
		return nil, "", flags.Usage("-nodes and -time exclude each other")
	case o.Table < 1 || o.Table > 1<<16:
		return nil, "", flags.Usage("-table %d is not between 1 and %d", o.Table, 1<<16)
	case o.DrawAfter < 0:
		return nil, "", flags.Usage("-drawafter %d is negative", o.DrawAfter)
	case o.workers < 1 || o.workers > 1024:
		return nil, "", flags.Usage("-concurrency %d is not between 1 and 1024", o.workers)
	case o.path == "":
		return nil, "", flags.Usage("-openings is needed: a file of openings")
	}
	if o.Nodes == 0 && o.Time == 0 {
		o.Nodes = defaultNodes
	}
	all, digest, err := readOpenings(o.path, rule, o.Size)
	if err != nil {
		return nil, "", flags.Usage("-openings: %v", err)
	}
	return &openings{all: all, size: o.Size, seed: o.seed}, digest, nil
}

// choose finds numbers of p by their names, separated by commas; all for "".
func choose(p *search.Params, names string) ([]parameter, error) {
	var all, list []parameter
	var known []string
	for _, t := range p.Tunables() {
		all = append(all, parameter{t.Name, *t.Value, t.Min, t.Max, t.Step})
		known = append(known, t.Name)
	}
	if names == "" {
		return all, nil
	}
	used := map[string]bool{}
next:
	for _, name := range strings.Split(names, ",") {
		name = strings.TrimSpace(name)
		if used[name] {
			return nil, fmt.Errorf("%s is named twice", name)
		}
		used[name] = true
		for _, q := range all {
			if strings.EqualFold(q.Name, name) {
				list = append(list, q)
				continue next
			}
		}
		return nil, fmt.Errorf("no number is called %q; there are %s", name, strings.Join(known, ", "))
	}
	return list, nil
}

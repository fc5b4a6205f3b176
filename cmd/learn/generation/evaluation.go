package generation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"tengen/brain/atomicfile"
	"tengen/brain/eval"
	"tengen/brain/search"
	"tengen/cmd/internal/evalflags"
	"tengen/cmd/internal/flags"
	"tengen/cmd/learn/match"
	"tengen/cmd/learn/network"
	"tengen/cmd/learn/tables"
)

// The endings of files of tables and of networks.
const (
	tablesEnding  = "tab"
	networkEnding = "tnn"
)

// A kind is what a run trains.
type kind struct {
	noun, option, dir, ending string

	// Shares of the time of a generation with -for. The training has no share of its own, and
	// the match gets the rest. Tables train for seconds where games take minutes, a network for
	// .28 of the time of the games on two cores (2.4 million positions, 2026-11); it may take as
	// long as they do.
	playShare  float64
	matchShare float64 // of the rest, if a game of the match takes as long as one of self-play
}

// kind returns what the run trains. The shares were set 2026-11; the games before a network is
// trained may be played by tables, which takes less time.
func (s *settings) kind() kind {
	if s.network {
		return kind{"network", "-net", "networks", networkEnding, 0.4, 0.4}
	}
	return kind{"tables", "-tables", "tables", tablesEnding, 0.45, 0.6}
}

// ending is the ending of the files that the run trains.
func (s *settings) ending() string { return s.kind().ending }

// startFile is the file that the run starts from, in its directory, unless that is the engine
// with its tables.
func (s *settings) startFile() string {
	if s.network && s.start == "engine" || filepath.Ext(s.start) == "."+networkEnding {
		return "start." + networkEnding
	}
	return "start." + tablesEnding
}

// copyStart copies what the run starts from into its directory.
func (r *generator) copyStart() error {
	if r.start == "engine" && !r.network {
		return nil
	}
	name := r.file(r.startFile())
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	raw, err := r.startData()
	if err != nil {
		return flags.Usage("-start: %v", err)
	}
	return atomicfile.Write(name, raw)
}

// startData returns the content of the file that the run starts from.
func (r *generator) startData() ([]byte, error) {
	if filepath.Ext(r.startFile()) == "."+tablesEnding {
		t, err := tables.Start(r.start, r.Rule)
		if err != nil {
			return nil, err
		}
		return t.Save(nil)
	}
	if !r.network {
		return nil, fmt.Errorf("%s: tables cannot start from a network", r.start)
	}
	if r.start == "engine" {
		return eval.NetworkFile(r.Rule), nil
	}
	n, err := evalflags.LoadNetwork(r.start)
	if err != nil {
		return nil, err
	}
	if n.Rule() != r.Rule {
		return nil, fmt.Errorf("%s is for rule %d, not %d", r.start, n.Rule(), r.Rule)
	}
	return os.ReadFile(r.start)
}

// old returns what generation n starts from: a file, or engine for the engine's tables.
func (r *generator) old(n int) string {
	switch {
	case n > 0:
		return r.name(n-1, r.ending())
	case r.start == "engine" && !r.network:
		return r.start
	}
	return r.file(r.startFile())
}

// player returns the engine with the tables or the network of that name.
func (r *generator) player(name string) (match.Player, error) {
	p := match.Player{Params: search.DefaultParams()}
	if filepath.Ext(name) != "."+networkEnding {
		t, err := tables.Start(name, r.Rule)
		if err != nil {
			return p, err
		}
		p.Evaluation = eval.ByTables(t)
		return p, nil
	}
	n, err := evalflags.LoadNetwork(name)
	if err != nil {
		return p, err
	}
	p.Evaluation = eval.ByTables().WithNetworks(n)
	return p, nil
}

// A trained is the result of the training in a generation: just one of the two.
type trained struct {
	Tables  *tables.Result  `json:"tables,omitempty"`
	Network *network.Result `json:"network,omitempty"`
}

// String returns the losses and what they come from.
func (t *trained) String() string {
	if n := t.Network; n != nil {
		return fmt.Sprintf("loss of values in validation %.4f beyond that of the targets, best move first in %.1f%%; %d games (%d for validation), %d positions",
			n.Value, 100*n.First, n.Games, n.Validation, n.Positions)
	}
	r := t.Tables
	return fmt.Sprintf("validation loss %.5f before, %.5f after; %d games (%d for validation), %d positions for values, %d for the order of moves",
		r.Before, r.After, r.Games, r.Validation, r.Values, r.MoveChoices)
}

// fit trains on the games of generations up to n. Its messages go to log.
func (r *generator) fit(ctx context.Context, n int, log io.Writer) (*trained, error) {
	var games []string
	for i := n; i >= 0; i-- {
		games = append(games, r.name(i, "tgs"))
	}
	out, start := r.name(n, r.ending()), r.old(n)
	if !r.network {
		o := tables.Default()
		o.Files, o.Out, o.Rule, o.Start, o.Workers = games, out, int(r.Rule), start, r.workers
		o.Seed(r.seed)
		result, err := o.Fit(ctx, log, log)
		return &trained{Tables: result}, err
	}
	o := network.Default()
	o.Files, o.Out, o.Rule, o.Threads = games, out, int(r.Rule), r.workers
	if filepath.Ext(start) == "."+networkEnding {
		o.Start = start
	}
	o.Seed(r.seed)
	result, err := o.Fit(ctx, log, nil)
	return &trained{Network: result}, err
}

// train trains tables or a network in generation n.
func (r *generator) train(ctx context.Context, n int, g *generation) error {
	if g.Trained != nil {
		return nil
	}
	r.say(n, "training")
	log, err := os.OpenFile(r.name(n, "log"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	var result *trained
	err = r.do(ctx, g.Ends, &g.Train, func(ctx context.Context) (err error) {
		result, err = r.fit(ctx, n, log)
		return err
	})
	switch {
	case errors.Is(err, errTime):
		err = errors.New("no time is left for the training: a longer -for is needed")
	case err == nil:
		g.Trained = result
	}
	return errors.Join(err, log.Close())
}

// advise says how to use what generation n has trained.
func (r *generator) advise(line func(what, format string, args ...any), n int) {
	k, name := r.kind(), r.name(n, r.ending())
	line(k.noun, "%s; losses %s, games of the match %s", name, name+".svg", r.name(n, "jsonl"))
	line("to try", "pbrain-tengen %s %s", k.option, name)
	use := ""
	if !r.network {
		use = "; it plays by them with -net none"
	}
	line("to build in", "cp %s brain/eval/%s/%s.%s, then go build%s", name, k.dir, r.Rule.FileName(), r.ending(), use)
}

package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/cmd/internal/decks"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/flags"
)

// synopses precede the flags in the help of each command.
var synopses = map[string]string{
	"arena": `Play a match, and use its journal. Each command has its own -help.
  arena -engine name=NAME,cmd=COMMAND,... -engine ... [-journal FILE] [FLAGS]
  arena report JOURNAL...                     an HTML page with every game
  arena merge [-o FILE] JOURNAL...            joins the journals of shards
  arena export [-sgf FILE] [-psq DIR] JOURNAL...
  arena suite -engine ... POSITIONS...        positions with a proven win

` + engineHelp,
	"report": "arena report JOURNAL...     an HTML page with every game, on standard output\n",
	"merge":  "arena merge [FLAGS] JOURNAL...\n",
	"export": "arena export [FLAGS] JOURNAL...\n",
	"suite":  "arena suite -engine ... [FLAGS] POSITIONS...\n\n" + engineHelp,
}

// parse parses the flags of a command; any number of arguments may follow them.
func parse(fs *flag.FlagSet, args []string, stdout io.Writer) error {
	return flags.Parse(fs, args, stdout, synopses[fs.Name()], 0, math.MaxInt, "")
}

// options are the flags of a match that do not decide which games it consists of.
type options struct {
	journal string
	shard   shard
	workers int
	quiet   bool
}

// parseMatch reads the command line of a match.
func parseMatch(args []string, stdout io.Writer) (*settings, *options, error) {
	fs := flags.New("arena")
	s, o := &settings{Rounds: 1}, &options{workers: 1}
	engines := engineFlags(fs)
	var place flags.Board
	place.Add(fs)
	openings := fs.String("openings", "", "`FILE` of openings in pos or offset notation, one a line (default the empty board)")
	fs.StringVar(&s.Order, "order", "sequential", "`ORDER` of openings: sequential or random")
	fs.Uint64Var(&s.Seed, "seed", 1, "`NUMBER` that decides the random order")
	fs.BoolVar(&s.Symmetries, "symmetries", false, "turn and mirror the openings when all have been played (default off)")
	fs.IntVar(&s.Games, "games", 2, "even `NUMBER` of games of each pair of engines, with -sprt alone until decided; more extend a match of two engines")
	flags.Number(fs, &s.Rounds, "rounds", 1, 1_000_000, "`NUMBER` of times everything is repeated; more extend a match of any engines")
	fs.BoolVar(&s.Gauntlet, "gauntlet", false, "the first engine against all others (default all against all)")
	flags.Number(fs, &s.DrawAfter, "drawafter", 0, math.MaxInt32, "a draw when so many `STONES` are on the board (default 0, never)")
	flags.Concurrency(fs, &o.workers)
	fs.Func("sprt", "stop when decided: `elo0=..,elo1=..,alpha=..,beta=..,model=logistic|normalised` (default never; 0, 5, 0.05, 0.05, logistic if left out)", func(text string) (err error) {
		s.SPRT, err = parseSPRT(text)
		return err
	})
	fs.StringVar(&o.journal, "journal", "", "`FILE` that records every game; the same command continues it (default none)")
	fs.Func("shard", "play part `i/n` of the games; i counts from 0 or 1 (default all)", func(text string) (err error) {
		o.shard, err = parseShard(text)
		return err
	})
	flags.Quiet(fs, &o.quiet)
	err := flags.Parse(fs, args, stdout, synopses["arena"], 0, 0, "")
	if err == nil {
		err = place.Square()
	}
	if err != nil {
		return nil, nil, err
	}
	s.Rule, s.Size = int(place.Rule), place.Width
	if s.Engines, err = engines.build(); err != nil {
		return nil, nil, flags.Usage("%v", err)
	}
	given := flags.Given(fs)
	if s.SPRT != nil && !given["games"] && !given["rounds"] {
		s.Games = endlessGames
	}
	if err := s.check(); err != nil {
		return nil, nil, flags.Usage("%v", err)
	}
	if err := s.readOpenings(*openings); err != nil {
		return nil, nil, flags.Usage("-openings: %v", err)
	}
	if o.shard.of > 1 && s.endless() {
		return nil, nil, flags.Usage("-shard with -sprt needs -games: a shard does not know when the test has decided")
	}
	return s, o, nil
}

func (s *settings) check() error {
	switch {
	case len(s.Engines) < 2:
		return fmt.Errorf("%d engines given, a match needs two: -engine name=...,cmd=...", len(s.Engines))
	case s.Order != "sequential" && s.Order != "random":
		return fmt.Errorf("-order %q is neither sequential nor random", s.Order)
	case s.Games < 2 || s.Games%2 != 0 || s.Games > 10_000_000:
		return fmt.Errorf("-games %d is not a positive even number", s.Games)
	case s.SPRT != nil && len(s.Engines) != 2:
		return fmt.Errorf("-sprt needs exactly two engines, not %d", len(s.Engines))
	}
	return nil
}

// readOpenings fills s.Openings from a file, or leaves the empty board. Settings without
// effect are cleared, so that they do not change the identity of the match.
func (s *settings) readOpenings(path string) error {
	if path == "" || s.Order == "sequential" {
		s.Order, s.Seed = "", 0
	}
	if path == "" {
		s.Symmetries = false
		return nil
	}
	all, err := decks.Read(path, board.Rule(s.Rule), s.Size, s.Size)
	if err != nil {
		return err
	}
	for i, moves := range all {
		if s.DrawAfter > 0 && len(moves) >= s.DrawAfter {
			return fmt.Errorf("%s: opening %d has %d stones, -drawafter %d leaves no game", path, i+1, len(moves), s.DrawAfter)
		}
		s.Openings = append(s.Openings, record.FormatMoves(moves))
	}
	return nil
}

func parseSPRT(text string) (*elo.SPRT, error) {
	t := &elo.SPRT{Elo1: 5, Alpha: 0.05, Beta: 0.05}
	list, err := parseSettings(text)
	if err != nil {
		return nil, err
	}
	numbers := map[string]*float64{"elo0": &t.Elo0, "elo1": &t.Elo1, "alpha": &t.Alpha, "beta": &t.Beta}
	for _, kv := range list {
		switch number := numbers[kv.key]; {
		case number != nil:
			if *number, err = strconv.ParseFloat(kv.value, 64); err != nil {
				return nil, fmt.Errorf("%s=%s is not a number", kv.key, kv.value)
			}
		case kv.key != "model":
			return nil, fmt.Errorf("there is no setting %q", kv.key)
		case kv.value == "normalised" || kv.value == "normalized":
			t.Normalised = true
		case kv.value != "logistic":
			return nil, fmt.Errorf("model %q is neither logistic nor normalised", kv.value)
		}
	}
	return t, t.Check()
}

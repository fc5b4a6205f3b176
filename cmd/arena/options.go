package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/openings"
)

// synopses come before the flags in the help of each command.
var synopses = map[string]string{
	"arena": `usage: arena -engine ENGINE -engine ENGINE [-journal FILE] [flags]
       arena report JOURNAL...            writes an HTML page with every game
       arena merge [flags] JOURNAL...     joins the journals of shards
       arena export [flags] JOURNAL...    writes the games as SGF, Piskvork records, PGN or samples
       arena suite [flags] POSITIONS...   counts the proven wins that engines find
       arena check [flags] ENGINE|ZIP     tests an engine before it is sent to Gomocup
       arena version                      prints name, version and commit

Plays matches between engines. Each command has its own -help.

` + engineHelp,
	"report": "usage: arena report JOURNAL...\n\nWrites an HTML page with every game to standard output.",
	"check":  checkSynopsis,
	"merge":  "usage: arena merge [flags] JOURNAL...\n\nPrints the result of all journals of a match.",
	"export": `usage: arena export [flags] JOURNAL...

Writes the games in the formats of other programs. PGN has players and results, without the moves. Samples
have the moves with the values that the engines gave, each in its own unit; games that an engine lost
by a failure are left out.`,
	"suite": "usage: arena suite -engine ENGINE [flags] POSITIONS...\n\nCounts the positions with a proven win that engines solve.\n\n" + engineHelp,
}

// parseMixed parses the command line of a command whose flags may also follow its files, and
// returns the files.
func parseMixed(fs *flag.FlagSet, args []string, stdout io.Writer, operands flags.Operands) (files []string, err error) {
	for {
		if err := flags.Parse(fs, args, stdout, synopses[fs.Name()], operands); err != nil {
			return nil, err
		}
		if fs.NArg() == 0 {
			return files, nil
		}
		files, args, operands.Least = append(files, fs.Arg(0)), fs.Args()[1:], 0
	}
}

// options are the flags of a match that do not change its games.
type options struct {
	journal string
	log     string
	watch   string
	shard   flags.Shard
	workers int
	quiet   bool
}

// parseMatch parses the command line of a match.
func parseMatch(args []string, stdout io.Writer) (*settings, *options, error) {
	fs := flags.New("arena")
	s, o := &settings{Rounds: 1, Games: 2, Seed: 1}, &options{workers: 1}
	engines := engineFlags(fs)
	var place flags.Board
	place.AddContinuous(fs)
	openings := fs.String("openings", "", "`FILE` of openings: one a line in pos or offset notation, or games as SGF, .psq, RenLib or text; - for standard input (default the empty board)")
	fs.Func("opening", "opening `RULE` by which the engines choose stones and colors: swap, swap2, rif, soosyrv-8, taraguchi-10, yamaguchi, pro or long-pro (default none)", func(text string) (err error) {
		s.Opening, err = parseOpening(text)
		return err
	})
	fs.StringVar(&s.Order, "order", "sequential", "`ORDER` of openings: sequential or random")
	flags.Seed(fs, &s.Seed, "`SEED` of the random order")
	fs.BoolVar(&s.Symmetries, "symmetries", false, "rotate and mirror the openings after all have been played (default off)")
	flags.Number(fs, &s.Games, "games", 2, 10_000_000, "even `NUMBER` of games for each pair of engines; with -sprt the default is to play until decided; a higher number extends a match of two engines")
	flags.Number(fs, &s.Rounds, "rounds", 1, 1_000_000, "`NUMBER` of repetitions of the whole schedule; a higher number extends any match")
	fs.BoolVar(&s.Gauntlet, "gauntlet", false, "play the first engine against all others (default all against all)")
	flags.Number(fs, &s.DrawAfter, "drawafter", 0, math.MaxInt32, "end a game as a draw at this number of `STONES`, or count the rows of a continuous game, 0 for a full board (default 0)")
	fs.Func("resign", "a side that is this far behind by its own scores loses: `movecount=3,score=600,twosided=off`, moves in a row, points of the engine; with twosided=on the other side must agree (default never)", func(text string) (err error) {
		s.Resign, err = parseResign(text)
		return err
	})
	fs.Func("draw", "a game that both sides score as even is drawn: `movenumber=30,movecount=8,score=10`, from that move of each side on, moves in a row, points (default never)", func(text string) (err error) {
		s.Draw, err = parseDraw(text)
		return err
	})
	flags.Concurrency(fs, &o.workers, "games")
	fs.Func("sprt", "end the match when a sequential test decides: `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic` (these are the defaults of its settings) or model=normalised (default no test)", func(text string) (err error) {
		s.SPRT, err = parseSPRT(text)
		return err
	})
	fs.StringVar(&o.journal, "journal", "", "record every game in `FILE`; the same command resumes from it (default none)")
	fs.StringVar(&o.log, "log", "", "add every line to and from the engines to `FILE`, with the number of its game (default none)")
	fs.StringVar(&o.watch, "watch", "", "show the match in a browser at `ADDR`, HOST:PORT or :PORT (default none)")
	o.shard.Add(fs, "the games")
	flags.Quiet(fs, &o.quiet)
	err := flags.Parse(fs, args, stdout, synopses["arena"], flags.Operands{})
	if err != nil {
		return nil, nil, err
	}
	s.Rule, s.Size = int(place.Rule), place.Width
	if s.Engines, err = engines.build(); err != nil {
		return nil, nil, flags.Usage("%v", err)
	}
	if o.log != "" {
		if err := flags.CheckFiles(nil, slices.DeleteFunc([]string{o.journal, o.log}, func(name string) bool { return name == "" })); err != nil {
			return nil, nil, err
		}
	}
	given := flags.Given(fs)
	if s.SPRT != nil && !given["games"] && !given["rounds"] {
		s.Games = endlessGames
	}
	if err := s.check(); err != nil {
		return nil, nil, flags.Usage("%v", err)
	}
	if err := s.checkOpening(); err != nil {
		return nil, nil, flags.Usage("%v", err)
	}
	if s.Opening != "" && *openings != "" {
		return nil, nil, flags.Usage("-opening %s and -openings: want one of them", s.Opening)
	}
	if err := s.readOpenings(*openings); err != nil {
		return nil, nil, flags.Usage("-openings: %v", err)
	}
	if o.shard.Of > 1 && s.endless() {
		return nil, nil, flags.Usage("-shard with -sprt needs -games, since a shard cannot tell when the test has decided")
	}
	return s, o, nil
}

// check returns an error if the flags together make no match.
func (s *settings) check() error {
	switch {
	case len(s.Engines) < 2:
		return fmt.Errorf("a match needs two engines, not %d: -engine COMMAND", len(s.Engines))
	case s.Order != "sequential" && s.Order != "random":
		return fmt.Errorf("-order %q: want sequential or random", s.Order)
	case s.Games%2 != 0:
		return fmt.Errorf("-games %d: want an even number", s.Games)
	case s.SPRT != nil && len(s.Engines) != 2:
		return fmt.Errorf("-sprt needs exactly two engines, not %d", len(s.Engines))
	}
	return nil
}

// readOpenings reads s.Openings from a file; with no file games begin on the empty board. It
// clears settings without effect, so that they do not change the identity of the match.
func (s *settings) readOpenings(path string) error {
	if path == "" || s.Order == "sequential" {
		s.Order, s.Seed = "", 0
	}
	if path == "" {
		s.Symmetries = false
		return nil
	}
	all, err := openings.Read(path, board.Rule(s.Rule), s.Size, s.Size, s.DrawAfter)
	if err != nil {
		return err
	}
	for _, moves := range all {
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
			return nil, fmt.Errorf("unknown setting %q", kv.key)
		case kv.value == "normalised" || kv.value == "normalized":
			t.Normalised = true
		case kv.value != "logistic":
			return nil, fmt.Errorf("model %q: want logistic or normalised", kv.value)
		}
	}
	return t, t.Check()
}

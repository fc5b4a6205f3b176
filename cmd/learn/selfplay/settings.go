package selfplay

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strconv"
	"strings"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/record"
	"tengen/brain/search"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/resume"
)

// settings are what a game depends on, beside the engine.
type settings struct {
	rule          board.Rule
	width, height int
	nodes         int64 // of a search
	seed          uint64
	random        int // plies behind the opening that chance may choose
	spread        int // points that a move of chance may be worse than the best
	tableMiB      int64
	drawAfter     int  // stones, 0 for a full board
	playOut       bool // to the five, though a win is proved

	openings [][]board.Move // nil to make them
	source   string         // of openings, in a word
	made     maker          // how to make them

	tables []*eval.Tables // to use instead of the default ones
}

// flags declares the flags that openings and games have in common.
func (s *settings) flags(fs *flag.FlagSet) {
	s.width, s.height = 15, 15
	fs.Func("rule", "`RULE` of the protocol: 0 freestyle (default), 1 exactly five, 4 renju, 8 caro, 9 caro exactly five", func(text string) error {
		switch n, err := strconv.Atoi(text); {
		case err != nil || n < 0 || n > 9 || n == 2 || n == 3 || n > 4 && n < 8:
			return fmt.Errorf("want 0, 1, 4, 8 or 9")
		default:
			s.rule = board.Rule(n)
			return nil
		}
	})
	fs.Func("size", "`CELLS` of a side or COLUMNSxROWS, 5 to 22 (default 15)", func(text string) error {
		a, b, two := strings.Cut(text, "x")
		if !two {
			b = a
		}
		w, err := strconv.Atoi(a)
		h, err2 := strconv.Atoi(b)
		if err != nil || err2 != nil || w < board.MinSize || w > board.MaxSize || h < board.MinSize || h > board.MaxSize {
			return fmt.Errorf("want sides of %d to %d", board.MinSize, board.MaxSize)
		}
		s.width, s.height = w, h
		return nil
	})
	fs.Uint64Var(&s.seed, "seed", 1, "`NUMBER` that decides all chances; another one for every machine")
	fs.Int64Var(&s.tableMiB, "table", 16, "`MIB` of memory of a worker's table")
	fs.Func("stones", "`LEAST-MOST` stones of an opening made here (default 3-9)", func(text string) error {
		a, b, two := strings.Cut(text, "-")
		if !two {
			b = a
		}
		var err, err2 error
		s.made.least, err = strconv.Atoi(a)
		s.made.most, err2 = strconv.Atoi(b)
		if err != nil || err2 != nil || s.made.least < 1 || s.made.most < s.made.least || s.made.most > 40 {
			return fmt.Errorf("want two numbers of 1 to 40")
		}
		return nil
	})
	s.made.least, s.made.most = 3, 9
	fs.IntVar(&s.made.balance, "balance", 60, "`POINTS` that an opening made here may be worth to either side")
	fs.Func("tables", "evaluate by the tables in `FILE` instead of those carried within", func(name string) error {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		all, err := eval.Load(f)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		s.tables = append(s.tables, all...)
		return nil
	})
}

// check finishes the settings once flags are parsed.
func (s *settings) check() error {
	switch {
	case len(s.tables) > 0 && !slices.ContainsFunc(s.tables, func(t *eval.Tables) bool { return t.Rule == s.rule }):
		return flags.Usage("-tables: there are none for rule %d", s.rule)
	case s.tableMiB < 1 || s.tableMiB > 1<<16:
		return flags.Usage("-table %d: want 1 to 65536 MiB", s.tableMiB)
	case s.made.balance < 0:
		return flags.Usage("-balance %d: want 0 or more", s.made.balance)
	case s.made.most > s.width*s.height/4:
		s.made.most = s.width * s.height / 4 // a quarter of a small board is an opening
		s.made.least = min(s.made.least, s.made.most)
	}
	return nil
}

// String tells all settings in one line: what must be the same for a file to be
// continued.
func (s *settings) String() string {
	openings := "openings=" + s.source
	if s.openings == nil {
		openings = "openings=made " + s.made.String()
	}
	end := ""
	if s.drawAfter > 0 {
		end += fmt.Sprintf(" drawafter=%d", s.drawAfter)
	}
	if s.playOut {
		end += " playout"
	}
	return fmt.Sprintf("selfplay rule=%d size=%dx%d nodes=%d seed=%d random=%d spread=%d table=%dMiB%s %s",
		s.rule, s.width, s.height, s.nodes, s.seed, s.random, s.spread, s.tableMiB, end, openings)
}

// readOpenings reads the openings of a file and names them by their content.
func (s *settings) readOpenings(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	s.openings, err = record.ReadOpenings(f, s.rule, s.width, s.height)
	if err == nil && len(s.openings) == 0 {
		err = fmt.Errorf("there is no opening")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	sum := fnv.New32a()
	for _, o := range s.openings {
		fmt.Fprintln(sum, record.FormatMoves(o))
	}
	s.source = fmt.Sprintf("%d/%08x", len(s.openings), sum.Sum32())
	return nil
}

// newBoard returns an empty board. The flags have been checked, so it cannot fail.
func (s *settings) newBoard() *board.Board {
	b, err := board.New(s.rule, s.width, s.height)
	if err != nil {
		panic(err)
	}
	return b
}

// newPool returns a pool of one worker that evaluates by the tables of the settings.
func (s *settings) newPool() *search.Pool {
	return search.NewPool(eval.NewSet(s.tables...).New, search.DefaultParams(), 1, s.tableMiB<<20)
}

// engine tells who plays: the lines of the origin behind the settings.
func (s *settings) engine() string {
	tables := eval.Default(s.rule)
	for _, t := range s.tables {
		if t.Rule == s.rule {
			tables = t
		}
	}
	about := strings.Join(strings.Fields(tables.Origin), " ")
	return fmt.Sprintf("engine %016x\ntables %08x %s\nbuild %s\n",
		search.Signature(eval.NewSet(s.tables...).New, search.DefaultParams(), s.newBoard()), tables.Checksum(), strings.ToValidUTF8(about[:min(len(about), 100)], ""), resume.Build())
}

package selfplay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"tengen/brain/sample"
	"tengen/cmd/internal/flags"
	"tengen/cmd/learn/dataset"
)

// runCopy writes the games of files of any format to one file. With once it omits games that
// it has read before, as when one file is a copy of the beginning of another, and keeps all in
// memory, about 10 bytes a ply, to write those of a run in order.
func runCopy(ctx context.Context, name string, once bool, args []string, stdout, stderr io.Writer) error {
	fs := flags.New(name)
	out := fs.String("o", "", "`FILE` to write, .tgs, .bin or .binpack, compressed if .lz4 follows; - for standard output, which needs -to")
	from := fs.String("from", "", fromUsage)
	to := fs.String("to", "", "`FORMAT` of the output: tgs, bin or binpack (default by its name)")
	does := "Writes the games of all files to one, as they come, in the format of its name or of -to."
	if once {
		does = "Joins files of games: each game once, those of a run in the order of their numbers."
	}
	synopsis := "usage: learn selfplay " + name + " -o FILE [flags] FILE...\n\n" + does +
		"\nFILE - is standard input. A file that exists is not overwritten by other games."
	if err := flags.Parse(fs, args, stdout, synopsis, flags.Some("a file")); err != nil {
		return err
	}
	if *to == "" {
		*to, _ = dataset.FormatOf(*out)
	}
	switch err := errors.Join(dataset.CheckFormat("-from", *from), dataset.CheckFormat("-to", *to)); {
	case *out == "":
		return flags.Usage("-o FILE is missing")
	case *to == "":
		return flags.Usage("-o %s: want a name that ends in .tgs, .bin or .binpack, or -to", *out)
	case err != nil:
		return err
	}
	sink, err := newSink(*out, *to, stdout)
	if err != nil {
		return err
	}
	defer sink.close()
	m := &merger{once: once, seen: map[uint64]uint64{}, foreign: map[uint64]bool{}, runs: map[string]int{}, sink: sink}
	for _, name := range fs.Args() {
		src, err := dataset.Open(ctx, name, *from, -1)
		if err != nil {
			return err
		}
		if err := src.Each(func(g *sample.Game) error { return m.add(g, src.Origin()) }); err != nil {
			return err
		}
	}
	if err := m.flush(); err != nil {
		return err
	}
	if err := sink.Flush(); err != nil {
		return err
	}
	if err := sink.commit(); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "learn selfplay: %s: %d games, %d duplicates omitted\n", *out, m.games, m.twice)
	return nil
}

// A merger passes games on to a sink: as they come or, with once, each game once and those of
// a run in the order of their numbers.
type merger struct {
	once         bool
	games, twice int
	seen         map[uint64]uint64 // gameSum by runKey
	foreign      map[uint64]bool   // by movesKey: whether the game has no run that is known
	runs         map[string]int    // by runOf, in the order of appearance
	kept         []keptGame
	sink         *sink
}

// A keptGame is a game that waits to be written.
type keptGame struct {
	*sample.Game
	origin string
}

// add takes a game, which is valid until add returns.
func (m *merger) add(g *sample.Game, origin string) error {
	if !m.once {
		m.games++
		return m.sink.Write(g, origin)
	}
	foreign := !strings.HasPrefix(origin, "selfplay ")
	moves := movesKey(g)
	wasForeign, copied := m.foreign[moves]
	twice := copied && (foreign || wasForeign) // a conversion drops the run, and values with some formats
	if !foreign {
		key, sum := runKey(origin, g), gameSum(g)
		was, known := m.seen[key]
		if known && was != sum {
			return fmt.Errorf("game %d differs from a game of the same run and number", g.Number)
		}
		m.seen[key] = sum
		twice = twice || known
	}
	if twice {
		m.twice++
		return nil
	}
	m.foreign[moves] = foreign
	m.games++
	if _, ok := m.runs[runOf(origin)]; !ok {
		m.runs[runOf(origin)] = len(m.runs)
	}
	m.kept = append(m.kept, keptGame{g.Clone(), origin})
	return nil
}

// flush writes the kept games.
func (m *merger) flush() error {
	slices.SortStableFunc(m.kept, func(a, b keptGame) int {
		return cmp.Or(cmp.Compare(m.runs[runOf(a.origin)], m.runs[runOf(b.origin)]), cmp.Compare(a.Number, b.Number))
	})
	for _, g := range m.kept {
		if err := m.sink.Write(g.Game, g.origin); err != nil {
			return fmt.Errorf("game %d: %w", g.Number, err)
		}
	}
	return nil
}

// runOf returns the part of an origin that names the run.
func runOf(origin string) string { return before(origin, "\nbuild ") }

// runKey identifies a game that this program played by its run and number.
func runKey(origin string, g *sample.Game) uint64 {
	sum := fnv.New64a()
	fmt.Fprint(sum, runOf(origin), g.Number)
	return sum.Sum64()
}

// movesKey identifies a game by its moves, which files of every format hold.
func movesKey(g *sample.Game) uint64 {
	sum := fnv.New64a()
	fmt.Fprint(sum, g.Rule, g.Width, g.Height, g.Outcome)
	for _, p := range g.Plies {
		fmt.Fprint(sum, " ", p.Move)
	}
	return sum.Sum64()
}

func gameSum(g *sample.Game) uint64 {
	sum := fnv.New64a()
	for _, p := range g.Plies {
		fmt.Fprintln(sum, p.Move, p.Best, p.Value)
	}
	return sum.Sum64()
}

package selfplay

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"strings"

	"tengen/brain/record"
	"tengen/cmd/internal/flags"
)

// runCopy writes the games of files of any format to one file. With once it omits games that
// it has read before, as when one file is a copy of the beginning of another.
func runCopy(name string, once bool, args []string, stdout, stderr io.Writer) error {
	fs := flags.New(name)
	out := fs.String("o", "", "`FILE` to write, .tgs, .bin or .binpack; - for standard output, which needs -to")
	from := fs.String("from", "", fromUsage)
	to := fs.String("to", "", "`FORMAT` of the output: tgs, bin or binpack (default by its name)")
	if err := flags.Parse(fs, args, stdout, "usage: learn selfplay "+name+" -o FILE [flags] FILE...\n\nFILE - is standard input. A file that exists is not overwritten by other games.", 1, math.MaxInt, "a file"); err != nil {
		return err
	}
	if *to == "" {
		*to = formatOf(*out)
	}
	switch err := errors.Join(checkFormat("-from", *from), checkFormat("-to", *to)); {
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
	games, twice := 0, 0
	seen := map[uint64]uint64{} // gameSum by gameKey
	for _, name := range fs.Args() {
		src, err := openSource(name, *from)
		if err != nil {
			return err
		}
		err = src.each(func(g *record.SampleGame) error {
			key, sum := gameKey(src.origin(), g), gameSum(g)
			was, known := seen[key]
			switch {
			case once && known && was != sum:
				return fmt.Errorf("game %d differs from a game of the same run and number", g.Number)
			case once && known:
				twice++
				return nil
			}
			seen[key] = sum
			games++
			if err := sink.write(g, src.origin()); err != nil {
				return fmt.Errorf("game %d: %w", g.Number, err)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if err := errors.Join(sink.flush(), sink.commit()); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "learn selfplay: %s: %d games, %d duplicates omitted\n", *out, games, twice)
	return nil
}

// gameKey identifies a game: by its run and number if this program played it, else by its
// moves.
func gameKey(origin string, g *record.SampleGame) uint64 {
	sum := fnv.New64a()
	if strings.HasPrefix(origin, "selfplay ") {
		fmt.Fprint(sum, before(origin, "\nbuild "), g.Number)
	} else {
		fmt.Fprint(sum, "other ", g.Rule, g.Width, g.Height, g.Outcome, gameSum(g))
	}
	return sum.Sum64()
}

func gameSum(g *record.SampleGame) uint64 {
	sum := fnv.New64a()
	for _, p := range g.Plies {
		fmt.Fprintln(sum, p.Move, p.Best, p.Value)
	}
	return sum.Sum64()
}

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

// runCopy puts the games of files of any format into a new file. With once, a game that two
// files have in common, as when one is a copy of the other's beginning, counts once.
func runCopy(name string, once bool, args []string, stdout, stderr io.Writer) error {
	fs := flags.New(name)
	out := fs.String("o", "", "`FILE` to make: .tgs, .bin or .binpack; - for standard output, with -to")
	from := fs.String("from", "", "`FORMAT` of the input where its name does not tell: bin or binpack")
	to := fs.String("to", "", "`FORMAT` of the output where its name does not tell: tgs, bin or binpack")
	if err := flags.Parse(fs, args, stdout, "learn selfplay "+name+" -o FILE [FLAGS] FILE... (- for standard input)", 1, math.MaxInt, "a file"); err != nil {
		return err
	}
	if *to == "" {
		*to = formatOf(*out)
	}
	switch err := errors.Join(checkFormat("-from", *from), checkFormat("-to", *to)); {
	case *out == "":
		return flags.Usage("-o FILE is missing")
	case *to == "":
		return flags.Usage("-o %s: want -to, or a name that ends in .tgs, .bin or .binpack", *out)
	case err != nil:
		return err
	}
	sink, err := newSink(*out, *to, stdout)
	if err != nil {
		return err
	}
	defer sink.close()
	games, twice := 0, 0
	seen := map[uint64]uint64{} // by origin and number, what was played
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
				return fmt.Errorf("game %d of this origin was read before, with other moves", g.Number)
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
	fmt.Fprintf(stderr, "learn selfplay: %s: %d games, %d left out that were there twice\n", *out, games, twice)
	return nil
}

// gameKey names the game that a run plays under a number. Games of other origins are
// named by what was played.
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

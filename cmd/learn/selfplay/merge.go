package selfplay

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"strings"

	"tengen/brain/record"
	"tengen/cmd/internal/flags"
)

// runMerge joins files of samples. Every block of every file is checked; games that two
// files have in common, as when one is a copy of the other's beginning, count once.
func runMerge(args []string, stdout io.Writer, stderr io.Writer) error {
	fs := flag.NewFlagSet("merge", flag.ContinueOnError)
	out := fs.String("o", "", "`FILE` to make")
	cut := fs.Bool("cut", false, "of a file that ends within a block, as when its run was killed or goes on, take what is whole")
	if err := parse(fs, args, stdout, 1, 1<<20); err != nil {
		return err
	}
	if *out == "" {
		return flags.Usage("-o FILE is missing")
	}
	to, err := newSink(*out, formatOwn)
	if err != nil {
		return err
	}
	games, twice := 0, 0
	seen := map[uint64]uint64{} // by origin and number, what was played
	for _, name := range fs.Args() {
		var from *source
		if from, err = openSource(name, ""); err != nil {
			break
		}
		if from.own == nil {
			from.file.Close()
			err = fmt.Errorf("%s: %w: use convert", name, record.ErrNotSamples)
			break
		}
		err = from.each(func(g *record.SampleGame) error {
			key, sum := gameKey(from.origin(), g), gameSum(g)
			if was, ok := seen[key]; ok {
				if was != sum {
					return fmt.Errorf("game %d of this origin was read before, with other moves", g.Number)
				}
				twice++
				return nil
			}
			seen[key] = sum
			games++
			return to.write(g, from.origin())
		})
		if errors.Is(err, record.ErrTruncated) && *cut {
			if wrong := endsThere(name, from.own.Offset()); wrong != nil {
				err = fmt.Errorf("%s: %w", name, wrong)
				break
			}
			fmt.Fprintln(stderr, "selfplay:", flags.OneLine(err), "- the games before are taken")
			err = nil
		}
		if err != nil {
			break
		}
	}
	if err = to.finish(err); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "selfplay: %s: %d games, %d left out that were there twice\n", *out, games, twice)
	return nil
}

// endsThere reports what is wrong if more than an unfinished section lies behind end,
// the bytes of whole sections.
func endsThere(name string, end int64) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return unfinished(f, end, info.Size())
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
		sum.Write([]byte{byte(p.Move), byte(p.Move >> 8), byte(p.Best), byte(p.Best >> 8), byte(p.Value), byte(uint16(p.Value) >> 8)})
	}
	return sum.Sum64()
}

// runConvert translates files into one of another format.
func runConvert(args []string, stdout io.Writer, stderr io.Writer) error {
	fs := flag.NewFlagSet("convert", flag.ContinueOnError)
	out := fs.String("o", "", "`FILE` to make: .tgs, .bin or .binpack")
	from := fs.String("from", "", "`FORMAT` of the input where its name does not tell: bin or binpack")
	if err := parse(fs, args, stdout, 1, 1<<20); err != nil {
		return err
	}
	format := formatOf(*out)
	switch {
	case *out == "":
		return flags.Usage("-o FILE is missing")
	case format == "":
		return flags.Usage("-o %s: want a name that ends in .tgs, .bin or .binpack", *out)
	case *from != "" && *from != formatBin && *from != formatBinpack:
		return flags.Usage("-from %s: want bin or binpack", *from)
	}
	to, err := newSink(*out, format)
	if err != nil {
		return err
	}
	games := 0
	for _, name := range fs.Args() {
		var in *source
		if in, err = openSource(name, *from); err == nil {
			err = in.each(func(g *record.SampleGame) error {
				games++
				if err := to.write(g, in.origin()); err != nil {
					return fmt.Errorf("game %d: %w", g.Number, err)
				}
				return nil
			})
		}
		if err != nil {
			break
		}
	}
	if err = to.finish(err); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "selfplay: %s: %d games\n", *out, games)
	return nil
}

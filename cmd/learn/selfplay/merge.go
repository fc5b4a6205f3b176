package selfplay

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"strings"

	"tengen/brain/record"
	"tengen/cmd/internal/flags"
)

// copyGames puts the games of files, those that keep lets pass, into a new file of a
// format. broken is asked what to do about the error of a source: nil goes on with the
// next. It returns how many games were written.
func copyGames(out, to string, stdout io.Writer, names []string, from string,
	keep func(*source, *record.SampleGame) (bool, error), broken func(*source, error) error) (games int, err error) {
	sink, err := newSink(out, to, stdout)
	if err != nil {
		return 0, err
	}
	defer sink.close()
	for _, name := range names {
		src, err := openSource(name, from)
		if err != nil {
			return 0, err
		}
		err = src.each(func(g *record.SampleGame) error {
			ok, err := keep(src, g)
			if !ok || err != nil {
				return err
			}
			games++
			if err := sink.write(g, src.origin()); err != nil {
				return fmt.Errorf("game %d: %w", g.Number, err)
			}
			return nil
		})
		if err != nil {
			if err = broken(src, err); err != nil {
				return 0, err
			}
		}
	}
	if err := sink.flush(); err != nil {
		return 0, err
	}
	return games, sink.commit()
}

// runMerge joins files of games. Every block of every file is checked; games that two
// files have in common, as when one is a copy of the other's beginning, count once.
func runMerge(args []string, stdout, stderr io.Writer) error {
	fs := flags.New("merge")
	out := fs.String("o", "", "`FILE` to make, .tgs; - for standard output")
	cut := fs.Bool("cut", false, "of a file that ends within a block, as when its run was killed or goes on, take what is whole")
	if err := flags.Parse(fs, args, stdout, "learn selfplay merge -o FILE [-cut] FILE...", 1, math.MaxInt, "a file"); err != nil {
		return err
	}
	if *out == "" {
		return flags.Usage("-o FILE is missing")
	}
	twice := 0
	seen := map[uint64]uint64{} // by origin and number, what was played
	games, err := copyGames(*out, formatOwn, stdout, fs.Args(), formatOwn, func(src *source, g *record.SampleGame) (bool, error) {
		key, sum := gameKey(src.origin(), g), gameSum(g)
		was, ok := seen[key]
		switch {
		case ok && was != sum:
			return false, fmt.Errorf("game %d of this origin was read before, with other moves", g.Number)
		case ok:
			twice++
			return false, nil
		}
		seen[key] = sum
		return true, nil
	}, func(src *source, err error) error {
		if !*cut || !errors.Is(err, record.ErrTruncated) {
			return err
		}
		if wrong := endsThere(src.name, src.own.Offset()); wrong != nil {
			return fmt.Errorf("%s: %w", src.name, wrong)
		}
		fmt.Fprintln(stderr, "learn selfplay:", flags.OneLine(err), "- the games before are taken")
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "learn selfplay: %s: %d games, %d left out that were there twice\n", *out, games, twice)
	return nil
}

// endsThere reports what is wrong if more than an unfinished section lies behind end,
// the bytes of whole sections. Of standard input that cannot be told.
func endsThere(name string, end int64) error {
	if name == "-" {
		return nil
	}
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
		fmt.Fprintln(sum, p.Move, p.Best, p.Value)
	}
	return sum.Sum64()
}

// runConvert translates files into one of another format.
func runConvert(args []string, stdout, stderr io.Writer) error {
	fs := flags.New("convert")
	out := fs.String("o", "", "`FILE` to make: .tgs, .bin or .binpack; - for standard output, with -to")
	from := fs.String("from", "", "`FORMAT` of the input where its name does not tell: bin or binpack")
	to := fs.String("to", "", "`FORMAT` of the output where its name does not tell: tgs, bin or binpack")
	if err := flags.Parse(fs, args, stdout, "learn selfplay convert -o FILE [FLAGS] FILE... (- for standard input)", 1, math.MaxInt, "a file"); err != nil {
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
	games, err := copyGames(*out, *to, stdout, fs.Args(), *from,
		func(*source, *record.SampleGame) (bool, error) { return true, nil }, func(_ *source, err error) error { return err })
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "learn selfplay: %s: %d games\n", *out, games)
	return nil
}

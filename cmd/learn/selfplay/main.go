// Package selfplay makes training data: games of the engine against itself, with what the
// search said of every position.
//
//	learn selfplay -o f15.tgs -games 10000 -nodes 2000 -seed 1   play games, or go on where a killed run ended
//	learn selfplay -o f15.tgs -for 8h                            the same, for as long
//	learn selfplay openings -count 500 > f15.txt                 balanced openings, one a line in pos notation
//	learn selfplay info f15.tgs                                  what a file holds, every game replayed
//	learn selfplay merge -o all.tgs a.tgs b.tgs                  check files and join them, no game twice
//	learn selfplay convert -o f15.binpack f15.tgs            from and to the formats of the field
//
// A game depends on the seed, its number, the settings and the engine, and games are
// written in the order of their numbers: the same command makes the same bytes, with any
// number of workers, and however often it was killed and started again. Files put end to
// end with cat are a file as well, but cat does not see what merge sees.
//
// What people read goes to standard error, openings and what info tells to standard
// output. The exit status is 0 when all is done, 1 when something failed, 2 for a bad
// command line, 130 when a signal ended it early.
package selfplay

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"tengen/cmd/internal/flags"
)

// Run obeys the command line behind "learn selfplay".
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	command, rest := "", args
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		command, rest = args[0], args[1:]
	}
	switch command {
	case "":
		return runPlay(ctx, rest, stdout, stderr)
	case "openings":
		return runOpenings(ctx, rest, stdout, stderr)
	case "info":
		return runInfo(rest, stdout)
	case "merge":
		return runMerge(rest, stdout, stderr)
	case "convert":
		return runConvert(rest, stdout, stderr)
	}
	return flags.Usage("unknown command %q, want openings, info, merge, convert or flags", command)
}

// parse parses flags and turns what is wrong with them into a usage error; asked for
// help it prints the flags on stdout. files is the least and greatest number of
// arguments behind the flags.
func parse(fs *flag.FlagSet, args []string, stdout io.Writer, least, most int) error {
	fs.SetOutput(io.Discard)
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fs.SetOutput(stdout)
		fmt.Fprintln(stdout, "learn selfplay -o FILE [options]\nlearn selfplay openings|info|merge|convert [options] [FILE...]: -h behind each tells more")
		fs.PrintDefaults()
		return err
	}
	switch {
	case err != nil:
		return flags.Usage("%v", err)
	case fs.NArg() < least:
		return flags.Usage("%s wants a file", fs.Name())
	case fs.NArg() > most:
		return flags.Usage("what is %q?", fs.Arg(most))
	}
	return nil
}

// Generation makes new numbers for the evaluation, from the first game to the verdict:
// the engine plays itself, the trainer learns from the games, and a match tells whether
// the new tables are better than the old ones.
//
//	generation -minutes 10                     a miniature of it all, in ten minutes
//	generation -rule 4 -games 20000 -match 400 a whole generation of renju
//	generation -generations 2 ...              two, the second with the tables of the first
//
// Everything lies in the folder -dir: gen1-freestyle.tgs (games), .tab (tables), .svg
// (losses), .log (what the trainer says), .pos (openings of the match) and .jsonl (its
// journal), the programs, and generation.json, which tells how far the run is. Killed, the
// same command goes on where it was; done, it prints the results again.
//
// The work is done by selfplay, train, arena and pbrain-tengen as processes, so that
// what is tried here is what anyone can run by hand, and a step that fails for want of
// memory takes nothing with it. They are taken from where this program lies or, if they
// are not all there, built by Go, and kept in -dir: a run ends with the engine it began
// with.
//
// Results go to standard output, chatter to standard error. The exit status is 0 when all
// is done, 1 when a step failed or a match has forfeits, 2 for a bad command line, 130
// when a signal ended it early.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"tengen/cmd/internal/longrun"
)

func main() {
	runtime.LockOSThread() // for the children: see dieWithUs
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// errTold is the failure of a step that has told the reason itself.
var errTold = errors.New("a step failed")

// run obeys a command line and returns the exit status.
func run(ctx context.Context, args []string, stdout io.Writer, stderr *os.File) int {
	s, err := parse(args, stdout)
	var self string
	if err == nil {
		self, err = os.Executable()
	}
	if err == nil {
		err = generate(ctx, s, filepath.Dir(self), stdout, stderr)
	}
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errTold):
		return 1
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "generation: stopped by a signal; the same command goes on")
		return 130
	}
	fmt.Fprintln(stderr, "generation:", longrun.OneLine(err))
	if errors.Is(err, longrun.ErrUsage) {
		return 2
	}
	return 1
}

// Package generation makes new numbers for the evaluation, from the first game to the verdict:
// the engine plays itself, the trainer learns from the games, and a match tells whether
// the new tables are better than the old ones.
//
//	learn generation -minutes 10                     a miniature of it all, in ten minutes
//	learn generation -rule 4 -games 20000 -match 400 a whole generation of renju
//	learn generation -generations 2 ...              two, the second with the tables of the first
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
package generation

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// errTold is the failure of a step that has told the reason itself.
var errTold = errors.New("a step failed")

// Run obeys the command line behind "learn generation".
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parse(args, stdout)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return generate(ctx, s, filepath.Dir(self), stdout, stderr)
}

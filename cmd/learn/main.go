// Learn makes the engine stronger: it plays games of the engine against itself, learns
// the numbers of the evaluation from them, tunes those of the search, and does a whole
// generation in one command.
//
// Commands that play or train resume when they are run again with the same arguments. Results go to
// standard output, progress and messages to standard error. The exit status is 0 when all
// is done, 1 when something failed, 2 for a bad command line, 130 when a signal ended it.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"tengen/cmd/internal/flags"
	"tengen/cmd/learn/generation"
	"tengen/cmd/learn/network"
	"tengen/cmd/learn/selfplay"
	"tengen/cmd/learn/tables"
	"tengen/cmd/learn/tune"
)

// verbs are the commands, each in a package of its own.
var verbs = []struct {
	name, about string
	run         func(ctx context.Context, args []string, stdout, stderr io.Writer) error
}{
	{"selfplay", "play games of the engine against itself; also: info, merge, convert, openings", selfplay.Run},
	{"tables", "learn tables of the evaluation from games", tables.Run},
	{"network", "learn a network of the evaluation from games", network.Run},
	{"tune", "tune numbers of the search by SPSA; also: show, match", tune.Run},
	{"generation", "games, tables and a match of new against old, in one command", generation.Run},
}

// garbage is how far the heap may grow by garbage, in percent: samples of games fill most
// of it for hours, and as much again would be wasted.
const garbage = 20

func main() {
	debug.SetGCPercent(garbage)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs a command line and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	var names []string
	for _, v := range verbs {
		if v.name == name {
			return flags.Status(stderr, "learn "+name, v.run(ctx, args[1:], stdout, stderr))
		}
		names = append(names, v.name)
	}
	switch name {
	case "-h", "-help", "--help", "help":
		for _, v := range verbs {
			fmt.Fprintf(stdout, "learn %-10s  %s\n", v.name, v.about)
		}
		fmt.Fprintln(stdout, "Each command has its own -help.")
		return 0
	}
	return flags.Status(stderr, "learn", flags.Usage("want one of %s, not %q", strings.Join(names, ", "), name))
}

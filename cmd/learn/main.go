// Learn plays games of the engine against itself, trains the evaluation on them, tunes the
// parameters of the search, and makes a whole generation in one command.
//
// A command that is run again with the same arguments resumes, or writes the same result.
// Results go to standard output, progress and messages to standard error. The exit status
// is 0 on success, 1 after a failure, 2 for a bad command line, and 130 after a signal.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"tengen/cmd/internal/flags"
	"tengen/cmd/learn/book"
	"tengen/cmd/learn/generation"
	"tengen/cmd/learn/network"
	"tengen/cmd/learn/selfplay"
	"tengen/cmd/learn/tune"
)

// verbs are the commands, each in a package of its own.
var verbs = []struct {
	name, about string
	run         func(ctx context.Context, args []string, stdout, stderr io.Writer) error
}{
	{"selfplay", "plays games of the engine against itself; also info, label, merge, convert, openings", selfplay.Run},
	{"network", "trains a network for the evaluation on games; also info", network.Run},
	{"tune", "tunes parameters of the search by SPSA; also show, match", tune.Run},
	{"book", "makes an opening book; also check", book.Run},
	{"generation", "self-play, training and a match of new against old in one command", generation.Run},
}

// garbage is GOGC, in percent. Samples fill most of the heap for hours; the default of 100
// would double it.
const garbage = 20

func main() {
	debug.SetGCPercent(garbage)
	ctx := flags.UntilSignal(flags.Signals(), func() {})
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs a command line and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 1 && args[0] == "help" {
		args = []string{args[1], "-help"}
	}
	if flags.AsksVersion(args) {
		return flags.Status(stderr, "learn", flags.WriteVersion(stdout))
	}
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	var names []string
	for _, v := range verbs {
		if v.name == name {
			report := &reportWriter{Writer: stdout}
			err := v.run(ctx, args[1:], report, stderr)
			if err == nil {
				err = report.err
			}
			return flags.Status(stderr, "learn "+name, err)
		}
		names = append(names, v.name)
	}
	switch name {
	case "-h", "-help", "--help", "help":
		help := "usage: learn COMMAND [flags] [arguments]\n\nEach command has its own -help:\n"
		for _, v := range verbs {
			help += fmt.Sprintf("  %-10s  %s\n", v.name, v.about)
		}
		help += fmt.Sprintf("  %-10s  %s\n", "version", "prints name, version and commit")
		_, err := io.WriteString(stdout, help)
		return flags.Status(stderr, "learn", err)
	}
	if name == "" {
		return flags.Status(stderr, "learn", flags.Usage("a command is missing: %s (see learn -help)", strings.Join(names, ", ")))
	}
	return flags.Status(stderr, "learn", flags.UnknownCommand("learn", name))
}

// A reportWriter keeps the first error of its Writer, so that no command loses its report unnoticed.
type reportWriter struct {
	io.Writer
	err error
}

func (w *reportWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// Command pbrain-tengen is a gomoku and renju engine. Without a command it speaks the
// Gomocup protocol on standard input and output. The exit status is 0 after END or the end
// of the input, 1 if something failed, 2 for a bad command line, which includes a file that
// cannot be used, and 130 after an interrupt of solve.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"runtime/pprof"

	"tengen/brain"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/heap"
	"tengen/protocol"
)

const synopsis = `usage: pbrain-tengen [flags] [command]

Without a command it speaks the Gomocup protocol on standard input and output.
  pbrain-tengen [flags] bench       searches fixed positions and prints the number of nodes
  pbrain-tengen solve [POS...]      proves wins by continuous threats
  pbrain-tengen version             prints name, version and commit
bench and solve have their own -help.`

func main() {
	command, args, evaluation, err := parse(os.Args[1:], os.Stdout)
	if err == nil {
		switch command {
		case "":
			// The manager has gone if this fails, and there is nobody to tell.
			if protocol.Serve(os.Stdin, os.Stdout, brain.New(brain.Config{Evaluation: evaluation, LimitHeap: heap.Limit})) != nil {
				os.Exit(1)
			}
		case "bench":
			err = bench(args, os.Stdout, evaluation)
		case "solve":
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
			err = solve(ctx, args, os.Stdin, os.Stdout)
			stop()
		case "version":
			err = version(args, os.Stdout)
		}
	}
	os.Exit(flags.Status(os.Stderr, "pbrain-tengen", err))
}

// parse parses the command line up to the command, "" for none. It returns the arguments
// after the command and the evaluation that the flags ask for.
func parse(args []string, stdout io.Writer) (command string, rest []string, _ *brain.Evaluation, err error) {
	var evaluation flags.Evaluation
	fs := flags.New("pbrain-tengen")
	evaluation.Add(fs)
	if err := flags.Parse(fs, args, stdout, synopsis, 0, math.MaxInt, ""); err != nil {
		return "", nil, nil, err
	}
	if fs.NArg() > 0 {
		command, rest = fs.Arg(0), fs.Args()[1:]
	}
	switch command {
	case "", "bench":
	case "solve", "version":
		if evaluation.Given() {
			err = flags.Usage("-net and -tables have no effect on %s", command)
		}
	default:
		err = flags.Usage("unknown command %q (see pbrain-tengen -help)", command)
	}
	return command, rest, evaluation.Evaluation(), err
}

// bench prints the signature and the speed of the search. A default.pgo made of its
// profile slowed it down by 5% (2026-11, Go 1.26, four runs in turn), so there is none.
func bench(args []string, stdout io.Writer, evaluation *brain.Evaluation) (err error) {
	fs := flags.New("bench")
	profile := fs.String("cpuprofile", "", "write a CPU profile to this `FILE`")
	if err := flags.Parse(fs, args, stdout, "usage: pbrain-tengen [-net FILE] [-tables FILE] bench [flags]", 0, 0, ""); err != nil {
		return err
	}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer func() { err = cmp.Or(err, f.Close()) }()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	r, err := brain.Bench(evaluation)
	if err != nil {
		return err
	}
	seconds := max(r.Elapsed.Seconds(), 1e-9)
	fmt.Fprintf(stdout, "Time: %.2f s\n", seconds)
	fmt.Fprintf(stdout, "Cutoffs: %d\n", r.Cutoffs)
	fmt.Fprintf(stdout, "First: %.1f%%\n", float64(r.First)*100/float64(max(r.Cutoffs, 1)))
	fmt.Fprintf(stdout, "Nodes: %d\n", r.Nodes)
	fmt.Fprintf(stdout, "Nodes/s: %d\n", int64(float64(r.Nodes)/seconds))
	fmt.Fprintf(stdout, "Bench: %d\n", r.Nodes)
	return nil
}

func version(args []string, stdout io.Writer) error {
	if err := flags.Parse(flags.New("version"), args, stdout, "usage: pbrain-tengen version", 0, 0, ""); err != nil {
		return err
	}
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = " " + s.Value + revision
			case s.Key == "vcs.modified" && s.Value == "true":
				revision += " with changes"
			}
		}
	}
	_, err := fmt.Fprintln(stdout, brain.Name, brain.Version+revision)
	return err
}

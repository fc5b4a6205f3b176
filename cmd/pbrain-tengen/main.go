// Command pbrain-tengen is a gomoku and renju engine. Without arguments it speaks the
// Gomocup protocol on its standard input and output. With a command it does something else:
//
//	pbrain-tengen bench [-cpuprofile FILE]   search fixed positions; the node count is the signature
//	pbrain-tengen solve [-help] [POS...]     prove wins by continuous threats
//	pbrain-tengen version                    name, version and the commit it was built from
//
// Before the command, or alone, -net FILE evaluates by the network in FILE, written by
// "learn network", under its rule, and -tables FILE by the tables in FILE, written by "learn
// tables", under the rules that it covers; repeat them for more files. -net none evaluates by
// tables under all rules. A bad file ends the program with status 2 before it answers
// anything.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/pprof"

	"tengen/brain"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/heap"
	"tengen/protocol"
)

func main() {
	args, evaluation, err := options(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "pbrain-tengen:", err)
		os.Exit(2)
	}
	if len(args) == 0 {
		// The manager has gone if this fails, and there is nobody to tell.
		if protocol.Serve(os.Stdin, os.Stdout, brain.New(brain.Config{Evaluation: evaluation, LimitHeap: heap.Limit})) != nil {
			os.Exit(1)
		}
		return
	}
	switch args[0] {
	case "bench":
		err = bench(args[1:], evaluation)
	case "solve":
		os.Exit(flags.Status(os.Stderr, "pbrain-tengen solve", solve(args[1:], os.Stdin, os.Stdout)))
	case "version":
		version()
	default:
		err = fmt.Errorf("unknown command %q, want bench, solve, version or no command", args[0])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pbrain-tengen:", err)
		os.Exit(1)
	}
}

// options parses the options that args begin with. It returns the other arguments and the
// evaluation that the options ask for.
func options(args []string) ([]string, *brain.Evaluation, error) {
	var evaluation flags.Evaluation
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // one line is enough
	evaluation.Add(fs)
	err := fs.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil, nil, errors.New("want [-net FILE|none]... [-tables FILE]... [bench | solve | version]")
	case err != nil:
		return nil, nil, err
	}
	return fs.Args(), evaluation.Evaluation(), nil
}

// bench prints the signature and the speed of the search. A default.pgo made of its
// profile slowed it down by 5% (2026-11, Go 1.26, four runs in turn), so there is none.
func bench(args []string, evaluation *brain.Evaluation) (err error) {
	fs := flag.NewFlagSet("bench", flag.ExitOnError)
	profile := fs.String("cpuprofile", "", "write a CPU profile to this `file`")
	fs.Parse(args)
	if fs.NArg() > 0 {
		return fmt.Errorf("bench takes no argument %q", fs.Arg(0))
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
	fmt.Printf("Time: %.2f s\n", seconds)
	fmt.Printf("Cutoffs: %d\n", r.Cutoffs)
	fmt.Printf("First: %.1f%%\n", float64(r.First)*100/float64(max(r.Cutoffs, 1)))
	fmt.Printf("Nodes: %d\n", r.Nodes)
	fmt.Printf("Nodes/s: %d\n", int64(float64(r.Nodes)/seconds))
	fmt.Printf("Bench: %d\n", r.Nodes)
	return nil
}

func version() {
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
	fmt.Println(brain.Name, brain.Version+revision)
}

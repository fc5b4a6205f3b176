// Command pbrain-tengen is a gomoku and renju engine. Without a command it speaks the
// Gomocup protocol on standard input and output, and a signal counts as END. The exit status is 0
// after END or the end of the input, 1 if something failed, 2 for a bad command line, which includes
// a file or a position that cannot be used, and 130 after a signal to a command.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"tengen/brain"
	"tengen/brain/book"
	"tengen/cmd/internal/ctxreader"
	"tengen/cmd/internal/evalflags"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/heap"
	"tengen/cmd/internal/progress"
	"tengen/protocol"
)

func main() {
	os.Exit(flags.Status(os.Stderr, "pbrain-tengen", runProgram(os.Args[1:])))
}

// greeting is shown to a user who starts the engine without a manager. It is a line of the
// protocol, since it may be a manager after all.
const greeting = "MESSAGE " + brain.Name + " " + brain.Version + " speaks the Gomocup protocol: " +
	"type START 15, then TURN 7,7; END ends it. pbrain-tengen help lists its commands."

// readers is how many more threads than processors may run Go code while the program serves a
// manager: one reads and one executes commands.
const readers = 2

// saveLimit is the time from a signal to the end of the program. A file that is being written then
// stays as it was.
const saveLimit = 30 * time.Second

func runProgram(args []string) error {
	c, rest, config, err := parse(args, os.Stdout)
	if err != nil {
		return err
	}
	if c == nil {
		if progress.IsTerminal(os.Stdin) && progress.IsTerminal(os.Stdout) {
			fmt.Println(greeting)
		}
		// Neither that the manager is gone nor a signal may end the program before its database is
		// saved. A second signal does, and a manager that does not read cannot keep it from ending.
		ignorePipe()
		ctx := flags.UntilSignal(endings(), func() {})
		context.AfterFunc(ctx, func() {
			time.Sleep(saveLimit)
			os.Exit(1)
		})
		// A goroutine that reads a command must not wait for one that searches.
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + readers)
		// If this fails the manager has exited, or got an ERROR.
		if protocol.Serve(ctx, os.Stdin, os.Stdout, brain.New(config)) != nil {
			os.Exit(1)
		}
		return nil
	}
	run := invocation{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, config: config}
	if c.interrupts {
		run.ctx = flags.UntilSignal(flags.Signals(), func() {})
		run.stdin = ctxreader.New(run.ctx, os.Stdin)
	}
	return c.start(run, rest)
}

// parse parses the command line up to the command, nil for none. It returns the arguments
// after the command and the engine that the flags ask for.
func parse(args []string, stdout io.Writer) (c *command, rest []string, config brain.Config, err error) {
	var evaluation evalflags.Flags
	fs := globalFlags(&evaluation, &config)
	if len(args) > 0 && otherNames[args[0]] != "" {
		args = slices.Concat([]string{otherNames[args[0]]}, args[1:])
	}
	if err := flags.Parse(fs, args, stdout, synopsis(), flags.Any("a command")); err != nil {
		return nil, nil, config, err
	}
	config.Evaluation, config.LimitHeap, config.MostMemory = evaluation.Evaluation(), heap.Limit, heap.Room()
	config.MostThreads = brain.ThreadsFor(runtime.GOMAXPROCS(0))
	if fs.NArg() == 0 {
		return nil, nil, config, nil
	}
	c = commandOf(fs.Arg(0))
	switch {
	case c == nil:
		err = flags.UnknownCommand("pbrain-tengen", fs.Arg(0))
	case evaluation.Given() && !c.evaluates:
		err = flags.Usage("-net and -tables have no effect on %s", c.name)
	case config.Book != nil:
		err = flags.Usage("-book has no effect on %s", c.name)
	}
	return c, fs.Args()[1:], config, err
}

// globalFlags returns the flags before a command.
func globalFlags(evaluation *evalflags.Flags, config *brain.Config) *flag.FlagSet {
	fs := flags.New("pbrain-tengen")
	evaluation.Add(fs)
	fs.Func("book", "play by the opening book in `FILE`; none: by no book (default the built-in book)", func(name string) error {
		k, err := readBook(name)
		config.Book = k
		return err
	})
	return fs
}

// readBook is book.ReadFile for a shell, whose files may be pipes.
func readBook(name string) (*book.Book, error) {
	k := new(book.Book)
	if name == "none" {
		return k, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := k.Read(f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return k, nil
}

func version(r invocation) error { return flags.WriteVersion(r.stdout) }

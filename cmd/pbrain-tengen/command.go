package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"tengen/brain"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/progress"
)

// An invocation is one call of a command, with what the command works with.
type invocation struct {
	ctx    context.Context // of a command that can be interrupted
	args   []string        // after the flags
	stdin  io.Reader
	stdout *os.File
	stderr *os.File
	config brain.Config // of the engine
}

// ask tells the user of a terminal that positions are read there.
func (r *invocation) ask() {
	if len(r.args) == 0 && progress.IsTerminal(os.Stdin) && progress.IsTerminal(r.stderr) {
		fmt.Fprintln(r.stderr, "type positions such as h8i9j7, one a line")
	}
}

// A skipper leaves out positions that cannot be used, so that one line of many does not end a
// long run. If the first cannot be used the file is hardly one of positions.
type skipper struct {
	stderr io.Writer
	used   bool // a position was used
	some   bool // were left out
}

// out tells the error of a position and returns nil, or returns it for the first position.
func (l *skipper) out(err error) error {
	if !l.used {
		return err
	}
	l.some = true
	fmt.Fprintf(l.stderr, "pbrain-tengen: %s\n", flags.OneLine(err))
	return nil
}

// end returns the error after the last position.
func (l *skipper) end() error {
	if l.some {
		return flags.ErrTold
	}
	return nil
}

// A command is what follows the name of the program. Help, completion and the parser of the
// command line know no other source.
type command struct {
	name       string
	operands   flags.Operands // What is as in its usage: "[POS...]"
	summary    string         // half a line
	doc        string         // more for its -help, may be empty
	complete   []string       // what completes an operand: words, or files alone if it is nil
	evaluates  bool           // by -net and -tables
	interrupts bool           // the context ends at a signal

	// setup adds the flags and returns what runs after they are parsed.
	setup func(fs *flag.FlagSet) func(invocation) error
}

// commands lists the commands in the order of the help.
func commands() []command {
	list := []command{
		{
			name: "analyze", operands: flags.Any("[POS...]"), summary: "searches positions and prints the best lines", doc: analyzeDoc,
			evaluates: true, interrupts: true, setup: analyze,
		}, {
			name: "review", operands: flags.One("FILE"), summary: "judges the moves of a game and shows what was better", doc: reviewDoc,
			evaluates: true, interrupts: true, setup: reviewGame,
		}, {
			name: "solve", operands: flags.Any("[POS...]"), summary: "proves wins by continuous threats", doc: solveDoc,
			interrupts: true, setup: solve,
		}, {
			name: "verify", operands: flags.Some("FILE..."), summary: "checks proofs of wins by the rules alone", doc: verifyDoc,
			interrupts: true, setup: verify,
		}, {
			name: "convert", operands: flags.Any("[IN...]"), summary: "writes games in another format", doc: convertDoc,
			interrupts: true, setup: convert,
		}, {
			name: "puzzles", operands: flags.Some("GAMES..."), summary: "finds puzzles in games", doc: puzzlesDoc,
			evaluates: true, interrupts: true, setup: puzzles,
		}, {
			name: "bench", summary: "searches fixed positions and prints the number of nodes",
			evaluates: true, setup: bench,
		}, {
			name: "version", summary: "prints name, version and commit", setup: flagless(version),
		}, {
			name: "completion", operands: flags.One("bash|zsh"), summary: "prints a script that completes command lines", doc: completionDoc,
			complete: []string{"bash", "zsh"}, setup: flagless(completion),
		}, {
			name: "help", operands: flags.Operands{Most: 1, What: "[COMMAND]"}, summary: "prints the help of a command; help protocol: all commands and INFO keys of the protocol",
			complete: []string{protocolTopic}, setup: flagless(help),
		},
	}
	last := &list[len(list)-1]
	for _, c := range list {
		last.complete = append(last.complete, c.name)
	}
	return list
}

// flagless is the setup of a command without flags.
func flagless(run func(invocation) error) func(*flag.FlagSet) func(invocation) error {
	return func(*flag.FlagSet) func(invocation) error { return run }
}

// otherNames are what people type for some commands.
var otherNames = map[string]string{"analyse": "analyze", "-version": "version", "--version": "version"}

// commandOf returns the command of that name, nil if there is none.
func commandOf(name string) *command {
	name = cmp.Or(otherNames[name], name)
	for _, c := range commands() {
		if c.name == name {
			return &c
		}
	}
	return nil
}

// usage returns the usage of the command.
func (c *command) usage() string {
	words := []string{"usage: pbrain-tengen"}
	if c.evaluates {
		words = append(words, "[-net FILE] [-tables FILE]")
	}
	words = append(words, c.name)
	if len(c.flags()) > 0 {
		words = append(words, "[flags]")
	}
	if c.operands.What != "" {
		words = append(words, c.operands.What)
	}
	return strings.Join(words, " ")
}

// flags returns the flags of the command by name.
func (c *command) flags() (list []*flag.Flag) {
	fs := flags.New(c.name)
	c.setup(fs)
	return flagsOf(fs)
}

// flagsOf lists the flags of a set by name.
func flagsOf(fs *flag.FlagSet) (list []*flag.Flag) {
	fs.VisitAll(func(f *flag.Flag) { list = append(list, f) })
	return list
}

// start parses args and runs the command.
func (c *command) start(r invocation, args []string) error {
	fs := flags.New(c.name)
	run := c.setup(fs)
	text := c.usage() + "\n\n"
	if c.doc != "" {
		text += c.doc
	} else {
		text += strings.ToUpper(c.summary[:1]) + c.summary[1:] + "."
	}
	if err := flags.Parse(fs, flagsFirst(fs, args), r.stdout, text, c.operands); err != nil {
		return err
	}
	r.args = fs.Args()
	return run(r)
}

// flagsFirst returns the arguments of a command with those that are flags, or values of flags, before
// the others, as people write them in any order. What stands behind "--" is no flag.
func flagsFirst(fs *flag.FlagSet, args []string) []string {
	var first, rest []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			rest = append(rest, args[i+1:]...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			rest = append(rest, arg)
			continue
		}
		first = append(first, arg)
		f := fs.Lookup(strings.TrimLeft(arg, "-"))
		if f == nil {
			continue // unknown, or with its value
		}
		if b, ok := f.Value.(interface{ IsBoolFlag() bool }); (!ok || !b.IsBoolFlag()) && i+1 < len(args) {
			i++
			first = append(first, args[i])
		}
	}
	return slices.Concat(first, []string{"--"}, rest)
}

// synopsis returns the help of the program, without its flags.
func synopsis() string {
	var s strings.Builder
	s.WriteString("usage: pbrain-tengen [flags] [COMMAND]\n\n" +
		"Without a command it speaks the Gomocup protocol on standard input and output.\n\nCommands:\n")
	for _, c := range commands() {
		summary, more, _ := strings.Cut(c.summary, "; ")
		fmt.Fprintf(&s, "  %-22s %s\n", c.name+" "+c.operands.What, summary)
		if more != "" {
			fmt.Fprintf(&s, "  %-22s %s\n", "", more)
		}
	}
	s.WriteString("Each has its own -help.")
	return s.String()
}

// Package flags holds the flags that several programs share, so that each has one name and
// one meaning everywhere, and what all command lines have in common: numbers with a range,
// help, usage errors and the exit status.
package flags

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"tengen/brain/board"
)

// ErrUsage marks errors of the command line, for which the exit status is 2.
var ErrUsage = errors.New("usage")

// ErrTold is an ErrUsage that has been written already.
var ErrTold = fmt.Errorf("told: %w", ErrUsage)

// Usage returns an error that is an ErrUsage.
func Usage(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), ErrUsage)
}

// OneLine returns the text of err without line breaks and without the marks of Usage, of which
// joined errors have one in each line and errors within others several.
func OneLine(err error) string {
	var words []string
	mark := ": " + ErrUsage.Error()
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimSpace(line)
		for strings.HasSuffix(line, mark) {
			line = strings.TrimSuffix(line, mark)
		}
		words = append(words, strings.Fields(line)...)
	}
	return strings.Join(words, " ")
}

// Status writes err in one line after the name of the program and returns the exit status:
// 0 for nil and for -help, where it writes nothing, 2 for a usage error or a file of the
// command line that cannot be used, also for ErrTold, where it writes nothing, 130 if a signal
// has canceled the context, else 1.
func Status(stderr io.Writer, program string, err error) int {
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(stderr, "%s: interrupted\n", program)
		return 130
	case errors.Is(err, ErrTold):
		return 2
	}
	fmt.Fprintf(stderr, "%s: %s\n", program, OneLine(err))
	if errors.Is(err, ErrUsage) {
		return 2
	}
	return 1
}

// New returns an empty set of flags for Parse.
func New(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}

// Operands are the arguments that may follow the flags: how many, and what errors call the
// first that is missing. The zero Operands are none.
type Operands struct {
	Least, Most int
	What        string
}

// One is exactly one operand.
func One(what string) Operands { return Operands{1, 1, what} }

// Some is one operand or more.
func Some(what string) Operands { return Operands{1, math.MaxInt, what} }

// Any is any number of operands.
func Any(what string) Operands { return Operands{0, math.MaxInt, what} }

// Parse parses the flags of args, which the operands follow. For -help it prints the synopsis
// and the flags on stdout and returns flag.ErrHelp; other errors are usage errors.
func Parse(fs *flag.FlagSet, args []string, stdout io.Writer, synopsis string, operands Operands) error {
	err := fs.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		var help bytes.Buffer
		fmt.Fprintln(&help, strings.TrimRight(synopsis, "\n"))
		fs.SetOutput(&help)
		if strings.Contains(synopsis, "[flags]") {
			fmt.Fprintln(&help, "\nFlags:")
		}
		fs.PrintDefaults()
		if _, e := stdout.Write(help.Bytes()); e != nil {
			return e
		}
		return err
	case err != nil:
		return Usage("%v", err)
	case fs.NArg() < operands.Least:
		return Usage("%s is missing (see -help)", operands.What)
	case fs.NArg() > operands.Most:
		return Usage("unknown argument %q (see -help)", fs.Arg(operands.Most))
	}
	return nil
}

// Given returns the names of the flags on the command line.
func Given(fs *flag.FlagSet) map[string]bool {
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	return given
}

// A number is a flag with a range.
type number[T int | int64 | uint64 | float64] struct {
	at          *T
	least, most T
}

func (n number[T]) String() string {
	if n.at == nil {
		return "0" // what flag compares defaults with
	}
	return fmt.Sprint(*n.at)
}

func (n number[T]) Set(text string) error {
	for len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9' {
		text = text[1:] // of seq -w: 010 is ten, not eight
	}
	var v T
	var rest string
	if count, _ := fmt.Sscan(text, &v, &rest); count == 1 && v >= n.least && v <= n.most {
		*n.at = v
		return nil
	}
	if float64(n.most) >= math.MaxInt32 {
		return fmt.Errorf("want a number, %v or more", n.least)
	}
	return fmt.Errorf("want a number of %v to %v", n.least, n.most)
}

// Number adds a flag for a number of least to most; bounds from math.MaxInt32 on are not
// mentioned in errors. The value that at points to is the default.
func Number[T int | int64 | uint64 | float64](fs *flag.FlagSet, at *T, name string, least, most T, usage string) {
	fs.Var(number[T]{at, least, most}, name, usage)
}

// A duration is a flag for a time. Its error, unlike that of package flag, tells the form.
type duration struct{ at *time.Duration }

func (d duration) String() string {
	if d.at == nil {
		return "0s" // what flag compares defaults with
	}
	return d.at.String()
}

func (d duration) Set(text string) error {
	v, err := time.ParseDuration(text)
	if err != nil {
		return errors.New("want a time such as 5s, 500ms or 1h30m")
	}
	*d.at = v
	return nil
}

// Duration adds a flag for a time. The value that at points to is the default.
func Duration(fs *flag.FlagSet, at *time.Duration, name, usage string) {
	fs.Var(duration{at}, name, usage)
}

// Seed adds -seed; usage says what is random.
func Seed(fs *flag.FlagSet, at *uint64, usage string) {
	Number(fs, at, "seed", 0, math.MaxUint64, usage)
}

// Concurrency adds -concurrency.
func Concurrency(fs *flag.FlagSet, at *int, what string) {
	Number(fs, at, "concurrency", 1, 1024, "`NUMBER` of "+what+" at a time")
}

// Quiet adds -quiet.
func Quiet(fs *flag.FlagSet, at *bool) {
	fs.BoolVar(at, "quiet", false, "show no progress on standard error (default off)")
}

// A Board is the rule and the size of the board of games.
type Board struct {
	Rule   board.Rule `json:"rule"`
	Width  int        `json:"width"` // cells
	Height int        `json:"height"`
}

// ruleUsage describes -rule, with the rules of board.NamedRules.
const ruleUsage = "`RULE` by its name or number in the protocol: 0 freestyle, 1 standard (exactly five), 4 renju, 8 caro, 9 exact-caro"

// Add adds -rule and -size. The defaults are freestyle and 15x15.
func (b *Board) Add(fs *flag.FlagSet) {
	fs.Func("rule", ruleUsage+" (default 0)", b.setRule)
	b.addSize(fs, false)
}

// AddSquare is Add for a command that accepts squares only.
func (b *Board) AddSquare(fs *flag.FlagSet) {
	fs.Func("rule", ruleUsage+" (default 0)", b.setRule)
	b.addSize(fs, true)
}

// AddContinuous is AddSquare for a command that plays continuous games too.
func (b *Board) AddContinuous(fs *flag.FlagSet) {
	fs.Func("rule", ruleUsage+"; 2 more, or +continuous after the name, for the continuous game, which most rows win (default 0)", func(text string) error {
		name, continuous := strings.CutSuffix(text, "+continuous")
		if n, err := strconv.Atoi(name); err == nil && !continuous && n&int(board.Continuous) != 0 {
			name, continuous = strconv.Itoa(n&^int(board.Continuous)), true
		}
		if err := b.setRule(name); err != nil {
			return fmt.Errorf("%w, or 2 more or +continuous after it", err)
		}
		if continuous {
			b.Rule |= board.Continuous
		}
		return nil
	})
	b.addSize(fs, true)
}

// addSize adds -size, for squares only or rectangles too, and sets the defaults.
func (b *Board) addSize(fs *flag.FlagSet, square bool) {
	b.Rule, b.Width, b.Height = 0, 15, 15
	shape := "cells"
	if !square {
		shape += ", or COLUMNSxROWS"
	}
	fs.Func("size", "board of `N`xN "+shape+", 5 to 22 (default 15)", func(text string) error {
		columns, rows, two := strings.Cut(text, "x")
		if !two {
			rows = columns
		}
		w, err := strconv.Atoi(columns)
		h, err2 := strconv.Atoi(rows)
		if err != nil || err2 != nil || !board.ValidSize(w, h) {
			return fmt.Errorf("want sides of %d to %d", board.MinSize, board.MaxSize)
		}
		if square && w != h {
			return errors.New("want a square")
		}
		b.Width, b.Height = w, h
		return nil
	})
}

// setRule sets the rule to that of a name or a number.
func (b *Board) setRule(text string) error {
	for _, r := range board.NamedRules() {
		if text == r.FileName() || text == strconv.Itoa(int(r)) {
			b.Rule = r
			return nil
		}
	}
	return errors.New("want 0, 1, 4, 8, 9 or a name: freestyle, standard, renju, caro, exact-caro")
}

// RuleOfFiles adds -rule to a command that learns from games of files. It sets at to a number
// if the flag is given.
func RuleOfFiles(fs *flag.FlagSet, at *int) {
	ruleNumber(fs, at, "train on games of this `RULE`, its name or its number in the protocol (default: the only rule in the files)")
}

// RuleOfGames adds -rule to a command that reads files which may not say the rule of a game. It sets
// at to a number if the flag is given.
func RuleOfGames(fs *flag.FlagSet, at *int) {
	ruleNumber(fs, at, "`RULE`, its name or its number in the protocol, of games whose file does not say it (default: such games are an error)")
}

func ruleNumber(fs *flag.FlagSet, at *int, usage string) {
	fs.Func("rule", usage, func(text string) error {
		var b Board
		if err := b.setRule(text); err != nil {
			return err
		}
		*at = int(b.Rule)
		return nil
	})
}

// New returns an empty board.
func (b *Board) New() *board.Board {
	empty, err := board.New(b.Rule, b.Width, b.Height)
	if err != nil {
		panic(err) // Add accepts only valid ones
	}
	return empty
}

func (b *Board) String() string { return fmt.Sprintf("%v %dx%d", b.Rule, b.Width, b.Height) }

package generation

import (
	"context"
	"io"

	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"tengen/cmd/internal/flags"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
)

// Under the name of one of the programs the test binary stands in for it. It notes in
// the file "calls" what it was told, and does what a file asks for that is named after
// it: "fail-train" makes it fail, "hang-train" makes it work until it is stopped.
func TestMain(m *testing.M) {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	switch {
	case slices.Contains(programs, name):
		os.Exit(standIn(name, os.Args[1:]))
	case name == "generation":
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		os.Exit(status(os.Stderr, Run(ctx, os.Args[1:], os.Stdout, os.Stderr)))
	}
	os.Exit(m.Run())
}

func status(stderr io.Writer, err error) int { return flags.Status(stderr, "learn generation", err) }

func standIn(name string, args []string) int {
	if name == "learn" {
		name, args = args[0], args[1:]
	}
	calls, err := os.OpenFile("calls", os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return 3
	}
	defer calls.Close()
	fmt.Fprintln(calls, name, strings.Join(args, " "))
	if args[0] == "openings" || args[0] == "merge" {
		name += " " + args[0]
	}
	if _, err := os.Stat("fail-" + name); err == nil {
		fmt.Fprintf(os.Stderr, "%s: no luck\n", name)
		return 1
	}
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, os.Interrupt, syscall.SIGTERM)
	if _, err := os.Stat("hang-" + name); err == nil {
		if err := os.WriteFile("hanging", nil, 0o666); err != nil {
			return 3
		}
		select {
		case <-stopped:
		case <-time.After(time.Minute):
		}
		time.Sleep(200 * time.Millisecond)
		fmt.Fprintln(calls, name, "ended")
		return 130
	}
	value := func(flag string) string {
		if i := slices.Index(args, flag); i >= 0 {
			return args[i+1]
		}
		return ""
	}
	switch name {
	case "selfplay":
		err = standInGames(value("-o"))
	case "selfplay openings":
		n, _ := strconv.Atoi(value("-count"))
		fmt.Print(strings.Repeat("h8\n", n))
	case "tables":
		fmt.Print(trainText)
		err = os.WriteFile(value("-out"), nil, 0o666)
	case "arena merge":
		text := resultText
		if _, err := os.Stat("forfeit"); err == nil {
			text += "old lost 1 by crash\n"
		}
		fmt.Print(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// standInGames writes two games of three positions.
func standInGames(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w, err := record.NewSampleWriter(f, "stand-in\n")
	if err != nil {
		return err
	}
	for n := range uint32(2) {
		g := &record.SampleGame{Number: n, Width: 15, Height: 15, Outcome: record.Drawn}
		for x := range 3 {
			g.Plies = append(g.Plies, record.SamplePly{Move: board.At(x, 0), Best: board.At(x, 0), Value: 1})
		}
		if err := w.Write(g); err != nil {
			return err
		}
	}
	return w.Flush()
}

const trainText = `freestyle: 2 games (1 for validation), 6 positions with a value; 5 teach values, 4 the order of moves; read in 0.0 s, 1 MiB
values epoch   0  training 0.62386  validation 0.65195  right 69.8%  rate 0.500 *
values epoch   1  training 0.61386  validation 0.62195  right 69.9%  rate 0.500  1383121 samples/s *
order  epoch   0  training 2.70960  validation 2.72302  right 27.9%  rate 0.500 *
rounded: values 0.62200 (75.2% right), order 2.33908 (31.5% right)
`

const resultText = `match 0123456789abcdef: 4 of 4 games
new against old: +2 -1 =1
pairs 0/0/1/1/0 (0, 1/2, 1, 3/2, 2 points)
Elo 88.74 +/- 102.40 [-20.00, 201.00], normalised 205.00 +/- 340.48
LOS 89.00 %, draws 25.00 %
`

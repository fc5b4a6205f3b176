package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/query"
)

// A thinker is an engine with the limits of its searches.
type thinker struct {
	fs *flag.FlagSet
	query.Limits
	threads int
	memory  int // MiB

	stderr io.Writer // for what does not prevent a search
	engine *brain.Engine
}

// Add adds the flags, with the default of -time.
func (t *thinker) Add(fs *flag.FlagSet, limit time.Duration) {
	t.fs, t.Time, t.threads, t.memory = fs, limit, 1, 350
	t.Limits.Add(fs)
	flags.Number(fs, &t.threads, "threads", 1, brain.MaxThreads, "`NUMBER` of threads, up to the limit of the machine; with 1 a search limited by depth or nodes is repeatable")
	flags.Number(fs, &t.memory, "memory", 50, 1<<20, "`MIB` of memory for the engine")
}

// start makes the engine. The error is one of the command line.
func (t *thinker) start(r invocation) error {
	if t.Time < 0 {
		return flags.Usage("-time %v: want 0 or a positive time", t.Time)
	}
	if (t.Depth > 0 || t.Nodes > 0) && !flags.Given(t.fs)["time"] {
		t.Time = 0
	}
	t.stderr = r.stderr
	t.engine = brain.New(r.config)
	t.engine.Set("thread_num", strconv.Itoa(t.threads))
	return nil
}

// A found is what a search has found.
type found struct {
	lines   []brain.Info // from the best on
	nodes   int64
	elapsed time.Duration
}

// place sets up the position after moves on the engine. The engine gets the rows as the file has them,
// since values depend a little on which is the first: so it finds the same whether the game is
// mirrored or not.
func (t *thinker) place(g *game, moves []board.Move) error {
	t.engine.Set("rule", strconv.Itoa(int(g.rule)))
	if err := t.engine.NewGame(g.width, g.height); err != nil {
		return err
	}
	return t.engine.SetMoves(g.mirror(moves))
}

// analyze searches the position after moves, which are legal and do not end the game, for the given
// number of lines, until a limit is reached or ctx ends, which is no error.
func (t *thinker) analyze(ctx context.Context, g *game, moves []board.Move, lines int, report func(brain.Info)) (found, error) {
	e := t.engine
	if err := t.place(g, moves); err != nil {
		return found{}, err
	}
	o := e.Options()
	o.Endless, o.Depth, o.Nodes, o.MaxMemory = true, t.Depth, t.Nodes, int64(t.memory)<<20
	if t.Time > 0 {
		timed, cancel := context.WithTimeout(ctx, t.Time)
		defer cancel()
		ctx = timed
	}
	start := time.Now()
	var f found
	thought, err := e.Think(ctx, brain.Query{Options: &o, Start: start, Lines: lines, Study: true, Report: func(i brain.Info) {
		i.PV = g.mirror(i.PV)
		for len(f.lines) <= i.Line {
			f.lines = append(f.lines, brain.Info{})
		}
		f.lines[i.Line] = i
		if report != nil {
			report(i)
		}
	}})
	if err != nil {
		return found{}, err
	}
	for _, note := range thought.Notes {
		note, _, _ = strings.Cut(note, "\n")
		if strings.HasPrefix(note, brain.SearchFailed) {
			return found{}, errors.New(note)
		}
		fmt.Fprintf(t.stderr, "pbrain-tengen: %s\n", note)
	}
	if len(thought.Infos) > 0 {
		f.lines = slices.Clone(thought.Infos)
		for i := range f.lines {
			f.lines[i].PV = g.mirror(f.lines[i].PV)
		}
	}
	f.elapsed = time.Since(start)
	f.lines = slices.DeleteFunc(f.lines, func(i brain.Info) bool { return len(i.PV) == 0 })
	for _, i := range f.lines {
		f.nodes = max(f.nodes, i.Nodes)
	}
	if len(f.lines) == 0 {
		f.lines = []brain.Info{{Lines: 1, PV: g.mirror([]board.Move{thought.Move})}}
	}
	return f, nil
}

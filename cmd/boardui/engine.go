package main

import (
	"context"
	"io"
	"runtime"
	"strconv"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/opening"
	"tengen/brain/prover"
	"tengen/cmd/internal/heap"
	"tengen/protocol"
)

// This file is all that the board knows of its engine beyond the protocol; TestOneFileKnowsTheEngine
// checks that.

// What the page shows of the engine, and the bounds of its levels and styles.
const (
	engineName    = brain.Name
	engineVersion = brain.Version
	fullStrength  = brain.FullStrength
	maxStyle      = brain.MaxStyle
)

// A solver answers questions about forced wins, of one position after another. It is not safe for
// use by several goroutines at once.
type solver interface {
	SetMoves(moves []board.Move) error
	Win(ctx context.Context, kind prover.Kind) forced
	Defend(ctx context.Context, kind prover.Kind) forced
	Lost(ctx context.Context, kind prover.Kind) forced
}

type (
	forced = prover.Solution // the answer of a solver
	proof  = prover.Proof    // a win with the winner's move after every reply
)

// anyThreat is the kind of wins that the board asks for: by continuous threats.
const anyThreat = prover.VCT

// refuted reports whether there is no win since all was tried.
func refuted(f *forced) bool { return !f.Win && f.Limit == prover.NoLimit }

// newSolver returns a solver of boards by a rule. It has tables of 96 MiB.
func newSolver(rule board.Rule, width, height int) (solver, error) {
	return prover.New(rule, width, height)
}

// choose takes the decisions of the player whose turn it is. The protocol has no words for most
// opening rules, so they are taken by an engine within this program.
func choose(ctx context.Context, rule board.Rule, state *opening.State, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, openingLimit)
	defer cancel()
	e := brain.New(brain.Config{})
	options := brain.DefaultOptions()
	options.Rule, options.Hash, options.Turn = rule, openingHash, limit
	if err := e.NewGame(state.Size()); err != nil {
		return err
	}
	chosen, err := e.Choose(ctx, state, brain.Query{Options: &options})
	if err != nil {
		return err
	}
	for _, c := range chosen.List {
		if err := state.Apply(c); err != nil {
			return err
		}
	}
	return nil
}

// eachShare calls add for the moves of a position and their shares in the policy, the likeliest first. The
// protocol has no words for it.
func eachShare(rule board.Rule, width, height int, moves []board.Move, add func(m board.Move, share float64)) error {
	e := brain.New(brain.Config{})
	e.Set("rule", strconv.Itoa(int(rule)))
	if err := e.NewGame(width, height); err != nil {
		return err
	}
	if err := e.SetMoves(moves); err != nil {
		return err
	}
	list, err := e.Policy()
	for _, c := range list {
		add(c.Move, c.Share)
	}
	return err
}

// The built-in engine is this program, started with this argument. It is used like any
// other engine.
const engineWord = "engine"

// serveEngine is the built-in engine.
func serveEngine(r io.Reader, w io.Writer) error {
	engine := brain.New(brain.Config{
		LimitHeap:   heap.Limit,
		MostMemory:  heap.Room(),
		MostThreads: brain.ThreadsFor(runtime.GOMAXPROCS(0)),
	})
	return protocol.Serve(context.Background(), r, w, engine)
}

// A spec says how an engine is started.
type spec struct {
	command string   // of the user
	args    []string // used instead of command if not empty
	env     []string
	own     bool // the built-in engine, which knows YXBOARD, YXNBEST and YXSTOP
}

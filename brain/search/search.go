// Package search looks ahead.
package search

import (
	"context"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
)

// Limits bounds one search. Zero fields mean no limit.
type Limits struct {
	Soft  time.Duration // start no iteration after this
	Hard  time.Duration // abandon the running iteration after this
	Nodes int64         // per search; makes a run repeatable with one worker
	Depth int           // plies of the last iteration
	Lines int           // best lines searched and reported, each with an exact score; 0 means 1
}

// An Info tells how far a search has come.
type Info struct {
	Line     int // 0 is the best line
	Lines    int
	Depth    int
	SelDepth int
	Score    eval.Value // for the side to move
	Nodes    int64
	Elapsed  time.Duration
	Cutoffs  int64 // beta cut-offs so far
	First    int64 // of these made by the first move tried
	PV       []board.Move
}

// A Result is the move to play with what is known of it. Move is None only if there
// is no legal move.
type Result struct {
	Move board.Move
	Info Info
}

// A Pool is a set of workers that share one Table.
type Pool struct{}

// NewPool returns a pool of the given number of workers (at least 1) with a table of
// at most tableBytes.
func NewPool(workers int, tableBytes int64) *Pool { return &Pool{} }

// Resize changes the number of workers and the size of the table, which is emptied
// if its size changes. Not during a search.
func (p *Pool) Resize(workers int, tableBytes int64) {}

// Clear forgets everything learnt from earlier searches. Not during a search.
func (p *Pool) Clear() {}

// Search returns the best move found before ctx ends or a limit is reached, and always
// returns a legal move if there is one. report, if not nil, is called from one goroutine
// after every finished iteration and when the best move changes. b is not changed.
func (p *Pool) Search(ctx context.Context, b *board.Board, l Limits, report func(Info)) Result {
	// STUB: first legal cell nearest the centre.
	best, dist := board.None, 1<<30
	for y := range b.Height() {
		for x := range b.Width() {
			if m := board.At(x, y); b.Legal(m) {
				dx, dy := 2*x-b.Width()+1, 2*y-b.Height()+1
				if d := dx*dx + dy*dy; d < dist {
					best, dist = m, d
				}
			}
		}
	}
	info := Info{Lines: 1, Depth: 1, SelDepth: 1, PV: []board.Move{best}}
	if report != nil {
		report(info)
	}
	return Result{best, info}
}

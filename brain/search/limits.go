package search

import (
	"time"

	"tengen/brain/board"
	"tengen/brain/internal/failure"
)

// Limits bounds one search. Zero fields mean no limit.
type Limits struct {
	Soft  time.Duration // no iteration starts after this; if Hard is greater, timeManager lengthens or shortens it
	Hard  time.Duration // the running iteration is abandoned after this
	Next  time.Duration // for a search in the opponent's time: Hard of the search that waits for its end
	Nodes int64         // of all workers in equal shares; makes a run repeatable with one worker
	Depth int           // plies of the last iteration
	Lines int           // best lines searched and reported, each with an exact score; 0 means 1
	Study bool          // where a side is better, and without a style, look for a win rather than for a greater advantage
	Style int           // of the side to move: -100 defense to 100 attack; 0 neutral

	From     int             // plies of the iteration after the first; 0 means 2
	Resume   bool            // begin with the depth that the hash table has of b, if one line is searched
	Reach    int             // all cells within this many of a stone are searched at the root too
	Restrict *Restrictions   // nil for none
	Watch    func(RootEvent) // nil, or called from the goroutine of report
}

// last returns the plies of the last iteration on a board with the given number of empty cells.
func (l *Limits) last(empties int) int {
	depth := min(lastDepth, endTimes*empties)
	if l.Depth > 0 {
		depth = min(depth, l.Depth)
	}
	return depth
}

// An Info is the progress of a search.
type Info struct {
	Line     int // 0 is the best line
	Lines    int
	Depth    int
	SelDepth int
	Score    Value // for the side to move
	Nodes    int64 // of all workers
	Elapsed  time.Duration
	PV       []board.Move // may be kept
}

// Speed returns the nodes a second, 0 in no time.
func (i *Info) Speed() int64 {
	us := i.Elapsed.Microseconds()
	if us <= 0 {
		return 0
	}
	return i.Nodes * 1_000_000 / us
}

// A Result is the best move and its Info. Move is None only if there is no legal move.
type Result struct {
	Move board.Move
	Info Info

	// Failures are panics that were recovered. Those of helpers cost depth; after one of the
	// first worker, or of report, Move is the best known until then and Info has no PV.
	Failures []failure.Report
}

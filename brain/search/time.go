package search

import (
	"time"

	"tengen/brain/board"
)

// Set by hand 2026-11.
const (
	forcedTime = time.Second // after which a forced move is played although saved time is lost
	mostStall  = time.Second // as which a longer stall counts: the process may have been suspended
)

// Time management under a limit for the game, in 1/1024 of the soft limit: see timeManager. Set by hand
// 2026-11, after 268 positions searched up to 25 times as long: the final best move differed in 20% of
// cases where it had not changed recently, and in 40% where it had; in 8%, 22% and 41% where the value
// had risen by more than 100, stayed, or fallen by more than 40; in 40% where less than 0.83 of the
// nodes were below the best move, 18% below 0.91 and 10% above. 54.3% of 562 games against time
// management without these numbers, with a clock that counts nodes.
const (
	changeMore  = 600  // more if the last iteration changed the best move
	dropMore    = 2    // more per point by which the value fell since the iteration before ...
	fallMore    = 4    // ... and since the search for the own move before ...
	fallMost    = 700  // ... both together at most
	fallLeast   = 400  // most that both take if the value has risen
	effortEven  = 840  // the part of the nodes below the best move where it neither adds nor takes
	effortMore  = 2000 // more for each node of 1024 that is not below the best move ...
	effortMost  = 400  // ... at most
	effortLeast = 400  // most that it takes
)

// A timeManager follows the iterations of one search and decides how much of the soft limit
// to use: more while the best move changes, when the value falls, and when other moves
// still take much of the nodes; less otherwise.
type timeManager struct {
	before  Value // of the search for the own move before, or noValue
	best    board.Move
	value   Value // of the iteration before, or noValue
	changes int   // of the best move, in 1/scale; each iteration halves them
}

// newTimeManager returns the timeManager of a new search; before is the value of the search
// for the own move before, or noValue.
func newTimeManager(before Value) timeManager {
	return timeManager{before: before, value: noValue}
}

// next takes the result of an iteration, with the share of the nodes below the best move in
// 1/scale, and returns the part of the soft limit to use in 1/scale.
func (tm *timeManager) next(best board.Move, v Value, effort int) int {
	tm.changes /= 2
	if tm.best != board.None && best != tm.best {
		tm.changes += scale
	}
	fall := 0
	if tm.value != noValue {
		fall += int(tm.value-v) * dropMore
	}
	if tm.before != noValue {
		fall += int(tm.before-v) * fallMore
	}
	tm.best, tm.value = best, v

	change := tm.changes * changeMore / scale
	fall = min(max(fall, -fallLeast), fallMost)
	work := min(max((effortEven-effort)*effortMore/scale, -effortLeast), effortMost)
	return (scale + change) * (scale + fall) / scale * (scale + work) / scale
}

package search

import (
	"time"

	"tengen/brain/board"
)

// NoLimit is a time without limit.
const NoLimit time.Duration = 1<<63 - 1

// Times and shares of moves. Set by hand 2026-11.
const (
	defaultTurn = 5 * time.Second  // of a move if there is no limit at all
	atOnce      = time.Millisecond // of a move that must be made at once: enough for a first iteration
	leastMargin = 20 * time.Millisecond
	mostMargin  = 60 * time.Millisecond
	mostMoves   = 26 // of our own that a game is expected to last at its start
	leastMoves  = 13 // and at any time, unless the board is full before
	stonesAMove = 4  // stones on the board for each move less that the game is expected to last

	marginPart     = 200                   // divisor: the margin grows by 1/n of the limit
	mostMarginPart = 2                     // ... and is at most 1/n of it
	stallQuarters  = 5                     // of the stall, which the margin is at least ...
	stallPart      = 2                     // ... up to 1/n of the limit, ...
	mostWake       = 8 * time.Millisecond  // ... and of the stall once more, up to this, for the thread that answers ...
	usedPart       = 4                     // ... but leaves 1/n of the limit
	betweenMoves   = 25 * time.Millisecond // that a manager may take of the clock for itself
	mostBetween    = 50 * time.Millisecond // ... if the machine stalls the search as long
	betweenTenths  = 9                     // of a game's time, which is the most that is kept for what lies between the moves
	reservePart    = 2                     // divisor: no move takes the last 1/n of a game's time ...
	incrementUsed  = 9                     // tenths of the increment that belong to a move's share
	refillPart     = 2                     // divisor: of that, a move gets at least 1/n while what is kept is filled up
	hardShare      = 11                    // quarters of a share that one move may take
	keptPart       = 8                     // divisor: shares leave 1/n of a game's whole time, at most mostReserve

	mostReserve = 400 * time.Millisecond // ... up to this, since one delay would lose the game

	forcedTime = time.Second // after which a forced move is played although saved time is lost

	mostStall = time.Second // as which a longer stall counts: the process may have been suspended
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

// A ClockState holds the time limits of a move and the state of the game that Clock needs.
type ClockState struct {
	Turn      time.Duration // limit of this move; 0 as fast as possible, negative or NoLimit none
	Match     time.Duration // limit of all moves together, which counts if Left is not known
	Left      time.Duration // left for this and all later moves; 0 and less: at once
	Increment time.Duration // added to Left after each move
	Elapsed   time.Duration // since the line that asks for the move was read
	Played    int           // stones on the board
	Free      int           // empty cells
	Stall     time.Duration // for which the system may keep the search from running: see Pool.Stall
	Rest      int           // own moves that are sure to come, with this one; 0 if the game may end before the board is full
}

// Clock returns the time to use for a move: a search begins no deeper iteration after soft, which
// timeManager lengthens or shortens if soft < hard, and is stopped at hard. Both count from
// now and are at least a millisecond, as 0 would mean no limit; soft <= hard.
//
// With Elapsed and a margin added, hard is never more than Turn or Left. The margin is 20
// to 60 ms, or half of the limit if that is less, since managers measure at their side
// of two pipes. On a machine that stalls the search it is longer, up to three quarters of the
// limit: the goroutine that answers waits for a processor as the search did.
//
// If only the move is limited, all of the limit is used, as saved time would be lost. A limit
// of the game is divided among the moves it may still take; one move may take up to 2.75
// shares, but not the last half or 0.4 s. Long games are not lost on time: for each own move until
// the board is full Clock keeps the 25 ms that may lie between two moves, or up to 50 ms on a machine
// that stalls the search, less the increment, and up to nine tenths of the limit. Where increments
// make up for that, it keeps an eighth of the whole game's time, at most 0.4 s. With less left a move
// takes what leaves that much after nine tenths of its increment, or half of that if it is more.
func Clock(c ClockState) (soft, hard time.Duration) {
	turn, left := c.Turn, c.Left
	if turn < 0 {
		turn = NoLimit
	}
	if left == NoLimit {
		left = c.Match
	}
	if turn == NoLimit && left == NoLimit {
		turn = defaultTurn
	}
	if turn == 0 || left <= 0 {
		return atOnce, atOnce
	}

	most := NoLimit // of the move, from the reading of the line
	if turn != NoLimit {
		most = turn - margin(turn, c.Stall)
	}
	if left != NoLimit {
		most = min(most, left-max(margin(left, c.Stall), min(left/reservePart, mostReserve)))
	}
	soft, hard = most, most
	if left != NoLimit {
		ownMoves := (c.Free + 1) / 2 // until the board is full
		moves := min(max(mostMoves-c.Played/stonesAMove, leastMoves), max(ownMoves, 1))
		if c.Rest > 0 {
			moves, ownMoves = c.Rest, c.Rest
		}
		between := max(min(max(betweenMoves, c.Stall), mostBetween)-c.Increment, 0)
		between = min(time.Duration(ownMoves)*between, left/10*betweenTenths)
		game := left // the whole time of the game
		if c.Match > 0 && c.Match != NoLimit {
			game = c.Match
		}
		kept := max(margin(left, c.Stall), between, min(game/keptPart, mostReserve))
		used := c.Increment / 10 * incrementUsed
		share := (left-kept)/time.Duration(moves) + used
		most = min(most, max(left-kept+used, used/refillPart))
		soft = min(share, most)
		hard = min(share/4*hardShare, most)
	}
	return max(soft-c.Elapsed, atOnce), max(hard-c.Elapsed, atOnce)
}

// margin is the part of a limit that is left unused.
func margin(limit, stall time.Duration) time.Duration {
	stalled := min(stall/4*stallQuarters, limit/stallPart) + min(stall, mostWake)
	return max(
		min(leastMargin+limit/marginPart, mostMargin, limit/mostMarginPart),
		min(stalled, limit-limit/usedPart),
	)
}

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

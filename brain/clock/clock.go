// Package clock divides the time of a game among its moves.
package clock

import "time"

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
)

// A State holds the time limits of a move and the state of the game.
type State struct {
	Turn      time.Duration // limit of this move; 0 as fast as possible, negative or NoLimit none
	Match     time.Duration // limit of all moves together, which counts if Left is not known
	Left      time.Duration // left for this and all later moves; 0 and less: at once
	Increment time.Duration // added to Left after each move
	Elapsed   time.Duration // since the line that asks for the move was read
	Played    int           // stones on the board
	Free      int           // empty cells
	Stall     time.Duration // for which the system may keep the search from running: see search.Pool.Stall
	Rest      int           // own moves that are sure to come, with this one; 0 if the game may end before the board is full
}

// Limits returns the time to use for a move: a search begins no deeper iteration after soft, which it
// may lengthen or shorten if soft < hard, and is stopped at hard. Both count from now and are at least
// a millisecond, as 0 would mean no limit; soft <= hard.
//
// With Elapsed and a margin added, hard is never more than Turn or Left. The margin is 20
// to 60 ms, or half of the limit if that is less, since managers measure at their side
// of two pipes. On a machine that stalls the search it is longer, up to three quarters of the
// limit: the goroutine that answers waits for a processor as the search did.
//
// If only the move is limited, all of the limit is used, as saved time would be lost. A limit
// of the game is divided among the moves it may still take; one move may take up to 2.75
// shares, but not the last half or 0.4 s. Long games are not lost on time: for each own move until
// the board is full it keeps the 25 ms that may lie between two moves, or up to 50 ms on a machine
// that stalls the search, less the increment, and up to nine tenths of the limit. Where increments
// make up for that, it keeps an eighth of the whole game's time, at most 0.4 s. With less left a move
// takes what leaves that much after nine tenths of its increment, or half of that if it is more.
func (c State) Limits() (soft, hard time.Duration) {
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

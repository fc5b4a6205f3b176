package search

import (
	"time"

	"tengen/brain/board"
)

// NoLimit stands for a time that nobody has limited.
const NoLimit time.Duration = 1<<63 - 1

// Times of Clock.
const (
	defaultTurn = 5 * time.Second  // of a move if there is no limit at all
	atOnce      = time.Millisecond // of a move that has to be made now; enough for a static look
	leastMargin = 20 * time.Millisecond
	mostMargin  = 60 * time.Millisecond
	mostMoves   = 26 // of our own that a game is expected to last at its start
	leastMoves  = 13 // and at any time, unless the board is full before
)

// A ClockState is what is known of the time when a search is about to begin.
type ClockState struct {
	Turn      time.Duration // limit of this move; 0 as fast as possible, negative or NoLimit none
	Match     time.Duration // limit of all moves together, which counts if Left is not known
	Left      time.Duration // left for this and all later moves; 0 and less: at once
	Increment time.Duration // added to Left after each move
	Elapsed   time.Duration // since the line that asks for the move was read
	Played    int           // stones on the board
	Free      int           // empty cells
}

// Clock gives the time to use for a move: no iteration begins after soft, which a search
// stretches or shortens where soft < hard, and nothing goes on after hard. Both count from
// now, are at least a millisecond, so that they are not taken for no limit, and soft <=
// hard.
//
// With Elapsed and a margin added, hard is never more than Turn or Left. The margin is
// 20 to 60 ms, a sixth where that is less: managers measure from their side of two
// pipes. A limit of the move alone is used up, as what is saved is lost. A limit of the
// game is shared out over the moves it may still take, and one hard move may take up to
// 2.75 shares.
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
		most = turn - margin(turn)
	}
	if left != NoLimit {
		most = min(most, left-margin(left))
	}
	soft, hard = most, most
	if left != NoLimit {
		moves := min(max(mostMoves-c.Played/4, leastMoves), max((c.Free+1)/2, 1))
		share := (left-margin(left))/time.Duration(moves) + c.Increment/10*9
		soft = min(share, most)
		hard = min(share/4*11, most)
	}
	return max(soft-c.Elapsed, atOnce), max(hard-c.Elapsed, atOnce)
}

// margin is the part of a limit that is left unused.
func margin(limit time.Duration) time.Duration {
	return min(leastMargin+limit/200, mostMargin, limit/6)
}

// A timeManager follows the iterations of one search and says how much of the soft limit the
// move deserves: more while the best move changes, when the value falls, and where other
// moves still take much of the work; less where nothing of that is so.
type timeManager struct {
	p       *Params
	before  Value // of the search for the own move before, or noValue
	best    board.Move
	value   Value // of the iteration before, or noValue
	changes int   // of the best move, in 1/1024; each iteration halves them
}

// newTimeManager begins a search; before is the value of the search for the own move before, or
// noValue.
func newTimeManager(p *Params, before Value) timeManager {
	return timeManager{p: p, before: before, value: noValue}
}

// next takes what an iteration has found, with the part of all nodes that went into the
// best move in 1/1024, and returns the part of the soft limit to use in 1/1024.
func (c *timeManager) next(best board.Move, v Value, effort int) int {
	p := c.p
	c.changes /= 2
	if c.best != board.None && best != c.best {
		c.changes += 1024
	}
	fall := 0
	if c.value != noValue {
		fall += int(c.value-v) * p.TimeDrop
	}
	if c.before != noValue {
		fall += int(c.before-v) * p.TimeFall
	}
	c.best, c.value = best, v

	change := c.changes * p.TimeChange / 1024
	fall = min(max(fall, -p.TimeFallLess), p.TimeFallMore)
	work := min(max((p.TimeEffort-effort)*p.TimeStep/1024, -p.TimeEffortLess), p.TimeEffortMore)
	return (1024 + change) * (1024 + fall) / 1024 * (1024 + work) / 1024
}

// A lastMove is what the last search of a pool has found.
type lastMove struct {
	ply   int // of the position it was for
	move  board.Move
	value Value
}

// before returns the value of the last search if b is what has come of its move, noValue
// if not.
func (l lastMove) before(b *board.Board) Value {
	if l.move == board.None || b.Ply() != l.ply+2 || b.Move(l.ply) != l.move {
		return noValue
	}
	return l.value
}

// Package search finds the best move: iterative deepening over a principal variation search
// with a shared hash table, static wins at every node, and a quiescence search over fours.
// It is silent: it returns values and calls a report function. It is not internal because the
// programs that train and tune it use it; others take package brain.
package search

import (
	"sync/atomic"
	"time"

	"tengen/brain/board"
	"tengen/brain/threat"
)

// maxPly bounds the length of a line from the root.
const maxPly = 240

// scale is 1 in fixed point: reductions are in 1/scale of a ply, time management counts in
// 1/scale of the soft limit. Params writes it as 1/1024.
const scale = 1024

// A worker searches on its own board. It shares with others the table, the flags, the numbers,
// which are only read, and the findings of the solver, which one of them has.
type worker struct {
	b          *board.Board
	eval       Evaluator
	style      int  // Limits.Style, of Black
	compresses bool // values are compressed: see setUp
	table      *hashTable
	stop       *atomic.Bool
	cancelled  *atomic.Bool // who asked for the move wants it at once
	p          *numbers
	now        func() time.Time

	history     history
	corrections corrections
	moves       []scored                    // the moves of all nodes of the current line
	listed      [2 * board.Cells]board.Move // the moves of one node before they are scored
	scores      [2 * board.Cells]int32      // their scores
	stack       [maxPly + 4]frame
	pv          [maxPly + 1][maxPly + 1]board.Move
	pvLen       [maxPly + 1]int

	solver *solver // nil if another worker or none has it
	found  *findings
	leads  bool  // it is the first worker and takes what the solver finds
	again  bool  // the iteration is to be repeated
	solved int64 // nodes of the solver, counted as nodes of the search

	rootMoves   []rootMove
	firstDepth  int  // plies of the first iteration
	resumed     bool // the hash table has the value of the root to that depth, not only a bound
	secondDepth int  // plies of the iteration after it, at least
	rootDepth   int  // of the present iteration; 0 before the first
	depthBefore int  // of the iteration before, or of the table's entry of the root
	selDepth    int

	// Of showLine.
	line          []board.Move
	fours         *threat.VCF // nil until needed
	lineSolver    *threat.VCT // the same
	lineTries     int         // positions of the line where it has looked for a win
	lineNodesLeft int         // left to the solver for the line

	nodes     int64
	total     atomic.Int64  // nodes at the last check of the limits, for other goroutines
	nextCheck int64         // nodes at which the limits are checked next
	checked   time.Time     // the last check, zero before the first
	stall     time.Duration // the longest time between two checks
	limit     int64         // nodes, 0 for none
	deadline  time.Time     // zero for none
	stopped   bool          // leave without a result
	cutoffs   int64
	firsts    int64 // cut-offs by the first move tried

	// See Restrictions.
	notAtRoot []board.Move
	restraint *restraint       // nil for none
	known     map[uint64]Value // compressed, by the hash under the key of this search; nil for none
	lastEmpty int              // empty cells with which the game is a draw
	drawFor   DrawVerdict
	watch     func(RootEvent) // nil for none
	better    func(*rootMove) // called with a move that is better than the best before it; nil for none
}

// A frame holds what a node shares with nodes at other plies.
type frame struct {
	static      Value       // with its correction; noValue if not known
	uncorrected Value       // as the evaluator has it, see staticValue; noValue against a five
	cutoffs     int         // beta cut-offs at this ply since the node two plies before was entered; at ply 2 since the search began
	class       board.Class // what the move played from here made
	excluded    board.Move  // not to be tried: singular extension
	killers     [2]board.Move
}

// checkEvery is the number of nodes between two checks of the limits: about 0.3 ms.
const checkEvery = 256

// checkLimits sets stopped if a limit is reached. It reads the clock itself, since the
// goroutine of a timer may have to wait while all processors search.
func (w *worker) checkLimits() {
	checkBoard(w.b)
	w.solve()
	if w.leads {
		w.takeProofs()
	}
	w.total.Store(w.nodes + w.solved)
	if w.stop.Load() || w.limit > 0 && w.nodes+w.solved >= w.limit || w.late() {
		w.stopped = true
	}
	w.nextCheck = w.nodes + checkEvery
	if w.limit > 0 {
		w.nextCheck = min(w.nextCheck, w.limit-w.solved)
	}
}

// late reports whether the deadline, if there is one, has passed. It notes how long the system
// kept the worker from running.
func (w *worker) late() bool {
	if w.deadline.IsZero() {
		return false
	}
	now := w.now()
	if !w.checked.IsZero() {
		w.stall = max(w.stall, now.Sub(w.checked))
	}
	w.checked = now
	return !now.Before(w.deadline)
}

// hurry makes the worker stop at the time t, unless its deadline is earlier.
func (w *worker) hurry(t time.Time) {
	if w.deadline.IsZero() || t.Before(w.deadline) {
		w.deadline = t
	}
}

func (w *worker) play(m board.Move, ply int) {
	w.table.prefetch(w.b.HashAfter(m))
	w.stack[ply].class = w.b.Class(w.b.Side(), m)
	w.b.Play(m)
}

func (w *worker) undo() {
	w.b.Undo()
	w.eval.Undone()
}

// forbidden reports whether the side to move may not play the empty cell m.
func (w *worker) forbidden(m board.Move) bool {
	return w.b.Side() == board.Black && w.b.Forbidden(m) || w.restraint != nil && w.restraint.bars(w.b, m)
}

// updatePV makes m and the child's PV the PV at ply.
func (w *worker) updatePV(m board.Move, ply int) {
	n := 0
	if ply+1 <= maxPly {
		n = copy(w.pv[ply][1:], w.pv[ply+1][:w.pvLen[ply+1]])
	}
	w.pv[ply][0] = m
	w.pvLen[ply] = n + 1
}

// alphaBeta returns the value of the position for the side to move, searched to depth plies
// and within (alpha, beta); outside of the window it is a bound (fail-soft). cut means that
// a beta cut-off is expected. Once w.stopped is set the value is meaningless.
func (w *worker) alphaBeta(alpha, beta Value, depth, ply int, cut bool) Value {
	if depth <= 0 {
		return w.quiescence(alpha, beta, 0, ply)
	}

	// Step 1. Limits of the search and of the board, static wins, and distances to wins.
	if v, ok := w.settled(ply); ok {
		return v
	}
	n := node{alpha: alpha, beta: beta, depth: depth, ply: ply, cut: cut}
	w.stack[ply+2].cutoffs = 0
	if n.narrow() {
		return n.alpha
	}
	w.probeNode(&n)

	// Step 2. Hash table.
	if v, ok := w.tableCutoff(&n); ok {
		return v
	}

	// Step 3. Static value.
	w.evaluate(&n)

	// Step 4. Static pruning: razoring and child futility.
	if v, ok := w.pruned(&n); ok {
		return v
	}

	// Step 5. Internal reduction.
	w.reduceNode(&n)
	if n.depth <= 0 {
		return w.quiescence(n.alpha, n.beta, 0, ply)
	}

	// Steps 6 to 9. The moves.
	if v, ok := w.searchMoves(&n); ok {
		return v
	}
	if w.stopped {
		return 0
	}

	// Step 10. No move: every reply to the threat is forbidden or none is left.
	if n.count == 0 {
		if v, ok := w.noMove(&n); ok {
			return v
		}
	}

	// Step 11. Update of the corrections and of the hash table.
	if w.stack[ply].excluded == board.None {
		w.learnCorrection(&n)
		w.store(&n)
	}
	return n.best
}

// searchMoves searches the moves of the node until one reaches beta, and leaves the result
// in n. If ok is set v decides the node before its moves are searched.
func (w *worker) searchMoves(n *node) (v Value, ok bool) {
	b := w.b
	s, o := b.Side(), b.Side().Other()
	excluded := w.stack[n.ply].excluded
	moves := w.newMovePicker(w.movesFor(n), n.known.move)
	var tried [maxTried]board.Move
	nTried := 0
	for m := moves.move(); m != board.None; m = moves.move() {
		if m == excluded || w.forbidden(m) {
			continue
		}
		n.count++
		mine, theirs := b.Class(s, m), b.Class(o, m)

		// Step 6. Late move pruning, once a move is known that does not lose.
		if n.best > -WinFloor && !n.threatened && w.skips(n, &moves, mine, theirs) {
			continue
		}

		// Step 7. Extensions. The search for a singular move may decide the node.
		extend, v := w.extension(n, m, mine)
		if w.stopped {
			break
		}
		if v != noValue {
			moves.done()
			return v, true
		}

		// Step 8. Late move reduction.
		reduce := w.reduction(n, m, mine, theirs)

		// Step 9. Search of the move, and what the history learns from a cut-off.
		w.play(m, n.ply)
		v = w.searchMove(n, n.depth-1+extend, reduce)
		w.undo()
		if w.stopped {
			break
		}
		if v > n.best && w.update(n, m, v) {
			w.updateHistory(m, tried[:nTried], n.depth, n.ply, n.threatened)
			break
		}
		if n.bestMove == m {
			w.reduceRest(n)
		}
		if nTried < maxTried {
			tried[nTried] = m
			nTried++
		}
	}
	n.kind = moves.kind
	moves.done()
	return 0, false
}

package search

import (
	"sync/atomic"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/solver"
	"tengen/brain/threat"
)

// A worker searches on its own board. It shares with others the table, the flags, and the numbers,
// which are only read.
type worker struct {
	b          *board.Board
	eval       eval.Evaluator
	style      int    // Limits.Style, of Black
	compresses bool   // values are compressed: see Limits.Study
	key        uint64 // in the hash of every position, for searches whose values cannot be compared
	table      *hashTable
	stop       *atomic.Bool
	canceled   *atomic.Bool // who asked for the move wants it at once
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

	solver      *solver.Solver // that it runs; nil if another worker or none does
	solverNodes int64          // counted as nodes of the search
	finder      *solver.Solver // whose findings it takes: the first worker; nil for none
	mustStop    func() bool    // overdue, for the solver
	leader      board.Move     // the best root move so far, if it takes findings
	restart     bool           // the iteration has ended since the best root move loses, and another one begins

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
	known     map[uint64]Value // as the search has values, by the hash under its key; nil for none
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

// follow makes the board of the worker equal to b.
func (w *worker) follow(evaluator func(*board.Board) eval.Evaluator, b *board.Board) {
	var made bool
	if w.b, made = board.Copy(w.b, b); made {
		w.eval = evaluator(w.b)
		w.corrections = corrections{} // they were of another rule or size
	}
}

// setUp makes the worker ready for a new search of b.
func (w *worker) setUp(evaluator func(*board.Board) eval.Evaluator, b *board.Board, l Limits, deadline time.Time) {
	w.follow(evaluator, b)
	w.eval.Reset(w.b, l.Style)
	w.style = l.Style
	if b.Side() == board.White {
		w.style = -w.style // that of the side to move is its opposite for the other side
	}
	// A style makes even positions look clear.
	w.compresses = l.Study && w.style == 0 && Value(w.eval.Value()).Abs() > studyFrom
	if key := keyOf(w.style, w.compresses); key != w.key {
		w.key, w.corrections = key, corrections{}
	}
	w.b.Rekey(w.key)
	w.history = history{}
	w.stack = [maxPly + 4]frame{}
	w.nodes, w.cutoffs, w.firsts, w.solverNodes = 0, 0, 0, 0
	w.total.Store(0)
	w.solver, w.finder, w.restart, w.leader = nil, nil, false, board.None
	w.stopped, w.limit, w.deadline, w.nextCheck = false, l.Nodes, deadline, 0
	w.checked, w.stall = time.Time{}, 0
	w.firstDepth, w.secondDepth, w.resumed = 1, l.From, false
	w.rootDepth, w.depthBefore = 0, 0
	w.restrict(l.Restrict, b.Hash())
}

// keyOf returns what tells the positions of searches apart whose values cannot be compared: those of
// different styles of Black, and compressed ones from others.
func keyOf(style int, compressed bool) uint64 {
	const neutral = 1 << 16 // added to a style
	if style == 0 && !compressed {
		return 0
	}
	return uint64(style+neutral) * board.Golden
}

// checkEvery is the number of nodes between two checks of the limits: about 0.3 ms.
const checkEvery = 256

// checkLimits sets stopped if a limit is reached. It reads the clock itself, since the
// goroutine of a timer may have to wait while all processors search.
func (w *worker) checkLimits() {
	if w.solver != nil {
		w.stepSolver()
	}
	if w.finder != nil {
		w.takeFindings()
	}
	w.total.Store(w.nodes + w.solverNodes)
	if w.stop.Load() || w.limit > 0 && w.nodes+w.solverNodes >= w.limit || w.late() {
		w.stopped = true
	}
	w.nextCheck = w.nodes + checkEvery
	if w.limit > 0 {
		w.nextCheck = min(w.nextCheck, w.limit-w.solverNodes)
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

package search

import (
	"sync/atomic"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/hashtable"
	"tengen/brain/internal/eventloop"
)

// A worker searches on its own board. It shares with others the table, the flags in its limits, and
// the numbers, which are only read.
type worker struct {
	b     *board.Board
	eval  eval.Evaluator
	table *hashtable.Table
	p     *numbers

	style      int        // Limits.Style, of Black
	compresses bool       // values are compressed: see Limits.Study
	key        uint64     // in the hash of every position, for searches whose values cannot be compared
	restraint  *restraint // of the Restrictions of the search; nil for none

	// What the nodes of a line share.
	stack  [maxPly + 4]frame
	pv     [maxPly + 1][maxPly + 1]board.Move
	pvLen  [maxPly + 1]int
	moves  []scoredMove                // the moves of all nodes of the line
	listed [2 * board.Cells]board.Move // the moves of one node before they are scored
	scores [2 * board.Cells]int32      // their scores

	history     history
	corrections corrections

	nodes    int64
	cutoffs  int64
	firsts   int64 // cut-offs by the first move tried
	selDepth int

	limits  workerLimits
	root    root
	display display

	solver      Solver      // that it runs; nil if another worker or none does
	solverNodes int64       // counted as nodes of the search
	mustStop    func() bool // overdue, for the solver
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

// workerLimits decide when a worker stops.
type workerLimits struct {
	stop     *atomic.Bool // of all workers
	canceled *atomic.Bool // who asked for the move wants it at once
	now      func() time.Time

	nodes     int64         // 0 for no limit
	deadline  time.Time     // zero for none
	nextCheck int64         // nodes at which the limits are checked next
	checked   time.Time     // the last look at the clock, zero before the first
	stall     time.Duration // the longest time between two of them
	total     atomic.Int64  // nodes at the last check, for other goroutines
}

// newWorker returns a worker of the pool.
func newWorker(p *Pool) *worker {
	w := &worker{table: &p.table, p: p.numbers, moves: make([]scoredMove, 0, lineMoves)}
	w.limits.stop, w.limits.canceled, w.limits.now = &p.stop, &p.canceled, p.now
	w.mustStop = w.overdue
	return w
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
	w.solver = nil
	w.limits.begin(l.Nodes, deadline)
	w.root.begin(l.From)
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

// begin sets the limits of a search.
func (l *workerLimits) begin(nodes int64, deadline time.Time) {
	l.nodes, l.deadline, l.nextCheck = nodes, deadline, 0
	l.checked, l.stall = time.Time{}, 0
	l.total.Store(0)
}

// checkEvery is the number of nodes between two checks of the limits: about 0.3 ms.
const checkEvery = 256

// checkLimits reports whether the nodes of the line are to be left, since a limit is reached or by what
// the solver has found. It reads the clock itself, since the goroutine of a timer may have to wait while
// all processors search.
func (w *worker) checkLimits() (end bool) {
	eventloop.Yield()
	l := &w.limits
	if w.solver != nil {
		w.stepSolver()
	}
	if w.root.solver != nil {
		end = w.takeFindings(w.root.solver.Findings())
	}
	nodes := w.nodes + w.solverNodes
	l.total.Store(nodes)
	end = end || l.stop.Load() || l.nodes > 0 && nodes >= l.nodes || l.late()
	l.nextCheck = w.nodes + checkEvery
	if l.nodes > 0 {
		l.nextCheck = min(l.nextCheck, l.nodes-w.solverNodes)
	}
	return end
}

// late reports whether the deadline, if there is one, has passed. It notes how long the system
// kept the worker from running.
func (l *workerLimits) late() bool {
	if l.deadline.IsZero() {
		return false
	}
	now := l.now()
	if !l.checked.IsZero() {
		l.stall = max(l.stall, now.Sub(l.checked))
	}
	l.checked = now
	return !now.Before(l.deadline)
}

// hurry makes the worker stop at the time t, unless its deadline is earlier.
func (l *workerLimits) hurry(t time.Time) {
	if l.deadline.IsZero() || t.Before(l.deadline) {
		l.deadline = t
	}
}

// forever is a time that no search has.
const forever time.Duration = 1<<63 - 1

// left returns the time before the deadline, forever if there is none, and nothing once the move is
// wanted at once.
func (l *workerLimits) left() time.Duration {
	switch {
	case l.canceled.Load():
		return 0
	case l.deadline.IsZero():
		return forever
	}
	return l.deadline.Sub(l.now())
}

func (w *worker) play(m board.Move, ply int) {
	w.table.Prefetch(w.b.HashAfter(m))
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

// compress is the function compress in a search that compresses values.
func (w *worker) compress(v Value) Value {
	if w.compresses {
		return compress(v)
	}
	return v
}

// compressed reports whether v is where compress counts less than the whole difference.
func (w *worker) compressed(v Value) bool { return w.compresses && v.Abs() > clearValue }

// stylePart is what the style of the search adds to the value of the position.
func (w *worker) stylePart() Value {
	if w.style == 0 {
		return 0
	}
	return Value(w.eval.StylePart())
}

// reported converts the value v of the root to one for reports: it expands v, or subtracts what the style
// adds at the end of the line, where v comes from.
func (w *worker) reported(v Value, line []board.Move) Value {
	if v.Proven() {
		return v
	}
	if w.compresses {
		return expand(v)
	}
	if w.style == 0 {
		return v
	}
	for _, m := range line {
		w.b.Play(m)
	}
	part := w.stylePart()
	for range line {
		w.undo()
	}
	if len(line)%2 == 1 {
		part = -part
	}
	return v - part
}

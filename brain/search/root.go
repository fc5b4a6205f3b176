package search

import (
	"slices"
	"sync/atomic"

	"tengen/brain/board"
	"tengen/brain/hashtable"
	"tengen/brain/score"
)

// A root is the state of a worker at the root of a search.
type root struct {
	moves []rootMove

	firstDepth  int  // plies of the first iteration
	resumed     bool // the hash table has the value of the root to that depth, not only a bound
	secondDepth int  // plies of the iteration after it, at least
	depth       int  // of the present iteration; 0 before the first
	depthBefore int  // of the iteration before, or of the table's entry of the root

	best   atomic.Int32 // the best move so far
	points atomic.Int32 // its value, reported, in the last iteration

	// Of the first worker.
	solver Solver          // whose findings it takes; nil for none
	watch  func(RootEvent) // nil for none
}

// An interrupt is why an iteration ends before all its moves are searched.
type interrupt uint8

const (
	none         interrupt = iota
	limitReached           // of the search, or it has a proved win
	bestRefuted            // the best root move loses: another iteration begins
)

// begin makes r ready for a search whose second iteration goes to the depth from at least.
func (r *root) begin(from int) {
	*r = root{moves: r.moves, firstDepth: 1, secondDepth: from}
}

// standing returns the best move so far, or None, and the points of the last iteration, 0 before one.
// Another goroutine may call it.
func (r *root) standing() (best board.Move, points int) {
	return board.Move(r.best.Load()), int(r.points.Load())
}

// iterate is iterative deepening to the depth last or until a limit is reached. progress, if not
// nil, is called after each iteration, the first one even if it is not whole, and reports whether to
// continue. An iteration that is stopped has still sorted the moves it finished to the front.
func (w *worker) iterate(last, lines, skip int, progress func(depth int, whole bool) bool) {
	r := &w.root
	lines = min(lines, len(r.moves))
	next := min(r.firstDepth, last)
	for depth := next; depth <= last; depth = next {
		next = max(depth+1, min(r.secondDepth, last))
		if skip > 0 && depth > rootSkipFrom && (depth+skip)%rootSkip == 0 {
			continue // helpers search different depths
		}
		if 0 < r.depth && r.depth < depth { // else the one before was ended: see bestRefuted
			r.depthBefore = r.depth
		}
		r.depth = depth
		for i := range r.moves {
			r.moves[i].previous = r.moves[i].score
		}
		w.selDepth = 0
		var end interrupt
		if lines > 1 {
			end = w.searchLines(depth, lines)
		} else {
			end = w.aspire(depth)
		}
		sortRoot(r.moves)
		if r.solver != nil && r.moves[0].score > -infinity {
			r.points.Store(int32(w.reported(r.moves[0].score, r.moves[0].pv)))
		}
		switch {
		case end == bestRefuted:
			if next = depth; !w.restartIteration() {
				next = max(depth/repeatPart, 1)
			}
			continue
		case end == limitReached && depth > 1:
			return
		}
		if progress != nil && !progress(depth, end == none) || end == limitReached {
			return
		}
	}
}

// restartIteration makes the worker ready for another iteration after one that ended since the best
// root move loses. It reports whether the move that is the best now has a value, of that iteration or
// of the one before.
func (w *worker) restartIteration() (valued bool) {
	w.limits.nextCheck = 0
	for i := range w.root.moves {
		if r := &w.root.moves[i]; r.score == -infinity {
			r.score = r.previous
		}
	}
	sortRoot(w.root.moves)
	return w.root.moves[0].score > -infinity
}

// aspire searches the root moves to depth, in a window around the last score that is widened
// until the score lies within. It returns what has interrupted it.
func (w *worker) aspire(depth int) interrupt {
	x := w.windowAround(w.root.moves[0].previous, depth)
	less := 0
	for {
		v, end := w.searchRoot(x.alpha, x.beta, max(depth-less, 1))
		sortRoot(w.root.moves)
		if end != none {
			return end
		}
		switch x.widen(v) {
		case below:
			less = 0
		case above:
			w.root.moves[0].previous = w.root.moves[0].score // it stays first if the next search is stopped
			less = min(less+1, aspireLess)
		case inside:
			return none
		}
	}
}

// An aspiration is the window in which a value is expected, and how far it opens next.
type aspiration struct{ alpha, beta, delta Value }

// windowAround returns the aspiration for a search to depth by the value of the iteration
// before: the whole window if there is none or if it is proven. Where values are compressed the
// window is wide on the side of the win, since a small rise may be a great one.
func (w *worker) windowAround(before Value, depth int) aspiration {
	x := aspiration{-infinity, infinity, Value(w.p.Aspiration)}
	if depth < aspireFrom || before == -infinity || before.Proven() {
		return x
	}
	x.alpha, x.beta = before-x.delta, before+x.delta
	switch {
	case !w.compressed(before):
	case before > 0:
		x.beta = before + clearWindow
	default:
		x.alpha = before - clearWindow
	}
	return x
}

// A miss tells where a value lies beside a window.
type miss int

const (
	inside miss = iota
	below
	above
)

// widen opens the window if the value v found in it lies outside.
func (x *aspiration) widen(v Value) miss {
	var m miss
	switch {
	case v <= x.alpha && x.alpha > -infinity:
		m = below
		x.beta = (x.alpha + x.beta) / 2
		x.alpha = max(v-x.delta, -infinity)
	case v >= x.beta && x.beta < infinity:
		m = above
		x.beta = min(v+x.delta, infinity)
	default:
		return inside
	}
	x.delta += x.delta/aspireShare + aspireMore
	if v.Proven() || x.delta > aspireGiveUp {
		x.alpha, x.beta = -infinity, infinity
	}
	return m
}

// beginRoot begins an iteration: it returns the node of the root, whose moves have no score yet.
func (w *worker) beginRoot(alpha, beta Value, depth int) node {
	w.nodes++
	w.stack[0].excluded = board.None
	n := node{alpha: alpha, beta: beta, depth: depth, pv: true}
	w.probeNode(&n)
	n.ttPV = true
	w.setStatic(&n)
	for i := range w.root.moves {
		w.root.moves[i].score = -infinity
	}
	w.tell(IterationBegins, board.None)
	return n
}

// searchRoot searches the root moves for the best one, and returns its value unless something
// interrupts that. The first move is searched with the whole window; another gets a score only if it
// proves better.
func (w *worker) searchRoot(alpha, beta Value, depth int) (best Value, end interrupt) {
	n := w.beginRoot(alpha, beta, depth)
	for i := range w.root.moves {
		r := &w.root.moves[i]
		if r.refuted != nil {
			n.takeRefuted(r)
			continue
		}
		n.count++
		first := n.count == 1
		if first {
			w.root.best.Store(int32(r.move))
		}
		w.tell(MoveBegins, r.move)
		v := w.rootValue(&n, r)
		if v == interrupted {
			return v, w.root.interruptedBy()
		}
		if r.refuted != nil { // in the meantime
			w.tell(MoveEnds, r.move)
			continue
		}
		if first || v > n.alpha {
			w.takeResult(r, v, v > alpha && v < beta)
		}
		w.noteLoss(r, v)
		w.tell(MoveEnds, r.move)
		if first && r.lost && w.root.depth >= repeatFrom && w.mayHold() {
			return n.best, bestRefuted
		}
		if v > n.alpha {
			w.root.best.Store(int32(r.move))
			w.tell(MoveIsBest, r.move)
		}
		if v > n.best { // at the root the best move is kept even below alpha
			n.best, n.bestMove = v, r.move
		}
		n.alpha = max(n.alpha, v)
		if v >= beta {
			break
		}
	}
	if !w.restraint.barsRoot() {
		w.store(&n)
	}
	return n.best, none
}

// interruptedBy returns why the search of a root move was interrupted: the best one is refuted, and was
// not before, or else a limit is reached.
func (r *root) interruptedBy() interrupt {
	best, _ := r.standing()
	if slices.ContainsFunc(r.moves, func(r rootMove) bool { return r.move == best && r.refuted != nil }) {
		return bestRefuted
	}
	return limitReached
}

// takeResult gives the root move r its score v and the line that was just searched below it, which
// is whole if v is exact.
func (w *worker) takeResult(r *rootMove, v Value, whole bool) {
	r.score = v
	r.selDepth = w.selDepth
	r.setLine(w.pv[1][:w.pvLen[1]], v, whole)
}

// takeRefuted takes the value of a root move that the solver has refuted into the node of the
// root, if it is the best so far.
func (n *node) takeRefuted(r *rootMove) {
	f := r.refuted
	v := score.LossIn(f.Plies)
	if v <= n.best {
		return
	}
	n.best, n.bestMove = v, r.move
	n.alpha = max(n.alpha, v)
	r.score, r.finished = v, 0
	if len(f.Line) == f.Plies {
		r.finished = v
	}
	r.pv = append(r.pv[:0], f.Line...)
}

// mayHold reports whether a root move is not proven to lose.
func (w *worker) mayHold() bool {
	return slices.ContainsFunc(w.root.moves, func(r rootMove) bool { return !r.lost })
}

// noteLoss marks r as lost if its value v proves that, and reports it once.
func (w *worker) noteLoss(r *rootMove, v Value) {
	if v <= -score.WinFloor && !r.lost {
		r.lost = true
		w.tell(MoveLoses, r.move)
	}
}

// rootReduction returns by how many plies less the present move m of the root is searched
// first: a ply less than its number asks for.
func (w *worker) rootReduction(n *node, m board.Move, mine, theirs board.Class) int {
	if n.depth < rootLateFrom || n.count <= rootLate || n.threatened {
		return 0
	}
	return max(w.lateness(n, m, mine, theirs)/scale-1, 0)
}

// resume lets the first iteration be as deep as the result that the hash table has of the
// root, whose move is the first of the list.
func (w *worker) resume() {
	tt, _ := w.probe(w.b.Hash(), 0)
	r := &w.root
	if len(r.moves) == 0 || tt.Move != r.moves[0].move || tt.Bound == hashtable.NoBound || tt.Value.Proven() && tt.Proves() == 0 {
		return
	}
	r.firstDepth = tt.Depth
	if tt.Bound != hashtable.Exact {
		r.firstDepth--
	}
	r.firstDepth = max(r.firstDepth, 1)
	r.depthBefore = r.firstDepth
	r.resumed = tt.Bound == hashtable.Exact || tt.Value.Proven()
	r.moves[0].score = tt.Value
}

// hasResult reports whether the table has the result of the root to depth, or a win, by a move that
// the solver has not refuted: a refuted one is not the first, unless all are.
func (w *worker) hasResult(depth int) bool {
	best := &w.root.moves[0]
	return w.root.resumed && best.score > -infinity && best.refuted == nil && (w.root.firstDepth >= depth || best.score >= score.WinFloor)
}

// remember stores the result of an iteration, which may have been searched to a lower depth.
func (w *worker) remember(m board.Move, v Value, depth int) {
	if v == -infinity {
		return
	}
	w.table.Store(w.b.Hash(), hashtable.Entry{
		Move: m, Value: v, Static: w.stack[0].uncorrected, Depth: min(depth, hashtable.MaxDepth), Bound: hashtable.Exact, PV: true,
	})
}

// forced reports whether there is only one choice: a five, one move, or one move that is not
// proven to lose.
func (w *worker) forced() bool {
	if len(w.root.moves) == 1 || w.b.Class(w.b.Side(), w.root.moves[0].move) == board.MakesFive {
		return true
	}
	for i := range w.root.moves {
		if w.root.moves[i].lost != (i > 0) {
			return false
		}
	}
	return true
}

// effort returns the share of the nodes below the best move, in 1/scale.
func (w *worker) effort() int {
	return int(w.root.moves[0].nodes * scale / max(w.nodes, 1))
}

// unsearched returns the value of the root with the move m if not even one move has been searched.
// If there is a win by more than a five, it may be by another move.
func (w *worker) unsearched(m board.Move) Value {
	b := w.b
	if b.Class(b.Side(), m) == board.MakesFive {
		return score.WinIn(winByFive)
	}
	if n := w.staticWin(); n < 0 {
		return proven(n, 0)
	}
	return w.staticValue()
}

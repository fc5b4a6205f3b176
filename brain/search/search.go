// Package search finds the best move: iterative deepening over a principal variation search
// with a shared hash table, static wins at every node, and a quiescence search over fours.
// It is silent: it returns values and calls a report function.
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

// A worker searches on its own board. Only the table and the stop flag are shared.
type worker struct {
	b     *board.Board
	eval  Evaluator
	bias  Value // what the style of the search adds to the static value of its root
	table *hashTable
	stop  *atomic.Bool
	p     *numbers
	now   func() time.Time

	history history
	moves   []scored                    // the moves of all nodes of the current line
	listed  [2 * board.Cells]board.Move // the moves of one node before they are scored
	scores  [2 * board.Cells]int32      // their scores
	stack   [maxPly + 4]frame
	pv      [maxPly + 1][maxPly + 1]board.Move
	pvLen   [maxPly + 1]int

	rootMoves []rootMove
	line      []board.Move // of showLine
	solver    *threat.VCT  // of showLine; nil until needed
	rootDepth int
	selDepth  int

	nodes     int64
	total     int64     // nodes at the last check of the limits, for other goroutines
	nextCheck int64     // nodes at which the limits are checked next
	limit     int64     // nodes, 0 for none
	deadline  time.Time // zero for none
	stopped   bool      // leave without a result
	first     int       // plies of the first iteration
	from      int       // plies of the iteration after the first, at least
	cutoffs   int64
	firsts    int64 // cut-offs by the first move tried

	// See Restrictions.
	notAtRoot []board.Move
	restraint *restraint // nil for none
	lastEmpty int        // empty cells with which the game is a draw
	drawFor   DrawVerdict
	watch     func(RootEvent) // nil for none
}

// A frame holds what a node shares with nodes at other plies.
type frame struct {
	static   Value       // noValue if not known
	class    board.Class // what the move played from here made
	excluded board.Move  // not to be tried: singular extension
	killers  [2]board.Move
}

// checkEvery is the number of nodes between two checks of the limits: about 0.3 ms.
const checkEvery = 256

// checkLimits sets stopped if a limit is reached. It reads the clock itself, since the
// goroutine of a timer may have to wait while all processors search.
func (w *worker) checkLimits() {
	atomic.StoreInt64(&w.total, w.nodes)
	if w.stop.Load() || w.limit > 0 && w.nodes >= w.limit ||
		!w.deadline.IsZero() && !w.now().Before(w.deadline) {
		w.stopped = true
	}
	w.nextCheck = w.nodes + checkEvery
	if w.limit > 0 {
		w.nextCheck = min(w.nextCheck, w.limit)
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

// proven converts a result of threat.StaticWin to a value.
func proven(n, ply int) Value {
	if n > 0 {
		return WinIn(ply + n)
	}
	return LossIn(ply - n)
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

// A node is the state of alphaBeta at one position.
type node struct {
	alpha, beta Value
	depth, ply  int // plies left, and from the root
	pv          bool
	cut         bool // a beta cut-off is expected

	known      entry // of the hash table
	ttPV       bool  // the position is or was on a principal variation
	five       bool  // the opponent threatens a five
	threatened bool  // ... or that or an open four
	value      Value // the static value, or better; noValue against a five
	improving  bool  // the static value is greater than two plies ago
	failHigh   bool  // value says that a cut-off is near

	last, own board.Move // the last two moves
	goingOn   bool       // own made a three or more
}

// alphaBeta returns the value of the position for the side to move, searched to depth plies
// and within (alpha, beta); outside of the window it is a bound (fail-soft). cut means that
// a beta cut-off is expected. Once w.stopped is set the value is meaningless.
func (w *worker) alphaBeta(alpha, beta Value, depth, ply int, cut bool) Value {
	if depth <= 0 {
		return w.quiescence(alpha, beta, 0, ply)
	}
	b, p := w.b, w.p
	f := &w.stack[ply]
	w.pvLen[ply] = 0

	// Steps 1 and 2. Limits of the search and of the board, and static wins.
	if v, ok := w.settled(ply); ok {
		return v
	}

	// Step 3. Distances to wins: a shorter win is known already, or no faster win or loss
	// is possible.
	n := node{pv: beta-alpha > 1, alpha: max(alpha, LossIn(ply+lossByFive)), beta: min(beta, WinIn(ply+winByFive)), depth: depth, ply: ply, cut: cut}
	if n.alpha >= n.beta {
		return n.alpha
	}

	s, o := b.Side(), b.Side().Other()
	n.five = b.Count(o, board.MakesFive) > 0
	n.threatened = n.five || b.Count(o, board.MakesOpenFour) > 0

	// Step 4. Hash table.
	key := b.Hash() ^ uint64(f.excluded)*spreadBits
	var hit bool
	n.known, hit = w.probe(key, ply)
	n.ttPV = n.pv || n.known.pv
	if !n.pv && n.known.decides(n.alpha, n.beta, depth) {
		if n.known.move != board.None && n.known.value >= n.beta {
			w.updateHistory(n.known.move, nil, depth, ply, n.threatened)
		}
		return n.known.value
	}

	// Step 5. Static value. Against a threat of five it is unreliable.
	if n.five {
		f.static, n.value = noValue, noValue
		if ply > 0 && w.stack[ply-1].static != noValue {
			f.static = -w.stack[ply-1].static
			n.value = f.static
		}
	} else {
		f.static = w.static(&n.known)
		n.value = n.known.refine(f.static)
		if !hit {
			w.table.store(key, entry{static: f.static, value: 0, bound: noBound, depth: minDepth, pv: n.ttPV})
		}
	}
	n.improving = ply >= 2 && f.static != noValue && w.stack[ply-2].static != noValue && f.static > w.stack[ply-2].static

	if !n.pv && !n.threatened && f.excluded == board.None {
		// Step 6. Razoring: far below alpha only a run of fours can help.
		if depth <= p.RazorDepth && n.value+Value(p.RazorMargin+p.RazorStep*(depth*depth-1)) < n.alpha {
			if v := w.quiescence(n.alpha, n.alpha+1, 0, ply); v <= n.alpha || depth == 1 {
				return v
			}
		}

		// Step 7. Child futility: far above beta the opponent's best reply will not
		// bring the value back.
		plies := depth - 1
		if n.improving {
			plies--
		}
		margin := Value(p.FutilityStep * max(plies, 0))
		if depth <= p.FutilityDepth && n.value-margin >= n.beta && !n.value.Proven() && !n.beta.Proven() {
			return n.value
		}
	}

	// Step 8. Internal reduction: less depth without a table move, and on the PV if the
	// table's entry is from a less deep search.
	switch {
	case n.five:
	case n.known.move == board.None:
		if n.depth >= p.TableDepth {
			n.depth--
		}
	case n.pv && n.known.depth < n.depth:
		n.depth -= min((n.depth-n.known.depth)*p.TableBehind/scale, mostBehind)
		if n.depth <= 0 {
			return w.quiescence(n.alpha, n.beta, 0, ply)
		}
	}
	n.failHigh = cut && !n.five && !n.beta.Proven() &&
		n.value >= n.beta+Value(p.FailHighMargin+p.FailHighStep*n.depth)
	n.last, n.own = b.Back(1), b.Back(2)
	n.goingOn = ply >= 2 && w.stack[ply-2].class >= board.MakesThree

	moves := w.pickMoves(w.movesFor(&n), n.known.move)
	var tried [64]board.Move
	count, nTried := 0, 0
	best, bestMove := -infinity, board.None
	oldAlpha := n.alpha

	for m := moves.move(); m != board.None; m = moves.move() {
		if m == f.excluded || w.forbidden(m) {
			continue
		}
		count++
		mine, theirs := b.Class(s, m), b.Class(o, m)

		// Step 9. Late move pruning, once a move is known that does not lose.
		if best > -WinFloor && !n.threatened {
			if w.tooLate(&n, count) && mine < board.MakesThree {
				moves.onlyAttacks()
				continue
			}
			if n.depth <= p.SkipDepth && mine == board.MakesNothing && theirs == board.MakesNothing {
				continue
			}
		}

		// Step 10. Extensions.
		extend := 0
		if n.five && ply < 2*w.rootDepth+extendPlies {
			extend = 1
		} else if m == n.known.move && w.maySingular(&n) {
			var v Value
			if extend, v = w.singular(&n); w.stopped {
				break
			}
			if v != noValue {
				moves.done()
				return v
			}
		}
		if n.failHigh && mine < board.MakesFour {
			extend--
		}
		newDepth := n.depth - 1 + extend

		// Step 11. Late move reduction.
		r := 0
		if n.depth >= 2 && count > 1 && !n.five {
			r = w.reduction(&n, m, count, mine, theirs)
		}

		if nTried < len(tried) {
			tried[nTried] = m
			nTried++
		}
		w.play(m, ply)
		v := w.searchMove(&n, newDepth, r, count, best)
		w.undo()
		if w.stopped {
			break
		}

		if v > best {
			best = v
			if v > n.alpha {
				bestMove = m
				if n.pv {
					w.updatePV(m, ply)
				}
				if v >= n.beta {
					w.countCutoff(count)
					break
				}
				n.alpha = v
				if raiseFrom <= n.depth && n.depth <= p.RaiseDepth && max(v, -v) < raiseValue {
					n.depth--
				}
			}
		}
	}
	moves.done()
	if w.stopped {
		return 0
	}

	// Step 12. No move: every reply to the threat is forbidden or none is left.
	if count == 0 {
		switch {
		case f.excluded != board.None:
			return n.alpha
		case moves.kind == blockWins:
			return LossIn(ply + lossByThrees)
		case n.five:
			best = LossIn(ply + lossByFive)
		case n.threatened:
			best = LossIn(ply + lossByOpenFour)
		case !b.HasMove():
			return LossIn(ply + lossByFive) // only forbidden cells are left
		default:
			return w.staticValue()
		}
	}

	// Step 13. Update history and hash table.
	if bestMove != board.None && best >= n.beta {
		if nTried > 0 && tried[nTried-1] == bestMove {
			nTried--
		}
		w.updateHistory(bestMove, tried[:nTried], n.depth, ply, n.threatened)
	}
	if f.excluded == board.None {
		e := entry{move: bestMove, value: toTable(best, ply), static: f.static, depth: min(n.depth, maxDepth), bound: boundOf(best, oldAlpha, n.beta), pv: n.ttPV}
		if n.five {
			e.static = noValue
		}
		w.table.store(key, e)
	}
	return best
}

// settled counts a node and returns its value if it needs no search: at the limits of the
// search and of the board, and where a side wins without search.
func (w *worker) settled(ply int) (v Value, ok bool) {
	w.nodes++
	w.selDepth = max(w.selDepth, ply)
	if w.nodes >= w.nextCheck {
		w.checkLimits()
	}
	switch {
	case w.stopped:
		return 0, true
	case w.b.Empties() <= w.lastEmpty:
		return w.drawValue(ply), true
	case ply >= maxPly:
		return w.staticValue(), true
	}
	if n := threat.StaticWin(w.b); n != 0 && (w.lastEmpty == 0 || max(n, -n) <= w.b.Empties()-w.lastEmpty) &&
		(w.restraint == nil || w.restraint.trusts(w.b, n)) {
		return proven(n, ply), true
	}
	return 0, false
}

// static returns the static value of the position, from known if it is there.
func (w *worker) static(known *entry) Value {
	if known.static != noValue {
		return known.static
	}
	return w.staticValue()
}

// movesFor returns which moves to generate at n.
func (w *worker) movesFor(n *node) generator {
	o := w.b.Side().Other()
	switch {
	case n.five:
		return blockFive
	case n.threatened:
		return blockFours
	case w.b.Count(o, board.MakesFourThree) > 0 || w.b.Count(o, board.MakesTwoThrees) > 0:
		return blockWins
	}
	return allMoves
}

// tooLate reports whether late move pruning applies to quiet moves from number count on.
func (w *worker) tooLate(n *node, count int) bool {
	if n.pv && n.depth > countDepth {
		return false
	}
	limit := w.p.moveCount[min(n.depth, 63)]
	if !n.improving {
		limit /= 2
	}
	return count > max(limit, leastCount)
}

// maySingular reports whether a search should find out if the table's move is singular.
func (w *worker) maySingular(n *node) bool {
	return n.depth >= w.p.SingularDepth && n.ply > 0 && w.stack[n.ply].excluded == board.None && !n.threatened &&
		n.known.bound&lower != 0 && n.known.depth >= n.depth-w.p.SingularBehind && !n.known.value.Proven()
}

// singular searches the other moves of n to see whether one of them comes near the value
// of the table's move, and returns by how many plies to extend that move. v is the value
// of n if several moves beat beta, else noValue.
func (w *worker) singular(n *node) (extend int, v Value) {
	f := &w.stack[n.ply]
	bar := n.known.value - Value(n.depth*w.p.SingularStep/64)
	f.excluded = n.known.move
	others := w.alphaBeta(bar-1, bar, n.depth/2, n.ply, n.cut)
	f.excluded = board.None
	w.pvLen[n.ply] = 0
	switch {
	case others < bar:
		return 1, noValue
	case bar >= n.beta:
		return 0, bar
	case n.known.value >= n.beta:
		return -1, noValue
	}
	return 0, noValue
}

// lateness returns the reduction of a move by its number, class and history, in 1/scale of a ply.
func (w *worker) lateness(depth, count int, m board.Move, mine, theirs board.Class) int {
	p := w.p
	r := int(p.reductions[min(depth, 63)][min(count, 63)])
	if mine >= board.MakesThree || theirs >= board.MakesThreeTwo {
		r -= p.ReduceAttack
	}
	return r - w.history.of(w.b.Side(), kindOf(mine), m)*p.ReduceHistory/historyMax
}

// far reports whether m lies far from the last moves of both sides.
func (n *node) far(m board.Move) bool { return away(m, n.last) > farCells && away(m, n.own) > farCells }

// reduction returns by how many plies less the move of number count is searched first.
func (w *worker) reduction(n *node, m board.Move, count int, mine, theirs board.Class) int {
	p, f := w.p, &w.stack[n.ply]
	r := w.lateness(n.depth, count, m, mine, theirs)
	if !n.pv && !n.improving {
		r += p.ReduceStatic
	}
	if n.cut {
		r += p.ReduceCut
	}
	if n.ttPV {
		r -= p.ReducePV
	}
	if mine == board.MakesNothing && theirs == board.MakesNothing {
		r += p.ReduceNothing
		if n.far(m) {
			r += p.ReduceFar
		}
	}
	if n.threatened && theirs < board.MakesFour && n.far(m) {
		r += p.ReduceDistant
	}
	if n.goingOn && mine >= board.MakesThree {
		r -= p.ReduceGoOn
	}
	if m == f.killers[0] || m == f.killers[1] {
		r -= p.ReduceKiller
	}
	return max(r/scale, 0)
}

// searchMove returns the value for the side that has just played the move of number count
// at n: with a reduction r less deep and with a null window first, then as deep and as wide
// as the value asks for. best is the greatest value at n so far.
func (w *worker) searchMove(n *node, depth, r, count int, best Value) Value {
	if count == 1 && r == 0 {
		return -w.alphaBeta(-n.beta, -n.alpha, depth, n.ply+1, !n.pv && !n.cut)
	}
	reduced := max(depth-r, min(depth, 1))
	v := -w.alphaBeta(-n.alpha-1, -n.alpha, reduced, n.ply+1, true)
	if v > n.alpha && reduced < depth && !w.stopped {
		switch {
		case v > n.alpha+Value(w.p.DeeperMargin+w.p.DeeperStep*(depth-reduced)):
			depth++
		case v < best+Value(depth):
			depth--
		}
		if depth > reduced {
			v = -w.alphaBeta(-n.alpha-1, -n.alpha, depth, n.ply+1, !n.cut)
		}
	}
	if v > n.alpha && n.pv && !w.stopped {
		v = -w.alphaBeta(-n.beta, -n.alpha, depth, n.ply+1, false)
	}
	return v
}

// countCutoff counts a beta cut-off by the move of number count.
func (w *worker) countCutoff(count int) {
	w.cutoffs++
	if count == 1 {
		w.firsts++
	}
}

// away returns the distance of two cells in king moves, or board.MaxSize if n is None.
func away(m, n board.Move) int {
	if n == board.None {
		return board.MaxSize
	}
	dx, dy := m.X()-n.X(), m.Y()-n.Y()
	return max(dx, -dx, dy, -dy)
}

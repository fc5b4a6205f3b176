package search

import (
	"tengen/brain/board"
	"tengen/brain/threat"
)

// A node is the state of the search at one position: of alphaBeta, of quiescence, or of the
// root.
type node struct {
	alpha, beta Value // the window; alpha rises with the best value
	from        Value // alpha before the first move
	depth, ply  int   // plies left, and from the root
	pv          bool
	cut         bool // a beta cut-off is expected

	key        uint64 // of the position in the hash table
	known      entry  // what the table holds about it
	hit        bool   // whether it holds anything
	ttPV       bool   // the position is or was on a principal variation
	five       bool   // the opponent threatens a five
	threatened bool   // ... or an open four
	value      Value  // the static value, or better; noValue against a five
	improving  bool   // the static value is greater than two plies ago
	failHigh   bool   // value says that a cut-off is near

	last, own    board.Move // the last two moves
	goingOn      bool       // own made a three or more
	continuation continuation

	count    int       // moves so far, those skipped among them
	kind     generator // that the moves came from
	best     Value
	bestMove board.Move // None if no value is above alpha
}

// narrow is mate distance pruning: it limits the window by the distances to wins, and reports whether
// nothing is left of it: a shorter win is known already, or no faster win or loss is possible.
func (n *node) narrow() (closed bool) {
	n.pv = n.beta-n.alpha > 1
	n.alpha = max(n.alpha, LossIn(n.ply+lossByFive))
	n.beta = min(n.beta, WinIn(n.ply+winByFive))
	return n.alpha >= n.beta
}

// probeNode sets what the hash table knows of the node, whose window is known, and what the
// opponent threatens.
func (w *worker) probeNode(n *node) {
	n.from, n.best, n.bestMove = n.alpha, -infinity, board.None
	n.key = w.b.Hash() ^ uint64(w.stack[n.ply].excluded)*board.Golden
	n.known, n.hit = w.probe(n.key, n.ply)
	n.ttPV = n.pv || n.known.pv
	n.five = w.fiveThreatens()
	n.threatened = n.five || w.b.Count(w.b.Side().Other(), board.MakesOpenFour) > 0 && w.holds(lossByOpenFour)
}

// settled counts the node at ply and returns its value if it needs no search: at the limits of the
// search and of the board, and where a side wins without search.
func (w *worker) settled(ply int) (v Value, ok bool) {
	w.nodes++
	w.pvLen[ply] = 0
	w.selDepth = max(w.selDepth, ply)
	if w.nodes >= w.nextCheck {
		w.checkLimits()
	}
	switch {
	case w.stopped:
		return 0, true
	case w.b.Empties() <= w.lastEmpty:
		return w.drawValue(ply), true
	case !w.b.HasMove():
		return LossIn(ply + lossByFive), true // only forbidden cells are left
	case ply >= maxPly:
		return w.staticValue(), true
	}
	if w.known != nil && ply > 0 {
		if v, ok := w.known[w.b.Hash()]; ok {
			if !v.Proven() {
				v += w.stylePart()
			}
			return fromTable(v, ply), true
		}
	}
	if n := w.staticWin(); n != 0 {
		return proven(n, ply), true
	}
	return 0, false
}

// staticWin is threat.StaticWin of the position, 0 where the restrictions may keep the win from
// counting.
func (w *worker) staticWin() int {
	n := threat.StaticWin(w.b)
	if n == 0 || !w.inTime(max(n, -n)) || w.restraint != nil && !w.restraint.trusts(w.b, n) {
		return 0
	}
	return n
}

// proven converts a result of staticWin to a value.
func proven(n, ply int) Value {
	if n > 0 {
		return WinIn(ply + n)
	}
	return LossIn(ply - n)
}

// tableCutoff returns the value of the hash table's entry if it suffices.
func (w *worker) tableCutoff(n *node) (v Value, ok bool) {
	if n.pv || !n.known.decides(n.alpha, n.beta, n.depth) {
		return 0, false
	}
	if n.known.move != board.None && n.known.value >= n.beta {
		w.updateHistory(n.known.move, nil, n.depth, n.ply, n.threatened)
	}
	return n.known.value, true
}

// evaluate sets the static value of the node. Against a threat of five it is unreliable,
// and the value of the previous ply is used instead.
func (w *worker) evaluate(n *node) {
	f := &w.stack[n.ply]
	if n.five {
		f.static, f.uncorrected, n.value = noValue, noValue, noValue
		if n.ply > 0 && w.stack[n.ply-1].static != noValue {
			f.static = -w.stack[n.ply-1].static
			n.value = f.static
		}
	} else {
		w.setStatic(n)
		n.value = n.known.refine(f.static)
		if !n.hit {
			w.table.store(n.key, entry{static: f.uncorrected, value: 0, bound: noBound, depth: minDepth, pv: n.ttPV})
		}
	}
	n.improving = n.ply >= 2 && f.static != noValue && w.stack[n.ply-2].static != noValue && f.static > w.stack[n.ply-2].static
}

// setStatic sets the static value of the position in the frame of n, from the table if it is
// there.
func (w *worker) setStatic(n *node) {
	f := &w.stack[n.ply]
	f.uncorrected = n.known.static
	if f.uncorrected == noValue {
		f.uncorrected = w.staticValue()
	}
	f.static = w.corrected(f.uncorrected)
}

// update takes the value v of the last move m, the best so far, into the node and reports
// whether it is a beta cut-off.
func (w *worker) update(n *node, m board.Move, v Value) (cutoff bool) {
	n.best = v
	if v <= n.alpha {
		return false
	}
	n.bestMove = m
	if n.pv {
		w.updatePV(m, n.ply)
	}
	if v >= n.beta {
		w.cutoffs++
		w.stack[n.ply].cutoffs++
		if n.count == 1 {
			w.firsts++
		}
		return true
	}
	n.alpha = v
	return false
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

// noMove returns the value of a node where no move could be tried. If ok is not set the
// value is in n.best, and is to be stored.
func (w *worker) noMove(n *node) (v Value, ok bool) {
	switch {
	case w.stack[n.ply].excluded != board.None:
		return n.alpha, true
	case n.kind == blockWins:
		return LossIn(n.ply + lossByThrees), true
	case n.five:
		n.best = LossIn(n.ply + lossByFive)
	case n.threatened:
		n.best = LossIn(n.ply + lossByOpenFour)
	default:
		return w.staticValue(), true
	}
	return 0, false
}

// store puts the result of the node into the hash table.
func (w *worker) store(n *node) {
	w.table.store(n.key, entry{
		move: n.bestMove, value: toTable(n.best, n.ply), static: w.stack[n.ply].uncorrected,
		depth: min(n.depth, maxDepth), bound: boundOf(n.best, n.from, n.beta), pv: n.ttPV,
	})
}

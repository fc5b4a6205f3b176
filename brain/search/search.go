// Package search looks ahead: iterative deepening over a principal variation search
// with a shared table of positions, threats proved without search at every node, and
// a quiescence search over fours. It is silent: it returns values and calls a report
// function.
package search

import (
	"sync/atomic"
	"time"

	"tengen/brain/board"
	"tengen/brain/threat"
)

// MaxPly bounds the length of a line from the root.
const MaxPly = 240

// A worker searches on its own board. Only the table and the stop flag are shared.
type worker struct {
	b     *board.Board
	eval  Evaluator
	bias  Value // what the style of the search adds to the static value of its root
	table *Table
	stop  *atomic.Bool
	p     *numbers
	now   func() time.Time

	history history
	moves   []scored                    // the moves of all nodes of the current line
	listed  [2 * board.Cells]board.Move // the moves of one node before they are scored
	scores  [2 * board.Cells]int32      // their scores
	stack   [MaxPly + 4]frame
	pv      [MaxPly + 1][MaxPly + 1]board.Move
	pvLen   [MaxPly + 1]int

	rootMoves []rootMove
	rootDepth int
	selDepth  int

	nodes     int64
	total     int64     // nodes as of the last look at the limits, for other goroutines
	nextCheck int64     // nodes at which limits are looked at again
	limit     int64     // nodes, 0 for none
	deadline  time.Time // zero for none
	stopped   bool      // leave without a result
	cutoffs   int64
	firsts    int64 // cut-offs by the first move tried
}

// A frame is what a node leaves for the nodes around it.
type frame struct {
	static   Value       // noValue if not known
	class    board.Class // what the move played from here made
	excluded board.Move  // not to be tried: singular extension
	killers  [2]board.Move
}

// checkEvery is the number of nodes between two looks at the limits: about 0.3 ms.
const checkEvery = 256

// outOfTime looks at the limits now and then and reports whether to leave. It asks the
// clock itself: a timer's goroutine may have to wait for a processor that is busy here.
func (w *worker) outOfTime() bool {
	if w.nodes >= w.nextCheck {
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
	return w.stopped
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
	return w.b.Side() == board.Black && w.b.Forbidden(m)
}

// proven turns what threat.StaticWin says into a value.
func proven(n, ply int) Value {
	if n > 0 {
		return WinIn(ply + n)
	}
	return LossIn(ply - n)
}

// updatePV makes m and the child's PV the PV at ply.
func (w *worker) updatePV(m board.Move, ply int) {
	n := 0
	if ply+1 <= MaxPly {
		n = copy(w.pv[ply][1:], w.pv[ply+1][:w.pvLen[ply+1]])
	}
	w.pv[ply][0] = m
	w.pvLen[ply] = n + 1
}

// alphaBeta returns the value of the position for the side to move, searched to depth
// plies and within (alpha, beta); outside of the window it is a bound (fail-soft). cut
// tells that a beta cut-off is expected. After stopped the value means nothing.
func (w *worker) alphaBeta(alpha, beta Value, depth, ply int, cut bool) Value {
	if depth <= 0 {
		return w.quiescence(alpha, beta, 0, ply)
	}
	b, p := w.b, w.p
	pv := beta-alpha > 1
	f := &w.stack[ply]
	w.pvLen[ply] = 0

	// Step 1. Limits of the search and of the board.
	w.nodes++
	w.selDepth = max(w.selDepth, ply)
	if w.outOfTime() {
		return 0
	}
	if b.Empties() == 0 {
		return draw
	}
	if ply >= MaxPly {
		return w.staticValue()
	}

	// Step 2. What is decided without search.
	if n := threat.StaticWin(b); n != 0 {
		return proven(n, ply)
	}

	// Step 3. A shorter win is known already, or none can be found in time.
	alpha = max(alpha, LossIn(ply+2))
	beta = min(beta, WinIn(ply+1))
	if alpha >= beta {
		return alpha
	}

	s, o := b.Side(), b.Side().Other()
	five := b.Count(o, board.MakesFive) > 0
	threatened := five || b.Count(o, board.MakesOpenFour) > 0

	// Step 4. Table.
	key := b.Hash() ^ uint64(f.excluded)*0x9e3779b97f4a7c15
	known, hit := w.table.probe(key)
	var ttMove board.Move
	ttValue := noValue
	if hit {
		ttMove = known.move
		if known.bound != noBound {
			ttValue = fromTable(known.value, ply)
		}
		if ttMove != board.None && b.Cell(ttMove) != board.Empty {
			ttMove, ttValue, hit = board.None, noValue, false // another position with the same key
		}
	}
	ttPV := pv || hit && known.pv
	if !pv && ttValue != noValue && known.depth >= depth &&
		(known.bound == exact || known.bound == lower && ttValue >= beta || known.bound == upper && ttValue <= alpha) {
		if ttMove != board.None && ttValue >= beta {
			w.updateHistory(ttMove, nil, depth, ply, threatened)
		}
		return ttValue
	}

	// Step 5. Static value. Under a threat of five or of an open four it says little.
	value := noValue // the static value, or better
	switch {
	case five:
		f.static = noValue
		if ply > 0 && w.stack[ply-1].static != noValue {
			f.static = -w.stack[ply-1].static
		}
	case hit && known.static != noValue:
		f.static = known.static
	default:
		f.static = w.staticValue()
		if !hit {
			w.table.store(key, entry{static: f.static, value: 0, bound: noBound, depth: minDepth, pv: ttPV})
		}
	}
	value = f.static
	if ttValue != noValue && !five &&
		(known.bound == exact || known.bound == lower && ttValue > value || known.bound == upper && ttValue < value) {
		value = ttValue
	}
	improving := ply >= 2 && f.static != noValue && w.stack[ply-2].static != noValue &&
		f.static > w.stack[ply-2].static

	if !pv && !threatened && f.excluded == board.None {
		// Step 6. Razoring: far below alpha only a run of fours can help.
		if depth <= p.RazorDepth && value+Value(p.RazorMargin+p.RazorStep*(depth*depth-1)) < alpha {
			if v := w.quiescence(alpha, alpha+1, 0, ply); v <= alpha || depth == 1 {
				return v
			}
		}

		// Step 7. Child futility: far above beta the opponent's best reply will not
		// bring the value back.
		plies := depth - 1
		if improving {
			plies--
		}
		margin := Value(p.FutilityStep * max(plies, 0))
		if depth <= p.FutilityDepth && value-margin >= beta && !value.Proven() && !beta.Proven() {
			return value
		}
	}

	// Step 8. Without a table move the node was not important before; with one from a
	// less deep search it is brought up to the present depth by and by.
	switch {
	case five:
	case ttMove == board.None:
		if depth >= p.TableDepth {
			depth--
		}
	case pv && known.depth < depth:
		depth -= min((depth-known.depth)*p.TableBehind>>10, mostBehind)
		if depth <= 0 {
			return w.quiescence(alpha, beta, 0, ply)
		}
	}
	failHigh := cut && !five && !beta.Proven() &&
		value >= beta+Value(p.FailHighMargin+p.FailHighStep*depth)

	kind := allMoves
	switch {
	case five:
		kind = blockFive
	case threatened:
		kind = blockFours
	case b.Count(o, board.MakesFourThree) > 0 || b.Count(o, board.MakesTwoThrees) > 0:
		kind = blockWins
	}
	moves := w.pickMoves(kind, ttMove)
	var tried [64]board.Move
	count, nTried := 0, 0
	best, bestMove := -infinity, board.None
	oldAlpha := alpha
	last, own := b.Back(1), b.Back(2)
	goingOn := ply >= 2 && w.stack[ply-2].class >= board.MakesThree

	for m := moves.move(); m != board.None; m = moves.move() {
		if m == f.excluded || w.forbidden(m) {
			continue
		}
		count++
		mine, theirs := b.Class(s, m), b.Class(o, m)

		// Step 9. Pruning of moves once something holds.
		if best > -WinFloor && !threatened {
			if !pv || depth <= countDepth {
				limit := p.moveCount[min(depth, 63)]
				if !improving {
					limit /= 2
				}
				if count > max(limit, 2) && mine < board.MakesThree {
					moves.onlyAttacks()
					continue
				}
			}
			if depth <= p.SkipDepth && mine == board.MakesNothing && theirs == board.MakesNothing {
				continue
			}
		}

		// Step 10. Extensions.
		extend := 0
		if five && ply < 2*w.rootDepth+extendPlies {
			extend = 1
		} else if depth >= p.SingularDepth && m == ttMove && ply > 0 && f.excluded == board.None && !threatened &&
			known.bound&lower != 0 && known.depth >= depth-p.SingularBehind && !ttValue.Proven() {
			// Singular: no other move comes near the table's move.
			bar := ttValue - Value(depth*p.SingularStep/64)
			f.excluded = m
			v := w.alphaBeta(bar-1, bar, depth/2, ply, cut)
			f.excluded = board.None
			w.pvLen[ply] = 0
			if w.stopped {
				break
			}
			switch {
			case v < bar:
				extend = 1
			case bar >= beta:
				moves.done()
				return bar // several moves beat beta
			case ttValue >= beta:
				extend = -1
			}
		}
		if failHigh && mine < board.MakesFour {
			extend--
		}
		newDepth := depth - 1 + extend

		// Step 11. Late moves are searched less deep first.
		r := 0
		if depth >= 2 && count > 1 && !five {
			r = int(p.reductions[min(depth, 63)][min(count, 63)])
			if !pv && !improving {
				r += p.ReduceStatic
			}
			if cut {
				r += p.ReduceCut
			}
			if ttPV {
				r -= p.ReducePV
			}
			if mine == board.MakesNothing && theirs == board.MakesNothing {
				r += p.ReduceNothing
				if away(m, last) > farCells && away(m, own) > farCells {
					r += p.ReduceFar
				}
			}
			if mine >= board.MakesThree || theirs >= board.MakesThreeTwo {
				r -= p.ReduceAttack
			}
			if threatened && theirs < board.MakesFour && away(m, last) > farCells && away(m, own) > farCells {
				r += p.ReduceDistant
			}
			if goingOn && mine >= board.MakesThree {
				r -= p.ReduceGoOn
			}
			if m == f.killers[0] || m == f.killers[1] {
				r -= p.ReduceKiller
			}
			r -= w.history.of(s, kindOf(mine), m) * p.ReduceHistory / historyMax
			r = max(r>>10, 0)
		}

		if nTried < len(tried) {
			tried[nTried] = m
			nTried++
		}
		w.play(m, ply)
		var v Value
		if count == 1 && r == 0 {
			v = -w.alphaBeta(-beta, -alpha, newDepth, ply+1, !pv && !cut)
		} else {
			reduced := max(newDepth-r, min(newDepth, 1))
			v = -w.alphaBeta(-alpha-1, -alpha, reduced, ply+1, true)
			if v > alpha && reduced < newDepth && !w.stopped {
				switch {
				case v > alpha+Value(p.DeeperMargin+p.DeeperStep*(newDepth-reduced)):
					newDepth++
				case v < best+Value(newDepth):
					newDepth--
				}
				if newDepth > reduced {
					v = -w.alphaBeta(-alpha-1, -alpha, newDepth, ply+1, !cut)
				}
			}
			if v > alpha && pv && !w.stopped {
				v = -w.alphaBeta(-beta, -alpha, newDepth, ply+1, false)
			}
		}
		w.undo()
		if w.stopped {
			break
		}

		if v > best {
			best = v
			if v > alpha {
				bestMove = m
				if pv {
					w.updatePV(m, ply)
				}
				if v >= beta {
					w.cutoffs++
					if count == 1 {
						w.firsts++
					}
					break
				}
				alpha = v
				if raiseFrom <= depth && depth <= p.RaiseDepth && max(v, -v) < raiseValue {
					depth--
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
		if f.excluded != board.None {
			return alpha
		}
		if moves.kind == blockWins {
			return LossIn(ply + 6)
		}
		if !threatened {
			if !b.HasMove() {
				return LossIn(ply + 2) // nothing is left but a forbidden move
			}
			return w.staticValue()
		}
		best = LossIn(ply + 2)
		if !five {
			best = LossIn(ply + 4)
		}
	}

	// Step 13. Learn.
	if bestMove != board.None && best >= beta {
		if nTried > 0 && tried[nTried-1] == bestMove {
			nTried--
		}
		w.updateHistory(bestMove, tried[:nTried], depth, ply, threatened)
	}
	if f.excluded == board.None {
		e := entry{move: bestMove, value: toTable(best, ply), static: f.static, depth: min(depth, maxDepth), bound: upper, pv: ttPV}
		if five {
			e.static = noValue
		}
		switch {
		case best >= beta:
			e.bound = lower
		case best > oldAlpha:
			e.bound = exact
		}
		w.table.store(key, e)
	}
	return best
}

// away returns the distance of two cells as a king walks; far if there is no move.
func away(m, n board.Move) int {
	if n == board.None {
		return board.MaxSize
	}
	dx, dy := m.X()-n.X(), m.Y()-n.Y()
	return max(dx, -dx, dy, -dy)
}

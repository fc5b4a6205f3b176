// Package search finds the best move: iterative deepening over a principal variation search
// with a shared hash table, static wins at every node, and a quiescence search over fours.
// It is silent: it returns values and calls a report function. It is not internal because the
// programs that train and tune it use it; others take package brain.
package search

import (
	"tengen/brain/board"
	"tengen/brain/hashtable"
	"tengen/brain/score"
	"tengen/brain/threat"
)

// maxPly bounds the length of a line from the root.
const maxPly = 240

// scale is 1 in fixed point: reductions are in 1/scale of a ply, time management counts in
// 1/scale of the soft limit. Params writes it as 1/1024.
const scale = 1024

// A node is the state of the search at one position: of alphaBeta, of quiescence, or of the
// root.
type node struct {
	alpha, beta Value // the window; alpha rises with the best value
	firstAlpha  Value // alpha before the first move
	depth, ply  int   // plies left, and from the root
	pv          bool  // the window is wider than one point
	cut         bool  // a beta cut-off is expected

	key        uint64          // of the position in the hash table
	tt         hashtable.Entry // what the hash table knows
	hit        bool            // the hash table has an entry
	ttPV       bool            // the position is or was on a principal variation
	five       bool            // the opponent threatens a five
	threatened bool            // ... or an open four
	value      Value           // the static value, or better; noValue against a five
	improving  bool            // the static value is greater than two plies ago
	failHigh   bool            // the value is so far above beta that a cut-off is near

	last, own    board.Move // the last two moves
	ownThree     bool       // our previous move made a three or more
	continuation continuation

	count    int       // moves so far, those skipped among them
	kind     generator // that the moves came from
	best     Value
	bestMove board.Move // None if no value is above alpha
}

// alphaBeta returns the value of the position for the side to move, searched to depth plies
// and within (alpha, beta); outside of the window it is a bound (fail-soft). cut means that
// a beta cut-off is expected. It returns interrupted once the search, or the iteration, is to end.
func (w *worker) alphaBeta(alpha, beta Value, depth, ply int, cut bool) Value {
	// Step 1. Quiescence where no depth is left.
	if depth <= 0 {
		return w.quiescence(alpha, beta, 0, ply)
	}

	// Step 2. Limits of the search and of the board, known values, static wins.
	if v, ok := w.valueWithoutSearch(ply); ok {
		return v
	}
	w.stack[ply+2].cutoffs = 0

	// Step 3. Mate distance pruning.
	n := node{alpha: alpha, beta: beta, depth: depth, ply: ply, cut: cut}
	if n.pruneByMateDistance() {
		return n.alpha
	}

	// Step 4. Hash table. A move that cuts off is as good as one that was searched.
	w.probeNode(&n)
	excluded := w.stack[ply].excluded
	if !n.pv && n.tt.Decides(n.alpha, n.beta, n.depth) {
		if n.tt.Move != board.None && n.tt.Value >= n.beta {
			w.updateHistory(n.tt.Move, nil, n.depth, ply, n.threatened)
		}
		return n.tt.Value
	}

	// Step 5. Static value, and whether it improves.
	w.evaluate(&n)

	// Tried without gain (2026-11, with the networks, freestyle 15x15; wins, losses and draws): a null
	// move from depth 10 with a static value 585-28*depth above beta, at least 270: 32-28-40 at
	// 150,000 nodes a move. ProbCut with the first three moves from depth 5, four plies less deep, 60
	// above beta: 21-14-12 at as many nodes, 20-28-41 at 0.3 s a move.
	if !n.pv && !n.threatened && excluded == board.None {
		// Step 6. Razoring: far below alpha only a run of fours can help.
		if n.depth <= w.p.RazorDepth && n.value+Value(w.p.RazorMargin+w.p.RazorStep*(n.depth*n.depth-1)) < n.alpha {
			if v := w.quiescence(n.alpha, n.alpha+1, 0, ply); v <= n.alpha || n.depth == 1 {
				return v
			}
		}

		// Step 7. Child futility: far above beta no reply brings the value back.
		plies := n.depth - 1
		if n.improving {
			plies--
		}
		margin := Value(w.p.FutilityStep * max(plies, 0))
		if n.value-margin >= n.beta && !n.value.Proven() && !n.beta.Proven() {
			return n.value
		}
	}

	// Step 8. Internal iterative reduction: less depth without a move of the hash table, and on the
	// principal variation if its entry is from a less deep search.
	switch {
	case n.five:
	case n.tt.Move == board.None:
		if n.depth >= w.p.TableDepth {
			n.depth--
		}
	case n.pv && n.tt.Depth < n.depth:
		n.depth -= min((n.depth-n.tt.Depth)*w.p.TableBehind/scale, mostBehind)
	}
	if n.depth <= 0 {
		return w.quiescence(n.alpha, n.beta, 0, ply)
	}

	// Steps 9 to 12. The moves.
	if v, ok := w.searchMoves(&n); ok {
		return v
	}

	// Step 13. No move: every reply to the threat is forbidden, or none is left.
	if n.count == 0 {
		if v, ok := w.valueWithoutMove(&n); ok {
			return v
		}
	}

	// Step 14. Corrections and hash table.
	if excluded == board.None {
		w.learnCorrection(&n)
		w.store(&n)
	}
	return n.best
}

// searchMoves searches the moves of the node until one reaches beta, and leaves the result
// in n. If ok is set v is the value of the node before that, or interrupted.
func (w *worker) searchMoves(n *node) (v Value, ok bool) {
	b := w.b
	s, o := b.Side(), b.Side().Other()
	excluded := w.stack[n.ply].excluded
	n.failHigh = n.cut && !n.five && !n.beta.Proven() &&
		n.value >= n.beta+Value(w.p.FailHighMargin+w.p.FailHighStep*n.depth)
	n.last, n.own = b.Back(1), b.Back(2)
	n.ownThree = n.ply >= 2 && w.stack[n.ply-2].class >= board.MakesThree
	n.continuation = continuationOf(b)

	moves := w.newMovePicker(w.generatorOf(n), n.tt.Move)
	var tried [maxTried]board.Move
	nTried := 0
	for m := moves.move(); m != board.None; m = moves.move() {
		if m == excluded || w.forbidden(m) {
			continue
		}
		n.count++
		mine, theirs := b.Class(s, m), b.Class(o, m)

		// Step 9. Late move pruning, by number, class and policy, once a move is known that does not
		// lose.
		if n.best > -score.WinFloor && !n.threatened {
			if mine < board.MakesThree && w.tooLate(n) {
				moves.onlyAttacks()
				continue
			}
			if n.depth <= w.p.SkipDepth && mine == board.MakesNothing && theirs == board.MakesNothing {
				continue
			}
			if n.depth <= w.p.PolicyDepth && mine < board.MakesThree && theirs < board.MakesThree &&
				moves.behind > w.p.PolicyMargin+w.p.PolicyStep*n.depth {
				continue
			}
		}

		// Step 10. Extensions: the block of a five, and a singular move, whose search may decide the
		// node. Where a cut-off is near, moves that make no four lose a ply.
		extend := 0
		if n.five && n.ply < extendTimes*w.root.depth+extendPlies {
			extend = 1
		} else if m == n.tt.Move && w.maySingular(n) {
			var v Value
			if extend, v = w.singular(n); v != noValue {
				moves.done()
				return v, true
			}
		}
		if n.failHigh && mine < board.MakesFour {
			extend--
		}

		// Step 11. Search of the move, late ones with a reduction at first.
		reduce := w.reduction(n, m, mine, theirs, moves.behind)
		w.play(m, n.ply)
		v := w.searchMove(n, n.depth-1+extend, reduce)
		w.undo()
		if v == interrupted {
			moves.done()
			return v, true
		}

		// Step 12. New best move. A cut-off teaches the history; after a move that raises alpha the
		// others are searched a ply less deep.
		if v > n.best && w.update(n, m, v) {
			w.updateHistory(m, tried[:nTried], n.depth, n.ply, n.threatened)
			break
		}
		if n.bestMove == m && alphaFrom <= n.depth && n.depth <= w.p.AlphaDepth && n.best.Abs() < alphaValue {
			n.depth--
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

// valueWithoutSearch counts the node at ply and returns its value if it needs no search: at the
// limits of the search and of the board, and where a side wins without search.
func (w *worker) valueWithoutSearch(ply int) (v Value, ok bool) {
	w.nodes++
	w.pvLen[ply] = 0
	w.selDepth = max(w.selDepth, ply)
	switch {
	case w.nodes >= w.limits.nextCheck && w.checkLimits():
		return interrupted, true
	case w.isDraw():
		return w.drawValue(ply), true
	case !w.b.HasMove():
		return score.LossIn(ply + lossByFive), true // only forbidden cells are left
	case ply >= maxPly:
		return w.staticValue(), true
	}
	if w.restraint != nil && ply > 0 {
		if v, ok := w.givenValue(ply); ok {
			return v, true
		}
	}
	if plies := w.staticWin(); plies != 0 {
		return proven(plies, ply), true
	}
	return 0, false
}

// staticWin is threat.StaticWin of the position, 0 where restrictions may keep the win from
// counting.
func (w *worker) staticWin() int {
	plies := threat.StaticWin(w.b)
	if plies != 0 && w.restraint != nil && !w.restraint.winIsReliable(w.b, plies) {
		return 0
	}
	return plies
}

// proven converts a result of staticWin to a value.
func proven(plies, ply int) Value {
	if plies > 0 {
		return score.WinIn(ply + plies)
	}
	return score.LossIn(ply - plies)
}

// pruneByMateDistance limits the window by the distances to wins, and reports whether nothing is left
// of it: a shorter win is known already, or no faster win or loss is possible.
func (n *node) pruneByMateDistance() (closed bool) {
	n.pv = n.beta-n.alpha > 1
	n.alpha = max(n.alpha, score.LossIn(n.ply+lossByFive))
	n.beta = min(n.beta, score.WinIn(n.ply+winByFive))
	return n.alpha >= n.beta
}

// probeNode looks the node up in the hash table, and notes what the opponent threatens.
func (w *worker) probeNode(n *node) {
	n.firstAlpha, n.best, n.bestMove = n.alpha, -infinity, board.None
	n.key = w.b.Hash() ^ uint64(w.stack[n.ply].excluded)*board.Golden
	n.tt, n.hit = w.probe(n.key, n.ply)
	n.ttPV = n.pv || n.tt.PV
	n.five = w.fiveThreatens()
	n.threatened = n.five || w.b.Count(w.b.Side().Other(), board.MakesOpenFour) > 0 && w.threatCounts(lossByOpenFour)
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
		n.value = n.tt.Refine(f.static)
		if !n.hit {
			w.table.Store(n.key, hashtable.Entry{Static: f.uncorrected, Depth: hashtable.MinDepth, PV: n.ttPV})
		}
	}
	n.improving = n.ply >= 2 && f.static != noValue && w.stack[n.ply-2].static != noValue && f.static > w.stack[n.ply-2].static
}

// setStatic sets the static value of the position in the frame of n, from the table if it is
// there.
func (w *worker) setStatic(n *node) {
	f := &w.stack[n.ply]
	f.uncorrected = n.tt.Static
	if f.uncorrected == noValue {
		f.uncorrected = w.staticValue()
	}
	f.static = w.corrected(f.uncorrected)
}

// staticValue returns the static value of the position, through compress. Quiescence could ask the
// cheaper tables first and spare the network where they lie 240 points or more outside of the
// window: 28% of its evaluations, on the wrong side in 0.1% of them, for an estimated 3% of the time
// (2026-11, 60 positions of games, freestyle, depth 12). That is not worth a second evaluation.
func (w *worker) staticValue() Value { return w.compress(Value(w.eval.Value())) }

// generatorOf returns which moves to generate at n.
func (w *worker) generatorOf(n *node) generator {
	o := w.b.Side().Other()
	switch {
	case n.five:
		return blockFive
	case n.threatened:
		return blockFours
	case (w.b.Count(o, board.MakesFourThree) > 0 || w.b.Count(o, board.MakesTwoThrees) > 0) && w.threatCounts(lossByThrees):
		return blockWins
	}
	return allMoves
}

// tooLate reports whether late move pruning applies to quiet moves from the present one on.
func (w *worker) tooLate(n *node) bool {
	if n.pv && n.depth > countDepth {
		return false
	}
	limit := w.p.moveCount[min(n.depth, tableSize-1)]
	if !n.improving {
		limit /= countWorse
	}
	return n.count > max(limit, leastCount)
}

// maySingular reports whether a search should find out if the table's move is singular.
func (w *worker) maySingular(n *node) bool {
	return n.depth >= w.p.SingularDepth && n.ply > 0 && w.stack[n.ply].excluded == board.None && !n.threatened &&
		n.tt.Bound&hashtable.Lower != 0 && n.tt.Depth >= n.depth-singularBack && !n.tt.Value.Proven()
}

// singular searches the other moves of n to see whether one of them comes near the value
// of the table's move, and returns by how many plies to extend that move. v is the value
// of n if several moves beat beta or the search is interrupted, else noValue. Two plies off the
// principal variation, where the others are 40 points below the bar, won 52-47-61 against one (2026-11,
// 150,000 nodes a move).
func (w *worker) singular(n *node) (extend int, v Value) {
	f := &w.stack[n.ply]
	bar := n.tt.Value - Value(n.depth*w.p.SingularStep/singularScale)
	f.excluded = n.tt.Move
	others := w.alphaBeta(bar-1, bar, n.depth/singularPart, n.ply, n.cut)
	f.excluded = board.None
	w.pvLen[n.ply] = 0
	switch {
	case others == interrupted:
		return 0, interrupted
	case others < bar:
		return 1, noValue
	case bar >= n.beta:
		return 0, bar
	case n.tt.Value >= n.beta:
		return -1, noValue
	}
	return 0, noValue
}

// reduction returns by how many plies less the present move m of the node is searched first. behind
// is that of the picker.
func (w *worker) reduction(n *node, m board.Move, mine, theirs board.Class, behind int) int {
	if n.depth < reduceFrom || n.count == 1 || n.five {
		return 0
	}
	p, f := w.p, &w.stack[n.ply]
	r := w.lateness(n, m, mine, theirs)
	r += min(max(behind-p.ReduceBehindFrom, 0)*p.ReduceBehind, behindMost)
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
		if n.isFar(m) {
			r += p.ReduceFar
		}
	}
	if n.threatened && theirs < board.MakesFour && n.isFar(m) {
		r += p.ReduceDistant
	}
	if n.ownThree && mine >= board.MakesThree {
		r -= p.ReduceThreeAfterThree
	}
	if m == f.killers[0] || m == f.killers[1] {
		r -= p.ReduceKiller
	}
	r -= w.history.continued(n.continuation, m) * p.ReduceContinued / historyMax
	if w.stack[n.ply+1].cutoffs > fewCutoffs {
		r += p.ReduceCutoffs
	}
	return max(r/scale, 0)
}

// lateness returns the reduction of the present move by its number, class and history, in
// 1/scale of a ply.
func (w *worker) lateness(n *node, m board.Move, mine, theirs board.Class) int {
	p := w.p
	r := int(p.reductions[min(n.depth, tableSize-1)][min(n.count, tableSize-1)])
	if mine >= board.MakesThree || theirs >= board.MakesThreeTwo {
		r -= p.ReduceAttack
	}
	return r - w.history.of(w.b.Side(), kindOf(mine), m)*p.ReduceHistory/historyMax
}

// isFar reports whether m lies far from the last moves of both sides.
func (n *node) isFar(m board.Move) bool {
	return board.Distance(m, n.last) > farCells && board.Distance(m, n.own) > farCells
}

// searchMove returns the value for the side that has just played the present move of the
// node: with a reduction and a null window first, then as deep and as wide as the value
// asks for.
func (w *worker) searchMove(n *node, depth, reduce int) Value {
	if n.count == 1 && reduce == 0 {
		return -w.alphaBeta(-n.beta, -n.alpha, depth, n.ply+1, !n.pv && !n.cut)
	}
	reduced := max(depth-reduce, min(depth, 1))
	v := -w.alphaBeta(-n.alpha-1, -n.alpha, reduced, n.ply+1, true)
	if v > n.alpha && reduced < depth {
		depth = w.fullDepth(n, v, depth, reduced)
		if depth > reduced {
			v = -w.alphaBeta(-n.alpha-1, -n.alpha, depth, n.ply+1, !n.cut)
		}
	}
	if v > n.alpha && n.pv {
		v = -w.alphaBeta(-n.beta, -n.alpha, depth, n.ply+1, false)
	}
	return v
}

// fullDepth returns the depth at which a move is searched again that had the value v at a
// reduced depth: more than the depth meant for it if v is far above alpha, less if it is
// hardly above the best value so far. The root keeps the depth: changing it there cost 16%
// more nodes in bench, 2026-11.
func (w *worker) fullDepth(n *node, v Value, depth, reduced int) int {
	switch {
	case n.ply == 0:
		return depth
	case v > n.alpha+Value(w.p.DeeperMargin+w.p.DeeperStep*(depth-reduced)):
		return depth + 1
	case v < n.best+Value(depth*shallowerStep):
		return depth - 1
	}
	return depth
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

// valueWithoutMove returns the value of a node where no move could be tried. If ok is not set the
// value is in n.best, and is to be stored.
func (w *worker) valueWithoutMove(n *node) (v Value, ok bool) {
	switch {
	case w.stack[n.ply].excluded != board.None:
		return n.alpha, true
	case n.kind == blockWins:
		return score.LossIn(n.ply + lossByThrees), true
	case n.five:
		n.best = score.LossIn(n.ply + lossByFive)
	case n.threatened:
		n.best = score.LossIn(n.ply + lossByOpenFour)
	default:
		return w.staticValue(), true
	}
	return 0, false
}

// store puts the result of the node into the hash table.
func (w *worker) store(n *node) {
	w.table.Store(n.key, hashtable.Entry{
		Move: n.bestMove, Value: n.best.Nearer(n.ply), Static: w.stack[n.ply].uncorrected,
		Depth: min(n.depth, hashtable.MaxDepth), Bound: hashtable.BoundOf(n.best, n.firstAlpha, n.beta), PV: n.ttPV,
	})
}

// quiescence returns the value at the end of the main search: the static value, or better
// if a run of fours wins or gains. depth is 0 at first and falls by one with each four
// of the attacker; after Params.QuiescenceFours of them only fours near the attacker's last
// stone are tried, and bare ones only if the two before threatened more, so that the run ends.
// Blocks of a five are forced and free.
func (w *worker) quiescence(alpha, beta Value, depth, ply int) Value {
	// Step 1. Limits, static wins, mate distance pruning, hash table: as in alphaBeta.
	if v, ok := w.valueWithoutSearch(ply); ok {
		return v
	}
	n := node{alpha: alpha, beta: beta, depth: max(depth, hashtable.MinDepth), ply: ply}
	if n.pruneByMateDistance() {
		return n.alpha
	}
	w.probeNode(&n)
	if n.tt.Decides(n.alpha, n.beta, n.depth) {
		return n.tt.Value
	}
	n.ttPV = n.pv

	// Step 2. Stand pat: the static value, or what the table knows better, is the least that the side
	// to move gets, unless a five threatens.
	f := &w.stack[ply]
	f.static, f.uncorrected = noValue, noValue
	if !n.five {
		w.setStatic(&n)
		n.best = n.tt.Refine(f.static)
		if n.best >= n.beta {
			if !n.hit {
				w.table.Store(n.key, hashtable.Entry{Static: f.uncorrected, Value: n.best.Nearer(ply), Bound: hashtable.Lower, Depth: hashtable.MinDepth})
			}
			return n.best
		}
		n.alpha = max(n.alpha, n.best)
	}

	// Step 3. The blocks of a five, or the fours that go on with a run.
	if (n.five || anyFour(w.b)) && !w.searchRun(&n, depth) {
		return interrupted
	}

	// Step 4. No block: every one is forbidden.
	if n.five && n.count == 0 {
		n.best = score.LossIn(ply + lossByFive)
	}

	// Step 5. Hash table.
	w.store(&n)
	return n.best
}

// searchRun searches the blocks of a five, or the fours that go on with a run, and leaves the
// result in n. depth is that of quiescence. ok is false if it was interrupted.
func (w *worker) searchRun(n *node, depth int) (ok bool) {
	b, ply := w.b, n.ply
	s := b.Side()
	kind, first, next := blockFive, n.tt.Move, depth
	if !n.five {
		kind, next = onlyFours, depth-1
		if first != board.None && b.Class(s, first) < board.MakesFour {
			first = board.None
		}
	}
	own := b.Back(2)
	running := ply >= 4 && w.stack[ply-2].class >= board.MakesFourPlus && w.stack[ply-4].class >= board.MakesFourPlus
	moves := w.newMovePicker(kind, first)
	for m := moves.move(); m != board.None; m = moves.move() {
		if !n.five && depth <= -w.p.QuiescenceFours &&
			(!isNear(m, own) || !running && b.Class(s, m) == board.MakesFour) {
			continue
		}
		if w.forbidden(m) {
			continue
		}
		n.count++
		w.play(m, ply)
		v := -w.quiescence(-n.beta, -n.alpha, next, ply+1)
		w.undo()
		if v == interrupted {
			moves.done()
			return false
		}
		if v > n.best && w.update(n, m, v) {
			break
		}
	}
	moves.done()
	return true
}

// anyFour reports whether the side to move has a move that makes a four, forbidden ones
// included.
func anyFour(b *board.Board) bool {
	s := b.Side()
	return b.Count(s, board.MakesFour)+b.Count(s, board.MakesFourPlus)+b.Count(s, board.MakesFourThree)+b.Count(s, board.MakesFoul) > 0
}

// isNear reports whether m lies near n, or a little further on one line with it.
func isNear(m, n board.Move) bool {
	if n == board.None {
		return true
	}
	d, dx, dy := board.Distance(m, n), m.X()-n.X(), m.Y()-n.Y()
	return d <= nearCells || d <= nearLine && (dx == 0 || dy == 0 || dx == dy || dx == -dy)
}

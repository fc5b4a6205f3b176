package search

import "tengen/brain/board"

// reduceNode is internal iterative reduction: it takes plies from the depth of a node without a table
// move, and on the PV if the table's entry is from a less deep search. It also sets what the
// reductions of its moves depend on.
func (w *worker) reduceNode(n *node) {
	p := w.p
	switch {
	case n.five:
	case n.known.move == board.None:
		if n.depth >= p.TableDepth {
			n.depth--
		}
	case n.pv && n.known.depth < n.depth:
		n.depth -= min((n.depth-n.known.depth)*p.TableBehind/scale, mostBehind)
	}
	n.failHigh = n.cut && !n.five && !n.beta.Proven() &&
		n.value >= n.beta+Value(p.FailHighMargin+p.FailHighStep*n.depth)
	n.last, n.own = w.b.Back(1), w.b.Back(2)
	n.continuation = continuationOf(w.b)
	n.goingOn = n.ply >= 2 && w.stack[n.ply-2].class >= board.MakesThree
}

// extension returns by how many plies to extend the search of m. If v is not noValue it is
// the value of n, and no move needs to be searched.
func (w *worker) extension(n *node, m board.Move, mine board.Class) (extend int, v Value) {
	v = noValue
	if n.five && n.ply < extendTimes*w.rootDepth+extendPlies {
		extend = 1
	} else if m == n.known.move && w.maySingular(n) {
		extend, v = w.singular(n)
	}
	if n.failHigh && mine < board.MakesFour {
		extend--
	}
	return extend, v
}

// maySingular reports whether a search should find out if the table's move is singular.
func (w *worker) maySingular(n *node) bool {
	return n.depth >= w.p.SingularDepth && n.ply > 0 && w.stack[n.ply].excluded == board.None && !n.threatened &&
		n.known.bound&lower != 0 && n.known.depth >= n.depth-w.p.SingularBehind && !n.known.value.Proven()
}

// singular searches the other moves of n to see whether one of them comes near the value
// of the table's move, and returns by how many plies to extend that move. v is the value
// of n if several moves beat beta, else noValue. Two plies off the principal variation, where the
// others are 40 points below the bar, won 52-47-61 against one (2026-11, 150,000 nodes a move).
func (w *worker) singular(n *node) (extend int, v Value) {
	f := &w.stack[n.ply]
	bar := n.known.value - Value(n.depth*w.p.SingularStep/singularScale)
	f.excluded = n.known.move
	others := w.alphaBeta(bar-1, bar, n.depth/singularPart, n.ply, n.cut)
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

// reduceRest takes a ply from the later moves of a node after a move that raised alpha.
func (w *worker) reduceRest(n *node) {
	if alphaFrom <= n.depth && n.depth <= w.p.AlphaDepth && n.best.Abs() < alphaValue {
		n.depth--
	}
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

// far reports whether m lies far from the last moves of both sides.
func (n *node) far(m board.Move) bool {
	return board.Distance(m, n.last) > farCells && board.Distance(m, n.own) > farCells
}

// reduction returns by how many plies less the present move m of the node is searched first.
func (w *worker) reduction(n *node, m board.Move, mine, theirs board.Class) int {
	if n.depth < reduceFrom || n.count == 1 || n.five {
		return 0
	}
	p, f := w.p, &w.stack[n.ply]
	r := w.lateness(n, m, mine, theirs)
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
	r -= w.history.continued(n.continuation, m) * p.ReduceContinued / historyMax
	if w.stack[n.ply+1].cutoffs > fewCutoffs {
		r += p.ReduceCutoffs
	}
	return max(r/scale, 0)
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
	if v > n.alpha && reduced < depth && !w.stopped {
		depth = w.depthAgain(n, v, depth, reduced)
		if depth > reduced {
			v = -w.alphaBeta(-n.alpha-1, -n.alpha, depth, n.ply+1, !n.cut)
		}
	}
	if v > n.alpha && n.pv && !w.stopped {
		v = -w.alphaBeta(-n.beta, -n.alpha, depth, n.ply+1, false)
	}
	return v
}

// depthAgain returns the depth at which a move is searched again that had the value v at a
// reduced depth: more than the depth meant for it if v is far above alpha, less if it is
// hardly above the best value so far. The root keeps the depth: changing it there cost 16%
// more nodes in bench, 2026-11.
func (w *worker) depthAgain(n *node, v Value, depth, reduced int) int {
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

// Package search finds the best move: iterative deepening over a principal variation search
// with a shared hash table, static wins at every node, and a quiescence search over fours.
// It is silent: it returns values and calls a report function. It is not internal because the
// programs that train and tune it use it; others take package brain.
package search

import "tengen/brain/board"

// maxPly bounds the length of a line from the root.
const maxPly = 240

// scale is 1 in fixed point: reductions are in 1/scale of a ply, time management counts in
// 1/scale of the soft limit. Params writes it as 1/1024.
const scale = 1024

// alphaBeta returns the value of the position for the side to move, searched to depth plies
// and within (alpha, beta); outside of the window it is a bound (fail-soft). cut means that
// a beta cut-off is expected. Once w.stopped is set the value is meaningless.
func (w *worker) alphaBeta(alpha, beta Value, depth, ply int, cut bool) Value {
	if depth <= 0 {
		return w.quiescence(alpha, beta, 0, ply)
	}

	// Step 1. Limits of the search and of the board, static wins, and mate distance pruning.
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

	// Step 5. Internal iterative reduction.
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

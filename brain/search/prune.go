package search

import "tengen/brain/board"

// pruned returns the value of a node whose static value is so far outside of the window
// that the moves need no search. Two more ways to find that out brought nothing (2026-11, with the
// networks, freestyle 15x15, wins, losses and draws against the search without). A null move from
// depth 10, a static value 585-28*depth above beta, 270 at least: 32-28-40 at 150,000 nodes a move.
// ProbCut, the first three moves from depth 5, four plies less deep, 60 above beta: 21-14-12 at as
// many nodes, 20-28-41 at 0.3 s a move.
func (w *worker) pruned(n *node) (v Value, ok bool) {
	if n.pv || n.threatened || w.stack[n.ply].excluded != board.None {
		return 0, false
	}
	p := w.p

	// Razoring: far below alpha only a run of fours can help.
	if n.depth <= p.RazorDepth && n.value+Value(p.RazorMargin+p.RazorStep*(n.depth*n.depth-1)) < n.alpha {
		if v := w.quiescence(n.alpha, n.alpha+1, 0, n.ply); v <= n.alpha || n.depth == 1 {
			return v, true
		}
	}

	// Child futility: far above beta the opponent's best reply will not bring the value back.
	plies := n.depth - 1
	if n.improving {
		plies--
	}
	margin := Value(p.FutilityStep * max(plies, 0))
	if n.value-margin >= n.beta && !n.value.Proven() && !n.beta.Proven() {
		return n.value, true
	}
	return 0, false
}

// movesFor returns which moves to generate at n.
func (w *worker) movesFor(n *node) generator {
	o := w.b.Side().Other()
	switch {
	case n.five:
		return blockFive
	case n.threatened:
		return blockFours
	case (w.b.Count(o, board.MakesFourThree) > 0 || w.b.Count(o, board.MakesTwoThrees) > 0) && w.holds(lossByThrees):
		return blockWins
	}
	return allMoves
}

// skips reports whether late move pruning leaves out the present move of the node. It may
// drop later moves of the picker, too.
func (w *worker) skips(n *node, moves *movePicker, mine, theirs board.Class) bool {
	if mine < board.MakesThree && w.tooLate(n) {
		moves.onlyAttacks()
		return true
	}
	return n.depth <= w.p.SkipDepth && mine == board.MakesNothing && theirs == board.MakesNothing
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

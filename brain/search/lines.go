package search

import (
	"tengen/brain/board"
	"tengen/brain/score"
)

// The values of all lines except the best are bounds closeLines apart, or clearLines where values are
// compressed. They are found in steps of firstStep and more. Set by hand 2026-11: 5 lines to depth
// 13 on 20 openings take 2.5 times the nodes of one line, 5.0 times with windows of some width.
const (
	closeLines Value = 4
	clearLines Value = 1
	firstStep        = 8
)

// searchLines searches the root to depth for several lines in one pass: the best moves of the
// iteration before, as many as lines, with a window of their own each, and every other move
// against the least of the best so far. This costs less than a pass for each line, which
// would search the other moves again and again. It returns what has interrupted it.
func (w *worker) searchLines(depth, lines int) interrupt {
	n := w.beginRoot(-infinity, infinity, depth)
	for i := range w.root.moves {
		r := &w.root.moves[i]
		w.tell(MoveBegins, r.move)
		w.selDepth = 0
		n.count = i + 1
		var v Value
		if i < lines {
			n.count = 1
			if i > 0 && r.previous > -infinity && !r.previous.Proven() {
				v = w.valueByBounds(&n, r)
			} else {
				v = w.exactValue(&n, r)
			}
		} else {
			n.alpha, n.beta = w.least(i, lines), infinity
			v = w.rootValue(&n, r)
		}
		if v == interrupted {
			return limitReached
		}
		if i < lines || v > n.alpha {
			w.takeResult(r, v, true)
		}
		w.noteLoss(r, v)
		w.tell(MoveEnds, r.move)
		if v > n.best || i == 0 {
			n.best, n.bestMove = v, r.move
			w.tell(MoveIsBest, r.move)
		}
	}
	if !w.restraint.barsRoot() {
		w.remember(n.bestMove, n.best, depth)
	}
	return none
}

// least returns the least of the greatest scores, as many as lines, among the first n moves.
func (w *worker) least(n, lines int) Value {
	var top [board.MaxSize * board.MaxSize]Value // sorted, the greatest first
	count := 0
	for i := range n {
		v := w.root.moves[i].score
		at := count
		for at > 0 && top[at-1] < v {
			at--
		}
		if at >= lines {
			continue
		}
		count = min(count+1, lines)
		copy(top[at+1:count], top[at:count-1])
		top[at] = v
	}
	return top[count-1]
}

// exactValue searches the root move r in a window around its value of the iteration before,
// which is widened until the value lies within.
func (w *worker) exactValue(n *node, r *rootMove) Value {
	x := w.windowAround(r.previous, n.depth)
	for {
		n.alpha, n.beta = x.alpha, x.beta
		v := w.rootValue(n, r)
		if v == interrupted || x.widen(v) == inside {
			return v
		}
	}
}

// rootValue searches the root move r in the window of n, and counts its nodes.
func (w *worker) rootValue(n *node, r *rootMove) Value {
	b := w.b
	mine, theirs := b.Class(b.Side(), r.move), b.Class(b.Side().Other(), r.move)
	if mine == board.MakesFive {
		w.pvLen[1] = 0
		return score.WinIn(winByFive)
	}
	reduce := w.rootReduction(n, r.move, mine, theirs)
	before := w.nodes
	w.play(r.move, 0)
	v := w.searchMove(n, n.depth-1, reduce)
	w.undo()
	r.nodes += w.nodes - before
	return v
}

// valueByBounds searches the root move r in windows without width, each beside the bounds
// that those before have left, until they are close enough. It takes less than half of
// the nodes of a window of some width, whose principal variation the table cannot cut short.
func (w *worker) valueByBounds(n *node, r *rootMove) Value {
	low, high := -infinity, infinity
	guess, step := r.previous, Value(firstStep)
	for {
		n.pv, n.alpha, n.beta = false, guess-1, guess
		v := w.rootValue(n, r)
		n.pv = true
		if v == interrupted {
			return v
		}
		if v.Proven() { // the distance matters
			n.alpha, n.beta = -infinity, infinity
			return w.rootValue(n, r)
		}
		if v >= guess {
			low = max(low, v)
			guess = low + step
		} else {
			high = min(high, v)
			guess = high - step + 1
		}
		if w.nearlyEqual(low, high) {
			return low
		}
		if guess > high || guess <= low {
			guess = (low+high)/2 + 1
		}
		step += step / 2
	}
}

// nearlyEqual reports whether bounds of a value are so close that it counts as found.
func (w *worker) nearlyEqual(low, high Value) bool {
	if w.compressed(low) || w.compressed(high) {
		return high-low <= clearLines
	}
	return high-low <= closeLines
}

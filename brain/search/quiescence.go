package search

import (
	"tengen/brain/board"
)

// quiescence returns the value at the end of the main search: the static value, or better
// if a run of fours wins or gains. depth is 0 at first and falls by one with each four
// of the attacker; after Params.QuiescenceFours of them only fours near the attacker's last
// stone are tried, and bare ones only if the two before threatened more, so that the run ends.
// Blocks of a five are forced and free.
func (w *worker) quiescence(alpha, beta Value, depth, ply int) Value {
	if v, ok := w.settled(ply); ok {
		return v
	}
	n := node{alpha: alpha, beta: beta, depth: max(depth, minDepth), ply: ply}
	if n.narrow() {
		return n.alpha
	}
	w.probeNode(&n)
	if n.known.decides(n.alpha, n.beta, n.depth) {
		return n.known.value
	}
	n.ttPV = n.pv

	w.stack[ply].static, w.stack[ply].uncorrected = noValue, noValue
	if !n.five && w.standsPat(&n) {
		return n.best
	}
	if n.five || anyFour(w.b) {
		w.searchRun(&n, depth)
		if w.stopped {
			return 0
		}
	}
	if n.five && n.count == 0 {
		n.best = LossIn(ply + lossByFive)
	}
	w.store(&n)
	return n.best
}

// standsPat takes the static value, or what the table knows better, as the least that the side to
// move gets, which no five threatens. It reports whether that is a beta cut-off.
func (w *worker) standsPat(n *node) (cutoff bool) {
	w.setStatic(n)
	f := &w.stack[n.ply]
	n.best = n.known.refine(f.static)
	if n.best < n.beta {
		n.alpha = max(n.alpha, n.best)
		return false
	}
	if !n.hit {
		w.table.store(n.key, entry{static: f.uncorrected, value: toTable(n.best, n.ply), bound: lower, depth: minDepth})
	}
	return true
}

// searchRun searches the blocks of a five, or the fours that go on with a run, and leaves the
// result in n. depth is that of quiescence.
func (w *worker) searchRun(n *node, depth int) {
	b, ply := w.b, n.ply
	s := b.Side()
	kind, first, next := blockFive, n.known.move, depth
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
			(!nearBy(m, own) || !running && b.Class(s, m) == board.MakesFour) {
			continue
		}
		if w.forbidden(m) {
			continue
		}
		n.count++
		w.play(m, ply)
		v := -w.quiescence(-n.beta, -n.alpha, next, ply+1)
		w.undo()
		if w.stopped || v > n.best && w.update(n, m, v) {
			break
		}
	}
	moves.done()
}

// anyFour reports whether the side to move has a move that makes a four, forbidden ones
// included.
func anyFour(b *board.Board) bool {
	s := b.Side()
	return b.Count(s, board.MakesFour)+b.Count(s, board.MakesFourPlus)+b.Count(s, board.MakesFourThree)+b.Count(s, board.MakesFoul) > 0
}

// nearBy reports whether m lies near n, or a little further on one line with it.
func nearBy(m, n board.Move) bool {
	if n == board.None {
		return true
	}
	d, dx, dy := board.Distance(m, n), m.X()-n.X(), m.Y()-n.Y()
	return d <= nearCells || d <= nearLine && (dx == 0 || dy == 0 || dx == dy || dx == -dy)
}

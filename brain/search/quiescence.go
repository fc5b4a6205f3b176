package search

import (
	"tengen/brain/board"
)

// quiescence returns the value at the end of the main search: the static value, or better
// if a run of fours wins or gains. depth is 0 at first and falls by one with each four
// of the attacker; after Params.QuiescenceFours of them only fours that threaten more are
// tried, near the attacker's last stone, so that the run ends. Blocks of a five are
// forced and free.
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

	b, f := w.b, &w.stack[ply]
	s := b.Side()
	kind, first := blockFive, n.known.move
	f.static, f.uncorrected = noValue, noValue
	if !n.five {
		w.setStatic(&n)
		n.best = n.known.refine(f.static)
		if n.best >= n.beta {
			if !n.hit {
				w.table.store(n.key, entry{static: f.uncorrected, value: toTable(n.best, ply), bound: lower, depth: minDepth})
			}
			return n.best
		}
		n.alpha = max(n.alpha, n.best)
		kind = onlyFours
		if first != board.None && b.Class(s, first) < board.MakesFour {
			first = board.None
		}
	}

	if n.five || anyFour(b) {
		next := depth - 1
		if n.five {
			next = depth
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
			if w.stopped || v > n.best && w.update(&n, m, v) {
				break
			}
		}
		moves.done()
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

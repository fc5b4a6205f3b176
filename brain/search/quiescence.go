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
	b := w.b
	pv := beta-alpha > 1
	f := &w.stack[ply]
	w.pvLen[ply] = 0
	if v, ok := w.settled(ply); ok {
		return v
	}
	alpha = max(alpha, LossIn(ply+lossByFive))
	beta = min(beta, WinIn(ply+winByFive))
	if alpha >= beta {
		return alpha
	}

	key := b.Hash()
	known, hit := w.probe(key, ply)
	tableDepth := max(depth, minDepth)
	if known.decides(alpha, beta, tableDepth) {
		return known.value
	}

	s, o := b.Side(), b.Side().Other()
	five := b.Count(o, board.MakesFive) > 0
	best, bestMove := -infinity, board.None
	oldAlpha := alpha
	kind, first := blockFive, known.move
	f.static = noValue
	if !five {
		f.static = w.static(&known)
		best = known.refine(f.static)
		if best >= beta {
			if !hit {
				w.table.store(key, entry{static: f.static, value: toTable(best, ply), bound: lower, depth: minDepth})
			}
			return best
		}
		alpha = max(alpha, best)
		kind = onlyFours
		if first != board.None && b.Class(s, first) < board.MakesFour {
			first = board.None
		}
	}

	count := 0
	if five || b.Count(s, board.MakesFour)+b.Count(s, board.MakesFourPlus)+b.Count(s, board.MakesFourThree)+b.Count(s, board.MakesFoul) > 0 {
		own := b.Back(2)
		running := ply >= 4 && w.stack[ply-2].class >= board.MakesFourPlus && w.stack[ply-4].class >= board.MakesFourPlus
		moves := w.pickMoves(kind, first)
		for m := moves.move(); m != board.None; m = moves.move() {
			if !five && depth <= -w.p.QuiescenceFours &&
				(!nearBy(m, own) || !running && b.Class(s, m) == board.MakesFour) {
				continue
			}
			if w.forbidden(m) {
				continue
			}
			count++
			next := depth - 1
			if five {
				next = depth
			}
			w.play(m, ply)
			v := -w.quiescence(-beta, -alpha, next, ply+1)
			w.undo()
			if w.stopped {
				moves.done()
				return 0
			}
			if v > best {
				best = v
				if v > alpha {
					bestMove = m
					if pv {
						w.updatePV(m, ply)
					}
					if v >= beta {
						w.countCutoff(count)
						break
					}
					alpha = v
				}
			}
		}
		moves.done()
	}
	if five && count == 0 {
		best = LossIn(ply + lossByFive)
	}

	w.table.store(key, entry{move: bestMove, value: toTable(best, ply), static: f.static, depth: tableDepth, bound: boundOf(best, oldAlpha, beta), pv: pv})
	return best
}

// nearBy reports whether m lies near n, or a little further on one line with it.
func nearBy(m, n board.Move) bool {
	if n == board.None {
		return true
	}
	dx, dy := m.X()-n.X(), m.Y()-n.Y()
	dx, dy = max(dx, -dx), max(dy, -dy)
	return max(dx, dy) <= nearCells || max(dx, dy) <= nearLine && (dx == 0 || dy == 0 || dx == dy)
}

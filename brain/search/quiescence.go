package search

import (
	"tengen/brain/board"
	"tengen/brain/threat"
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
	if n := threat.StaticWin(b); n != 0 {
		return proven(n, ply)
	}
	alpha = max(alpha, LossIn(ply+2))
	beta = min(beta, WinIn(ply+1))
	if alpha >= beta {
		return alpha
	}

	key := b.Hash()
	known, hit := w.table.probe(key)
	ttMove, ttValue := board.None, noValue
	if hit {
		ttMove = known.move
		if ttMove != board.None && b.Cell(ttMove) != board.Empty {
			hit, ttMove = false, board.None
		} else if known.bound != noBound {
			ttValue = fromTable(known.value, ply)
		}
	}
	tableDepth := max(depth, minDepth)
	if ttValue != noValue && known.depth >= tableDepth &&
		(known.bound == exact || known.bound == lower && ttValue >= beta || known.bound == upper && ttValue <= alpha) {
		return ttValue
	}

	s, o := b.Side(), b.Side().Other()
	five := b.Count(o, board.MakesFive) > 0
	best, bestMove := -infinity, board.None
	oldAlpha := alpha
	kind := blockFive
	f.static = noValue
	if !five {
		if hit && known.static != noValue {
			f.static = known.static
		} else {
			f.static = w.staticValue()
		}
		best = f.static
		if ttValue != noValue && (known.bound == exact ||
			known.bound == lower && ttValue > best || known.bound == upper && ttValue < best) {
			best = ttValue
		}
		if best >= beta {
			if !hit {
				w.table.store(key, entry{static: f.static, value: toTable(best, ply), bound: lower, depth: minDepth})
			}
			return best
		}
		alpha = max(alpha, best)
		kind = onlyFours
		if ttMove != board.None && b.Class(s, ttMove) < board.MakesFour {
			ttMove = board.None
		}
	}

	count := 0
	if five || b.Count(s, board.MakesFour)+b.Count(s, board.MakesFourPlus)+b.Count(s, board.MakesFourThree)+b.Count(s, board.MakesFoul) > 0 {
		own := b.Back(2)
		running := ply >= 4 && w.stack[ply-2].class >= board.MakesFourPlus && w.stack[ply-4].class >= board.MakesFourPlus
		moves := w.pickMoves(kind, ttMove)
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
						w.cutoffs++
						if count == 1 {
							w.firsts++
						}
						break
					}
					alpha = v
				}
			}
		}
		moves.done()
	}
	if five && count == 0 {
		best = LossIn(ply + 2)
	}

	e := entry{move: bestMove, value: toTable(best, ply), static: f.static, depth: tableDepth, bound: upper, pv: pv}
	switch {
	case best >= beta:
		e.bound = lower
	case best > oldAlpha && pv:
		e.bound = exact
	}
	w.table.store(key, e)
	return best
}

// nearBy reports whether m lies within two cells of n, or within four on one line.
func nearBy(m, n board.Move) bool {
	if n == board.None {
		return true
	}
	dx, dy := m.X()-n.X(), m.Y()-n.Y()
	dx, dy = max(dx, -dx), max(dy, -dy)
	return dx <= 2 && dy <= 2 || max(dx, dy) <= 4 && (dx == 0 || dy == 0 || dx == dy)
}

package search

import (
	"tengen/brain/board"
)

// A history remembers which moves were good elsewhere in the tree, whatever the
// position: by side and cell, attacks (an open three or more) apart from quiet moves,
// and the move that answered a move of the opponent's. One worker owns it.
type history struct {
	main    [2][2][board.Cells]int16 // side, attack or quiet, cell; within ±historyMax
	counter [2][board.Cells]board.Move
}

const (
	quietMove = iota
	attackMove
)

func kindOf(k board.Class) int {
	if k >= board.MakesThree {
		return attackMove
	}
	return quietMove
}

// add adds bonus to the entry, less the nearer the entry is to ±historyMax.
func (h *history) add(s board.Color, kind int, m board.Move, bonus int) {
	e := &h.main[s&1][kind][m%board.Cells]
	old := int(*e)
	abs := max(bonus, -bonus)
	*e = int16(old + bonus - old*abs/historyMax)
}

func (h *history) of(s board.Color, kind int, m board.Move) int {
	return int(h.main[s&1][kind][m%board.Cells])
}

// updateHistory rewards the move that was best at a node of the given depth and penalises
// those tried before it.
func (w *worker) updateHistory(best board.Move, tried []board.Move, depth, ply int, threatened bool) {
	s := w.b.Side()
	h := &w.history
	bonus := min(historySquare*depth*depth+historyDepth*depth, historyBonus)
	if kindOf(w.b.Class(s, best)) == attackMove {
		h.add(s, attackMove, best, bonus)
	} else if !threatened {
		h.add(s, quietMove, best, bonus)
		if k := &w.stack[ply].killers; k[0] != best {
			k[1], k[0] = k[0], best
		}
		for _, m := range tried {
			if kindOf(w.b.Class(s, m)) == quietMove {
				h.add(s, quietMove, m, -bonus)
			}
		}
	}
	for _, m := range tried {
		if kindOf(w.b.Class(s, m)) == attackMove {
			h.add(s, attackMove, m, -bonus)
		}
	}
	if last := w.b.Back(1); last != board.None {
		h.counter[s&1][last%board.Cells] = best
	}
}

package search

import (
	"tengen/brain/board"
	"tengen/brain/eval"
)

// A history remembers which moves were good elsewhere in the tree, whatever the
// position: by side and cell, attacks (an open three or more) apart from quiet moves, by what
// they make and take, by the moves before them, and the move that answered a move of the
// opponent's. Entries are within ±historyMax. One worker owns it.
type history struct {
	main         [2][2][board.Cells]int16               // side, attack or quiet, cell
	classes      [2][board.Classes][board.Classes]int16 // side, what the move makes, what it takes from the opponent
	continuation [2][1 << 16]int16                      // see continuation
	counter      [2][board.Cells]board.Move
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

func (h *history) of(s board.Color, kind int, m board.Move) int {
	return int(h.main[s&1][kind][m%board.Cells])
}

// ofClasses returns the entry for a move that makes mine and takes theirs.
func (h *history) ofClasses(s board.Color, mine, theirs board.Class) *int16 {
	return &h.classes[s&1][mine%board.Classes][theirs%board.Classes]
}

// A continuation says where the entries of the continuation history for the moves in one position
// begin: after the last move, and after the one before it.
type continuation [2]uint16

// continuationOf returns the continuation for the side to move on b.
func continuationOf(b *board.Board) (c continuation) {
	for i := range c {
		before := uint64(b.Back(i+1)) + uint64(b.Side()&1)*board.Cells
		c[i] = uint16(before * board.Golden >> (64 - 16))
	}
	return c
}

// after returns the entry for m after the last move, with i 0, or the one before it, with i 1. The
// entries of one continuation lie together, for the cache; those of others may be the same.
func (h *history) after(c continuation, i int, m board.Move) *int16 {
	return &h.continuation[i][c[i]+uint16(m)]
}

// continued returns the sum of both entries for m.
func (h *history) continued(c continuation, m board.Move) int {
	return int(*h.after(c, 0, m)) + int(*h.after(c, 1, m))
}

// add adds bonus to what the history says of m for the side to move.
func (h *history) add(b *board.Board, c continuation, m board.Move, bonus int) {
	s := b.Side()
	mine, theirs := b.Class(s, m), b.Class(s.Other(), m)
	addTo(&h.main[s&1][kindOf(mine)][m%board.Cells], bonus)
	addTo(h.after(c, 0, m), bonus)
	addTo(h.after(c, 1, m), bonus)
	addTo(h.ofClasses(s, mine, theirs), bonus)
}

// addTo adds bonus to the entry e, less the nearer the entry is to ±historyMax.
func addTo(e *int16, bonus int) {
	old := int(*e)
	abs := max(bonus, -bonus)
	*e = int16(old + bonus - old*abs/historyMax)
}

// updateHistory rewards the move that was best at a node of the given depth and penalizes
// those tried before it.
func (w *worker) updateHistory(best board.Move, tried []board.Move, depth, ply int, threatened bool) {
	s := w.b.Side()
	h, c := &w.history, continuationOf(w.b)
	bonus := min(historySquare*depth*depth+historyDepth*depth, historyBonus)
	if kindOf(w.b.Class(s, best)) == attackMove {
		h.add(w.b, c, best, bonus)
	} else if !threatened {
		h.add(w.b, c, best, bonus)
		if k := &w.stack[ply].killers; k[0] != best {
			k[1], k[0] = k[0], best
		}
		for _, m := range tried {
			if kindOf(w.b.Class(s, m)) == quietMove {
				h.add(w.b, c, m, -bonus)
			}
		}
	}
	for _, m := range tried {
		if kindOf(w.b.Class(s, m)) == attackMove {
			h.add(w.b, c, m, -bonus)
		}
	}
	if last := w.b.Back(1); last != board.None {
		h.counter[s&1][last%board.Cells] = best
	}
}

// Corrections hold by how much the results of searches differ from the static value, on
// average, in positions that have something in common: what both sides threaten, or the last two
// moves. The difference is added to static values, so that the search learns where the evaluator
// errs in this game. One worker owns them; they outlive its searches, like the hash table, whose
// static values are not corrected. Entries are in 1/correctionScale of a point, at most
// correctionMost points from 0.
type corrections struct {
	threats [2][board.ThreatMasks]int16   // by the side to move and Board.ThreatMask
	moves   [2][1 << correctionBits]int16 // by the side to move and a hash of the last two moves
}

// of returns the entries for the position of b.
func (c *corrections) of(b *board.Board) (threats, moves *int16) {
	s := b.Side() & 1
	return &c.threats[s][b.ThreatMask()], &c.moves[s][pairIndex(b.Back(1), b.Back(2))]
}

// pairIndex returns a hash of two moves in order.
func pairIndex(m, n board.Move) int {
	return int((uint64(m)*board.Cells + uint64(n)) * board.Golden >> (64 - correctionBits))
}

// corrected returns the static value of the position with its correction. That counts in full where
// values are compressed, clearPart times as much as what it corrects: reduced as the value is it took
// 1.2 to 1.35 times the nodes to see a deep win (2026-11, 57 positions of games, 30 wins seen instead
// of 34 to 39).
func (w *worker) corrected(static Value) Value {
	threats, moves := w.corrections.of(w.b)
	sum := int(*threats)*w.p.CorrectThreats + int(*moves)*w.p.CorrectMoves
	return max(-eval.Max, min(static+Value(sum/(scale*correctionScale)), eval.Max))
}

// learnCorrection notes by how much the result of the node differs from its static value, unless
// the value is a proven one or only a bound on the wrong side of it.
func (w *worker) learnCorrection(n *node) {
	static := w.stack[n.ply].uncorrected
	if static == noValue || n.best.Proven() ||
		n.best <= static && n.best >= n.beta || n.best >= static && n.bestMove == board.None {
		return
	}
	difference := int(max(-correctionMost, min(n.best-static, correctionMost)))
	weight := min(n.depth+1, correctionDepth)
	threats, moves := w.corrections.of(w.b)
	moveToward(threats, difference, weight)
	moveToward(moves, difference, weight)
}

// moveToward moves the entry e by weight/correctionWeight of the way to a difference in points.
func moveToward(e *int16, difference, weight int) {
	*e = int16((int(*e)*(correctionWeight-weight) + difference*correctionScale*weight) / correctionWeight)
}

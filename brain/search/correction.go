package search

import "tengen/brain/board"

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
	return max(-correctedMost, min(static+Value(sum/(scale*correctionScale)), correctedMost))
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

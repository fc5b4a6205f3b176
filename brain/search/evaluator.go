package search

import "tengen/brain/board"

// An Evaluator evaluates the positions of one board for one worker. The search calls Undone
// after every Undo of the board, but nothing after a Play: an evaluator brings its state up
// to date when Value or Order is called.
type Evaluator interface {
	// Reset makes the evaluator follow b, which may be another board, from its present
	// position. From then on the side to move plays in the given style, -100 defence to 100
	// attack, 0 neutral. bias is what the style adds to Value at this position.
	Reset(b *board.Board, style int) (bias int)

	// Undone tells the evaluator that the last move was taken back.
	Undone()

	// Value returns the static value for the side to move on the scale of Value, within
	// 6000 either way. It need not see what threat.StaticWin decides: the search asks in such
	// positions only at the root, at the end of a line of maxPly, and where restrictions may keep
	// the win from counting.
	Value() int

	// Order sets scores[i] to how promising the empty cell moves[i] is for the side to move:
	// about 0 for nothing, up to about 1000. Both slices have the same length. It is not
	// called for the few moves that a threat leaves.
	Order(moves []board.Move, scores []int32)
}

// staticValue returns the static value of the position, compressed. Quiescence could ask the
// cheaper tables first and spare the network where they lie 240 points or more outside of the
// window: 28% of its evaluations, on the wrong side in 0.1% of them, for an estimated 3% of the time
// (2026-11, 60 positions of games, freestyle, depth 12, before values were compressed). That is not
// worth a second evaluation.
func (w *worker) staticValue() Value { return w.compress(Value(w.eval.Value())) }

// compress is Value.compress for the values of a search without a style. A style adds so much for
// one side that an even position would count as clear.
func (w *worker) compress(v Value) Value {
	if w.style != 0 {
		return v
	}
	return v.compress()
}

// expand is the inverse of compress.
func (w *worker) expand(v Value) Value {
	if w.style != 0 {
		return v
	}
	return v.expand()
}

package search

import "tengen/brain/board"

// An Evaluator evaluates the positions of one board for one worker. The search calls Undone
// after every Undo of the board, but nothing after a Play: an evaluator brings its state up
// to date when Value or Order is called.
type Evaluator interface {
	// Reset makes the evaluator follow b, which may be another board, from its present
	// position. From then on the side to move plays in the given style, -100 defense to 100
	// attack, 0 neutral.
	Reset(b *board.Board, style int)

	// Undone tells the evaluator that the last move was taken back.
	Undone()

	// Value returns the static value for the side to move on the scale of Value, within
	// 6000 either way. It need not see what threat.StaticWin decides: the search asks in such
	// positions only at the root, at the end of a line of maxPly, and where restrictions may keep
	// the win from counting.
	Value() int

	// StylePart returns what the style adds to Value at the present position.
	StylePart() int

	// Order sets scores[i] to how promising the empty cell moves[i] is for the side to move:
	// about 0 for nothing, up to about 1000. Both slices have the same length. It is not
	// called for the few moves that a threat leaves.
	Order(moves []board.Move, scores []int32)
}

// staticValue returns the static value of the position, through compress. Quiescence could ask the
// cheaper tables first and spare the network where they lie 240 points or more outside of the
// window: 28% of its evaluations, on the wrong side in 0.1% of them, for an estimated 3% of the time
// (2026-11, 60 positions of games, freestyle, depth 12). That is not worth a second evaluation.
func (w *worker) staticValue() Value { return w.compress(Value(w.eval.Value())) }

// compress is Value.compress in a search that compresses values.
func (w *worker) compress(v Value) Value {
	if w.compresses {
		return v.compress()
	}
	return v
}

// compressed reports whether v is where compress counts less than the whole difference.
func (w *worker) compressed(v Value) bool { return w.compresses && v.Abs() > clearValue }

// stylePart is what the style of the search adds to the value of the position.
func (w *worker) stylePart() Value {
	if w.style == 0 {
		return 0
	}
	return Value(w.eval.StylePart())
}

// plain returns the value v of the root for others than the search: expanded, and without what the
// style adds to it. The value comes from the end of its line, and so does that.
func (w *worker) plain(v Value, line []board.Move) Value {
	if v.Proven() {
		return v
	}
	if w.compresses {
		return v.expand()
	}
	if w.style == 0 {
		return v
	}
	for _, m := range line {
		w.b.Play(m)
	}
	part := w.stylePart()
	for range line {
		w.undo()
	}
	if len(line)%2 == 1 {
		part = -part
	}
	return v - part
}

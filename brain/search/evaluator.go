package search

import "tengen/brain/board"

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

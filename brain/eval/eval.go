// Package eval puts a number on a quiet position: what the patterns of the empty
// cells are worth to either side, and who may use them first.
package eval

import "tengen/brain/board"

// A Value is a score for the side to move. Scale: 200 is the advantage that wins 73
// of 100 games between equals (1/(1+e^(-v/200))). |v| >= WinFloor means a forced win
// and encodes the distance: WinIn(ply) = Win - ply. Fits in int16.
type Value int32

const (
	Win      Value = 30000 // a five on the board
	WinFloor Value = 29000 // the least value of a proven win
	Max      Value = 6000  // the greatest static value
)

// WinIn is the value of completing a five with the ply-th ply from the root.
func WinIn(ply int) Value { return Win - Value(ply) }

// LossIn is the value of the opponent's completing a five with the ply-th ply.
func LossIn(ply int) Value { return Value(ply) - Win }

// Proven reports whether v is a proven win or loss.
func (v Value) Proven() bool { return v >= WinFloor || v <= -WinFloor }

// An Evaluator follows one Board. Call Played after every b.Play or b.Pass and Undone
// after every b.Undo, in pairs; both only note that something has changed. Value
// does the sums that are missing, about 100 ns a ply.
type Evaluator struct {
	b    *board.Board
	w    *weights
	sums []int32 // sums[i] is black's value less white's after i plies
	from int     // sums[from:done+1] are valid
	done int

	lean struct { // see Lean
		color   board.Color
		percent int
		of, w   *weights // w are the numbers of of, leaning
		bias    Value
	}
}

// New returns an evaluator for b as it stands. It allocates once, for the longest
// game.
func New(b *board.Board) *Evaluator {
	e := &Evaluator{w: weightsFor(b.Rule()), sums: make([]int32, board.MaxHistory+1)}
	e.Reset(b)
	return e
}

// Reset turns to b, which may be another board, as it stands.
func (e *Evaluator) Reset(b *board.Board) {
	e.b, e.w = b, weightsFor(b.Rule())
	e.begin()
	if e.lean.percent != 0 {
		if e.lean.of != e.w {
			e.lean.of, e.lean.w = e.w, e.w.leaning(e.lean.color, e.lean.percent)
		}
		upright := e.Value()
		e.w = e.lean.w
		e.begin()
		e.lean.bias = e.Value() - upright
	}
}

// begin adds up the position and the one a ply before, for tempo smoothing.
func (e *Evaluator) begin() {
	b := e.b
	e.done = b.Ply()
	e.from = max(e.done-1, 0)
	e.sums[e.done] = e.sum()
	if e.done > 0 {
		last := b.Back(1)
		b.Undo()
		e.sums[e.done-1] = e.sum()
		if last == board.None {
			b.Pass()
		} else {
			b.Play(last)
		}
	}
}

// Lean makes the evaluator count the shapes of color c more by percent and those of the
// other less by as much, -100..100; negative the other way round, 0 all alike. It holds
// from the next Reset on. Values that lean in different ways cannot be compared. A change
// costs about 0.2 ms at the next Reset.
func (e *Evaluator) Lean(c board.Color, percent int) {
	if e.lean.color != c || e.lean.percent != percent {
		e.lean.color, e.lean.percent = c, percent
		e.lean.of, e.lean.w, e.lean.bias = nil, nil, 0
	}
}

// Bias returns how much more Value was at the last Reset than it would have been upright,
// for the side then to move.
func (e *Evaluator) Bias() Value { return e.lean.bias }

// sum adds up all cells from nothing.
func (e *Evaluator) sum() int32 {
	var v int32
	for y := range e.b.Height() {
		for x := range e.b.Width() {
			if m := board.At(x, y); e.b.Cell(m) == board.Empty {
				v += e.w.cell(e.b.Code(m))
			}
		}
	}
	return v
}

// Played notes a Play or Pass.
func (e *Evaluator) Played() { e.done = min(e.done, e.b.Ply()-1) }

// Undone notes an Undo.
func (e *Evaluator) Undone() { e.done = min(e.done, e.b.Ply()) }

// Value returns the static value for the side to move: the mean of the sums now and
// one ply ago, so that it does not swing with every stone, and a term for what both
// sides threaten. It knows no wins; ask threat.Quick first.
func (e *Evaluator) Value() Value {
	ply := e.b.Ply()
	if ply-1 < e.from && ply > 0 || ply < e.from {
		e.Reset(e.b) // taken back further than where it began
	}
	for ; e.done < ply; e.done++ {
		e.sums[e.done+1] = e.sums[e.done] + e.delta(e.done)
	}
	v := e.sums[ply]
	if ply > 0 {
		v = (v + e.sums[ply-1]) / 2
	}
	if e.b.Side() == board.White {
		v = -v
	}
	return max(-Max, min(Max, Value(v+e.w.onTurn(e.b))))
}

// Order returns how promising the empty cell m looks for the side to move, before any
// search: about 0 for nothing, up to about 1000.
func (e *Evaluator) Order(m board.Move) int {
	k, s := e.b.Code(m), e.b.Side()
	return int(e.w.own[s&1][k.Of(s)]) + int(e.w.other[s&1][k.Of(s.Other())])
}

// delta returns what the i-th ply of the history changed.
func (e *Evaluator) delta(i int) int32 {
	m := e.b.Move(i)
	if m == board.None {
		return 0
	}
	v := -e.w.cell(e.b.Code(m)) // its code is as it was when it was taken
	changes := e.b.Changes(i)
	for j := range changes {
		v += e.w.cell(changes[j].New) - e.w.cell(changes[j].Old)
	}
	return v
}

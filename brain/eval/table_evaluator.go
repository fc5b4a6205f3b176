package eval

import "tengen/brain/board"

// styleShare is the percentage by which the extreme styles raise the points of one side and
// lower those of the other.
const styleShare = 24

// A tableEvaluator is an Evaluator by tables. Value brings its sums up to date, about 100 ns a
// ply.
type tableEvaluator struct {
	set  *tableSet
	b    *board.Board
	w    *weights
	sums []int32 // sums[i] is black's value less white's after i plies
	from int     // sums[from:done+1] are valid
	done int

	styled struct { // the last weights made for a style
		of, w *weights // w are the numbers of of in the style
		style int
		color board.Color
	}
}

// New returns an evaluator that follows b from its present position. It allocates once, for
// the longest game.
func (s *tableSet) New(b *board.Board) *tableEvaluator {
	e := &tableEvaluator{set: s, sums: make([]int32, board.MaxHistory+1)}
	e.Reset(b, 0)
	return e
}

// Reset makes e follow b, of any rule. In a positive style the shapes of the side that is now to
// move count more and those of the other side less; in a negative one it is the other way round.
// Another style or side than at the last Reset costs about 0.2 ms.
func (e *tableEvaluator) Reset(b *board.Board, style int) {
	e.b, e.w = b, e.set.weights(b.Rule())
	e.begin()
	percent := style * styleShare / 100
	if percent == 0 {
		return
	}
	if s := &e.styled; s.of != e.w || s.style != style || s.color != b.Side() {
		s.of, s.style, s.color = e.w, style, b.Side()
		s.w = e.w.favor(b.Side(), percent)
	}
	e.w = e.styled.w
	e.begin()
}

// StylePart adds up all cells anew, about 10 us.
func (e *tableEvaluator) StylePart() int {
	styled, neutral := e.w, e.set.weights(e.b.Rule())
	if styled == neutral {
		return 0
	}
	v := e.Value()
	e.w = neutral
	e.begin()
	v -= e.Value()
	e.w = styled
	e.begin()
	return v
}

// begin adds up the position and the one a ply before, for tempo smoothing.
func (e *tableEvaluator) begin() {
	b := e.b
	e.done = b.Ply()
	e.from = max(e.done-1, 0)
	e.sums[e.done] = e.sum()
	if e.done > 0 {
		last, rows := b.Back(1), len(b.Walled(e.done-1)) > 0
		b.Undo()
		e.sums[e.done-1] = e.sum()
		switch {
		case last == board.None:
			b.Pass()
		case rows:
			b.PlayRows(last)
		default:
			b.Play(last)
		}
	}
}

// sum adds up all cells from scratch.
func (e *tableEvaluator) sum() int32 {
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

func (e *tableEvaluator) Undone() { e.done = min(e.done, e.b.Ply()) }

// Value is the mean of the sums now and one ply ago, so that it does not swing with every stone,
// and a term for what both sides threaten.
func (e *tableEvaluator) Value() int {
	ply := e.b.Ply()
	if ply-1 < e.from && ply > 0 || ply < e.from {
		e.begin() // taken back further than where it began
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
	return max(-Max, min(Max, int(v+e.w.onTurn(e.b))))
}

// Order adds what a move makes and what it takes from the other side.
func (e *tableEvaluator) Order(moves []board.Move, scores []int32) {
	s := e.b.Side()
	own, other := e.w.own[s&1], e.w.other[s&1]
	for i, m := range moves {
		k := e.b.Code(m)
		scores[i] = int32(own[k.Of(s)]) + int32(other[k.Of(s.Other())])
	}
}

// delta returns what the i-th ply of the history changed.
func (e *tableEvaluator) delta(i int) int32 {
	m := e.b.Move(i)
	if m == board.None {
		return 0
	}
	v := -e.w.cell(e.b.Code(m)) // its code is as it was when it was taken
	changes := e.b.Changes(i)
	for j := range changes {
		v += e.w.cell(changes[j].New) - e.w.cell(changes[j].Old())
	}
	return v
}

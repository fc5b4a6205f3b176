package threat

import "tengen/brain/board"

// A winCell is a cell where the opponent wins unless the side to move stops it: by a four
// with an open three, or by two open threes.
type winCell struct {
	cell    board.Move
	kind    board.Class            // MakesFourThree or MakesTwoThrees
	answers [2]board.Move          // the replies to the four, None beyond the last; to two open threes none is known
	whole   [board.Directions]bool // any stone in this direction may stop the win
}

// WinStops appends to dst the moves of the side to move, except fours, that can stop the
// opponent from winning by a four with an open three or by two open threes. Every other
// move that makes no four loses, as StaticWin proves after it. ok is false if no such win
// is threatened for sure; then dst is returned as it was, and any move may be good. Two open
// threes of White are not proved in renju, since cells that look forbidden to Black may hide
// fours. The opponent must be able to make neither a five nor an open four. It may play and
// undo stones while it works. To avoid allocation dst needs a free capacity of 300. Costs a
// few loads where nothing is threatened.
func WinStops(b *board.Board, dst []board.Move) (_ []board.Move, ok bool) {
	s := b.Side()
	o := s.Other()
	fourThrees, twoThrees := b.Count(o, board.MakesFourThree), b.Count(o, board.MakesTwoThrees)
	if fourThrees == 0 && twoThrees == 0 {
		return dst, false
	}
	// Without fours of its own the side to move has no other way out than those below.
	fourless := noFours(b, s)

	const most = 4 // more would shorten the list no further
	var winCells [most]winCell
	n := 0
	if fourThrees > 0 {
		cells := *b.Set(o, board.MakesFourThree)
		for c := cells.First(); c != board.None && n < most; c = cells.First() {
			cells.Remove(c)
			if winCells[n].byFour(b, c, fourless) {
				n++
			}
		}
	}
	if twoThrees > 0 && fourless && b.Rule()&board.Renju == 0 {
		cells := *b.Set(o, board.MakesTwoThrees)
		for c := cells.First(); c != board.None && n < most; c = cells.First() {
			cells.Remove(c)
			winCells[n] = winCell{cell: c, kind: board.MakesTwoThrees}
			n++
		}
	}
	if n == 0 {
		return dst, false
	}
	start := len(dst)
	dst = winCells[0].stops(b, dst)
	for _, w := range winCells[1:n] {
		kept := dst[:start]
		for _, m := range dst[start:] {
			if w.stoppedBy(b, m) {
				kept = append(kept, m)
			}
		}
		dst = kept
	}
	return dst, true
}

// byFour sets w to the four with an open three that the opponent could make on c, and
// reports whether it is known to win if the side to move does nothing: no reply to the four
// makes a four itself, and Black in renju may make the open four afterwards. fourless tells
// that the side to move has no four.
func (w *winCell) byFour(b *board.Board, c board.Move, fourless bool) bool {
	*w = winCell{cell: c, kind: board.MakesFourThree}
	if b.Rule()&board.Caro != 0 {
		return w.byFourInCaro(b, fourless)
	}
	o := b.Side().Other()
	w.answers[0] = fourAnswer(b, o, c)
	if !w.noCounterFour(b, fourless) {
		return false
	}
	if b.Rule()&board.Renju == 0 || o == board.White {
		return true
	}
	// Black may be left an open four that is forbidden.
	for d := range board.Directions {
		w.whole[d] = b.Pattern(o, c, d) >= board.OpenThree
	}
	b.Pass()
	b.Play(c)
	b.Play(w.answers[0])
	wins := b.Count(o, board.MakesOpenFour) > 0
	b.Undo()
	b.Undo()
	b.Undo()
	return wins
}

// byFourInCaro is the rest of byFour under caro. A stone that caps the five allows one more answer,
// the other end.
func (w *winCell) byFourInCaro(b *board.Board, fourless bool) bool {
	o := b.Side().Other()
	for d := range board.Directions {
		w.whole[d] = b.Pattern(o, w.cell, d) == board.ClosedFour
	}
	b.Pass()
	b.Play(w.cell)
	var buffer [32]board.Move
	list := FiveBlocks(b, buffer[:0])
	b.Undo()
	b.Undo()
	if len(list) > len(w.answers) {
		return false
	}
	copy(w.answers[:], list)
	return w.noCounterFour(b, fourless)
}

// replies returns the answers that are known.
func (w *winCell) replies() []board.Move {
	n := 0
	for n < len(w.answers) && w.answers[n] != board.None {
		n++
	}
	return w.answers[:n]
}

// noCounterFour reports whether there is an answer and none makes a four.
func (w *winCell) noCounterFour(b *board.Board, fourless bool) bool {
	for _, a := range w.replies() {
		if k := b.Class(b.Side(), a); !fourless && (k >= board.MakesFour || k == board.MakesFoul) {
			return false
		}
	}
	return w.answers[0] != board.None
}

// stops appends every move of the side to move that w.stoppedBy.
func (w *winCell) stops(b *board.Board, dst []board.Move) []board.Move {
	start := len(dst)
	dst = append(dst, w.cell)
	for d := range board.Directions {
		for i := -board.Pad; i <= board.Pad; i++ {
			if m := board.Move(int(w.cell) + i*board.Step(d)); i != 0 && b.Cell(m) == board.Empty && w.spoiltBy(b, d, i) {
				dst = append(dst, m)
			}
		}
	}
	if w.kind == board.MakesTwoThrees {
		near := b.Candidates()
		for m := near.First(); m != board.None; m = near.First() {
			near.Remove(m)
			if makesAnyThree(b, m) {
				dst = appendNew(dst, start, m)
			}
		}
		return dst
	}
	for _, a := range w.replies() {
		for d := range board.Directions {
			for i := -4; i <= 4; i++ {
				if m := board.Move(int(a) + i*board.Step(d)); i != 0 && b.Cell(m) == board.Empty && makesThree(b, m, d) {
					dst = appendNew(dst, start, m)
				}
			}
		}
	}
	return dst
}

// stoppedBy reports whether m may stop the win of w.
func (w *winCell) stoppedBy(b *board.Board, m board.Move) bool {
	if m == w.cell {
		return true
	}
	if d, i := along(w.cell, m); i != 0 && w.spoiltBy(b, d, i) {
		return true
	}
	if w.kind == board.MakesTwoThrees {
		return makesAnyThree(b, m)
	}
	for _, a := range w.replies() {
		if d, i := along(a, m); -4 <= i && i <= 4 && i != 0 && makesThree(b, m, d) {
			return true
		}
	}
	return false
}

// spoiltBy reports whether a stone i steps in direction d from the cell of w may leave the
// opponent less there.
func (w *winCell) spoiltBy(b *board.Board, d, i int) bool {
	return w.whole[d] || b.ClassAfter(w.cell, d, i) < w.kind
}

// makesThree reports whether a stone of the side to move on m makes a three or more in
// direction d, so that another there may make a four.
func makesThree(b *board.Board, m board.Move, d int) bool {
	return b.Pattern(b.Side(), m, d) >= board.ClosedThree
}

// makesAnyThree reports whether it does so in some direction.
func makesAnyThree(b *board.Board, m board.Move) bool {
	for d := range board.Directions {
		if makesThree(b, m, d) {
			return true
		}
	}
	return false
}

// fourAnswer returns the cell where c would complete its five after the four that it
// makes, in one direction only, on m; None if there are several.
func fourAnswer(b *board.Board, c board.Color, m board.Move) board.Move {
	answer := board.None
	for d := range board.Directions {
		if b.Pattern(c, m, d) != board.ClosedFour {
			continue
		}
		for i := -4; i <= 4; i++ {
			a := board.Move(int(m) + i*board.Step(d))
			if i == 0 || b.Cell(a) != board.Empty {
				continue
			}
			row := 1
			for _, step := range [2]int{board.Step(d), -board.Step(d)} {
				for at := int(a) + step; board.Move(at) == m || b.Cell(board.Move(at)) == c; at += step {
					row++
				}
			}
			if b.Rule().Wins(c, row, false) {
				if answer != board.None {
					return board.None
				}
				answer = a
			}
		}
	}
	return answer
}

package threat

import "tengen/brain/board"

// FiveBlocks appends to dst every move of the side to move that can stop a five the
// opponent threatens: the completing cells and, under caro, the cells that cap the five
// that would arise. Moves that stop only one of several fives are included. Own fives are
// not. To avoid allocation dst needs a free capacity of 16.
func FiveBlocks(b *board.Board, dst []board.Move) []board.Move {
	s := b.Side()
	o := s.Other()
	start := len(dst)
	dst = b.Set(o, board.MakesFive).Append(dst)
	if b.Rule()&board.Caro == 0 {
		return dst
	}
	for _, m := range dst[start:] {
		for d := range board.Directions {
			if b.Pattern(o, m, d) != board.Five {
				continue
			}
			fore, back := pastRow(b, o, m, board.Step(d)), pastRow(b, o, m, -board.Step(d))
			switch {
			case b.Cell(fore) == s && b.Cell(back) == board.Empty:
				dst = appendNew(dst, start, back)
			case b.Cell(back) == s && b.Cell(fore) == board.Empty:
				dst = appendNew(dst, start, fore)
			}
		}
	}
	return dst
}

// pastRow returns the first cell from m by steps of step that holds no stone of c.
func pastRow(b *board.Board, c board.Color, m board.Move, step int) board.Move {
	at := int(m) + step
	for b.Cell(board.Move(at)) == c {
		at += step
	}
	return board.Move(at)
}

func appendNew(dst []board.Move, start int, m board.Move) []board.Move {
	for _, old := range dst[start:] {
		if old == m {
			return dst
		}
	}
	return append(dst, m)
}

// Fours appends to dst every move of the side to move that makes a four: all cells
// of the classes from MakesFour up, and for black in renju also the cells that only
// look forbidden. Moves that prove to be forbidden may be among them.
func Fours(b *board.Board, dst []board.Move) []board.Move {
	s := b.Side()
	for k := board.MakesFive; k >= board.MakesFour; k-- {
		if b.Count(s, k) > 0 {
			dst = b.Set(s, k).Append(dst)
		}
	}
	if b.Count(s, board.MakesFoul) > 0 {
		fours := foulFours(b)
		dst = fours.Append(dst)
	}
	return dst
}

// OtherFours is Fours without those that dst[from:] holds.
func OtherFours(b *board.Board, dst []board.Move, from int) []board.Move {
	var listed board.Set
	for _, m := range dst[from:] {
		listed.Add(m)
	}
	end := len(dst)
	dst = Fours(b, dst)
	kept := dst[:end]
	for _, m := range dst[end:] {
		if !listed.Has(m) {
			kept = append(kept, m)
		}
	}
	return kept
}

// foulFours returns the cells of class MakesFoul that make one four and no more.
func foulFours(b *board.Board) board.Set {
	fours := *b.Set(board.Black, board.MakesFoul)
	all := fours
	for m := all.First(); m != board.None; m = all.First() {
		all.Remove(m)
		if !foulFour(b, m) {
			fours.Remove(m)
		}
	}
	return fours
}

// foulFour reports whether the cell m of class MakesFoul makes one four and no more,
// so that it is a legal four if its threes are false.
func foulFour(b *board.Board, m board.Move) bool {
	fours := 0
	for d := range board.Directions {
		switch b.Pattern(board.Black, m, d) {
		case board.Overline:
			return false
		case board.ClosedFour, board.OpenFour:
			fours++
		}
	}
	return fours == 1
}

// OpenFourStops appends to dst every move of the side to move, fours left out, that can
// stop the opponent from making an open four or two fours with the next stone: the
// intersection, over the cells where the opponent could, of that cell and the cells whose
// occupation makes it harmless. Any other move that makes no four loses. An empty result
// means that only fours can delay the loss. The opponent must have such a cell and no five.
func OpenFourStops(b *board.Board, dst []board.Move) []board.Move {
	o := b.Side().Other()
	start := len(dst)
	set := *b.Set(o, board.MakesOpenFour)
	c := set.First()
	set.Remove(c)

	dst = append(dst, c)
	for d := range board.Directions {
		if p := b.Pattern(o, c, d); p != board.OpenFour && p != board.ClosedFour {
			continue
		}
		for i := -board.Pad; i <= board.Pad; i++ {
			if m := board.Move(int(c) + i*board.Step(d)); i != 0 && b.Cell(m) == board.Empty &&
				b.ClassAfter(c, d, i) < board.MakesOpenFour {
				dst = append(dst, m)
			}
		}
	}
	for c := set.First(); c != board.None && len(dst) > start; c = set.First() {
		set.Remove(c)
		kept := dst[:start]
		for _, m := range dst[start:] {
			if m == c || stops(b, c, m) {
				kept = append(kept, m)
			}
		}
		dst = kept
	}
	return dst
}

// stops reports whether a stone of the side to move on m makes the opponent's cell c
// harmless.
func stops(b *board.Board, c, m board.Move) bool {
	d, i := along(c, m)
	return i != 0 && b.ClassAfter(c, d, i) < board.MakesOpenFour
}

// along returns the direction d and the distance i from c to m in steps of it, 0 if m
// is c itself, lies on no line with c or further than board.Pad away.
func along(c, m board.Move) (d, i int) {
	dx, dy := m.X()-c.X(), m.Y()-c.Y()
	switch {
	case dy == 0:
		d, i = board.Horizontal, dx
	case dx == 0:
		d, i = board.Vertical, dy
	case dx == dy:
		d, i = board.Falling, dy
	case dx == -dy:
		d, i = board.Rising, dy
	}
	if i < -board.Pad || i > board.Pad {
		i = 0
	}
	return d, i
}

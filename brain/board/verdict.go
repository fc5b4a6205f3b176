package board

// A Verdict says whether a game is over, and why.
type Verdict uint8

const (
	Unfinished Verdict = iota
	WinningRow         // the last stone completed a row that wins
	NoMove             // renju: every empty cell is forbidden to Black, who is to move and has lost
	FullBoard          // no cell is empty: a draw
)

// Verdict returns the state of the game after its last move. The winner is Empty while the
// game goes on and after a draw. In a continuous game a winning row does not end the game.
// Only the last move is checked: a row that was completed before it, or before a pass, is
// not found. It may play and undo stones while it works. About 50 ns, but where every empty
// cell looks forbidden.
func (b *Board) Verdict() (v Verdict, winner Color) {
	if last := b.Back(1); last != None && b.rule&Continuous == 0 && b.Wins(b.cells[last%Cells], last) {
		return WinningRow, b.cells[last%Cells]
	}
	switch {
	case b.empties == 0:
		return FullBoard, Empty
	case !b.HasMove():
		return NoMove, b.side.Other()
	}
	return Unfinished, Empty
}

// Won reports whether any stone, not only the last one, belongs to a row that has ended the
// game, as it may where the stones were not played in order.
func (b *Board) Won() bool { return b.Winner() != Empty }

// Winner returns the color of the row that Won finds, Empty if there is none. Of rows of both
// colors it is that of the earliest stone.
func (b *Board) Winner() Color {
	if b.rule&Continuous != 0 {
		return Empty
	}
	for i := range b.Ply() {
		if m := b.Move(i); m != None && b.Wins(b.cells[m], m) {
			return b.cells[m]
		}
	}
	return Empty
}

// HasMove reports whether the side to move has a legal move. It may play and undo stones
// while it works. A few loads unless every empty cell looks forbidden.
func (b *Board) HasMove() bool {
	if b.side != Black || b.Count(Black, MakesFoul) < b.empties {
		return b.empties > 0
	}
	return b.firstLegal(b.open) != None
}

// firstLegal returns the first of the cells that the side to move may play, None if there is
// none. It may play and undo stones while it works.
func (b *Board) firstLegal(cells Set) Move {
	for m := cells.First(); m != None; m = cells.First() {
		cells.Remove(m)
		if b.Legal(m) {
			return m
		}
	}
	return None
}

// Central returns the legal move nearest to the middle of the board, or None if there is
// no legal move.
func (b *Board) Central() Move { return b.CentralOf(b.open) }

// CentralOf is Central for some cells.
func (b *Board) CentralOf(cells Set) Move {
	best, least := None, 1<<30
	for m := cells.First(); m != None; m = cells.First() {
		cells.Remove(m)
		dx, dy := 2*m.X()+1-b.width, 2*m.Y()+1-b.height
		if dx*dx+dy*dy < least && b.Legal(m) {
			best, least = m, dx*dx+dy*dy
		}
	}
	return best
}

// Row returns the row in direction d that a stone of color c on m belongs to, whatever m
// holds: its first cell, from which Step(d) leads to the others, and its length n. Capped
// tells that both cells beyond its ends hold opponent stones.
func (b *Board) Row(c Color, m Move, d int) (first Move, n int, capped bool) {
	step := steps[d]
	fore, back := int(m)+step, int(m)-step
	for b.cells[fore] == c {
		fore += step
	}
	for b.cells[back] == c {
		back -= step
	}
	return Move(back + step), (fore-back)/step - 1, b.cells[fore] == c^1 && b.cells[back] == c^1
}

// Rows appends to dst the cells of all winning rows that a stone of color c on m belongs to,
// whatever m holds, m first and once, and returns it with the number of rows. Nothing is
// appended if there is none.
func (b *Board) Rows(dst []Move, c Color, m Move) (cells []Move, rows int) {
	for d := range Directions {
		first, n, capped := b.Row(c, m, d)
		if !b.rule.Wins(c, n, capped) {
			continue
		}
		if rows == 0 {
			dst = append(dst, m)
		}
		rows++
		for i := range n {
			if cell := first + Move(i*steps[d]); cell != m {
				dst = append(dst, cell)
			}
		}
	}
	return dst, rows
}

// Wins reports whether a stone of color c on m, whatever m holds, belongs to a winning row.
// It walks the lines through m and uses no tables.
func (b *Board) Wins(c Color, m Move) bool {
	for d := range Directions {
		if _, n, capped := b.Row(c, m, d); b.rule.Wins(c, n, capped) {
			return true
		}
	}
	return false
}

package proof

import "tengen/brain/board"

// A position is the rules on a plain array: it walks along the lines and knows neither tables nor
// patterns, so that a mistake in those of package board cannot pass a proof. It takes the numbering of
// the cells and the meaning of a row from there.
type position struct {
	rule          board.Rule
	width, height int
	cells         [board.Cells]board.Color
	side          board.Color // to move
	empties       int
	key           uint64 // of stones and side to move
}

func newPosition(rule board.Rule, width, height int) *position {
	p := &position{rule: rule, width: width, height: height, empties: width * height}
	for m := range p.cells {
		p.cells[m] = board.Wall
	}
	for y := range height {
		for x := range width {
			p.cells[board.At(x, y)] = board.Empty
		}
	}
	return p
}

// play puts a stone of the side to move on the empty cell m, undo takes it back.
func (p *position) play(m board.Move) {
	p.cells[m] = p.side
	p.empties--
	p.turn(m, p.side)
}

func (p *position) undo(m board.Move) {
	p.turn(m, p.cells[m].Other())
	p.cells[m] = board.Empty
	p.empties++
}

func (p *position) pass() { p.side = p.side.Other() }

// turn changes the side to move, and the key for a stone of color c on m.
func (p *position) turn(m board.Move, c board.Color) {
	p.key ^= board.Mix((uint64(m)<<1 | uint64(p.cells[m]&1)) * board.Golden)
	p.side = p.side.Other()
}

// empty reports whether m is an empty cell of the board.
func (p *position) empty(m board.Move) bool { return m < board.Cells && p.cells[m] == board.Empty }

// past returns the first cell from m by steps of step that holds no stone of color c. The cell m is
// not looked at.
func (p *position) past(c board.Color, m board.Move, step int) board.Move {
	at := int(m) + step
	for p.cells[at] == c {
		at += step
	}
	return board.Move(at)
}

// row returns the length of the row in direction d that a stone of color c on m belongs to.
func (p *position) row(c board.Color, m board.Move, d int) int {
	step := board.Step(d)
	return (int(p.past(c, m, step))-int(p.past(c, m, -step)))/step - 1
}

// wins reports whether a stone of color c on m, whatever m holds, belongs to a row that wins.
func (p *position) wins(c board.Color, m board.Move) bool {
	for d := range board.Directions {
		step := board.Step(d)
		fore, back := p.past(c, m, step), p.past(c, m, -step)
		capped := p.cells[fore] == c.Other() && p.cells[back] == c.Other()
		if p.rule.Wins(c, (int(fore)-int(back))/step-1, capped) {
			return true
		}
	}
	return false
}

// legal reports whether the side to move may play m.
func (p *position) legal(m board.Move) bool {
	return p.empty(m) && !(p.side == board.Black && p.forbidden(m))
}

// forbidden reports whether Black may not play the empty cell m: under renju two fours, six in a
// row, or two threes of which Black may make open fours, unless the stone makes five.
func (p *position) forbidden(m board.Move) bool {
	if p.rule&board.Renju == 0 {
		return false
	}
	p.cells[m] = board.Black
	defer func() { p.cells[m] = board.Empty }()
	long, fours, threes := false, 0, 0
	for d := range board.Directions {
		switch n := p.row(board.Black, m, d); {
		case n == 5:
			return false
		case n > 5:
			long = true
		}
		fours += p.fours(m, d)
	}
	if long || fours > 1 {
		return true
	}
	for d := range board.Directions {
		if p.mayBecomeOpen(m, d, false) {
			threes++
		}
	}
	if threes < 2 {
		return false
	}
	threes = 0
	for d := range board.Directions {
		if p.mayBecomeOpen(m, d, true) {
			threes++
		}
	}
	return threes > 1
}

// fives returns the cells where one more black stone makes exactly five in direction d with the
// black stone on m, in order.
func (p *position) fives(m board.Move, d int) (cells []board.Move) {
	step := board.Step(d)
	for _, e := range [...]board.Move{p.past(board.Black, m, -step), p.past(board.Black, m, step)} {
		if p.cells[e] == board.Empty && p.row(board.Black, e, d) == 5 {
			cells = append(cells, e)
		}
	}
	return cells
}

// open reports whether cells, the result of fives in direction d, are the ends of an open four.
func open(cells []board.Move, d int) bool {
	return len(cells) == 2 && int(cells[1])-int(cells[0]) == 5*board.Step(d)
}

// fours counts the fours that the black stone on m is part of in direction d.
func (p *position) fours(m board.Move, d int) int {
	cells := p.fives(m, d)
	if open(cells, d) {
		return 1
	}
	return len(cells)
}

// mayBecomeOpen reports whether one more black stone makes an open four, and no five, in direction d
// with the black stone on m; with allowed, one that Black may play.
func (p *position) mayBecomeOpen(m board.Move, d int, allowed bool) bool {
	step := board.Step(d)
	for _, e := range [...]board.Move{p.past(board.Black, m, -step), p.past(board.Black, m, step)} {
		if p.cells[e] != board.Empty {
			continue
		}
		p.cells[e] = board.Black
		becomes := open(p.fives(m, d), d)
		for other := range board.Directions {
			becomes = becomes && p.row(board.Black, e, other) != 5
		}
		p.cells[e] = board.Empty
		if becomes && !(allowed && p.forbidden(e)) {
			return true
		}
	}
	return false
}

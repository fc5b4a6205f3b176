package continuous

import (
	"tengen/brain/board"
	"tengen/brain/threat"
)

// Numbers of plans. Set by hand 2026-11.
const (
	mostTurns  = 8   // searches of one plan, and rows settled in one position
	mostWays   = 3   // ways to force a row that the other side may choose from
	unfinished = 700 // a row that can be forced in a way that is not known to its end
)

// A Judge searches a position as if the next row ended the game, leaving out the moves of
// without. It returns the value for the side to move in points of search.Value and the best
// line; won is 1 if the side to move can force a row, -1 if the other side can, else 0.
type Judge func(b *board.Board, without []board.Move) (points int, line []board.Move, won int)

// hope returns the value of so many points of shapes, or of a search that has found no row.
func hope(points int) Value { return Value(points * hopeMost / (max(points, -points) + hopeHalf)) }

// Plan returns what the side to move of b gains with m if both sides go on as the judge says,
// row by row, up to a position where nobody can force one. Where the other side is to move and
// can force a row, for the first time, the worst of several ways to do so counts. It sees
// further than a search by rows, but little beside its line.
func Plan(b *board.Board, m board.Move, judge Judge) Value {
	p := plan{b: b.Clone(), first: b.Side(), judge: judge, ways: mostWays}
	p.play(m)
	return p.rest(mostTurns)
}

// A plan is a line that is being followed.
type plan struct {
	b      *board.Board
	first  board.Color // the side whose gain is counted
	judge  Judge
	ways   int // how many ways to force a row the other side may try
	gained Value
}

// rest goes on for so many turns and returns the whole gain.
func (p *plan) rest(turns int) Value {
	for ; turns > 0; turns-- {
		settled, rows := Settle(p.b)
		p.b = settled
		side := settled.Side()
		p.gain(side, rows)
		if settled.Empties() == 0 || !settled.HasMove() {
			break
		}
		points, line, won := p.judge(settled, nil)
		switch {
		case won == 0:
			return p.gained + p.sign(side)*hope(points)
		case won < 0:
			side = side.Other()
		case side != p.first && p.ways > 1:
			return p.worst(line, turns)
		}
		if !p.follow(line, side) {
			return p.gained + p.sign(side)*unfinished
		}
	}
	return p.gained
}

// worst returns the least of the gains after the lines with which the other side, which is to
// move, forces a row. It knows the first.
func (p *plan) worst(line []board.Move, turns int) Value {
	least, tried := Value(infinity), []board.Move(nil)
	for won := 1; won > 0 && len(line) > 0 && len(tried) < p.ways; {
		tried = append(tried, line[0])
		way := plan{b: p.b.Clone(), first: p.first, judge: p.judge, ways: 1, gained: p.gained}
		v := p.gained - unfinished
		if way.follow(line, p.first.Other()) {
			v = way.rest(turns - 1)
		}
		least = min(least, v)
		_, line, won = p.judge(p.b, tried)
	}
	return least
}

func (p *plan) sign(c board.Color) Value {
	if c == p.first {
		return 1
	}
	return -1
}

func (p *plan) gain(c board.Color, rows int) { p.gained += p.sign(c) * Row * Value(rows) }

// play plays m and returns the number of rows made.
func (p *plan) play(m board.Move) int {
	c := p.b.Side()
	rows := p.b.PlayRows(m)
	p.gain(c, rows)
	return rows
}

// follow plays the line until winner has made a row or can no longer be prevented from making
// one. From there on the other side may do as it likes: it reports whether the line goes so far.
func (p *plan) follow(line []board.Move, winner board.Color) bool {
	for _, m := range line {
		if !p.b.Legal(m) {
			return false
		}
		if c := p.b.Side(); p.play(m) > 0 && c == winner {
			return true
		}
		if stopped, _ := pending(p.b, winner); stopped != board.None {
			return true
		}
	}
	return false
}

// Settle returns a board with the position of b in which the rows that cannot be prevented any
// more have been made, and how many more of them the side to move has made. For each the other
// side has stopped another five, as it can whenever it likes. The side to move stays the same.
// What it returns has no row in its history, as evaluators want it.
func Settle(b *board.Board) (settled *board.Board, rows int) {
	s := b.Clone()
	for range mostTurns {
		side := s.Side()
		if stopped, made := pending(s, side); stopped != board.None {
			s.Pass()
			s.Play(stopped)
			rows += s.PlayRows(made)
			s.Pass()
			continue
		}
		stopped, made := pending(s, side.Other())
		if stopped == board.None {
			break
		}
		s.Play(stopped)
		rows -= s.PlayRows(made)
	}
	flatten(s)
	return s, rows
}

// pending returns two fives of c if the other side can only stop one of them and cannot make a
// five itself, else None: the one that it stops, since its stone is of the most use there, and
// the one that c then makes.
func pending(b *board.Board, c board.Color) (stopped, made board.Move) {
	other := c.Other()
	if b.Count(c, board.MakesFive) < 2 || b.Count(other, board.MakesFive) > 0 {
		return board.None, board.None
	}
	if b.Side() == c {
		b.Pass()
		defer b.Undo()
	}
	var buffer [board.MaxSize]board.Move
	for _, m := range threat.FiveBlocks(b, buffer[:0]) {
		if !b.Legal(m) {
			continue
		}
		b.Play(m)
		left := b.Set(c, board.MakesFive).First()
		b.Undo()
		if left == board.None {
			return board.None, board.None
		}
		if stopped == board.None || b.Class(other, m) > b.Class(other, stopped) {
			stopped, made = m, left
		}
	}
	return stopped, made
}

// flatten sets b up anew with the stones of its history in their order, the cells of rows
// blocked from the beginning.
func flatten(b *board.Board) {
	type stone struct {
		move  board.Move
		color board.Color
	}
	side := b.Side()
	var blocked []board.Move
	var stones []stone
	for y := range b.Height() {
		for x := range b.Width() {
			if m := board.At(x, y); b.Cell(m) == board.Wall {
				blocked = append(blocked, m)
			}
		}
	}
	for i := range b.Ply() {
		if m := b.Move(i); m != board.None && b.Cell(m) != board.Wall {
			stones = append(stones, stone{m, b.Cell(m)})
		}
	}
	b.Reset()
	for _, m := range blocked {
		b.Block(m)
	}
	for _, s := range stones {
		if s.color != b.Side() {
			b.Pass()
		}
		b.Play(s.move)
	}
	if b.Side() != side {
		b.Pass()
	}
}

// Package setup holds a game as a manager describes it, and sets boards up with it.
package setup

import (
	"slices"

	"tengen/brain/board"
)

// An Owner is the owner of a listed stone, numbered as in the protocol.
type Owner uint8

const (
	Own      Owner = 1 + iota // the engine's
	Opponent                  // the other side's
	Blocked                   // a cell that cannot be used
)

// A Stone is a cell and its owner.
type Stone struct {
	Move  board.Move
	Owner Owner
}

// A stone is a move of the game with its color; in some setups colors do not alternate.
type stone struct {
	move   board.Move
	color  board.Color
	listed bool // by Set: a manager lists a foul as a blocked cell, and the stones of rows
}

// A Position is the game as the manager described it. Except after a simple move the board is set up
// from it again, in less than a millisecond. That handles takebacks in any order, unequal numbers of
// stones, and rows that become blocked cells.
type Position struct {
	stones  []stone // in the order they were played
	blocked []board.Move
	side    board.Color // to move
}

// New returns the position of an empty board.
func New() Position { return Position{side: board.Black} }

// Stones returns the number of stones.
func (p *Position) Stones() int { return len(p.stones) }

// Blocked returns the number of cells that the manager listed as blocked.
func (p *Position) Blocked() int { return len(p.blocked) }

// Moves returns the cells of the stones, in the order they were played.
func (p *Position) Moves() []board.Move {
	list := make([]board.Move, len(p.stones))
	for i, s := range p.stones {
		list[i] = s.move
	}
	return list
}

// Add puts a stone of the side to move on m.
func (p *Position) Add(m board.Move) {
	p.stones = append(p.stones, stone{m, p.side, false})
	p.side = p.side.Other()
}

// Remove removes the stone on m. If it was the last one, its side is to move; else the side to move
// changes, since managers take stones back one by one. On an empty board Black is to move.
func (p *Position) Remove(m board.Move) bool {
	for i := len(p.stones) - 1; i >= 0; i-- {
		if s := p.stones[i]; s.move == m {
			switch {
			case len(p.stones) == 1 && len(p.blocked) == 0:
				p.side = board.Black
			case i == len(p.stones)-1:
				p.side = s.color
			default:
				p.side = p.side.Other()
			}
			p.stones = append(p.stones[:i:i], p.stones[i+1:]...)
			return true
		}
	}
	return false
}

// Set replaces the position by a list of stones, with the engine to move. The engine is black if both
// sides have as many stones, and white if it has one less; for other numbers the first stone in the list
// is black. In a continuous game blocked cells were stones of either side: with some of them the engine
// is black if the number of all is even. A side of 1, black, or 2, white, decides in place of the numbers.
// A cell that is listed again is ignored.
func (p *Position) Set(list []Stone, continuous bool, side int) {
	p.stones, p.blocked, p.side = nil, nil, board.Black
	var seen [board.Cells]bool
	var own, opponent []board.Move
	first := Own
	for _, s := range list {
		if seen[s.Move%board.Cells] {
			continue
		}
		seen[s.Move%board.Cells] = true
		switch s.Owner {
		case Blocked:
			p.blocked = append(p.blocked, s.Move)
			continue
		case Own:
			own = append(own, s.Move)
		case Opponent:
			opponent = append(opponent, s.Move)
		}
		if len(own)+len(opponent) == 1 {
			first = s.Owner
		}
	}
	d := len(opponent) - len(own)
	second := d == 1 || d != 0 && first == Opponent
	if continuous && len(p.blocked) > 0 {
		second = (len(p.blocked)+len(own)+len(opponent))&1 != 0
	}
	if side != 0 {
		second = side == 2
	}
	black, white := own, opponent
	if second {
		black, white = opponent, own
		p.side = board.White
	}
	for i := range max(len(black), len(white)) {
		if i < len(black) {
			p.stones = append(p.stones, stone{black[i], board.Black, true})
		}
		if i < len(white) {
			p.stones = append(p.stones, stone{white[i], board.White, true})
		}
	}
}

// SetUp sets b up with the position. In a continuous game the stones of every row that won, and
// those that were fouls, are blocked cells from the beginning, so that no row is in the history
// of b.
func (p *Position) SetUp(b *board.Board) {
	blocked := p.blocked
	if b.Rule()&board.Continuous != 0 {
		blocked = p.deadCells(b)
	}
	playStones(b, p.stones, blocked)
	if b.Side() != p.side {
		b.Pass()
	}
}

// deadCells plays the position, a continuous game, on b and returns the blocked cells, with those of
// the rows and the fouls. A row is one by what lay at its ends when it was completed, stones that
// went later included; a foul is one by what lay around it. Of stones that were listed together
// with blocked cells none is in a row.
func (p *Position) deadCells(b *board.Board) (blocked []board.Move) {
	clearAndBlock(b, p.blocked)
	blocked = slices.Clone(p.blocked)
	for i, s := range p.stones {
		if s.color == board.Black && !s.listed && b.Forbidden(s.move) {
			blocked = append(blocked, s.move)
			playStones(b, p.stones[:i], blocked)
			continue
		}
		if b.Side() != s.color {
			b.Pass()
		}
		if s.listed && len(p.blocked) > 0 {
			b.Play(s.move)
			continue
		}
		row, _ := b.Rows(nil, s.color, s.move)
		blocked = append(blocked, row...)
		b.PlayRows(s.move)
	}
	return blocked
}

// playStones plays the stones that are not among the blocked cells on b.
func playStones(b *board.Board, stones []stone, blocked []board.Move) {
	clearAndBlock(b, blocked)
	for _, s := range stones {
		if b.Cell(s.move) != board.Empty {
			continue // in a row, or a foul
		}
		if b.Side() != s.color {
			b.Pass()
		}
		b.Play(s.move)
	}
}

// clearAndBlock empties b and blocks the cells.
func clearAndBlock(b *board.Board, blocked []board.Move) {
	b.Reset()
	for _, m := range blocked {
		if b.Cell(m) == board.Empty { // crossing rows share a cell
			b.Block(m)
		}
	}
}

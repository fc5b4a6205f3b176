package board

import "fmt"

// A Board is a position with its history.
// STUB, being replaced by the incremental board: same methods.
type Board struct {
	rule          Rule
	width, height int
	side          Color
	cells         [Cells]Color
	history       []Move
	empties       int
}

// New returns an empty board, black to move.
func New(rule Rule, width, height int) (*Board, error) {
	if !rule.Valid() {
		return nil, fmt.Errorf("rule %d is not known", rule)
	}
	if width < MinSize || width > MaxSize || height < MinSize || height > MaxSize {
		return nil, fmt.Errorf("board %dx%d is not supported, want sides of %d to %d", width, height, MinSize, MaxSize)
	}
	b := &Board{rule: rule, width: width, height: height}
	for i := range b.cells {
		b.cells[i] = Wall
	}
	for y := range height {
		for x := range width {
			b.cells[At(x, y)] = Empty
		}
	}
	b.empties = width * height
	return b, nil
}

func (b *Board) Rule() Rule            { return b.rule }
func (b *Board) Width() int            { return b.width }
func (b *Board) Height() int           { return b.height }
func (b *Board) Side() Color           { return b.side }
func (b *Board) Cell(m Move) Color     { return b.cells[m] }
func (b *Board) Empties() int          { return b.empties }
func (b *Board) Hash() uint64          { return 0 }
func (b *Board) Ply() int              { return len(b.history) }
func (b *Board) Move(i int) Move       { return b.history[i] }
func (b *Board) Forbidden(m Move) bool { return false }

// On reports whether column x, row y is on the board.
func (b *Board) On(x, y int) bool { return x >= 0 && x < b.width && y >= 0 && y < b.height }

// Legal reports whether the side to move may play m.
func (b *Board) Legal(m Move) bool { return int(m) < Cells && b.cells[m] == Empty }

// Play puts a stone of the side to move on m.
func (b *Board) Play(m Move) {
	b.cells[m] = b.side
	b.side ^= 1
	b.empties--
	b.history = append(b.history, m)
}

// Pass gives the move to the other side; Undo takes it back.
func (b *Board) Pass() {
	b.side ^= 1
	b.history = append(b.history, None)
}

// Undo takes back exactly one Play or Pass.
func (b *Board) Undo() {
	m := b.history[len(b.history)-1]
	b.history = b.history[:len(b.history)-1]
	b.side ^= 1
	if m != None {
		b.cells[m] = Empty
		b.empties++
	}
}

// Block makes the empty cell m a wall for the rest of the game (continuous game).
func (b *Board) Block(m Move) {
	b.cells[m] = Wall
	b.empties--
}

// Wins reports whether a stone of color c on the empty cell m completes a winning
// row. It walks the lines through m and asks no table; nothing is changed.
func (b *Board) Wins(c Color, m Move) bool {
	for _, d := range [...]int{1, Stride, Stride + 1, Stride - 1} {
		n := 1
		fore, back := int(m)+d, int(m)-d
		for ; b.cells[fore] == c; fore += d {
			n++
		}
		for ; b.cells[back] == c; back -= d {
			n++
		}
		if b.rule.Wins(c, n, b.cells[fore] == c^1 && b.cells[back] == c^1) {
			return true
		}
	}
	return false
}

package board

// For claims_test.go, which is outside the package because it imports packages above it.
var CheckClaim = checkClaim

// For games_test.go, which plays through the protocol.
type SlowBoard struct{ b *slowBoard }

// NewSlowBoard returns the twin of an empty board.
func NewSlowBoard(rule Rule, width, height int) SlowBoard {
	return SlowBoard{newSlow(rule, width, height)}
}

// Legal, Wins, Play and Full are methods of the twin for column x, row y and the side to
// move.
func (s SlowBoard) Legal(x, y int) bool { return s.b.legal(x, y) }
func (s SlowBoard) Wins(x, y int) bool  { return s.b.wins(s.b.side, x, y) }
func (s SlowBoard) Play(x, y int)       { s.b.play(x, y) }
func (s SlowBoard) Full() bool          { return s.b.full() }

// Winning lists the cells where color c would win with its next stone.
func (s SlowBoard) Winning(c Color, size int) (list []Move) {
	for y := range size {
		for x := range size {
			if s.b.cells[y][x] == Empty && s.b.wins(c, x, y) {
				list = append(list, At(x, y))
			}
		}
	}
	return list
}

// Parried reports whether a stone of color c somewhere leaves the other side without a win on
// any of the cells.
func (s SlowBoard) Parried(c Color, wins []Move, size int) bool {
	for y := range size {
		for x := range size {
			if s.b.cells[y][x] != Empty {
				continue
			}
			s.b.cells[y][x] = c
			open := 0
			for _, m := range wins {
				if s.b.cells[m.Y()][m.X()] == Empty && s.b.wins(c.Other(), m.X(), m.Y()) {
					open++
				}
			}
			s.b.cells[y][x] = Empty
			if open == 0 {
				return true
			}
		}
	}
	return false
}

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

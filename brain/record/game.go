// Package record reads and writes games and openings: .psq as Piskvork keeps
// them, SGF as c-gomoku-cli writes it, openings in pos and offset notation.
// It knows no clocks, files or engines; callers bring readers and writers.
package record

import "tengen/brain/board"

// An Outcome is how a game ended, or that it did not. The zero value is no result.
type Outcome uint8

const (
	Unknown Outcome = iota
	BlackWon
	WhiteWon
	Drawn
)

// WonBy returns the outcome of a game that c has won, or Drawn if c is no player, as
// Board.Verdict tells.
func WonBy(c board.Color) Outcome {
	switch c {
	case board.Black:
		return BlackWon
	case board.White:
		return WhiteWon
	}
	return Drawn
}

// String gives the result from Black's side: "1-0", "0-1", "1/2-1/2" or "*".
func (o Outcome) String() string {
	return [...]string{"*", "1-0", "0-1", "1/2-1/2"}[o&3]
}

// ParseOutcome is the inverse of String; anything else is Unknown.
func ParseOutcome(s string) Outcome {
	for o := BlackWon; o <= Drawn; o++ {
		if o.String() == s {
			return o
		}
	}
	return Unknown
}

// A Game is one finished game as the file formats know it.
type Game struct {
	Rule          board.Rule
	Width, Height int // cells
	Black, White  string
	Moves         []board.Move // played order, Black first, opening included
	Opening       int          // how many of Moves were given, 0 <= Opening <= len(Moves)
	Millis        []int        // thinking time of each of Moves; shorter or nil where unknown
	Outcome       Outcome
	Reason        string // one word or a short sentence for people

	Event, Round, Date string // free text for SGF, may be empty
}

// millis returns the time of move i, 0 where it is not known.
func (g *Game) millis(i int) int {
	if i < len(g.Millis) {
		return max(g.Millis[i], 0)
	}
	return 0
}

// Package record reads and writes games, openings, tactics and puzzles: games as .psq of
// Piskvork and SGF of c-gomoku-cli, games with variations as SGF and RenLib libraries, openings
// in pos and offset notation. Read recognizes which format and encoding a file of games has; it also
// reads moves as text, links, drawn boards, .sav of Yixin-Board and what RenjuNet, RenjuOffline, RenJS, ShowRenju and
// zjrenju write.
package record

import "tengen/brain/board"

// An Outcome is the result of a game. The zero value is no result.
type Outcome uint8

const (
	Unknown Outcome = iota
	BlackWon
	WhiteWon
	Drawn
)

// WonBy returns the outcome of a game that c has won, or Drawn if c is not a player:
// Board.Verdict returns such a c.
func WonBy(c board.Color) Outcome {
	switch c {
	case board.Black:
		return BlackWon
	case board.White:
		return WhiteWon
	}
	return Drawn
}

// HalfPoints returns what c gets from a game: 2 for a win, 0 for a loss, else 1.
func (o Outcome) HalfPoints(c board.Color) int {
	switch o {
	case WonBy(c):
		return 2
	case WonBy(c.Other()):
		return 0
	}
	return 1
}

// String returns "1-0" if Black won, "0-1", "1/2-1/2" or "*".
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

// A Game is a game as the file formats describe it.
type Game struct {
	Rule          board.Rule
	Width, Height int // cells
	Black, White  string
	Moves         []board.Move // played order, Black first, opening included
	Opening       int          // how many of Moves are the opening, 0 <= Opening <= len(Moves)
	Millis        []int        // thinking times of Moves; shorter or nil if they are not known
	Outcome       Outcome
	Reason        string // one word or a short sentence

	Event, Round, Date string // free text for SGF, may be empty
}

// millis returns the time of move i, 0 if it is not known.
func (g *Game) millis(i int) int {
	if i < len(g.Millis) {
		return max(g.Millis[i], 0)
	}
	return 0
}

package main

import (
	"fmt"
	"slices"

	"tengen/brain/board"
	"tengen/brain/record"
)

// A ruling ends a game: who won and why.
type ruling struct {
	outcome record.Outcome
	reason  string // as in gameRecord.Reason
	detail  string // for people; may be empty
}

// A referee follows one game on its own board and rules on every move.
type referee struct {
	b         *board.Board
	moves     []board.Move
	drawAfter int         // stones, 0 for never
	rows      []scoredRow // of a continuous game
	show      func()      // shows the moves so far
}

// A scoredRow is a winning row of a continuous game, as the journal holds it.
type scoredRow struct {
	Move int    `json:"move"` // that completed it, from 1
	Ends string `json:"ends"` // its first and last cell in pos notation
}

// newReferee sets up an opening that has passed record.CheckOpening, on a board whose rule
// and size have been checked.
func newReferee(rule board.Rule, size int, opening []board.Move, drawAfter int) *referee {
	b, err := board.New(rule, size, size)
	if err != nil {
		panic(err)
	}
	for _, m := range opening {
		b.Play(m)
	}
	return &referee{b: b, moves: slices.Clone(opening), drawAfter: drawAfter}
}

func lost(side board.Color, reason, detail string) *ruling {
	return &ruling{record.WonBy(side.Other()), reason, detail}
}

// judge rules on the answer x,y of the side to move, and makes the move if it is legal. It
// returns nil while the game goes on.
func (r *referee) judge(x, y int) *ruling {
	side, m := r.b.Side(), board.At(x, y)
	switch err := r.b.Try(x, y); {
	case err == board.ErrForbidden:
		return lost(side, "forbidden", fmt.Sprintf("%v is forbidden to black", m))
	case err != nil:
		return lost(side, "illegal", fmt.Sprintf("%d,%d: %v", x, y, err))
	}
	r.play(side, m)
	switch v, winner := r.b.Verdict(); {
	case r.continuous() && (v != board.Unfinished || r.drawAfter > 0 && len(r.moves) >= r.drawAfter):
		return r.count()
	case v == board.WinningRow:
		return &ruling{record.WonBy(winner), "five", ""}
	case v == board.NoMove:
		return &ruling{record.WonBy(winner), "no move", "every empty cell is forbidden to black"}
	case v == board.FullBoard:
		return &ruling{record.Drawn, "draw", "the board is full"}
	case r.drawAfter > 0 && len(r.moves) >= r.drawAfter:
		return &ruling{record.Drawn, "draw", fmt.Sprintf("%d stones", len(r.moves))}
	}
	return nil
}

func (r *referee) continuous() bool { return r.b.Rule()&board.Continuous != 0 }

// play makes a legal move of a side and notes the rows of a continuous game that it completes.
func (r *referee) play(side board.Color, m board.Move) {
	r.moves = append(r.moves, m)
	if !r.continuous() {
		r.b.Play(m)
		return
	}
	for d := range board.Directions {
		if first, n, capped := r.b.Row(side, m, d); r.b.Rule().Wins(side, n, capped) {
			last := first + board.Move((n-1)*board.Step(d))
			r.rows = append(r.rows, scoredRow{len(r.moves), first.String() + last.String()})
		}
	}
	r.b.PlayRows(m)
}

// count rules on a continuous game that has ended: the side with more rows has won.
func (r *referee) count() *ruling {
	var rows [2]int
	for _, row := range r.rows {
		rows[(row.Move-1)%2]++
	}
	black, white := rows[0], rows[1]
	switch {
	case black > white:
		return &ruling{record.BlackWon, "rows", fmt.Sprintf("%d to %d", black, white)}
	case white > black:
		return &ruling{record.WhiteWon, "rows", fmt.Sprintf("%d to %d", white, black)}
	}
	return &ruling{record.Drawn, "draw", fmt.Sprintf("%d rows each", black)}
}

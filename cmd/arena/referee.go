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
	drawAfter int // stones, 0 for never
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
	return &referee{b, slices.Clone(opening), drawAfter}
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
	r.b.Play(m)
	r.moves = append(r.moves, m)
	switch v, winner := r.b.Verdict(); {
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

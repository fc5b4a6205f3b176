package main

import (
	"fmt"

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

// newReferee sets up an opening that has passed record.CheckOpening.
func newReferee(rule board.Rule, size int, opening []board.Move, drawAfter int) (*referee, error) {
	b, err := board.New(rule, size, size)
	if err != nil {
		return nil, err
	}
	for _, m := range opening {
		b.Play(m)
	}
	return &referee{b: b, moves: append([]board.Move(nil), opening...), drawAfter: drawAfter}, nil
}

func lost(side board.Color, reason, detail string) *ruling {
	if side == board.Black {
		return &ruling{record.WhiteWon, reason, detail}
	}
	return &ruling{record.BlackWon, reason, detail}
}

func won(side board.Color, reason, detail string) *ruling {
	return lost(side.Other(), reason, detail)
}

// judge rules on the answer x,y of the side to move and records the move if it is legal.
// It returns nil while the game goes on. It leaves the move on the board, which is most of
// the work, to follow, so that the opponent can be asked first.
func (r *referee) judge(x, y int) *ruling {
	side := r.b.Side()
	if !r.b.On(x, y) {
		return lost(side, "illegal", fmt.Sprintf("%d,%d is off the board", x, y))
	}
	m := board.At(x, y)
	if r.b.Cell(m) != board.Empty {
		return lost(side, "illegal", fmt.Sprintf("%d,%d is occupied", x, y))
	}
	wins := r.b.Wins(side, m)
	if !wins && side == board.Black && r.b.Forbidden(m) {
		return lost(side, "forbidden", fmt.Sprintf("%v is forbidden to black", m))
	}
	r.moves = append(r.moves, m)
	switch {
	case wins:
		return won(side, "five", "")
	case r.b.Empties() == 1:
		return &ruling{record.Drawn, "draw", "the board is full"}
	case r.drawAfter > 0 && len(r.moves) >= r.drawAfter:
		return &ruling{record.Drawn, "draw", fmt.Sprintf("%d stones", len(r.moves))}
	}
	return nil
}

// follow makes the recorded moves on the board.
func (r *referee) follow() {
	for _, m := range r.moves[r.b.Ply():] {
		r.b.Play(m)
	}
}

// An adjudication ends a game early when both engines agree: for Moves moves in a row of
// each, one evaluates its position as at least Win and the other as at most -Win. Proven
// wins and losses agree with any Win.
type adjudication struct {
	Win   int `json:"win"`
	Moves int `json:"moves"`
}

// rule rules by the evaluations of all moves after the opening, the last one by side.
func (a *adjudication) rule(evals []eval, side board.Color) *ruling {
	if a == nil || len(evals) < 2*a.Moves {
		return nil
	}
	sign := 0 // +1: the side that moved last wins
	for i := range 2 * a.Moves {
		e := evals[len(evals)-1-i]
		s := e.side(a.Win)
		if i%2 == 1 {
			s = -s
		}
		if s == 0 || i > 0 && s != sign {
			return nil
		}
		sign = s
	}
	if sign < 0 {
		side = side.Other()
	}
	return won(side, "adjudication", fmt.Sprintf("both engines agree for %d moves", a.Moves))
}

// side is +1 for an evaluation as won, -1 as lost, and 0 for any other.
func (e eval) side(win int) int {
	switch {
	case !e.told:
		return 0
	case e.mate > 0, e.mate == 0 && e.value >= win:
		return 1
	case e.mate < 0, e.mate == 0 && e.value <= -win:
		return -1
	}
	return 0
}

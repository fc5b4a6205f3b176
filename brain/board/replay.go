package board

import (
	"errors"
	"fmt"
)

// ErrOver is the error of a move after the end of the game.
var ErrOver = errors.New("the game is over")

// A MoveError says which move of a game cannot be played, and why: Err is ErrOver or an error
// of Board.Try.
type MoveError struct {
	Number int // of the move, from 1
	Move   Move
	Err    error
}

func (e *MoveError) Error() string {
	return fmt.Sprintf("bad move %d, %v: %v", e.Number, e.Move, e.Err)
}

// Unwrap returns Err.
func (e *MoveError) Unwrap() error { return e.Err }

// PlayAll plays moves, of which None is a pass, up to the first that is not legal or comes after
// the end of the game. Then the error is a *MoveError, and b is as before that move. In a
// continuous game it plays them as PlayRows does.
func (b *Board) PlayAll(moves []Move) error {
	for i, m := range moves {
		var err error
		if v, _ := b.Verdict(); v != Unfinished {
			err = ErrOver
		} else if m == None {
			b.Pass()
			continue
		} else {
			err = b.Try(m.X(), m.Y())
		}
		switch {
		case err != nil:
			return &MoveError{i + 1, m, err}
		case b.rule&Continuous != 0:
			b.PlayRows(m)
		default:
			b.Play(m)
		}
	}
	return nil
}

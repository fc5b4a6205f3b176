package brain

import (
	"tengen/brain/board"
	"tengen/brain/search"
	"tengen/brain/threat"
)

// Evaluate returns the static value of the position for the side to move: no search, so that
// it is rough, but a win that needs none is seen. A finished game has the value of its result.
// It sets up an evaluator, in less than a millisecond. Error: ErrNoGame.
func (e *Engine) Evaluate() (Value, error) {
	if err := e.ready(e.Options().Rule); err != nil {
		return 0, err
	}
	b := e.board
	switch v, winner := outcome(b); {
	case v == board.Unfinished:
	case winner == b.Side():
		return search.WinIn(0), nil
	case winner == b.Side().Other():
		return search.LossIn(0), nil
	default:
		return 0, nil
	}
	switch n := threat.StaticWin(b); {
	case n > 0:
		return search.WinIn(n), nil
	case n < 0:
		return search.LossIn(-n), nil
	}
	return Value(e.config.Evaluation.New(b).Value()), nil
}

// outcome returns the verdict on b, and the winner. It finds a row of any stone, since stones may
// have been set up in another order or put after the end of the game.
func outcome(b *board.Board) (v board.Verdict, winner board.Color) {
	if c := b.Winner(); c != board.Empty {
		return board.WinningRow, c
	}
	return b.Verdict()
}

package brain

import (
	"cmp"
	"math"
	"slices"

	"tengen/brain/board"
	"tengen/brain/score"
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
		return score.WinIn(0), nil
	case winner == b.Side().Other():
		return score.LossIn(0), nil
	default:
		return 0, nil
	}
	switch n := threat.StaticWin(b); {
	case n > 0:
		return score.WinIn(n), nil
	case n < 0:
		return score.LossIn(-n), nil
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

// A Candidate is a legal move and how likely the policy thinks it is: the shares of all of a position
// add up to 1.
type Candidate struct {
	Move  board.Move
	Share float64
}

// policyScale is how many points of the policy make a move e times likelier: see eval.Evaluator.
const policyScale = 8

// Policy lists the legal moves of the side to move, the likeliest first. There is no search, and
// the policy is for positions without fours: it does not see what a search decides first. It sets
// up an evaluator, in less than a millisecond. Error: ErrNoGame.
func (e *Engine) Policy() ([]Candidate, error) {
	if err := e.ready(e.Options().Rule); err != nil {
		return nil, err
	}
	moves := slices.DeleteFunc(e.board.Open().Append(nil), func(m board.Move) bool { return !e.board.Legal(m) })
	if len(moves) == 0 {
		return nil, nil
	}
	scores := make([]int32, len(moves))
	e.config.Evaluation.New(e.board).Order(moves, scores)
	list := make([]Candidate, len(moves))
	best, sum := slices.Max(scores), 0.0
	for i, m := range moves {
		share := math.Exp(float64(scores[i]-best) / policyScale)
		list[i] = Candidate{m, share}
		sum += share
	}
	for i := range list {
		list[i].Share /= sum
	}
	slices.SortStableFunc(list, func(a, b Candidate) int { return cmp.Compare(b.Share, a.Share) })
	return list, nil
}

package match

import (
	"context"
	"fmt"

	"tengen/brain/board"
	"tengen/brain/record"
)

// A Chooser returns a legal move for the side to move on the board of a game. An outcome other
// than Unknown is the result of the game, unless the move itself ends it.
type Chooser func(context.Context) (board.Move, record.Outcome)

// Play plays a game on b: the opening, which must have passed record.CheckOpening, and then
// the moves of choose. It is a draw at drawAfter stones unless that is 0. At the end b holds
// all moves. Errors: the end of ctx, or an illegal move.
func Play(ctx context.Context, b *board.Board, opening []board.Move, drawAfter int, choose Chooser) (record.Outcome, error) {
	b.Reset()
	for _, m := range opening {
		b.Play(m)
	}
	decided := record.Unknown
	for {
		v, winner := b.Verdict()
		switch {
		case v != board.Unfinished:
			return record.WonBy(winner), nil
		case decided != record.Unknown:
			return decided, nil
		case drawAfter > 0 && b.Ply() >= drawAfter:
			return record.Drawn, nil
		}
		var m board.Move
		m, decided = choose(ctx)
		if err := ctx.Err(); err != nil {
			return record.Unknown, err
		}
		if !b.Legal(m) {
			return record.Unknown, fmt.Errorf("%v plays %v, which is not legal, after %s", b.Side(), m, record.FormatMoves(b.Moves()))
		}
		b.Play(m)
	}
}

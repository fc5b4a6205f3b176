package tune

import (
	"context"
	"fmt"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/record"
	"tengen/brain/search"
)

// conditions are what all games of a run have in common.
type conditions struct {
	Rule       int           `json:"rule"`
	Size       int           `json:"size"`            // cells of a side
	Nodes      int64         `json:"nodes,omitempty"` // of a move; either these
	Time       time.Duration `json:"time,omitempty"`  // or this, in ns
	Table      int           `json:"table"`           // MiB for each player
	Adjudicate bool          `json:"adjudicate"`      // end a game that both searches have proved
	DrawAfter  int           `json:"drawafter,omitempty"`
}

// engine tells engines apart that search otherwise.
func (c *conditions) engine() string {
	b, err := board.New(board.Rule(c.Rule), c.Size, c.Size)
	if err != nil {
		panic(err) // the flags have been checked
	}
	return fmt.Sprintf("%016x", search.Signature(eval.NewSet().New, search.DefaultParams(), b))
}

// limits of one search.
func (c *conditions) limits() search.Limits {
	return search.Limits{Nodes: c.Nodes, Soft: c.Time, Hard: c.Time}
}

// A mover chooses a move for the side to move, or None if none is legal, and says what it
// thinks of the position. It leaves the board as it is.
type mover func(ctx context.Context, b *board.Board) (board.Move, search.Value)

// think makes a mover of a pool.
func (c *conditions) think(p *search.Pool) mover {
	l := c.limits()
	return func(ctx context.Context, b *board.Board) (board.Move, search.Value) {
		r := p.Search(ctx, b, l, nil)
		return r.Move, r.Info.Score
	}
}

// play plays one game on b from the opening, which must have passed
// record.CheckOpening, and tells how it ended. Errors: a mover that breaks the rules, or
// the end of ctx.
func (c *conditions) play(ctx context.Context, b *board.Board, opening []board.Move, black, white mover) (record.Outcome, error) {
	b.Reset()
	for _, m := range opening {
		b.Play(m)
	}
	movers := [2]mover{black, white}
	last := search.Value(0) // what the other side thought, 0 if that was nothing proven
	for {
		if v, winner := b.Verdict(); v != board.Unfinished {
			return record.WonBy(winner), nil
		}
		if c.DrawAfter > 0 && b.Ply() >= c.DrawAfter {
			return record.Drawn, nil
		}
		side := b.Side()
		m, v := movers[side](ctx, b)
		if err := ctx.Err(); err != nil {
			return record.Unknown, err
		}
		if err := breach(b, m); err != "" {
			return record.Unknown, fmt.Errorf("%v played %v, which %s, after %s", side, m, err, record.FormatMoves(history(b)))
		}
		b.Play(m)
		if !v.Proven() || v > search.Win || v < -search.Win { // beyond is no value but a bound
			v = 0
		}
		switch {
		case !c.Adjudicate:
		case v > 0 && last < 0:
			return record.WonBy(side), nil
		case v < 0 && last > 0:
			return record.WonBy(side.Other()), nil
		}
		last = v
	}
}

// breach says which rule m breaks; "" if none.
func breach(b *board.Board, m board.Move) string {
	switch {
	case !b.On(m.X(), m.Y()):
		return "is off the board"
	case b.Cell(m) != board.Empty:
		return "is on a stone"
	case !b.Legal(m):
		return "is forbidden"
	}
	return ""
}

func history(b *board.Board) []board.Move {
	moves := make([]board.Move, b.Ply())
	for i := range moves {
		moves[i] = b.Move(i)
	}
	return moves
}

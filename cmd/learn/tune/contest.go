package tune

import (
	"context"
	"sync"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/search"
)

// A contest plays two sets of numbers against each other in this process, several pairs
// of games at once. Every game begins with empty tables, so that with a limit of nodes
// its course depends on nothing but the two sets and the opening.
type contest struct {
	conditions
	boards []*board.Board // one for each worker
}

// newContest makes ready for so many pairs at once. A worker takes two tables and some
// megabytes while it plays.
func newContest(c conditions, workers int) (*contest, error) {
	t := &contest{conditions: c}
	for range workers {
		b, err := board.New(board.Rule(c.Rule), c.Size, c.Size)
		if err != nil {
			return nil, err
		}
		t.boards = append(t.boards, b)
	}
	return t, nil
}

// run plays each opening from both sides and returns the score of first. finished, if not
// nil, is told of each pair, one at a time, in any order. The error is the first one of a
// game; the score then holds the pairs finished before.
func (t *contest) run(ctx context.Context, first, second search.Params, openings [][]board.Move, finished func(score)) (score, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan []board.Move, len(openings))
	for _, o := range openings {
		next <- o
	}
	close(next)

	var sum score
	var mu sync.Mutex // guards sum
	var workers sync.WaitGroup
	for _, b := range t.boards {
		workers.Go(func() {
			pools := [2]*search.Pool{t.newPool(first), t.newPool(second)}
			for o := range next {
				pair, err := t.pair(ctx, b, pools, o)
				if err != nil {
					cancel(err) // the first one stays the cause
					return
				}
				mu.Lock()
				sum.join(pair)
				if finished != nil {
					finished(pair)
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	if sum.pairs() < len(openings) {
		return sum, context.Cause(ctx)
	}
	return sum, nil
}

// newPool returns a pool of one worker that searches with params.
func (c *conditions) newPool(params search.Params) *search.Pool {
	return search.NewPool(eval.NewSet().New, params, 1, int64(c.Table)<<20)
}

// pair plays one opening on b from both sides, first with the first pool as black.
func (t *contest) pair(ctx context.Context, b *board.Board, pools [2]*search.Pool, opening []board.Move) (score, error) {
	var s score
	first, second := pools[0], pools[1]
	fresh := func() {
		first.Clear()
		second.Clear()
	}
	fresh()
	asBlack, err := t.play(ctx, b, opening, t.think(first), t.think(second))
	if err != nil {
		return s, err
	}
	fresh()
	asWhite, err := t.play(ctx, b, opening, t.think(second), t.think(first))
	if err != nil {
		return s, err
	}
	s.add(asBlack, asWhite)
	return s, nil
}

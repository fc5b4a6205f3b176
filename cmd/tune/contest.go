package main

import (
	"context"
	"sync"

	"tengen/brain/board"
	"tengen/brain/search"
)

// A contest plays two sets of numbers against each other in this process, several pairs
// of games at once. Every game begins with empty tables, so that with a limit of nodes
// its course depends on nothing but the two sets and the opening.
type contest struct {
	conditions
	boards []*board.Board
	pools  [][2]*search.Pool // of the first and of the second set, for each worker
}

// newContest makes ready for so many pairs at once. A worker takes two tables and some
// megabytes.
func newContest(c conditions, workers int) (*contest, error) {
	t := &contest{conditions: c}
	for range workers {
		b, err := board.New(board.Rule(c.Rule), c.Size, c.Size)
		if err != nil {
			return nil, err
		}
		t.boards = append(t.boards, b)
		size := int64(c.Table) << 20
		t.pools = append(t.pools, [2]*search.Pool{search.NewPool(1, size), search.NewPool(1, size)})
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
	for w := range t.pools {
		workers.Go(func() {
			t.pools[w][0].SetParams(first)
			t.pools[w][1].SetParams(second)
			for o := range next {
				pair, err := t.pair(ctx, w, o)
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

// pair plays one opening from both sides, first with the first set as black.
func (t *contest) pair(ctx context.Context, w int, opening []board.Move) (score, error) {
	var s score
	first, second := t.pools[w][0], t.pools[w][1]
	fresh := func() {
		first.Clear()
		second.Clear()
	}
	fresh()
	asBlack, err := t.play(ctx, t.boards[w], opening, t.think(first), t.think(second))
	if err != nil {
		return s, err
	}
	fresh()
	asWhite, err := t.play(ctx, t.boards[w], opening, t.think(second), t.think(first))
	if err != nil {
		return s, err
	}
	s.add(asBlack, asWhite)
	return s, nil
}

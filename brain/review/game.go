package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"tengen/brain/board"
)

// A Game is what is reviewed.
type Game struct {
	Rule          board.Rule
	Width, Height int
	Moves         []board.Move // black first, alternating; board.None is a pass
	Opening       int          // moves at the beginning that are given and not judged
}

// An Analyst evaluates the position after some moves, in which the game is not over. Several
// goroutines call it at a time. Its error ends the review.
type Analyst func(ctx context.Context, moves []board.Move) (Evaluation, error)

// A Result is the review of a game.
type Result struct {
	Positions []Evaluation // after 0, 1 .. len(Moves) moves, such that neighbors agree
	Moves     []Judgment
	Sides     [2]Summary // black, white
	Foul      bool       // Black lost by the last move, which is forbidden

	looks []Evaluation // as Positions, but as the analyst sees each by itself
}

// Run reviews a game with the given number of calls of analyze at a time. It first evaluates all
// positions, the last one first, so that an engine that keeps its hash table knows what came
// of them. Moves that seem to be mistakes are looked at again: the better move must keep its
// value after it is made, or it is not better. Progress, if not nil, is called with the number
// of positions evaluated and the number there are, which grows by one for each second look; it
// is not called by two goroutines at a time. The last move may be forbidden to Black: White has
// won. Errors: those of the board, of analyze and of ctx.
func Run(ctx context.Context, g Game, concurrency int, analyze Analyst, progress func(done, total int)) (*Result, error) {
	b, err := board.New(g.Rule, g.Width, g.Height)
	if err != nil {
		return nil, err
	}
	r := &Result{Moves: make([]Judgment, len(g.Moves)), looks: make([]Evaluation, len(g.Moves)+1)}
	first := min(max(g.Opening, 0), len(g.Moves))
	open, err := r.replay(b, g, first)
	if err != nil {
		return nil, err
	}
	w := &work{ctx: ctx, concurrency: concurrency, analyze: analyze, progress: progress, total: len(open)}
	err = w.each(len(open), func(i int) (err error) {
		k := open[i]
		r.looks[k], err = analyze(ctx, g.Moves[:k])
		return err
	})
	if err != nil {
		return nil, err
	}
	r.judge(g, first)
	if err := w.lookAgain(r, g, first); err != nil {
		return nil, err
	}
	r.judge(g, first)
	r.Sides = [2]Summary{summarize(r.Moves, 0), summarize(r.Moves, 1)}
	return r, nil
}

// replay plays the game on b, which is empty, and evaluates the positions in which it is over. It
// returns those to be analyzed, by number of moves and the last first, from the given one on.
func (r *Result) replay(b *board.Board, g Game, first int) (open []int, err error) {
	for k := 0; ; k++ {
		e, over := Ended(b)
		r.looks[k] = e
		if !over && k >= first {
			open = append([]int{k}, open...)
		}
		if k == len(g.Moves) {
			return open, nil
		}
		var bad *board.MoveError
		if !errors.As(b.PlayAll(g.Moves[k:k+1]), &bad) {
			continue
		}
		if bad.Err == board.ErrForbidden && k == len(g.Moves)-1 {
			r.Foul = true
			r.looks[k+1] = Evaluation{Score: Score{Proven: 1}, Depth: ended}
			return open, nil
		}
		bad.Number = k + 1
		return nil, bad
	}
}

// lookAgain takes a second look at the moves that seem to be mistakes, and lets the positions
// before them be worth no more than what the better move keeps.
func (w *work) lookAgain(r *Result, g Game, first int) error {
	var doubtful []int
	for k := first; k < len(g.Moves); k++ {
		if j := r.Moves[k]; j.Class >= Inaccuracy && len(j.Better) > 0 && j.Before.Proven == 0 {
			doubtful = append(doubtful, k)
		}
	}
	w.total += len(doubtful)
	second := make([]Evaluation, len(doubtful))
	if err := w.each(len(doubtful), func(i int) (err error) {
		k := doubtful[i]
		second[i], err = w.second(g, k, r.Positions[k].Line[0])
		return err
	}); err != nil {
		return err
	}
	for i := len(doubtful) - 1; i >= 0; i-- {
		k := doubtful[i]
		before := r.Positions[k]
		s, depth := second[i].Score.after(), second[i].Depth+1
		if !before.better(s) || s.Proven == 0 && depth < before.Depth {
			continue
		}
		if played := r.Positions[k+1].Score.after(); played.better(s) {
			s = played
		}
		r.looks[k] = Evaluation{s, append([]board.Move{before.Line[0]}, second[i].Line...), depth}
	}
	return nil
}

// judge judges the moves of the game from the given one on, by positions that agree.
func (r *Result) judge(g Game, first int) {
	r.Positions = slices.Clone(r.looks)
	for again, rounds := true, 0; again && rounds < len(g.Moves); rounds++ { // twice, as a rule
		again = false
		for k := len(g.Moves) - 1; k >= first; k-- {
			again = agree(g.Moves[k], &r.Positions[k], &r.Positions[k+1]) || again
		}
	}
	for k := first; k < len(g.Moves); k++ {
		r.Moves[k] = judged(r.Positions[k], r.Positions[k+1])
	}
}

// second evaluates the position after k moves of the game and m instead of the next.
func (w *work) second(g Game, k int, m board.Move) (Evaluation, error) {
	b, err := board.New(g.Rule, g.Width, g.Height)
	if err != nil {
		return Evaluation{}, err
	}
	moves := append(g.Moves[:k:k], m)
	if err := b.PlayAll(moves); err != nil {
		return Evaluation{}, fmt.Errorf("the line of the engine: %w", err)
	}
	if e, over := Ended(b); over {
		return e, nil
	}
	return w.analyze(w.ctx, moves)
}

// ended is the depth of a position in which the game is over: no look is deeper.
const ended = 1 << 20

// Ended returns the evaluation of a position in which the game is over.
func Ended(b *board.Board) (e Evaluation, over bool) {
	verdict, winner := b.Verdict()
	if verdict == board.Unfinished {
		return e, false
	}
	e.Depth = ended
	switch {
	case winner == b.Side():
		e.Proven = 1
	case winner == b.Side().Other():
		e.Proven = -1
	}
	return e, true
}

// A work runs calls of an analyst and counts them.
type work struct {
	ctx         context.Context
	concurrency int
	analyze     Analyst
	progress    func(done, total int)

	mu          sync.Mutex
	done, total int
}

// each calls f for 0 .. n-1, several at a time, in this order, until one fails.
func (w *work) each(n int, f func(i int) error) error {
	next, failed := 0, error(nil)
	var all sync.WaitGroup
	for range min(max(w.concurrency, 1), n) {
		all.Go(func() {
			for {
				w.mu.Lock()
				i := next
				next++
				stop := i >= n || failed != nil || w.ctx.Err() != nil
				w.mu.Unlock()
				if stop {
					return
				}
				err := f(i)
				w.mu.Lock()
				if err != nil && failed == nil {
					failed = err
				}
				w.done++
				if err == nil && w.progress != nil {
					w.progress(w.done, w.total)
				}
				w.mu.Unlock()
			}
		})
	}
	all.Wait()
	if failed != nil {
		return failed
	}
	return w.ctx.Err()
}

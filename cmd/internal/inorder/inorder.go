// Package inorder divides numbered work among goroutines and takes the results in order.
package inorder

import (
	"context"
	"errors"
	"sync"
)

// ErrEnough is what take returns when no more is wanted.
var ErrEnough = errors.New("enough")

// ahead is how many numbers a worker may be ahead of the one that take waits for: one long
// game should not stop the others, and a kill should not lose many games.
const ahead = 4

// Run calls, for the numbers from first to below end, the functions that work makes,
// one for each worker, and hands what they return to take in the order of the numbers.
// take runs in the caller's goroutine. The first error, of take, of a worker or of ctx,
// ends all, once every worker has returned; ErrEnough ends it without one.
func Run[T any](ctx context.Context, workers int, first, end uint32, work func() func(context.Context, uint32) (T, error), take func(uint32, T) error) error {
	type task struct {
		n    uint32
		v    T
		err  error
		done chan struct{} // closed when v and err are set
	}
	ctx, cancel := context.WithCancel(ctx)
	tasks := make(chan *task)
	queue := make(chan *task, workers*(1+ahead)) // the same in order
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() {
		defer close(queue)
		defer close(tasks)
		for n := first; n < end; n++ {
			t := &task{n: n, done: make(chan struct{})}
			select {
			case queue <- t:
			case <-ctx.Done():
				return
			}
			tasks <- t // some worker comes back, if only to learn that ctx has ended
		}
	})
	for range workers {
		running.Go(func() {
			do := work()
			for t := range tasks {
				t.v, t.err = do(ctx, t.n)
				close(t.done)
			}
		})
	}
	for t := range queue {
		<-t.done
		err := t.err
		if err == nil {
			err = take(t.n, t.v)
		}
		if err == ErrEnough {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

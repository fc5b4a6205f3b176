// Package inorder divides numbered work among goroutines and returns the results in order.
package inorder

import (
	"context"
	"errors"
	"sync"
)

// ErrEnough is returned by take to end Run without an error.
var ErrEnough = errors.New("enough")

// ahead is how many results a worker may compute beyond the one that take waits for: one long
// game must not stop the others, and a kill must not lose many games.
const ahead = 4

// Run divides the numbers from first up to but not including end among workers, at least one.
// It calls work once for each of them and the function that this returns for each number, and
// passes the results to take in the order of the numbers, in the caller's goroutine. After the
// first error, of take, a worker or ctx, it waits for the workers and returns that error, or nil
// for ErrEnough.
func Run[T any](ctx context.Context, workers int, first, end uint32, work func() func(context.Context, uint32) (T, error), take func(uint32, T) error) error {
	type task struct {
		n    uint32
		v    T
		err  error
		done chan struct{} // closed when v and err are set
	}
	workers = max(workers, 1)
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
			tasks <- t // a worker always receives it, even after ctx has ended
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

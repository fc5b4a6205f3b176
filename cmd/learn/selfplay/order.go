package selfplay

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// defaultWorkers is as many as the machine can run at once.
var defaultWorkers = runtime.GOMAXPROCS(0)

// errEnough is what take returns when no more is wanted.
var errEnough = errors.New("enough")

// ahead bounds how many numbers a worker may be ahead of the one that take waits for:
// one long game should not stop the others, and a kill should not cost many.
const ahead = 4

// inOrder calls, for the numbers from first to below end, the functions that work makes,
// one for each worker, and hands what they return to take in the order of the numbers.
// take runs in the caller's goroutine. The first error, of take, of a worker or of ctx,
// ends all, once every worker has returned; errEnough ends it without one. A worker's
// panic is an error.
func inOrder[T any](ctx context.Context, workers int, first, end uint32, work func() func(context.Context, uint32) (T, error), take func(uint32, T) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		n   uint32
		v   T
		err error
	}
	numbers, results := make(chan uint32), make(chan result)
	tickets := make(chan struct{}, workers*(1+ahead))
	var running sync.WaitGroup
	running.Go(func() {
		defer close(numbers)
		for n := first; n < end; n++ {
			select {
			case tickets <- struct{}{}:
			case <-ctx.Done():
				return
			}
			select {
			case numbers <- n:
			case <-ctx.Done():
				return
			}
		}
	})
	for range workers {
		running.Go(func() {
			do := work()
			for n := range numbers {
				r := result{n: n}
				r.v, r.err = guarded(ctx, n, do)
				results <- r
			}
		})
	}
	go func() {
		running.Wait()
		close(results)
	}()

	waiting := map[uint32]T{}
	var failed error
	for r := range results {
		if r.err != nil && failed == nil {
			failed = r.err
			cancel()
		}
		if failed != nil {
			continue
		}
		waiting[r.n] = r.v
		for v, ok := waiting[first]; ok && failed == nil; v, ok = waiting[first] {
			delete(waiting, first)
			if failed = take(first, v); failed != nil {
				cancel()
			}
			<-tickets
			first++
		}
	}
	switch {
	case failed == errEnough:
		return nil
	case failed == nil && first < end:
		return context.Cause(ctx)
	}
	return failed
}

func guarded[T any](ctx context.Context, n uint32, do func(context.Context, uint32) (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("number %d: panic: %v", n, p)
		}
	}()
	return do(ctx, n)
}

package network

import (
	"sync"
	"sync/atomic"
)

// parallel calls f for each i in 0..n-1 from a number of goroutines, worker 0 and up, and
// returns the error of the lowest i.
func parallel(workers, n int, f func(worker, i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var all sync.WaitGroup
	for w := range min(workers, n) {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				errs[i] = f(w, i)
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

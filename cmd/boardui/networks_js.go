//go:build bare

package main

import (
	"fmt"
	"sync"
	"syscall/js"
	"time"

	"tengen/brain/eval"
)

// networkAgain is the time for which a network that could not be loaded is not asked for again.
const networkAgain = time.Minute

// A failedLoad is why there is no network, and since when.
type failedLoad struct {
	reason error
	since  time.Time
}

// The networks lie beside the page, each in a file that is loaded when it is first needed. While one
// cannot be loaded, the engine plays without it and says so.
func init() {
	var mu sync.Mutex
	failed := map[string]failedLoad{} // by file
	eval.ReadNetworksBy(func(file string) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		if m := failed[file]; m.reason != nil && time.Since(m.since) < networkAgain {
			return nil, m.reason
		}
		data, err := load(file)
		failed[file] = failedLoad{err, time.Now()}
		if err != nil && isEngine() {
			fmt.Fprintf(lineSender{js.Global()}, "%s: %v\n", noNetwork, err)
		}
		return data, err
	})
}

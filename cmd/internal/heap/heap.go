// Package heap keeps an engine within the memory that its manager allows.
package heap

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
)

const (
	outside = 6 << 20 // bytes of the process besides its heap, at least
	garbage = 10      // the value of GOGC where these do not fit, in percent
)

// limits is what Limit was called with.
type limits struct{ heap, process int64 }

var (
	setting sync.Mutex // held while limits are set
	newest  atomic.Pointer[limits]
	freeing atomic.Bool // garbage is to go back to the system
	waiting atomic.Bool // a goroutine will do both
)

// Limit makes the garbage collector keep the heap within the given bytes, where the whole process
// may have process bytes. If free is true the memory of present garbage goes back to the system, too.
// Both wait for a collection that is under way, so a goroutine of its own does them, except at the
// first call. It is for brain.Config.LimitHeap.
//
// Garbage is collected only when the limit is near: an engine makes little of it, most when a rule is
// loaded just before the first move, when time is short. Where little memory is allowed garbage is
// collected early: there the limit may be more than that, since the engine needs so much at least.
func Limit(heap, process int64, free bool) {
	first := newest.Swap(&limits{heap, process}) == nil
	if free {
		freeing.Store(true)
	}
	if first {
		set() // before there is garbage that a goroutine would be too late for
	} else if !waiting.Swap(true) {
		go set()
	}
}

// set sets the newest limits, and frees garbage if that is wanted.
func set() {
	setting.Lock()
	defer setting.Unlock()
	waiting.Store(false)
	l := newest.Load()
	debug.SetMemoryLimit(l.heap)
	if l.heap > l.process-outside {
		debug.SetGCPercent(garbage)
	} else {
		debug.SetGCPercent(-1)
	}
	if freeing.Swap(false) {
		debug.FreeOSMemory()
	}
}

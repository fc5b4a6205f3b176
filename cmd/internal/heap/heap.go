// Package heap keeps an engine within the memory that its manager allows.
package heap

import "runtime/debug"

const (
	smallHeap = 64 << 20 // bytes of a limit below which garbage counts
	garbage   = 10       // the value of GOGC then, in percent
)

// Limit makes the garbage collector keep the heap of the process within bytes. If free is true it
// returns the memory of present garbage to the system. It is for brain.Config.LimitHeap.
//
// Garbage is collected when the limit is near, and not before: an engine makes little of it, most
// when a rule is loaded just before the first move, when time is short. Where little memory is
// allowed the limit may be more than that, since the engine needs so much at least, and garbage
// must not fill the rest.
func Limit(bytes int64, free bool) {
	debug.SetMemoryLimit(bytes)
	if bytes < smallHeap {
		debug.SetGCPercent(garbage)
	} else {
		debug.SetGCPercent(-1)
	}
	if free {
		debug.FreeOSMemory()
	}
}

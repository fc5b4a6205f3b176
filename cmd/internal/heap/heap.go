// Package heap keeps an engine within the memory that its manager allows.
package heap

import "runtime/debug"

const (
	outside = 6 << 20 // bytes of the process besides its heap, at least
	garbage = 10      // the value of GOGC where these do not fit, in percent
)

// Limit makes the garbage collector keep the heap within the given bytes, where the whole process
// may have process bytes. If free is true it returns the memory of present garbage to the system,
// which takes some milliseconds. It is for brain.Config.LimitHeap.
//
// Garbage is collected only when the limit is near: an engine makes little of it, most when a rule is
// loaded just before the first move, when time is short. Where little memory is allowed garbage is
// collected early: there the limit may be more than that, since the engine needs so much at least.
func Limit(heap, process int64, free bool) {
	debug.SetMemoryLimit(heap)
	if heap > process-outside {
		debug.SetGCPercent(garbage)
	} else {
		debug.SetGCPercent(-1)
	}
	if free {
		debug.FreeOSMemory()
	}
}

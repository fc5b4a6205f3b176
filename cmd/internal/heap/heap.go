// Package heap keeps an engine within the memory that its manager allows.
package heap

import "runtime/debug"

// Limit makes the garbage collector keep the heap of the process within so many bytes. If free
// is true it gives what is garbage already back to the system. It is for brain.Config.LimitHeap.
//
// Garbage is collected when the limit is near, and not before: an engine makes little of it, most
// when a rule is loaded just before the first move, when time is short.
func Limit(bytes int64, free bool) {
	debug.SetMemoryLimit(bytes)
	debug.SetGCPercent(-1)
	if free {
		debug.FreeOSMemory()
	}
}

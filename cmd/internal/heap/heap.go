// Package heap keeps a program that is an engine within the memory that its manager allows.
package heap

import "runtime/debug"

// garbage is how far the heap may grow by garbage, in percent. The table of the search is
// most of it, and garbage may not grow to the same size.
const garbage = 10

// Limit makes the garbage collector keep the heap of the process within so many bytes, and
// gives what is garbage already back to the system. It is for brain.Config.LimitHeap.
func Limit(bytes int64) {
	debug.SetGCPercent(garbage)
	debug.SetMemoryLimit(bytes)
	debug.FreeOSMemory()
}

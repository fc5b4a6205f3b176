// Package heap keeps an engine within the memory that its manager allows.
package heap

import "runtime/debug"

// garbage is the value of GOGC, in percent. The hash table is most of the heap, and garbage
// must not grow to the same size.
const garbage = 10

// Limit makes the garbage collector keep the heap of the process within so many bytes, and
// gives what is garbage already back to the system. It is for brain.Config.LimitHeap.
func Limit(bytes int64) {
	debug.SetGCPercent(garbage)
	debug.SetMemoryLimit(bytes)
	debug.FreeOSMemory()
}

//go:build !linux

package check

// memoryForTest returns what a small engine would take.
func memoryForTest(pid int) (int64, bool) { return 1 << 20, true }

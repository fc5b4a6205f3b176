//go:build !purego

package nnue

import "testing"

// TestKernelsWithoutNEON runs what a processor without NEON runs.
func TestKernelsWithoutNEON(t *testing.T) {
	useNEON = false
	defer func() { useNEON = true }()
	TestKernels(t)
}

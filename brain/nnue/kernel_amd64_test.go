//go:build !purego

package nnue

import "testing"

// TestKernelsWithoutAVX2 runs what a processor without AVX2 runs.
func TestKernelsWithoutAVX2(t *testing.T) {
	if !useAVX2 {
		t.Skip("TestKernels has run it")
	}
	useAVX2 = false
	defer func() { useAVX2 = true }()
	TestKernels(t)
}

//go:build !purego && (amd64 || arm64)

package nnue

import "testing"

// TestKernelsWithoutAssembly runs what a processor without AVX2 runs.
func TestKernelsWithoutAssembly(t *testing.T) {
	vector := useVector
	useVector = false
	defer func() { useVector = vector }()
	TestKernels(t)
}

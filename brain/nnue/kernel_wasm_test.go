//go:build web && !purego

package nnue

import "testing"

// switches choose between the versions of the kernels, the fastest first.
var switches = []*bool{&useVector}

// The tests of the kernels are of those with vectors, too.
func TestKernelsHaveVectors(t *testing.T) {
	if !useVector {
		t.Error("there are no vectors")
	}
}

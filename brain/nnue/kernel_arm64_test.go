//go:build !purego

package nnue

// switches choose between the versions of the kernels, the fastest first.
var switches = []*bool{&useVector}

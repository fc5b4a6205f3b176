//go:build purego || (!amd64 && !arm64)

package nnue

// switches choose between the versions of the kernels.
var switches []*bool

//go:build purego || (!amd64 && !arm64 && !(wasm && web))

package nnue

// switches choose between the versions of the kernels.
var switches []*bool

//go:build !debug

package search

// selfCheck is set by the build tag debug.
const selfCheck = false

//go:build debug

package search

// selfCheck makes the search check its boards and its hash table. A difference is a panic of
// the worker, which the search survives like any other.
const selfCheck = true

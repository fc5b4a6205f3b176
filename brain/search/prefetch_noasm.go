//go:build !amd64 || purego

package search

// prefetch would bring b near; without assembly there is no way that does not wait.
func prefetch(*bucket) {}

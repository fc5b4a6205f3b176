//go:build !amd64 || purego

package search

// prefetch does nothing: a prefetch needs assembly.
func prefetch(*bucket) {}

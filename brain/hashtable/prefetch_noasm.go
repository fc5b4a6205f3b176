//go:build !amd64 || purego

package hashtable

// prefetch does nothing: a prefetch needs assembly.
func prefetch(*bucket) {}

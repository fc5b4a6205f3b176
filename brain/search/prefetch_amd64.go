//go:build !purego

package search

// prefetch asks the processor to bring b near, and does not wait for it.
//
//go:noescape
func prefetch(b *bucket)

//go:build !purego

package hashtable

// prefetch starts loading b into the cache and does not wait.
//
//go:noescape
func prefetch(b *bucket)

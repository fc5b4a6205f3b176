// Package inuse keeps values that are costly to make for as long as they are used.
package inuse

import (
	"sync"
	"weak"
)

// A Cache holds values by key: those that are used somewhere, and the one that Get returned last. The
// others are garbage. A manager that changes the rule from game to game may allow memory for the tables
// and the network of one rule only. The zero Cache is empty; it may be used concurrently.
type Cache[K comparable, V any] struct {
	mu   sync.Mutex
	of   map[K]weak.Pointer[V]
	last *V
}

// Get returns the value of key, which make makes unless it is in the cache. A nil of make is returned
// and not kept. Other calls of Get wait for make.
func (c *Cache[K, V]) Get(key K, make func() *V) *V {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := c.of[key].Value()
	if v == nil {
		if v = make(); v == nil {
			return nil
		}
		if c.of == nil {
			c.of = map[K]weak.Pointer[V]{}
		}
		c.of[key] = weak.Make(v)
	}
	c.last = v
	return v
}

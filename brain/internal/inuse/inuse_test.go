package inuse

import (
	"runtime"
	"sync"
	"testing"
)

// A value stays while it is used, and the last one without that.
func TestCache(t *testing.T) {
	var c Cache[int, [1000]int]
	made := 0
	get := func(key int) *[1000]int {
		return c.Get(key, func() *[1000]int {
			made++
			return &[1000]int{key}
		})
	}
	used := get(1)
	get(2)
	get(3)
	runtime.GC()
	if get(3); made != 3 {
		t.Errorf("the last value was made again: %d values", made)
	}
	if again := get(1); again != used || made != 3 {
		t.Errorf("a value in use was made again: %d values", made)
	}
	get(3)
	runtime.GC()
	if get(2); made != 4 {
		t.Errorf("a value that nobody used was kept: %d values", made)
	}
	if again := get(1); again != used || used[0] != 1 {
		t.Error("a value in use was made again")
	}
	if c.Get(5, func() *[1000]int { return nil }) != nil || get(5) == nil {
		t.Error("a value that could not be made was kept")
	}
}

func TestCacheConcurrently(t *testing.T) {
	var c Cache[int, int]
	var users sync.WaitGroup
	for i := range 8 {
		users.Go(func() {
			for n := range 1000 {
				key := (i + n) % 3
				if v := c.Get(key, func() *int { return &key }); *v != key {
					t.Errorf("key %d has value %d", key, *v)
				}
			}
		})
	}
	users.Wait()
}

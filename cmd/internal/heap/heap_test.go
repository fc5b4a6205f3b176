package heap

import (
	"runtime"
	"runtime/debug"
	"testing"
)

var sink []byte

// TestGarbageStaysBelowTheLimit makes much more garbage than the limits allow.
func TestGarbageStaysBelowTheLimit(t *testing.T) {
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(100)
	defer func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	}()
	for _, test := range []struct{ limit, most int64 }{
		{little / 2, little / 2}, {2 * little, 2 * little},
	} {
		Limit(test.limit, test.limit, true)
		for range 64 {
			sink = make([]byte, little/16)
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if held := int64(m.Sys - m.HeapReleased); held > test.most+8<<20 {
			t.Errorf("limit %d MiB: %d MiB held", test.limit>>20, held>>20)
		}
	}
}

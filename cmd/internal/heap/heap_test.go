package heap

import (
	"runtime"
	"runtime/debug"
	"testing"
)

var sink []byte

// limited runs f under a limit that lasts no longer.
func limited(heap, process int64, f func()) {
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(100)
	defer func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	}()
	Limit(heap, process, true)
	f()
}

// waste makes so much garbage.
func waste(bytes int) {
	const piece = 1 << 20
	for range bytes / piece {
		sink = make([]byte, piece)
	}
}

// TestGarbageStaysBelowTheLimit makes much more garbage than the limits allow.
func TestGarbageStaysBelowTheLimit(t *testing.T) {
	for _, heap := range []int64{32 << 20, 64 << 20} {
		for _, process := range []int64{heap, heap + outside} {
			limited(heap, process, func() {
				waste(int(2 * heap))
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				if held := int64(m.Sys - m.HeapReleased); held > heap+8<<20 {
					t.Errorf("limit %d MiB: %d MiB held", heap>>20, held>>20)
				}
			})
		}
	}
}

// TestGarbageThatFitsStays: collecting it takes more time than a short move has, if processors are few. It is
// collected where even the heap is more than the process may have.
func TestGarbageThatFitsStays(t *testing.T) {
	for _, test := range []struct {
		heap, process int64
		collected     bool
	}{
		{34 << 20, 40 << 20, false}, {26 << 20, 32 << 20, false}, {13 << 20, 10 << 20, true},
	} {
		limited(test.heap, test.process, func() {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			waste(6 << 20)
			runtime.ReadMemStats(&after)
			if n := after.NumGC - before.NumGC; n > 0 != test.collected {
				t.Errorf("%d MiB of %d: garbage was collected %d times", test.heap>>20, test.process>>20, n)
			}
		})
	}
}

package heap

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
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
	set() // now, not in a while
	f()
}

// waste makes so much garbage.
func waste(bytes int) {
	const piece = 1 << 20
	for range bytes / piece {
		sink = make([]byte, piece)
	}
}

// held returns the bytes that the process has from the system.
func held() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys - m.HeapReleased)
}

// TestGarbageStaysBelowTheLimit makes much more garbage than the limits allow. Where it is made faster than
// the system lets the collector run, it is collected a little later.
func TestGarbageStaysBelowTheLimit(t *testing.T) {
	for _, heap := range []int64{32 << 20, 64 << 20} {
		for _, process := range []int64{heap, heap + outside} {
			limited(heap, process, func() {
				most := heap + 8<<20
				waste(int(2 * heap))
				for end := time.Now().Add(10 * time.Second); held() > most && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
					waste(1 << 20)
				}
				if now := held(); now > most {
					t.Errorf("limit %d MiB: %d MiB held", heap>>20, now>>20)
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

// TestLimitWaitsForNothing: a limit that cannot be set yet is set later, the newest of several.
func TestLimitWaitsForNothing(t *testing.T) {
	limited(40<<20, 64<<20, func() {
		setting.Lock()
		Limit(50<<20, 64<<20, true)
		Limit(45<<20, 64<<20, false)
		if now := debug.SetMemoryLimit(-1); now != 40<<20 {
			t.Errorf("limit %d MiB before it could be set", now>>20)
		}
		setting.Unlock()
		for end := time.Now().Add(10 * time.Second); debug.SetMemoryLimit(-1) == 40<<20 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		setting.Lock()
		defer setting.Unlock()
		if now := debug.SetMemoryLimit(-1); now != 45<<20 {
			t.Errorf("limit %d MiB, want 45", now>>20)
		}
	})
}

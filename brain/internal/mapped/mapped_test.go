package mapped

import (
	"runtime"
	"testing"
	"time"
)

// Memory is zero, also where earlier memory was freed a moment ago, and holds what is written.
func TestMemory(t *testing.T) {
	for range 3 {
		for _, n := range []int{1, 1000, least/8 - 1, least / 8, 3 * least / 8} {
			m := Make[uint64](n)
			all := m.All()
			if len(all) != n {
				t.Fatalf("%d values, want %d", len(all), n)
			}
			for i := range all {
				if all[i] != 0 {
					t.Fatalf("value %d of %d is %d", i, n, all[i])
				}
				all[i] = ^uint64(i)
			}
			for i := range all {
				if all[i] != ^uint64(i) {
					t.Fatalf("value %d of %d is %d", i, n, all[i])
				}
			}
			if m.Free(); len(m.All()) != 0 {
				t.Error("there is memory after Free")
			}
			m.Free()
		}
	}
	<-Settled()
}

// Memory goes back in small pieces, each whole pages and dropped once, with a rest after each that is as
// long as it took.
func TestMemoryGoesBackInPieces(t *testing.T) {
	const most, pages = 2 << 20, 64 << 10
	for _, n := range []int{0, 1, 4096, most - 1, most, most + 1, 7*most + 8192} {
		raw := make([]byte, n)
		dropped, took := 0, time.Duration(0)
		dropAll(raw, func(piece []byte) {
			switch {
			case took > 0:
				t.Fatalf("%d bytes: no rest before byte %d", n, dropped)
			case len(piece) == 0 || len(piece) > most:
				t.Fatalf("%d bytes: a piece of %d", n, len(piece))
			case dropped%pages != 0 || dropped >= n || &piece[0] != &raw[dropped]:
				t.Fatalf("%d bytes: a piece begins elsewhere than at byte %d", n, dropped)
			}
			dropped += len(piece)
			start := time.Now()
			for took < time.Millisecond {
				took = time.Since(start)
			}
		}, func(d time.Duration) {
			if took == 0 || d < took {
				t.Fatalf("%d bytes: a rest of %v after %v", n, d, took)
			}
			took = 0
		})
		if dropped != n || took > 0 {
			t.Errorf("%d bytes: %d go back, the last rest after %v", n, dropped, took)
		}
	}
}

// What the system gives is not on the heap and is not cleared: a large memory is there at once,
// however often.
func TestMemoryIsThereAtOnce(t *testing.T) {
	if !system {
		return
	}
	const bytes = 1 << 30
	if Outside(least-1) || !Outside(bytes) {
		t.Error("the wrong sizes are outside the heap")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 5 {
		start := time.Now()
		m := Make[byte](bytes)
		for i := 0; i < bytes; i += bytes / 16 {
			m.All()[i] = 1
		}
		m.Free()
		if took := time.Since(start); took > time.Second/10 {
			t.Errorf("memory of 1 GiB takes %v", took)
		}
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > bytes/100 {
		t.Errorf("the heap had %d bytes of it", grown)
	}
	<-Settled()
}

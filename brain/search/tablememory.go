package search

import (
	"sync"
	"sync/atomic"
	"time"

	"tengen/brain/internal/hugepages"
)

// The memory of a table, in buckets. Set by hand 2026-11.
const (
	smallPart    = 4 << 20 / bucketBytes // of a new table, in small pages
	touchedNext  = 2 << 20 / bucketBytes // touched before the others know
	touchedEvery = 4096 / bucketBytes    // the least page that a system has
)

// touchedPause is before each part that is touched: a machine may have no processor to spare.
const touchedPause = 10 * time.Millisecond

// aLongMove is a limit of time from which on waiting for the memory of a table does not matter.
const aLongMove = 2 * time.Second

// short reports whether it does matter for a limit, 0 for none.
func short(limit time.Duration) bool { return limit > 0 && limit < aLongMove }

// A tableMemory is the memory of a hash table. The system gives memory only when it is first
// written to. For a small page that takes some microseconds, for a large one up to a
// millisecond, and tens of them where the system first has to make room for it: a short search
// would be late. So a table begins small for such searches, in small pages, and the rest is
// touched in the background from the first search on, 200 MB/s. Only its owner may call the
// methods, one at a time.
type tableMemory struct {
	all      []bucket
	touched  atomic.Int64 // buckets from the first on that a short search may use
	touching sync.WaitGroup
	quit     chan struct{} // ends what goes on in the background; nil if nothing has begun
}

// allocate makes it n buckets.
func (m *tableMemory) allocate(n int) {
	m.all = make([]bucket, n)
	m.touched.Store(int64(min(smallPart, n)))
	hugepages.Advise(m.all[m.count():])
}

// free makes it none.
func (m *tableMemory) free() {
	m.pause()
	m.all = nil
}

// touch has the system give memory to the next buckets.
func (m *tableMemory) touch() {
	from := m.count()
	end := min(from+touchedNext, len(m.all))
	for i := from; i < end; i += touchedEvery {
		m.all[i][0].data.CompareAndSwap(0, 0)
	}
	m.touched.Store(int64(end))
}

// count returns how many buckets from the first on a short search may use.
func (m *tableMemory) count() int { return int(m.touched.Load()) }

// touchRest has the rest touched in the background.
func (m *tableMemory) touchRest() {
	if m.quit != nil || m.count() == len(m.all) {
		return
	}
	quit := make(chan struct{})
	m.quit = quit
	m.touching.Go(func() {
		for m.count() < len(m.all) {
			select {
			case <-quit:
				return
			case <-time.After(touchedPause):
				m.touch()
			}
		}
	})
}

// touchAll has all of it touched at once, 1 or 2 s for 1 GB.
func (m *tableMemory) touchAll() {
	m.pause()
	for m.count() < len(m.all) {
		m.touch()
	}
}

// pause ends what goes on in the background, within about 1 ms, until touchRest is called again.
func (m *tableMemory) pause() {
	if m.quit != nil {
		close(m.quit)
		m.touching.Wait()
		m.quit = nil
	}
}

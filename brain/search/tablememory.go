package search

import (
	"sync"
	"sync/atomic"
	"time"

	"tengen/brain/internal/hugepages"
)

// The memory of a table, in buckets. Set by hand 2026-11.
const (
	touchedAtOnce = 4 << 20 / bucketBytes // that a short search has at least: up to 4 ms
	touchedNext   = 2 << 20 / bucketBytes // touched before the others know
	touchedEvery  = 4096 / bucketBytes    // the least page that a system has
)

// touchedPause is between two parts that are touched: a machine may have no processor to spare.
const touchedPause = 10 * time.Millisecond

// aLongMove is a limit of time beside which the memory of a table is no matter.
const aLongMove = 2 * time.Second

// A tableMemory is the memory of a hash table. The system gives memory only when it is first
// written to, which takes up to 200 ms for 256 MB: in a short search that would be too late a
// move. So a table begins small for such searches, and the rest is touched in the background
// from the first of them on, in about 2 s. Only its owner may call the methods, one at a time.
type tableMemory struct {
	all      []bucket
	touched  atomic.Int64 // buckets from the first on, at least, that have memory
	touching sync.WaitGroup
	running  bool // in the background, or ended by itself
	leave    atomic.Bool
}

// allocate makes it n buckets.
func (m *tableMemory) allocate(n int) {
	m.all = make([]bucket, n)
	hugepages.Advise(m.all)
}

// free makes it none.
func (m *tableMemory) free() {
	m.pause()
	m.all = nil
	m.touched.Store(0)
}

// touch has the system give memory to the first n buckets.
func (m *tableMemory) touch(n int) {
	for i := m.count(); i < n; i += touchedEvery {
		m.all[i][0].data.CompareAndSwap(0, 0)
	}
	m.touched.Store(max(m.touched.Load(), int64(n)))
}

// count returns how many buckets from the first on have memory.
func (m *tableMemory) count() int { return min(int(m.touched.Load()), len(m.all)) }

// begun returns the buckets that have memory, and goes on in the background until all have.
func (m *tableMemory) begun() []bucket {
	if m.running {
		return m.all[:m.count()]
	}
	m.touch(min(touchedAtOnce, len(m.all)))
	if m.count() < len(m.all) {
		m.running = true
		m.leave.Store(false)
		m.touching.Go(func() {
			for m.count() < len(m.all) && !m.leave.Load() {
				m.touch(min(m.count()+touchedNext, len(m.all)))
				time.Sleep(touchedPause)
			}
		})
	}
	return m.all[:m.count()]
}

// pause ends what goes on in the background, within about 10 ms, until begun is called again.
func (m *tableMemory) pause() {
	m.leave.Store(true)
	m.touching.Wait()
	m.running = false
}

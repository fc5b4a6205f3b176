package hashtable

import (
	"sync"
	"sync/atomic"
	"time"

	"tengen/brain/internal/mapped"
)

// The memory of a table, in buckets, multiples of chunk. Set by hand 2026-11.
const (
	smallPart    = 4 << 20 / bucketBytes  // of a new table, in small pages
	emptyAtOnce  = 16 << 20 / bucketBytes // emptied at once, the rest in the background
	nextPart     = 2 << 20 / bucketBytes  // made ready in one step
	touchedEvery = 4096 / bucketBytes     // the smallest page of any system
)

// Pauses before each part that is made ready: a machine may have no processor to spare.
const (
	touchedPause = 10 * time.Millisecond // where the system has to provide memory
	emptiedPause = time.Millisecond      // where old entries are cleared
)

// longSearch is the least limit of time with which a search may wait for the memory of a table.
const longSearch = 2 * time.Second

// A search of up to fewNodes nodes uses a small part of a table. To clear large pages for it takes longer
// than the search: 0.1 to 0.3 s for the first 200 nodes.
const fewNodes = 10_000

// A memory is the memory of a table. The system provides a page when it is first written to: a small one
// in some microseconds, a large one in up to a millisecond, or tens of them if it has to make room first. A
// short search cannot wait for that, nor until a large table is emptied. So a table begins small for short
// searches, in small pages, and a goroutine makes the rest ready: it touches new memory from the first
// search on, 200 MB/s, and clears old entries after empty, 1 GB/s. Only the owner of the memory may call
// its methods, one at a time.
type memory struct {
	source *sharedMemory
	all    []bucket
	used   []atomic.Bool // whether anything was stored in a run of chunk buckets
	ready  atomic.Int64  // buckets from the first on that a short search may use
	large  bool          // large pages were asked for

	// The goroutine in the background has these while it runs, else the owner.
	clean   int // buckets from the first on that hold nothing from before empty
	touched int // buckets from the first on that have memory

	quit chan struct{} // stops the goroutine; nil if there is none
}

// A sharedMemory is what is given back when nobody uses it any more: neither a table nor a Dump, nor the
// goroutine that makes a table ready.
type sharedMemory struct {
	source  *mapped.Memory[bucket]
	users   atomic.Int32   // tables and Dumps
	working sync.WaitGroup // for the goroutine
}

// leave ends one use of it. It does not wait for the goroutine.
func (s *sharedMemory) leave() {
	if s.users.Add(-1) == 0 {
		s.source.FreeAfter(s.working.Wait)
	}
}

// newMemory returns memory of n buckets.
func newMemory(n int) *memory {
	source := &sharedMemory{source: mapped.Make[bucket](n)}
	source.users.Store(1)
	m := &memory{source: source, all: source.source.All(), used: make([]atomic.Bool, (n+chunk-1)/chunk)}
	m.clean, m.touched = n, min(smallPart, n)
	m.ready.Store(int64(m.touched))
	return m
}

// askLarge asks for large pages, once. Memory in use gets them over time.
func (m *memory) askLarge() {
	if !m.large {
		m.large = true
		mapped.Advise(m.all[min(smallPart, len(m.all)):])
	}
}

// free gives the memory back to the system, in the background and when nobody else uses it. The memory is
// not used afterwards.
func (m *memory) free() {
	m.stop()
	m.source.leave()
}

// isShared reports whether a Dump reads it, so that it must not be emptied.
func (m *memory) isShared() bool { return m.source.users.Load() > 1 }

// count returns how many buckets from the first on a short search may use.
func (m *memory) count() int { return int(m.ready.Load()) }

// wipe empties the buckets from and up to numbers that are multiples of chunk, or all. Memory that
// was never stored to is left alone, since the system may not have given it yet.
func (m *memory) wipe(from, end int) {
	for i := from / chunk; i*chunk < end; i++ {
		if m.used[i].Load() {
			clear(m.all[i*chunk : min((i+1)*chunk, len(m.all))])
			m.used[i].Store(false)
		}
	}
}

// empty empties the memory, a large one in the background. It returns within some milliseconds, and short
// searches may use the part that is empty by then.
func (m *memory) empty() {
	m.pause()
	n := min(emptyAtOnce, len(m.all))
	m.wipe(0, n)
	for i := n / chunk; i < len(m.used); i++ {
		if m.used[i].Load() {
			m.clean = n
			m.ready.Store(int64(min(m.count(), n)))
			m.readyRest()
			return
		}
	}
	m.clean = len(m.all)
}

// advance makes the next buckets ready.
func (m *memory) advance() {
	from := m.count()
	end := min(from+nextPart, len(m.all))
	if end > m.clean {
		m.wipe(m.clean, end)
		m.clean = end
	}
	for i := max(from, m.touched); i < end; i += touchedEvery {
		m.all[i][0].data.CompareAndSwap(0, 0) // has the system give the page
	}
	m.touched = max(m.touched, end)
	m.ready.Store(int64(end))
}

// readyRest starts a goroutine that makes the rest ready, after the system has taken back what was freed.
func (m *memory) readyRest() {
	if m.quit != nil || m.count() == len(m.all) {
		return
	}
	quit := make(chan struct{})
	m.quit = quit
	m.source.working.Go(func() {
		select {
		case <-quit:
			return
		case <-mapped.Settled():
		}
		for m.count() < len(m.all) {
			pause := touchedPause
			if m.count()+nextPart <= m.touched {
				pause = emptiedPause
			}
			select {
			case <-quit:
				return
			case <-time.After(pause):
				m.advance()
			}
		}
	})
}

// readyAll makes all of it ready at once, 1 or 2 s for 1 GB, unless enough returns true before.
func (m *memory) readyAll(enough func() bool) {
	m.pause()
	for m.count() < len(m.all) && !enough() {
		m.advance()
	}
}

// emptied empties the rest and returns all buckets, within about 0.1 s for 1 GB in use. If enough, which
// may be nil, returns true before that, it returns those that are empty.
func (m *memory) emptied(enough func() bool) []bucket {
	m.pause()
	for m.clean < len(m.all) && (enough == nil || !enough()) {
		end := min(m.clean+nextPart, len(m.all))
		m.wipe(m.clean, end)
		m.clean = end
	}
	return m.all[:m.clean]
}

// pause stops the goroutine in the background and waits for its end: for about 1 ms, or some more where the
// system takes long to find a page. readyRest starts it again.
func (m *memory) pause() {
	m.stop()
	m.source.working.Wait()
}

// stop has the goroutine in the background end soon.
func (m *memory) stop() {
	if m.quit != nil {
		close(m.quit)
		m.quit = nil
	}
}

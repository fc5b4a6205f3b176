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
	emptyAtOnce  = 16 << 20 / bucketBytes // emptied before others are in the background
	nextPart     = 2 << 20 / bucketBytes  // made ready before the others know
	touchedEvery = 4096 / bucketBytes     // the least page that a system has
)

// Pauses before each part that is made ready: a machine may have no processor to spare.
const (
	touchedPause = 10 * time.Millisecond // where the system has to give memory
	emptiedPause = time.Millisecond      // where old entries are to go
)

// longSearch is a limit of time from which on waiting for the memory of a table does not matter.
const longSearch = 2 * time.Second

// fewNodes is a number of nodes up to which a search uses so little of a table that clearing large pages
// for it takes longer than all else: 0.1 to 0.3 s for the first 200 nodes.
const fewNodes = 10_000

// A memory is that of a table. The system gives memory only when it is first
// written to. For a small page that takes some microseconds, for a large one up to a
// millisecond, and tens of them where the system first has to make room for it: a short search
// would be late, as it would if it had to wait until a large table is emptied. So a table begins
// small for such searches, in small pages, and the rest is made ready in the background: touched
// from the first search on, 200 MB/s, and emptied after empty, 1 GB/s. Only its owner may call
// the methods, one at a time.
type memory struct {
	source *shared
	all    []bucket
	used   []atomic.Bool // whether anything was stored in a run of chunk buckets
	ready  atomic.Int64  // buckets from the first on that a short search may use
	large  bool          // large pages were asked for

	// Of what goes on in the background, and while nothing does of the owner.
	clean   int // buckets from the first on that hold nothing of before empty
	touched int // buckets from the first on that have memory

	working sync.WaitGroup
	quit    chan struct{} // ends what goes on in the background; nil if nothing has begun
}

// A shared is what is given back when nobody uses it any more: neither a table nor a Dump.
type shared struct {
	source *mapped.Memory[bucket]
	users  atomic.Int32
}

// leave ends one use of it.
func (s *shared) leave() {
	if s.users.Add(-1) == 0 {
		s.source.Free()
	}
}

// allocate makes it n buckets.
func (m *memory) allocate(n int) {
	m.source = &shared{source: mapped.Make[bucket](n)}
	m.source.users.Store(1)
	m.all = m.source.source.All()
	m.used = make([]atomic.Bool, (n+chunk-1)/chunk)
	m.clean, m.touched = n, min(smallPart, n)
	m.ready.Store(int64(m.touched))
	m.large = false
}

// askLarge asks for large pages, once. Memory that has been used already gets them from the system by and
// by.
func (m *memory) askLarge() {
	if !m.large {
		m.large = true
		mapped.Advise(m.all[min(smallPart, len(m.all)):])
	}
}

// free makes it none. It takes no time: the system gets the memory back in the background, when nobody
// else uses it.
func (m *memory) free() {
	m.pause()
	if m.source != nil {
		m.source.leave()
	}
	m.source, m.all, m.used = nil, nil, nil
}

// isShared reports whether a Dump reads it, so that it must not be emptied.
func (m *memory) isShared() bool { return m.source != nil && m.source.users.Load() > 1 }

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

// empty empties it, a large one in the background: within some milliseconds short searches may use
// a part.
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

// readyRest has the rest made ready in the background, when the system has back what was freed.
func (m *memory) readyRest() {
	if m.quit != nil || m.count() == len(m.all) {
		return
	}
	quit := make(chan struct{})
	m.quit = quit
	m.working.Go(func() {
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

// emptied returns the buckets that hold nothing of before empty: all, about 0.1 s for 1 GB in use,
// or those that are emptied by the time that enough, if not nil, returns true.
func (m *memory) emptied(enough func() bool) []bucket {
	m.pause()
	for m.clean < len(m.all) && (enough == nil || !enough()) {
		end := min(m.clean+nextPart, len(m.all))
		m.wipe(m.clean, end)
		m.clean = end
	}
	return m.all[:m.clean]
}

// pause ends what goes on in the background, within about 1 ms, until readyRest is called again.
func (m *memory) pause() {
	if m.quit != nil {
		close(m.quit)
		m.working.Wait()
		m.quit = nil
	}
}

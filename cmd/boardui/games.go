package main

import (
	"sync"
	"time"
)

// What one page may ask for, and how many pages there may be.
const (
	maxGames  = 512              // pages that play at a time
	idleAfter = 30 * time.Minute // a page that was silent for so long is forgotten; it keeps its game
	rate      = 20.0             // requests a second and game
	burst     = 60.0             // requests at once and game
)

// games knows the pages that play. It holds no game, only who asks how often and what
// runs for whom, so that forgetting an entry loses nothing.
type games struct {
	max int
	now func() time.Time

	mu   sync.Mutex
	list map[string]*seat
}

// A seat is one page.
type seat struct {
	seen   time.Time
	tokens float64 // requests it may make at once
	job    *job    // that runs for it, nil if none
}

// A job is a search that runs for a page.
type job struct {
	cancel func()        // ends it without an answer
	hurry  chan struct{} // closed to have the answer now
	once   sync.Once
}

func newGames(n int, now func() time.Time) *games {
	return &games{max: n, now: now, list: map[string]*seat{}}
}

// Faults that a page gets when there is too much of something.
var (
	tooOften = &fault{429, "rate", "too many requests in a short time"}
	tooMany  = &fault{503, "games", "too many games are being played here"}
	tooLong  = &fault{503, "queue", "too many games wait for an engine"}
)

// enter counts a request of the page named id.
func (g *games) enter(id string) *fault {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.enterLocked(id)
}

func (g *games) enterLocked(id string) *fault {
	if len(id) < 8 || len(id) > 40 {
		return bad("game", "a game is named by 8 to 40 characters")
	}
	now := g.now()
	s := g.list[id]
	if s == nil {
		if len(g.list) >= g.max {
			g.sweepLocked(now)
		}
		if len(g.list) >= g.max {
			return tooMany
		}
		s = &seat{tokens: burst}
		g.list[id] = s
	} else {
		s.tokens = min(s.tokens+rate*now.Sub(s.seen).Seconds(), burst)
	}
	s.seen = now
	if s.tokens < 1 {
		return tooOften
	}
	s.tokens--
	return nil
}

// begin counts a request that makes an engine think, in place of whatever runs for the
// same page. The job ends with end.
func (g *games) begin(id string, cancel func()) (*job, *fault) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if f := g.enterLocked(id); f != nil {
		return nil, f
	}
	s := g.list[id]
	if s.job != nil {
		s.job.cancel()
	}
	s.job = &job{cancel: cancel, hurry: make(chan struct{})}
	return s.job, nil
}

// end notes that j is over.
func (g *games) end(id string, j *job) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s := g.list[id]; s != nil {
		s.seen = g.now()
		if s.job == j {
			s.job = nil
		}
	}
}

// hurry asks for the answer of what runs for the page now.
func (g *games) hurry(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s := g.list[id]; s != nil && s.job != nil {
		s.job.once.Do(func() { close(s.job.hurry) })
	}
}

// sweep forgets pages that were silent for long.
func (g *games) sweep() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sweepLocked(g.now())
}

func (g *games) sweepLocked(now time.Time) {
	for id, s := range g.list {
		if s.job == nil && now.Sub(s.seen) >= idleAfter {
			delete(g.list, id)
		}
	}
}

// count returns the number of pages known.
func (g *games) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.list)
}

package main

import (
	"sync"
	"time"
)

// Limits of pages and their requests.
const (
	maxGames  = 512              // pages that play at a time
	idleAfter = 30 * time.Minute // without a request, after which a page is forgotten; it keeps its game
	rate      = 20.0             // requests a second of a page
	burst     = 60.0             // requests at once of a page
)

// games are the pages that play. The games themselves live in the pages: here are only the
// rates of requests and the searches that run, so that removing an entry loses nothing.
type games struct {
	max int
	now func() time.Time

	mu   sync.Mutex
	list map[string]*visitor
}

// A visitor is one page.
type visitor struct {
	seen   time.Time
	tokens float64 // requests it may make now
	job    *job    // the search that runs for it, or nil
}

// A job is a running search.
type job struct {
	turn   int64         // of its request: see turnHeader
	cancel func()        // ends it without an answer
	hurry  chan struct{} // closed to get the answer now
	once   sync.Once
}

func newGames(n int, now func() time.Time) *games {
	return &games{max: n, now: now, list: map[string]*visitor{}}
}

// Faults by limits.
var (
	tooOften = &fault{429, "rate", "too many requests in a short time"}
	tooMany  = &fault{503, "games", "too many games on this server"}
	tooLong  = &fault{503, "queue", "too many games are waiting for an engine"}
	tooLate  = &fault{409, "late", "the page has asked for something else since"}
)

// enter counts a request of page id.
func (g *games) enter(id string) *fault {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.enterLocked(id)
}

func (g *games) enterLocked(id string) *fault {
	if len(id) < 8 || len(id) > 40 {
		return bad("game", "the id of a game has 8 to 40 characters")
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
		s = &visitor{tokens: burst}
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

// begin counts a request for a search and cancels the search that runs for the same page, if
// any, unless its turn is a later one. The job ends with end.
func (g *games) begin(id string, turn int64, cancel func()) (*job, *fault) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if f := g.enterLocked(id); f != nil {
		return nil, f
	}
	s := g.list[id]
	if s.job != nil {
		if turn < s.job.turn {
			return nil, tooLate
		}
		s.job.cancel()
	}
	s.job = &job{turn: turn, cancel: cancel, hurry: make(chan struct{})}
	return s.job, nil
}

// end removes j.
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

// hurry ends the search that runs for a page with its answer.
func (g *games) hurry(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s := g.list[id]; s != nil && s.job != nil {
		s.job.once.Do(func() { close(s.job.hurry) })
	}
}

// sweep removes pages without recent requests.
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

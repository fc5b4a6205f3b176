package main

import (
	"context"
	"slices"
	"time"
)

// A rank says who gets threads first: lower ranks go before higher ones.
type rank int

const (
	forMove     rank = iota // a user waits for the engine's move
	forAnalysis             // a user looks at the lines; runs until stopped
	forReview               // work in the background, in short searches
)

// timeSlice is how long an analysis runs before it makes way for another one that waits.
const timeSlice = 8 * time.Second

// A lease is a number of search threads lent to one request.
type lease struct {
	rank    rank
	threads int
	since   time.Time
	yield   chan struct{} // closed when a request that goes before it waits
	pressed bool          // yield is closed
	firm    bool          // it runs to its end and is not asked to make way
}

// A waiter waits for a lease.
type waiter struct {
	lease
	granted chan struct{}
	moved   chan struct{} // receives when fewer are before it
}

// enter takes threads, at most what one search may have, or waits for them in the queue. While it waits,
// ahead is called with the number of requests before it, and with -1 at the end; it may block.
// Errors: tooLong, that of ctx.
func (p *pool) enter(ctx context.Context, r rank, threads int, ahead func(n int)) (*lease, error) {
	me := &waiter{
		lease:   lease{rank: r, threads: min(max(threads, 1), p.most), yield: make(chan struct{})},
		granted: make(chan struct{}), moved: make(chan struct{}, 1),
	}
	p.mu.Lock()
	if len(p.waiting) >= maxWaiting {
		p.mu.Unlock()
		return nil, tooLong
	}
	at := len(p.waiting)
	for at > 0 && p.waiting[at-1].rank > r {
		at--
	}
	p.waiting = slices.Insert(p.waiting, at, me)
	p.admit()
	n := slices.Index(p.waiting, me)
	p.mu.Unlock()
	for n >= 0 {
		ahead(n)
		select {
		case <-me.granted:
			n = -1
			ahead(n)
		case <-me.moved:
			n = max(p.before(me), 0)
		case <-ctx.Done():
			if !p.dequeue(me) {
				p.leave(&me.lease, nil) // it has been granted meanwhile
			}
			return nil, ctx.Err()
		}
	}
	return &me.lease, nil
}

// admit grants threads to those at the head of the queue while there are enough, and asks
// leases of a higher rank to make way for the next. The lock must be held.
func (p *pool) admit() {
	for len(p.waiting) > 0 && p.lent+p.waiting[0].threads <= p.max {
		next := p.waiting[0]
		p.waiting = p.waiting[1:]
		next.since = time.Now()
		p.lent += next.threads
		p.leases = append(p.leases, &next.lease)
		close(next.granted)
	}
	for _, w := range p.waiting {
		select {
		case w.moved <- struct{}{}:
		default:
		}
	}
	if len(p.waiting) == 0 {
		return
	}
	next := p.waiting[0]
	missing := p.lent + next.threads - p.max
	for _, l := range p.leases {
		if l.pressed && !l.firm {
			missing -= l.threads
		}
	}
	for i := len(p.leases) - 1; i >= 0 && missing > 0; i-- {
		l := p.leases[i]
		overdue := l.rank == next.rank && l.rank == forAnalysis && time.Since(l.since) >= timeSlice
		if !l.pressed && !l.firm && (l.rank > next.rank || overdue) {
			l.pressed = true
			close(l.yield)
			missing -= l.threads
		}
	}
}

// hold makes l firm, for long work that cannot be interrupted: others make way in its place.
func (p *pool) hold(l *lease) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.firm = true
	p.admit()
}

// share lets analyses that have run for long make way for others that wait.
func (p *pool) share() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.admit()
}

// before returns the number of waiters before me, -1 if me does not wait any more.
func (p *pool) before(me *waiter) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Index(p.waiting, me)
}

// dequeue removes me from the queue. It returns false if me was not in it any more.
func (p *pool) dequeue(me *waiter) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.Index(p.waiting, me)
	if at < 0 {
		return false
	}
	p.waiting = slices.Delete(p.waiting, at, at+1)
	p.admit()
	return true
}

// leave returns the threads of l, and w, if not nil, to be used again.
func (p *pool) leave(l *lease, w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w != nil {
		w.used = time.Now()
		p.idle = append(p.idle, w)
	}
	at := slices.Index(p.leases, l)
	if at < 0 {
		panic("boardui: threads are returned twice")
	}
	p.leases = slices.Delete(p.leases, at, at+1)
	p.lent -= l.threads
	p.admit()
}

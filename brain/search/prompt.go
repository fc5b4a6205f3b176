package search

import (
	"context"
	"sync"
	"time"

	"tengen/brain/board"
	"tengen/brain/internal/failure"
)

// promptWait is how long SearchPromptly waits for a search that was canceled to end.
// Where the system runs a thread for each worker at once that takes less than a millisecond.
const promptWait = 2 * time.Millisecond

// A promptness is what SearchPromptly and the search that it has started share.
type promptness struct {
	on    bool          // the running search publishes its results
	ended chan struct{} // closed at the end of the search; nil before the first one

	mu   sync.Mutex // guards the fields below
	left bool       // SearchPromptly has returned: no more reports
	best *Result    // published last
}

// SearchPromptly is Search for those who cannot wait. On a machine with more to do than it has
// processors a search may go on for some milliseconds after the end of ctx. SearchPromptly then
// returns the best move published so far and leaves the search behind; all methods of the pool
// wait for its end. Its failures are in the next result.
func (p *Pool) SearchPromptly(ctx context.Context, b *board.Board, l Limits, report func(Info)) Result {
	late := p.takeLate()
	p.prompt = promptness{on: true, ended: make(chan struct{})}
	done := make(chan Result, 1)
	go p.search(ctx, b, l, report, done)
	result, ok := p.prompt.wait(ctx, done)
	if !ok {
		result = <-done
	}
	result.Failures = append(late, result.Failures...)
	return result
}

// wait returns the result of a search, or after the end of ctx what it has published. ok is false
// if it has published nothing.
func (q *promptness) wait(ctx context.Context, done <-chan Result) (_ Result, ok bool) {
	select {
	case result := <-done:
		return result, true
	case <-ctx.Done():
	}
	timer := time.NewTimer(promptWait)
	defer timer.Stop()
	select {
	case result := <-done:
		return result, true
	case <-timer.C:
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.best == nil {
		return Result{}, false
	}
	q.left = true
	return *q.best, true
}

// wait waits for the end of a search that SearchPromptly has left behind.
func (p *Pool) wait() {
	if p.prompt.ended != nil {
		<-p.prompt.ended
		p.prompt.on, p.prompt.ended = false, nil
		if p.prompt.left {
			p.late, p.prompt.left = append(p.late, p.failures...), false
		}
	}
}

// takeLate waits for such a search and returns the failures that are in no result yet.
func (p *Pool) takeLate() []failure.Report {
	p.wait()
	late := p.late
	p.late = nil
	return late
}

// publish makes info the result of SearchPromptly, and calls report unless that is nil. It does nothing
// once SearchPromptly has returned.
func (p *Pool) publish(info Info, report func()) {
	q := &p.prompt
	if !q.on {
		if report != nil {
			report()
		}
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.left {
		return
	}
	if report != nil {
		report()
	}
	q.best = &Result{Move: info.PV[0], Info: info}
}

// watched returns a function that calls watch unless SearchPromptly has returned; nil for nil.
func (p *Pool) watched(watch func(RootEvent)) func(RootEvent) {
	if watch == nil || !p.prompt.on {
		return watch
	}
	return func(e RootEvent) {
		p.prompt.mu.Lock()
		defer p.prompt.mu.Unlock()
		if !p.prompt.left {
			watch(e)
		}
	}
}

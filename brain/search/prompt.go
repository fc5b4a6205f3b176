package search

import (
	"context"
	"sync"
	"time"

	"tengen/brain/board"
)

// promptWait is how long SearchPromptly waits for a search that was canceled to end.
// Where the system runs a thread for each worker at once that takes less than a millisecond.
const promptWait = 2 * time.Millisecond

// A promptness is what SearchPromptly and the search that it has started share.
type promptness struct {
	on     bool          // the running search publishes
	ending chan struct{} // closed at its end; nil before the first one

	mu   sync.Mutex // guards the fields below
	left bool       // SearchPromptly has returned: nobody wants reports any more
	best *Result    // published last
}

// SearchPromptly is Search for those who cannot wait: if the search goes on for a few
// milliseconds after the end of ctx, as it does on a machine that has more to do than it has
// processors, it returns the best move that has been published and leaves the search to its
// end, which all methods of the pool wait for. Failures then are in the next result.
func (p *Pool) SearchPromptly(ctx context.Context, b *board.Board, l Limits, report func(Info)) Result {
	late := p.takeLate()
	p.prompt = promptness{on: true, ending: make(chan struct{})}
	done := make(chan Result, 1)
	ending := p.prompt.ending
	go func() {
		defer close(ending)
		done <- p.search(ctx, b, l, report)
	}()
	result, ok := p.prompt.wait(ctx, done)
	if !ok {
		result = <-done
	}
	result.Failures = append(late, result.Failures...)
	return result
}

// wait returns the result of a search, or after the end of ctx what it has published. If that
// is nothing ok is false.
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

// wait waits for the end of a search that SearchPromptly has left.
func (p *Pool) wait() {
	if p.prompt.ending != nil {
		<-p.prompt.ending
		p.prompt.on, p.prompt.ending = false, nil
		if p.prompt.left {
			p.late, p.prompt.left = append(p.late, p.failures...), false
		}
	}
}

// takeLate waits for such a search and returns the failures that nobody has been told of.
func (p *Pool) takeLate() []Failure {
	p.wait()
	late := p.late
	p.late = nil
	return late
}

// publish makes info the answer for SearchPromptly and calls report, if somebody listens.
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

// watched returns watch such that it is called only while somebody listens.
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

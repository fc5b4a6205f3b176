//go:build !js

package main

import (
	"context"
	"testing"
	"time"
)

// enterAsync enters the queue of p in the background.
func enterAsync(t *testing.T, p *pool, r rank, threads int) chan *lease {
	t.Helper()
	granted := make(chan *lease, 1)
	before := waiting(p)
	go func() {
		if l, err := p.enter(context.Background(), r, threads, func(int) {}); err == nil {
			granted <- l
		}
	}()
	for end := time.Now().Add(5 * time.Second); waiting(p) == before && len(granted) == 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	return granted
}

func waiting(p *pool) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.waiting)
}

func receive(t *testing.T, granted chan *lease) *lease {
	t.Helper()
	select {
	case l := <-granted:
		return l
	case <-time.After(5 * time.Second):
		t.Fatal("no threads are granted")
		return nil
	}
}

func pressed(l *lease) bool {
	select {
	case <-l.yield:
		return true
	default:
		return false
	}
}

func TestMovesGoBeforeAnalysis(t *testing.T) {
	p := newPool([]spec{stub("meek")}, 4, 1<<20)
	first := receive(t, enterAsync(t, p, forAnalysis, 2))
	second := receive(t, enterAsync(t, p, forAnalysis, 2))
	review := enterAsync(t, p, forReview, 1)
	third := enterAsync(t, p, forAnalysis, 2)
	if pressed(first) || pressed(second) {
		t.Error("an analysis makes way for another at once, and for a review")
	}
	move := enterAsync(t, p, forMove, 1)
	if pressed(first) || !pressed(second) {
		t.Errorf("a move waits: the older analysis is interrupted: %v, the newer: %v, want the newer alone", pressed(first), pressed(second))
	}
	p.leave(second, nil)
	m := receive(t, move)
	if len(third) > 0 || len(review) > 0 {
		t.Error("one thread is free, and an analysis that wants two, or a review behind it, is let in")
	}
	p.leave(m, nil)
	l := receive(t, third)
	p.leave(l, nil)
	p.leave(receive(t, review), nil)
	p.leave(first, nil)
	if p.lent != 0 || len(p.leases) != 0 {
		t.Errorf("%d threads are lent at the end", p.lent)
	}
}

func TestAnalysesShareThreads(t *testing.T) {
	p := newPool([]spec{stub("meek")}, 2, 1<<20)
	first := receive(t, enterAsync(t, p, forAnalysis, 9)) // as many as there are
	if first.threads != 2 {
		t.Errorf("%d threads of 2 are lent", first.threads)
	}
	second := enterAsync(t, p, forAnalysis, 1)
	p.share()
	if pressed(first) {
		t.Error("an analysis makes way before its time")
	}
	p.mu.Lock()
	first.since = first.since.Add(-timeSlice)
	p.mu.Unlock()
	p.share()
	if !pressed(first) {
		t.Error("an analysis that has run for long does not make way for another")
	}
	p.leave(first, nil)
	p.leave(receive(t, second), nil)
}

package search

import (
	"context"
	"sync"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

const ms = time.Millisecond

// TestStallsAreNoticed: a clock that jumps during a search is a stall, which later searches
// forget; a very long one counts as a second.
func TestStallsAreNoticed(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	p := newTestPool(1, 1<<20)
	now, calls, jump := time.Unix(0, 0), 0, time.Duration(0)
	for _, w := range p.workers {
		w.limits.now = func() time.Time {
			if calls++; calls == 5 {
				now = now.Add(jump)
			}
			now = now.Add(100 * time.Microsecond)
			return now
		}
	}
	p.now = p.workers[0].limits.now
	search := func(d time.Duration) time.Duration {
		calls, jump = 0, d
		p.Search(context.Background(), b, Limits{Soft: 10 * time.Second, Hard: 10 * time.Second, Nodes: 4000}, nil)
		return p.Stall()
	}
	for i, step := range []struct{ jump, from, to time.Duration }{
		{0, 0, 2 * ms}, {40 * ms, 40 * ms, 42 * ms}, {0, 35 * ms, 37 * ms}, {0, 30 * ms, 33 * ms}, {600 * ms, 600 * ms, 602 * ms}, {time.Minute, time.Second, time.Second},
	} {
		if got := search(step.jump); got < step.from || got > step.to {
			t.Errorf("search %d: a stall of %v, want %v to %v", i, got, step.from, step.to)
		}
	}
	before := p.Stall()
	p.Search(context.Background(), b, Limits{Nodes: 4000}, nil)
	if got := p.Stall(); got != before {
		t.Errorf("a search without a limit of time makes a stall of %v of one of %v", got, before)
	}
}

// A search waits for all workers, so that one that the system keeps from ending is a stall too.
func TestStallAtTheEnd(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	for late := range 2 {
		p := newTestPool(2, 1<<20)
		begun := make(chan struct{}) // the second worker has looked at its clock
		begin := sync.OnceFunc(func() { close(begun) })
		for i, w := range p.workers {
			now := time.Unix(0, 0)
			w.limits.now = func() time.Time {
				if i == 1 {
					begin()
				}
				<-begun
				if i == late && (w.nodes >= w.limits.nodes || p.stop.Load()) {
					return now.Add(40 * ms)
				}
				now = now.Add(100 * time.Microsecond)
				return now
			}
		}
		p.Search(context.Background(), b, Limits{Soft: time.Hour, Hard: time.Hour, Nodes: 8000}, nil)
		if s := p.Stall(); s < 40*ms || s > 41*ms {
			t.Errorf("a stall of %v where worker %d ends late, want 40 ms", s, late+1)
		}
	}
}

// A stall that another search has seen counts like one of the pool's.
func TestStallOfAnotherSearch(t *testing.T) {
	p := newTestPool(1, 1<<20)
	for _, step := range []struct{ stall, want time.Duration }{{40 * ms, 40 * ms}, {8 * ms, 35 * ms}, {time.Hour, time.Second}} {
		if p.NoteStall(step.stall); p.Stall() != step.want {
			t.Errorf("a stall of %v after one of %v, want %v", p.Stall(), step.stall, step.want)
		}
	}
}

// What the solver takes is no stall: one would shorten the next moves.
func TestSolverIsNoStall(t *testing.T) {
	tt := deepWins[0]
	b := boardtest.After(t, tt.rule, 15, tt.moves)
	p := newSolverPool(1)
	now, jumps := time.Unix(0, 0), 0
	p.now = func() time.Time {
		now = now.Add(100 * time.Microsecond)
		return now
	}
	w := p.workers[0]
	w.mustStop = func() bool {
		now = now.Add(40 * ms)
		jumps++
		return w.overdue()
	}
	w.limits.now = p.now
	p.Search(context.Background(), b, Limits{Soft: time.Hour, Hard: time.Hour, Nodes: tt.nodes}, nil)
	if jumps == 0 {
		t.Error("the solver has not looked at the clock")
	}
	if s := p.Stall(); s > 2*ms {
		t.Errorf("a stall of %v", s)
	}
}

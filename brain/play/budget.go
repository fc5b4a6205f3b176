package play

import (
	"context"
	"time"

	"tengen/brain/search"
)

// A Budget limits the searches for one answer: their nodes and their time together, and the depth and
// the restrictions of each.
type Budget struct {
	Context context.Context
	Limits  search.Limits // nodes and time are for all searches together

	workers int // of each search
	begun   time.Time
	spent   int64 // nodes
}

// NewBudget returns an unspent budget, whose time begins now, for searches by the given number of
// workers.
func NewBudget(ctx context.Context, l search.Limits, workers int) Budget {
	return Budget{Context: ctx, Limits: l, workers: max(workers, 1), begun: time.Now()}
}

// Spend subtracts the nodes of a search. The time runs by itself.
func (b *Budget) Spend(nodes int64) { b.spent += nodes }

// Spent returns the nodes and the time that have been spent.
func (b *Budget) Spent() (nodes int64, elapsed time.Duration) { return b.spent, time.Since(b.begun) }

// ForEach returns the nodes of a search that has n for each worker.
func (b *Budget) ForEach(n int64) int64 { return n * int64(b.workers) }

// Over reports whether a limit is reached or the context has ended.
func (b *Budget) Over() bool {
	return b.Context.Err() != nil || b.Limits.Soft > 0 && time.Since(b.begun) >= b.Limits.Soft ||
		b.Limits.Nodes > 0 && b.spent >= b.Limits.Nodes
}

// leastTime is the time of a search when none is left, so that it still finds a move.
const leastTime = time.Millisecond

// Left returns the limits of a search that takes all that is left, at least a node and a millisecond.
func (b *Budget) Left() search.Limits {
	l := b.Limits
	if l.Nodes > 0 {
		l.Nodes = max(l.Nodes-b.spent, 1)
	}
	if l.Hard > 0 {
		used := time.Since(b.begun)
		l.Soft, l.Hard = max(l.Soft-used, leastTime), max(l.Hard-used, leastTime)
	}
	return l
}

// Share returns the limits of a search that takes 1/n of the whole, or what is left if that is less.
func (b *Budget) Share(n int) search.Limits {
	l := b.Left()
	if l.Nodes > 0 {
		l.Nodes = min(l.Nodes, max(b.Limits.Nodes/int64(n), 1))
	}
	if l.Hard > 0 {
		l.Hard = max(min(l.Hard, b.Limits.Soft/time.Duration(n)), leastTime)
		l.Soft = l.Hard
	}
	return l
}

package brain

import (
	"context"
	"time"

	"tengen/brain/search"
)

// A budget holds the limits of one answer for which several searches are made, and what has been
// spent.
type budget struct {
	ctx    context.Context
	limits search.Limits
	begun  time.Time
	spent  int64 // nodes
}

// budget returns the budget of an answer that was asked for at start, of which nothing is spent.
// The searches are under the restrictions r; style and reach are for those of moves of the game.
func (e *Engine) budget(ctx context.Context, o Options, start time.Time, r *search.Restrictions) budget {
	l := e.limits(o, time.Since(start))
	return budget{
		ctx: ctx, begun: time.Now(),
		limits: search.Limits{Soft: l.Soft, Hard: l.Hard, Nodes: l.Nodes, Depth: l.Depth, Restrict: r},
	}
}

// limited reports whether the nodes or the time are limited.
func (b *budget) limited() bool { return b.limits.Nodes > 0 || b.limits.Hard > 0 }

// over reports whether a limit is reached or the context has ended.
func (b *budget) over() bool {
	return b.ctx.Err() != nil || b.limits.Soft > 0 && time.Since(b.begun) >= b.limits.Soft ||
		b.limits.Nodes > 0 && b.spent >= b.limits.Nodes
}

// leastTime is what a search gets when no time is left, so that it still has a move.
const leastTime = time.Millisecond

// left returns the limits of a search that takes all that is left, or next to nothing if that is
// nothing.
func (b *budget) left() search.Limits {
	l := b.limits
	if l.Nodes > 0 {
		l.Nodes = max(l.Nodes-b.spent, 1)
	}
	if l.Hard > 0 {
		used := time.Since(b.begun)
		l.Soft, l.Hard = max(l.Soft-used, leastTime), max(l.Hard-used, leastTime)
	}
	return l
}

// share returns the limits of a search that takes 1/n of the whole, but no more than is left.
func (b *budget) share(n int) search.Limits {
	l := b.left()
	if l.Nodes > 0 {
		l.Nodes = min(l.Nodes, max(b.limits.Nodes/int64(n), 1))
	}
	if l.Hard > 0 {
		l.Hard = max(min(l.Hard, b.limits.Soft/time.Duration(n)), leastTime)
		l.Soft = l.Hard
	}
	return l
}

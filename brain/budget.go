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

// limited reports whether the nodes or the time are limited.
func (b *budget) limited() bool { return b.limits.Nodes > 0 || b.limits.Hard > 0 }

// over reports whether a limit is reached or the context has ended.
func (b *budget) over() bool {
	return b.ctx.Err() != nil || b.limits.Soft > 0 && time.Since(b.begun) >= b.limits.Soft ||
		b.limits.Nodes > 0 && b.spent >= b.limits.Nodes
}

// part returns the limits of a search that takes the part n/of of what is left. It reports
// whether anything is left; if not, the search ends at once.
func (b *budget) part(n, of int) (l search.Limits, ok bool) {
	l = b.limits
	if l.Nodes > 0 {
		left, of := l.Nodes-b.spent, int64(of)
		l.Nodes = max(left/of*int64(n)+left%of*int64(n)/of, 1) // as left*n/of, which may be too large
	}
	if l.Hard > 0 {
		used := time.Since(b.begun)
		share := func(limit time.Duration) time.Duration {
			return max((limit-used)*time.Duration(n)/time.Duration(of), 1)
		}
		l.Soft, l.Hard = share(l.Soft), share(l.Hard)
	}
	return l, !b.over()
}

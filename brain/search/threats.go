package search

import (
	"context"

	"tengen/brain/board"
	"tengen/brain/internal/eventloop"
	"tengen/brain/internal/failure"
	"tengen/brain/score"
	"tengen/brain/threat"
)

// WinByThreats looks for a win of the side to move by continuous threats, with the solver
// alone, until ctx ends, l.Hard has passed or l.Nodes are used; other limits do not count.
// If it finds none, Move is None, and over says that nothing is left to be tried. ok is false if
// the pool has no solver. A panic is in Failures, and nothing is found. b is not changed.
func (p *Pool) WinByThreats(ctx context.Context, b *board.Board, l Limits) (result Result, over, ok bool) {
	start := p.now()
	p.makeMemory()
	m := p.memory
	result.Move = board.None
	if m == nil {
		return result, false, false
	}
	defer func() {
		if r := recover(); r != nil {
			p.dropMemory() // its boards and stacks may be left in any state
			result, over, ok = Result{Move: board.None, Failures: []failure.Report{recovered(0, r)}}, false, true
		}
	}()
	stop := func() bool {
		eventloop.YieldOften()
		return ctx.Err() != nil || l.Hard > 0 && p.now().Sub(start) >= l.Hard
	}
	win, nodes, over := m.Prove(b, threat.Limits{Nodes: int(min(l.Nodes, int64(^uint(0)>>1))), Stop: stop})
	result.Info = Info{Lines: 1, Nodes: int64(nodes), Elapsed: p.now().Sub(start)}
	if win != nil {
		result.Move = win.Move
		result.Info.Depth, result.Info.SelDepth = win.Plies, win.Plies
		result.Info.Score, result.Info.PV = score.WinIn(win.Plies), win.Line
	}
	return result, over, true
}

package brain

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"tengen/brain/board"
	"tengen/brain/continuous"
	"tengen/brain/search"
)

// The ordinary search takes a row for the end of the game. In a continuous game that is right
// as long as neither side can force one: the side that makes the first row usually makes the
// next as well, and no other search sees as far. When a row can be forced, it matters how many
// rows follow, and of package continuous, which counts them, the move is taken.
//
// Set by hand in November 2026.
const (
	firstTenths = 8    // of the time for the ordinary search
	rowSeen     = 1100 // value, of continuous.Row, that only a row gives which the search by rows sees
)

// thinkContinuous searches for the move that scores the most rows in the long run.
func (e *Engine) thinkContinuous(ctx context.Context, l search.Limits, report func(Info)) (board.Move, []Info, []string) {
	if l.Lines > 1 || l.Restrict != nil {
		return e.thinkFull(ctx, l, report)
	}
	start, rest := time.Now(), l
	l.Soft, l.Hard = l.Soft*firstTenths/10, l.Hard*firstTenths/10
	m, infos, notes := e.thinkFull(ctx, l, report)
	if len(infos) == 0 || !infos[0].Score.Proven() || len(notes) > 0 {
		return m, infos, notes
	}
	// As many nodes again, or the time that is left.
	if rest.Hard > 0 {
		used := time.Since(start)
		rest.Soft, rest.Hard = max(rest.Soft-used, 1), max(rest.Hard-used, 1)
	}
	byRows, notes := e.searchRows(ctx, rest)
	if byRows == nil || infos[0].Score > 0 && byRows.Score <= rowSeen {
		return m, infos, notes // a win too far away for the search by rows
	}
	if report != nil {
		report(*byRows)
	}
	return byRows.PV[0], []Info{*byRows}, notes
}

// searchRows searches the position of the game by rows. It returns nil if it finds no move,
// with a note if it has failed.
func (e *Engine) searchRows(ctx context.Context, l search.Limits) (info *Info, notes []string) {
	start := time.Now()
	defer func() {
		if r := recover(); r != nil {
			e.rows = nil
			info, notes = nil, []string{fmt.Sprintf("%s: %v\n%s", SearchFailed, r, debug.Stack())}
		}
	}()
	if e.rows == nil {
		e.rows = continuous.New(e.rowsTable)
	}
	past := func(limit time.Duration) bool { return limit > 0 && time.Since(start) >= limit }
	r := e.rows.Search(e.board, continuous.Limits{
		Nodes: l.Nodes, Depth: l.Depth,
		Stop:   func() bool { return ctx.Err() != nil || past(l.Hard) },
		Enough: func() bool { return past(l.Soft) },
	})
	if len(r.PV) == 0 {
		return nil, nil
	}
	return &Info{
		Lines: 1, Depth: r.Depth, SelDepth: r.SelDepth, Score: search.Value(r.Value), Nodes: r.Nodes,
		Elapsed: time.Since(start), PV: r.PV,
	}, nil
}

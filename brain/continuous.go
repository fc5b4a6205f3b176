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

// plyNodes is the number of nodes that a search by rows has for each ply of a depth that is its only
// limit: a ply takes several times as many as in the ordinary search, whose depths people know. Set by
// hand 2026-11.
const plyNodes = 20_000

// countsRows reports whether the search by rows is for the present position. Several lines, moves
// under restrictions and the first stone are for the ordinary search also in a continuous game, where
// it takes the next row for the end.
func (e *Engine) countsRows(l search.Limits) bool {
	near := e.board.Candidates()
	return e.board.Rule()&board.Continuous != 0 && l.Lines <= 1 && l.Restrict == nil && near.First() != board.None
}

// thinkContinuous searches for the move that scores the most rows in the long run. The ordinary search
// finds one if the search by rows fails.
func (e *Engine) thinkContinuous(ctx context.Context, l search.Limits, report func(Info)) (m board.Move, infos []Info, notes []string) {
	total := budget{ctx: ctx, limits: l, begun: time.Now()}
	if e.countsRows(l) {
		if m, infos, notes = e.searchRows(ctx, l, report); m != board.None {
			return m, infos, notes
		}
	}
	m, infos, more := e.thinkFull(ctx, e.board, total.left(), report)
	return m, infos, append(notes, more...)
}

// searchRows searches the position by rows, with one thread. It returns None if it finds no move, with
// a note if it has failed.
func (e *Engine) searchRows(ctx context.Context, l search.Limits, report func(Info)) (m board.Move, infos []Info, notes []string) {
	defer func() {
		if r := recover(); r != nil {
			e.rows = nil
			m, infos, notes = board.None, nil, notesOf([]search.Failure{{What: fmt.Sprint(r), Stack: string(debug.Stack())}})
		}
	}()
	start := time.Now()
	if l.Depth > 0 && l.Nodes == 0 && l.Hard == 0 {
		l.Nodes = int64(l.Depth) * plyNodes
	}
	e.prepareRows()
	limit := l.Hard
	if l.Soft > 0 {
		limit = min(l.Soft, l.Hard) // an iteration that is cut short counts, too
	}
	checked, stall := time.Now(), time.Duration(0)
	past := func() bool {
		if limit == 0 {
			return false
		}
		now := time.Now()
		checked, stall = now, max(stall, now.Sub(checked))
		return now.Sub(start) >= limit
	}
	info := func(r continuous.Result) Info {
		return Info{
			Lines: 1, Depth: r.Depth, SelDepth: r.SelDepth, Score: search.Value(r.Value), Nodes: r.Nodes,
			Elapsed: time.Since(start), Cutoffs: r.Cutoffs, First: r.First, PV: r.PV,
		}
	}
	r := e.rows.Search(e.board, continuous.Limits{
		Nodes: l.Nodes, Depth: l.Depth, Style: l.Style,
		Stop: func() bool { return ctx.Err() != nil || past() },
		Report: func(r continuous.Result) {
			if report != nil {
				report(info(r))
			}
		},
	})
	if l.Hard > 0 {
		e.pool.NoteStall(stall)
	}
	if len(r.PV) == 0 {
		return board.None, nil, nil
	}
	return r.PV[0], []Info{info(r)}, nil
}

// prepareRows makes the search by rows ready for the present board.
func (e *Engine) prepareRows() {
	if e.rows == nil {
		e.rows = continuous.New(e.rowsTable, e.config.Evaluation.New)
	}
	e.rows.Prepare(e.board)
}

package play

import (
	"context"
	"time"

	"tengen/brain/board"
	"tengen/brain/continuous"
	"tengen/brain/eval"
	"tengen/brain/internal/eventloop"
	"tengen/brain/internal/failure"
	"tengen/brain/score"
	"tengen/brain/search"
)

// plyNodes is the number of nodes for each ply of a depth that is the only limit: a ply of the search by
// rows takes several times as many nodes as one of the ordinary search. Set by hand 2026-11.
const plyNodes = 20_000

// Rows is the Searcher of continuous games: it searches with one thread for the move that scores the
// most rows in the long run. Several lines, moves under restrictions and the first stone are for another
// Searcher, which takes the next row for the end, and so is a position in which the search by rows
// fails.
type Rows struct {
	other     Searcher
	noteStall func(time.Duration)
	evaluator func(*board.Board) eval.Evaluator
	bytes     int64                // of the table
	searcher  *continuous.Searcher // nil until it is needed
}

// NewRows returns a Rows that leaves positions to other, with a table of at most the given bytes, which
// the first search allocates. noteStall is search.Pool.NoteStall.
func NewRows(other Searcher, evaluator func(*board.Board) eval.Evaluator, bytes int64, noteStall func(time.Duration)) *Rows {
	return &Rows{other: other, noteStall: noteStall, evaluator: evaluator, bytes: bytes}
}

// Resize makes the table an empty one of at most the given bytes, in no time.
func (s *Rows) Resize(bytes int64) {
	if s.bytes = bytes; s.searcher != nil {
		s.searcher.Resize(bytes)
	}
}

// Close gives the memory of the table back. Rows is not used afterwards.
func (s *Rows) Close() {
	if s.searcher != nil {
		s.searcher.Close()
	}
}

// Clear empties the table.
func (s *Rows) Clear() {
	if s.searcher != nil {
		s.searcher.Clear()
	}
}

// Prepare allocates the table and follows b, so that the first search does not have to.
func (s *Rows) Prepare(b *board.Board) {
	if s.searcher == nil {
		s.searcher = continuous.New(s.bytes, s.evaluator)
	}
	s.searcher.Prepare(b)
}

// Search is the method of Searcher.
func (s *Rows) Search(ctx context.Context, b *board.Board, l search.Limits, report func(search.Info)) Answer {
	total := NewBudget(ctx, l, 1)
	near := b.Candidates()
	var a Answer
	if l.Lines <= 1 && l.Restrict == nil && near.First() != board.None {
		if a = s.count(ctx, b, l, report); a.Move != board.None {
			return a
		}
	}
	other := s.other.Search(ctx, b, total.Left(), report)
	other.Notes, other.Failed = append(a.Notes, other.Notes...), a.Failed || other.Failed
	return other
}

// count searches b by rows.
func (s *Rows) count(ctx context.Context, b *board.Board, l search.Limits, report func(search.Info)) (a Answer) {
	defer func() {
		if r := recover(); r != nil {
			s.searcher = nil
			a = Answer{Move: board.None}
			a.noteFailures([]failure.Report{failure.Of("rows", r)})
		}
	}()
	start := time.Now()
	if l.Depth > 0 && l.Nodes == 0 && l.Hard == 0 {
		l.Nodes = int64(l.Depth) * plyNodes
	}
	s.Prepare(b)
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
	info := func(r continuous.Result) search.Info {
		return search.Info{
			Lines: 1, Depth: r.Depth, SelDepth: r.SelDepth, Score: score.Value(r.Value), Nodes: r.Nodes,
			Elapsed: time.Since(start), PV: r.PV,
		}
	}
	r := s.searcher.Search(b, continuous.Limits{
		Nodes: l.Nodes, Depth: l.Depth, Style: l.Style,
		Stop: func() bool {
			eventloop.Yield()
			return ctx.Err() != nil || past()
		},
		Report: func(r continuous.Result) {
			if report != nil {
				report(info(r))
			}
		},
	})
	if l.Hard > 0 {
		s.noteStall(stall)
	}
	if len(r.PV) == 0 {
		return Answer{Move: board.None}
	}
	return Answer{Move: r.PV[0], Infos: []search.Info{info(r)}}
}

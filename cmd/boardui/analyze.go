package main

import (
	"context"
	"net/http"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
)

// An analysis asks for the best lines of a position, by the built-in engine at full strength,
// until it is stopped.
type analysis struct {
	Game string `json:"game"`
	position
	Lines   int    `json:"lines"`   // 1 to maxLines
	Threads int    `json:"threads"` // of the search; more than the server has are cut to those
	Depth   int    `json:"depth"`   // at most, 0 for no limit
	Nodes   int64  `json:"nodes"`   // at most, 0 for no limit
	Memory  int    `json:"memory"`  // MiB of the engine, at most what the server allows, which 0 stands for
	Only    string `json:"only"`    // search this move alone, or all if empty; pos notation
	Blocked string `json:"blocked"` // leave out these moves
	Balance int    `json:"balance"` // instead of the best lines, 1 or 2 moves that leave the game even
}

// What the limits of an analysis may be.
const (
	maxLimitDepth  = 999
	maxLimitMemory = 1 << 20
)

// balanceTime is the time for finding moves that leave the game even.
const balanceTime = 3 * time.Second

// order returns the order for the engine and the move that it is limited to, or None.
func (a *analysis) order(engine int) (*order, board.Move, *fault) {
	switch {
	case a.Lines < 1 || a.Lines > maxLines:
		return nil, board.None, bad("lines", "want 1 to %d lines, got %d", maxLines, a.Lines)
	case a.Threads < 1 || a.Threads > maxThreads:
		return nil, board.None, bad("threads", "want 1 to %d threads, got %d", maxThreads, a.Threads)
	}
	if a.Depth < 0 || a.Depth > maxLimitDepth || a.Nodes < 0 || a.Nodes > manyNodes || a.Memory < 0 || a.Memory > maxLimitMemory {
		return nil, board.None, bad("request", "want limits of 0 to %d plies, %d nodes and %d MiB", maxLimitDepth, int64(manyNodes), maxLimitMemory)
	}
	only := board.None
	if a.Only != "" {
		var f *fault
		if only, f = a.point(a.Only); f != nil {
			return nil, board.None, f
		}
	}
	blocked, err := board.ParseMoves(a.Blocked, a.Width, a.Height)
	if err != nil {
		return nil, board.None, bad("moves", "%v", err)
	}
	if a.Balance < 0 || a.Balance > 2 {
		return nil, board.None, bad("request", "want 1 or 2 balancing moves, got %d", a.Balance)
	}
	o := &order{
		Game: a.Game, Engine: engine, position: a.position, Strength: fullStrength, Lines: a.Lines,
		search: search{
			rank: forAnalysis, threads: a.Threads, endless: true, blocked: blocked,
			depth: a.Depth, nodes: a.Nodes, memory: int64(a.Memory) << 20,
		},
	}
	if a.Balance > 0 {
		o.endless, o.balance = false, a.Balance
	}
	return o, only, nil
}

// analyze answers an analysis with a stream of events, as think.
func (s *server) analyze(w http.ResponseWriter, r *http.Request) {
	var a analysis
	f := read(w, r, maxBody, &a)
	var o *order
	only := board.None
	if f == nil {
		o, only, f = a.order(s.pool.builtIn())
	}
	if f != nil {
		answerFault(w, f)
		return
	}
	if o.balance > 0 {
		o.Millis = int(s.balanceTime.Milliseconds())
	}
	s.stream(w, r, a.Game, func(ctx context.Context, hurry <-chan struct{}, say func(any)) (any, *fault) {
		b, moves, f := o.set()
		if f == nil {
			f = o.possible(b)
		}
		if f == nil && only != board.None {
			f = replay(b, []board.Move{only})
		}
		if f == nil && b.Empties() < o.balance {
			f = bad("over", "the board has no room for %d moves", o.balance)
		}
		if f != nil {
			return nil, f
		}
		if only == board.None {
			return s.pool.execute(ctx, o, b, moves, hurry, func(e event) { say(e) }), nil
		}
		if verdict, _ := b.Verdict(); verdict != board.Unfinished {
			e := event{Report: &report{Line: 1, Scored: true, PV: only.String()}, Moves: only.String()}
			if verdict != board.FullBoard { // the move wins
				e.Report.Mate = 1
			}
			return e, nil
		}
		before := func(e event) event {
			if e.Report != nil {
				e.Report.before(only)
			}
			if e.Moves != "" {
				e.Moves = only.String()
			}
			return e
		}
		o.Lines, o.blocked = 1, nil
		o.Moves += only.String()
		end := s.pool.execute(ctx, o, b, append(moves, only), hurry, func(e event) { say(before(e)) })
		return before(end), nil
	})
}

// before turns a report about the position after a move into one about the move.
func (r *report) before(m board.Move) {
	r.Score = -r.Score
	switch {
	case r.Mate > 0:
		r.Mate = -r.Mate - 1
	case r.Mate < 0:
		r.Mate = -r.Mate + 1
	}
	r.PV = record.FormatMoves([]board.Move{m}) + r.PV
	if r.Depth > 0 {
		r.Depth++
	}
	if r.Deep > 0 {
		r.Deep++
	}
}

package search

import (
	"fmt"

	"tengen/brain/board"
	"tengen/brain/internal/failure"
)

// recovered describes the panic of a worker with the value r. The deferred function that recovers r must
// call it.
func recovered(worker int, r any) failure.Report {
	return failure.Of(fmt.Sprintf("worker %d", worker+1), r)
}

// fail records a panic of a worker with the value r. Its board, its evaluator and its solvers
// may be left in any state, so the next search gives it new ones.
func (p *Pool) fail(worker int, r any) {
	f := recovered(worker, r)
	w := p.workers[worker]
	w.b = nil
	w.display.close()
	p.failing.Lock()
	defer p.failing.Unlock()
	p.failures = append(p.failures, f)
}

// afterFailure returns the best move of b that the first worker knew when it panicked, within the
// restrictions r or nil.
func (p *Pool) afterFailure(b *board.Board, r *Restrictions) Result {
	p.last = [2]lastMove{}
	for _, w := range p.workers {
		w.b = nil // it may have been another worker that was prepared
	}
	w := p.workers[0]
	if len(w.root.moves) == 0 {
		return Result{Move: plausible(b, r)}
	}
	return Result{Move: w.root.moves[0].move, Info: Info{Nodes: w.nodes}}
}

// plausible returns the legal move that makes or stops most, without any search; None if r leaves none.
func plausible(b *board.Board, r *Restrictions) board.Move {
	best, most := board.None, -1
	s := b.Side()
	for _, m := range b.Open().Append(nil) {
		worth := max(2*int(b.Class(s, m))+1, 2*int(b.Class(s.Other(), m)))
		if worth > most && b.Legal(m) && r.Allows(b, m) {
			best, most = m, worth
		}
	}
	return best
}

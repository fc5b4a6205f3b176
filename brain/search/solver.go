package search

import (
	"tengen/brain/board"
	"tengen/brain/solver"
)

// beginSolver lets the last worker run the solver, if there is one, and the first one take what it
// finds. It runs only where a single line is asked for, and all moves and results are those of the
// game.
func (p *Pool) beginSolver(b *board.Board, l Limits) {
	if p.solverBytes == 0 || l.Lines > 1 || l.Restrict.ChangeGame() {
		return
	}
	p.makeSolver()
	first, last := p.workers[0], p.workers[len(p.workers)-1]
	first.finder, last.solver = p.solver, p.solver
	moves := first.listed[:0]
	for i := range first.rootMoves {
		moves = append(moves, first.rootMoves[i].move)
	}
	t := p.solver.Begin(solver.Task{Board: b, Moves: moves, Study: l.Study, Stop: last.mustStop})
	first.solverNodes += int64(t.Nodes)
	if t.Plies == 0 {
		return
	}
	first.addStops(&t.Stops)
	for i := range first.rootMoves {
		if r := &first.rootMoves[i]; !t.Stops.Has(r.move) {
			first.refute(r, t.Refutes(r.move))
		}
	}
	sortRoot(first.rootMoves)
}

// makeSolver allocates the solver, if there is none. A search with a failure drops it, since the
// solver may be left in any state.
func (p *Pool) makeSolver() {
	if p.solver == nil && p.solverBytes > 0 {
		p.solver = solver.New(p.solverBytes, p.eval)
	}
}

// overdue reports whether the search of the worker has to end. The solver polls it.
func (w *worker) overdue() bool {
	return w.stop.Load() || !w.deadline.IsZero() && !w.now().Before(w.deadline)
}

// stepSolver gives the solver the nodes that it is due.
func (w *worker) stepSolver() {
	nodes := w.solver.Step(w.nodes)
	w.solverNodes += int64(nodes)
	if nodes > 0 && !w.checked.IsZero() {
		w.checked = w.now() // a step, with a proof to check perhaps half a second of it, is no stall
	}
}

// takeFindings takes over what the solver has proved: a win ends the search, and a loss by the best
// root move the iteration.
func (w *worker) takeFindings() {
	found := w.finder.Findings()
	if found.Win != nil {
		w.stopped = true
		return
	}
	for _, f := range found.Losses {
		for i := range w.rootMoves {
			if r := &w.rootMoves[i]; r.move == f.Move && r.refuted == nil {
				w.refute(r, &f)
				w.restart = w.restart || r.move == w.leader
			}
		}
	}
	w.stopped = w.stopped || w.restart
}

// provedWin returns the win that the solver has proved, or nil.
func (w *worker) provedWin() *solver.Finding {
	if w.finder == nil {
		return nil
	}
	return w.finder.Findings().Win
}

// lead notes that m is the best root move so far.
func (w *worker) lead(m board.Move) {
	if w.finder != nil {
		w.leader = m
		w.finder.SetBest(m)
	}
}

// refute takes the proof f that the root move r loses.
func (w *worker) refute(r *rootMove, f *solver.Finding) {
	r.refuted = f
	w.loses(r)
}

// repeat makes the worker ready for another iteration after one that ended since the best root move
// loses. It reports whether the move that is the best now has a value, of that iteration or of the one
// before.
func (w *worker) repeat() (known bool) {
	w.restart, w.stopped = false, false
	w.nextCheck = 0
	for i := range w.rootMoves {
		if r := &w.rootMoves[i]; r.score == -infinity {
			r.score = r.previous
		}
	}
	sortRoot(w.rootMoves)
	return w.rootMoves[0].score > -infinity
}

package search

import (
	"tengen/brain/board"
	"tengen/brain/internal/eventloop"
	"tengen/brain/score"
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
	first.root.solver, last.solver = p.solver, p.solver
	moves := first.listed[:0]
	for i := range first.root.moves {
		moves = append(moves, first.root.moves[i].move)
	}
	t := p.solver.Begin(solver.Task{Board: b, Moves: moves, Study: l.Study, Stop: last.mustStop})
	first.solverNodes += int64(t.Nodes)
	if t.Plies == 0 {
		return
	}
	first.addStops(&t.Stops)
	for i := range first.root.moves {
		if r := &first.root.moves[i]; !t.Stops.Has(r.move) {
			first.refute(r, t.Refutes(r.move))
		}
	}
	sortRoot(first.root.moves)
}

// makeSolver allocates the solver, if there is none yet. A search with a failure drops it, since the
// solver may be left in any state.
func (p *Pool) makeSolver() {
	if p.solver == nil && p.solverBytes > 0 {
		p.solver = solver.New(p.solverBytes, p.eval)
	}
}

// overdue reports whether the search of the worker has to end. The solver polls it.
func (w *worker) overdue() bool {
	eventloop.YieldOften()
	l := &w.limits
	return l.stop.Load() || !l.deadline.IsZero() && !l.now().Before(l.deadline)
}

// stepSolver gives the solver the nodes that it is due.
func (w *worker) stepSolver() {
	nodes := w.solver.Step(w.nodes)
	w.solverNodes += int64(nodes)
	if l := &w.limits; nodes > 0 && !l.checked.IsZero() {
		l.checked = l.now() // a step, with a proof to check perhaps half a second of it, is no stall
	}
}

// takeFindings takes over what the solver has proved: a win ends the search, and a loss by the best
// root move the iteration.
func (w *worker) takeFindings() {
	found := w.root.solver.Findings()
	if found.Win != nil {
		w.interrupt = limitReached
		return
	}
	bestLost := false
	for _, f := range found.Losses {
		for i := range w.root.moves {
			if r := &w.root.moves[i]; r.move == f.Move && r.refuted == nil {
				w.refute(r, &f)
				bestLost = bestLost || r.move == w.root.best
			}
		}
	}
	if bestLost {
		w.interrupt = bestRefuted
	}
}

// provedWin returns the win that the solver has proved, or nil.
func (w *worker) provedWin() *solver.Finding {
	if w.root.solver == nil {
		return nil
	}
	return w.root.solver.Findings().Win
}

// setBest notes that m is the best root move so far.
func (w *worker) setBest(m board.Move) {
	if w.root.best = m; w.root.solver != nil {
		w.root.solver.SetBest(m)
	}
}

// refute takes the proof f that the root move r loses.
func (w *worker) refute(r *rootMove, f *solver.Finding) {
	r.refuted = f
	w.noteLoss(r, score.LossIn(f.Plies))
}

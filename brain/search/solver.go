package search

import (
	"tengen/brain/board"
	"tengen/brain/internal/eventloop"
	"tengen/brain/score"
	"tengen/brain/solver"
)

// A Solver looks for proofs about the root beside a search, in a share of its nodes: see solver.Solver.
type Solver interface {
	// Step works if that is due after the given nodes of the search, at first before any, and returns the
	// nodes that it took.
	Step(searched int64) (nodes int)
	// Findings returns what was proved. Another goroutine than that of Step may call it.
	Findings() solver.Findings
}

// beginSolver begins a solver if the pool has memory for one. It runs only where a single line is asked
// for, and all moves and results are those of the game.
func (p *Pool) beginSolver(b *board.Board, l Limits) {
	if p.solverBytes == 0 || l.Lines > 1 || l.Restrict.ChangeGame() {
		return
	}
	p.makeMemory()
	first, last := p.workers[0], p.workers[len(p.workers)-1]
	moves := first.listed[:0]
	for i := range first.root.moves {
		moves = append(moves, first.root.moves[i].move)
	}
	p.attach(p.memory.Begin(solver.Task{Board: b, Moves: moves, Study: l.Study, Stop: last.mustStop, Standing: first.root.standing}))
}

// attach lets the last worker run the solver s and the first one take what it finds. Its first step is
// before the search: of the moves that it refutes none is tried.
func (p *Pool) attach(s Solver) {
	first, last := p.workers[0], p.workers[len(p.workers)-1]
	first.root.solver, last.solver = s, s
	last.stepSolver()
	found := s.Findings()
	if found.Stops != nil {
		first.addStops(found.Stops)
	}
	first.takeFindings(found) // a win ends the search at its first node
	sortRoot(first.root.moves)
}

// makeMemory allocates the memory of the solver, if there is none yet. A search with a failure drops it,
// since it may be left in any state.
func (p *Pool) makeMemory() {
	if p.memory == nil && p.solverBytes > 0 {
		p.memory = solver.NewMemory(p.solverBytes, p.eval)
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

// takeFindings takes over what the solver has proved. It reports whether that ends the iteration: a win
// ends the search too, and after a loss by the best root move another iteration begins.
func (w *worker) takeFindings(found solver.Findings) (end bool) {
	if found.Win != nil {
		return true
	}
	best, _ := w.root.standing()
	for _, f := range found.Losses {
		for i := range w.root.moves {
			if r := &w.root.moves[i]; r.move == f.Move && r.refuted == nil {
				w.refute(r, &f)
				end = end || f.Move == best
			}
		}
	}
	return end
}

// provedWin returns the win that the solver has proved, or nil.
func (w *worker) provedWin() *solver.Finding {
	if w.root.solver == nil {
		return nil
	}
	return w.root.solver.Findings().Win
}

// refute takes the proof f that the root move r loses.
func (w *worker) refute(r *rootMove, f *solver.Finding) {
	r.refuted = f
	w.noteLoss(r, score.LossIn(f.Plies))
}

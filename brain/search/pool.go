package search

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/hashtable"
	"tengen/brain/internal/failure"
	"tengen/brain/solver"
)

// A Pool is a set of workers that share one hash table. Its methods must not be called
// concurrently.
type Pool struct {
	table   hashtable.Table
	workers []*worker
	stop    atomic.Bool
	numbers *numbers
	eval    func(*board.Board) eval.Evaluator
	now     func() time.Time // time.Now, except in tests
	last    [2]lastMove      // of the searches for each side
	won     lastMove         // of the last search, or a win that lasts over it: see noteWin
	memory  *solver.Memory   // of the solver; nil until it is needed, and after a failure

	canceled atomic.Bool // the context of the running search has ended

	solverBytes int64 // of its tables; 0 for no solver

	stall time.Duration // see Stall

	failing  sync.Mutex       // guards failures while workers run
	failures []failure.Report // of the running search
}

// NewPool returns a pool of the given number of workers (at least 1) with a table of at
// most tableBytes. evaluator makes the workers' evaluators: it returns one that
// follows the board from its present position, and is called again for another board size
// or rule, never concurrently. It costs about 1 ms.
func NewPool(evaluator func(*board.Board) eval.Evaluator, params Params, workers int, tableBytes int64) *Pool {
	p := &Pool{
		numbers: newNumbers(params),
		eval:    evaluator,
		now:     time.Now,
	}
	p.Resize(workers, tableBytes)
	return p
}

// Resize changes the number of workers and the size of the table, which is emptied if its size
// changes. The first short searches use a part of a new table, while the system finds memory for the
// rest in the background. A worker takes about 0.8 MB, and the sums of a network 1.7 MB more. Not
// during a search.
func (p *Pool) Resize(workers int, tableBytes int64) {
	p.table.Resize(tableBytes)
	workers = max(workers, 1)
	for len(p.workers) < workers {
		p.workers = append(p.workers, newWorker(p))
	}
	for _, w := range p.workers[workers:] {
		w.display.close()
	}
	clear(p.workers[workers:])
	p.workers = p.workers[:workers]
}

// Close gives the memory of the hash table and of the solver back to the system, in the background. The
// pool is not used afterwards. Not during a search.
func (p *Pool) Close() {
	p.table.Free()
	p.dropMemory()
	for _, w := range p.workers {
		w.display.close()
	}
}

// SetSolver gives the pool a solver that looks for wins by continuous threats while the workers
// search, with tables of about the given memory; 0 is for no solver. It takes a share of the nodes
// and the time of the last worker. What it proves goes through the hash table only as the value of
// the root, whose refuted moves count as lost. PrepareSolver allocates it, or the first search that needs
// it. Another size takes no time, and the solver then knows nothing of earlier searches. Not during a
// search.
func (p *Pool) SetSolver(bytes int64) {
	if bytes == p.solverBytes {
		return
	}
	if p.solverBytes = bytes; bytes == 0 {
		p.dropMemory()
	} else if p.memory != nil {
		p.memory.Resize(bytes)
	}
}

// dropMemory gives the memory of the solver back, if there is one.
func (p *Pool) dropMemory() {
	if p.memory != nil {
		p.memory.Close()
		p.memory = nil
	}
}

// Clear empties the hash table and makes the workers and the solver forget what they learned. Not
// during a search.
func (p *Pool) Clear() {
	p.table.Clear()
	p.forget()
	if p.memory != nil {
		p.memory.Clear()
	}
	p.last, p.won = [2]lastMove{}, lastMove{}
}

// forget makes the workers forget their corrections and what they know of lines to show.
func (p *Pool) forget() {
	for _, w := range p.workers {
		w.corrections = corrections{}
		w.display.clear()
	}
}

// Search returns the best move found before ctx ends or a limit is reached, and always
// returns a legal move if there is one. report, if not nil, is called from one goroutine
// after every finished iteration and line. With one worker and a node or depth limit the
// result depends only on b, the limits and what searches since Clear have left in the table, in the
// worker's corrections and in the solver. b is not changed.
func (p *Pool) Search(ctx context.Context, b *board.Board, l Limits, report func(Info)) Result {
	start := p.now()
	p.stop.Store(false)
	p.failures = nil
	release := p.stopWith(ctx)
	result, ok := p.run(b, l, start, report)
	release()
	if !ok {
		result = p.afterFailure(b, l.Restrict)
	}
	if result.Failures = p.failures; len(p.failures) > 0 {
		p.dropMemory() // it may be left in any state
	}
	return result
}

// run is Search without its end. ok is false if the first worker has failed.
func (p *Pool) run(b *board.Board, l Limits, start time.Time, report func(Info)) (result Result, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			p.fail(0, r)
			ok = false
		}
	}()
	main := p.workers[0]
	main.root.moves = main.root.moves[:0] // what afterFailure looks at
	last, depth := &p.last[b.Side()&1], l.last(b.Empties())
	p.setUp(b, l, start)
	if len(main.root.moves) == 0 {
		return Result{}, true
	}
	main.root.watch = l.Watch
	p.beginSolver(b, l)
	it := p.newIterations(b, l, start, report)
	if l.Depth > 0 && it.lines == 1 && main.hasResult(depth) {
		main.root.depth, main.nodes = min(main.root.firstDepth, depth), 1
		it.reportLines(main.root.depth)
		return it.result(), true
	}

	*last = lastMove{} // if the search fails
	if !p.runWorkers(depth, it) {
		return Result{}, false
	}
	p.noteStalls()
	result = it.result()
	if it.hasWhole() {
		return result, true
	}
	*last = lastMove{ply: b.Ply(), hash: b.Hash(), move: result.Move, value: result.Info.Score}
	if l.Restrict == nil {
		p.noteWin(b, *last)
	}
	return result, true
}

// stopWith lets the end of ctx stop the workers until the function that it returns is called.
func (p *Pool) stopWith(ctx context.Context) (release func()) {
	p.canceled.Store(false)
	stopped := make(chan struct{})
	detach := context.AfterFunc(ctx, func() {
		defer close(stopped)
		p.canceled.Store(true)
		p.stop.Store(true)
	})
	return func() {
		if !detach() {
			<-stopped // else it might stop the next search
		}
	}
}

// runWorkers lets each worker search in a goroutine of its own until the first one ends, and returns
// when all have ended. ok is false if the first one has failed.
func (p *Pool) runWorkers(depth int, it *iterations) (ok bool) {
	var running sync.WaitGroup
	for i, w := range p.workers {
		progress := it.finished
		if i > 0 {
			progress = nil
		}
		running.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					p.fail(i, r)
				}
				if i == 0 {
					p.stop.Store(true)
				}
			}()
			w.iterate(depth, it.lines, i, progress)
			w.limits.late() // notes a stall since its last check
		})
	}
	running.Wait()
	return p.workers[0].b != nil
}

// Prepare makes the workers ready for the board b, so that the first search of it does not
// have to: for up to 10 ms, in which the evaluators of its rule are loaded. Not during a search.
func (p *Pool) Prepare(b *board.Board) {
	for _, w := range p.workers {
		w.follow(p.eval, b)
	}
}

// PrepareSolver does the same for the solver, if there is one, and allocates it. Not during a search.
func (p *Pool) PrepareSolver(b *board.Board) {
	if p.makeMemory(); p.memory != nil {
		p.memory.Prepare(b)
	}
}

// Stall returns the longest time that the system has lately kept a worker from running, in searches
// with a limit of time. Each search with a shorter one takes an eighth off.
func (p *Pool) Stall() time.Duration { return p.stall }

// NoteStall notes the longest stall of a search with a limit of time, also of one outside the pool. It
// counts as mostStall at most: if it was longer the process may have been suspended.
func (p *Pool) NoteStall(stall time.Duration) {
	p.stall = max(p.stall-p.stall/8, min(stall, mostStall))
}

// noteStalls notes the longest stall of a worker in a search with a limit of time.
func (p *Pool) noteStalls() {
	if p.workers[0].limits.deadline.IsZero() {
		return // nobody looked at the clock
	}
	stall := time.Duration(0)
	for _, w := range p.workers {
		stall = max(stall, w.limits.stall)
	}
	p.NoteStall(stall)
}

// setUp makes the table and the workers ready for a search of b, and lists its root moves.
func (p *Pool) setUp(b *board.Board, l Limits, start time.Time) {
	var deadline time.Time
	if l.Hard > 0 {
		deadline = start.Add(l.Hard)
	}
	p.beginTable(&l, start)
	n := int64(len(p.workers))
	if l.Nodes > 0 {
		l.Nodes = (l.Nodes-1)/n + 1
	}
	for _, w := range p.workers {
		w.setUp(p.eval, b, l, deadline)
		w.listRoot(max(l.Lines, 1), l.Reach)
		if l.Resume && l.Lines <= 1 { // the table has one line
			w.resume()
		}
	}
}

package search

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tengen/brain/board"
)

// Limits bounds one search. Zero fields mean no limit.
type Limits struct {
	Soft  time.Duration // start no iteration after this; if Hard is greater, timeManager lengthens or shortens it
	Hard  time.Duration // abandon the running iteration after this
	Nodes int64         // per search and worker; makes a run repeatable with one worker
	Depth int           // plies of the last iteration
	Lines int           // best lines searched and reported, each with an exact score; 0 means 1
	Style int           // of the side to move: -100 defence to 100 attack; 0 neutral

	From     int             // plies of the iteration after the first; 0 means 2
	Resume   bool            // begin with the depth that the hash table has of b
	Reach    int             // all cells within this many of a stone are searched at the root too
	Restrict *Restrictions   // nil for none
	Watch    func(RootEvent) // nil, or called from the goroutine of report
}

// An Info is the progress of a search.
type Info struct {
	Line     int // 0 is the best line
	Lines    int
	Depth    int
	SelDepth int
	Score    Value // for the side to move
	Nodes    int64 // of all workers
	Elapsed  time.Duration
	Cutoffs  int64        // beta cut-offs so far
	First    int64        // of these made by the first move tried
	PV       []board.Move // valid until the report function returns
}

// A Result is the best move and its Info. Move is None only if there is no legal move.
type Result struct {
	Move board.Move
	Info Info

	// Failures are panics that were recovered. Those of helpers cost depth; after one of the
	// first worker, or of report, Move is the best known until then and Info has no PV.
	Failures []Failure
}

// A Pool is a set of workers that share one hash table.
type Pool struct {
	table   hashTable
	workers []*worker
	stop    atomic.Bool
	numbers *numbers
	eval    func(*board.Board) Evaluator
	now     func() time.Time // time.Now, except in tests
	last    lastMove
	solver  *solver // nil for none
	found   findings

	failing  sync.Mutex // guards failures while workers run
	failures []Failure  // of the running search
}

// NewPool returns a pool of the given number of workers (at least 1) with a table of at
// most tableBytes. evaluator makes the workers' evaluators: it returns one that
// follows the board from its present position, and is called again for another board size
// or rule, never concurrently. It costs about 1 ms.
func NewPool[E Evaluator](evaluator func(*board.Board) E, params Params, workers int, tableBytes int64) *Pool {
	p := &Pool{
		numbers: newNumbers(params),
		eval:    func(b *board.Board) Evaluator { return evaluator(b) },
		now:     time.Now,
	}
	p.Resize(workers, tableBytes)
	return p
}

// Resize changes the number of workers and the size of the table, which is emptied
// if its size changes. Not during a search. A worker takes about 1 MB.
func (p *Pool) Resize(workers int, tableBytes int64) {
	p.table.resize(tableBytes)
	workers = max(workers, 1)
	for len(p.workers) < workers {
		p.workers = append(p.workers, &worker{table: &p.table, found: &p.found, stop: &p.stop, p: p.numbers, now: p.now, moves: make([]scored, 0, lineMoves)})
	}
	clear(p.workers[workers:])
	p.workers = p.workers[:workers]
}

// SetSolver gives the pool a solver that looks for wins by continuous threats while the
// workers search, with tables of about the given memory: 2 MiB at least, 0 for no solver.
// With one worker it takes a share of the nodes and of the time, with more it takes half of
// the last one. Its claims are proved and do not go through the hash table. Not during a
// search.
func (p *Pool) SetSolver(bytes int64) {
	p.solver = nil // so that the old one can be freed first
	if bytes > 0 {
		p.solver = newSolver(bytes)
	}
}

// Clear empties the hash table. Not during a search.
func (p *Pool) Clear() {
	p.table.clear()
	if p.solver != nil {
		p.solver.clear()
	}
	p.last = lastMove{}
}

// Search returns the best move found before ctx ends or a limit is reached, and always
// returns a legal move if there is one. report, if not nil, is called from one goroutine
// after every finished iteration and line. With one worker and a node or depth limit the
// result depends on nothing but b, the table and the limits. b is not changed.
func (p *Pool) Search(ctx context.Context, b *board.Board, l Limits, report func(Info)) (result Result) {
	start := p.now()
	p.stop.Store(false)
	p.failures = nil
	defer func() {
		if r := recover(); r != nil {
			p.fail(0, r)
			result = p.afterFailure()
		}
		result.Failures = p.failures
	}()
	defer context.AfterFunc(ctx, func() { p.stop.Store(true) })()
	p.prepare(b, l, start)
	main := p.workers[0]
	if len(main.rootMoves) == 0 {
		return Result{}
	}
	main.watch, main.hasty = l.Watch, l.Hard > 0
	defer func() { main.watch = nil }()
	p.prepareSolver(b, l)
	depth := min(lastDepth, b.Empties())
	if l.Depth > 0 {
		depth = min(depth, l.Depth)
	}
	run := iterations{
		pool: p, main: main, limits: l, lines: min(max(l.Lines, 1), len(main.rootMoves)), start: start, report: report,
		time: newTimeManager(&p.numbers.Params, p.last.before(b)),
	}
	if l.Resume && l.Depth > 0 && run.lines == 1 && (main.first >= depth || main.rootMoves[0].score >= WinFloor) {
		// The table has the result that is asked for.
		main.rootDepth, main.nodes = min(main.first, depth), 1
		run.reportLines(main.rootDepth)
		return run.result()
	}

	var helpers sync.WaitGroup
	defer func() { // also when the main worker panics
		p.stop.Store(true)
		helpers.Wait()
	}()
	for i, w := range p.workers[1:] {
		helpers.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					p.fail(i+1, r)
				}
			}()
			w.iterate(depth, run.lines, i+1, nil)
		})
	}
	p.last = lastMove{}
	main.iterate(depth, run.lines, 0, run.finished)
	p.stop.Store(true)
	helpers.Wait() // their nodes are in the result

	if run.lines > 1 && run.whole.Move != board.None {
		return run.whole
	}
	main.hasty = main.hasty || ctx.Err() != nil
	result = run.result()
	p.last = lastMove{b.Ply(), result.Move, result.Info.Score}
	return result
}

// prepare makes the table and the workers ready for a search of b.
func (p *Pool) prepare(b *board.Board, l Limits, start time.Time) {
	var deadline time.Time
	if l.Hard > 0 {
		deadline = start.Add(l.Hard)
	}
	p.table.advance()
	for _, w := range p.workers {
		w.prepare(p.eval, b, l, deadline)
		w.listRoot(max(l.Lines, 1), l.Reach)
		if l.Resume {
			w.resume()
		}
	}
}

// iterations follows the iterations of the main worker in one search.
type iterations struct {
	pool   *Pool
	main   *worker
	limits Limits
	lines  int
	start  time.Time
	report func(Info) // nil for none
	time   timeManager

	// whole is the last result of all lines. With several lines only whole iterations count,
	// so that what is played is what was reported as best.
	whole Result
}

// finished reports the lines of an iteration of the given depth, and says whether to go on.
func (it *iterations) finished(depth int) bool {
	it.reportLines(depth)
	l, main := &it.limits, it.main
	best := &main.rootMoves[0]
	v := best.score
	if l.Resume && !main.stopped && len(main.notAtRoot) == 0 {
		main.remember(best.move, v, depth)
	}
	switch {
	case it.lines > 1:
	case v >= WinFloor:
		return false
	case v <= -WinFloor && depth >= int(v-LossIn(0)):
		return false // no move delays the loss further
	case l.Soft > 0 && main.forced() && depth >= forcedDepth:
		return false
	}
	part := it.time.next(best.move, v, main.effort())
	if soft := l.Soft; soft > 0 {
		if soft < l.Hard { // else unused time is lost
			soft = min(soft/scale*time.Duration(part), l.Hard)
		}
		if it.elapsed() >= soft {
			return false
		}
	}
	return !it.pool.stop.Load()
}

// reportLines reports every line after an iteration.
func (it *iterations) reportLines(depth int) {
	for line := range it.lines {
		info := it.pool.describe(depth, line, it.lines, it.elapsed())
		if line == 0 && it.lines > 1 {
			it.whole = Result{Move: info.PV[0], Info: info}
			it.whole.Info.PV = slices.Clone(info.PV)
		}
		if it.report != nil {
			it.report(info)
		}
	}
}

// result returns the best move of the main worker, or a win that the solver has found.
func (it *iterations) result() Result {
	info := it.pool.describe(it.main.rootDepth, 0, it.lines, it.elapsed())
	info.PV = slices.Clone(info.PV)
	if f := it.pool.found.win.Load(); f != nil && info.Score < WinIn(f.plies) {
		info.Score, info.PV = WinIn(f.plies), f.line
		if it.report != nil {
			it.report(info)
		}
		return Result{Move: f.move, Info: info}
	}
	return Result{Move: it.main.rootMoves[0].move, Info: info}
}

func (it *iterations) elapsed() time.Duration { return it.pool.now().Sub(it.start) }

// afterFailure returns the best move that the first worker knew when it panicked.
func (p *Pool) afterFailure() Result {
	p.last = lastMove{}
	w := p.workers[0]
	if len(w.rootMoves) == 0 {
		return Result{}
	}
	return Result{Move: w.rootMoves[0].move, Info: Info{Nodes: w.nodes}}
}

// describe returns the Info of a line, with the counts of all workers.
func (p *Pool) describe(depth, line, lines int, elapsed time.Duration) Info {
	main := p.workers[0]
	info := main.info(depth, line, lines, elapsed)
	if !info.Score.Proven() {
		info.Score -= main.bias
	}
	info.Nodes = main.nodes + main.solved
	for _, w := range p.workers[1:] {
		info.Nodes += atomic.LoadInt64(&w.total)
	}
	info.Cutoffs, info.First = main.cutoffs, main.firsts
	return info
}

// prepare makes the worker ready for a new search of b.
func (w *worker) prepare(evaluator func(*board.Board) Evaluator, b *board.Board, l Limits, deadline time.Time) {
	if w.b == nil || w.b.Rule() != b.Rule() || w.b.Width() != b.Width() || w.b.Height() != b.Height() {
		w.b = b.Clone()
		w.eval = evaluator(w.b)
	} else {
		w.b.CopyFrom(b)
	}
	w.bias = Value(w.eval.Reset(w.b, l.Style))
	if l.Style != 0 {
		// Values of different styles cannot be compared.
		const positive = 1 << 16 // added to a style
		w.b.Rekey(uint64(2*(l.Style+positive)+int(b.Side())) * board.Golden)
	}
	w.history = history{}
	w.stack = [maxPly + 4]frame{}
	w.nodes, w.cutoffs, w.firsts, w.total, w.solved = 0, 0, 0, 0, 0
	w.solver, w.leads, w.again = nil, false, false
	w.stopped, w.limit, w.deadline, w.nextCheck = false, l.Nodes, deadline, 0
	w.first, w.from = 1, l.From
	w.restrict(l.Restrict, b.Hash())
}

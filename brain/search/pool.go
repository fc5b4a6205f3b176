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
	Next  time.Duration // of a search in the opponent's time: Hard of the one that has to wait for its end
	Nodes int64         // of all workers, who get equal shares; makes a run repeatable with one worker
	Depth int           // plies of the last iteration
	Lines int           // best lines searched and reported, each with an exact score; 0 means 1
	Prove bool          // end with the first iteration that proves a win or a loss, near or far
	Style int           // of the side to move: -100 defence to 100 attack; 0 neutral

	From     int             // plies of the iteration after the first; 0 means 2
	Resume   bool            // begin with the depth that the hash table has of b, if one line is searched
	Reach    int             // all cells within this many of a stone are searched at the root too
	Restrict *Restrictions   // nil for none
	Watch    func(RootEvent) // nil, or called from the goroutine of report
}

// last returns the plies of the last iteration on a board with so many empty cells.
func (l *Limits) last(empties int) int {
	depth := min(lastDepth, endTimes*empties)
	if l.Depth > 0 {
		depth = min(depth, l.Depth)
	}
	return depth
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
	Cutoffs  int64        // beta cut-offs of the first worker so far
	First    int64        // of these made by the first move tried
	PV       []board.Move // valid until the report function returns
}

// Speed returns the nodes a second, 0 in no time.
func (i *Info) Speed() int64 {
	us := i.Elapsed.Microseconds()
	if us <= 0 {
		return 0
	}
	return i.Nodes * 1_000_000 / us
}

// A Result is the best move and its Info. Move is None only if there is no legal move.
type Result struct {
	Move board.Move
	Info Info

	// Failures are panics that were recovered. Those of helpers cost depth; after one of the
	// first worker, or of report, Move is the best known until then and Info has no PV.
	Failures []Failure
}

// A Pool is a set of workers that share one hash table. Its methods must not be called
// concurrently; each begins by waiting for a search that SearchPromptly has left: see Wait.
type Pool struct {
	table   hashTable
	workers []*worker
	stop    atomic.Bool
	numbers *numbers
	eval    func(*board.Board) Evaluator
	now     func() time.Time // time.Now, except in tests
	last    [2]lastMove      // of the searches for each side
	claim   lastMove         // of the last search, or a win that lasts over it: see claims
	solver  *solver          // nil until it is needed
	found   findings
	prompt  promptness

	cancelled atomic.Bool // the context of the running search has ended

	solverBytes int64 // of its tables; 0 for no solver

	stall time.Duration // see Stall

	failing  sync.Mutex // guards failures while workers run
	failures []Failure  // of the running search
	late     []Failure  // of searches that SearchPromptly has left, for the next result
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
// if its size changes. The first short searches use a part of a new one, while the system finds
// memory for the rest in the background. Not during a search. A worker takes about 0.8 MB, and
// the sums of a network 1.7 MB more.
func (p *Pool) Resize(workers int, tableBytes int64) {
	p.Wait()
	p.table.resize(tableBytes)
	workers = max(workers, 1)
	for len(p.workers) < workers {
		p.workers = append(p.workers, &worker{table: &p.table, found: &p.found, stop: &p.stop, cancelled: &p.cancelled, p: p.numbers, now: p.now, moves: make([]scored, 0, lineMoves)})
	}
	clear(p.workers[workers:])
	p.workers = p.workers[:workers]
}

// Close ends what a new hash table does in the background, so that it can be freed.
// The pool is not used afterwards. Not during a search.
func (p *Pool) Close() {
	p.Wait()
	p.table.memory.pause()
}

// Allocated reports whether the table has been allocated, as it is by the first search.
func (p *Pool) Allocated() bool {
	p.Wait()
	return p.table.memory.all != nil
}

// SetSolver gives the pool a solver that looks for wins by continuous threats while the
// workers search, with tables of about the given memory: 4 MiB at least, 0 for no solver.
// It takes a share of the nodes and of the time of the last worker. Its claims are proved, and go
// through the hash table only as the value of the root, whose refuted moves count as lost. The
// first search that needs it allocates it. Not during a search.
func (p *Pool) SetSolver(bytes int64) {
	p.Wait()
	if bytes != p.solverBytes {
		p.solver, p.solverBytes = nil, bytes
	}
}

// makeSolver allocates the solver, if there is to be one.
func (p *Pool) makeSolver() {
	if p.solver != nil && p.solver.failed {
		p.solver = nil // so that it can be freed first
	}
	if p.solver == nil && p.solverBytes > 0 {
		p.solver = newSolver(p.solverBytes)
	}
}

// Clear empties the hash table and makes the workers forget what they learnt. It is needed before
// boards of another rule, which is not part of the hash. Not during a search.
func (p *Pool) Clear() {
	p.Wait()
	p.table.clear()
	p.forget()
	if p.solver != nil {
		p.solver.clear()
	}
	p.last, p.claim = [2]lastMove{}, lastMove{}
}

// forget makes the workers forget their corrections, and what they know of lines to show.
func (p *Pool) forget() {
	for _, w := range p.workers {
		w.corrections = corrections{}
		w.fours, w.lineSolver = nil, nil
	}
}

// Search returns the best move found before ctx ends or a limit is reached, and always
// returns a legal move if there is one. report, if not nil, is called from one goroutine
// after every finished iteration and line. With one worker and a node or depth limit the
// result depends on nothing but b, the limits and what searches since Clear have left in the
// table, in the worker's corrections and in the solver. b is not changed.
func (p *Pool) Search(ctx context.Context, b *board.Board, l Limits, report func(Info)) Result {
	late := p.takeLate()
	result := p.search(ctx, b, l, report)
	result.Failures = append(late, result.Failures...)
	return result
}

func (p *Pool) search(ctx context.Context, b *board.Board, l Limits, report func(Info)) (result Result) {
	start := p.now()
	p.stop.Store(false)
	p.failures = nil
	p.workers[0].rootMoves = p.workers[0].rootMoves[:0]
	defer func() {
		if r := recover(); r != nil {
			p.fail(0, r)
			result = p.afterFailure()
		}
		result.Failures = p.failures
	}()
	defer p.stopWith(ctx)()
	// b is not read after a result is published, since SearchPromptly may then return.
	ply, hash, empties, follows := b.Ply(), b.Hash(), b.Empties(), p.claim.precedes(b)
	last := &p.last[b.Side()&1]
	p.setUp(b, l, start)
	main := p.workers[0]
	if len(main.rootMoves) == 0 {
		return Result{}
	}
	main.watch = p.watched(l.Watch)
	defer func() { main.watch, main.better = nil, nil }()
	p.prepareSolver(b, l)
	depth := l.last(empties)
	run := p.newIterations(b, l, start, report)
	if l.Depth > 0 && run.lines == 1 && main.hasResult(depth) {
		main.rootDepth, main.nodes = min(main.firstDepth, depth), 1
		run.reportLines(main.rootDepth)
		return run.result()
	}

	endHelpers := p.startHelpers(depth, run.lines)
	defer endHelpers() // also when the main worker panics
	*last = lastMove{}
	main.iterate(depth, run.lines, 0, run.finished)
	main.late()  // notes a stall since its last check
	endHelpers() // their nodes are in the result
	p.noteStall()

	if run.lines > 1 && run.whole.Move != board.None {
		return run.whole
	}
	result = run.result()
	*last = lastMove{ply, hash, result.Move, result.Info.Score}
	if l.Restrict == nil {
		p.claims(follows, *last)
	}
	return result
}

// stopWith lets the end of ctx stop the workers until the function that it returns is called.
func (p *Pool) stopWith(ctx context.Context) (release func()) {
	p.cancelled.Store(false)
	stopped := make(chan struct{})
	detach := context.AfterFunc(ctx, func() {
		defer close(stopped)
		p.cancelled.Store(true)
		p.stop.Store(true)
	})
	return func() {
		if !detach() {
			<-stopped // else it might stop the next search
		}
	}
}

// startHelpers lets all workers but the first search. The function that it returns stops all
// workers and waits for the helpers; it may be called again.
func (p *Pool) startHelpers(depth, lines int) (end func()) {
	var helpers sync.WaitGroup
	for i, w := range p.workers[1:] {
		helpers.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					p.fail(i+1, r)
				}
			}()
			w.iterate(depth, lines, i+1, nil)
		})
	}
	return func() {
		p.stop.Store(true)
		helpers.Wait()
	}
}

// Prepare makes the workers ready for the board b, so that the first search of it does not
// have to: for up to 10 ms, in which the evaluators of its rule are loaded. Not during a search.
func (p *Pool) Prepare(b *board.Board) {
	p.Wait()
	for _, w := range p.workers {
		w.follow(p.eval, b)
	}
}

// Stall returns for how long the system has lately kept a worker from running in searches
// with a limit of time. Each search that was kept less takes an eighth off.
func (p *Pool) Stall() time.Duration {
	p.Wait()
	return p.stall
}

// noteStall notes the longest stall of a search that had a limit of time, at most mostStall: if it
// was longer the process may have been suspended.
func (p *Pool) noteStall() {
	if p.workers[0].deadline.IsZero() {
		return // nobody looked at the clock
	}
	p.stall -= p.stall / 8
	for _, w := range p.workers {
		p.stall = max(p.stall, min(w.stall, mostStall))
	}
}

// setUp makes the table and the workers ready for a search of b, and lists its root moves.
func (p *Pool) setUp(b *board.Board, l Limits, start time.Time) {
	var deadline time.Time
	if l.Hard > 0 {
		deadline = start.Add(l.Hard)
	}
	n := int64(len(p.workers))
	if l.Nodes > 0 {
		l.Nodes = (l.Nodes-1)/n + 1
	}
	checkBoard(b)
	p.checkTable()
	p.table.begin(short(l.Hard) || short(l.Next))
	for _, w := range p.workers {
		w.setUp(p.eval, b, l, deadline)
		w.listRoot(max(l.Lines, 1), l.Reach)
		if l.Resume && l.Lines <= 1 { // the table has one line
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
	due    Value  // of a win that is known to be no further away; -infinity for none
	infos  []Info // of all lines

	// whole is the last result of all lines. With several lines only whole iterations count,
	// so that what is played is what was reported as best.
	whole Result
}

// newIterations returns the iterations of a search of b, for which the pool is set up.
func (p *Pool) newIterations(b *board.Board, l Limits, start time.Time, report func(Info)) *iterations {
	main := p.workers[0]
	it := &iterations{
		pool: p, main: main, limits: l, lines: min(max(l.Lines, 1), len(main.rootMoves)), start: start, report: report,
		time: newTimeManager(&p.numbers.Params, p.last[b.Side()&1].before(b)), due: -infinity,
	}
	if l.Restrict == nil {
		it.due = p.due(b)
	}
	if p.prompt.on && it.lines == 1 {
		main.better = it.better
	}
	return it
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
	case l.Prove && v.Proven():
		return false
	case it.lines > 1:
	case v >= it.due && v >= WinFloor:
		return false
	case v >= WinFloor && depth >= int(WinIn(0)-it.due):
		return false // what is due does not come
	case v <= -WinFloor && depth >= int(v-LossIn(0)):
		return false // no move delays the loss further
	case l.Soft > 0 && main.forced() && depth >= forcedDepth:
		if it.playsForced(v) {
			return false
		}
		main.hurry(it.start.Add(forcedTime))
	}
	part := it.time.next(best.move, it.infos[0].Score, main.effort())
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

// playsForced reports whether the only choice, of the value v, is played without more thought:
// where saved time is not lost, where the game is decided or has not begun, or after forcedTime.
// Else the search goes on: the next move finds the hash table filled.
func (it *iterations) playsForced(v Value) bool {
	return it.limits.Soft < it.limits.Hard || v.Proven() || it.main.b.Ply() == 0 || it.elapsed() >= forcedTime
}

// reportLines reports every line after an iteration.
func (it *iterations) reportLines(depth int) {
	it.infos = it.infos[:0]
	for line := range it.lines {
		info := it.describe(&it.main.rootMoves[line], depth, line)
		if it.lines > 1 {
			info.PV = slices.Clone(info.PV) // the next one takes its place
		}
		it.infos = append(it.infos, info)
	}
	if it.lines > 1 {
		it.whole = Result{Move: it.infos[0].PV[0], Info: it.infos[0]}
	}
	it.tell(it.infos)
}

// better publishes a move that is the best so far in an iteration that has not ended.
func (it *iterations) better(r *rootMove) {
	info := it.describe(r, it.main.rootDepth, 0)
	it.pool.publish(info, nil)
}

// tell reports the lines of an iteration and publishes the first.
func (it *iterations) tell(infos []Info) {
	it.pool.publish(infos[0], func() {
		for _, info := range infos {
			if it.report != nil {
				it.report(info)
			}
		}
	})
}

// result returns the best move of the main worker, or a win that the solver has found.
func (it *iterations) result() Result {
	info := it.describe(&it.main.rootMoves[0], it.main.rootDepth, 0)
	info.PV = slices.Clone(info.PV)
	if f := it.pool.found.win.Load(); f != nil && info.Score < WinIn(f.plies) {
		info.Score, info.PV = WinIn(f.plies), f.line
		it.infos = append(it.infos[:0], info)
		it.tell(it.infos)
		return Result{Move: f.move, Info: info}
	}
	return Result{Move: it.main.rootMoves[0].move, Info: info}
}

func (it *iterations) elapsed() time.Duration { return it.pool.now().Sub(it.start) }

// afterFailure returns the best move that the first worker knew when it panicked.
func (p *Pool) afterFailure() Result {
	p.last = [2]lastMove{}
	w := p.workers[0]
	if len(w.rootMoves) == 0 {
		return Result{}
	}
	return Result{Move: w.rootMoves[0].move, Info: Info{Nodes: w.nodes}}
}

// describe returns the Info of a line, whose move is r, with the nodes of all workers.
func (it *iterations) describe(r *rootMove, depth, line int) Info {
	main := it.main
	info := main.info(r, depth, line, it.lines, it.elapsed())
	info.Score = main.plain(info.Score, info.PV)
	info.Nodes = main.nodes + main.solved
	for _, w := range it.pool.workers[1:] {
		info.Nodes += w.total.Load()
	}
	info.Cutoffs, info.First = main.cutoffs, main.firsts
	return info
}

// follow makes the board of the worker equal to b.
func (w *worker) follow(evaluator func(*board.Board) Evaluator, b *board.Board) {
	var made bool
	if w.b, made = board.Copy(w.b, b); made {
		w.eval = evaluator(w.b)
		w.corrections = corrections{} // they were of another rule or size
	}
}

// setUp makes the worker ready for a new search of b.
func (w *worker) setUp(evaluator func(*board.Board) Evaluator, b *board.Board, l Limits, deadline time.Time) {
	w.follow(evaluator, b)
	w.eval.Reset(w.b, l.Style)
	// Values of different styles cannot be compared. A style of the side to move is its opposite for
	// the other side.
	style := l.Style
	if b.Side() == board.White {
		style = -style
	}
	if style != w.style {
		w.style, w.corrections = style, corrections{}
	}
	if style != 0 {
		const positive = 1 << 16 // added to a style
		w.b.Rekey(uint64(style+positive) * board.Golden)
	}
	// A style adds so much for one side that an even position would count as clear. In renju
	// compressed values lost: 203-246-102 of 551 games at 60,000 and 150,000 nodes a move, 2026-11.
	w.compresses = style == 0 && b.Rule()&board.Renju == 0
	w.history = history{}
	w.stack = [maxPly + 4]frame{}
	w.nodes, w.cutoffs, w.firsts, w.solved = 0, 0, 0, 0
	w.total.Store(0)
	w.solver, w.leads, w.again = nil, false, false
	w.stopped, w.limit, w.deadline, w.nextCheck = false, l.Nodes, deadline, 0
	w.checked, w.stall = time.Time{}, 0
	w.firstDepth, w.secondDepth, w.resumed = 1, l.From, false
	w.rootDepth, w.depthBefore = 0, 0
	w.restrict(l.Restrict, b.Hash())
}

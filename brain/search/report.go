package search

import (
	"slices"
	"time"

	"tengen/brain/board"
	"tengen/brain/score"
)

// iterations follows the iterations of the main worker in one search.
type iterations struct {
	pool     *Pool
	main     *worker
	limits   Limits
	lines    int
	start    time.Time
	report   func(Info) // nil for none
	time     timeManager
	expected Value  // of a win that is no further away; -infinity for none
	infos    []Info // of all lines

	// whole is the last result of all lines. With several lines only whole iterations count,
	// so that what is played is what was reported as best.
	whole Result
}

// newIterations returns the iterations of a search of b, for which the pool is set up.
func (p *Pool) newIterations(b *board.Board, l Limits, start time.Time, report func(Info)) *iterations {
	main := p.workers[0]
	it := &iterations{
		pool: p, main: main, limits: l, lines: min(max(l.Lines, 1), len(main.root.moves)), start: start, report: report,
		time: newTimeManager(p.last[b.Side()&1].valueBefore(b)), expected: -infinity,
	}
	if l.Restrict == nil {
		it.expected = p.expectedWin(b)
	}
	return it
}

// finished reports the lines of an iteration of the given depth, whole or not, and says whether to go
// on.
func (it *iterations) finished(depth int, whole bool) bool {
	it.reportLines(depth)
	l, main := &it.limits, it.main
	best := &main.root.moves[0]
	v := best.score
	if l.Resume && whole && !main.restraint.barsRoot() {
		main.remember(best.move, v, depth)
	}
	switch {
	case it.lines > 1:
	case v >= it.expected && v >= score.WinFloor:
		return false
	case v >= score.WinFloor && depth >= int(score.WinIn(0)-it.expected):
		return false // the expected win is not found again
	case v <= -score.WinFloor && depth >= int(v-score.LossIn(0)):
		return false // no move delays the loss further
	case l.Soft > 0 && main.forced() && depth >= forcedDepth:
		if it.playsForced(v) {
			return false
		}
		main.limits.hurry(it.start.Add(forcedTime))
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
		it.infos = append(it.infos, it.describe(&it.main.root.moves[line], depth, line))
	}
	if it.lines > 1 {
		it.whole = Result{Move: it.infos[0].PV[0], Info: it.infos[0]}
	}
	it.tell()
}

// describe returns the Info of a line, whose move is r, after an iteration, with the nodes of all
// workers.
func (it *iterations) describe(r *rootMove, depth, line int) Info {
	main := it.main
	v := r.score
	if v == -infinity {
		v, depth = r.previous, main.root.depthBefore
	}
	if v == -infinity {
		v, depth = main.unsearched(r.move), 0
	}
	elapsed := it.elapsed()
	pv := slices.Clone(main.showLine(r, v, depth)) // it is the caller's
	return Info{
		Line: line, Lines: it.lines, Depth: depth, SelDepth: max(r.selDepth, depth), Score: main.reported(v, pv),
		Nodes: it.nodes(), Elapsed: elapsed, PV: pv,
	}
}

// nodes returns what all workers have searched.
func (it *iterations) nodes() int64 {
	n := it.main.nodes + it.main.solverNodes
	for _, w := range it.pool.workers[1:] {
		n += w.limits.total.Load()
	}
	return n
}

// tell reports the lines of an iteration.
func (it *iterations) tell() {
	if it.report == nil {
		return
	}
	for _, info := range it.infos {
		it.report(info)
	}
}

// result returns the best move of the main worker, or a win that the solver has found. With several
// lines it is that of the last whole iteration, with all nodes and time.
func (it *iterations) result() Result {
	if it.hasWhole() {
		r := it.whole
		r.Info.Nodes, r.Info.Elapsed = it.nodes(), it.elapsed()
		return r
	}
	best := &it.main.root.moves[0]
	info := it.describe(best, it.main.root.depth, 0)
	if f := it.main.provedWin(); f != nil && info.Score < score.WinIn(f.Plies) {
		info.Score, info.PV = score.WinIn(f.Plies), f.Line
		it.infos = append(it.infos[:0], info)
		it.tell()
		return Result{Move: f.Move, Info: info}
	}
	return Result{Move: best.move, Info: info}
}

// hasWhole reports whether whole is the result.
func (it *iterations) hasWhole() bool { return it.lines > 1 && it.whole.Move != board.None }

func (it *iterations) elapsed() time.Duration { return it.pool.now().Sub(it.start) }

// A RootEvent tells how far the first worker is at the root with the best line.
type RootEvent struct {
	Kind RootEventKind
	Move board.Move // None for IterationBegins
}

// A RootEventKind says what a RootEvent tells.
type RootEventKind uint8

const (
	IterationBegins RootEventKind = iota // or begins again with another window
	MoveBegins                           // the search of a move
	MoveEnds
	MoveIsBest // of those of this iteration so far
	MoveLoses  // proved, told once of a move, of some before the first iteration
)

// tell reports an event.
func (w *worker) tell(kind RootEventKind, m board.Move) {
	if w.root.watch != nil {
		w.root.watch(RootEvent{kind, m})
	}
}

package search

import (
	"slices"
	"time"

	"tengen/brain/board"
)

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

// describe returns the Info of a line, whose move is r, with the nodes of all workers.
func (it *iterations) describe(r *rootMove, depth, line int) Info {
	main := it.main
	info := main.info(r, depth, line, it.lines, it.elapsed())
	info.Score = main.plain(info.Score, info.PV)
	info.Nodes = it.nodes()
	info.Cutoffs, info.First = main.cutoffs, main.firsts
	return info
}

// nodes returns what all workers have searched.
func (it *iterations) nodes() int64 {
	n := it.main.nodes + it.main.solverNodes
	for _, w := range it.pool.workers[1:] {
		n += w.total.Load()
	}
	return n
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
	if f := it.main.provedWin(); f != nil && info.Score < WinIn(f.Plies) {
		info.Score, info.PV = WinIn(f.Plies), f.Line
		it.infos = append(it.infos[:0], info)
		it.tell(it.infos)
		return Result{Move: f.Move, Info: info}
	}
	return Result{Move: it.main.rootMoves[0].move, Info: info}
}

func (it *iterations) elapsed() time.Duration { return it.pool.now().Sub(it.start) }

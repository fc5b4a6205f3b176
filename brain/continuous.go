package brain

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"tengen/brain/board"
	"tengen/brain/continuous"
	"tengen/brain/search"
)

// The ordinary search takes a row for the end of the game. In a continuous game that is right
// as long as neither side can force one, once the rows that nobody can prevent any more are out
// of the way. When a row can be forced, it matters what follows: the other side is then to move,
// and often has one for itself. So the ways to force a row, or to suffer one, are followed by
// plans up to positions where nobody can force another, and the best of them is taken.
//
// Set by hand 2026-11.
const (
	byRowsPart = 8    // divisors of what is left for plans: of it, the search by rows takes 1/n, ...
	linesPart  = 8    // ... the search for other moves 1/n ...
	judgePart  = 32   // ... and each search of a plan 1/n of the rest, at first, ...
	leastPart  = 8    // ... and at last; ...
	judgeNodes = 2500 // ... or these nodes of each worker if there is no limit
	sparePart  = 25   // divisor: plans leave 1/n of the time, since no search ends on the spot
	planLines  = 6    // moves for which a plan is made, besides that of the search by rows
	planMargin = 150  // by so much another plan has to be better than to force the row as soon as possible
	rowSeen    = 1100 // value above which a search by rows has seen a row, in points of which continuous.Row are one
	enough     = 500  // value of a plan with which no quiet move is considered instead

	rowNodes = 100_000 // of the search by rows if there is no limit but the depth, which does not bound it
)

// thinkContinuous searches for the move that scores the most rows in the long run.
func (e *Engine) thinkContinuous(ctx context.Context, l search.Limits, report func(Info)) (m board.Move, infos []Info, notes []string) {
	if l.Lines > 1 || l.Restrict != nil {
		return e.thinkFull(ctx, e.board, l, report)
	}
	total := &budget{ctx: ctx, limits: l, begun: time.Now()}
	settled, _ := continuous.Settle(e.board)
	foul := func(m board.Move) bool { return settled.Legal(m) && !e.board.Legal(m) } // as long as the rows are not made
	if !settled.HasMove() || slices.ContainsFunc(settled.Open().Append(nil), foul) {
		settled = e.board
	}
	l.Prove = true // what it leaves of the limits then is for plans
	m, infos, notes = e.thinkFull(ctx, settled, l, report)
	if len(infos) == 0 || len(notes) > 0 || !infos[0].Score.Proven() {
		return m, infos, notes
	}
	total.spent += infos[0].Nodes
	best, notes := e.planRows(total, settled, infos[0])
	if best.PV[0] != m && report != nil {
		report(best)
	}
	return best.PV[0], []Info{best}, notes
}

// A choice is a move for which a plan may be made, with what a search found for it.
type choice struct {
	Info
	quiet bool // it is not known to force a row
}

// planRows makes plans for several moves where a row can be forced, of which the ordinary
// search of the settled position has found one, and returns the best. It does so in rounds,
// each with longer searches, of which only whole ones count.
func (e *Engine) planRows(total *budget, settled *board.Board, found Info) (best Info, notes []string) {
	best = found
	total.limits.Soft, total.limits.Hard = total.limits.Soft-total.limits.Soft/sparePart, total.limits.Hard-total.limits.Hard/sparePart
	list, notes := e.choices(total, settled, found)
	if len(list) == 1 {
		return best, notes
	}
	for part := judgePart; part >= leastPart; part /= 2 {
		each, ok := total.part(part)
		if !total.limited() {
			part = leastPart // one round is all
		}
		judge := func(b *board.Board, without []board.Move) (points int, line []board.Move, won int) {
			l, left := total.part(1)
			if ok = ok && left; !ok || len(notes) > 0 {
				return 0, nil, 0
			}
			l.Nodes = min(l.Nodes, each.Nodes)
			l.Soft, l.Hard = min(l.Soft, each.Soft), min(l.Hard, each.Hard)
			if !total.limited() {
				l.Nodes = e.each(judgeNodes)
			}
			if len(without) > 0 {
				l.Restrict = &search.Restrictions{Root: without}
			}
			result, failed := e.search(total.ctx, b, l, nil)
			notes = append(notes, failed...)
			total.spent += result.Info.Nodes
			switch v := result.Info.Score; {
			case v >= search.WinFloor:
				return 0, result.Info.PV, 1
			case v <= -search.WinFloor:
				return 0, result.Info.PV, -1
			default:
				return int(v), nil, 0
			}
		}
		c := bestPlan(e.board, list, found.Score > 0, judge)
		if !ok || len(notes) > 0 {
			break
		}
		best = c.Info
	}
	return best, notes
}

// bestPlan returns the choice with the best plan. If the side to move forces a row, the first
// is how to do it as soon as possible, and it is for the others to be clearly better; those that
// force none are considered if the row gains little.
func bestPlan(b *board.Board, list []choice, forces bool, judge continuous.Judge) choice {
	best, value := list[0], continuous.Plan(b, list[0].PV[0], judge)
	for _, c := range list[1:] {
		if c.quiet && value >= enough {
			break
		}
		v := continuous.Plan(b, c.PV[0], judge)
		if forces {
			v -= planMargin
		}
		if v > value {
			best, value = c, v
		}
	}
	return best
}

// choices lists the moves for which plans may be made, found first and quiet ones last.
func (e *Engine) choices(total *budget, settled *board.Board, found Info) (list []choice, notes []string) {
	list = []choice{{Info: found}}
	add := func(i Info, quiet bool) {
		if hasMove(e.board, i) && !slices.ContainsFunc(list, func(c choice) bool { return c.PV[0] == i.PV[0] }) {
			i.Line, i.Lines = 0, 1
			list = append(list, choice{i, quiet})
		}
	}
	var byRows *Info
	if l, ok := total.part(byRowsPart); ok {
		if !total.limited() {
			l.Nodes = rowNodes
		}
		byRows, notes = e.searchRows(total.ctx, l)
	}
	var lines []Info
	if l, ok := total.part(linesPart); ok {
		l.Lines = planLines
		if !total.limited() {
			l.Nodes = e.each(judgeNodes)
		}
		result, failed := e.search(total.ctx, settled, l, collect(&lines, nil))
		notes = append(notes, failed...)
		total.spent += result.Info.Nodes
	}
	if byRows != nil {
		total.spent += byRows.Nodes
		if found.Score < 0 || byRows.Score > rowSeen {
			add(*byRows, false)
		}
	}
	for _, i := range lines {
		if i.Score >= search.WinFloor {
			add(i, false)
		}
	}
	for _, i := range lines {
		add(i, found.Score > 0)
	}
	if byRows != nil {
		add(*byRows, found.Score > 0)
	}
	return list, notes
}

// searchRows searches the position of the game by rows. It returns nil if it finds no move,
// with a note if it has failed.
func (e *Engine) searchRows(ctx context.Context, l search.Limits) (info *Info, notes []string) {
	start := time.Now()
	defer func() {
		if r := recover(); r != nil {
			e.rows = nil
			info, notes = nil, notesOf([]search.Failure{{What: fmt.Sprint(r), Stack: string(debug.Stack())}})
		}
	}()
	if e.rows == nil {
		e.rows = continuous.New(e.rowsTable)
	}
	past := func(limit time.Duration) bool { return limit > 0 && time.Since(start) >= limit }
	r := e.rows.Search(e.board, continuous.Limits{
		Nodes: l.Nodes, Depth: l.Depth,
		Stop:   func() bool { return ctx.Err() != nil || past(l.Hard) },
		Enough: func() bool { return past(l.Soft) },
	})
	if len(r.PV) == 0 {
		return nil, nil
	}
	return &Info{
		Lines: 1, Depth: r.Depth, SelDepth: r.SelDepth, Score: search.Value(r.Value), Nodes: r.Nodes,
		Elapsed: time.Since(start), PV: r.PV,
	}, nil
}

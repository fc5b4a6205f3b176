package brain

import (
	"context"
	"slices"
	"time"

	"tengen/brain/board"
	"tengen/brain/search"
)

// The search takes a row for the end of the game. In a continuous game that is right as long
// as neither side can force one: who makes the first row is usually who makes the next as
// well. When a row can be forced, it matters what follows. Then the best lines are played
// up to their row, its stones become walls, and the position after it is searched, where
// another row may be forced. The values are added up.
//
// Points are those of rowPoints; set by hand in November 2026.
const (
	rowPoints    = 100 // a row
	unseenPoints = 60  // a row that is forced, with no thought of what follows
	hopePoints   = 50  // of a position in which no row can be forced, at most
	hopeHalf     = 200 // value of the search for half of hopePoints

	rowLines = 6 // lines that are compared
	rowDepth = 1 // rows that are followed

	firstTenths = 6 // of the time for the search that takes a row for the end of the game
)

// thinkContinuous searches for the move that scores the most rows in the long run.
func (e *Engine) thinkContinuous(ctx context.Context, l search.Limits, report func(Info)) (board.Move, []Info, []string) {
	if l.Lines > 1 {
		return e.thinkFull(ctx, l, report)
	}
	start, whole := time.Now(), l
	l.Soft, l.Hard = l.Soft*firstTenths/10, l.Hard*firstTenths/10
	m, infos, notes := e.thinkFull(ctx, l, report)
	if len(infos) == 0 || !infos[0].Score.Proven() {
		return m, infos, notes
	}
	// As many nodes again, or the time that is left.
	c := &chooser{e: e, ctx: ctx, b: e.board, limits: whole, begun: time.Now()}
	if whole.Hard > 0 {
		used := c.begun.Sub(start)
		c.limits.Soft, c.limits.Hard = max(whole.Soft-used, 1), max(whole.Hard-used, 1)
	}
	game := e.game.clone()
	best, value := infos[0], c.rowsAfter(game, infos[0].Score, infos[0].PV, rowDepth)
	for _, i := range c.infos(rowLines, 2) {
		if c.over() {
			break
		}
		if i.PV[0] == best.PV[0] {
			continue
		}
		if v := c.rowsAfter(game, i.Score, i.PV, rowDepth); v > value {
			best, value = i, v
		}
	}
	if len(notes) == 0 {
		notes = c.notes
	}
	best.Line, best.Lines = 0, 1
	return best.PV[0], []Info{best}, notes
}

// rows returns the points that the side to move in the game will gain, following at most
// depth rows. It searches.
func (c *chooser) rows(game position, depth int) int {
	b, err := board.New(c.b.Rule(), game.width, game.height)
	if err != nil || c.over() {
		return 0
	}
	if game.on(b); !b.HasMove() {
		return 0
	}
	result, notes := c.e.search(c.ctx, b, c.share(2*rowLines), nil)
	c.note(notes)
	return c.rowsAfter(game, result.Info.Score, result.Info.PV, depth)
}

// rowsAfter returns the points for the side to move in the game if a search of it has found
// the value v and the line pv.
func (c *chooser) rowsAfter(game position, v search.Value, pv []board.Move, depth int) int {
	sign := 1
	if v < 0 {
		sign = -1
	}
	if !v.Proven() {
		return sign * hopePoints * int(abs(v)) / (int(abs(v)) + hopeHalf)
	}
	if depth == 0 {
		return sign * unseenPoints
	}
	b, err := board.New(c.b.Rule(), game.width, game.height)
	if err != nil {
		return 0
	}
	game.on(b)
	me := b.Side()
	game = game.clone()
	for _, m := range pv {
		if !b.Legal(m) {
			break
		}
		side := b.Side()
		_, rows := b.Rows(nil, side, m)
		game.add(m)
		if rows == 0 {
			b.Play(m)
			continue
		}
		points := rowPoints*rows - c.rows(game, depth-1)
		if side != me {
			return -points
		}
		return points
	}
	return sign * unseenPoints // the line ends before the row
}

// infos searches the position of c.b for several lines with one of parts of the budget.
func (c *chooser) infos(lines, parts int) []Info {
	l := c.share(parts)
	l.Lines = min(lines, c.b.Empties())
	var list []Info
	_, notes := c.e.search(c.ctx, c.b, l, func(i Info) {
		for len(list) <= i.Line {
			list = append(list, Info{})
		}
		list[i.Line] = i
		if c.report != nil {
			c.report(i)
		}
	})
	c.note(notes)
	return slices.DeleteFunc(list, func(i Info) bool { return len(i.PV) == 0 || !c.b.Legal(i.PV[0]) })
}

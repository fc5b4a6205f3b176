package brain

import (
	"context"
	"time"

	"tengen/brain/board"
	"tengen/brain/search"
)

// Budget of a search for threats alone. Set by hand 2026-11.
const (
	movePart  = 5         // divisor: 1/n of the time and the nodes is kept for a move if there is no win
	moveNodes = 20_000    // of each worker for that move if neither is limited
	winNodes  = 2_000_000 // for the win if only the depth is limited, which does not bound it: two seconds
)

// thinkThreats looks for a win by continuous threats, and searches for a move with what is
// left if it finds none, which a note then says.
func (e *Engine) thinkThreats(ctx context.Context, l search.Limits, report func(Info)) (board.Move, []Info, []string) {
	total := budget{ctx: ctx, limits: l, begun: time.Now()}
	nodes := l.Nodes - l.Nodes/movePart
	if l.Depth > 0 && l.Nodes == 0 && l.Soft == 0 {
		nodes = winNodes
	}
	r, over, ok := e.pool.WinByThreats(ctx, e.board, search.Limits{Nodes: nodes, Hard: l.Soft - l.Soft/movePart})
	if r.Move != board.None {
		if report != nil {
			report(r.Info)
		}
		return r.Move, []Info{r.Info}, nil
	}
	total.spent = r.Info.Nodes
	m, infos, notes := e.thinkFull(ctx, e.board, e.briefly(total), report)
	note := "no win by threats was found"
	switch {
	case !ok:
		note = "there is too little memory to look for wins by threats"
	case over:
		note += ", and all of them have been tried"
	}
	return m, infos, append(append(notesOf(r.Failures), notes...), note)
}

// briefly returns the limits of a search for a move, with what is left of total or short ones.
func (e *Engine) briefly(total budget) search.Limits {
	l := total.left()
	if !total.limited() {
		l.Nodes = e.each(moveNodes)
	}
	return l
}

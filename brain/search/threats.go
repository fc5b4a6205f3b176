package search

import (
	"context"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/threat"
)

// WinByThreats looks for a win of the side to move by continuous threats, with the solver
// alone, until ctx ends, l.Hard has passed or l.Nodes are used; other limits do not count.
// Move is None if none was found, and then over says that nothing is left to be tried. With ok
// false nothing was looked for: the pool has no solver. After a panic Failures has it, and
// nothing is found. b is not changed.
func (p *Pool) WinByThreats(ctx context.Context, b *board.Board, l Limits) (result Result, over, ok bool) {
	p.wait()
	start := p.now()
	p.makeSolver()
	s := p.solver
	result.Move = board.None
	if s == nil {
		return result, false, false
	}
	defer func() {
		if r := recover(); r != nil {
			s.failed = true // its boards and stacks may be left in any state
			result, over, ok = Result{Move: board.None, Failures: []Failure{recovered(0, r)}}, false, true
		}
	}()
	asked, late := 0, false
	stop := func() bool {
		if asked++; l.Hard > 0 && asked%clockEvery == 0 {
			late = late || p.now().Sub(start) >= l.Hard
		}
		return late || ctx.Err() != nil
	}
	nodes := int(min(l.Nodes, int64(^uint(0)>>1)))
	s.follow(p.eval, b)
	v := s.vct[b.Side()]
	proof := v.Win(s.b, threat.Limits{Nodes: nodes, Stop: stop})
	result.Info = Info{Lines: 1, Nodes: int64(v.Nodes()), Elapsed: p.now().Sub(start)}
	if proof == nil {
		return result, v.Exhausted(), true
	}
	s.forgetWins() // else those of earlier positions pile up: only a search forgets them
	if !s.won(&p.found, proof) {
		return result, false, true
	}
	win := p.found.win.Load()
	result.Move = win.move
	result.Info.Depth, result.Info.SelDepth = win.plies, win.plies
	result.Info.Score, result.Info.PV = WinIn(win.plies), win.line
	return result, true, true
}

// follow makes the board of the solver equal to b.
func (s *solver) follow(evaluator func(*board.Board) eval.Evaluator, b *board.Board) {
	var made bool
	if s.b, made = board.Copy(s.b, b); made {
		guide := evaluator(s.b)
		for _, v := range s.vct {
			v.SetGuide(guide)
		}
	}
}

// Package solver looks for wins by continuous threats beside a search: for the side to move, for
// the opponent after a pass, which refutes all moves that do not stop that win, and for the opponent
// after the move that is best so far. The search gives it nodes and takes its findings. All that it
// finds is proved against every reply.
package solver

import (
	"sync/atomic"

	"tengen/brain/board"
	"tengen/brain/threat"
)

// A Solver goes with one search. One goroutine, that of Step, runs it; another may call Findings
// meanwhile.
type Solver struct {
	mem    *Memory
	task   Task
	shares *shares
	next   int64 // nodes of the search before the next step; 0 before the first
	turn   int   // what the side to move is due, in 1/scale of a step
	nodes  int   // of a step ...
	every  int64 // ... and of the search up to the next one
	pass   pass

	win    atomic.Pointer[Finding]
	stops  atomic.Pointer[board.Set] // not yet taken
	losses atomic.Pointer[[]Finding] // not yet taken
}

// A Finding is a proof about a move of the side to move at the root.
type Finding struct {
	Move  board.Move
	Plies int          // to the five of the winner, Move included
	Line  []board.Move // Move first; the five is last if it has that length
}

// Findings are what a solver has proved.
type Findings struct {
	Win    *Finding   // a move that wins; nil if none is known
	Losses []Finding  // moves that lose, each returned once
	Stops  *board.Set // returned once, by the first step: all other moves lose; nil if there is no such set
}

// A Task is a search that a solver goes with.
type Task struct {
	Board *board.Board // the root
	Moves []board.Move // that are searched from it; read by the first step alone
	Study bool         // deep wins matter more than time: see search.Limits

	// Called by Step: Stop while it works, which ends early once that returns true, and Standing for
	// the best root move so far, or None, and the points of the side to move.
	Stop     func() bool
	Standing func() (best board.Move, points int)
}

// Step gives the solver the nodes that it is due after the given number of nodes of its worker, and
// returns how many it took: 0 where none are due. The first step comes before the search: what the
// search before has proved is a win at once, else it looks for a win by fours that the opponent has
// after a pass.
func (s *Solver) Step(searched int64) (nodes int) {
	switch {
	case searched < s.next:
		return 0
	case s.next == 0:
		s.next = stepEvery
		if p := s.mem.takeProofs(); p == nil || !s.takeWin(p) {
			nodes = s.foursAfterPass()
		}
	default:
		nodes = s.step(searched)
		s.next = searched + s.every
	}
	return nodes
}

// Findings returns the win, and what else was proved and not returned before. One goroutine may call
// it.
func (s *Solver) Findings() (f Findings) {
	f.Win, f.Stops = s.win.Load(), s.stops.Swap(nil)
	if losses := s.losses.Swap(nil); losses != nil {
		f.Losses = *losses
	}
	return f
}

// addLosses adds to what Findings returns.
func (s *Solver) addLosses(more []Finding) {
	if len(more) == 0 {
		return
	}
	if old := s.losses.Swap(nil); old != nil {
		more = append(*old, more...)
	}
	s.losses.Store(&more)
}

// takeWin takes the proof of a win of the side to move. It reports whether it has a move for that.
func (s *Solver) takeWin(p *threat.Proof) bool {
	f := s.mem.winBy(p)
	if f != nil {
		s.win.Store(f)
	}
	return f != nil
}

// step works on what is due and returns its nodes.
func (s *Solver) step(searched int64) (nodes int) {
	best, points := s.task.Standing()
	at := standingAt(points)
	due := s.shares[at]
	s.setStep(due.own + due.reply)
	if at != ahead {
		if s.pass.win != nil {
			nodes = s.refuteByPass()
		} else if nodes = s.winAfterPass(searched); s.pass.left > 0 && s.pass.win == nil {
			return nodes + s.ownWin(at) // the VCT of the opponent is in use
		}
	}
	// What comes second has its turn if there is nothing to do for the first.
	if s.turn += due.own * scale / (due.own + due.reply); s.turn >= scale {
		s.turn -= scale
		if n := s.ownWin(at); n > 0 {
			return nodes + n
		}
		return nodes + s.replyWin(at, best)
	}
	if n := s.replyWin(at, best); n > 0 {
		return nodes + n
	}
	return nodes + s.ownWin(at)
}

// setStep sets the nodes of a step, and of the search up to the next one, for a share of all nodes.
func (s *Solver) setStep(share int) {
	s.nodes, s.every = stepEvery*share/(scale-share), stepEvery
	if s.nodes < leastStep && !s.pass.busy() {
		s.nodes, s.every = leastStep, int64(leastStep*(scale-share)/share)
	}
}

// standingAt returns the standing at a value of the search.
func standingAt(points int) standing {
	switch {
	case points > even:
		return ahead
	case points < -even:
		return behind
	}
	return level
}

// ownWin looks for a win of the side to move, unless it is ahead by fours and open threes alone.
func (s *Solver) ownWin(at standing) int {
	if s.win.Load() != nil {
		return 0
	}
	b := s.mem.b
	v := s.mem.vct[b.Side()]
	if p := v.Win(b, s.limits(at != ahead)); p != nil {
		s.takeWin(p)
	}
	return v.Nodes()
}

// replyWin looks for a win of the opponent after m, the best root move, unless that is behind by fours
// and open threes alone.
func (s *Solver) replyWin(at standing, m board.Move) int {
	b := s.mem.b
	v := s.mem.vct[b.Side().Other()]
	if m == board.None || !b.Legal(m) || b.Wins(b.Side(), m) {
		return 0
	}
	b.Play(m)
	if p := v.Win(b, s.limits(at != behind)); p != nil {
		s.addLosses([]Finding{{m, p.Plies + 1, append([]board.Move{m}, p.Line(b)...)}})
		s.mem.keep(p)
	}
	b.Undo()
	return v.Nodes()
}

// limits returns those of a VCT in this step, by fours and open threes alone or by all threats.
func (s *Solver) limits(threes bool) threat.Limits {
	return threat.Limits{Nodes: s.nodes, Stop: s.task.Stop, Threes: threes}
}

// Package solver looks for wins by continuous threats beside a search: for the side to move, for
// the opponent after a pass, which refutes all moves that do not stop that win, and for the opponent
// after the move that is best so far. The search gives it nodes and takes its findings. All that it
// finds is proved against every reply.
package solver

import (
	"sync/atomic"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/threat"
)

// A Solver works on a board of its own, in memory that New and Resize allocate. One goroutine, that of
// Step, runs it; another may call SetBest, SetValue and Findings meanwhile.
type Solver struct {
	evaluator func(*board.Board) eval.Evaluator

	b   *board.Board
	vct [2]*threat.VCT // of attackers black and white
	vcf *threat.VCF

	stop   func() bool
	shares *shares
	next   int64 // nodes of the search before the next step
	turn   int   // what the side to move is due, in 1/scale of a step
	nodes  int   // of a step ...
	every  int64 // ... and of the search up to the next one
	won    bool  // the side to move is proved to win

	pass   pass
	proofs []keptProof // of this search, for the next one

	best   atomic.Int32 // the root move that is best so far
	value  atomic.Int32 // of the last iteration, in points
	win    atomic.Pointer[Finding]
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
	Win    *Finding  // a move that wins; nil if none is known
	Losses []Finding // moves that lose, each returned once
}

// A Task is a search that a solver goes with.
type Task struct {
	Board *board.Board // the root
	Moves []board.Move // that are searched from it; read by Begin alone
	Study bool         // deep wins matter more than time: see search.Limits
	Stop  func() bool  // polled while the solver works, which ends early once it returns true
}

// New returns a solver whose tables take about the given memory. evaluator makes the evaluators that
// guide it, see threat.VCT.SetGuide: one for each rule and size that it meets. It allocates about 0.3 MB
// on the heap: see Resize for the tables.
func New(bytes int64, evaluator func(*board.Board) eval.Evaluator) *Solver {
	s := &Solver{evaluator: evaluator, vcf: threat.NewVCF(0)}
	for i := range s.vct {
		s.vct[i] = threat.NewVCT(0)
	}
	s.Resize(bytes)
	return s
}

// Resize gives the solver tables of about the given memory, in no time: they are outside the heap, and what
// it had goes back to the system in the background. It forgets all that was found out.
func (s *Solver) Resize(bytes int64) {
	s.forgetProofs()
	s.vcf.Resize(bytes / vcfPart)
	for _, v := range s.vct {
		v.Resize(bytes / vctPart)
	}
}

// Close gives the memory of the tables back, in the background. The solver is not used afterwards.
func (s *Solver) Close() {
	s.vcf.Free()
	for _, v := range s.vct {
		v.Free()
	}
}

// Clear forgets all that was found out in earlier searches.
func (s *Solver) Clear() {
	s.forgetProofs()
	s.vcf.Clear()
	for _, v := range s.vct {
		v.Clear()
	}
}

// Begin makes the solver ready for a search. Where the search before has proved how the side to move
// wins, that is a finding at once. Else it looks for a win by fours that the opponent has after a
// pass.
func (s *Solver) Begin(task Task) (t Threat) {
	s.follow(task.Board)
	s.stop = task.Stop
	switch {
	case task.Study:
		s.shares = &studyShares
	case s.b.Ply() > early:
		s.shares = &lateShares
	default:
		s.shares = &earlyShares
	}
	s.next, s.turn, s.won = stepEvery, 0, false
	s.pass.end()
	s.pass.win, s.pass.moves, s.pass.tested = nil, s.pass.moves[:0], 0
	s.best.Store(int32(board.None))
	s.value.Store(0)
	s.win.Store(nil)
	s.losses.Store(nil)
	if p := s.takeProofs(); p == nil || !s.record(p) {
		t = s.threatAfterPass(task.Moves)
	}
	return t
}

// Prepare makes the solver ready for the board b, so that Begin does not have to: its evaluator is
// loaded.
func (s *Solver) Prepare(b *board.Board) { s.follow(b) }

// follow makes the board of the solver equal to b.
func (s *Solver) follow(b *board.Board) {
	var made bool
	if s.b, made = board.Copy(s.b, b); made {
		guide := s.evaluator(s.b)
		for _, v := range s.vct {
			v.SetGuide(guide)
		}
	}
}

// SetBest says which root move is the best so far.
func (s *Solver) SetBest(m board.Move) { s.best.Store(int32(m)) }

// SetValue says how many points the search gives the side to move at the root.
func (s *Solver) SetValue(points int) { s.value.Store(int32(points)) }

// Findings returns what was proved since Begin: the win, and the losses that were not returned
// before. One goroutine may call it.
func (s *Solver) Findings() (f Findings) {
	f.Win = s.win.Load()
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

// record takes the proof of a win of the side to move. It reports whether it has a move for that.
func (s *Solver) record(p *threat.Proof) bool {
	line := p.Line(s.b)
	if len(line) == 0 {
		return false
	}
	s.won = true
	s.keep(p)
	s.win.Store(&Finding{line[0], p.Plies, line})
	return true
}

// Step gives the solver the nodes that it is due after the given number of nodes of its worker since
// Begin, and returns how many it took: 0 where none are due.
func (s *Solver) Step(searched int64) int {
	if searched < s.next {
		return 0
	}
	nodes := s.step(searched)
	s.next = searched + s.every
	return nodes
}

// step works on what is due and returns its nodes.
func (s *Solver) step(searched int64) (nodes int) {
	at := standingAt(int(s.value.Load()))
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
		return nodes + s.replyWin(at)
	}
	if n := s.replyWin(at); n > 0 {
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
	if s.won {
		return 0
	}
	b := s.b
	v := s.vct[b.Side()]
	if p := v.Win(b, s.limits(at != ahead)); p != nil {
		s.record(p)
	}
	return v.Nodes()
}

// replyWin looks for a win of the opponent after the best root move, unless that is behind by fours
// and open threes alone.
func (s *Solver) replyWin(at standing) int {
	b := s.b
	v := s.vct[b.Side().Other()]
	m := board.Move(s.best.Load())
	if m == board.None || !b.Legal(m) || b.Wins(b.Side(), m) {
		return 0
	}
	b.Play(m)
	if p := v.Win(b, s.limits(at != behind)); p != nil {
		s.addLosses([]Finding{{m, p.Plies + 1, append([]board.Move{m}, p.Line(b)...)}})
		s.keep(p)
	}
	b.Undo()
	return v.Nodes()
}

// limits returns those of a VCT in this step, by fours and open threes alone or by all threats.
func (s *Solver) limits(threes bool) threat.Limits {
	return threat.Limits{Nodes: s.nodes, Stop: s.stop, Threes: threes}
}

// Prove looks for a win of the side to move on b, without a search. f is nil if none was found; over
// then says that nothing is left to be tried. nodes are those of the solver.
func (s *Solver) Prove(b *board.Board, l threat.Limits) (f *Finding, nodes int, over bool) {
	s.follow(b)
	v := s.vct[b.Side()]
	p := v.Win(s.b, l)
	if p == nil {
		return nil, v.Nodes(), v.Exhausted()
	}
	s.forgetProofs() // else those of earlier positions pile up: only a search forgets them
	if !s.record(p) {
		return nil, v.Nodes(), false
	}
	return s.win.Load(), v.Nodes(), true
}

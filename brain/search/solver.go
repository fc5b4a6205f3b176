package search

import (
	"sync/atomic"

	"tengen/brain/board"
	"tengen/brain/threat"
)

// A solver looks for wins by continuous threats while the workers search: for the side to
// move at the root, for the opponent after a pass there, which refutes all moves that do not
// stop that win, and for the opponent after the root move that is best so far. One
// worker runs it, a slice of nodes at a time, on a board of its own. What it proves holds
// against every reply, so the search takes it over: see worker.takeProofs. Nothing of it
// goes through the hash table but the value of the root, whose refuted moves count as lost.
type solver struct {
	b   *board.Board
	vct [2]*threat.VCT // of attackers black and white
	vcf *threat.VCF

	failed bool // it panicked, and must be replaced

	worker *worker // that runs it
	next   int64   // nodes of the worker before the next slice
	shares *shares
	slice  int   // nodes of a slice ...
	every  int64 // ... and of the worker between two
	turn   int   // 1/scale of a slice; what is due to the side to move
	over   bool  // the side to move is proved to win
	asked  int   // calls of stopped
	late   bool  // the deadline has passed
	stop   func() bool

	// A win of the opponent after a pass.
	passLeft  int   // nodes left for it
	passAgain int64 // nodes of the worker before there are more
	refuter   threat.Refuter
	refutes   *threat.Proof // nil if none is found
	untested  []board.Move  // root moves that it may refute, from this one on:
	tested    int

	// The wins that the last search has proved, of the side to move and after its moves.
	known []knownWin
}

// A knownWin is a position with its winner to move.
type knownWin struct {
	hash  uint64
	proof *threat.Proof
}

// A finding is a proof about a root move.
type finding struct {
	move  board.Move
	plies int          // to the five of the winner, move included
	line  []board.Move // move first; if it has that length, the five last
}

// findings pass proofs from the solver's worker to the first worker.
type findings struct {
	leader atomic.Int32            // the best root move of the first worker so far
	value  atomic.Int32            // of its last iteration
	win    atomic.Pointer[finding] // move wins
	losses atomic.Pointer[losses]  // moves that lose; the first worker takes them out
}

type losses []finding

// addLosses adds to the losses. One goroutine may call it.
func (f *findings) addLosses(more losses) {
	if len(more) == 0 {
		return
	}
	if old := f.losses.Swap(nil); old != nil {
		more = append(*old, more...)
	}
	f.losses.Store(&more)
}

// newSolver returns a solver whose tables take about the given memory.
func newSolver(bytes int64) *solver {
	s := &solver{vcf: threat.NewVCF(bytes / foursPart)}
	for i := range s.vct {
		s.vct[i] = threat.NewVCT(bytes / colorPart)
	}
	s.stop = s.stopped
	return s
}

func (s *solver) clear() {
	s.forgetWins()
	s.vcf.Clear()
	for _, v := range s.vct {
		v.Clear()
	}
}

// prepareSolver gives the solver, if there is one, to the last worker. It runs only when a
// single line is asked for, and all moves and results are those of the game.
func (p *Pool) prepareSolver(b *board.Board, l Limits) {
	p.found.leader.Store(int32(board.None))
	p.found.value.Store(0)
	p.found.win.Store(nil)
	p.found.losses.Store(nil)
	if p.solverBytes == 0 || l.Lines > 1 || l.Restrict.ChangeGame() {
		return
	}
	p.makeSolver()
	first, last := p.workers[0], p.workers[len(p.workers)-1]
	first.leads, last.solver = true, p.solver
	p.solver.failed = true // if it panics here, which is not while its worker searches
	p.solver.follow(p.eval, b)
	p.solver.prepare(last, l.Study)
	if !p.solver.reuseProof(&p.found) {
		p.solver.dropOutside(first)
	}
	p.solver.failed = false
}

// prepare makes the solver ready for a search of its board by w.
func (s *solver) prepare(w *worker, study bool) {
	s.worker = w
	switch {
	case study:
		s.shares = &studyShares
	case s.b.Ply() > solverEarly:
		s.shares = &lateShares
	default:
		s.shares = &earlyShares
	}
	s.next = solveEvery
	s.turn, s.over, s.asked, s.late = 0, false, 0, false
	s.passLeft, s.passAgain, s.refutes, s.untested, s.tested = 0, never, nil, s.untested[:0], 0
}

// reuseProof finds the win whose proof was found in the search before, if the game went on from
// there by its move and any reply, or by a move that it refutes. A proof whose move has just
// been played is kept for the next search.
func (s *solver) reuseProof(to *findings) bool {
	b := s.b
	if len(s.known) == 0 {
		return false
	}
	proof, begun := s.knownAt(b.Hash(), board.None), (*threat.Proof)(nil)
	last, reply := b.Back(2), b.Back(1)
	var before uint64
	if reply != board.None {
		b.Undo()
		before = b.Hash()
		begun = s.knownAt(before, reply)
		if proof == nil && last != board.None {
			b.Undo()
			if proof = s.knownAt(b.Hash(), last); proof != nil {
				proof = proof.After(reply)
			}
			b.Play(last)
		}
		b.Play(reply)
	}
	s.forgetWins()
	if begun != nil {
		s.known = append(s.known, knownWin{before, begun})
	}
	if proof == nil {
		return false
	}
	return s.won(to, proof)
}

// knownAt returns the proof known of the position with the hash that begins with m, or with
// any move if m is None; nil if there is none.
func (s *solver) knownAt(hash uint64, m board.Move) *threat.Proof {
	for _, k := range s.known {
		if k.hash == hash && (m == board.None || k.proof.Move == m) {
			return k.proof
		}
	}
	return nil
}

func (s *solver) forgetWins() {
	clear(s.known) // so that the proofs can be freed
	s.known = s.known[:0]
}

// won records the proof of a win of the side to move. It reports whether it has a move for that.
func (s *solver) won(to *findings, p *threat.Proof) bool {
	line := p.Line(s.b)
	if len(line) == 0 {
		return false
	}
	s.over = true
	s.keep(p)
	to.win.Store(&finding{line[0], p.Plies, line})
	return true
}

// keep keeps the proof of a win of the side to move for the next search.
func (s *solver) keep(p *threat.Proof) { s.known = append(s.known, knownWin{s.b.Hash(), p}) }

// stopped is polled by the searches for wins, see threat.Limits.
func (s *solver) stopped() bool {
	w := s.worker
	if s.asked++; s.asked%clockEvery == 0 && !w.deadline.IsZero() {
		s.late = s.late || !w.now().Before(w.deadline)
	}
	return s.late || w.stop.Load()
}

// dropOutside takes the root moves of w out that cannot stop a win by fours of the opponent, and
// adds those that can and are too far from the stones to be candidates.
func (s *solver) dropOutside(w *worker) {
	b := s.b
	o := b.Side().Other()
	if b.Count(o, board.MakesFive) > 0 || b.Count(b.Side(), board.MakesFive) > 0 {
		return
	}
	b.Pass()
	stops, plies := s.vcf.Stops(b, threat.Limits{Nodes: passFours, Stop: s.stop})
	b.Undo()
	w.solved += int64(s.vcf.Nodes())
	if plies == 0 {
		s.passLeft, s.passAgain = passNodes, passMore
		for i := range w.rootMoves {
			s.untested = append(s.untested, w.rootMoves[i].move)
		}
		return
	}
	w.addStops(&stops)
	for i := range w.rootMoves {
		if r := &w.rootMoves[i]; !stops.Has(r.move) {
			w.refute(r, &finding{r.move, plies + 1, append([]board.Move{r.move}, s.vcf.Line()...)})
		}
	}
	sortRoot(w.rootMoves)
}

// run works for one slice and returns its nodes.
func (s *solver) run(to *findings) int {
	v := Value(to.value.Load())
	part := s.shares.at(v)
	all := part.own + part.reply
	s.slice, s.every = solveEvery*all/(scale-all), solveEvery
	passes := s.passLeft > 0 || s.refutes != nil && s.tested < len(s.untested)
	if s.slice < leastSlice && !passes {
		s.slice, s.every = leastSlice, int64(leastSlice*(scale-all)/all)
	}
	nodes := 0
	ownThrees, replyThrees := v <= solverEven, v >= -solverEven
	if v <= solverEven {
		if s.refutes != nil {
			nodes = s.runRefuted(to)
		} else if nodes = s.runPass(); s.passLeft > 0 && s.refutes == nil {
			return nodes + s.runOwn(to, ownThrees) // the VCT of the opponent is in use
		}
	}
	if s.turn += part.own * scale / all; s.turn >= scale {
		s.turn -= scale
		if own := s.runOwn(to, ownThrees); own > 0 {
			return nodes + own
		}
		return nodes + s.runReply(to, replyThrees)
	}
	if reply := s.runReply(to, replyThrees); reply > 0 {
		return nodes + reply
	}
	return nodes + s.runOwn(to, ownThrees)
}

// at returns the share for a value of the search.
func (s *shares) at(v Value) share {
	switch {
	case v > solverEven:
		return s.ahead
	case v < -solverEven:
		return s.behind
	}
	return s.even
}

// runPass looks for a win of the opponent after a pass, which s.refutes then is.
func (s *solver) runPass() (nodes int) {
	if s.passLeft <= 0 && s.worker.nodes >= s.passAgain {
		s.passLeft = int(s.worker.nodes / passPart)
		s.passAgain *= passFactor
	}
	if s.passLeft <= 0 {
		return 0
	}
	b := s.b
	b.Pass()
	defer b.Undo()
	v := s.vct[b.Side()]
	l := threat.Limits{Nodes: min(passSlice, s.passLeft), Stop: s.stop, Threes: true}
	p := v.Win(b, l)
	nodes = v.Nodes()
	s.passLeft -= nodes
	switch {
	case p == nil && nodes < l.Nodes:
		s.passLeft, s.passAgain = 0, never // all threats have been tried
	case p != nil && s.refuter.Watch(p, b, threat.Limits{Nodes: passMoves, Stop: s.stop}):
		s.refutes = p
		nodes += s.refuter.Nodes()
	case p != nil:
		s.passLeft, s.passAgain = 0, never
		nodes += s.refuter.Nodes()
	}
	return nodes
}

// runRefuted looks for the moves that the win after a pass refutes.
func (s *solver) runRefuted(to *findings) (nodes int) {
	b := s.b
	var refuted losses
	for s.tested < len(s.untested) && nodes < passSlice {
		m := s.untested[s.tested]
		s.tested++
		if b.Class(b.Side(), m) == board.MakesFive {
			continue
		}
		b.Play(m)
		if s.refuter.Refutes(b, m, threat.Limits{Nodes: passMoves, Stop: s.stop}) {
			refuted = append(refuted, finding{m, s.refutes.Plies + 1, append([]board.Move{m}, s.refutes.Line(b)...)})
			s.keep(s.refutes)
		}
		b.Undo()
		nodes += s.refuter.Nodes()
	}
	to.addLosses(refuted)
	return nodes
}

// runOwn looks for a win of the side to move, with threes by fours and open threes alone.
func (s *solver) runOwn(to *findings, threes bool) int {
	if s.over {
		return 0
	}
	b := s.b
	v := s.vct[b.Side()]
	if p := v.Win(b, threat.Limits{Nodes: s.slice, Stop: s.stop, Threes: threes}); p != nil {
		s.won(to, p)
	}
	return v.Nodes()
}

// runReply looks for a win of the opponent after the leader, with threes as runOwn does.
func (s *solver) runReply(to *findings, threes bool) int {
	b := s.b
	v := s.vct[b.Side().Other()]
	m := board.Move(to.leader.Load())
	if m == board.None || !b.Legal(m) || b.Wins(b.Side(), m) {
		return 0
	}
	b.Play(m)
	defer b.Undo()
	if p := v.Win(b, threat.Limits{Nodes: s.slice, Stop: s.stop, Threes: threes}); p != nil {
		to.addLosses(losses{{m, p.Plies + 1, append([]board.Move{m}, p.Line(b)...)}})
		s.keep(p)
	}
	return v.Nodes()
}

// solve runs the solver for a slice if it is time to.
func (w *worker) solve() {
	s := w.solver
	if s == nil || w.nodes < s.next {
		return
	}
	w.solved += int64(s.run(w.found))
	s.next = w.nodes + s.every
	if !w.checked.IsZero() {
		w.checked = w.now() // a slice, with a proof to check perhaps half a second of it, is no stall
	}
}

// takeProofs takes over what the solver has proved: it ends the search on a win, and the
// iteration if the best root move loses.
func (w *worker) takeProofs() {
	if w.found.win.Load() != nil {
		w.stopped = true
		return
	}
	found := w.found.losses.Swap(nil)
	if found == nil {
		return
	}
	leader := board.Move(w.found.leader.Load())
	for _, f := range *found {
		for i := range w.rootMoves {
			if r := &w.rootMoves[i]; r.move == f.move && r.refuted == nil {
				w.refute(r, &f)
				w.again = w.again || r.move == leader
			}
		}
	}
	w.stopped = w.stopped || w.again
}

// refute takes the proof f that the root move r loses.
func (w *worker) refute(r *rootMove, f *finding) {
	r.refuted = f
	w.loses(r)
}

// repeat makes the worker ready for another iteration after one that ended since the best root move
// loses. It reports whether the move that is the best now has a value, of that iteration or of the one
// before.
func (w *worker) repeat() (known bool) {
	w.again, w.stopped = false, false
	w.nextCheck = 0
	for i := range w.rootMoves {
		if r := &w.rootMoves[i]; r.score == -infinity {
			r.score = r.previous
		}
	}
	sortRoot(w.rootMoves)
	return w.rootMoves[0].score > -infinity
}

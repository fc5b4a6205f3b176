package solver

import (
	"tengen/brain/board"
	"tengen/brain/threat"
)

// A Threat is a win by fours that the opponent has after a pass.
type Threat struct {
	Plies int       // to its five, after the pass; 0 if there is none
	Stops board.Set // the cells that can stop it: every other move loses
	Nodes int       // it took to look for it

	line []board.Move // of the win
}

// Refutes returns how m loses, a move that is not among the stops.
func (t *Threat) Refutes(m board.Move) *Finding {
	return &Finding{m, t.Plies + 1, append([]board.Move{m}, t.line...)}
}

// A pass is the search for a win by threats that the opponent has after a pass, and then for the
// root moves that this win refutes.
type pass struct {
	left  int   // nodes left for the win
	again int64 // nodes of the search after which there are more

	win     *threat.Proof // nil if none is found
	refuter threat.Refuter
	moves   []board.Move // root moves that it may refute ...
	tested  int          // ... and how many of them have been looked at
}

// end ends the search for the win.
func (p *pass) end() { p.left, p.again = 0, never }

// busy reports whether the search for the win or its moves goes on.
func (p *pass) busy() bool { return p.left > 0 || p.win != nil && p.tested < len(p.moves) }

// threatAfterPass looks for a win by fours of the opponent after a pass. If there is none it begins
// the search for one by threats, which may refute the given moves.
func (s *Solver) threatAfterPass(moves []board.Move) (t Threat) {
	b := s.b
	o := b.Side().Other()
	if b.Count(o, board.MakesFive) > 0 || b.Count(b.Side(), board.MakesFive) > 0 {
		return t
	}
	b.Pass()
	t.Stops, t.Plies = s.vcf.Stops(b, threat.Limits{Nodes: passFours, Stop: s.stop})
	b.Undo()
	t.Nodes = s.vcf.Nodes()
	if t.Plies > 0 {
		t.line = s.vcf.Line()
		return t
	}
	s.pass.left, s.pass.again = passNodes, passAgain
	s.pass.moves = append(s.pass.moves, moves...)
	return t
}

// winAfterPass looks for a win by threats of the opponent after a pass.
func (s *Solver) winAfterPass(searched int64) (nodes int) {
	p := &s.pass
	if p.left <= 0 && searched >= p.again {
		p.left = int(searched / passAgainPart)
		p.again *= passAgainTimes
	}
	if p.left <= 0 {
		return 0
	}
	b := s.b
	b.Pass()
	v := s.vct[b.Side()]
	l := threat.Limits{Nodes: min(passStep, p.left), Stop: s.stop, Threes: true}
	win := v.Win(b, l)
	nodes = v.Nodes()
	p.left -= nodes
	switch {
	case win != nil:
		if p.refuter.Watch(win, b, threat.Limits{Nodes: moveNodes, Stop: s.stop}) {
			p.win = win
		} else {
			p.end()
		}
		nodes += p.refuter.Nodes()
	case nodes < l.Nodes: // all threats have been tried
		p.end()
	}
	b.Undo()
	return nodes
}

// refuteByPass looks for moves that the win after a pass refutes.
func (s *Solver) refuteByPass() (nodes int) {
	b, p := s.b, &s.pass
	var refuted []Finding
	for p.tested < len(p.moves) && nodes < passStep {
		m := p.moves[p.tested]
		p.tested++
		if b.Class(b.Side(), m) == board.MakesFive {
			continue
		}
		b.Play(m)
		if p.refuter.Refutes(b, m, threat.Limits{Nodes: moveNodes, Stop: s.stop}) {
			refuted = append(refuted, Finding{m, p.win.Plies + 1, append([]board.Move{m}, p.win.Line(b)...)})
			s.keep(p.win)
		}
		b.Undo()
		nodes += p.refuter.Nodes()
	}
	s.addLosses(refuted)
	return nodes
}

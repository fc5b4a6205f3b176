package solver

import (
	"tengen/brain/board"
	"tengen/brain/threat"
)

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

// foursAfterPass looks for a win by fours of the opponent after a pass, which refutes the moves of the
// task that do not stop it. If there is none it begins the search for one by threats.
func (s *Solver) foursAfterPass() (nodes int) {
	b, vcf := s.mem.b, s.mem.vcf
	o := b.Side().Other()
	if b.Count(o, board.MakesFive) > 0 || b.Count(b.Side(), board.MakesFive) > 0 {
		return 0
	}
	b.Pass()
	stops, plies := vcf.Stops(b, threat.Limits{Nodes: passFours, Stop: s.task.Stop})
	b.Undo()
	if plies > 0 {
		s.refuteAllBut(stops, plies, vcf.Line())
	} else {
		s.pass.left, s.pass.again = passNodes, passAgain
		s.pass.moves = append(s.pass.moves, s.task.Moves...)
	}
	return vcf.Nodes()
}

// refuteAllBut refutes the moves that are not among the stops of a win after a pass, by its line, whose
// five is at the given ply.
func (s *Solver) refuteAllBut(stops board.Set, plies int, line []board.Move) {
	var refuted []Finding
	for _, m := range s.task.Moves {
		if !stops.Has(m) {
			refuted = append(refuted, Finding{m, plies + 1, append([]board.Move{m}, line...)})
		}
	}
	s.stops.Store(&stops)
	s.addLosses(refuted)
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
	b := s.mem.b
	b.Pass()
	v := s.mem.vct[b.Side()]
	l := threat.Limits{Nodes: min(passStep, p.left), Stop: s.task.Stop, Threes: true}
	win := v.Win(b, l)
	nodes = v.Nodes()
	p.left -= nodes
	switch {
	case win != nil:
		if p.refuter.Watch(win, b, threat.Limits{Nodes: moveNodes, Stop: s.task.Stop}) {
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
	b, p := s.mem.b, &s.pass
	var refuted []Finding
	for p.tested < len(p.moves) && nodes < passStep {
		m := p.moves[p.tested]
		p.tested++
		if b.Class(b.Side(), m) == board.MakesFive {
			continue
		}
		b.Play(m)
		if p.refuter.Refutes(b, m, threat.Limits{Nodes: moveNodes, Stop: s.task.Stop}) {
			refuted = append(refuted, Finding{m, p.win.Plies + 1, append([]board.Move{m}, p.win.Line(b)...)})
			s.mem.keep(p.win)
		}
		b.Undo()
		nodes += p.refuter.Nodes()
	}
	s.addLosses(refuted)
	return nodes
}

package solver

import (
	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/threat"
)

// A Memory has what the solvers of one search after the other share: tables, a board and proofs.
type Memory struct {
	evaluator func(*board.Board) eval.Evaluator

	b      *board.Board
	vct    [2]*threat.VCT // of attackers black and white
	vcf    *threat.VCF
	proofs []keptProof // of the last search, for the next one
	solver Solver      // of the last search
}

// NewMemory returns a memory whose tables take about the given bytes. evaluator makes the evaluators that
// guide the solvers, see threat.VCT.SetGuide: one for each rule and size that they meet. It allocates
// about 0.3 MB on the heap: see Resize for the tables.
func NewMemory(bytes int64, evaluator func(*board.Board) eval.Evaluator) *Memory {
	m := &Memory{evaluator: evaluator, vcf: threat.NewVCF(0)}
	for i := range m.vct {
		m.vct[i] = threat.NewVCT(0)
	}
	m.Resize(bytes)
	return m
}

// Resize makes the tables take about the given bytes, in no time: they are outside the heap, and what
// they had goes back to the system in the background. It forgets all that was found out.
func (m *Memory) Resize(bytes int64) {
	m.forgetProofs()
	m.vcf.Resize(bytes / vcfPart)
	for _, v := range m.vct {
		v.Resize(bytes / vctPart)
	}
}

// Close gives the memory of the tables back, in the background. It is not used afterwards.
func (m *Memory) Close() {
	m.vcf.Free()
	for _, v := range m.vct {
		v.Free()
	}
}

// Clear forgets all that was found out in earlier searches.
func (m *Memory) Clear() {
	m.forgetProofs()
	m.vcf.Clear()
	for _, v := range m.vct {
		v.Clear()
	}
}

// Prepare makes the memory ready for the board b, so that Begin does not have to: its evaluator is
// loaded.
func (m *Memory) Prepare(b *board.Board) {
	var made bool
	if m.b, made = board.Copy(m.b, b); made {
		guide := m.evaluator(m.b)
		for _, v := range m.vct {
			v.SetGuide(guide)
		}
	}
}

// Begin returns a solver for a search. The one that it returned before is not used afterwards.
func (m *Memory) Begin(task Task) *Solver {
	m.Prepare(task.Board)
	s := &m.solver
	s.mem, s.task = m, task
	switch {
	case task.Study:
		s.shares = &studyShares
	case m.b.Ply() > early:
		s.shares = &lateShares
	default:
		s.shares = &earlyShares
	}
	s.next, s.turn = 0, 0
	s.pass.end()
	s.pass.win, s.pass.moves, s.pass.tested = nil, s.pass.moves[:0], 0
	s.win.Store(nil)
	s.stops.Store(nil)
	s.losses.Store(nil)
	return s
}

// Prove looks for a win of the side to move on b, without a search. f is nil if none was found; over
// then says that nothing is left to be tried. nodes are those of the solver.
func (m *Memory) Prove(b *board.Board, l threat.Limits) (f *Finding, nodes int, over bool) {
	m.Prepare(b)
	v := m.vct[b.Side()]
	p := v.Win(m.b, l)
	if p == nil {
		return nil, v.Nodes(), v.Exhausted()
	}
	m.forgetProofs() // else those of earlier positions pile up: only a search forgets them
	f = m.winBy(p)
	return f, v.Nodes(), f != nil
}

// winBy returns the win of the side to move that p proves, and keeps p; nil if p has no move for the
// board.
func (m *Memory) winBy(p *threat.Proof) *Finding {
	line := p.Line(m.b)
	if len(line) == 0 {
		return nil
	}
	m.keep(p)
	return &Finding{line[0], p.Plies, line}
}

package brain

import (
	"context"
	"fmt"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/threat"
)

// Threats says by which moves a Solver may win.
type Threats int

const (
	Fours     Threats = iota // VCF: every move of the winner makes a four
	AnyThreat                // VCT: every move makes a four, an open three or another threat of a VCF
)

// A Solver looks for forced wins in single positions. It has a board and tables of its
// own and serves one goroutine.
type Solver struct {
	board *board.Board
	vct   *threat.VCT
}

// A Solution is what a Solver found. A win is proved: it holds against every reply. That
// none was found proves nothing.
type Solution struct {
	Win   bool
	Line  []board.Move // of the winner's moves and the replies that last longest, to the five
	Nodes int          // positions and fours tried
	Proof *Proof       // the tree of the win, nil if there is none
	Holds []board.Move // by Defend: the moves that are not proved to lose, row by row
	Reply board.Move   // by Defend: if every move is proved to lose, one that loses late; else board.None
}

// A Proof is a won position: the winner's move, the replies to it that matter, and what
// follows each of them and every other reply.
type Proof = threat.Proof

// solverBytes is the memory of a Solver's tables.
const solverBytes = 96 << 20

// Nodes of Solver.Defend. Set by hand 2026-11.
const (
	stopsNodes  = 20_000 // to find the moves that a proof does not answer
	roundNodes  = 4000   // for each of these in the first round ...
	roundFactor = 8      // ... and times this in every further one
)

// NewSolver returns a solver of positions of a rule and a size. Errors: those of board.New.
func NewSolver(rule board.Rule, width, height int) (*Solver, error) {
	b, err := board.New(rule, width, height)
	if err != nil {
		return nil, err
	}
	v := threat.NewVCT(solverBytes)
	v.SetGuide(eval.Embedded().New(b))
	return &Solver{b, v}, nil
}

// Set plays the moves of pos, in pos notation, on an empty board; "-" or nothing leaves it
// empty. The error names the first move that cannot be played.
func (s *Solver) Set(pos string) error {
	s.board.Reset()
	if pos == "-" {
		return nil
	}
	moves, err := board.ParseMoves(pos, s.board.Width(), s.board.Height())
	if err != nil {
		return err
	}
	return s.SetMoves(moves)
}

// SetMoves is Set for moves, of which board.None is a pass.
func (s *Solver) SetMoves(moves []board.Move) error {
	s.board.Reset()
	if err := s.board.PlayAll(moves); err != nil {
		return err
	}
	if v, _ := s.board.Verdict(); v != board.Unfinished {
		return ErrOver
	}
	return nil
}

// Win looks for a forced win of the side to move until ctx ends.
func (s *Solver) Win(ctx context.Context, kind Threats) Solution {
	return s.solution(s.prove(kind, threat.Limits{Stop: ended(ctx)}))
}

// ended returns a function that reports whether ctx has ended.
func ended(ctx context.Context) func() bool { return func() bool { return ctx.Err() != nil } }

func (s *Solver) prove(kind Threats, l threat.Limits) *threat.Proof {
	if kind == Fours {
		return s.vct.WinByFours(s.board, l)
	}
	return s.vct.Win(s.board, l)
}

func (s *Solver) solution(p *threat.Proof) Solution {
	found := Solution{Nodes: s.vct.Nodes(), Reply: board.None}
	if p != nil {
		found.Win, found.Line, found.Proof = true, p.Line(s.board), p
	}
	return found
}

// Defend looks for a forced win of the opponent, should the side to move pass, and then for
// the moves after which no such win is proved until ctx ends. Win, Line and Proof of the result
// are the opponent's; with no win found, Holds is nil, and any move may be good.
func (s *Solver) Defend(ctx context.Context, kind Threats) Solution {
	return s.defend(ctx, kind, false)
}

// Lost is Defend for the question whether every move loses: it ends at the first move after
// which there is no such win. Holds may then list moves that do lose.
func (s *Solver) Lost(ctx context.Context, kind Threats) Solution {
	return s.defend(ctx, kind, true)
}

// defend is Defend, or with first Lost.
func (s *Solver) defend(ctx context.Context, kind Threats, first bool) Solution {
	d := defense{kind: kind, stop: ended(ctx)}
	b := s.board
	b.Pass()
	p := s.prove(kind, threat.Limits{Stop: d.stop})
	found := s.solution(p)
	b.Undo()
	if p == nil {
		return found
	}

	// Where the same proof still wins, no search is needed.
	for _, m := range p.Stops(b, threat.Limits{Nodes: stopsNodes, Stop: d.stop}, nil) {
		wins := b.Wins(b.Side(), m)
		if first && wins {
			found.Holds = []board.Move{m}
			return found
		}
		d.replies = append(d.replies, reply{move: m, open: !wins})
	}
	holds := s.tryReplies(&d, first)
	found.Nodes += d.nodes
	if holds != board.None {
		found.Holds = []board.Move{holds}
		return found
	}
	found.Holds = []board.Move{}
	for _, r := range d.replies {
		if !r.loses {
			found.Holds = append(found.Holds, r.move)
		}
	}
	if len(found.Holds) > 0 {
		return found
	}
	switch {
	case d.latest != board.None:
		found.Reply = d.latest
	case b.Legal(p.Move):
		found.Reply = p.Move // no move stops this win, but this one stops its first move
	default:
		found.Reply = b.Central()
	}
	return found
}

// A defense is what a Solver knows of the replies to a win that the opponent threatens.
type defense struct {
	kind    Threats
	stop    func() bool
	replies []reply
	nodes   int        // spent on them
	latest  board.Move // of those that lose the one that does last, None for none
	plies   int        // of its loss
}

// A reply is a move that may hold.
type reply struct {
	move  board.Move
	open  bool // more search may help
	loses bool // proved
}

// tryReplies searches the open replies in rounds, each with more nodes than the one before, so that
// the time is spent on all alike, until none is open or d.stop says so. With first it returns the
// first after which no win is left to be tried, else None.
func (s *Solver) tryReplies(d *defense, first bool) (holds board.Move) {
	for nodes, work := roundNodes, true; work && !d.stop(); nodes *= roundFactor {
		work = false
		for i := range d.replies {
			r := &d.replies[i]
			if !r.open {
				continue
			}
			s.tryReply(d, r, nodes)
			work = work || r.open
			if first && !r.open && !r.loses && !d.stop() {
				return r.move
			}
		}
	}
	return board.None
}

// tryReply looks with so many nodes for a win of the opponent's after r.
func (s *Solver) tryReply(d *defense, r *reply, nodes int) {
	s.board.Play(r.move)
	lost := s.prove(d.kind, threat.Limits{Nodes: nodes, Stop: d.stop})
	s.board.Undo()
	d.nodes += s.vct.Nodes()
	r.loses = lost != nil
	r.open = !r.loses && s.vct.Nodes() >= nodes
	if r.loses && lost.Plies > d.plies {
		d.latest, d.plies = r.move, lost.Plies
	}
}

// Sides returns who is to move, and who is not: "black" and "white" or the other way round.
func (s *Solver) Sides() (own, other string) {
	side := s.board.Side()
	return side.String(), side.Other().String()
}

// Drawing is the Drawing of the position with the moves of a line numbered from 1 and * on
// the marked cells.
func (s *Solver) Drawing(line, marked []board.Move) string {
	marks := map[board.Move]string{}
	for _, m := range marked {
		marks[m] = "*"
	}
	for i, m := range line {
		marks[m] = fmt.Sprint(i + 1)
	}
	return Drawing(s.board, marks)
}

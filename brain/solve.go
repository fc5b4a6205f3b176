package brain

import (
	"context"
	"fmt"

	"tengen/brain/board"
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
	return &Solver{b, threat.NewVCT(solverBytes)}, nil
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

func (s *Solver) defend(ctx context.Context, kind Threats, first bool) Solution {
	stop := ended(ctx)
	b := s.board
	b.Pass()
	p := s.prove(kind, threat.Limits{Stop: stop})
	found := s.solution(p)
	b.Undo()
	if p == nil {
		return found
	}

	// Where the same proof still wins, no search is needed. The other moves get more nodes
	// from round to round, so that the time is spent on all alike.
	type candidate struct {
		move      board.Move
		open, bad bool // more search may help; proved to lose
	}
	var all []candidate
	for _, m := range p.Stops(b, threat.Limits{Nodes: stopsNodes, Stop: stop}, nil) {
		wins := b.Wins(b.Side(), m)
		if all = append(all, candidate{move: m, open: !wins}); first && wins {
			found.Holds = []board.Move{m}
			return found
		}
	}
	late, plies := board.None, 0
	for nodes, work := roundNodes, true; work && !stop(); nodes *= roundFactor {
		work = false
		for i := range all {
			c := &all[i]
			if !c.open {
				continue
			}
			b.Play(c.move)
			lost := s.prove(kind, threat.Limits{Nodes: nodes, Stop: stop})
			b.Undo()
			c.bad = lost != nil
			if c.bad && lost.Plies > plies {
				late, plies = c.move, lost.Plies
			}
			found.Nodes += s.vct.Nodes()
			c.open = !c.bad && s.vct.Nodes() >= nodes
			work = work || c.open
			if first && !c.bad && !c.open && !stop() {
				found.Holds = []board.Move{c.move}
				return found
			}
		}
	}
	found.Holds = []board.Move{}
	for _, c := range all {
		if !c.bad {
			found.Holds = append(found.Holds, c.move)
		}
	}
	if len(found.Holds) > 0 {
		return found
	}
	found.Reply = late
	if late == board.None && b.Legal(p.Move) {
		found.Reply = p.Move // no move stops this win, but this one stops its first move
	} else if late == board.None {
		found.Reply = b.Central()
	}
	return found
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

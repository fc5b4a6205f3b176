// Package puzzle finds puzzles in games: positions in which one move wins by continuous threats, and no
// other does as far as the solver sees, unless it is a four before that move.
package puzzle

import (
	"context"
	"slices"
	"strings"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/proof"
	"tengen/brain/prover"
	"tengen/brain/threat"
)

// A Puzzle is a position of a game.
type Puzzle struct {
	After int  // moves of the game before it
	Fours bool // the side to move wins by fours alone

	Plies  int          // of Line: by fours the least, else those of one proof
	Line   []board.Move // of the win
	Nodes  int          // of the proof, as package proof reduces it
	Glance int          // moves that the policy prefers to the first of Line
	Level  int          // from 1 to Levels

	// Shape is the same for puzzles that look alike: the stones around the moves of the winner, wherever
	// they lie and however they are turned.
	Shape string
}

// Levels is the number of levels.
const Levels = 5

// Budgets of a Finder. Set by hand 2026-11.
const (
	scanNodes  = 600     // to find a win
	deepNodes  = 6000    // the same at the end of a game, and if the position two plies later is won
	otherNodes = 300     // to find one after another first move, as many as the win took at least ...
	quietNodes = 100     // ... and after a move that makes no three
	mostTries  = 6       // positions of a run of won ones that are looked at closely
	mostHolds  = 4       // replies to a pass that are kept
	mostStops  = 24      // replies to another first move that are tried besides these
	tableBytes = 8 << 20 // of the solver
	nearby     = 2       // cells from the winner's moves to what is in the shape
)

// Grades. A puzzle has the level of its length, one more if its proof is wide or its first move far from
// what the policy suggests, one less if it is the first that comes to mind.
var (
	levelPlies = [Levels - 1]int{5, 9, 13, 19} // up to which a win has that level, from 1
	wideNodes  = 40
	farGlance  = 10
)

// A Finder finds puzzles in games of one rule and size. It serves one goroutine.
type Finder struct {
	board *board.Board
	vct   *threat.VCT
	guide eval.Evaluator
	ctx   context.Context
}

// NewFinder returns a finder. Errors: those of board.New.
func NewFinder(e *eval.Evaluation, rule board.Rule, width, height int) (*Finder, error) {
	b, err := board.New(rule, width, height)
	if err != nil {
		return nil, err
	}
	f := &Finder{board: b, vct: threat.NewVCT(tableBytes), guide: e.New(b)}
	f.vct.SetGuide(e.New(b))
	return f, nil
}

// Find returns the puzzles of a game from the position after the first from moves on: at most one of each level.
// The moves are legal ones. It takes about half a second, and ends early with ctx.
func (f *Finder) Find(ctx context.Context, moves []board.Move, from int) ([]Puzzle, error) {
	f.ctx = ctx
	wins := f.scan(moves, from)
	var list []Puzzle
	for k := range len(moves) + 1 {
		if wins[k] == nil || k >= 2 && wins[k-2] != nil {
			continue
		}
		for tries := 0; wins[k] != nil && tries < mostTries; k += 2 {
			p, tried, err := f.at(moves[:k], wins[k], list)
			if err != nil {
				return nil, err
			}
			if tried {
				tries++
			}
			if p != nil {
				list = append(list, *p)
			}
		}
	}
	return list, ctx.Err()
}

// A win is what a search for one found.
type win struct {
	proof *threat.Proof
	nodes int // it took
}

// scan looks for wins after each number of moves, from the end on: where a side wins, it may have won
// before. The end counts too, as a game may have been given up there.
func (f *Finder) scan(moves []board.Move, from int) map[int]*win {
	f.board.Reset()
	wins := map[int]*win{}
	if f.board.PlayAll(moves) != nil {
		return wins
	}
	for k := len(moves); k >= from && f.ctx.Err() == nil; k-- {
		nodes := scanNodes
		if k >= len(moves)-2 || wins[k+2] != nil {
			nodes = deepNodes
		}
		if v, _ := f.board.Verdict(); v == board.Unfinished {
			if p := f.win(nodes); p != nil {
				wins[k] = &win{p, f.vct.Nodes()}
			}
		}
		if k > 0 {
			f.board.Undo()
		}
	}
	return wins
}

// win looks for a win of the side to move.
func (f *Finder) win(nodes int) *threat.Proof {
	return f.vct.Win(f.board, threat.Limits{Nodes: nodes, Stop: func() bool { return f.ctx.Err() != nil }})
}

// at returns the puzzle after moves, nil if there is none or one of its level is in the list. Tried tells
// that it took some time to find that out.
func (f *Finder) at(moves []board.Move, w *win, list []Puzzle) (_ *Puzzle, tried bool, _ error) {
	b := f.board
	b.Reset()
	if err := b.PlayAll(moves); err != nil {
		return nil, false, err
	}
	if b.Count(b.Side(), board.MakesFive)+b.Count(b.Side().Other(), board.MakesFive) > 0 {
		return nil, false, nil // a five, or one to be stopped: there is no choice
	}
	p := &Puzzle{After: len(moves)}
	won := f.vct.WinByFours(b, threat.Limits{Nodes: scanNodes})
	if p.Fours = won != nil; won == nil {
		won = w.proof
	}
	p.Line = won.Line(b)
	p.Plies, p.Glance = len(p.Line), f.glance(p.Line[0])
	p.Level = level(p)
	if slices.ContainsFunc(list, func(q Puzzle) bool { return q.Level == p.Level }) {
		return nil, false, nil
	}
	if !f.alone(won, w.nodes) {
		return nil, true, nil
	}
	root := (&prover.Solution{Proof: won}).Tree(f.ctx, b)
	q, err := (&proof.Proof{Rule: b.Rule(), Width: b.Width(), Height: b.Height(), Moves: moves, Root: root}).Reduced(f.ctx)
	if err != nil {
		return nil, true, err
	}
	p.Nodes, p.Shape = len(q.Nodes()), f.shape(p.Line)
	p.Level = level(p)
	if slices.ContainsFunc(list, func(q Puzzle) bool { return q.Level == p.Level }) {
		return nil, true, nil
	}
	return p, true, nil
}

// level grades a puzzle.
func level(p *Puzzle) int {
	n := 1
	for n < Levels && p.Plies > levelPlies[n-1] {
		n++
	}
	switch {
	case p.Nodes > wideNodes || p.Glance >= farGlance:
		n++
	case p.Glance == 0:
		n--
	}
	return min(max(n, 1), Levels)
}

// glance returns how many legal moves the policy prefers to m.
func (f *Finder) glance(m board.Move) int {
	moves := f.legal(f.board.Open())
	scores := make([]int32, len(moves))
	f.guide.Reset(f.board, 0)
	f.guide.Order(moves, scores)
	own, more := scores[slices.Index(moves, m)], 0
	for _, s := range scores {
		if s > own {
			more++
		}
	}
	return more
}

// legal lists the legal moves among cells.
func (f *Finder) legal(cells *board.Set) []board.Move {
	return slices.DeleteFunc(cells.Append(nil), func(m board.Move) bool { return !f.board.Legal(m) })
}

// alone reports whether no first move but that of won is seen to win: after a pass, which stands for every
// move that is of no use, and after every move near the stones the other side has a reply after
// which no win is found. The win took the given nodes.
func (f *Finder) alone(won *threat.Proof, nodes int) bool {
	b := f.board
	nodes = max(nodes, otherNodes)
	b.Pass()
	holds := f.replies(won, nodes, mostHolds, len(moveSet(won).Append(nil)))
	b.Undo()
	if len(holds) == 0 {
		return false
	}
	near := b.Candidates()
	for _, m := range f.legal(&near) {
		if m == won.Move {
			continue
		}
		budget := nodes
		if b.Class(b.Side(), m) < board.MakesThree {
			budget = quietNodes
		}
		b.Play(m)
		stopped := f.stopped(holds, won.Move, budget)
		b.Undo()
		if !stopped || f.ctx.Err() != nil {
			return false
		}
	}
	return true
}

// stopped reports whether the side to move has a reply after which the other is not seen to win, such
// as one of holds. A four before the move first, with which the win goes on, is no other win.
func (f *Finder) stopped(holds []board.Move, first board.Move, nodes int) bool {
	b := f.board
	own, other := b.Side(), b.Side().Other()
	if b.Count(own, board.MakesFive) > 0 {
		return true
	}
	four := b.Count(other, board.MakesFive) > 0
	if four {
		holds = b.Set(other, board.MakesFive).Append(nil)
	}
	var last *threat.Proof
	for _, m := range holds {
		if !b.Legal(m) {
			continue
		}
		b.Play(m)
		last = f.win(nodes)
		b.Undo()
		if last == nil || four && last.Move == first {
			return true
		}
	}
	return last != nil && !four && len(f.replies(last, nodes, 1, mostStops)) > 0
}

// replies returns up to most moves of the side to move after which no win of the other is found.
// It tries as many of those that occur in its win at most.
func (f *Finder) replies(won *threat.Proof, nodes, most, tries int) (holds []board.Move) {
	b := f.board
	for _, m := range f.legal(moveSet(won)) {
		if len(holds) == most || tries == 0 {
			break
		}
		tries--
		b.Play(m)
		if f.win(nodes) == nil {
			holds = append(holds, m)
		}
		b.Undo()
	}
	return holds
}

// moveSet returns the moves that occur in a proof.
func moveSet(p *threat.Proof) *board.Set {
	var s board.Set
	seen := map[*threat.Proof]bool{nil: true}
	var add func(p *threat.Proof)
	add = func(p *threat.Proof) {
		if seen[p] {
			return
		}
		seen[p] = true
		s.Add(p.Move)
		add(p.Else)
		for _, r := range p.Replies {
			s.Add(r.Move)
			add(r.Next)
		}
	}
	add(p)
	return &s
}

// shape returns the Shape of a puzzle with this line.
func (f *Finder) shape(line []board.Move) string {
	b := f.board
	var stones []board.Move
	for i := range b.Ply() {
		m := b.Move(i)
		if m != board.None && slices.ContainsFunc(winners(line), func(w board.Move) bool { return board.Distance(m, w) <= nearby }) {
			stones = append(stones, m)
		}
	}
	best := ""
	for s := range board.Symmetries {
		turned := make([]point, 0, len(stones))
		for _, m := range stones {
			turned = append(turned, point{board.Transform(m, s, board.MaxSize, board.MaxSize), b.Cell(m) == b.Side()})
		}
		if text := inPlace(turned); best == "" || text < best {
			best = text
		}
	}
	return b.Rule().String() + best
}

// winners returns the moves of the winner in a line.
func winners(line []board.Move) (list []board.Move) {
	for i := 0; i < len(line); i += 2 {
		list = append(list, line[i])
	}
	return list
}

// A point is a stone, of the winner's own or not.
type point struct {
	at  board.Move
	own bool
}

// inPlace returns the stones as text, moved to the corner.
func inPlace(stones []point) string {
	left, top := board.MaxSize, board.MaxSize
	for _, s := range stones {
		left, top = min(left, s.at.X()), min(top, s.at.Y())
	}
	list := make([]string, len(stones))
	for i, s := range stones {
		list[i] = board.At(s.at.X()-left, s.at.Y()-top).String()
		if s.own {
			list[i] = "x" + list[i]
		}
	}
	slices.Sort(list)
	return " " + strings.Join(list, " ")
}

// Package prover proves in single positions that a side wins by continuous threats, or that moves lose
// to such a win. A win that it reports holds against every reply.
package prover

import (
	"context"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/eventloop"
	"tengen/brain/threat"
)

// A Kind says by which moves a win is looked for.
type Kind int

const (
	VCF Kind = iota // every move of the winner makes a four
	VCT             // every move makes a four, an open three or another threat of a VCF; in replies to a
	// win that Defend tries, only what makes a closed three or two open twos at least
)

// A Prover looks for forced wins in single positions. It has a board and tables of its
// own and serves one goroutine.
type Prover struct {
	board *board.Board
	vct   *threat.VCT
}

// A Limit says why a search for a win has ended without one.
type Limit int

const (
	NoLimit     Limit = iota // all was tried: there is no win of the kind
	TimeLimit                // the context has ended: with more time a win may be found
	SearchLimit              // a limit of the search itself, such as 60 fours in a row: more time does not help
)

// A Solution is what a Prover found. A win is proved: it holds against every reply. That none was
// found proves nothing, unless Limit is NoLimit.
type Solution struct {
	Win   bool
	Limit Limit        // if there is no win
	Line  []board.Move // of the winner's moves and the replies that last longest, to the five
	Nodes int          // positions and fours tried
	Proof *Proof       // the tree of the win, nil if there is none
	Holds []board.Move // by Defend: the moves that are not proved to lose, row by row
	Loses []Refutation // by Defend, if there is a win: the others, row by row
	Reply board.Move   // by Defend: if every move is proved to lose, one that loses late; else board.None
}

// A Proof is a won position: the winner's move, the replies to it that matter, and what
// follows each of them and every other reply.
type Proof = threat.Proof

// A ProofReply is a move of the loser in a proof, with what follows it.
type ProofReply = threat.Reply

// A Refutation is a move that loses and a win against it.
type Refutation struct {
	Move  board.Move
	Line  []board.Move // of the win, from the answer to Move on
	Proof *Proof       // from there, that of the Solution if it wins after Move, too
}

// tableBytes is the memory of a Prover's tables.
const tableBytes = 96 << 20

// Nodes of Prover.Defend. Set by hand 2026-11.
const (
	stopsNodes  = 20_000 // to find the moves that a proof does not answer
	roundNodes  = 4000   // for each of these in the first round ...
	roundFactor = 8      // ... and times this in every further one
)

// New returns a prover for positions of a rule and a size. Errors: those of board.New.
func New(rule board.Rule, width, height int) (*Prover, error) {
	b, err := board.New(rule, width, height)
	if err != nil {
		return nil, err
	}
	v := threat.NewVCT(tableBytes)
	v.SetGuide(eval.Embedded().New(b))
	return &Prover{b, v}, nil
}

// Set plays the moves of pos, in pos notation, on an empty board; "-" or nothing leaves it
// empty. The error names the first move that cannot be played.
func (p *Prover) Set(pos string) error {
	p.board.Reset()
	if pos == "-" {
		return nil
	}
	moves, err := board.ParseMoves(pos, p.board.Width(), p.board.Height())
	if err != nil {
		return err
	}
	return p.SetMoves(moves)
}

// SetMoves is Set for moves, of which board.None is a pass.
func (p *Prover) SetMoves(moves []board.Move) error {
	p.board.Reset()
	if err := p.board.PlayAll(moves); err != nil {
		return err
	}
	if v, _ := p.board.Verdict(); v != board.Unfinished {
		return board.ErrOver
	}
	return nil
}

// Win looks for a forced win of the side to move until ctx ends.
func (p *Prover) Win(ctx context.Context, kind Kind) Solution {
	return p.first(kind, ended(ctx))
}

// first looks for a win of the side to move by all moves that the kind has, until stop says so.
func (p *Prover) first(kind Kind, stop func() bool) Solution {
	found := p.solution(p.prove(kind, threat.Limits{Stop: stop, Quiet: true}))
	switch {
	case found.Win || kind == VCF && p.vct.RefutedFours() || kind == VCT && p.vct.Refuted():
	case stop():
		found.Limit = TimeLimit
	default:
		found.Limit = SearchLimit
	}
	return found
}

// ended returns a function that reports whether ctx has ended.
func ended(ctx context.Context) func() bool {
	return func() bool {
		eventloop.YieldOften()
		return ctx.Err() != nil
	}
}

func (p *Prover) prove(kind Kind, l threat.Limits) *threat.Proof {
	if kind == VCF {
		return p.vct.WinByFours(p.board, l)
	}
	return p.vct.Win(p.board, l)
}

func (p *Prover) solution(proof *threat.Proof) Solution {
	found := Solution{Nodes: p.vct.Nodes(), Reply: board.None}
	if proof != nil {
		found.Win, found.Line, found.Proof = true, proof.Line(p.board), proof
	}
	return found
}

// Defend looks for a forced win of the opponent, should the side to move pass, and then for
// the moves after which no such win is proved until ctx ends. Win, Line and Proof of the result
// are the opponent's, and so is Limit; with no win found, Holds is nil, and any move may be good.
func (p *Prover) Defend(ctx context.Context, kind Kind) Solution {
	return p.defend(ctx, kind, false)
}

// Lost is Defend for the question whether every move loses: it ends at the first move after
// which there is no such win. Holds may then list moves that do lose.
func (p *Prover) Lost(ctx context.Context, kind Kind) Solution {
	return p.defend(ctx, kind, true)
}

// Threat is Defend without a search after the moves: Holds are those that the win found does not answer,
// and Loses is empty.
func (p *Prover) Threat(ctx context.Context, kind Kind) Solution {
	return p.threat(kind, ended(ctx))
}

// threat is Threat until stop says so.
func (p *Prover) threat(kind Kind, stop func() bool) Solution {
	b := p.board
	b.Pass()
	found := p.first(kind, stop)
	b.Undo()
	if found.Win {
		found.Holds = found.Proof.Stops(b, threat.Limits{Nodes: stopsNodes, Stop: stop}, []board.Move{})
	}
	return found
}

// defend is Defend, or with first Lost.
func (p *Prover) defend(ctx context.Context, kind Kind, first bool) Solution {
	d := defense{kind: kind, stop: ended(ctx)}
	b := p.board
	found := p.threat(kind, d.stop)
	if !found.Win {
		return found
	}
	for _, m := range found.Holds {
		wins := b.Wins(b.Side(), m)
		if first && wins {
			found.Holds = []board.Move{m}
			return found
		}
		d.replies = append(d.replies, reply{move: m, open: !wins})
	}
	holds := p.tryReplies(&d, first)
	found.Nodes += d.nodes
	if holds != board.None {
		found.Holds = []board.Move{holds}
		return found
	}
	found.Holds = []board.Move{}
	for _, r := range d.replies {
		if r.lost == nil {
			found.Holds = append(found.Holds, r.move)
		}
	}
	found.Loses = p.refutations(found.Proof, d.replies)
	if len(found.Holds) > 0 {
		return found
	}
	switch {
	case d.latest != board.None:
		found.Reply = d.latest
	case b.Legal(found.Proof.Move):
		found.Reply = found.Proof.Move // no move stops this win, but this one stops its first move
	default:
		found.Reply = b.Central()
	}
	return found
}

// refutations lists the legal moves that lose: those of replies to wins of their own, and all that are
// none of them to won.
func (p *Prover) refutations(won *Proof, replies []reply) (list []Refutation) {
	for _, m := range p.board.Open().Append(nil) {
		if !p.board.Legal(m) {
			continue
		}
		lost := won
		for _, r := range replies {
			if r.move == m {
				lost = r.lost
			}
		}
		if lost != nil {
			p.board.Play(m)
			list = append(list, Refutation{m, lost.Line(p.board), lost})
			p.board.Undo()
		}
	}
	return list
}

// A defense is what a Prover knows of the replies to a win that the opponent threatens.
type defense struct {
	kind    Kind
	stop    func() bool
	replies []reply
	nodes   int        // spent on them
	latest  board.Move // of those that lose the one that does last, None for none
	plies   int        // of its loss
}

// A reply is a move that may hold.
type reply struct {
	move board.Move
	open bool   // more search may help
	lost *Proof // the win against it, nil for none
}

// tryReplies searches the open replies in rounds, each with more nodes than the one before, so that
// the time is spent on all alike, until none is open or d.stop says so. With first it returns the
// first after which no win is left to be tried, else None.
func (p *Prover) tryReplies(d *defense, first bool) (holds board.Move) {
	for nodes, work := roundNodes, true; work && !d.stop(); nodes *= roundFactor {
		work = false
		for i := range d.replies {
			r := &d.replies[i]
			if !r.open {
				continue
			}
			p.tryReply(d, r, nodes)
			work = work || r.open
			if first && !r.open && r.lost == nil && !d.stop() {
				return r.move
			}
		}
	}
	return board.None
}

// tryReply looks with the given nodes for a win of the opponent after r.
func (p *Prover) tryReply(d *defense, r *reply, nodes int) {
	p.board.Play(r.move)
	lost := p.prove(d.kind, threat.Limits{Nodes: nodes, Stop: d.stop})
	p.board.Undo()
	d.nodes += p.vct.Nodes()
	r.lost = lost
	r.open = lost == nil && p.vct.Nodes() >= nodes
	if lost != nil && lost.Plies > d.plies {
		d.latest, d.plies = r.move, lost.Plies
	}
}

// Board returns a copy of the position.
func (p *Prover) Board() *board.Board { return p.board.Clone() }

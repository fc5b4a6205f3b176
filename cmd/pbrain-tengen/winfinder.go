package main

import (
	"context"
	"io"
	"slices"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/prover"
)

// A winFinder looks for wins by solver and search in turn. A win of the search alone proves nothing, since
// it does not look at every reply: after its move the solver proves how the replies lose, and where it
// cannot, solver and search go on after the reply.
type winFinder struct {
	root  *prover.Prover // stays at the root, where it goes on from turn to turn
	below *prover.Prover // at the other positions
	think thinker

	// Of one position:
	ctx   context.Context // ends when the time is over
	kind  prover.Kind
	game  *game
	won   map[uint64]*prover.Proof // by the hash of the position
	nodes int                      // of the solver
}

// Parts of the time that is left, for a question. Set by hand 2026-11.
const (
	firstPart  = 3   // to the solver about the root
	searchPart = 4   // to the search ...
	lookPart   = 8   // ... or to that about the root where all threats were tried and none wins
	quickPart  = 256 // to the solver about another position, before the search is asked ...
	slowPart   = 8   // ... and after it
	threatPart = 32  // to the solver about what a move threatens
)

// newWinFinder returns a finder of wins of the rule and size of root.
func newWinFinder(root *prover.Prover, config brain.Config, stderr io.Writer) (*winFinder, error) {
	b := root.Board()
	below, err := prover.New(b.Rule(), b.Width(), b.Height())
	if err != nil {
		return nil, err
	}
	think := thinker{threads: 1, memory: 350, stderr: stderr, engine: brain.New(config)}
	think.engine.KeepTable(true) // what the search knows after a reply it has from before it
	return &winFinder{root: root, below: below, think: think}, nil
}

// find looks for a win of the side to move in g, whose position f.root has.
func (f *winFinder) find(ctx context.Context, kind prover.Kind, g *game) (found prover.Solution) {
	f.ctx, f.kind, f.game, f.won, f.nodes = ctx, kind, g, map[uint64]*prover.Proof{}, 0
	f.think.engine.Forget()
	for {
		if found = f.ask(f.root.Win, firstPart); found.Win {
			break
		}
		parts := searchPart
		if found.Limit == prover.NoLimit {
			parts = lookPart
		}
		m := f.search(g.moves, parts)
		if m == board.None && found.Limit == prover.NoLimit {
			break
		}
		if m != board.None {
			// The parts are proved; this plays the whole out against every reply.
			if p := f.attack(append(slices.Clone(g.moves), m)); p != nil && p.Check(f.root.Board()) == nil {
				found.Win, found.Limit, found.Proof, found.Line = true, prover.NoLimit, p, p.Line(f.root.Board())
				break
			}
		}
		if ctx.Err() != nil {
			break
		}
	}
	if found.Limit == prover.SearchLimit {
		found.Limit = prover.TimeLimit // a search goes on as long as it may
	}
	found.Nodes = f.nodes
	return found
}

// part returns a context for a part of the time that is left.
func (f *winFinder) part(parts int) (context.Context, context.CancelFunc) {
	end, _ := f.ctx.Deadline()
	return context.WithTimeout(f.ctx, time.Until(end)/time.Duration(parts))
}

// ask asks a prover in a part of the time that is left.
func (f *winFinder) ask(question func(context.Context, prover.Kind) prover.Solution, parts int) prover.Solution {
	ctx, cancel := f.part(parts)
	defer cancel()
	found := question(ctx, f.kind)
	f.nodes += found.Nodes
	return found
}

// win returns how the side to move wins after moves, nil if that is not proved.
func (f *winFinder) win(moves []board.Move) (p *prover.Proof) {
	if f.ctx.Err() != nil || f.below.SetMoves(moves) != nil {
		return nil
	}
	hash := f.below.Board().Hash()
	if p := f.won[hash]; p != nil {
		return p
	}
	if found := f.ask(f.below.Win, quickPart); found.Win {
		p = found.Proof
	} else if m := f.search(moves, searchPart); m != board.None {
		p = f.attack(append(slices.Clone(moves), m))
	} else if f.below.SetMoves(moves) == nil {
		p = f.ask(f.below.Win, slowPart).Proof
	}
	if p != nil {
		f.won[hash] = p
	}
	return p
}

// search returns the first move of a win that the search finds in a part of the time that is left, or None.
func (f *winFinder) search(moves []board.Move, parts int) board.Move {
	ctx, cancel := f.part(parts)
	defer cancel()
	found, err := f.think.analyze(ctx, f.game, moves, 1, func(i brain.Info) {
		if i.Score.Mate() > 0 {
			cancel()
		}
	})
	if err != nil || found.lines[0].Score.Mate() <= 0 {
		return board.None
	}
	return found.lines[0].PV[0]
}

// attack returns how the winner, who has made the last of moves, wins against every reply, nil if that is
// not proved.
func (f *winFinder) attack(moves []board.Move) *prover.Proof {
	p := &prover.Proof{Move: moves[len(moves)-1], Plies: 1}
	if f.below.SetMoves(moves) != nil {
		return p // a five
	}
	threat := f.ask(f.below.Threat, threatPart)
	if !threat.Win {
		return nil
	}
	p.Else, p.Plies = threat.Proof, threat.Proof.Plies+2
	for _, m := range threat.Holds {
		next := f.win(append(slices.Clone(moves), m))
		if next == nil {
			return nil
		}
		p.Replies = append(p.Replies, prover.ProofReply{Move: m, Next: next})
		p.Plies = max(p.Plies, next.Plies+2)
	}
	return p
}

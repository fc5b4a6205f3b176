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

// A winFinder looks for wins by solver and search side by side. A win of the search alone proves nothing,
// since it does not look at every reply: after its move the solver proves how the replies lose, and where it
// cannot, search and solver go on after the reply.
type winFinder struct {
	root  *prover.Prover // of the solver, at the root
	below *prover.Prover // of what the search finds, below it
	think thinker

	// Of one position:
	ctx   context.Context // ends with the time, or when the solver has a win
	kind  prover.Kind
	game  *game
	won   map[uint64]*prover.Proof // by the hash of the position
	nodes int                      // of below
}

// Parts of the time that is left, for a question. Set by hand 2026-11.
const (
	lookPart   = 4   // to the search about the root when all threats were tried and none wins
	belowPart  = 4   // to the search about another position
	quickPart  = 256 // to the solver alone, before the search is asked ...
	slowPart   = 8   // ... and after it about another position
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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f.ctx, f.kind, f.game, f.won, f.nodes = ctx, kind, g, map[uint64]*prover.Proof{}, 0
	look, stop := context.WithCancel(ctx)
	defer stop()
	alone, end := f.part(quickPart)
	defer end()
	solved := make(chan struct{})
	go func() {
		defer close(solved)
		found = f.root.Win(ctx, kind)
		if found.Win {
			cancel()
		} else if end, ok := ctx.Deadline(); ok && found.Limit == prover.NoLimit {
			time.AfterFunc(time.Until(end)/lookPart, stop)
		}
	}()
	select { // what the solver sees at once does not depend on which of both is sooner
	case <-solved:
	case <-alone.Done():
	}
	p := f.searched(look)
	if p != nil {
		cancel()
	}
	<-solved
	switch {
	case !found.Win && p != nil:
		found.Win, found.Limit, found.Proof, found.Line = true, prover.NoLimit, p, p.Line(f.root.Board())
	case found.Limit == prover.SearchLimit:
		found.Limit = prover.TimeLimit // a search goes on as long as it may
	}
	found.Nodes += f.nodes
	return found
}

// searched returns the proof of a win whose first move the search finds before look ends.
func (f *winFinder) searched(look context.Context) *prover.Proof {
	f.think.engine.Forget()
	for look.Err() == nil {
		m := f.search(look, f.game.moves)
		if m == board.None {
			break
		}
		if p := f.attack(append(slices.Clone(f.game.moves), m)); p != nil {
			return p
		}
		look = f.ctx
	}
	return nil
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
	} else if m := f.searchPart(moves); m != board.None {
		p = f.attack(append(slices.Clone(moves), m))
	} else if f.below.SetMoves(moves) == nil {
		p = f.ask(f.below.Win, slowPart).Proof
	}
	if p != nil {
		f.won[hash] = p
	}
	return p
}

// searchPart is search in a part of the time that is left.
func (f *winFinder) searchPart(moves []board.Move) board.Move {
	ctx, cancel := f.part(belowPart)
	defer cancel()
	return f.search(ctx, moves)
}

// search returns the first move of a win that the search finds before ctx ends, or None.
func (f *winFinder) search(ctx context.Context, moves []board.Move) board.Move {
	ctx, cancel := context.WithCancel(ctx)
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
		if v, _ := f.below.Board().Verdict(); v != board.WinningRow {
			return nil
		}
		return p
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

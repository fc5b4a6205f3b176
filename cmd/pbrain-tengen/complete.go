package main

import (
	"context"
	"slices"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/proof"
	"tengen/brain/prover"
)

// A winCompleter turns a win that the search has found into a proof: after the move of the search the solver
// proves how the replies lose, and where it cannot, the search goes on after the reply. A win of the search
// alone proves nothing, since it does not look at every reply.
type winCompleter struct {
	ctx    context.Context // ends when the time is over
	prover *prover.Prover
	kind   prover.Kind
	think  thinker
	game   *game
	won    map[uint64]*proof.Node // by the hash of the position
	nodes  int
}

// Parts of the time that is left, for one question to the solver and one to the search. Set by hand
// 2026-11.
const (
	solverPart = 8
	searchPart = 4
)

// complete looks for a win of the side to move in g by search and solver together, and returns its tree, nil
// if there is none in the time, and the nodes that the solver took.
func (s *solveRun) complete(ctx context.Context, config brain.Config, g *game) (*proof.Node, int) {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	c := &winCompleter{
		ctx: ctx, prover: s.prover, kind: s.kind, game: g, won: map[uint64]*proof.Node{},
		think: thinker{threads: 1, memory: 350, stderr: s.stderr, engine: brain.New(config)},
	}
	root := c.win(g.moves)
	s.prover.SetMoves(g.moves)
	return root, c.nodes
}

// part returns a context for a part of the time that is left.
func (c *winCompleter) part(parts int) (context.Context, context.CancelFunc) {
	end, _ := c.ctx.Deadline()
	return context.WithTimeout(c.ctx, time.Until(end)/time.Duration(parts))
}

// win returns how the side to move wins after moves, nil if that is not proved.
func (c *winCompleter) win(moves []board.Move) *proof.Node {
	if c.ctx.Err() != nil || c.prover.SetMoves(moves) != nil {
		return nil
	}
	hash := c.prover.Board().Hash()
	if n := c.won[hash]; n != nil {
		return n
	}
	ctx, cancel := c.part(solverPart)
	found := c.prover.Win(ctx, c.kind)
	cancel()
	c.nodes += found.Nodes
	n := (*proof.Node)(nil)
	if found.Win {
		n = found.Tree()
	} else if m := c.search(moves); m != board.None {
		n = c.attack(append(slices.Clone(moves), m))
	}
	if n != nil {
		c.won[hash] = n
	}
	return n
}

// search returns the first move of a win that the search finds, or None.
func (c *winCompleter) search(moves []board.Move) board.Move {
	ctx, cancel := c.part(searchPart)
	defer cancel()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	f, err := c.think.analyze(ctx, c.game, moves, 1, func(i brain.Info) {
		if i.Score.Mate() > 0 {
			stop()
		}
	})
	if err != nil || f.lines[0].Score.Mate() <= 0 {
		return board.None
	}
	return f.lines[0].PV[0]
}

// attack returns how the winner, who has made the last of moves, wins against every reply, nil if that is
// not proved.
func (c *winCompleter) attack(moves []board.Move) *proof.Node {
	n := &proof.Node{Move: moves[len(moves)-1]}
	if err := c.prover.SetMoves(moves); err != nil {
		return n // it is a five, and Check will see that
	}
	b := c.prover.Board()
	ctx, cancel := c.part(solverPart)
	lost := c.prover.Defend(ctx, c.kind)
	cancel()
	c.nodes += lost.Nodes
	open := lost.Holds
	if lost.Win {
		tree := lost.Tree()
		n.Else, n.Replies = tree.Else, tree.Replies
	} else {
		open = slices.DeleteFunc(b.Open().Append(nil), func(m board.Move) bool { return !b.Legal(m) })
	}
	for _, m := range open {
		answer := c.win(append(slices.Clone(moves), m))
		if answer == nil {
			return nil
		}
		n.Replies = append(n.Replies, proof.Reply{Move: m, Answer: answer})
	}
	return n
}

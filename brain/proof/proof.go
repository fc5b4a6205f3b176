// Package proof writes, reads and checks proofs of wins: what one side plays against every reply of
// the other. The check knows the rules and nothing else, neither package threat nor the tables of
// package board.
package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tengen/brain/board"
)

// A Proof is a position and how its winner wins. Positions that can be reached in several ways may
// share their nodes.
type Proof struct {
	Rule          board.Rule   // not continuous
	Width, Height int          // cells
	Moves         []board.Move // None is a pass
	Root          *Node

	// Holds are the moves of the side to move against which nothing is proved, if Root has no move:
	// the other side is the winner, whatever else is played.
	Holds []board.Move
}

// A Node is a position with the winner to move.
type Node struct {
	Move    board.Move // None only at the root, if the other side is to move
	Replies []Reply    // that have an answer of their own, each once
	Else    *Node      // the answer to every other reply; nil if there is none
}

// A Reply is a move of the loser.
type Reply struct {
	Move   board.Move
	Answer *Node
}

// answer returns the answer to m, and whether m has one of its own.
func (n *Node) answer(m board.Move) (next *Node, own bool) {
	for _, r := range n.Replies {
		if r.Move == m {
			return r.Answer, true
		}
	}
	return n.Else, false
}

// Winner returns the side that wins.
func (p *Proof) Winner() board.Color {
	side := board.Color(len(p.Moves) & 1)
	if p.Root.Move == board.None {
		side = side.Other()
	}
	return side
}

// Nodes returns the nodes, parents before children.
func (p *Proof) Nodes() []*Node {
	var list []*Node
	seen := map[*Node]bool{nil: true}
	var add func(n *Node)
	add = func(n *Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		add(n.Else)
		for _, r := range slices.Backward(n.Replies) {
			add(r.Answer)
		}
		list = append(list, n)
	}
	add(p.Root)
	slices.Reverse(list)
	return list
}

// Plies returns the number of plies from the first move of the winner to the last, at most.
func (p *Proof) Plies() int {
	plies := map[*Node]int{}
	for _, n := range slices.Backward(p.Nodes()) {
		most := 0
		if n.Else != nil {
			most = plies[n.Else] + 1
		}
		for _, r := range n.Replies {
			most = max(most, plies[r.Answer]+1)
		}
		if n.Move != board.None {
			most++
		} else {
			most-- // the reply comes first
		}
		plies[n] = most
	}
	return plies[p.Root]
}

// A Fault is a place where a proof fails.
type Fault struct {
	Moves  []board.Move // from the position of the proof on
	Reason string
}

// Error says where the proof fails, and why.
func (f *Fault) Error() string {
	if len(f.Moves) == 0 {
		return f.Reason
	}
	var s strings.Builder
	for _, m := range f.Moves {
		s.WriteString(" " + m.String())
	}
	return "after" + s.String() + ": " + f.Reason
}

// Check plays the proof out against every legal reply. It returns the number of positions with the
// winner to move that it won, each reached in several ways once for each way from another position.
// Errors: a *Fault, or that of ctx.
func (p *Proof) Check(ctx context.Context) (positions int, err error) {
	c, err := p.checker(ctx)
	if err != nil {
		return 0, err
	}
	err = c.start(p)
	return c.positions, err
}

// checker returns a checker at the position of p.
func (p *Proof) checker(ctx context.Context) (*checker, error) {
	if !p.Rule.Valid() || p.Rule&board.Continuous != 0 {
		return nil, &Fault{Reason: fmt.Sprintf("rule %d has no proofs", p.Rule)}
	}
	if !board.ValidSize(p.Width, p.Height) {
		return nil, &Fault{Reason: fmt.Sprintf("there is no board of %dx%d", p.Width, p.Height)}
	}
	c := &checker{position: newPosition(p.Rule, p.Width, p.Height), ctx: ctx, won: map[step]bool{}}
	for i, m := range p.Moves {
		if m == board.None {
			c.pass()
			continue
		}
		if !c.legal(m) {
			return nil, &Fault{Reason: fmt.Sprintf("move %d of the position, %v, is not legal", i+1, m)}
		}
		over := c.wins(c.side, m)
		c.play(m)
		if over {
			return nil, &Fault{Reason: fmt.Sprintf("the game is over after move %d of the position, %v", i+1, m)}
		}
	}
	for y := range p.Height {
		for x := range p.Width {
			c.all = append(c.all, board.At(x, y))
		}
	}
	if p.Root == nil {
		return nil, &Fault{Reason: "there is no proof"}
	}
	return c, nil
}

// A checker plays a proof out. A node that has won in a position is not played out there again.
type checker struct {
	*position
	ctx       context.Context
	all       []board.Move // the cells of the board
	path      []board.Move // from the position of the proof
	won       map[step]bool
	reducing  bool // an answer to every other reply is tried before that of a reply of its own
	positions int
}

type step struct {
	key  uint64
	node *Node
}

func (c *checker) fault(format string, args ...any) error {
	return &Fault{slices.Clone(c.path), fmt.Sprintf(format, args...)}
}

// start checks the proof from its position on.
func (c *checker) start(p *Proof) error {
	if p.Root.Move != board.None {
		return c.attack(p.Root)
	}
	for _, m := range p.Holds {
		if !c.legal(m) {
			return c.fault("%v, which is said to hold, is not legal", m)
		}
		if _, own := p.Root.answer(m); own {
			return c.fault("%v, which is said to hold, has an answer", m)
		}
	}
	return c.defend(p.Root, p.Holds)
}

// attack returns the fault of n in this position, nil if the winner, who is to move, wins by it.
func (c *checker) attack(n *Node) error {
	c.positions++
	m := n.Move
	if !c.empty(m) {
		return c.fault("%v is not an empty cell", m)
	}
	if c.wins(c.side, m) {
		if n.Else != nil || len(n.Replies) > 0 {
			return c.fault("%v ends the game, and the proof goes on", m)
		}
		return nil
	}
	if n.Else == nil && len(n.Replies) == 0 {
		return c.fault("%v does not win, and the proof ends", m)
	}
	at := step{c.key, n}
	won, known := c.won[at]
	if known && won {
		c.positions--
		return nil
	}
	if known {
		return c.fault("it fails as it has before")
	}
	if len(c.won)&255 == 0 && c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	if !c.legal(m) {
		return c.fault("%v is forbidden", m)
	}
	c.move(m)
	err := c.defend(n, nil)
	c.back()
	if err == nil || c.reducing && c.ctx.Err() == nil {
		c.won[at] = err == nil
	}
	return err
}

func (c *checker) move(m board.Move) {
	c.play(m)
	c.path = append(c.path, m)
}

func (c *checker) back() {
	c.undo(c.path[len(c.path)-1])
	c.path = c.path[:len(c.path)-1]
}

// defend tries all replies to n.Move but those in holds.
func (c *checker) defend(n *Node, holds []board.Move) error {
	if c.empties == 0 {
		return c.fault("the board is full")
	}
	for _, r := range n.Replies {
		if err := c.reply(n, r.Move); err != nil {
			return err
		}
	}
	for _, m := range c.all {
		if _, own := n.answer(m); own || slices.Contains(holds, m) {
			continue
		}
		if err := c.reply(n, m); err != nil {
			return err
		}
	}
	return nil
}

// reply returns the fault of the answer to m. A reply that cannot be played needs none.
func (c *checker) reply(n *Node, m board.Move) (err error) {
	if !c.empty(m) {
		return nil
	}
	answer, own := n.answer(m)
	wins := c.wins(c.side, m)
	switch {
	case wins:
		err = c.fault("%v wins at %v", c.side, m)
	case answer == nil:
		err = c.fault("there is no answer to %v", m)
	default:
		c.move(m)
		if c.reducing && own && n.Else != nil && c.attack(n.Else) == nil {
			own = false
		} else {
			err = c.attack(answer)
		}
		c.back()
	}
	if err != nil && !c.legal(m) {
		return c.ctx.Err()
	}
	return err
}

package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tengen/brain/board"
)

// Reduced returns the proof without the replies whose own answer is not needed, since that to every
// other reply wins too, and with equal nodes once. It checks the proof. Errors: those of Check.
func (p *Proof) Reduced(ctx context.Context) (*Proof, error) {
	c, err := p.checker(ctx)
	if err != nil {
		return nil, err
	}
	c.reducing = true
	if err := c.start(p); err != nil {
		return nil, err
	}
	k := keeper{c, map[step]bool{}, map[*Node]map[board.Move]bool{}}
	if p.Root.Move != board.None {
		k.attack(p.Root)
	} else {
		k.defend(p.Root, p.Holds)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	small := *p
	small.Root = (&copier{k.needed, map[*Node]*Node{}, map[string]*Node{}, map[*Node]int{}}).node(p.Root)
	return &small, nil
}

// A keeper walks through a proof that a checker has reduced and notes which replies need an answer
// of their own: those to which the answer to every other reply has failed in one position at least.
type keeper struct {
	*checker
	seen   map[step]bool
	needed map[*Node]map[board.Move]bool
}

func (k *keeper) attack(n *Node) {
	at := step{k.key, n}
	if n.Else == nil && len(n.Replies) == 0 || k.seen[at] || k.ctx.Err() != nil {
		return
	}
	k.seen[at] = true
	k.move(n.Move)
	k.defend(n, nil)
	k.back()
}

func (k *keeper) defend(n *Node, holds []board.Move) {
	for _, m := range k.all {
		if !k.legal(m) || slices.Contains(holds, m) {
			continue
		}
		answer, own := n.answer(m)
		k.move(m)
		switch {
		case own && n.Else != nil && k.checker.attack(n.Else) == nil:
			answer = n.Else
		case own:
			if k.needed[n] == nil {
				k.needed[n] = map[board.Move]bool{}
			}
			k.needed[n][m] = true
		}
		k.attack(answer)
		k.back()
	}
}

// A copier copies nodes with the replies that they need.
type copier struct {
	needed map[*Node]map[board.Move]bool
	copies map[*Node]*Node
	equal  map[string]*Node // by what they hold
	number map[*Node]int    // of the copies
}

func (c *copier) node(n *Node) *Node {
	if n == nil {
		return nil
	}
	if done := c.copies[n]; done != nil {
		return done
	}
	to := &Node{Move: n.Move, Else: c.node(n.Else)}
	var key strings.Builder
	fmt.Fprint(&key, to.Move, " ", c.number[to.Else])
	for _, r := range n.Replies {
		if c.needed[n][r.Move] {
			r.Answer = c.node(r.Answer)
			to.Replies = append(to.Replies, r)
			fmt.Fprint(&key, " ", r.Move, " ", c.number[r.Answer])
		}
	}
	if same := c.equal[key.String()]; same != nil {
		to = same
	} else {
		c.equal[key.String()] = to
		c.number[to] = len(c.number) + 1
	}
	c.copies[n] = to
	return to
}

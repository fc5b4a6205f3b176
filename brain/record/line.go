package record

import (
	"slices"

	"tengen/brain/board"
)

// MainLine returns the nodes from the root along the first children.
func (t *Tree) MainLine() []*Node {
	var line []*Node
	for n := t.Root; n != nil; {
		line = append(line, n)
		if len(n.Children) == 0 {
			break
		}
		n = n.Children[0]
	}
	return line
}

// AddLine adds moves of alternating colors, the first one of c, behind n: along children that are there,
// and as a variation where they end. It returns the node of the first move.
func (n *Node) AddLine(c board.Color, moves []board.Move) (first *Node) {
	at := n
	for i, m := range moves {
		k := slices.IndexFunc(at.Children, func(child *Node) bool { return child.Color == c && child.Move == m })
		if k < 0 {
			next := NewNode()
			next.Color, next.Move = c, m
			k = len(at.Children)
			at.Children = append(at.Children, next)
		}
		if at = at.Children[k]; i == 0 {
			first = at
		}
		c = c.Other()
	}
	return first
}

// Flip turns the whole tree upside down: its first row becomes the last.
func (t *Tree) Flip() {
	flip := func(m board.Move) board.Move {
		if m == board.None {
			return m
		}
		return board.At(m.X(), t.Height-1-m.Y())
	}
	for all := []*Node{t.Root}; len(all) > 0; {
		n := all[len(all)-1]
		all = append(all[:len(all)-1], n.Children...)
		if n.Color < board.Wall {
			n.Move = flip(n.Move)
		}
		for i := range n.Setup {
			n.Setup[i].At = flip(n.Setup[i].At)
		}
		for i := range n.Marks {
			n.Marks[i].At = flip(n.Marks[i].At)
		}
	}
}

// Link returns a link of gomocalc to the main line of a tree, whose size and rule it does not tell. The
// error is one of a game with a pass.
func (t *Tree) Link() (string, error) {
	text, err := t.line(true)
	return "https://gomocalc.com/#/" + text, err
}

// Pos returns the main line of a tree in pos notation, or with rows that count from the bottom. The error
// is one of a game with a pass.
func (t *Tree) Pos(fromBottom bool) (string, error) {
	text, err := t.line(fromBottom)
	if text == "" {
		text = "-"
	}
	return text, err
}

func (t *Tree) line(fromBottom bool) (string, error) {
	g, err := t.Game()
	if err != nil {
		return "", err
	}
	if g.HasPass() {
		return "", errPass
	}
	if fromBottom {
		upsideDown(g.Moves, g.Height)
	}
	return FormatMoves(g.Moves), nil
}

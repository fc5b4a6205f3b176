package record

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"tengen/brain/board"
)

// Limits of what the readers of game trees accept, so that a small hostile file cannot take
// much memory: a node is about 150 bytes.
const (
	maxText  = 32 << 20 // bytes of a file
	maxItems = 1 << 20  // nodes, marks, stones and values of other properties of a file
	maxDepth = 2000     // nodes from the root of a tree to a leaf

	treeItems = 4 // as many as a tree counts
)

var (
	errLarge = fmt.Errorf("the file is larger than %d MiB", maxText>>20)
	errItems = fmt.Errorf("more than %d moves, marks and properties", maxItems)
	errDepth = fmt.Errorf("a line of more than %d moves", maxDepth)
)

// A Tree is a game with variations, comments and marks, as SGF and RenLib files have it.
type Tree struct {
	Rule          board.Rule
	RuleKnown     bool // false if the file does not say which rule was played
	Width, Height int  // cells
	Black, White  string
	Result        string // as in SGF: "B+1", "W+Resign", "0" for a draw; "" if it is not known
	Reason        string // one word or a short sentence

	Event, Round, Date string // free text, may be empty

	Root *Node // never nil
}

// A Node is a position of a Tree: that of its parent after Setup and then Move. Its first
// child is the main line.
type Node struct {
	Color board.Color // of the player who moves, board.Empty if nobody does
	Side  board.Color // who is to move after this node if that was stated, else board.Empty
	Hot   bool        // marked as important: HO in SGF, the mark of RenLib
	Start bool        // the start of a problem in RenLib
	Move  board.Move  // board.None is a pass if Color is a player

	Name    string
	Comment string // lines end in "\n"

	Setup      []Stone
	Marks      []Mark
	Properties []Property // those of SGF that no other field has

	Children []*Node
}

// A Stone is put on a cell, or taken from it if Color is board.Empty.
type Stone struct {
	At    board.Move
	Color board.Color
}

// A MarkKind is the shape of a Mark.
type MarkKind uint8

const (
	Label MarkKind = iota
	Circle
	Cross
	Square
	Triangle
)

// A Mark is drawn on a cell.
type Mark struct {
	At   board.Move
	Kind MarkKind
	Text string // of a Label
}

// A Property is one of SGF that has no other place in a Node. Its values are as in the file,
// with their escapes.
type Property struct {
	Name   string
	Values []string
}

// NewNode returns a node without a move.
func NewNode() *Node { return &Node{Color: board.Empty, Side: board.Empty} }

// NewTree returns a tree of one node, without a rule.
func NewTree(width, height int) *Tree {
	return &Tree{Width: width, Height: height, Root: NewNode()}
}

// treeOf returns the tree with what g, of a format without a rule, tells, and its moves as the only
// line. Times become comments, and the opening too, as WriteSGF writes them.
func treeOf(g *Game) *Tree {
	t := NewTree(g.Width, g.Height)
	t.Black, t.White, t.Event, t.Result = g.Black, g.White, g.Event, resultText[g.Outcome&3]
	at := t.Root
	for i, m := range g.Moves {
		n := NewNode()
		n.Color, n.Move = board.Color(i&1), m
		if ms := g.millis(i); i < g.Opening {
			n.Comment = OpeningComment
		} else if ms > 0 {
			n.Comment = TimeComment(ms)
		}
		at.Children = []*Node{n}
		at = n
	}
	return t
}

// resultText is the SGF text of each Outcome.
var resultText = [4]string{"", "B+1", "W+1", "0"}

// Outcome returns what Result says.
func (t *Tree) Outcome() Outcome {
	switch r := strings.ToLower(strings.TrimSpace(t.Result)); {
	case r == "0", strings.Contains(r, "draw"): // some write B+DRAW
		return Drawn
	case strings.HasPrefix(r, "b+"):
		return BlackWon
	case strings.HasPrefix(r, "w+"):
		return WhiteWon
	}
	return Unknown
}

// mainLine returns the nodes from the root along the first children.
func (t *Tree) mainLine() []*Node {
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

// Game returns the main line as a game. Stones set up before the first move are taken for
// an opening, played in the order given, or in another one where the rule forbids that; there
// must be as many white ones as black, or one less. Players must take turns, and a player who is
// stated to move next has to be the one whose turn it is; passes are possible only at the end,
// where they are left out.
func (t *Tree) Game() (Game, error) {
	g := Game{
		Rule: t.Rule, Width: t.Width, Height: t.Height, Black: t.Black, White: t.White,
		Outcome: t.Outcome(), Reason: t.Reason, Event: t.Event, Round: t.Round, Date: t.Date,
	}
	var setup [2][]board.Move
	open := func() error {
		black, white := setup[0], setup[1]
		n := len(black) + len(white)
		if len(black)-len(white) != n&1 {
			return fmt.Errorf("%d black and %d white stones are set up, want as many white ones or one less", len(black), len(white))
		}
		if n > 0 {
			g.Moves = InTurn(t.Rule, t.Width, t.Height, black, white)
			g.Millis, g.Opening = make([]int, n), n
			setup = [2][]board.Move{}
		}
		return nil
	}
	passes := 0
	side := board.Empty // stated to move after the last move
	for _, n := range t.mainLine() {
		if n.Color < board.Wall || n.Side < board.Wall {
			side = n.Side
		}
		for _, s := range n.Setup {
			switch {
			case len(g.Moves) > 0:
				return g, fmt.Errorf("stones are set up after move %d", len(g.Moves))
			case s.Color >= board.Wall:
				return g, errors.New("stones are taken from the board")
			}
			setup[s.Color] = append(setup[s.Color], s.At)
		}
		if n.Color < board.Wall {
			if err := open(); err != nil {
				return g, err
			}
			switch {
			case n.Move == board.None:
				passes++
				continue
			case passes > 0:
				return g, fmt.Errorf("move %d is a pass", len(g.Moves)+1)
			case n.Color != board.Color(len(g.Moves)&1):
				return g, fmt.Errorf("move %d is out of turn", len(g.Moves)+1)
			}
			g.Moves = append(g.Moves, n.Move)
			g.Millis = append(g.Millis, 0)
		}
		i := len(g.Moves) - 1
		if i < 0 || passes > 0 {
			continue
		}
		if ms, ok := ParseTimeComment(n.Comment); ok {
			g.Millis[i] = ms
		} else if n.Comment == OpeningComment {
			g.Opening = i + 1
		}
	}
	if err := open(); err != nil {
		return g, err
	}
	if turn := board.Color(len(g.Moves) & 1); passes == 0 && side < board.Wall && side != turn {
		return g, fmt.Errorf("after %d stones %v is to move, want %v", len(g.Moves), side, turn)
	}
	return g, nil
}

// check returns an error if a move or a stone of the tree is on a cell where it cannot be: a
// move needs an empty one.
func (t *Tree) check() error {
	cells := make([]board.Color, board.Cells)
	for i := range cells {
		cells[i] = board.Empty
	}
	var visit func(n *Node, moves int) error
	visit = func(n *Node, moves int) error {
		type change struct {
			at  board.Move
			was board.Color
		}
		var undo []change
		put := func(m board.Move, c board.Color) {
			undo = append(undo, change{m, cells[m]})
			cells[m] = c
		}
		for _, s := range n.Setup {
			put(s.At, s.Color)
		}
		if n.Color < board.Wall {
			moves++
			if n.Move != board.None {
				if cells[n.Move] != board.Empty {
					return fmt.Errorf("move %d, %s, is on a stone", moves, n.Move.Label(t.Height))
				}
				put(n.Move, n.Color)
			}
		}
		for _, child := range n.Children {
			if err := visit(child, moves); err != nil {
				return err
			}
		}
		for i := len(undo) - 1; i >= 0; i-- {
			cells[undo[i].at] = undo[i].was
		}
		return nil
	}
	return visit(t.Root, 0)
}

// readAll reads at most maxText bytes.
func readAll(r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err == nil && len(raw) > maxText {
		err = errLarge
	}
	return raw, err
}

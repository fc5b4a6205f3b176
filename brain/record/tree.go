package record

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tengen/brain/board"
	"tengen/brain/record/charset"
)

// Limits of what the readers of game trees accept, so that a small hostile file cannot take
// much memory: a node is about 150 bytes.
const (
	maxText  = 32 << 20    // bytes of a file
	maxXML   = 8 * maxText // of a database of games in XML
	maxItems = 1 << 20     // nodes, marks, stones and values of other properties of a file
	maxDepth = 2000        // nodes from the root of a tree to a leaf

	treeItems = 4 // as many as a tree counts
)

var (
	errItems = fmt.Errorf("more than %d moves, marks and properties", maxItems)
	errDepth = fmt.Errorf("a line of more than %d moves", maxDepth)
)

func tooLarge(most int) error { return fmt.Errorf("the file is larger than %d MiB", most>>20) }

// A Tree is a game with variations, comments and marks, as SGF and RenLib files have it.
type Tree struct {
	Rule          board.Rule
	RuleKnown     bool // false if the file does not say which rule was played
	Width, Height int  // cells
	Black, White  string
	Result        string // as in SGF: "B+1", "W+Resign", "0" for a draw; "" if it is not known
	Reason        string // one word or a short sentence

	Event, Round, Date string // free text, may be empty

	RuleText string // as the file tells the rule, if that says more than Rule: "Taraguchi-10"

	Format   Format           // of the file
	Encoding charset.Encoding // of the file
	Remarks  []string         // what was left out, or taken for something else, in a line each

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

var markNames = [...]string{Label: "label", Circle: "circle", Cross: "cross", Square: "square", Triangle: "triangle"}

// String returns the name of k: label, circle, cross, square or triangle.
func (k MarkKind) String() string { return markNames[k] }

// markKindOf returns the MarkKind with the name.
func markKindOf(name string) (k MarkKind, ok bool) {
	i := slices.Index(markNames[:], name)
	return MarkKind(max(i, 0)), i >= 0
}

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
			n.Comment = openingComment
		} else if ms > 0 {
			n.Comment = timeComment(ms)
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
	switch r := strings.ToLower(strings.TrimSpace(folded(t.Result))); {
	case r == "0", strings.Contains(r, "draw"), r == "1/2-1/2", strings.Contains(r, "和"): // some write B+DRAW
		return Drawn
	case strings.HasPrefix(r, "b+"), r == "b", r == "black", r == "1-0", strings.HasPrefix(r, "黑"), strings.HasPrefix(r, "黒"):
		return BlackWon
	case strings.HasPrefix(r, "w+"), r == "w", r == "white", r == "0-1", strings.HasPrefix(r, "白"):
		return WhiteWon
	}
	return Unknown
}

// Game returns the main line as a game. Stones set up before the first move are taken for an opening,
// played in the order given, or in another one where the rule forbids that. Where they are no position
// of moves in turn, where White begins and where a player moves twice, board.None stands for a pass
// between the moves, and at the end where another side is stated to move. An error is a stone that is set
// up or taken away after a move.
func (t *Tree) Game() (Game, error) {
	g := Game{
		Rule: t.Rule, Width: t.Width, Height: t.Height, Black: t.Black, White: t.White,
		Outcome: t.Outcome(), Reason: t.Reason, Event: t.Event, Round: t.Round, Date: t.Date,
	}
	var setup [2][]board.Move
	side := board.Empty // stated to move after the last move
	turn := func(c board.Color) {
		if c < board.Wall && c != board.Color(len(g.Moves)&1) {
			g.Moves, g.Millis = append(g.Moves, board.None), append(g.Millis, 0)
		}
	}
	open := func() {
		black, white := setup[board.Black], setup[board.White]
		if len(black)+len(white) == 0 {
			return
		}
		g.Moves = InTurn(t.Rule, t.Width, t.Height, black, white)
		g.Millis = make([]int, len(g.Moves))
		g.Opening = len(g.Moves)
		setup = [2][]board.Move{}
	}
	for _, n := range t.MainLine() {
		for _, s := range n.Setup {
			switch {
			case len(g.Moves) > 0:
				return g, fmt.Errorf("stones are set up after move %d", len(g.Moves))
			case s.Color >= board.Wall:
				return g, errors.New("stones are taken from the board")
			}
			setup[s.Color] = append(setup[s.Color], s.At)
		}
		if n.Color < board.Wall || n.Side < board.Wall {
			side = n.Side
		}
		if n.Color < board.Wall {
			open()
			begins := len(g.Moves) == g.Opening
			if turn(n.Color); begins && g.Moves != nil && g.Moves[len(g.Moves)-1] == board.None {
				g.Opening = len(g.Moves) // the other side begins
			}
			g.Moves, g.Millis = append(g.Moves, n.Move), append(g.Millis, 0)
		}
		i := len(g.Moves) - 1
		if i < 0 || g.Moves[i] == board.None {
			continue
		}
		if ms, ok := parseTimeComment(n.Comment); ok {
			g.Millis[i] = ms
		} else if n.Comment == openingComment {
			g.Opening = i + 1
		}
	}
	open()
	if before := len(g.Moves); before > 0 || side == board.White {
		if turn(side); before == g.Opening {
			g.Opening = len(g.Moves)
		}
	}
	if len(g.Moves) == 0 {
		g.Moves, g.Millis = nil, nil
	}
	return g, nil
}

// HasPass reports whether a game has a pass, which few formats and programs know.
func (g *Game) HasPass() bool { return slices.Contains(g.Moves, board.None) }

// check returns an error if a move or a stone of the main line is on a cell where it cannot be: a
// move needs an empty one. Variations end before such a move, which is a remark.
func (t *Tree) check(said *remarks) error { return t.walk(said, refuseTree) }

// checkRecord is check for what a program has recorded: the main line, too, ends before a move on a
// stone, which is a remark, unless a variation would take its place or it is the first move.
func (t *Tree) checkRecord(said *remarks) error { return t.walk(said, endMain) }

// prune is check for a tree whose main line is a variation like the others. It reports whether a move
// is left of those that there were.
func (t *Tree) prune(said *remarks) bool {
	had := len(t.Root.Children) > 0
	t.walk(said, pruneMain)
	return !had || len(t.Root.Children) > 0
}

// What becomes of a main line with a move on a stone.
type badMainLine int

const (
	refuseTree badMainLine = iota // the tree is an error
	endMain                       // it ends before, where nothing takes its place
	pruneMain                     // it is a variation like the others
)

func (t *Tree) walk(said *remarks, bad badMainLine) error {
	cells := make([]board.Color, board.Cells)
	for i := range cells {
		cells[i] = board.Empty
	}
	var visit func(n *Node, moves int, main, alone bool) (bool, error)
	visit = func(n *Node, moves int, main, alone bool) (ok bool, err error) {
		type change struct {
			at  board.Move
			was board.Color
		}
		var undo []change
		put := func(m board.Move, c board.Color) {
			undo = append(undo, change{m, cells[m]})
			cells[m] = c
		}
		defer func() {
			for i := len(undo) - 1; i >= 0; i-- {
				cells[undo[i].at] = undo[i].was
			}
		}()
		for _, s := range n.Setup {
			put(s.At, s.Color)
		}
		if n.Color < board.Wall {
			moves++
			if n.Move != board.None {
				if cells[n.Move] != board.Empty {
					switch {
					case main && bad == endMain && alone && moves > 1:
						said.add("the game ends before move %d, %s, which is on a stone: moves left out: %d", moves, n.Move.Label(t.Height), n.mainMoves())
						return false, nil
					case main:
						return false, fmt.Errorf("move %d, %s, is on a stone", moves, n.Move.Label(t.Height))
					}
					said.add("a variation ends before move %d, %s, which is on a stone", moves, n.Move.Label(t.Height))
					return false, nil
				}
				put(n.Move, n.Color)
			}
		}
		kept := n.Children[:0]
		for i, child := range n.Children {
			ok, err := visit(child, moves, main && i == 0, len(n.Children) == 1)
			if err != nil {
				return false, err
			}
			if ok {
				kept = append(kept, child)
			}
		}
		if n.Children = kept; len(kept) == 0 {
			n.Children = nil
		}
		return true, nil
	}
	_, err := visit(t.Root, 0, bad != pruneMain, false)
	return err
}

// mainMoves returns the number of moves from the node on along the first children.
func (n *Node) mainMoves() (moves int) {
	for {
		if n.Color < board.Wall {
			moves++
		}
		if len(n.Children) == 0 {
			return moves
		}
		n = n.Children[0]
	}
}

// readAll reads at most maxText bytes.
func readAll(r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err == nil && len(raw) > maxText {
		err = tooLarge(maxText)
	}
	return raw, err
}

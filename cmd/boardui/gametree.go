package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tengen/brain/board"
	"tengen/brain/record"
)

// A pageNode is a node of the tree of a game as the page has it, see page/tree.js. Sides
// alternate there: stones that are set up and players who move twice become moves with passes
// between them, which are marked, so that a file is written as it was read.
type pageNode struct {
	Cell     *int       `json:"cell,omitempty"` // row * width + column, -1 for a pass; nil at the root
	Took     int        `json:"took,omitempty"` // milliseconds
	Comment  string     `json:"comment,omitempty"`
	Marks    []pageMark `json:"marks,omitempty"`
	Name     string     `json:"name,omitempty"`
	Resigned string     `json:"resigned,omitempty"` // black, white
	Flagged  bool       `json:"flagged,omitempty"`  // its time was over: it has not resigned

	Setup bool       `json:"setup,omitempty"` // a stone that is set up, or a pass between such stones
	Auto  bool       `json:"auto,omitempty"`  // a pass that is not in the file
	Hot   bool       `json:"hot,omitempty"`
	Start bool       `json:"start,omitempty"`
	Side  string     `json:"side,omitempty"` // to move, if the file says so
	More  [][]string `json:"more,omitempty"` // other properties of SGF: name and values

	Next []*pageNode `json:"next,omitempty"`
}

type pageMark struct {
	Cell int    `json:"cell"`
	Kind string `json:"kind"`
	Text string `json:"text,omitempty"`
}

// What the page can show. It writes and copies trees node by node, and a browser has no room for
// many calls within each other; no line of a game that can be played is as long.
const (
	maxItems = 100_000       // moves, stones and marks in a file
	maxLine  = 2 * maxPasses // moves of a line, passes included
)

func colorName(c board.Color) string {
	if c < board.Wall {
		return c.String()
	}
	return ""
}

func colorOf(name string) board.Color {
	for _, c := range []board.Color{board.Black, board.White} {
		if c.String() == name {
			return c
		}
	}
	return board.Empty
}

// A pageTree converts between the tree of a file and that of the page.
type pageTree struct {
	width   int
	opening int // moves of the main line that are the opening
	moves   int // that were read
	items   int // moves, stones and marks so far, of all games of a file
}

func (p *pageTree) cell(m board.Move) int {
	if m == board.None {
		return -1
	}
	return m.Y()*p.width + m.X()
}

var (
	errLateSetup = errors.New("stones are set up or taken away in the middle of the game, which cannot be shown here")
	errManyItems = fmt.Errorf("the file has more than %d moves and marks, which is too much for the page", maxItems)
	errLongLine  = fmt.Errorf("a line has more than %d moves, which is too much for the page", maxLine)
)

// read returns the page's tree of t.
func (p *pageTree) read(t *record.Tree) (*pageNode, error) {
	root := &pageNode{}
	last, plies, err := p.setUp(root, t)
	if err != nil {
		return nil, err
	}
	if err := p.facts(last, t.Root); err != nil {
		return nil, err
	}
	type step struct {
		node  *record.Node
		to    *pageNode // of the node before
		plies int
		main  bool
	}
	var stack []step
	push := func(list []*record.Node, to *pageNode, plies int, main bool) {
		for i, child := range slices.Backward(list) {
			stack = append(stack, step{child, to, plies, main && i == 0})
		}
	}
	longest := plies
	for push(t.Root.Children, last, plies, true); len(stack) > 0; {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		p.moves++
		p.items++
		if len(s.node.Setup) > 0 {
			return nil, errLateSetup
		}
		if s.node.Color < board.Wall {
			if s.node.Color != board.Color(s.plies&1) {
				s.to, s.plies = s.to.add(&pageNode{Cell: new(-1), Auto: true}), s.plies+1
			}
			s.to, s.plies = s.to.add(&pageNode{Cell: new(p.cell(s.node.Move))}), s.plies+1
		}
		if err := p.facts(s.to, s.node); err != nil {
			return nil, err
		}
		if s.main {
			p.note(s.to, s.plies)
		}
		longest = max(longest, s.plies)
		push(s.node.Children, s.to, s.plies, s.main)
	}
	if longest > maxLine {
		return nil, errLongLine
	}
	return root, nil
}

// add adds a child and returns it.
func (n *pageNode) add(child *pageNode) *pageNode {
	n.Next = append(n.Next, child)
	return child
}

// whole reports whether n and all that follows are there: JSON may have null for a node.
func (n *pageNode) whole() bool {
	for stack := []*pageNode{n}; len(stack) > 0; {
		n := stack[len(stack)-1]
		if n == nil {
			return false
		}
		stack = append(stack[:len(stack)-1], n.Next...)
	}
	return true
}

// last returns the end of the main line.
func (n *pageNode) last() *pageNode {
	for len(n.Next) > 0 {
		n = n.Next[0]
	}
	return n
}

// setUp lays the stones that the root of t sets up, and its move if it has one, as moves below
// root. It returns the last node and its number of moves.
func (p *pageTree) setUp(root *pageNode, t *record.Tree) (last *pageNode, plies int, err error) {
	from := t.Root
	var stones [2][]board.Move
	for _, s := range from.Setup {
		if s.Color >= board.Wall {
			return nil, 0, errLateSetup
		}
		stones[s.Color] = append(stones[s.Color], s.At)
	}
	black, white := stones[board.Black], stones[board.White]
	side := from.Side
	if side >= board.Wall {
		side = from.Color
	}
	if side >= board.Wall {
		side = usualSide(len(black), len(white))
	}
	moves := record.InTurn(t.Rule, t.Width, t.Height, black, white)
	if plies = len(moves); board.Color(plies&1) != side {
		moves, plies = append(moves, board.None), plies+1
	}
	last = root
	for _, m := range moves {
		last = last.add(&pageNode{Cell: new(p.cell(m)), Setup: true})
	}
	p.opening = plies
	p.items += plies
	if from.Color < board.Wall { // some files have a move in the root
		if from.Color != board.Color(plies&1) {
			last, plies = last.add(&pageNode{Cell: new(-1), Auto: true}), plies+1
		}
		last, plies = last.add(&pageNode{Cell: new(p.cell(from.Move))}), plies+1
	}
	return last, plies, nil
}

// usualSide is who is to move where these numbers of stones are set up, if nothing says who.
func usualSide(black, white int) board.Color {
	if black > white {
		return board.White
	}
	return board.Black
}

// facts adds what a node says to a node of the page.
func (p *pageTree) facts(to *pageNode, n *record.Node) error {
	if p.items += len(n.Marks); p.items > maxItems {
		return errManyItems
	}
	to.Comment = joined(to.Comment, n.Comment)
	if n.Name != "" {
		to.Name = n.Name
	}
	to.Hot, to.Start = to.Hot || n.Hot, to.Start || n.Start
	if side := colorName(n.Side); side != "" {
		to.Side = side
	}
	for _, m := range n.Marks {
		to.Marks = append(to.Marks, pageMark{p.cell(m.At), m.Kind.String(), m.Text})
	}
	for _, q := range n.Properties {
		to.More = append(to.More, append([]string{q.Name}, q.Values...))
	}
	return nil
}

// joined is two comments as one.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// note takes the time or the opening of the main line out of a comment.
func (p *pageTree) note(n *pageNode, plies int) {
	if n.Comment == record.OpeningComment && p.opening == plies-1 {
		n.Comment, p.opening = "", plies
		return
	}
	if ms, ok := record.ParseTimeComment(n.Comment); ok {
		n.Comment, n.Took = "", ms
	}
}

// write returns the tree of a file for the page's root. The moves are not checked against the
// rules, only against the board.
func (p *pageTree) write(root *pageNode, width, height int) (*record.Tree, *fault) {
	t := record.NewTree(width, height)
	cells := width * height
	at, opening := root, p.opening
	t.Root = record.NewNode()
	if f := p.says(t.Root, root, cells); f != nil {
		return nil, f
	}
	plies := 0
	for len(at.Next) == 1 && at.Next[0].Setup {
		at = at.Next[0]
		m, f := p.move(at, cells)
		if f == nil {
			f = p.says(t.Root, at, cells)
		}
		if f != nil {
			return nil, f
		}
		if m != board.None {
			t.Root.Setup = append(t.Root.Setup, record.Stone{At: m, Color: board.Color(plies & 1)})
		}
		plies++
	}
	slices.SortStableFunc(t.Root.Setup, func(a, b record.Stone) int { return int(a.Color) - int(b.Color) })
	black := 0
	for _, s := range t.Root.Setup {
		if s.Color == board.Black {
			black++
		}
	}
	if side := board.Color(plies & 1); side != usualSide(black, len(t.Root.Setup)-black) {
		t.Root.Side = side
	}
	type step struct {
		node  *pageNode
		to    *record.Node // of the node before
		plies int
		main  bool
	}
	var stack []step
	push := func(list []*pageNode, to *record.Node, plies int, main bool) {
		for i, child := range slices.Backward(list) {
			stack = append(stack, step{child, to, plies, main && i == 0})
		}
	}
	for push(at.Next, t.Root, plies, true); len(stack) > 0; {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if p.items++; p.items > maxItems {
			return nil, bad("big", "%v", errManyItems)
		}
		if !s.node.Auto {
			m, f := p.move(s.node, cells)
			if f != nil {
				return nil, f
			}
			n := record.NewNode()
			n.Color, n.Move = board.Color(s.plies&1), m
			if s.main && s.node.Comment == "" {
				switch {
				case s.plies < opening && !s.node.Setup:
					n.Comment = record.OpeningComment
				case s.node.Took > 0:
					n.Comment = record.TimeComment(s.node.Took)
				}
			}
			s.to.Children = append(s.to.Children, n)
			s.to = n
		}
		if f := p.says(s.to, s.node, cells); f != nil {
			return nil, f
		}
		push(s.node.Next, s.to, s.plies+1, s.main)
	}
	return t, nil
}

func (p *pageTree) move(n *pageNode, cells int) (board.Move, *fault) {
	if n.Cell == nil || *n.Cell < -1 || *n.Cell >= cells {
		return board.None, bad("moves", "a move is not on the board")
	}
	return p.at(*n.Cell), nil
}

func (p *pageTree) at(cell int) board.Move {
	if cell < 0 {
		return board.None
	}
	return board.At(cell%p.width, cell/p.width)
}

// says adds what a node of the page says: a file has one node for a position that is set up, and
// none for a pass that is not in it.
func (p *pageTree) says(to *record.Node, n *pageNode, cells int) *fault {
	to.Comment = joined(to.Comment, n.Comment)
	if n.Name != "" {
		to.Name = n.Name
	}
	to.Hot, to.Start = to.Hot || n.Hot, to.Start || n.Start
	if n.Side != "" {
		to.Side = colorOf(n.Side)
	}
	for _, m := range n.Marks {
		kind, ok := record.MarkKindOf(m.Kind)
		if !ok || m.Cell < 0 || m.Cell >= cells {
			return bad("marks", "there is no mark %q on cell %d", m.Kind, m.Cell)
		}
		to.Marks = append(to.Marks, record.Mark{At: p.at(m.Cell), Kind: kind, Text: m.Text})
	}
	for _, q := range n.More {
		if len(q) < 2 || !propertyName(q[0]) {
			return bad("request", "a property needs a name of capital letters and digits and a value")
		}
		if slices.ContainsFunc(q[1:], endsEarly) {
			return bad("request", "the property %s has a bracket that is not escaped", q[0])
		}
		to.Properties = append(to.Properties, record.Property{Name: q[0], Values: q[1:]})
	}
	return nil
}

func propertyName(s string) bool {
	return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// endsEarly reports whether a value of SGF, with its escapes, would end before its end.
func endsEarly(value string) bool {
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '\\':
			i++
		case ']':
			return true
		}
	}
	return strings.HasSuffix(strings.ReplaceAll(value, `\\`, ""), `\`)
}

package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tengen/brain/board"
)

// ReadSGFTrees reads every game of an SGF collection with its variations. A game of GM[4]
// or without GM is taken, that of another game, such as Go, is an error. Moves may be passes,
// of any color and go on after a row of five; they must be on empty cells of the board.
// Coordinates are two letters, column and row from the top left, or a letter and a number
// of the row from the bottom. The error is a BrokenGames if games cannot be used; nothing is read
// after what is no game tree.
// Source: SGF FF[4]; FF[3] names with lower-case letters are accepted.
func ReadSGFTrees(r io.Reader) ([]*Tree, error) {
	raw, err := readAll(r)
	if err != nil {
		return nil, err
	}
	p := sgfParser{s: strings.TrimPrefix(string(raw), "\ufeff")}
	if !utf8.ValidString(p.s) {
		p.s = latin1(p.s)
	}
	var trees []*Tree
	broken := BrokenGames{}
	for p.skipTo('(') {
		var t *Tree
		root, err := p.tree()
		ended := err == nil
		if ended {
			t, err = p.meaning(root)
		}
		if p.items += treeItems; p.items > maxItems {
			return nil, fmt.Errorf("game %d: %w", len(trees)+1, errItems)
		}
		if err == nil {
			err = t.check()
		}
		if err != nil {
			broken[len(trees)], t = err, nil
		}
		if trees = append(trees, t); !ended {
			break
		}
	}
	return trees, broken.orNil()
}

// An sgfParser reads a collection in two steps for each game: its nodes with all properties
// as text, then, once the size of the board is known, their meaning.
type sgfParser struct {
	s     string
	i     int
	items int // nodes and values so far, of all games
}

func (p *sgfParser) skipTo(c byte) bool {
	k := strings.IndexByte(p.s[p.i:], c)
	if k < 0 {
		return false
	}
	p.i += k
	return true
}

// tree parses from "(" to its ")" and returns the root.
func (p *sgfParser) tree() (*Node, error) {
	type branch struct {
		last  *Node // nil before the first node of the game
		depth int
	}
	var root, last *Node
	var open []branch // the parentheses that are not closed yet
	depth := 0
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '(':
			if len(open) > maxDepth {
				return nil, errors.New("variations are nested too deep")
			}
			open = append(open, branch{last, depth})
			p.i++
		case c == ')':
			p.i++
			b := open[len(open)-1]
			open = open[:len(open)-1]
			last, depth = b.last, b.depth
			if len(open) > 0 {
				continue
			}
			if root == nil {
				return nil, errors.New("there is no node")
			}
			return root, nil
		case c == ';':
			p.i++
			n := NewNode()
			if depth++; depth > maxDepth {
				return nil, errDepth
			}
			if p.items++; p.items > maxItems {
				return nil, errItems
			}
			switch {
			case last != nil:
				last.Children = append(last.Children, n)
			case root != nil:
				return nil, errors.New("the game begins twice")
			default:
				root = n
			}
			last = n
		case c >= 'A' && c <= 'Z':
			if last == nil {
				return nil, errors.New("a property stands before the first node")
			}
			if err := p.property(last); err != nil {
				return nil, err
			}
		default:
			p.i++
		}
	}
	return nil, errors.New("the game tree is not closed")
}

// property parses a name and all its values.
func (p *sgfParser) property(n *Node) error {
	start := p.i
	for p.i < len(p.s) && (p.s[p.i] >= 'A' && p.s[p.i] <= 'Z' || p.s[p.i] >= 'a' && p.s[p.i] <= 'z') {
		p.i++
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return -1
		}
		return r
	}, p.s[start:p.i])
	q := Property{Name: name}
	for {
		for p.i < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.i]) >= 0 {
			p.i++
		}
		if p.i >= len(p.s) || p.s[p.i] != '[' {
			break
		}
		p.i++
		start := p.i
		for ; p.i < len(p.s) && p.s[p.i] != ']'; p.i++ {
			if p.s[p.i] == '\\' {
				p.i++
			}
		}
		if p.i >= len(p.s) {
			return fmt.Errorf("property %.40s is not closed", name)
		}
		q.Values = append(q.Values, p.s[start:p.i])
		p.i++
		if p.items++; p.items > maxItems {
			return errItems
		}
	}
	if q.Values == nil {
		return fmt.Errorf("property %.40s has no value", name)
	}
	n.Properties = append(n.Properties, q)
	return nil
}

// meaning sets the fields of the tree and of all its nodes from their properties.
func (p *sgfParser) meaning(root *Node) (*Tree, error) {
	t := &Tree{Width: 19, Height: 19, Root: root}
	var rest []Property
	for _, q := range root.Properties {
		v := plainText(q.Values[0])
		switch q.Name {
		case "FF", "CA":
		case "GM":
			switch strings.TrimSpace(v) {
			case "4":
			case "1":
				return nil, errors.New("this is a game of Go, GM[1]; want GM[4], gomoku and renju")
			default:
				return nil, fmt.Errorf("this is another game, GM[%.40s]; want GM[4], gomoku and renju", v)
			}
			if !root.has("SZ") {
				t.Width, t.Height = 15, 15
			}
		case "SZ":
			a, b, two := strings.Cut(v, ":")
			if !two {
				b = a
			}
			w, err := strconv.Atoi(strings.TrimSpace(a))
			h, err2 := strconv.Atoi(strings.TrimSpace(b))
			if err != nil || err2 != nil || !board.ValidSize(w, h) {
				return nil, fmt.Errorf("size %.40q is not supported, want sides of %d to %d", v, board.MinSize, board.MaxSize)
			}
			t.Width, t.Height = w, h
		case "RU":
			if t.Rule, t.RuleKnown = ruleOf(v); !t.RuleKnown {
				rest = append(rest, q)
			}
		case "PB":
			t.Black = v
		case "PW":
			t.White = v
		case "EV":
			t.Event = v
		case "RO":
			t.Round = v
		case "DT":
			t.Date = v
		case "TE":
			t.Reason = v
		case "RE":
			if t.Result = v; v == "?" || v == "Void" {
				t.Result = ""
			}
		default:
			rest = append(rest, q)
		}
	}
	root.Properties = rest
	queue := []*Node{root}
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		queue = append(queue[:len(queue)-1], n.Children...)
		if err := p.node(n, t); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (n *Node) has(name string) bool {
	for _, q := range n.Properties {
		if q.Name == name {
			return true
		}
	}
	return false
}

// ruleOf reads the RU of a game: the number of the protocol or a word.
func ruleOf(s string) (board.Rule, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if n, err := strconv.Atoi(s); err == nil {
		if r := board.Rule(n & 15); int(r) == n && r.Valid() {
			return r, true
		}
		return board.Freestyle, false
	}
	for r := board.Freestyle; r < 16; r++ {
		if r.Valid() && s == r.String() {
			return r, true
		}
	}
	for _, w := range []struct {
		word string
		rule board.Rule
	}{{"renju", board.Renju}, {"rif", board.Renju}, {"exact-caro", board.Caro | board.ExactFive}, {"caro", board.Caro}, {"standard", board.ExactFive}, {"exact", board.ExactFive}, {"free", board.Freestyle}, {"gomoku", board.Freestyle}} {
		if strings.Contains(s, w.word) {
			return w.rule, true
		}
	}
	return board.Freestyle, false
}

// sgfMarks are the names of marks.
var sgfMarks = [...]string{Label: "LB", Circle: "CR", Cross: "MA", Square: "SQ", Triangle: "TR"}

// node sets the fields of n from its properties. A second move in a node becomes a node of
// its own.
func (p *sgfParser) node(n *Node, t *Tree) error {
	all := n.Properties
	n.Properties = nil
	at := n
	for _, q := range all {
		switch q.Name {
		case "B", "W":
			m, err := sgfMove(plainText(q.Values[0]), t.Width, t.Height)
			if err != nil {
				return fmt.Errorf("%s: %w", q.Name, err)
			}
			if at != n {
				return errors.New("more than two moves in a node")
			}
			if at.Color != board.Empty {
				next := NewNode()
				at.Children, next.Children = []*Node{next}, at.Children
				at = next
			}
			at.Color, at.Move = board.Color(strings.Index("BW", q.Name)), m
		case "AB", "AW", "AE":
			c := [...]board.Color{board.Black, board.White, board.Empty}[strings.IndexByte("BWE", q.Name[1])]
			err := p.points(q.Values, t, func(m board.Move) { at.Setup = append(at.Setup, Stone{m, c}) })
			if err != nil {
				return fmt.Errorf("%s: %w", q.Name, err)
			}
		case "CR", "MA", "SQ", "TR":
			kind := MarkKind(slices.Index(sgfMarks[:], q.Name))
			err := p.points(q.Values, t, func(m board.Move) { at.Marks = append(at.Marks, Mark{At: m, Kind: kind}) })
			if err != nil {
				return fmt.Errorf("%s: %w", q.Name, err)
			}
		case "LB":
			for _, v := range q.Values {
				point, text, _ := strings.Cut(v, ":")
				m, err := sgfPoint(point, t.Width, t.Height)
				if err != nil {
					return fmt.Errorf("LB: %w", err)
				}
				at.Marks = append(at.Marks, Mark{At: m, Text: strings.ReplaceAll(plainText(text), "\n", " ")})
			}
		case "PL":
			switch strings.ToUpper(strings.TrimSpace(q.Values[0])) {
			case "B", "BLACK", "1":
				at.Side = board.Black
			case "W", "WHITE", "2":
				at.Side = board.White
			default:
				return fmt.Errorf("PL: %.40q is no player", q.Values[0])
			}
		case "N":
			at.Name = plainText(q.Values[0])
		case "C":
			at.Comment = plainText(q.Values[0])
		case "HO":
			at.Hot = true
		case "START":
			at.Start = true
		default:
			at.Properties = append(at.Properties, q)
		}
	}
	for ; ; n = n.Children[0] {
		n.order()
		if n == at {
			return nil
		}
	}
}

// order sorts what SGF groups by kind. Of the stones that are set up on one cell, which is an
// error of the file, the last one stays.
func (n *Node) order() {
	slices.Reverse(n.Setup)
	var set board.Set
	n.Setup = slices.DeleteFunc(n.Setup, func(s Stone) bool {
		before := set.Has(s.At)
		set.Add(s.At)
		return before
	})
	slices.Reverse(n.Setup)
	slices.SortStableFunc(n.Setup, func(a, b Stone) int { return cmp.Compare(a.Color, b.Color) })
	slices.SortStableFunc(n.Marks, func(a, b Mark) int { return cmp.Compare(a.Kind, b.Kind) })
}

// points calls f for every cell of a list, which may have rectangles as in "aa:cc".
func (p *sgfParser) points(values []string, t *Tree, f func(board.Move)) error {
	for _, v := range values {
		if v == "" && len(values) == 1 {
			return nil // an empty list
		}
		a, b, two := strings.Cut(v, ":")
		if !two {
			b = a
		}
		from, err := sgfPoint(a, t.Width, t.Height)
		if err != nil {
			return err
		}
		to, err := sgfPoint(b, t.Width, t.Height)
		if err != nil {
			return err
		}
		for y := from.Y(); y <= to.Y(); y++ {
			for x := from.X(); x <= to.X(); x++ {
				if p.items++; p.items > maxItems {
					return errItems
				}
				f(board.At(x, y))
			}
		}
	}
	return nil
}

// sgfMove reads a point or a pass: nothing, or "tt" where the board has no such cell.
func sgfMove(v string, width, height int) (board.Move, error) {
	v = strings.TrimSpace(v)
	if v == "" || strings.EqualFold(v, "tt") && min(width, height) < 20 {
		return board.None, nil
	}
	return sgfPoint(v, width, height)
}

func sgfPoint(v string, width, height int) (board.Move, error) {
	v = strings.TrimSpace(v)
	if len(v) < 2 || len(v) > 3 {
		return board.None, fmt.Errorf("bad point %.40q", v)
	}
	x, y := int(v[0]|0x20)-'a', int(v[1]|0x20)-'a'
	if n, err := strconv.Atoi(v[1:]); err == nil && v[1] >= '0' && v[1] <= '9' {
		y = height - n
	} else if len(v) == 3 {
		return board.None, fmt.Errorf("bad point %q", v)
	}
	m, err := board.AtOn(x, y, width, height)
	if err != nil {
		return board.None, fmt.Errorf("point %q: %w", v, err)
	}
	return m, nil
}

// plainText removes the escapes of a value. Line ends become "\n", and those after a
// backslash nothing.
func plainText(v string) string {
	if strings.IndexByte(v, '\r') >= 0 {
		v = strings.ReplaceAll(strings.ReplaceAll(v, "\r\n", "\n"), "\r", "\n")
	}
	if strings.IndexByte(v, '\\') < 0 {
		return v
	}
	var b strings.Builder
	for i := 0; i < len(v); i++ {
		if v[i] == '\\' && i+1 < len(v) {
			if i++; v[i] == '\n' {
				continue
			}
		}
		b.WriteByte(v[i])
	}
	return b.String()
}

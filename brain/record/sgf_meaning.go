package record

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// meaning sets the fields of the tree and of all its nodes from their properties.
func (p *sgfParser) meaning(root *Node) (*Tree, error) {
	t := &Tree{Root: root}
	for len(root.Children) == 1 && !root.has("GM") && !root.has("SZ") && !root.hasStones() { // what it has may stand behind it
		next := root.Children[0]
		if !next.has("GM") && !next.has("SZ") {
			break
		}
		root.Properties, root.Children = append(root.Properties, next.Properties...), next.Children
	}
	var rest []Property
	game := ""
	told := map[string]string{}
	for _, q := range root.Properties {
		v := plainText(q.Values[0])
		if before, twice := told[q.Name]; twice && before != v && (q.Name == "SZ" || q.Name == "RU") {
			p.remarks.add("%s is there twice, and the last one counts: %.20q, %.20q", q.Name, before, v)
		}
		told[q.Name] = v
		switch q.Name {
		case "FF", "CA":
		case "GM":
			game = strings.TrimSpace(v)
		case "SZ":
			if strings.TrimSpace(v) == "" {
				continue
			}
			var ok bool
			if t.Width, t.Height, ok = sgfSides(v); !ok {
				return nil, fmt.Errorf("size %.40q is not supported, want sides of %d to %d", v, board.MinSize, board.MaxSize)
			}
		case "RU":
			if err := otherGame(v); err != nil {
				return nil, err
			}
			t.Rule, t.RuleKnown = ruleOf(v)
			switch {
			case !t.RuleKnown:
				rest = append(rest, q)
				switch {
				case strings.TrimSpace(v) == "":
				case isOpeningRule(v):
					p.remarks.add("RU[%.40s] tells the opening and not the rule", v)
				default:
					p.remarks.add("unknown rule RU[%.40s]", v)
				}
			case saysMore(v, t.Rule):
				t.RuleText = v
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
	if !t.RuleKnown {
		p.ruleBeside(t, root)
	}
	if err := t.isGomoku(game, root); err != nil && !p.force {
		return nil, err
	}
	if game != "" && game != "4" {
		p.remarks.add("GM[%.20s] is another game: this one is taken for gomoku", game)
	}
	if t.Width == 0 {
		p.sizeByPoints(t, root)
	}
	root.Properties = rest
	return t, p.nodes(t)
}

// ruleBeside looks for the rule in names of the game and of the event, and in what a program writes of
// its openings of renju.
func (p *sgfParser) ruleBeside(t *Tree, root *Node) {
	for _, q := range root.Properties {
		v := plainText(q.Values[0])
		rule, ok := board.Freestyle, false
		switch q.Name {
		case "GN":
			rule, ok = ruleInText(v, board.Renju)
		case "EV", "GC", "AP":
			plain := foldRule(v)
			ok = strings.Contains(plain, "renju") || strings.Contains(plain, "连珠") || strings.Contains(plain, "連珠") || strings.Contains(plain, "렌주")
			rule = board.Renju
		}
		if ok {
			t.Rule, t.RuleKnown = rule, true
			p.remarks.add("%s says the rule: %v", q.Name, rule)
			return
		}
	}
	for n, depth := root, 0; n != nil && depth < 8; depth++ {
		if n.has("QPR") {
			t.Rule, t.RuleKnown = board.Renju, true
			p.remarks.add("QPR, an opening of renju, says the rule: renju")
			return
		}
		for _, q := range n.Properties {
			if (q.Name == "5A" || q.Name == "FA") && strings.Trim(q.Values[0], "? ") != "" {
				t.Rule, t.RuleKnown = board.Renju, true
				p.remarks.add("%s, an offered fifth move, says the rule: renju", q.Name)
				return
			}
		}
		if len(n.Children) == 0 {
			return
		}
		n = n.Children[0]
	}
}

// isGomoku returns an error if a game is another one than gomoku and renju by its GM: programs and
// people copy that of Go.
func (t *Tree) isGomoku(game string, root *Node) error {
	switch {
	case game == "" || game == "4", strings.EqualFold(game, "gomoku"), strings.EqualFold(game, "renju"):
		return nil
	case t.RuleKnown:
		for _, q := range root.Properties {
			if _, err := strconv.Atoi(strings.TrimSpace(q.Values[0])); q.Name == "RU" && err != nil || q.Name != "RU" {
				return nil
			}
		}
	case root.namesGomoku():
		return nil
	case game == "1" && t.Width == t.Height && (t.Width == 15 || t.Width == 20) && root.isZero("KM") && root.isZero("HA"):
		return nil // no board of Go
	}
	if game == "1" {
		return errors.New("this is a game of Go, GM[1]; want GM[4], gomoku and renju")
	}
	return fmt.Errorf("this is another game, GM[%.40s]; want GM[4], gomoku and renju", game)
}

// namesGomoku reports whether the program, the name or the event of a game say what it is.
func (n *Node) namesGomoku() bool {
	return slices.ContainsFunc(n.Properties, func(q Property) bool {
		if !slices.Contains([]string{"AP", "GN", "EV", "GC"}, q.Name) {
			return false
		}
		plain := foldRule(plainText(q.Values[0]))
		return slices.ContainsFunc(gomokuNames, func(name string) bool { return strings.Contains(plain, name) })
	})
}

// gomokuNames are the names of the games, as foldRule leaves them.
var gomokuNames = []string{"gomoku", "renju", "gobang", "omok", "fiveinarow", "piskvor", "五子棋", "五目", "连珠", "連珠", "오목", "렌주", "гомоку", "рэндзю"}

// sgfSides reads the sides of the board: one number, or columns and rows.
func sgfSides(v string) (width, height int, ok bool) {
	a, b, two := strings.Cut(strings.Map(func(r rune) rune {
		switch r {
		case 'x', 'X', '*', ',', '×':
			return ':'
		}
		return r
	}, v), ":")
	if !two {
		b = a
	}
	w, err := strconv.Atoi(strings.TrimSpace(a))
	h, err2 := strconv.Atoi(strings.TrimSpace(b))
	return w, h, err == nil && err2 == nil && board.ValidSize(w, h)
}

// sizeByPoints sets the size of a game that does not tell it: the usual one of 15, 19, 20 and 22 that
// has room for its points.
func (p *sgfParser) sizeByPoints(t *Tree, root *Node) {
	most := 0
	for stack := []*Node{root}; len(stack) > 0; {
		n := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], n.Children...)
		for _, q := range n.Properties {
			switch q.Name {
			case "B", "W", "AB", "AW":
			default:
				continue
			}
			for _, v := range q.Values {
				for _, point := range strings.Split(v, ":") {
					point = strings.ToLower(strings.Join(strings.Fields(point), ""))
					if len(point) != 2 || point == "tt" {
						continue
					}
					for _, c := range []byte(point) {
						if c >= 'a' && c <= 'z' {
							most = max(most, int(c-'a')+1)
						}
					}
				}
			}
		}
	}
	side := 15
	for _, wider := range []int{19, 20, 22} {
		if most > side {
			side = wider
		}
	}
	t.Width, t.Height = side, side
	if side != 15 || !root.has("GM") {
		p.remarks.add("no size: %dx%d assumed", side, side)
	}
}

// saysMore reports whether a text tells more than the rule, such as its opening.
func saysMore(v string, rule board.Rule) bool {
	plain := strings.ToLower(strings.TrimSpace(v))
	if _, err := strconv.Atoi(plain); err == nil || plain == rule.String() {
		return false
	}
	switch foldRule(plain) {
	case "gomoku", "free", "freestyle", "exact", "standard", "renju", "caro", "exactcaro":
		return false
	}
	return true
}

// nodes sets the fields of all nodes. A variation in which a node cannot be read ends before it.
func (p *sgfParser) nodes(t *Tree) error {
	type step struct {
		node *Node
		main bool
	}
	if err := p.node(t.Root, t); err != nil {
		return err
	}
	for stack := []step{{t.Root, true}}; len(stack) > 0; {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := s.node
		for len(n.Children) == 1 && n.Children[0].Properties == nil && n.Children[0].Color != board.Empty {
			n = n.Children[0] // a second move of the node, which has been read
		}
		kept := n.Children[:0]
		for i, child := range n.Children {
			main := s.main && i == 0
			if err := p.node(child, t); err != nil {
				if main {
					return err
				}
				p.remarks.add("a variation ends before what cannot be read: %v", err)
				continue
			}
			kept = append(kept, child)
			stack = append(stack, step{child, main})
		}
		n.Children = kept
		if len(kept) == 0 {
			n.Children = nil
		}
	}
	p.timeUp(t)
	return nil
}

// timeUp takes a move tt at the end of the main line, where the board has no such cell, for the end of the
// time, as ORC writes it, and not for a pass.
func (p *sgfParser) timeUp(t *Tree) {
	line := t.MainLine()
	if n := line[len(line)-1]; n == p.tt && n.Color < board.Wall && n.Move == board.None {
		p.remarks.add("%c[tt] at the end is taken for the end of the time", "BW"[n.Color])
		n.Color, n.Move = board.Empty, 0
	}
}

// hasStones reports whether a node has a move or sets stones up.
func (n *Node) hasStones() bool {
	return slices.ContainsFunc(n.Properties, func(q Property) bool { return slices.Contains(stones, q.Name) })
}

func (n *Node) has(name string) bool {
	for _, q := range n.Properties {
		if q.Name == name {
			return true
		}
	}
	return false
}

// isZero reports whether a number is 0, as some programs write what Go alone has, or not there.
func (n *Node) isZero(name string) bool {
	for _, q := range n.Properties {
		if v, err := strconv.ParseFloat(strings.TrimSpace(q.Values[0]), 64); q.Name == name && (err != nil || v != 0) {
			return false
		}
	}
	return true
}

// sgfMarks are the names of marks.
var sgfMarks = [...]string{Label: "LB", Circle: "CR", Cross: "MA", Square: "SQ", Triangle: "TR"}

// node sets the fields of n from its properties. Further moves in a node become nodes of their own.
func (p *sgfParser) node(n *Node, t *Tree) error {
	all := n.Properties
	n.Properties = nil
	r := nodeReader{sgfParser: p, tree: t, isRoot: n == t.Root, at: n}
	r.hasMove = slices.ContainsFunc(all, func(q Property) bool {
		return q.Name == "B" || q.Name == "W" || slices.Contains([]string{"AB", "AW", "AE"}, q.Name) && q.Values[0] != ""
	})
	for _, q := range all {
		if err := r.property(q); err != nil {
			return err
		}
	}
	for ; ; n = n.Children[0] {
		n.order()
		if n == r.at {
			return nil
		}
	}
}

// A nodeReader reads the properties of one node.
type nodeReader struct {
	*sgfParser
	tree    *Tree
	isRoot  bool
	hasMove bool  // or sets stones up
	at      *Node // the node, or the one of its last move
}

// property sets the fields that a property is for.
func (r *nodeReader) property(q Property) error {
	at, first := r.at, q.Values[0]
	switch q.Name {
	case "B", "W", "QPR", "QSLW":
		if len(q.Values) > 1 && q.Name != "QPR" {
			return fmt.Errorf("%s has %d values, want one move", q.Name, len(q.Values))
		}
		return propertyError(q, r.moves(q))
	case "AB", "AW", "AE":
		c := [...]board.Color{board.Black, board.White, board.Empty}[strings.IndexByte("BWE", q.Name[1])]
		return propertyError(q, r.points(q.Values, r.tree, func(m board.Move) { at.Setup = append(at.Setup, Stone{m, c}) }, nil))
	case "CR", "MA", "SQ", "TR":
		kind := MarkKind(slices.Index(sgfMarks[:], q.Name))
		return propertyError(q, r.points(q.Values, r.tree, func(m board.Move) { at.Marks = append(at.Marks, Mark{At: m, Kind: kind}) }, func(err error) {
			r.remarks.add("a mark is left out: %s: %v", q.Name, err)
		}))
	case "LB":
		for _, v := range q.Values {
			point, text, _ := strings.Cut(v, ":")
			m, err := sgfPoint(point, r.tree.Width, r.tree.Height)
			if err != nil {
				r.remarks.add("a label is left out: LB: %v", err)
				continue
			}
			at.Marks = append(at.Marks, Mark{At: m, Text: strings.ReplaceAll(plainText(text), "\n", " ")})
		}
	case "PL":
		switch strings.ToUpper(strings.TrimSpace(first)) {
		case "B", "BLACK", "1":
			at.Side = board.Black
		case "W", "WHITE", "2":
			at.Side = board.White
		default:
			r.remarks.add("left out: PL[%.20s] is no player", first)
		}
	case "N":
		at.Name = plainText(first)
	case "C":
		at.Comment = joinTexts(at.Comment, plainText(strings.Join(q.Values, "\n")))
	case "SZ", "RU", "GM":
		if !r.isRoot {
			r.remarks.add("%s[%.20s] behind the first node is left out", q.Name, first)
		}
		at.Properties = append(at.Properties, q)
	case "CA": // of the root alone
	case "HO":
		at.Hot = true
	case "START":
		at.Start = true
	default:
		if err := r.unknown(q, r.tree, r.isRoot, r.hasMove); err != nil {
			return err
		}
		at.Properties = append(at.Properties, q)
	}
	return nil
}

// propertyError returns an error in a value with the name of the property, nil for nil.
func propertyError(q Property, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", q.Name, err)
}

// moves reads the moves of a property.
func (r *nodeReader) moves(q Property) error {
	if q.Name == "QPR" { // of GomokuQuest: the stones of the opening, black, white, black
		for i, v := range strings.Split(strings.Join(q.Values, ","), ",") {
			if err := r.move(board.Color(i&1), v); err != nil {
				return err
			}
		}
		return nil
	}
	if q.Name == "B" {
		return r.move(board.Black, q.Values[0])
	}
	return r.move(board.White, q.Values[0]) // QSLW: the player who chose took White and played this
}

// move adds a move to the node, or if it has one a node behind it.
func (r *nodeReader) move(c board.Color, v string) error {
	m, err := sgfMove(plainText(v), r.tree.Width, r.tree.Height)
	if err != nil {
		return err
	}
	if r.at.Color != board.Empty {
		next := NewNode()
		r.at.Children, next.Children = []*Node{next}, r.at.Children
		r.at = next
		if r.items++; r.items > maxItems {
			return errItems
		}
	}
	r.at.Color, r.at.Move = c, m
	if m == board.None && strings.TrimSpace(v) != "" {
		r.tt = r.at
	}
	return nil
}

// joinTexts is two comments as one.
func joinTexts(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

var knownProperty = regexp.MustCompile(`^(?:` + knownNames + `)$`)

// unknown checks a property that has no place in a Node. One that may hold moves, where the node has
// no other, is an error: without it the game would be another one. In the first node one point may be
// something else.
func (p *sgfParser) unknown(q Property, t *Tree, first, hasMove bool) error {
	if knownProperty.MatchString(q.Name) {
		return nil
	}
	points := 0
	for _, v := range q.Values {
		for _, point := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ':' }) {
			point = strings.Join(strings.Fields(point), "")
			if first && (len(point) != 2 || point[0] < 'a' || point[1] < 'a') {
				return nil // of the game, where short texts stand too
			}
			if _, err := sgfPoint(point, t.Width, t.Height); err != nil {
				return nil
			}
			points++
		}
	}
	if points == 0 {
		return nil
	}
	if !hasMove && (!first || points > 1 || q.Name[0] == 'Q') {
		return fmt.Errorf("the property %.20s[%.20s] is not known and seems to hold a move", q.Name, q.Values[0])
	}
	p.remarks.add("the property %.20s[%.20s] is not known", q.Name, q.Values[0])
	return nil
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

// points calls f for every cell of a list, which may have rectangles as in "aa:cc". A bad point is an
// error, or left out if leave is not nil, which is called for it.
func (p *sgfParser) points(values []string, t *Tree, f func(board.Move), leave func(error)) error {
	for _, v := range values {
		if v == "" && len(values) == 1 {
			return nil // an empty list
		}
		a, b, two := strings.Cut(v, ":")
		if !two {
			b = a
		}
		from, err := sgfPoint(a, t.Width, t.Height)
		var to board.Move
		if err == nil {
			to, err = sgfPoint(b, t.Width, t.Height)
		}
		if err != nil && leave != nil {
			leave(err)
			continue
		}
		if err != nil {
			return err
		}
		left, right := min(from.X(), to.X()), max(from.X(), to.X()) // from whichever corners
		for y := min(from.Y(), to.Y()); y <= max(from.Y(), to.Y()); y++ {
			for x := left; x <= right; x++ {
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

// sgfPoint reads a point: two letters, or a letter and a number, with white space between them or not.
func sgfPoint(v string, width, height int) (board.Move, error) {
	v = strings.Join(strings.Fields(v), "")
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

package record

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// readSGFGames reads every game of an SGF collection with its variations. A game of GM[4] or without GM is
// taken, and one of another number if its rule is one of gomoku or renju; others, such as Go, are
// errors. Moves may be passes, of any color and go on after a row of five; they must be on the board.
// A game ends before a move on a stone. Coordinates are two letters, column and row from the top left, or a letter and a number
// of the row from the bottom.
//
// What other programs and people write is read as it is meant where that is clear: text around the
// game, a parenthesis, semicolon or bracket that is missing, several moves in a node, names in lower
// case. Remarks of the tree name what is left out, such as marks beside the board and variations that
// cannot be played. The error is a BrokenGames if games cannot be used; nothing is read after what is
// no game tree.
// Source: SGF FF[4]; FF[3] names with lower-case letters are accepted.
func readSGFGames(raw []byte, o Reading) ([]*Tree, error) {
	var trees []*Tree
	broken := BrokenGames{}
	items := 0
	for _, part := range parts(raw) {
		t, err := decode(part, o.Encoding)
		if err != nil {
			return nil, err
		}
		p := sgfParser{s: t.s, items: items, force: o.Force}
		if trees, err = p.collection(t, trees, broken); err != nil {
			return nil, err
		}
		items = p.items
	}
	return trees, broken.orNil()
}

// collection adds the games of a text to trees.
func (p *sgfParser) collection(text text, trees []*Tree, broken BrokenGames) ([]*Tree, error) {
	for {
		at := sgfBegin(p.s[p.i:])
		if at < 0 {
			behind := strings.Trim(p.s[p.i:], " \t\r\n\x00\x1a\ufeff)")
			if n := len(trees); n > 0 && trees[n-1] != nil && behind != "" {
				trees[n-1].Remarks = append(trees[n-1].Remarks, fmt.Sprintf("text behind the game is left out: %.40q", strings.Join(strings.Fields(behind), " ")))
			}
			return trees, nil
		}
		p.remarks = remarks{}
		if text.remark != "" {
			p.remarks.add("%s", text.remark)
		}
		if before := strings.TrimSpace(p.s[p.i : p.i+at]); before != "" && before != "\ufeff" {
			p.remarks.add("text before the game is left out: %.40q", before)
		}
		p.i += at
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
			err = t.checkRecord(&p.remarks)
		}
		if err != nil {
			broken[len(trees)], t = err, nil
		} else {
			t.Format, t.Encoding, t.Remarks = SGF, text.encoding, p.remarks.all()
		}
		if trees = append(trees, t); !ended {
			return trees, nil
		}
	}
}

// What a game of SGF begins with, also where text stands before it, and where the parenthesis or both
// that and the semicolon are missing.
var (
	sgfFirst  = regexp.MustCompile(`\(\s*;\s*(?:[A-Za-z0-9]+\s*\[|[();]|$)|\(\s*(?:GM|FF|SZ|CA|PB|PW|AB|AW|B|W|GN|RU)\s*\[`)
	sgfNoOpen = regexp.MustCompile(`^\s*(?:;\s*[A-Za-z0-9]+|GM|FF|SZ|CA|PB|PW|AB|AW|B|W)\s*\[`)
	sgfOpen   = regexp.MustCompile(`^\s*\(\s*(?:[;()]|[A-Za-z]+\s*\[|$)`)
)

// sgfBegin returns where a game of SGF begins in a text, -1 if none does.
func sgfBegin(s string) int {
	if sgfNoOpen.MatchString(s) || sgfOpen.MatchString(s) {
		return 0
	}
	if m := sgfFirst.FindStringIndex(s); m != nil {
		return m[0]
	}
	return -1
}

// An sgfParser reads a collection in two steps for each game: its nodes with all properties
// as text, then, once the size of the board is known, their meaning.
type sgfParser struct {
	s     string
	i     int
	items int  // nodes and values so far, of all games
	force bool // a game of another number is taken for gomoku

	remarks remarks // of the game that is read
	cut     bool    // the last game lacks its end
	tt      *Node   // the last one that was read with a pass written as tt
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
	opened := false // a parenthesis stands before, and no node behind it
	node := func() error {
		n := NewNode()
		opened = false
		if depth++; depth > maxDepth {
			return errDepth
		}
		if p.items++; p.items > maxItems {
			return errItems
		}
		switch {
		case last != nil:
			last.Children = append(last.Children, n)
		case root != nil:
			return errors.New("the game begins twice")
		default:
			root = n
		}
		last = n
		return nil
	}
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '(':
			if len(open) > maxDepth {
				return nil, errors.New("variations are nested too deep")
			}
			open = append(open, branch{last, depth})
			opened = true
			p.i++
		case c == ')':
			p.i++
			if len(open) > 0 {
				b := open[len(open)-1]
				open = open[:len(open)-1]
				last, depth, opened = b.last, b.depth, false
			}
			if len(open) > 0 {
				continue
			}
			if root == nil {
				return nil, errors.New("there is no node")
			}
			return root, nil
		case c == ';':
			p.i++
			if err := node(); err != nil {
				return nil, err
			}
		case c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			name := sgfName.FindString(p.s[p.i:])
			if name == "" {
				if err := p.junk(); err != nil {
					return nil, err
				}
				continue
			}
			if opened || last == nil {
				if root == nil {
					p.remarks.add("the first node has no semicolon")
				}
				if err := node(); err != nil {
					return nil, err
				}
			}
			if err := p.property(last, name); err != nil {
				return nil, err
			}
		case c <= ' ':
			p.i++
		default:
			if err := p.junk(); err != nil {
				return nil, err
			}
		}
	}
	p.cut = true
	switch {
	case root == nil:
		return nil, errors.New("there is no node")
	case !root.says("B", "W", "AB", "AW", "QPR"):
		return nil, errors.New("the game tree is not closed")
	}
	p.remarks.add("the game is not closed: its last parenthesis is missing")
	return root, nil
}

// closedSGF reports whether all games of a collection have their ends.
func closedSGF(s string) bool {
	p := sgfParser{s: s}
	for at := sgfBegin(s); at >= 0; at = sgfBegin(p.s[p.i:]) {
		p.i += at
		if _, err := p.tree(); err != nil || p.cut {
			return false
		}
	}
	return true
}

// says reports whether a node or one below it has one of the properties.
func (n *Node) says(names ...string) bool {
	for stack := []*Node{n}; len(stack) > 0; {
		n := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], n.Children...)
		if slices.ContainsFunc(n.Properties, func(q Property) bool { return slices.Contains(names, q.Name) }) {
			return true
		}
	}
	return false
}

// junk skips what stands between properties and is none. It may not be the name of a move, whose value
// is lost.
func (p *sgfParser) junk() error {
	start := p.i
	for p.i < len(p.s) && strings.IndexByte("();", p.s[p.i]) < 0 {
		if p.i > start && sgfKnown.MatchString(p.s[p.i:]) && !isWord(p.s[p.i-1]) {
			break
		}
		p.i++
	}
	what := strings.TrimSpace(p.s[start:p.i])
	if m := sgfLostMove.FindStringSubmatch(what); m != nil {
		return fmt.Errorf("property %s has no value", m[1])
	}
	p.remarks.add("left out: %.40q", what)
	return nil
}

func isWord(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}

// sgfLostMove matches the name of a move without its bracket.
var sgfLostMove = regexp.MustCompile(`^(A?[BW])\s*(?:[A-Za-z]{2}\]?)?$`)

// Names of properties with the bracket behind them: any, and those that are known.
var (
	sgfName  = regexp.MustCompile(`^[A-Za-z0-9]+\s*\[`)
	sgfKnown = regexp.MustCompile(`^(?:` + knownNames + `|[bw]|gm|sz|c|ff)\s*\[`)
)

// knownNames are those of FF[4] and of gomoku programs.
const knownNames = `AB|AE|AN|AP|AR|AS|AW|BL|BM|BR|BS|BT|B|CA|CP|CR|C|DD|DM|DO|DT|EV|FF|FG|FA|5A|GB|GC|GM|GN|GW|HA|HO|IP|IT|IY|KM|KO|LB|LN|L|MA|MN|M|N|OB|ON|OT|OV|OW|PB|PC|PL|PM|PW|QPR|QSLW|RE|RG|RO|RU|SC|SE|SL|SO|SQ|ST|SU|SZ|START|TB|TE|TM|TR|TW|UC|US|VW|V|WL|WR|WS|WT|W|XEV|[Bb]lack|[Ww]hite|BLACK|WHITE`

// propertyName returns the name of a property as FF[4] writes it: capital letters, and of a name in
// lower case all letters.
func propertyName(written string) string {
	written = strings.TrimSpace(strings.TrimSuffix(written, "["))
	switch strings.ToLower(written) {
	case "black":
		return "B"
	case "white":
		return "W"
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return -1
		}
		return r
	}, written)
	if strings.Trim(name, "0123456789") == "" {
		return strings.ToUpper(written)
	}
	return name
}

// texts are the properties whose values people write.
var texts = []string{"C", "N", "GC", "GN", "PB", "PW", "EV", "RO", "DT", "PC", "RE", "RU", "SO", "US", "AN", "CP", "ON", "OT", "TE", "BR", "WR", "BT", "WT", "AP", "XEV"}

// stones are the properties whose values are points of stones: with control characters these are no
// points, and no blanks are put for them.
var stones = []string{"B", "W", "AB", "AW", "AE", "QPR", "QSLW"}

// property parses all values of a property, whose name with the bracket is at p.i.
func (p *sgfParser) property(n *Node, name string) error {
	p.i += len(name) - 1
	q := Property{Name: propertyName(name)}
	for {
		for p.i < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.i]) >= 0 {
			p.i++
		}
		if p.i >= len(p.s) || p.s[p.i] != '[' {
			break
		}
		p.i++
		v := p.value(q.Name)
		if !slices.Contains(stones, q.Name) {
			v = withoutControls(v)
		}
		q.Values = append(q.Values, v)
		if p.items++; p.items > maxItems {
			return errItems
		}
	}
	n.Properties = append(n.Properties, q)
	return nil
}

// Where a value must have ended whose bracket is missing.
var (
	sgfMoveEnd = regexp.MustCompile(`^\s*[A-Za-z]{2}\s*[;()]`)
	sgfTextEnd = regexp.MustCompile(`(?:\s*;\s*(?:B|W|AB|AW|QPR|QSLW)|\s*(?:SZ|GM|FF|CA|RU|PB|PW|DT|RE|EV|RO))\s*\[[^\[\]]*$`)
)

// value parses a value up to its bracket and returns it with its escapes, and with those that brackets
// within it lack.
func (p *sgfParser) value(name string) string {
	start := p.i
	isText := slices.Contains(texts, name)
	var bare []int // brackets that are not escaped
	for ; p.i < len(p.s); p.i++ {
		c := p.s[p.i]
		if c == '\\' {
			p.i++
			continue
		}
		if c != ']' {
			continue
		}
		if isText && !p.ends(p.i+1, name) {
			bare = append(bare, p.i-start)
			continue
		}
		v := p.s[start:p.i]
		if cut := endWithout(v, isText, true); cut >= 0 {
			return p.cutValue(name, start, cut, bare)
		}
		p.i++
		return escape(v, bare)
	}
	v := p.s[start:]
	cut := endWithout(v, isText, false)
	if cut < 0 {
		cut = len(v)
	}
	return p.cutValue(name, start, cut, bare)
}

// endWithout returns where a value ends whose bracket is missing, -1 if that is not clear: its own or,
// at the end of the file, any.
func endWithout(v string, isText, closed bool) int {
	if isText {
		if m := sgfTextEnd.FindStringIndex(v); m != nil {
			return m[0]
		}
	} else if m := sgfMoveEnd.FindStringIndex(v); m != nil && !isText && (!closed || strings.Contains(v, "[")) {
		return m[1] - 1
	}
	return -1
}

// cutValue returns the value up to cut, where the parser goes on, and says so.
func (p *sgfParser) cutValue(name string, start, cut int, bare []int) string {
	v := p.s[start : start+cut]
	p.i = start + cut
	p.remarks.add("the bracket of %.40s[%.20s] is missing", name, v)
	if strings.HasSuffix(v, `\`) && !escaped(v, len(v)-1) {
		v = v[:len(v)-1] // an escape of nothing
	}
	return escape(v, bare)
}

// escape puts backslashes before some bytes of a value, whose indexes ascend.
func escape(v string, at []int) string {
	if len(at) == 0 {
		return v
	}
	var b strings.Builder
	for i := range len(v) {
		if len(at) > 0 && at[0] == i {
			b.WriteByte('\\')
			at = at[1:]
		}
		b.WriteByte(v[i])
	}
	return b.String()
}

// escaped reports whether a backslash that counts stands before v[i].
func escaped(v string, i int) bool {
	n := 0
	for i--; i >= 0 && v[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// Texts after which a value of text has ended: what may follow a property.
var sgfFollows = regexp.MustCompile(`^\s*(?:$|;\s*(?:$|[;()]|[A-Za-z0-9]+\s*\[)|\(\s*(?:;|[A-Za-z0-9]+\s*\[)|\)\s*(?:$|[();])|(?:` + knownNames + `)\s*\[|[A-Z0-9][A-Za-z0-9]{0,99}\s*\[)`)

// ends reports whether a bracket of a text before i is its end, and not one that should have been
// escaped: whether what follows is the next property, node or variation, or nothing.
func (p *sgfParser) ends(i int, name string) bool {
	for i < len(p.s) && p.s[i] == '[' { // another value, if it ends as one
		k := strings.IndexByte(p.s[i:], ']')
		if k < 0 {
			break
		}
		i += k + 1
	}
	if sgfFollows.MatchString(p.s[i:min(len(p.s), i+200)]) {
		return true
	}
	// Text that goes on: up to a bracket after which something follows. Without one this is the end.
	for k := i; k < len(p.s) && k < i+10_000; k++ {
		switch p.s[k] {
		case '\\':
			k++
		case ']':
			if sgfFollows.MatchString(p.s[k+1 : min(len(p.s), k+201)]) {
				if !strings.Contains(p.s[i:k], ";") {
					p.remarks.add("a bracket within %s is not escaped", name)
					return false
				}
				return true
			}
		}
	}
	return true
}

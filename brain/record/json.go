package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tengen/brain/board"
)

// A jsonTree is a game in JSON: an object a line. Points are in pos notation, rows from the top.
type jsonTree struct {
	Game     int         `json:"game"` // version of this form
	Width    int         `json:"width"`
	Height   int         `json:"height"`
	Rule     *board.Rule `json:"rule,omitempty"` // number of the protocol, if it is known
	RuleText string      `json:"ruleText,omitempty"`
	Black    string      `json:"black,omitempty"`
	White    string      `json:"white,omitempty"`
	Result   string      `json:"result,omitempty"` // as in SGF
	Reason   string      `json:"reason,omitempty"`
	Event    string      `json:"event,omitempty"`
	Round    string      `json:"round,omitempty"`
	Date     string      `json:"date,omitempty"`
	Root     *jsonNode   `json:"root"`
}

type jsonNode struct {
	Color   string     `json:"color,omitempty"` // of the player who moves
	Move    string     `json:"move,omitempty"`  // or pass
	Side    string     `json:"side,omitempty"`  // to move, if the file says so
	Hot     bool       `json:"hot,omitempty"`
	Start   bool       `json:"start,omitempty"`
	Name    string     `json:"name,omitempty"`
	Comment string     `json:"comment,omitempty"`
	Black   string     `json:"black,omitempty"` // stones that are set up
	White   string     `json:"white,omitempty"`
	Empty   string     `json:"empty,omitempty"` // cells that stones are taken from
	Marks   []jsonMark `json:"marks,omitempty"`
	More    [][]string `json:"more,omitempty"` // other properties of SGF: name and values

	Next []*jsonNode `json:"next,omitempty"`
}

type jsonMark struct {
	At   string `json:"at"`
	Kind string `json:"kind"` // label, circle, cross, square, triangle
	Text string `json:"text,omitempty"`
}

// jsonGame is the version of the form.
const jsonGame = 1

// isJSON reports whether a text has games as WriteJSON writes them.
func isJSON(s string) bool {
	behind, ok := strings.CutPrefix(strings.TrimLeft(s, " \t\n"), `{"game":`)
	return ok && strings.TrimLeft(behind, " 0123456789") != strings.TrimLeft(behind, " ") // and not an object of others
}

// WriteJSON writes t as a line of JSON, from which Read reads the same tree. It makes one Write.
func WriteJSON(w io.Writer, t *Tree) error {
	raw, err := t.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = w.Write(append(raw, '\n'))
	return err
}

// MarshalJSON returns t as WriteJSON writes it, without the end of the line.
func (t *Tree) MarshalJSON() ([]byte, error) {
	j := jsonTree{
		Game: jsonGame, Width: t.Width, Height: t.Height, RuleText: t.RuleText, Black: t.Black, White: t.White,
		Result: t.Result, Reason: t.Reason, Event: t.Event, Round: t.Round, Date: t.Date, Root: jsonOf(t.Root),
	}
	if t.RuleKnown {
		j.Rule = &t.Rule
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads a game as WriteJSON writes it, with the same checks and limits as Read.
func (t *Tree) UnmarshalJSON(raw []byte) error {
	var j jsonTree
	if err := json.Unmarshal(raw, &j); err != nil {
		return err
	}
	read, err := new(jsonReader).tree(&j)
	if err != nil {
		return err
	}
	*t = *read
	return nil
}

func jsonColor(c board.Color) string {
	if c < board.Wall {
		return c.String()
	}
	return ""
}

func jsonOf(n *Node) *jsonNode {
	j := &jsonNode{Color: jsonColor(n.Color), Side: jsonColor(n.Side), Hot: n.Hot, Start: n.Start, Name: n.Name, Comment: n.Comment}
	if n.Color < board.Wall {
		j.Move = FormatMoves([]board.Move{n.Move})
	}
	for _, s := range n.Setup {
		list := &j.Empty
		switch s.Color {
		case board.Black:
			list = &j.Black
		case board.White:
			list = &j.White
		}
		*list += s.At.String()
	}
	for _, m := range n.Marks {
		j.Marks = append(j.Marks, jsonMark{m.At.String(), m.Kind.String(), m.Text})
	}
	for _, q := range n.Properties {
		j.More = append(j.More, append([]string{q.Name}, q.Values...))
	}
	for _, child := range n.Children {
		j.Next = append(j.Next, jsonOf(child))
	}
	return j
}

// readJSON reads games as WriteJSON writes them.
func readJSON(s string) ([]*Tree, error) {
	var trees []*Tree
	broken := BrokenGames{}
	p := jsonReader{}
	in := json.NewDecoder(strings.NewReader(s))
	for {
		var j jsonTree
		err := in.Decode(&j)
		if err == io.EOF {
			return trees, broken.orNil()
		}
		if err != nil {
			return nil, fmt.Errorf("game %d: %.100s", len(trees)+1, err)
		}
		t, err := p.tree(&j)
		if p.items += treeItems; p.items > maxItems {
			return nil, errItems
		}
		if err != nil {
			broken[len(trees)], t = err, nil
		}
		trees = append(trees, t)
	}
}

type jsonReader struct{ items int }

func (p *jsonReader) tree(j *jsonTree) (*Tree, error) {
	switch {
	case j.Game != jsonGame:
		return nil, fmt.Errorf("a game in version %d of the form, want %d", j.Game, jsonGame)
	case !board.ValidSize(j.Width, j.Height):
		return nil, fmt.Errorf("a board of %dx%d, want sides of %d to %d", j.Width, j.Height, board.MinSize, board.MaxSize)
	case j.Root == nil:
		return nil, errors.New("there is no node")
	case j.Rule != nil && !j.Rule.Valid():
		return nil, fmt.Errorf("unknown rule %d", *j.Rule)
	}
	t := &Tree{
		Width: j.Width, Height: j.Height, RuleText: j.RuleText, Black: j.Black, White: j.White, Result: j.Result, Reason: j.Reason,
		Event: j.Event, Round: j.Round, Date: j.Date, Format: JSON,
	}
	if j.Rule != nil {
		t.Rule, t.RuleKnown = *j.Rule, true
	}
	var err error
	if t.Root, err = p.node(j.Root, t, 0); err != nil {
		return nil, err
	}
	var said remarks
	err = t.check(&said)
	t.Remarks = said.all()
	return t, err
}

func colorOf(name string) (board.Color, error) {
	switch name {
	case "":
		return board.Empty, nil
	case board.Black.String():
		return board.Black, nil
	case board.White.String():
		return board.White, nil
	}
	return board.Empty, fmt.Errorf("unknown color %.20q", name)
}

func (p *jsonReader) node(j *jsonNode, t *Tree, depth int) (*Node, error) {
	if p.items += 1 + len(j.Marks) + len(j.More); p.items > maxItems {
		return nil, errItems
	}
	if depth > maxDepth {
		return nil, errDepth
	}
	n := &Node{Hot: j.Hot, Start: j.Start, Name: j.Name, Comment: j.Comment}
	var err, err2 error
	n.Color, err = colorOf(j.Color)
	if n.Side, err2 = colorOf(j.Side); err != nil || err2 != nil {
		return nil, errors.Join(err, err2)
	}
	if n.Color < board.Wall && j.Move != "pass" {
		m, err := board.ParseMoves(j.Move, t.Width, t.Height)
		if err != nil || len(m) != 1 {
			return nil, fmt.Errorf("bad move %.20q", j.Move)
		}
		n.Move = m[0]
	} else if n.Color < board.Wall {
		n.Move = board.None
	}
	for i, list := range []string{j.Black, j.White, j.Empty} {
		moves, err := board.ParseMoves(list, t.Width, t.Height)
		if err != nil {
			return nil, err
		}
		if p.items += len(moves); p.items > maxItems {
			return nil, errItems
		}
		for _, m := range moves {
			n.Setup = append(n.Setup, Stone{m, []board.Color{board.Black, board.White, board.Empty}[i]})
		}
	}
	for _, m := range j.Marks {
		at, err := board.ParseMoves(m.At, t.Width, t.Height)
		kind, ok := markKindOf(m.Kind)
		if err != nil || len(at) != 1 || !ok {
			return nil, fmt.Errorf("bad mark %.20q on %.20q", m.Kind, m.At)
		}
		n.Marks = append(n.Marks, Mark{at[0], kind, m.Text})
	}
	for _, q := range j.More {
		if len(q) < 2 || strings.Trim(q[0], "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" || q[0] == "" {
			return nil, errors.New("a property needs a name of capital letters and digits, and a value")
		}
		if slices.ContainsFunc(q[1:], endsEarly) {
			return nil, fmt.Errorf("the property %.20s has a bracket that is not escaped", q[0])
		}
		n.Properties = append(n.Properties, Property{q[0], q[1:]})
	}
	n.order()
	for _, next := range j.Next {
		if next == nil {
			return nil, errors.New("there is no node")
		}
		child, err := p.node(next, t, depth+1)
		if err != nil {
			return nil, err
		}
		n.Children = append(n.Children, child)
	}
	return n, nil
}

// endsEarly reports whether a value of SGF, with its escapes, would end before its end or after it.
func endsEarly(value string) bool {
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '\\':
			if i++; i == len(value) {
				return true
			}
		case ']':
			return true
		}
	}
	return false
}

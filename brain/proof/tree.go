package proof

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"tengen/brain/board"
	"tengen/brain/record"
)

// goesOn is the private SGF property of a node that goes on as another one, whose name it has.
const goesOn = "SAME"

// event is the name of the event in an SGF tree.
const event = "Proof of a win"

// Comments for the people who read a tree.
const (
	elseComment = "every other reply\n"
	holdComment = "nothing is proved against the moves with a circle\n"
)

// WriteSGF writes the proof as an SGF tree: the moves of the position, of which the last has
// START[1], or the root, and below it every reply, a pass for every other one, with its
// answer. What can be reached in several ways is written once, and SAME[n] stands elsewhere for what
// follows the node of the name n. Rows count from the bottom, so that front ends show the labels of
// the moves.
func (p *Proof) WriteSGF(w io.Writer) error {
	t := record.NewTree(p.Width, p.Height)
	t.Rule, t.RuleKnown = p.Rule, true
	t.Event = event
	t.Result = map[board.Color]string{board.Black: "B+1", board.White: "W+1"}[p.Winner()]
	at := t.Root
	side := board.Black
	for _, m := range p.Moves {
		at = p.child(at, side, m)
		side = side.Other()
	}
	at.Start = true
	a := author{p, map[*Node]*record.Node{}, 0}
	plies := fmt.Sprintf("%d plies", p.Plies())
	if p.Plies() == 1 {
		plies = "1 ply"
	}
	at.Comment = fmt.Sprintf("%v wins in %s at most\n", p.Winner(), plies)
	if p.Root.Move == board.None {
		at.Comment = fmt.Sprintf("%v threatens to win in %s at most\n", p.Winner(), plies)
		if len(p.Holds) > 0 {
			at.Comment += holdComment
		}
		for _, m := range p.Holds {
			at.Marks = append(at.Marks, record.Mark{At: p.flip(m), Kind: record.Circle})
		}
		a.replies(at, p.Root)
	} else {
		a.node(at, p.Root)
	}
	return record.WriteSGFTree(w, t)
}

// flip turns the board upside down.
func (p *Proof) flip(m board.Move) board.Move {
	if m == board.None {
		return m
	}
	return board.At(m.X(), p.Height-1-m.Y())
}

// child adds the move m to the tree, None for a pass.
func (p *Proof) child(parent *record.Node, side board.Color, m board.Move) *record.Node {
	n := record.NewNode()
	n.Color, n.Move = side, p.flip(m)
	parent.Children = append(parent.Children, n)
	return n
}

// An author writes the nodes of a proof.
type author struct {
	*Proof
	written map[*Node]*record.Node
	names   int
}

// node adds n below a reply.
func (a *author) node(parent *record.Node, n *Node) {
	at := a.child(parent, a.Winner(), n.Move)
	if n.Else == nil && len(n.Replies) == 0 {
		return
	}
	if first := a.written[n]; first != nil {
		if first.Name == "" {
			a.names++
			first.Name = strconv.Itoa(a.names)
		}
		at.Properties = []record.Property{{Name: goesOn, Values: []string{first.Name}}}
		at.Comment = "goes on as after the move of the name " + first.Name + "\n"
		return
	}
	a.replies(at, n)
	a.written[n] = at
}

func (a *author) replies(at *record.Node, n *Node) {
	for _, r := range n.Replies {
		a.node(a.child(at, a.Winner().Other(), r.Move), r.Answer)
	}
	if n.Else != nil {
		pass := a.child(at, a.Winner().Other(), board.None)
		pass.Comment = elseComment
		a.node(pass, n.Else)
	}
}

// A treeReader reads the nodes of a proof from an SGF tree.
type treeReader struct {
	*Proof
	winner board.Color
	named  map[string]*Node     // those that are complete, so that none is part of itself
	ends   map[board.Move]*Node // the nodes without an answer
	path   []board.Move         // from the position of the proof
}

// readTree reads what WriteSGF writes. Errors name the moves to the place.
func readTree(t *record.Tree) (*Proof, error) {
	if !t.RuleKnown {
		return nil, errors.New("the rule is not in the file")
	}
	p := &Proof{Rule: t.Rule, Width: t.Width, Height: t.Height}
	at := t.Root
	for !at.Start {
		if len(at.Children) == 0 {
			return nil, errors.New("no move has START[1]: this is not a proof")
		}
		at = at.Children[0]
		if at.Color != board.Color(len(p.Moves)&1) || len(at.Setup) > 0 {
			return nil, fmt.Errorf("move %d of the position: want one of %v", len(p.Moves)+1, board.Color(len(p.Moves)&1))
		}
		p.Moves = append(p.Moves, p.flip(at.Move))
	}
	side := board.Color(len(p.Moves) & 1)
	r := &treeReader{p, side, map[string]*Node{}, map[board.Move]*Node{}, nil}
	if t.Outcome() != record.WonBy(side) && t.Outcome() != record.WonBy(side.Other()) {
		return nil, errors.New("RE does not say who wins")
	}
	if t.Outcome() == record.WonBy(side) {
		root, err := r.answer(at)
		if err == nil && root == nil {
			err = errors.New("there is no proof after the position")
		}
		p.Root = root
		return p, err
	}
	r.winner = side.Other()
	p.Root = &Node{}
	for _, m := range at.Marks {
		if m.Kind == record.Circle {
			p.Holds = append(p.Holds, p.flip(m.At))
		}
	}
	return p, r.replies(p.Root, at)
}

func (r *treeReader) fault(format string, args ...any) error {
	return &Fault{append([]board.Move(nil), r.path...), fmt.Sprintf(format, args...)}
}

// answer reads the only child of a reply. It returns nil if there is none.
func (r *treeReader) answer(reply *record.Node) (*Node, error) {
	if len(reply.Children) == 0 {
		return nil, nil
	}
	at := reply.Children[0]
	if len(reply.Children) > 1 || at.Color != r.winner || at.Move == board.None || len(at.Setup) > 0 {
		return nil, r.fault("want one move of %v", r.winner)
	}
	n := &Node{Move: r.flip(at.Move)}
	if len(at.Children) == 0 && len(at.Properties) == 0 {
		if r.ends[n.Move] == nil {
			r.ends[n.Move] = n
		}
		return r.ends[n.Move], nil
	}
	r.path = append(r.path, n.Move)
	defer func() { r.path = r.path[:len(r.path)-1] }()
	for _, q := range at.Properties {
		if q.Name != goesOn {
			continue
		}
		same := r.named[q.Values[0]]
		if same == nil || len(at.Children) > 0 {
			return nil, r.fault("%s[%.20s] is no node before it, or more follows", goesOn, q.Values[0])
		}
		if same.Move != n.Move {
			return nil, r.fault("%s[%.20s] is %v", goesOn, q.Values[0], same.Move)
		}
		return same, nil
	}
	if err := r.replies(n, at); err != nil {
		return nil, err
	}
	if at.Name != "" {
		if r.named[at.Name] != nil {
			return nil, r.fault("the name %.20q stands twice", at.Name)
		}
		r.named[at.Name] = n
	}
	return n, nil
}

// replies reads the replies to n, whose node in the tree is at.
func (r *treeReader) replies(n *Node, at *record.Node) error {
	for _, child := range at.Children {
		if child.Color != r.winner.Other() || len(child.Setup) > 0 {
			return r.fault("want moves of %v", r.winner.Other())
		}
		m := r.flip(child.Move)
		if m != board.None {
			r.path = append(r.path, m)
		}
		next, err := r.answer(child)
		if m != board.None {
			r.path = r.path[:len(r.path)-1]
		}
		switch {
		case err != nil:
		case m == board.None && (n.Else != nil || next == nil):
			err = r.fault("want one answer to every other reply")
		case next == nil:
			err = r.fault("there is no answer to %v", m)
		}
		if err != nil {
			return err
		}
		if m == board.None {
			n.Else = next
		} else if err := n.add(m, next); err != nil {
			return r.fault("%v", err)
		}
	}
	return nil
}

// Begins reports whether head, the first bytes of a file, may be those of a proof.
func Begins(head []byte) bool {
	return bytes.HasPrefix(head, []byte(`{"proof":`)) || bytes.HasPrefix(head, []byte("(;")) && bytes.Contains(head, []byte("EV["+event+"]"))
}

// Read reads a proof as WriteSGF or WriteLines write it. Errors are those of the format; a *Fault
// names the moves to the place.
func Read(raw []byte) (*Proof, error) {
	if record.Detect(raw) != record.SGF {
		return readLines(raw)
	}
	trees, err := record.Read(raw, record.Reading{})
	if err != nil {
		return nil, err
	}
	if len(trees) != 1 {
		return nil, fmt.Errorf("%d games, want one proof", len(trees))
	}
	return readTree(trees[0])
}

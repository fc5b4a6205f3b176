package proof

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"tengen/brain/board"
	"tengen/brain/record"
)

// A headLine is the first line of a proof as JSON lines.
type headLine struct {
	Proof  int        `json:"proof"` // version of the format
	Rule   board.Rule `json:"rule"`
	Width  int        `json:"width"`
	Height int        `json:"height"`
	Pos    string     `json:"pos"` // in pos notation, with pass for a pass
	Winner string     `json:"winner"`
	Plies  int        `json:"plies"`
	Nodes  int        `json:"nodes"`
	Holds  string     `json:"holds,omitempty"`
}

// A nodeLine is a node. The first is the root, and answers are below.
type nodeLine struct {
	N       int          `json:"n"`
	Move    string       `json:"move,omitempty"`
	Answers []answerLine `json:"answers,omitempty"`
}

// An answerLine is the node that answers the replies To, without To every other one.
type answerLine struct {
	To string `json:"to,omitempty"`
	N  int    `json:"n"`
}

// version of the format of JSON lines.
const version = 1

// WriteLines writes the proof as JSON lines: the position, then a line for each node.
func (p *Proof) WriteLines(w io.Writer) error {
	nodes := p.Nodes()
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.Encode(headLine{version, p.Rule, p.Width, p.Height, record.FormatMoves(p.Moves), p.Winner().String(), p.Plies(), len(nodes), record.FormatMoves(p.Holds)})
	number := map[*Node]int{}
	for i, n := range nodes {
		number[n] = i + 1
	}
	for i, n := range nodes {
		line := nodeLine{N: i + 1}
		if n.Move != board.None {
			line.Move = n.Move.String()
		}
		var order []*Node
		replies := map[*Node][]board.Move{}
		for _, r := range n.Replies {
			if replies[r.Answer] == nil {
				order = append(order, r.Answer)
			}
			replies[r.Answer] = append(replies[r.Answer], r.Move)
		}
		for _, answer := range order {
			line.Answers = append(line.Answers, answerLine{record.FormatMoves(replies[answer]), number[answer]})
		}
		if n.Else != nil {
			line.Answers = append(line.Answers, answerLine{N: number[n.Else]})
		}
		to.Encode(line)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// readLines reads what WriteLines writes. Errors name the line.
func readLines(raw []byte) (*Proof, error) {
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, len(raw)+1)
	number := 0
	next := func(to any) error {
		for lines.Scan() {
			if number++; len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
			d.DisallowUnknownFields()
			if err := d.Decode(to); err != nil {
				return fmt.Errorf("line %d: %w", number, plain(err))
			}
			if d.More() {
				return fmt.Errorf("line %d: more than one object", number)
			}
			return nil
		}
		return io.EOF
	}
	var head headLine
	switch err := next(&head); {
	case err == io.EOF:
		return nil, errors.New("no proof: the file is empty")
	case err != nil:
		return nil, fmt.Errorf("no proof: %w", err)
	}
	p, err := head.proof()
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	if head.Nodes > len(raw) || head.Nodes < 1 {
		return nil, fmt.Errorf("line 1: %d nodes in a file of %d bytes", head.Nodes, len(raw))
	}
	nodes := make([]Node, head.Nodes)
	for i := range nodes {
		var line nodeLine
		switch err := next(&line); {
		case err == io.EOF:
			return nil, fmt.Errorf("the file ends after %d of %d nodes", i, len(nodes))
		case err != nil:
			return nil, err
		case line.N != i+1:
			return nil, fmt.Errorf("line %d: node %d, want %d", number, line.N, i+1)
		}
		if err := p.fill(&nodes[i], line, nodes); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if err := next(&nodeLine{}); err != io.EOF {
		return nil, fmt.Errorf("there is more after the last of %d nodes", len(nodes))
	}
	p.Root = &nodes[0]
	if got := p.Winner().String(); got != head.Winner {
		return nil, fmt.Errorf("line 1: the winner is %.20q, but the proof is one of %s", head.Winner, got)
	}
	return p, nil
}

// plain returns an error of a Decoder in words that do not speak of Go.
func plain(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case err == io.ErrUnexpectedEOF:
		return errors.New("the object is not closed")
	case errors.As(err, &kind):
		return fmt.Errorf("%s: a %s cannot stand there", kind.Field, kind.Value)
	case errors.As(err, &syntax):
		return fmt.Errorf("no JSON: %w", err)
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// proof returns the proof of the line, without its nodes.
func (h *headLine) proof() (*Proof, error) {
	p := &Proof{Rule: h.Rule, Width: h.Width, Height: h.Height}
	if h.Proof != version {
		return nil, fmt.Errorf("proof %d, want %d", h.Proof, version)
	}
	if !board.ValidSize(h.Width, h.Height) {
		return nil, fmt.Errorf("there is no board of %dx%d", h.Width, h.Height)
	}
	var err error
	for i, part := range strings.Split(h.Pos, "pass") {
		moves, err := board.ParseMoves(part, h.Width, h.Height)
		if err != nil {
			return nil, fmt.Errorf("pos: %w", err)
		}
		if i > 0 {
			p.Moves = append(p.Moves, board.None)
		}
		p.Moves = append(p.Moves, moves...)
	}
	if p.Holds, err = board.ParseMoves(h.Holds, h.Width, h.Height); err != nil {
		return nil, fmt.Errorf("holds: %w", err)
	}
	return p, nil
}

// fill sets n, which is one of nodes, to what line says.
func (p *Proof) fill(n *Node, line nodeLine, nodes []Node) error {
	if line.Move != "" || line.N > 1 {
		moves, err := board.ParseMoves(line.Move, p.Width, p.Height)
		if err != nil {
			return err
		}
		if len(moves) != 1 {
			return fmt.Errorf("move %.20q, want one move", line.Move)
		}
		n.Move = moves[0]
	}
	for _, a := range line.Answers {
		if a.N <= line.N || a.N > len(nodes) {
			return fmt.Errorf("answer %d, want a node below", a.N)
		}
		next := &nodes[a.N-1]
		if a.To == "" {
			if n.Else != nil {
				return errors.New("two answers to every other reply")
			}
			n.Else = next
			continue
		}
		replies, err := board.ParseMoves(a.To, p.Width, p.Height)
		if err != nil {
			return err
		}
		for _, m := range replies {
			if err := n.add(m, next); err != nil {
				return err
			}
		}
	}
	return nil
}

// add gives n an answer to m.
func (n *Node) add(m board.Move, answer *Node) error {
	for _, r := range n.Replies {
		if r.Move == m {
			return fmt.Errorf("two answers to %v", m)
		}
	}
	n.Replies = append(n.Replies, Reply{m, answer})
	return nil
}

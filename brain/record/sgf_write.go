package record

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// WriteSGFTree writes t as one SGF game tree with all its variations, followed by an empty
// line; Read reads the same tree from it, with stones ordered by color and marks by
// kind. It makes one Write.
func WriteSGFTree(w io.Writer, t *Tree) error {
	var b bytes.Buffer
	b.WriteString("(;FF[4]GM[4]CA[UTF-8]SZ[" + sgfSize(t.Width, t.Height) + "]")
	if t.RuleKnown {
		rule := t.Rule.String()
		if r, ok := ruleOf(t.RuleText); ok && r == t.Rule {
			rule = t.RuleText
		}
		writeText(&b, "RU", rule)
	}
	for _, q := range []struct{ name, text string }{
		{"PB", t.Black}, {"PW", t.White}, {"RE", t.Result}, {"TE", t.Reason}, {"EV", t.Event}, {"RO", t.Round}, {"DT", t.Date},
	} {
		if q.text != "" {
			writeText(&b, q.name, q.text)
		}
	}
	root := *t.Root
	root.Properties = slices.DeleteFunc(slices.Clone(root.Properties), func(q Property) bool {
		return q.Name == "RU" && t.RuleKnown // it could not be read and has been replaced
	})
	writeSGFNode(&b, &root)
	type branch struct {
		node *Node
		next int // child to write
	}
	stack := []branch{{node: t.Root}}
	column := 0
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.node.Children) {
			if len(stack) == 1 || len(stack[len(stack)-2].node.Children) > 1 {
				b.WriteByte(')')
			}
			stack = stack[:len(stack)-1]
			continue
		}
		child := top.node.Children[top.next]
		top.next++
		column++
		switch {
		case len(top.node.Children) > 1:
			b.WriteString("\n(")
			column = 0
		case column%sgfLine == 0 || top.node == t.Root:
			b.WriteByte('\n')
			column = 0
		}
		b.WriteByte(';')
		writeSGFNode(&b, child)
		stack = append(stack, branch{node: child})
	}
	b.WriteString("\n\n")
	_, err := w.Write(b.Bytes())
	return err
}

func writeSGFNode(b *bytes.Buffer, n *Node) {
	var last string // a name is written once for all values that follow each other
	point := func(name, value string) {
		if name != last {
			b.WriteString(name)
			last = name
		}
		b.WriteByte('[')
		b.WriteString(value)
		b.WriteByte(']')
	}
	if n.Color < board.Wall {
		point("BW"[n.Color:][:1], sgfLetters(n.Move))
	}
	ordered := Node{Setup: slices.Clone(n.Setup), Marks: slices.Clone(n.Marks)}
	ordered.order()
	for _, s := range ordered.Setup {
		name := "AE"
		if s.Color < board.Wall {
			name = [...]string{"AB", "AW"}[s.Color]
		}
		point(name, sgfLetters(s.At))
	}
	if n.Side < board.Wall {
		point("PL", "BW"[n.Side:][:1])
	}
	if n.Hot {
		point("HO", "1")
	}
	if n.Start {
		point("START", "1")
	}
	for _, m := range ordered.Marks {
		value := sgfLetters(m.At)
		if m.Kind == Label {
			value += ":" + sgfValue(sgfEscapeLabel, m.Text)
		}
		point(sgfMarks[m.Kind], value)
	}
	if n.Name != "" {
		writeText(b, "N", n.Name)
	}
	if n.Comment != "" {
		writeText(b, "C", n.Comment)
	}
	for _, q := range n.Properties {
		if strings.Trim(q.Name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" || q.Name == "" || q.Name == "CA" || len(q.Values) == 0 {
			continue
		}
		b.WriteString(q.Name)
		for _, v := range q.Values {
			b.WriteString("[" + closable(v, slices.Contains(texts, q.Name)) + "]")
		}
	}
}

func writeText(b *bytes.Buffer, name, text string) {
	b.WriteString(name)
	b.WriteByte('[')
	b.WriteString(sgfValue(sgfEscapeText, text))
	b.WriteByte(']')
}

// sgfValue returns a text with its escapes.
func sgfValue(escapes *strings.Replacer, text string) string {
	return whole(withoutControls(escapes.Replace(text)), true)
}

// whole returns a value with the escapes without which it looks as if its end were missing.
func whole(v string, isText bool) string {
	end := sgfMoveEnd.FindStringIndex(v)
	switch {
	case isText && sgfTextEnd.MatchString(v):
		var brackets []int
		for i := range len(v) {
			if v[i] == '[' && !escaped(v, i) {
				brackets = append(brackets, i)
			}
		}
		return escape(v, brackets)
	case !isText && end != nil && strings.Contains(v, "["):
		return escape(v, []int{end[1] - 1})
	}
	return v
}

// closable returns a value that ends where it should: as it is if its escapes are right,
// else escaped anew.
func closable(v string, isText bool) string {
	for i := 0; i < len(v); i++ {
		escaped := v[i] == '\\'
		if escaped {
			i++
		}
		if i == len(v) || v[i] == ']' && !escaped {
			v = sgfEscapeText.Replace(v)
			break
		}
	}
	return whole(withoutControls(v), isText)
}

// sgfSize returns the SZ of a board: its side, or columns:rows.
func sgfSize(width, height int) string {
	if width == height {
		return strconv.Itoa(width)
	}
	return strconv.Itoa(width) + ":" + strconv.Itoa(height)
}

// sgfLetters returns the column and the row of m from the top left, nothing for a pass.
func sgfLetters(m board.Move) string {
	if m == board.None {
		return ""
	}
	return string([]byte{byte('a' + m.X()), byte('a' + m.Y())})
}

// Escapes of a text, which keeps its lines, of what SGF calls simple text, which is one line, and of
// that of a label, where a colon stands before it.
var (
	sgfEscapeText  = strings.NewReplacer(`\`, `\\`, `]`, `\]`, "\r\n", "\n", "\r", "\n")
	sgfEscapeLine  = strings.NewReplacer(`\`, `\\`, `]`, `\]`, "\n", " ", "\r", " ")
	sgfEscapeLabel = strings.NewReplacer(`\`, `\\`, `]`, `\]`, `:`, `\:`, "\n", " ", "\r", " ")
)

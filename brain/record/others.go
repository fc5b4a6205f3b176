package record

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// unpacked returns the content of a file packed by gzip, as databases are offered.
func unpacked(raw []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	plain, err := io.ReadAll(io.LimitReader(z, maxXML+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("gzip: %w", err)
	case len(plain) > MostBytes(plain):
		return nil, tooLarge(MostBytes(plain))
	}
	return plain, nil
}

// isBinaryPos reports whether a file is a game of zjrenju and other programs (.pos): a number, and as
// many bytes, each 15*row+column from the top. No cell is there twice, which tells a game from a text
// with as many bytes as its first letter says.
func isBinaryPos(raw []byte) bool {
	if len(raw) < 2 || len(raw) != 1+int(raw[0]) {
		return false
	}
	text := true
	var seen [LibSize * LibSize]bool
	for _, c := range raw[1:] {
		if int(c) >= len(seen) || seen[c] {
			return false
		}
		seen[c] = true
		text = text && (c >= ' ' && c < 0x7f || c == '\r' || c == '\n' || c == '\t')
	}
	return !text || raw[0] < ' ' && raw[0] != '\r' && raw[0] != '\n' && raw[0] != '\t'
}

// readBinaryPos reads such a game. Yixin-Board takes the same bytes for columns and rows.
// Source: RenLib, .pos.
func readBinaryPos(raw []byte) (*Tree, error) {
	g := Game{Width: LibSize, Height: LibSize}
	for _, c := range raw[1:] {
		g.Moves = append(g.Moves, board.At(int(c)%LibSize, int(c)/LibSize))
	}
	t := treeOf(&g)
	t.Format = BinaryPos
	t.Remarks = []string{"read as RenLib does: Yixin-Board shows such a file with columns and rows exchanged"}
	var said remarks
	return t, t.check(&said)
}

// bdtLine matches a game of ShowRenju (.bdt): tournament, players, result, moves, offered fifth move,
// swap and comment.
var bdtLine = regexp.MustCompile(`^([^=\n]*)=\[([^,]*),([^,]*),([-+=?]?),([0-9A-F]*),([^,]*),([^,]*),(.*)\]\s*$`)

// bdtLike matches a line that is meant as one.
var bdtLike = regexp.MustCompile(`=\[.*,.*\]\s*$`)

// readBDT reads games of ShowRenju, a line each; other lines are left out, as ShowRenju does. Moves are
// columns and rows from the bottom, two digits of 1 to F each.
// Source: RenLib, .bdt.
func readBDT(s string) ([]*Tree, error) {
	var trees []*Tree
	broken := BrokenGames{}
	items := 0
	var said remarks // of lines
	for line := range strings.Lines(s) {
		f := bdtLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if f == nil {
			if bdtLike.MatchString(line) {
				broken[len(trees)] = fmt.Errorf("%.40q is no game of ShowRenju", strings.TrimSpace(line))
				trees = append(trees, nil)
			} else if strings.ContainsAny(line, "[]") {
				said.add("a line that is no game is left out: %.40q", strings.TrimSpace(line))
			}
			continue
		}
		g := Game{Width: 15, Height: 15, Event: strings.TrimSpace(f[1]), Black: strings.TrimSpace(f[2]), White: strings.TrimSpace(f[3])}
		g.Outcome = map[string]Outcome{"+": BlackWon, "-": WhiteWon, "=": Drawn}[f[4]]
		var err error
		if f[5] == "" {
			err = errors.New("there is no move")
		} else if len(f[5])%2 != 0 {
			err = fmt.Errorf("%d digits are not pairs", len(f[5]))
		}
		for i := 0; i+1 < len(f[5]) && err == nil; i += 2 {
			v, _ := strconv.ParseUint(f[5][i:i+2], 16, 8)
			m := board.None
			if v != 0 {
				m, err = board.AtOn(int(v>>4)-1, 15-int(v&15), 15, 15)
			}
			g.Moves = append(g.Moves, m)
		}
		if items += treeItems + len(g.Moves); items > maxItems {
			return nil, errItems
		}
		t := treeOf(&g)
		if err == nil {
			var said remarks
			err = t.check(&said)
		}
		if err != nil {
			broken[len(trees)], t = err, nil
		} else {
			t.Format = BDT
			t.Root.Comment = strings.TrimSpace(f[8])
			if fifth := strings.Trim(f[6], "? "); fifth != "" {
				t.Root.Comment = joinTexts(t.Root.Comment, "offered fifth move, in letters without i: "+fifth)
			}
		}
		trees = append(trees, t)
	}
	for _, t := range trees {
		if t != nil {
			t.Remarks = append(t.Remarks, said.all()...)
			break
		}
	}
	return trees, broken.orNil()
}

// A game of RenJS is one line of nodes in brackets, each a list of key=value; with the number of the
// node, that of its parent, its point and its texts between the bytes 1 to 5.
var (
	renjsFirst = regexp.MustCompile(`^\s*\[i=0;`)
	renjsPoint = regexp.MustCompile(`(?:^|;)p=([A-Oa-o]\d{1,2});`)
	renjsUp    = regexp.MustCompile(`(?:^|;)f=(\d+);`)
	renjsID    = regexp.MustCompile(`^i=(\d+);`)
)

// readRenJS reads the tree of a game of RenJS.
// Source: RenLib, RenJS.
func readRenJS(s string) ([]*Tree, error) {
	t := NewTree(15, 15)
	t.Format = RenJS
	var nodes []*Node
	var said remarks
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	for len(s) > 0 && s[0] == '[' {
		end := strings.IndexByte(s, ']')
		for _, marks := range []string{"\x01\x03", "\x04\x05"} { // texts may have brackets
			from := strings.IndexByte(s, marks[0])
			if from < 0 || end < from {
				continue
			}
			if to := strings.IndexByte(s[from:], marks[1]); to >= 0 {
				if next := strings.IndexByte(s[from+to:], ']'); next >= 0 {
					end = from + to + next
				}
			}
		}
		if end < 0 {
			said.add("the last node is not closed")
			break
		}
		node := s[1:end]
		s = s[end+1:]
		n := NewNode()
		if a := strings.IndexByte(node, 1); a >= 0 {
			if b := strings.IndexByte(node[a:], 3); b >= 0 {
				n.Comment = strings.Trim(strings.ReplaceAll(node[a+1:a+b], "\x02", "\n"), "\n")
				node = node[:a] + node[a+b+1:]
			}
		}
		label := ""
		if a := strings.IndexByte(node, 4); a >= 0 {
			if b := strings.IndexByte(node[a:], 5); b >= 0 {
				label = node[a+1 : a+b]
				node = node[:a] + node[a+b+1:]
			}
		}
		if len(nodes) == 0 {
			n.Color = board.Empty
			t.Root = n
			nodes = append(nodes, n)
			continue
		}
		point, up := renjsPoint.FindStringSubmatch(node), renjsUp.FindStringSubmatch(node)
		if point == nil || up == nil {
			return nil, fmt.Errorf("node %d has no point or no parent", len(nodes))
		}
		if id := renjsID.FindStringSubmatch(node); id == nil || id[1] != strconv.Itoa(len(nodes)) {
			return nil, fmt.Errorf("the node at %.20q is not node %d", node, len(nodes))
		}
		parent, err := strconv.Atoi(up[1])
		if err != nil || parent >= len(nodes) {
			return nil, fmt.Errorf("node %d has the parent %.20s, which is not before it", len(nodes), up[1])
		}
		m, err := board.ParseMoves(strings.ToLower(point[1]), 15, 15)
		if err != nil {
			return nil, err
		}
		upsideDown(m, 15)
		above := nodes[parent]
		n.Move, n.Color = m[0], board.Black
		if above.Color == board.Black {
			n.Color = board.White
		}
		if label != "" {
			above.Marks = append(above.Marks, Mark{At: n.Move, Text: label})
		}
		above.Children = append(above.Children, n)
		if nodes = append(nodes, n); len(nodes) > maxItems {
			return nil, errItems
		}
	}
	if depth(t.Root) > maxDepth {
		return nil, errDepth
	}
	if !t.prune(&said) {
		return nil, errors.New("its first moves are on stones")
	}
	t.Remarks = said.all()
	return []*Tree{t}, nil
}

// depth returns the nodes of the longest line.
func depth(root *Node) int {
	most := 0
	type step struct {
		node  *Node
		depth int
	}
	for stack := []step{{root, 1}}; len(stack) > 0; {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		most = max(most, s.depth)
		for _, child := range s.node.Children {
			stack = append(stack, step{child, s.depth + 1})
		}
	}
	return most
}

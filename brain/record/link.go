package record

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// readLink reads the moves of an address: behind its # for gomocalc and renju-note, whose rows count
// from the bottom, in mvs for RenjuPortal, as columns and rows from the top. Other addresses have them in
// a value with the name of moves, or at the end of their path, which is a remark.
func readLink(line string, width, height int) (*Tree, error) {
	said := remarks{}
	words := strings.Fields(line)
	if found := webAddress.FindString(line); found != "" {
		words = []string{found}
	}
	for _, word := range words {
		if isLinkText(word) {
			before, behind, _ := strings.Cut(line, word)
			if beside := strings.TrimSpace(before + " " + behind); mayBeMoves.MatchString(beside) {
				said.add("text beside the link is left out: %.40q", beside)
			}
			line = strings.Trim(word, `<>"'()[],`)
			break
		}
	}
	site, part, _ := strings.Cut(line, "#")
	switch puzzle := strings.Count(part, "&") >= puzzleFields-1 || strings.Count(part, "%") >= puzzleFields-1; {
	case puzzle:
		t, err := readPuzzleLink(part)
		if err == nil {
			t.Remarks = append(said.all(), t.Remarks...)
		}
		return t, err
	case strings.Contains(site, "lfz084"):
		return nil, errors.New("the link of a puzzle is cut off")
	}
	l := linkReader{width: width, height: height, bottom: true, said: said}
	moves, err := l.moves(unescaped(line))
	if err == nil {
		err = distinct(moves)
	}
	if err != nil {
		return nil, err
	}
	if l.bottom {
		upsideDown(moves, l.height)
	}
	t := treeOf(&Game{Width: l.width, Height: l.height, Moves: moves})
	t.Rule, t.RuleKnown = l.rule, l.ruleKnown
	t.Format, t.Remarks = Link, l.said.all()
	return t, nil
}

// webAddress matches one among other text, as in [moves](https://...) of Markdown.
var webAddress = regexp.MustCompile(`[a-zA-Z]+://[^\s<>"'\])]+`)

// mayBeMoves matches text that moves may stand in.
var mayBeMoves = regexp.MustCompile(`(?i)(?:^|[^a-z])[a-v]\d|\d{3}`)

// A linkReader reads the parts of an address.
type linkReader struct {
	width, height int
	bottom        bool // rows count from the bottom
	rule          board.Rule
	ruleKnown     bool
	said          remarks
}

// linkMoves are names of values that have the moves in addresses of boards.
var linkMoves = []string{"moves", "game", "pos", "position", "m", "g", "record", "kifu", "line", "stones", "steps", "init_steps"}

// linkPoints matches the moves of such a value.
var linkPoints = regexp.MustCompile(`(?i)^(?:[a-v]\d{1,2}[-_,. +]?){2,}$`)

// moves returns those of an address.
func (l *linkReader) moves(address string) ([]board.Move, error) {
	if _, rest, ok := strings.Cut(address, "://"); ok {
		address = rest
	}
	address, part, hasPart := strings.Cut(address, "#")
	if m := hexLink.FindStringSubmatch(address); m != nil {
		if l.bottom = false; hasPart && part != "" {
			l.said.add("the end of the address is left out: %.40q", part)
		}
		return hexMoves(m[1], l.width, l.height)
	} else if hexName.MatchString(address) {
		return nil, errors.New("the moves of the address are no digits")
	}
	_, query, _ := strings.Cut(address, "?")
	inQuery, err := l.query(query)
	if err != nil {
		return nil, err
	}
	switch {
	case hasPart && strings.HasPrefix(part, "g:"):
		for i, field := range strings.Split(part, ",") {
			key, value, ok := strings.Cut(field, ":")
			switch {
			case i == 0:
				part = value
			case !ok && field != "":
				return nil, fmt.Errorf("%.20q is no part of a link of renju-note", field)
			case (key == "b" || key == "w") && value != "", key == "o" && value == "i":
				return nil, fmt.Errorf("the link has stones beside the moves, %.20q, which are not read", field)
			case (key == "p" || key == "l") && value != "":
				l.said.add("marks of the link are left out: %.40q", field)
			}
		}
	case inQuery != "":
		if part = strings.Trim(part, "/"); part != "" {
			return nil, fmt.Errorf("the address has moves twice, as %.20q and %.20q", inQuery, part)
		}
		part = inQuery
		l.said.add("moves of the address are taken from %.40q", inQuery)
	case !hasPart:
		part, _, _ = strings.Cut(address, "?")
		part = strings.TrimRight(part, "/")
		part = part[strings.LastIndexByte(part, '/')+1:]
		if !strings.Contains(strings.ToLower(address), "gomocalc.com/") {
			l.said.add("the end of the address is taken for moves: %.40q", part)
		}
	}
	part, _, _ = strings.Cut(part, "?")
	part, _, _ = strings.Cut(part, "&")
	part = strings.Trim(part, "/")
	part = part[strings.LastIndexByte(part, '/')+1:]
	p := moveReader{width: l.width, height: l.height}
	err = p.text(part)
	if err == nil && len(p.moves) == 0 && !hasPart {
		err = errors.New("the address has no moves")
	}
	l.said.list = append(l.said.list, p.said.list...)
	l.bottom = l.bottom && !p.paired
	return p.moves, err
}

// query reads the values between ? and # of an address, and returns that of moves.
func (l *linkReader) query(query string) (moves string, err error) {
	for _, field := range strings.Split(query, "&") {
		name, value, _ := strings.Cut(field, "=")
		switch name = strings.ToLower(name); {
		case slices.Contains(linkMoves, name) && linkPoints.MatchString(value):
			if moves != "" {
				return "", fmt.Errorf("the address has moves twice, as %.20q and %.20q", moves, value)
			}
			moves = value
		case name == "size" || name == "boardsize":
			w, h, ok := sgfSides(value)
			if !ok {
				return "", fmt.Errorf("the size %.20q of the address", value)
			}
			l.width, l.height = w, h
		case name == "rule" || name == "rules":
			if _, err := strconv.Atoi(value); err == nil { // which each board counts in its own way
				l.said.add("the rule of the address is left out: %.20q", value)
			} else if l.rule, l.ruleKnown = ruleOf(value); !l.ruleKnown {
				l.said.add("unknown rule %.20q", value)
			}
		}
	}
	return moves, nil
}

// unescaped returns an address with the bytes for which it has a % and two digits, or as it is if one of
// these is wrong.
func unescaped(address string) string {
	var b strings.Builder
	for rest := address; ; {
		plain, escape, ok := strings.Cut(rest, "%")
		b.WriteString(plain)
		if !ok {
			return b.String()
		}
		if len(escape) < 2 {
			return address
		}
		c, err := strconv.ParseUint(escape[:2], 16, 8)
		if err != nil {
			return address
		}
		b.WriteByte(byte(c))
		rest = escape[2:]
	}
}

// hexMoves reads two digits a move, column and row from the top and from 0.
func hexMoves(s string, width, height int) ([]board.Move, error) {
	if len(s)%2 != 0 {
		return nil, fmt.Errorf("%d digits are not pairs", len(s))
	}
	var moves []board.Move
	for i := 0; i < len(s); i += 2 {
		v, err := strconv.ParseUint(s[i:i+2], 16, 8)
		if err != nil {
			return nil, err
		}
		m, err := board.AtOn(int(v>>4), int(v&15), width, height)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s[i:i+2], err)
		}
		moves = append(moves, m)
	}
	return moves, nil
}

// puzzleFields is how many fields the link of a puzzle has at least.
const puzzleFields = 11

var (
	puzzlePoint  = regexp.MustCompile(`[A-Oa-o]\d{1,2}`)
	puzzlePoints = regexp.MustCompile(`^(?:[A-Oa-o]\d{1,2})*$`)
)

// readPuzzleLink reads what stands behind the # of a link of lfz084's pages: moves, black and white stones,
// the size, 0, the side to move, the rule, the mode, two numbers, the answers and labels, with & or %
// between them. Rows count from the bottom, and A0 is a pass.
// Source: lfz084.github.io, puzzleCoder.js.
func readPuzzleLink(part string) (*Tree, error) {
	sign := "&"
	if strings.Count(part, sign) < puzzleFields-1 {
		sign = "%"
	}
	f := strings.Split(part, sign)
	if sign == "&" {
		for i := range f {
			f[i] = unescaped(f[i])
		}
	}
	if len(f) == puzzleFields {
		f = append(f, "")
	}
	puzzle := puzzleFieldsOf{moves: f[0], stones: [2]string{f[1], f[2]}, size: f[3], side: f[5], rule: f[6], answers: f[10], labels: f[11]}
	t, err := puzzle.tree()
	if err != nil {
		return nil, err
	}
	var said remarks
	said.list = t.Remarks
	t.Format = Link
	t.Root.order()
	err = t.check(&said)
	t.Remarks = said.all()
	return t, err
}

// puzzleFieldsOf are what a puzzle of lfz084 has, as texts. Rows of points count from the bottom, and A0
// is a pass.
type puzzleFieldsOf struct {
	moves      string
	stones     [2]string // of Black and White
	size, side string
	rule       string // number of Yixin
	answers    string
	labels     string // point and text in turn
}

func puzzlePointsOf(s string) (moves []board.Move, err error) {
	if s = strings.TrimSpace(s); !puzzlePoints.MatchString(s) {
		return nil, fmt.Errorf("%.40q are no points", s)
	}
	for _, point := range puzzlePoint.FindAllString(s, -1) {
		row, err := strconv.Atoi(point[1:])
		m := board.None
		if row != 0 && err == nil {
			m, err = board.AtOn(int(point[0]|0x20)-'a', LibSize-row, LibSize, LibSize)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", point, err)
		}
		moves = append(moves, m)
	}
	return moves, nil
}

// tree returns the position of a puzzle, with its labels.
func (f *puzzleFieldsOf) tree() (*Tree, error) {
	if f.size != "" && f.size != "15" {
		return nil, fmt.Errorf("a puzzle on a board of %.10q, want 15", f.size)
	}
	t := NewTree(LibSize, LibSize)
	at := t.Root
	for i, s := range []string{f.stones[0], f.stones[1], f.moves} {
		moves, err := puzzlePointsOf(s)
		if err != nil {
			return nil, err
		}
		for k, m := range moves {
			switch {
			case m == board.None: // the colors of those behind tell it
			case i < 2:
				t.Root.Setup = append(t.Root.Setup, Stone{m, board.Color(i)})
			default:
				n := NewNode()
				n.Color, n.Move = board.Color(k&1), m
				at.Children = []*Node{n}
				at = n
			}
		}
	}
	switch strings.ToLower(f.side) {
	case "1", "black":
		at.Side = board.Black
	case "2", "white":
		at.Side = board.White
	}
	var said remarks
	rule, ok := map[string]board.Rule{"0": board.Freestyle, "1": board.ExactFive, "2": board.Renju}[f.rule]
	if _, err := strconv.Atoi(f.rule); err != nil {
		rule, ok = ruleOf(f.rule) // a word, of other writers
	}
	if t.Rule, t.RuleKnown = rule, ok; !ok && f.rule != "" {
		said.add("unknown rule %.20q", f.rule)
	}
	if f.answers != "" {
		said.add("the answers of the puzzle are left out: %.40q", f.answers)
	}
	if f.labels != "" {
		labels := strings.Split(f.labels, ",")
		for i := 0; i+1 < len(labels); i += 2 {
			if moves, err := puzzlePointsOf(labels[i]); err == nil && len(moves) == 1 && moves[0] != board.None {
				at.Marks = append(at.Marks, Mark{At: moves[0], Text: labels[i+1]})
			} else {
				said.add("a label is left out: %.20q", labels[i])
			}
		}
	}
	t.Remarks = said.all()
	return t, nil
}

package record

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// A moveReader reads the moves of one game from text.
type moveReader struct {
	width, height int
	bottom        bool // rows count from the bottom
	withoutI      bool // letters of columns go from h to j
	numbered      bool // a number without a point is one of a move
	offsets       bool // pairs of numbers count from the center

	moves    []board.Move // None is a pass
	comments map[int]string
	tags     map[string]string
	number   int  // before the next move, 0 if there is none
	inside   bool // a move stood in parentheses ...
	outside  bool // ... and one outside of them
	ended    bool // a result stood behind the moves
	result   string
	swapped  bool // kurnik: the players exchanged colors
	paired   bool // the moves were pairs of numbers
	numbers  int  // so far
	plies    bool // each move has one, which counts moves and not pairs of them
	gap      bool // dots stand behind the last move
	said     remarks
}

// games reads games whose moves have numbers, or tags before them: each number 1 and each block
// of tags begins one. The first has some tags more. All are read as p says.
func (p moveReader) games(lines []string, tags [][2]string) ([]*Tree, error) {
	var trees []*Tree
	begin := p
	for _, tag := range tags {
		p.tag(tag[0], tag[1])
	}
	finish := func() error {
		if len(p.moves) == 0 && len(p.tags) == 0 {
			return nil
		}
		t, err := p.tree()
		if err == nil {
			trees = append(trees, t)
		}
		return err
	}
	items := 0
	for i, line := range lines {
		if line == "" {
			continue
		}
		if m := tagLine.FindStringSubmatch(line); m != nil {
			if len(p.moves) > 0 {
				if err := finish(); err != nil {
					return nil, err
				}
				p = begin
			}
			p.tag(m[1], m[2])
			continue
		}
		if len(p.moves) > 0 && numberFirst.MatchString(line) && line[0] < 'A' && (len(p.moves) > 1 || p.ended) {
			if err := finish(); err != nil {
				return nil, err
			}
			p = begin
		}
		before := len(p.moves)
		if err := p.text(line); err != nil {
			if len(lines) > 1 && len(trees) > 0 {
				err = fmt.Errorf("line %d: %w", i+1, err)
			}
			return nil, err
		}
		if items += len(p.moves) - before + treeItems; items > maxItems {
			return nil, errItems
		}
	}
	return trees, finish()
}

func (p *moveReader) tag(name, value string) {
	if p.tags == nil {
		p.tags = map[string]string{}
	}
	p.tags[strings.ToLower(name)] = value
	switch strings.ToLower(name) {
	case "size", "boardsize":
		if w, h, ok := sgfSides(value); ok {
			p.width, p.height = w, h
		}
	case "site":
		if strings.EqualFold(value, "pente.org") { // has no other board, and its letters leave out i
			p.width, p.height, p.withoutI = penteSize, penteSize, true
		}
	}
}

// penteSize is the side of the board of pente.org, in cells.
const penteSize = 19

// kurnik reports whether the game is one of kurnik or PlayOK, where a move can be -- and the fourth
// word is the color that a player chose.
func (p *moveReader) kurnik() bool {
	site := strings.ToLower(p.tags["site"])
	return strings.Contains(site, "kurnik") || strings.Contains(site, "playok")
}

// text reads the moves of a line and adds them.
func (p *moveReader) text(s string) error {
	if moves, result := behindHead(s); len(p.moves) == 0 {
		s, p.result = moves, cmp.Or(result, p.result)
	}
	if strings.IndexFunc(s, func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 0x7f }) < 0 && pairFirst.MatchString(s) {
		return p.pairs(s)
	}
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == ' ' || c == '\t' || c == ',' || c == '_' || c == ';' || c == '|' || c == '/' || c == '>' || c == '.' && !strings.HasPrefix(s[i:], "..") || c == '!' || c == '?' || c == ')' || c == ']':
			i++
		case c == '-':
			n := len(s[i:]) - len(strings.TrimLeft(s[i:], "-"))
			if !p.kurnik() && isMissing(s, i, i+n) {
				return fmt.Errorf("%q may stand for a move: write pass if it is one", s[i:i+n])
			}
			i += n
		case strings.HasPrefix(s[i:], ".."):
			p.gap = true
			i += len(s[i:]) - len(strings.TrimLeft(s[i:], "."))
		case c == '(' || c == '[' || c == '{':
			n, err := p.parenthesis(s[i:])
			if err != nil {
				return err
			}
			i += n
		case c >= '0' && c <= '9' || c == '#' || c == '*':
			n, err := p.digits(s[i:])
			if err != nil {
				return err
			}
			i += n
		default:
			n, err := p.word(s[i:])
			if err != nil {
				return err
			}
			i += n
		}
	}
	if p.number > 0 && !p.numbered {
		return fmt.Errorf("the number %d stands behind the moves", p.number)
	}
	return nil
}

// isMissing reports whether the hyphens s[i:j] stand where a move could, and not between moves alone.
func isMissing(s string, i, j int) bool {
	before, behind := strings.TrimRight(s[:i], " \t"), strings.TrimLeft(s[j:], " \t")
	comma := func(c byte) bool { return c == ',' || c == ';' }
	return before != "" && comma(before[len(before)-1]) || behind != "" && comma(behind[0]) ||
		j-i > 1 && before != "" && behind != "" && (len(before) < i || len(behind) < len(s)-j)
}

// parenthesis reads what begins with a bracket and returns how many bytes it has read: all up to its
// end, or the bracket alone if there are moves within.
func (p *moveReader) parenthesis(s string) (int, error) {
	end := strings.IndexByte(s, map[byte]byte{'(': ')', '[': ']', '{': '}'}[s[0]])
	if end < 0 {
		return 0, fmt.Errorf("%.20q is not closed", s)
	}
	inner := strings.TrimSpace(s[1:end])
	if n, err := strconv.Atoi(inner); err == nil && s[0] != '{' && len(inner) < 4 {
		if len(p.moves) == 0 || n == len(p.moves)+1 || n == len(p.moves)/2+1 {
			return end + 1, p.setNumber(n)
		}
		return end + 1, nil // a value or a time
	}
	switch {
	case s[0] != '{' && onlyMoves.MatchString(inner):
		if p.inside = true; p.outside {
			return 0, fmt.Errorf("moves in parentheses, %.20q, among others", s[:end+1])
		}
		return 1, nil
	case inner == "" || timeOrValue.MatchString(inner):
	case len(p.moves) > 0:
		if p.comments == nil {
			p.comments = map[int]string{}
		}
		at := len(p.moves) - 1
		p.comments[at] = joinTexts(p.comments[at], inner)
	case s[0] != '{':
		return 0, fmt.Errorf("%.40q is no move", s[:end+1])
	}
	return end + 1, nil
}

// digits reads a number before a move, or a result.
func (p *moveReader) digits(s string) (int, error) {
	word, _, _ := strings.Cut(s, " ")
	if resultWord.MatchString(word) {
		p.result, p.ended = word, true
		return len(word), nil
	}
	k := 0
	if s[0] == '#' || s[0] == '*' {
		k++
	}
	start := k
	for k < len(s) && s[k] >= '0' && s[k] <= '9' {
		k++
	}
	n, err := strconv.Atoi(s[start:k])
	if err != nil || k-start > 3 {
		return 0, fmt.Errorf("%.20q is no move", word)
	}
	marked := k < len(s) && strings.IndexByte(".):]", s[k]) >= 0
	dots := k
	for k < len(s) && strings.IndexByte(".):]", s[k]) >= 0 {
		k++
	}
	if strings.HasPrefix(s[dots:k], "..") && len(p.moves)%2 == 0 {
		return 0, fmt.Errorf("%.20q is a move of White, and it is not its turn", s[start:k])
	}
	if !marked && start == 0 && (p.kurnik() || !p.numbered && len(p.moves) > 0) {
		return 0, fmt.Errorf("the number %d is no move", n)
	}
	return k, p.setNumber(n)
}

// setNumber checks the number of the next move, which counts moves or pairs of them.
func (p *moveReader) setNumber(n int) error {
	plies := len(p.moves)
	if p.kurnik() {
		return nil
	}
	if p.number > 0 {
		return fmt.Errorf("the numbers %d and %d follow each other without a move between them", p.number, n)
	}
	if n != plies+1 && n != plies/2+1 {
		return fmt.Errorf("the number %d stands before move %d", n, plies+1)
	}
	p.plies = p.plies || n != plies/2+1 && p.numbers == plies
	p.number, p.gap = n, false
	p.numbers++
	return nil
}

// colorWords are what can stand before a move.
var colorWords = map[string]board.Color{
	"b": board.Black, "black": board.Black, "x": board.Black, "黑": board.Black, "黒": board.Black, "흑": board.Black, "黑方": board.Black,
	"w": board.White, "white": board.White, "o": board.White, "白": board.White, "백": board.White, "白方": board.White,
}

// word reads a move or a word that can stand among moves.
func (p *moveReader) word(s string) (int, error) {
	k := 0
	for k < len(s) && strings.IndexByte(" \t,;:.|/()[]{}=-", s[k]) < 0 && !(s[k] >= '0' && s[k] <= '9') {
		k++
	}
	word := strings.ToLower(s[:k])
	if k == 0 {
		return 0, fmt.Errorf("%.4q is no move", s)
	}
	if strings.HasPrefix(word, "pass") {
		return len("pass"), p.add(board.None)
	}
	digits := k < len(s) && s[k] >= '0' && s[k] <= '9'
	if k == 1 && digits {
		return p.move(s)
	}
	if m := winner.FindStringSubmatch(s); m != nil && len(p.moves) > 0 {
		p.result, p.ended = map[board.Color]string{board.Black: "1-0", board.White: "0-1"}[colorWords[strings.ToLower(m[1])]], true
		return len(m[0]), nil
	}
	if m := sgfResult.FindString(s); m != "" && len(p.moves) > 0 {
		p.result, p.ended = strings.TrimSpace(m), true
		return len(m), nil
	}
	c, ok := colorWords[word]
	if !ok {
		return 0, fmt.Errorf("bad move at %.4q: want a letter and a number on a %dx%d board", s, p.width, p.height)
	}
	if p.kurnik() && k > 1 {
		p.swapped = c == board.Black
		return k, nil
	}
	if c != board.Color(len(p.moves)&1) {
		return 0, fmt.Errorf("move %d is one of %v, and it is not its turn", len(p.moves)+1, c)
	}
	for k < len(s) && strings.IndexByte(" :.=", s[k]) >= 0 {
		k++
	}
	return k, nil
}

// move reads a letter and a number.
func (p *moveReader) move(s string) (int, error) {
	k := 1
	for k < len(s) && s[k] >= '0' && s[k] <= '9' {
		k++
	}
	point := s[:k]
	if c := point[0] | 0x20; p.withoutI && c >= 'i' {
		if c == 'i' {
			return 0, fmt.Errorf("bad move at %.4q: the letters of columns leave out i", s)
		}
		point = string(rune(c-1)) + point[1:]
	}
	m, err := board.ParseMoves(point, p.width, p.height)
	if err != nil {
		return 0, fmt.Errorf("bad move at %.4q: want a letter and a number on a %dx%d board", s, p.width, p.height)
	}
	return k, p.add(m[0])
}

func (p *moveReader) add(m board.Move) error {
	if p.ended {
		return errors.New("moves stand behind the result")
	}
	if len(p.moves) >= maxMoves {
		return errors.New("more moves than cells")
	}
	switch n := len(p.moves); {
	case p.gap && n > 0:
		return fmt.Errorf("dots stand for what is missing before move %d", n+1)
	case p.plies && p.number == 0 && n > 0:
		return fmt.Errorf("move %d has no number, and the others have", n+1)
	}
	p.outside = p.outside || !p.inside
	p.moves = append(p.moves, m)
	p.number = 0
	return nil
}

// gameTags are the tags that may tell the rule, or another game.
var gameTags = []string{"rule", "rules", "variant", "gametype", "game"}

// tree returns the game that was read.
func (p *moveReader) tree() (*Tree, error) {
	if p.number > 0 {
		return nil, fmt.Errorf("no move stands behind the number %d", p.number)
	}
	if p.kurnik() && strings.Contains(strings.ToLower(p.tags["gametype"]+p.tags["variant"]+p.tags["event"]), "renju") {
		p.chosenFifth()
	}
	if err := distinct(p.moves); err != nil {
		return nil, err
	}
	if len(p.moves) == 0 && len(p.tags) > 0 {
		return nil, errors.New("tags without moves")
	}
	if p.bottom && !p.paired {
		upsideDown(p.moves, p.height)
	}
	for _, name := range gameTags {
		if err := otherGame(p.tags[name]); err != nil {
			return nil, err
		}
	}
	if p.withoutI {
		p.said.add(withoutI)
	}
	g := Game{Width: p.width, Height: p.height, Moves: p.moves, Black: cmp.Or(p.tags["black"], p.tags["player 1 name"]), White: cmp.Or(p.tags["white"], p.tags["player 2 name"]), Event: p.tags["event"], Outcome: (&Tree{Result: p.result}).Outcome()}
	if p.result == "" {
		g.Outcome = (&Tree{Result: p.tags["result"]}).Outcome()
	}
	if p.swapped {
		g.Black, g.White = g.White, g.Black
		switch g.Outcome {
		case BlackWon:
			g.Outcome = WhiteWon
		case WhiteWon:
			g.Outcome = BlackWon
		}
	}
	t := treeOf(&g)
	t.Format, t.Round, t.Date = MoveList, p.tags["round"], p.tags["date"]
	if p.paired {
		t.Format = Pairs
	}
	for _, name := range gameTags {
		if v := p.tags[name]; v != "" && !t.RuleKnown {
			if t.Rule, t.RuleKnown = ruleOf(v); !t.RuleKnown && name != "gametype" && name != "game" {
				p.said.add("unknown rule %.40q", v)
			}
		}
	}
	line := t.MainLine()
	for at, text := range p.comments {
		if at+1 < len(line) {
			line[at+1].Comment = joinTexts(line[at+1].Comment, text)
		}
	}
	t.Remarks = p.said.all()
	return t, nil
}

// chosenFifth takes the two fifth moves that were offered out of a game of renju of kurnik: the move
// behind them is the one of them that was chosen.
func (p *moveReader) chosenFifth() {
	if len(p.moves) > 6 && (p.moves[6] == p.moves[4] || p.moves[6] == p.moves[5]) {
		p.said.add("fifth moves offered: %v and %v", p.moves[4], p.moves[5])
		p.moves = append(p.moves[:4:4], p.moves[6:]...)
	}
}

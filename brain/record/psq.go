package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tengen/brain/board"
)

// maxGames is the most games that a reader of .psq keeps of one file.
const maxGames = 1 << 17

// maxMoves is the most moves that a reader keeps of one game: the cells of the largest board.
const maxMoves = board.MaxSize * board.MaxSize

// WritePSQ writes g as Piskvork saves a tournament game: a header, a line
// "x,y,milliseconds" for each move with coordinates from 1, the two names with that of Black
// first, and the end code; without names the end code -1 alone. The format has neither rule nor winner. A pass is an error. It makes one Write.
// Source: Piskvork, .psq; end codes 0 normal, 15 time-out, 7 invalid move, 16 memory, -2 engine error.
func WritePSQ(w io.Writer, g *Game) error {
	if g.HasPass() {
		return errPass
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "Piskvorky %dx%d, 11:11, 0\n", g.Width, g.Height)
	for i, m := range g.Moves {
		fmt.Fprintf(&b, "%d,%d,%d\n", m.X()+1, m.Y()+1, g.millis(i))
	}
	if g.Black+g.White == "" {
		b.WriteString("-1\n") // as Piskvork saves a game by hand
	} else {
		fmt.Fprintf(&b, "%s\n%s\n%d\n", psqName(g.Black), psqName(g.White), psqCode(g.Reason))
	}
	_, err := w.Write(b.Bytes())
	return err
}

var errPass = errors.New("the format has moves in turn, Black first, and here is a pass")

// psqName returns a name that a reader cannot take for a header, a line end or a move, as
// Piskvork takes every line that begins with a number.
func psqName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
	s = strings.TrimSpace(s)
	line := strings.TrimSpace(folded(s))
	digits := strings.TrimLeft(line, "+-")
	number := digits != "" && digits[0] >= '0' && digits[0] <= '9'
	if _, _, _, move := psqMove(line); line == "" || number || move || psqLike(line) || psqBroken(line) || psqHeader.MatchString(line) {
		return "brain " + s
	}
	return s
}

func psqCode(reason string) int {
	word, _, _ := strings.Cut(reason, " ")
	switch word {
	case "timeout":
		return 15
	case "illegal", "forbidden":
		return 7
	case "memory":
		return 16
	case "crash", "protocol":
		return -2
	}
	return 0
}

// psqLine matches a line of a move: two numbers and, in any form, a time and what else programs write.
// The first number of a line of no move, such as an end code, has no second behind it.
var psqLine = regexp.MustCompile(`^\(?\s*([+-]?\d+)\s*[,;\t ]\s*([+-]?\d+)\s*(?:$|[,;)\t ]\s*(.*)$)`)

// psqMove parses "x,y" or "x,y,millis", with further fields or not. The time may have a fraction.
func psqMove(s string) (x, y, millis int, ok bool) {
	if a, rest, ok := strings.Cut(s, ","); ok { // as Piskvork writes it, of which there may be much
		b, t, _ := strings.Cut(rest, ",")
		x, err := strconv.Atoi(a)
		y, err2 := strconv.Atoi(b)
		if millis, err3 := strconv.Atoi(t); err == nil && err2 == nil && (err3 == nil || t == "") {
			return x, y, max(millis, 0), true
		}
	}
	f := psqLine.FindStringSubmatch(s)
	if f == nil {
		return 0, 0, 0, false
	}
	x, err := strconv.Atoi(f[1])
	y, err2 := strconv.Atoi(f[2])
	if err != nil || err2 != nil {
		return 0, 0, 0, false
	}
	if rest := strings.TrimRight(f[3], ",; \t)"); strings.Count(rest, ",")+strings.Count(rest, ";") > 1 {
		return 0, 0, 0, false // two lines in one
	}
	time, _, _ := strings.Cut(strings.TrimSpace(f[3]), ",")
	time, _, _ = strings.Cut(time, ";")
	if time = strings.TrimRight(time, " ms"); strings.ContainsAny(time, "0123456789") && strings.Trim(time, "+-.0123456789 )eE") != "" || strings.Contains(strings.TrimSpace(time), " ") {
		return 0, 0, 0, false // two lines in one
	}
	if v, err := strconv.ParseFloat(strings.TrimSpace(time), 64); err == nil && v > 0 && v < 1e9 {
		millis = int(v)
	}
	return x, y, millis, true
}

// psqLike reports whether a line that is no move looks as if it were one: two numbers with something
// between them, from which Piskvork's own reader would take a move or stop.
func psqLike(s string) bool {
	s = strings.TrimLeft(s, "([{ ")
	digits := strings.TrimLeft(s, "+-0123456789")
	if digits == s || digits == "" {
		return false
	}
	rest := strings.TrimLeft(digits, "., ;:/xX\t")
	return len(rest) < len(digits) && rest != "" && rest[0] >= '0' && rest[0] <= '9'
}

// psqBroken reports whether a line behind the moves may be a move with a fault: numbers and a comma, and one
// other sign at most.
func psqBroken(line string) bool {
	odd := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || strings.ContainsRune(",;. +-", r) {
			return -1
		}
		return r
	}, line)
	return utf8.RuneCountInString(odd) <= 1 && strings.ContainsAny(line, ",;") && strings.ContainsAny(line, "0123456789")
}

// A psqReader reads games line by line.
type psqReader struct {
	games  []Game
	said   []remarks
	broken BrokenGames

	g      *Game
	say    remarks
	tail   []string // lines after the moves: names, if it was a tournament game, end code, and the verdict of GomocupJudge
	second bool     // the second name is Black's
}

// readPSQ reads all games of one or more concatenated .psq records, with remarks on each. Fields that
// the format lacks are zero: rule, and except in games of GomocupJudge length of the opening, outcome
// and event. Errors name the line. The error is a BrokenGames if games cannot be used, of which the
// moves before the fault are returned.
func readPSQ(s string) ([]Game, []remarks, error) {
	p := psqReader{broken: BrokenGames{}}
	n := 0
	for written := range strings.Lines(lineEnds.Replace(s)) {
		n++
		written = strings.TrimSpace(written)
		line := strings.TrimSpace(folded(written))
		if line == "" {
			continue
		}
		if len(line) > maxPSQLine {
			return nil, nil, fmt.Errorf("not a .psq file: line %d is too long", n)
		}
		if line[0]|0x20 == 'p' && psqHeader.MatchString(line) {
			if p.finish(); len(p.games) == maxGames {
				return nil, nil, fmt.Errorf("line %d: more than %d games", n, maxGames)
			}
			p.header(line, n)
			continue
		}
		if _, _, _, move := psqMove(line); p.g == nil && move {
			return nil, nil, fmt.Errorf("line %d: %.40q stands before a header", n, line)
		}
		if p.g == nil {
			p.say.add("line %d, which stands before a header, is left out: %.40q", n, line)
			continue
		}
		p.line(line, written, n)
	}
	p.finish()
	return p.games, p.said, p.broken.orNil()
}

// maxPSQLine is the most bytes of a line.
const maxPSQLine = 1 << 16

// header begins a game.
func (p *psqReader) header(line string, n int) {
	_, rest, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
	w, h, ok := psqSize(rest)
	if !ok {
		p.broken[len(p.games)] = fmt.Errorf("line %d: bad header %.40q, want sides of %d to %d", n, line, board.MinSize, board.MaxSize)
	}
	p.g = &Game{Width: w, Height: h}
	if m := psqHeadEnd.FindStringSubmatch(rest); ok && m != nil && !psqHeadRest.MatchString(m[1]) {
		if pairOfNumbers.MatchString(m[1]) {
			p.broken[len(p.games)] = fmt.Errorf("line %d: more than a header: %.60q", n, line)
		} else {
			p.say.add("the end of the header is left out: %.40q", m[1])
		}
	}
	p.second = strings.TrimSpace(rest[strings.LastIndexByte(rest, ',')+1:]) == "1"
}

// line reads a line of the game that has begun, as written and with its signs as in ASCII.
func (p *psqReader) line(line, written string, n int) {
	x, y, t, ok := psqMove(line)
	game := len(p.games)
	switch {
	case p.broken[game] != nil:
		return // after a fault
	case len(p.tail) > 0 && ok && !p.verdict(line):
		p.say.add("moves behind the names or the end code, from line %d on, are left out", n)
		return
	case !ok && len(p.tail) == 0 && psqLike(line):
		p.broken[game] = fmt.Errorf("line %d: %.40q is no move, want column,row,milliseconds", n, line)
		return
	case !ok || len(p.tail) > 0:
		if psqBroken(line) && !p.verdict(line) {
			p.say.add("line %d, no move, is taken for a name or the end: %.40q", n, line)
		}
		if len(p.tail) < judgeTail {
			p.tail = append(p.tail, written)
		}
		return
	}
	g := p.g
	m, err := board.AtOn(x-1, y-1, g.Width, g.Height)
	switch {
	case err != nil:
		p.broken[game] = fmt.Errorf("line %d: %d,%d is not on a board of %dx%d", n, x, y, g.Width, g.Height)
	case len(g.Moves) >= maxMoves:
		p.broken[game] = fmt.Errorf("line %d: more moves than cells", n)
	default:
		g.Moves = append(g.Moves, m)
		g.Millis = append(g.Millis, t)
	}
}

// verdict reports whether a line may be the verdict of GomocupJudge.
func (p *psqReader) verdict(line string) bool {
	return len(p.tail) >= judgeTail-1 && line[0] >= '0' && line[0] <= '2' && len(line) > 1 && line[1] == ','
}

// finish ends the game that has begun.
func (p *psqReader) finish() {
	g := p.g
	if g == nil {
		return
	}
	if len(g.Moves)+len(p.tail) == 0 && p.broken[len(p.games)] == nil {
		p.broken[len(p.games)] = errors.New("neither moves nor an end follow the header")
	}
	var names [2]string
	for i := range names {
		if i >= len(p.tail) || isNumber(p.tail[i]) {
			break
		}
		names[i] = p.tail[i]
	}
	if g.Black, g.White = names[0], names[1]; p.second {
		g.Black, g.White = g.White, g.Black
	}
	switch n := len(p.tail); {
	case n == judgeTail && p.tail[judgeTail-2] == judgeCode:
		g.judge(p.tail[judgeTail-1])
	case n > 1:
		// The league behind another end code.
		if _, league, ok := strings.Cut(p.tail[n-1], ","); ok {
			if _, known := ruleOfLeague(league); known {
				g.Event = strings.TrimSpace(league)
			}
		}
	}
	p.games, p.said = append(p.games, *g), append(p.said, p.say)
	p.g, p.tail, p.say = nil, nil, remarks{}
}

// GomocupJudge writes the end code that stands for no known end, and then its verdict.
const (
	judgeTail = 4 // lines after the moves
	judgeCode = "-1"
)

// judge reads the verdict of GomocupJudge, "result,tournament", in which 0 is a draw. In 1 and 2
// the engines count as they were paired, which is not always by color. But a game ends when a side
// wins or when it has a fault. What is a fault is not recorded, except a move to a taken cell, so
// that who has made the last move has won. The stones of the opening have no time; moves after them
// that took less than 11 ms have none either and count as the opening's.
// Source: GomocupJudge, server.py and ai_match.py.
func (g *Game) judge(verdict string) {
	result, event, found := strings.Cut(verdict, ",")
	if !found || result != "0" && result != "1" && result != "2" {
		return
	}
	g.Event = strings.TrimSpace(event)
	n := len(g.Moves)
	for g.Opening < n && g.Millis[g.Opening] == 0 {
		g.Opening++
	}
	switch {
	case result == "0":
		g.Outcome = Drawn
	case g.Opening < n: // else the fault may be one of the opening
		last := board.Color((n - 1) & 1)
		if slices.Contains(g.Moves[:n-1], g.Moves[n-1]) {
			last = last.Other()
		}
		g.Outcome = WonBy(last)
	}
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

func psqSize(s string) (w, h int, ok bool) {
	size, _, _ := strings.Cut(strings.NewReplacer("X", "x", "×", "x", "*", "x", ";", ",").Replace(s), ",")
	a, b, ok := strings.Cut(strings.TrimSpace(size), "x")
	w, err := strconv.Atoi(strings.TrimSpace(a))
	h, err2 := strconv.Atoi(strings.TrimSpace(b))
	return w, h, ok && err == nil && err2 == nil && board.ValidSize(w, h)
}

// psqHeader matches the first line of a game of Piskvork.
var psqHeader = regexp.MustCompile(`(?im)^[ \t]*piskvork[a-z]*[ \t]+\S`)

// What stands behind the size in a header: the levels of the players and which of them begins, or nothing.
var (
	psqHeadEnd    = regexp.MustCompile(`\d+\s*[xX×*]\s*\d+(.*)$`)
	psqHeadRest   = regexp.MustCompile(`^[,;\s]*(?:\d+\s*:\s*\d+[,;\s]*(?:[01][,;\s]*)?|\d{0,2}[:,;\s]*)$`)
	pairOfNumbers = regexp.MustCompile(`\d\s*[,;]\s*\d`)
)

// isPSQ reports whether a text is games of Piskvork: whether a header stands in it, and before it no
// game of SGF, a comment of which may have one.
func isPSQ(s string) bool {
	header := psqHeader.FindStringIndex(s)
	if header == nil {
		return false
	}
	sgf := sgfBegin(s)
	return sgf < 0 || header[0] <= sgf
}

// readPSQTrees reads games of Piskvork.
func readPSQTrees(s string) ([]*Tree, error) {
	games, said, err := readPSQ(s)
	broken := BrokenGames{}
	if err != nil && !errors.As(err, &broken) {
		return nil, err
	}
	var trees []*Tree
	items := 0
	for i := range games {
		g := &games[i]
		if broken[i] != nil {
			trees = append(trees, nil)
			continue
		}
		if items += len(g.Moves) + treeItems; items > maxItems {
			return nil, errItems
		}
		// The last move of a game lost by an illegal move may lie on a stone.
		if n := len(g.Moves); n > 0 && slices.Contains(g.Moves[:n-1], g.Moves[n-1]) {
			said[i].add("the last move, %s, which is on a stone, is left out", g.Moves[n-1].Label(g.Height))
			g.Moves = g.Moves[:n-1]
		}
		t := treeOf(g)
		if t.Rule, t.RuleKnown = ruleOfLeague(g.Event); !t.RuleKnown {
			said[i].ruleOfNames(t)
		}
		if err := t.check(&said[i]); err != nil {
			broken[i], t = err, nil
		} else {
			t.Remarks = said[i].all()
		}
		trees = append(trees, t)
	}
	return trees, broken.orNil()
}

// bracketed matches what a program writes behind a name, such as an opening rule.
var bracketed = regexp.MustCompile(`\s\[[^\[\]]*\]$`)

// ruleOfNames takes an opening rule that only renju has, behind a name in brackets, for the rule.
func (r *remarks) ruleOfNames(t *Tree) {
	for _, name := range []string{t.Black, t.White} {
		if rule, ok := ruleInText(bracketed.FindString(name), board.Renju); ok {
			t.Rule, t.RuleKnown = rule, true
			r.add("a name says the rule, %v: %.40q", rule, name)
			return
		}
	}
}

package record

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tengen/brain/board"
)

// Moves as text are what people write and paste: h8i9j7, "1. h8 2. i9", a number and a move a line,
// moves in parentheses, "B h8 W i9", links of boards in the web, the tags of PGN before the moves. The
// readers here get text that is folded.

var (
	moveFirst   = regexp.MustCompile(`(?i)^[([]?(?:#?\d{1,3}\s*[.):\]-]*\s*[(\[]?)?(?:(?:black|white|b|w|x|o|黑|黒|白|흑|백)[\s:.=]+\d{0,3}\.?\s*)?(?:[a-z]\d|pass)`)
	pairFirst   = regexp.MustCompile(`^[([]?\s*-?\d{1,2}\s*[,:;]\s*-?\d{1,2}\s*(?:$|[)\]\s,;|/-])`)
	numberFirst = regexp.MustCompile(`^(?:[(\[#]\s*)?1\s*(?:[.):\]]|-\s*[A-Za-z]|\s+[A-Za-z(])|^(?i:b|black|x|黑|黒|흑)[\s:.=]`)
	tagLine     = regexp.MustCompile(`^\[\s*([A-Za-z]\w*(?: \w+)*)\s+"(.*)"\s*\]$`)
	resultWord  = regexp.MustCompile(`^(?:1-0|0-1|1/2-1/2|½-½|0\.5-0\.5|\*)$`)
	timeOrValue = regexp.MustCompile(`(?i)^[-+]?\d*(?:[.:,]\d+)*\s*(?:ms|s|sec|m|min|%|'|")?$|^[-+]?m\d+$|^\d+/\d+$`)
	onlyMoves   = regexp.MustCompile(`(?i)^(?:[\s,;]*[a-z]\d{1,2})+[\s,;]*$`)
	hashNumber  = regexp.MustCompile(`^#\d+[\s.:)]*[a-zA-Z]\d`)
	problemPos  = regexp.MustCompile(`^([a-v]\d+)+$`)
	hexLink     = regexp.MustCompile(`[?&]mvs?=([0-9a-fA-F]*)(?:&|$)`)
	hexName     = regexp.MustCompile(`[?&]mvs?=`)
	oneMove     = regexp.MustCompile(`(?i)^[a-v]\d{1,2}$`)
	letterPairs = regexp.MustCompile(`^(?:(?:[A-V][a-v]){3,}|hh(?:[a-o]{2}){4,})$`)
	fragment    = regexp.MustCompile(`(?i)^#/?[a-v]\d`)
)

// What may stand before the moves of a line: a word with or without a number, or the result; and a result as
// in SGF.
var (
	titled      = regexp.MustCompile(`(?i)^(?:moves?|position|pos|game(?:\s*\d+)?)\s*[:=]\s*`)
	resultFirst = regexp.MustCompile(`(?i)^(1-0|0-1|1/2-1/2|½-½|[bw]\+[\w.]*)[\s:,;]+(?:[a-z]\d)`)
	sgfResult   = regexp.MustCompile(`(?i)^([bw])\+[\w.]*(?:\s|$)`)
)

// behindHead returns a line without what may stand before its moves, and the result that stands there.
func behindHead(line string) (moves, result string) {
	line = line[len(titled.FindString(line)):]
	if m := resultFirst.FindStringSubmatchIndex(line); m != nil {
		return strings.TrimLeft(line[m[3]:], " \t:,;"), line[:m[3]]
	}
	return line, ""
}

// Words around the number of a move, and who won behind the moves.
var (
	numberWords = regexp.MustCompile(`(?i)第?(\d{1,3})\s*手目?\s*[:.)]?\s*|\b(?:move|no\.?)\s*(\d{1,3})\s*[:.)]?\s+`)
	colorNumber = regexp.MustCompile(`[黑黒白]方?\s*(\d{1,3})\s*[:.)]?\s+([A-Za-z]\d)`)
	winner      = regexp.MustCompile(`(?i)^(black|white|黑|黒|白)方?\s*(?:wins?|won|胜|勝|の勝ち)[.!]?\s*$`)
)

// plainNumbers returns a line with the numbers of its moves as in "1. h8", for those in circles and in words
// of several languages, and without quotation marks around it.
func plainNumbers(line string) string {
	ascii := true
	for i := range len(line) {
		ascii = ascii && line[i] < utf8.RuneSelf
	}
	if !ascii {
		var b strings.Builder
		for _, r := range line {
			if r >= '①' && r <= '⑳' {
				fmt.Fprintf(&b, " %d. ", r-'①'+1)
			} else {
				b.WriteRune(r)
			}
		}
		line = colorNumber.ReplaceAllString(strings.TrimSpace(b.String()), "$1. $2")
	}
	if !ascii || len(line) > 0 && strings.IndexByte("mMnN", line[0]) >= 0 {
		line = numberWords.ReplaceAllString(line, "$1$2. ")
	}
	if quoted := strings.Trim(line, "\"'`“”"); len(quoted) == len(line)-2 || len(quoted) > 0 && !ascii {
		line = strings.TrimSpace(quoted)
	}
	return line
}

// isComment reports whether a line is a comment of a file of moves.
func isComment(line string) bool {
	return line[0] == '#' && !fragment.MatchString(line) && !hashNumber.MatchString(line) || strings.HasPrefix(line, "//")
}

// isPos reports whether a line is moves in pos notation and nothing else, as those of large files are.
func isPos(line string) bool {
	for i := range len(line) {
		if c := line[i]; !(c >= 'a' && c <= 'v' || c >= '0' && c <= '9') {
			return false
		}
	}
	return len(line) > 1 && line[0] >= 'a' && line[1] <= '9'
}

// isMoveLine reports whether a line begins as moves do.
func isMoveLine(line string) bool {
	line = plainNumbers(line)
	line, _ = behindHead(line)
	return moveFirst.MatchString(line) || pairFirst.MatchString(line) || tagLine.MatchString(line) || letterPairs.MatchString(line)
}

// isLinkText reports whether a line is an address with moves in it.
func isLinkText(line string) bool {
	return strings.Contains(line, "://") || strings.Contains(strings.ToLower(line), "gomocalc.com/") || fragment.MatchString(line)
}

// isProblem reports whether a line is one for ReadTactics or ReadPuzzles.
func isProblem(line string) bool {
	f := strings.Fields(line)
	if len(f) != 5 && len(f) != 6 {
		return false
	}
	_, err := strconv.ParseUint(f[0], 10, 8)
	_, err2 := strconv.ParseUint(f[1], 10, 8)
	return err == nil && err2 == nil && (f[2] == "-" || problemPos.MatchString(f[2]))
}

// IsGameLine reports whether a line of a text is a game of its own, in one of the forms that stand one
// a line: moves without numbers, a link, a problem.
func IsGameLine(line string) bool {
	line = plainNumbers(strings.TrimSpace(folded(line)))
	if line == "" || isComment(line) {
		return false
	}
	if isPos(line) {
		return true
	}
	if formatOf(line) != MoveList {
		return (isLinkText(line) || isProblem(line)) && sgfBegin(line) < 0
	}
	return !numberFirst.MatchString(line) && !tagLine.MatchString(line) && line[0] != '(' && line[0] != '['
}

// IsListLine reports whether the lines around a line of moves may tell what it means: it has one move, and
// others may have the next ones, or pairs of numbers, which are offsets if there are negative ones.
func IsListLine(line string) bool {
	line = strings.TrimSpace(folded(line))
	return oneMove.MatchString(line) || pairFirst.MatchString(line)
}

// largeSize is the side of the board of a list of moves that need more than textSize.
const largeSize = 20

// readMoveList reads moves as text: a game a line, or one game on several lines if moves are numbered or
// stand one a line. Links count rows from the side that they are known for, and the positions of testdata tell
// rule and size. Lists without a size are on a board of 15x15, or of 20x20 as in Gomocup if they need it.
func readMoveList(s string, o Reading) ([]*Tree, error) {
	if o.Width > 0 && o.Height > 0 {
		return readMoveLines(s, o)
	}
	o.Width, o.Height = textSize, textSize
	trees, err := readMoveLines(s, o)
	if err == nil {
		return trees, nil
	}
	o.Width, o.Height = largeSize, largeSize
	large, err2 := readMoveLines(s, o)
	if err2 != nil || len(large) < 2 { // else it is more likely a slip
		return nil, err
	}
	for _, t := range large {
		if t.Width == largeSize {
			t.Remarks = append(t.Remarks, "the moves of the list need more than 15x15 and are taken for those of a board of 20x20")
		}
	}
	return large, nil
}

// readMoveLines is readMoveList on a board of some size.
func readMoveLines(s string, o Reading) ([]*Tree, error) {
	width, height := o.Width, o.Height
	lines := strings.Split(s, "\n")
	head := headOf(lines)
	joined := head.lines > 0
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line != "" && isComment(line) {
			line = ""
		}
		if !isPos(line) {
			line = plainNumbers(line)
		}
		lines[i] = line
		joined = joined || line != "" && !isPos(line) && !isLinkText(line) && !isProblem(line) && (numberFirst.MatchString(line) || tagLine.MatchString(line))
	}
	if joined {
		if head.width > 0 {
			width, height = head.width, head.height
		}
		p := moveReader{width: width, height: height, bottom: o.FromBottom, numbered: true, withoutI: head.withoutI}
		trees, err := p.games(lines[head.lines:], head.tags)
		if err != nil && !p.withoutI && skipsI(lines[head.lines:]) {
			p.withoutI = true
			if again, err2 := p.games(lines[head.lines:], head.tags); err2 == nil {
				trees, err = again, nil
			}
		}
		if err == nil && len(trees) > 0 {
			head.rule(lines, trees[0])
			trees[0].Remarks = append(head.said.all(), trees[0].Remarks...)
		}
		return trees, err
	}
	if line, ok := moveALine(lines); ok {
		t, err := readLine(line, width, height, o.FromBottom, false)
		if err != nil {
			return nil, err
		}
		t.Remarks = append(t.Remarks, "lines of one move each are taken for one game")
		return []*Tree{t}, nil
	}
	offsets := slices.ContainsFunc(lines, func(line string) bool { return pairFirst.MatchString(line) && negative.MatchString(line) })
	var trees []*Tree
	items := 0
	for i, line := range lines {
		if line == "" {
			continue
		}
		t, err := readLine(line, width, height, o.FromBottom, offsets)
		if err == nil {
			if items += treeItems + t.lineLength(); items > maxItems {
				err = errItems
			}
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %.60q: %w", i+1, line, err)
		}
		trees = append(trees, t)
	}
	return trees, nil
}

// moveALine returns the moves of lines that have one each, if there are several and no move is there twice.
func moveALine(lines []string) (moves string, ok bool) {
	n := 0
	seen := map[string]bool{}
	for _, line := range lines {
		if line = strings.ToLower(line); line == "" {
			continue
		}
		if !oneMove.MatchString(line) || seen[line] {
			return "", false
		}
		seen[line] = true
		moves += line
		n++
	}
	return moves, n > 1
}

// lineLength returns the number of nodes of a tree of one line.
func (t *Tree) lineLength() int { return len(t.MainLine()) }

// readLine reads a game that stands on one line. Offsets says that pairs of numbers are such.
func readLine(line string, width, height int, bottom, offsets bool) (*Tree, error) {
	switch {
	case isPos(line) && !strings.Contains(line, "pass"): // fast, as there may be many
		moves, err := board.ParseMoves(line, width, height)
		switch {
		case err != nil:
			return nil, err
		case len(moves) > maxMoves:
			return nil, errors.New("more moves than cells")
		}
		if err := distinct(moves); err != nil {
			return nil, err
		}
		if bottom {
			upsideDown(moves, height)
		}
		t := treeOf(&Game{Width: width, Height: height, Moves: moves})
		t.Format = MoveList
		return t, nil
	case isProblem(line):
		f := strings.Fields(line)
		rule, size, moves, _, err := parsePosition(f)
		if err != nil {
			return nil, err
		}
		t := treeOf(&Game{Width: size, Height: size, Moves: moves})
		t.Rule, t.RuleKnown, t.Format = rule, true, Problems
		return t, nil
	case isLinkText(line):
		return readLink(line, width, height)
	case letterPairs.MatchString(line):
		return readLetters(line, width, height)
	}
	p := moveReader{width: width, height: height, bottom: bottom, offsets: offsets}
	err := p.text(line)
	if err != nil && skipsI([]string{line}) {
		again := moveReader{width: width, height: height, bottom: bottom, withoutI: true}
		if again.text(line) == nil {
			p, err = again, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return p.tree()
}

// readLetters reads moves as pairs of letters.
func readLetters(line string, width, height int) (*Tree, error) {
	p := moveReader{width: width, height: height, paired: true}
	for ; line != ""; line = line[2:] {
		m, err := board.AtOn(int(line[0]|0x20-'a'), int(line[1]-'a'), width, height)
		if err == nil {
			err = p.add(m)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", line[:2], err)
		}
	}
	p.said.add("pairs of letters are taken for columns and rows from the top, as in SGF")
	return p.tree()
}

// upsideDown counts the rows of moves from the other side.
func upsideDown(moves []board.Move, height int) {
	for i, m := range moves {
		if m != board.None {
			moves[i] = board.At(m.X(), height-1-m.Y())
		}
	}
}

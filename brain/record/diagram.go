package record

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// A drawn board has a line for each row, of one sign a cell with or without blanks between them, and
// may have the numbers of rows at the sides and the letters of columns above or below. Signs of an empty
// cell are . + - _ * and lines as of a drawn grid, of a black stone X, B, #, @ and a filled circle, of a
// white one O, W and an empty circle; or 0, 1 and 2 stand for all three. Numbers from 1 on among the signs
// of empty cells are the moves of a game. Bars may stand between the cells, which then may be empty.

const (
	emptySigns = ".+-_*·┼├┤┬┴┌┐└┘╋╬│─□⋅∙➕🟫🟨🟧🟩🟦"
	blackSigns = "XxBb●⚫■◆@"
	whiteSigns = "OoWw○⚪◯◇"
	lineSigns  = "-─—━=" // between the cells of a row, or around a board
)

// A row is what a line of a drawing says.
type row struct {
	cells  []rune // as drawn
	digits bool   // 0, 1 and 2 are its signs
	barred bool   // bars stand between the cells
	number int    // of the row, at its side, -1 if it is not there
	moves  []int  // numbers of moves in the cells, 0 for none; nil if there are none
}

// numbered is the sign of a cell with the number of a move.
const numbered = '1'

var (
	rowNumber  = regexp.MustCompile(`^\s*(\d{1,2})(?:[|:)]|\.\s|\s)\s*`)
	rowNumber2 = regexp.MustCompile(`[\s|]+\d{1,2}\s*$`)
	sideWords  = regexp.MustCompile(`(?i)\b(black|white|x|o)\b[\s:]*(?:is\s+)?to\s+(?:move|play)|(?:to move|to play|next|turn)\s*[:=]\s*(black|white|x|o|b|w)\b`)
)

// rowOf reads a line of a drawing.
func rowOf(line string) (row, bool) {
	plain := strings.TrimRight(line, " \t")
	if whole, ok := signsOf(plain); ok && whole.digits {
		if !rowNumber.MatchString(plain) || strings.Trim(plain, "012 \t|") == "" {
			return whole, true
		}
	}
	number := -1
	if m := rowNumber.FindStringSubmatch(plain); m != nil {
		number, _ = strconv.Atoi(m[1])
		plain = plain[len(strings.TrimRight(m[0], "|")):]
		if m := rowNumber2.FindStringIndex(plain); m != nil {
			plain = strings.TrimRight(plain[:m[0]+1], " \t")
		}
	}
	r, ok := signsOf(plain)
	r.number = number
	return r, ok && !r.digits
}

// signsOf reads the cells of a line.
func signsOf(s string) (row, bool) {
	r := row{digits: true, number: -1}
	fields := strings.Fields(strings.ReplaceAll(s, "|", " "))
	if cells := strings.Split(strings.Trim(s, " \t"), "|"); len(cells) > board.MinSize+1 && cells[0]+cells[len(cells)-1] == "" {
		fields, r.barred = cells[1:len(cells)-1], true
		for i, c := range fields {
			if fields[i] = strings.TrimSpace(c); fields[i] == "" {
				fields[i] = "."
			}
		}
	}
	for _, f := range fields {
		if n, err := strconv.Atoi(f); err == nil && n > 2 && f[0] >= '0' && f[0] <= '9' && len(f) <= 3 {
			f = string(numbered)
			r.move(len(r.cells), n)
		}
		all := []rune(f)
		if r.barred && len(all) > 1 {
			return row{}, false
		}
		for _, c := range all {
			switch {
			case strings.ContainsRune(emptySigns+blackSigns+whiteSigns+"#", c):
				r.digits = false
			case c >= '1' && c <= '2' && len(all) == 1:
				r.move(len(r.cells), max(int(c-'0'), r.at(len(r.cells))))
			case c >= '0' && c <= '2':
			default:
				return row{}, false
			}
			r.cells = append(r.cells, c)
		}
	}
	return r, len(r.cells) >= board.MinSize
}

// at returns the number of a move in a cell, 0 for none.
func (r *row) at(x int) int {
	if x < len(r.moves) {
		return r.moves[x]
	}
	return 0
}

// move puts the number of a move in a cell.
func (r *row) move(x, n int) {
	for len(r.moves) <= x {
		r.moves = append(r.moves, 0)
	}
	r.moves[x] = n
}

// columnLetters matches a line above or below a board.
var columnLetters = regexp.MustCompile(`^[\s|]*(?:[A-Za-z][\s|]*)+$`)

// isFrame reports whether a line is one around a board or between its rows.
func isFrame(line string) bool {
	line = strings.TrimSpace(line)
	return strings.ContainsAny(line, lineSigns) && strings.Trim(line, lineSigns+"+|┌┐└┘├┤┬┴┼│") == ""
}

// isUpright reports whether a line has only the upright lines between two rows.
func isUpright(line string) bool { return strings.Trim(line, "│| \t\r\n") == "" && len(line) > 1 }

// hasBars reports whether bars stand between the cells of a drawing, and not between its rows alone.
func hasBars(s string) bool {
	for line := range strings.Lines(s) {
		if r, ok := rowOf(strings.TrimRight(line, "\n")); ok && r.barred && !isUpright(line) {
			return true
		}
	}
	return false
}

// nearlyRow reports whether a line that is no row of a board may be meant as one: most signs are those of
// cells.
func nearlyRow(line string, width int) bool {
	signs := 0
	for _, c := range line {
		if strings.ContainsRune(emptySigns+blackSigns+whiteSigns, c) {
			signs++
		}
	}
	return 3*signs >= 2*width && !isFrame(line)
}

// drawings divides a text into its boards: lines of rows that follow each other and are as long, each
// with the other lines before and behind it. Odd is a line among the rows of a board that is none of
// them, or nothing.
func drawings(s string) (boards [][]row, beside []string, odd string) {
	var rows []row
	var words strings.Builder
	width, other, last := 0, "", "" // other is the line behind rows of that width, last the one before it
	suspect := func(line string) {
		if odd == "" {
			odd = strings.TrimSpace(line)
		}
	}
	finish := func() {
		if withoutLines(rows); len(rows) >= board.MinSize && board.ValidSize(len(rows[0].cells), len(rows)) {
			boards, beside = append(boards, rows), append(beside, words.String())
			words.Reset()
		}
		rows = nil
	}
	s = unrolled(s)
	barred := hasBars(s)
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\n")
		r, ok := rowOf(line)
		if barred && isFrame(line) || !barred && len(rows) > 0 && isUpright(line) {
			continue
		}
		same := ok && len(rows) > 0 && len(r.cells) == len(rows[0].cells)
		switch {
		case ok && other != "" && len(r.cells) == width:
			suspect(other)
		case ok && len(rows) == 0 && last != "" && !isFrame(last) && nearlyRow(last, len(r.cells)):
			suspect(last)
		case ok && len(rows) > 0 && !same:
			if d := len(r.cells) - len(rows[0].cells); d*d == 1 || !isFrame(line) && !isFrame(last) {
				suspect(line)
			}
		case !ok && len(rows) > 0 && strings.TrimSpace(line) != "" && nearlyRow(line, len(rows[0].cells)):
			suspect(line)
		}
		other = ""
		if len(rows) > 0 && !same && strings.TrimSpace(line) != "" && (ok || !columnLetters.MatchString(strings.TrimSpace(line))) {
			width, other = len(rows[0].cells), strings.TrimSpace(line)
		}
		last = line
		if len(rows) > 0 && !same {
			finish()
		}
		if ok {
			rows = append(rows, r)
			continue
		}
		words.WriteString(line + "\n")
	}
	if finish(); len(beside) > 0 {
		beside[len(beside)-1] += words.String()
	}
	return boards, beside, odd
}

// wholeBoard matches a board of 15, 19 or 20 rows that follow each other without line ends, as igGameCenter
// has it.
var wholeBoard = regexp.MustCompile(`^(?:[012]+|[.XO]+|[.xo]+|[-xo]+|[_xo]+|[+XO]+)$`)

// unrolled returns a text with a line for each row, if it is such a board.
func unrolled(s string) string {
	s = strings.TrimSpace(s)
	for _, side := range []int{15, 19, 20} {
		if len(s) != side*side || !wholeBoard.MatchString(s) {
			continue
		}
		var b strings.Builder
		for ; s != ""; s = s[side:] {
			b.WriteString(s[:side] + "\n")
		}
		return b.String()
	}
	return s
}

// withoutLines takes the lines between the cells out of rows as in +-+-X-O, if all have them.
func withoutLines(rows []row) {
	for _, r := range rows {
		for i, c := range r.cells {
			if len(r.cells)&1 == 0 || r.moves != nil || strings.ContainsRune(lineSigns, c) != (i&1 == 1) {
				return
			}
		}
	}
	for i := range rows {
		kept := rows[i].cells[:0]
		for k, c := range rows[i].cells {
			if k&1 == 0 {
				kept = append(kept, c)
			}
		}
		rows[i].cells = kept
	}
}

// isDiagram reports whether a text has a drawn board.
func isDiagram(s string) bool {
	if s = unrolled(s); strings.Count(s, "\n") < board.MinSize-1 {
		return false
	}
	boards, _, _ := drawings(s)
	return len(boards) > 0
}

// readDiagrams reads the positions of drawn boards. Whose move it is words such as "white to move" tell,
// else the numbers of stones.
func readDiagrams(s string) ([]*Tree, error) {
	boards, beside, odd := drawings(s)
	if odd != "" {
		return nil, fmt.Errorf("%.40q stands among the rows of a board and is none", odd)
	}
	var trees []*Tree
	for i, rows := range boards {
		t, err := drawnTree(rows)
		if err != nil {
			return nil, err
		}
		var said remarks
		if t.Width != t.Height {
			said.add("the drawn board has %d columns and %d rows", t.Width, t.Height)
		}
		if m := sideWords.FindStringSubmatch(beside[i]); m != nil {
			t.Root.Side = colorWords[strings.ToLower(m[1]+m[2])]
		} else if black, white := t.Root.setupCounts(); black != white && black != white+1 {
			t.Root.Side = board.Black
			if black > white {
				t.Root.Side = board.White
			}
			said.add("%d black and %d white stones: %v is taken to be on move", black, white, t.Root.Side)
		}
		t.Remarks = said.all()
		trees = append(trees, t)
	}
	return trees, nil
}

// drawnTree returns the position of a board, or the game if its moves have numbers.
func drawnTree(rows []row) (*Tree, error) {
	t := NewTree(len(rows[0].cells), len(rows))
	t.Format = Diagram
	if err := wholeSides(rows); err != nil {
		return nil, err
	}
	digits, letters := true, false
	for _, r := range rows {
		digits = digits && r.digits
		letters = letters || strings.ContainsAny(string(r.cells), "Xx")
	}
	moves := map[int]board.Move{}
	for y, r := range rows {
		for x, c := range r.cells {
			color := board.Empty
			n := r.at(x)
			switch {
			case digits && n > 2:
				return nil, fmt.Errorf("the number %d on a board of 0, 1 and 2", n)
			case digits && c == '1', strings.ContainsRune(blackSigns, c), c == '#' && !letters:
				color = board.Black
			case digits && c == '2', strings.ContainsRune(whiteSigns, c):
				color = board.White
			case c == '#':
				return nil, fmt.Errorf("a blocked cell, %s, which no game here has", board.At(x, y).Label(len(rows)))
			case !digits && n > 0:
				if _, twice := moves[n]; twice {
					return nil, fmt.Errorf("the move %d stands on two cells", n)
				}
				moves[n] = board.At(x, y)
			case !digits && c >= '0' && c <= '9':
				return nil, fmt.Errorf("the sign %q on a board of other signs", c)
			}
			if color != board.Empty {
				t.Root.Setup = append(t.Root.Setup, Stone{board.At(x, y), color})
			}
		}
	}
	t.Root.order()
	if len(moves) == 0 {
		return t, nil
	}
	if len(t.Root.Setup) > 0 {
		return nil, errors.New("moves with numbers stand among the stones of a drawn board")
	}
	at := t.Root
	for i := range len(moves) {
		m, ok := moves[i+1]
		if !ok {
			return nil, fmt.Errorf("the drawn board has %d moves, and none of them is %d", len(moves), i+1)
		}
		n := NewNode()
		n.Color, n.Move = board.Color(i&1), m
		at.Children = []*Node{n}
		at = n
	}
	return t, nil
}

// wholeSides returns an error if the numbers of rows tell that some are not drawn.
func wholeSides(rows []row) error {
	first, last := rows[0].number, rows[len(rows)-1].number
	for i, r := range rows {
		if r.number < 0 {
			return nil // not all of them have one
		}
		if i > 0 && r.number != rows[i-1].number+1 && r.number != rows[i-1].number-1 {
			return fmt.Errorf("row %d follows row %d of a drawn board", r.number, rows[i-1].number)
		}
	}
	if min(first, last) > 1 {
		return fmt.Errorf("the board is drawn from row %d to %d: want all rows", first, last)
	}
	return nil
}

// setupCounts returns how many stones of each color a node sets up.
func (n *Node) setupCounts() (black, white int) {
	for _, s := range n.Setup {
		switch s.Color {
		case board.Black:
			black++
		case board.White:
			white++
		}
	}
	return black, white
}

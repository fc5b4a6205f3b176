package record

import (
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
// of empty cells are the moves of a game; among stones they are moves behind these, or labels. Bars may stand between the
// cells, which then may be empty, brackets around the stone of the last move, and quotation marks around rows
// that are texts of a program. A question mark is an empty cell that is asked for.

const (
	emptySigns = ".+-_*?·┼├┤┬┴┌┐└┘╋╬│─□⋅∙➕🟫🟨🟧🟩🟦═╔╗╚╝╠╣╤╧╟╢╪╫"
	blackSigns = "XxBb●⚫■◆@✕✖❌"
	whiteSigns = "OoWw○⚪◯◇⭕"
	lineSigns  = "-─—━=═" // between the cells of a row, or around a board
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

// What may stand around the signs of a row: brackets around one of them, and the marks of a text of a program.
var (
	inBrackets = regexp.MustCompile(`[\[(]([` + regexp.QuoteMeta(emptySigns+blackSigns+whiteSigns) + `])[\])]`)
	quotedRow  = regexp.MustCompile("^\\s*[\"'`](.*?)(?:\\\\n|\\\\|\\s)*[\"'`]?\\s*[,;+\\\\]*\\s*(?://.*)?$")
)

// plainRow returns a line without these.
func plainRow(line string) string {
	if strings.ContainsAny(line, "\"'`") {
		if m := quotedRow.FindStringSubmatch(line); m != nil {
			line = m[1]
		}
	}
	if strings.ContainsAny(line, "[(") {
		around := " $1 "
		if strings.ContainsAny(line, "─═") {
			around = "─$1─"
		}
		line = inBrackets.ReplaceAllString(line, around)
	}
	return line
}

var (
	rowNumber  = regexp.MustCompile(`^\s*(\d{1,2})(?:[|:)]|\.\s|\s)\s*`)
	rowNumber2 = regexp.MustCompile(`[\s|]+\d{1,2}\s*$`)
	sideWords  = regexp.MustCompile(`(?i)\b(black|white|x|o)\b[\s:]*(?:is\s+)?to\s+(?:move|play)|(?:to move|to play|next|turn)\s*[:=]\s*(black|white|x|o|b|w)\b`)
)

// rowOf reads a line of a drawing.
func rowOf(line string) (row, bool) {
	plain := strings.TrimRight(plainRow(line), " \t")
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
	if glued.MatchString(plain) {
		if r, ok := narrowSigns(plain); ok {
			r.number = number
			return r, true
		}
	}
	r, ok := signsOf(plain)
	r.number = number
	return r, ok && !r.digits
}

// glued matches a number that stands close behind another cell, or two of them.
var glued = regexp.MustCompile(`[^\s\d|]\d|\d{3}`)

// narrowSigns reads the cells of a line that have two places each, as in ". .11 . x", so that numbers of two
// digits leave no blank.
func narrowSigns(s string) (row, bool) {
	if len(s) > 1 && (s[1] < '0' || s[1] > '9') {
		s = " " + s
	}
	var b strings.Builder
	for ; len(s) > 1; s = s[2:] {
		if s[0] != ' ' && (s[0] < '0' || s[0] > '9' || s[1] < '0' || s[1] > '9') {
			return row{}, false
		}
		b.WriteString(" " + strings.TrimSpace(s[:2]))
	}
	r, ok := signsOf(b.String())
	return r, ok && s == "" && !r.digits
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
	s = withoutGaps(unrolled(s))
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

// withoutGaps returns a text without the empty lines between the rows of boards, if all of them stand apart.
func withoutGaps(s string) string {
	lines := strings.Split(s, "\n")
	isRow := make([]bool, len(lines))
	apart, last := 0, -2
	for i, line := range lines {
		if _, isRow[i] = rowOf(line); !isRow[i] {
			if strings.TrimSpace(line) != "" {
				last = -2
			}
			continue
		}
		if i == last+1 {
			return s
		}
		if last >= 0 {
			apart++
		}
		last = i
	}
	if apart < board.MinSize-1 {
		return s
	}
	kept := lines[:0:0]
	for i, line := range lines {
		if strings.TrimSpace(line) != "" || i == 0 || i == len(lines)-1 {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
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
		t, err := drawnTree(rows, beside[i])
		if err != nil {
			return nil, err
		}
		trees = append(trees, t)
	}
	if left := rowsLeft(beside); left != "" {
		trees[0].Remarks = append(trees[0].Remarks, left)
	}
	return trees, nil
}

// sideDrawn sets whose move it is on a drawn board, by words beside it, else by the numbers of stones. If O has
// a stone more than X, it is Black who moved first.
func (t *Tree) sideDrawn(beside string, letters bool, said *remarks) {
	m := sideWords.FindStringSubmatch(beside)
	word, side := "", board.Empty
	if m != nil {
		word = strings.ToLower(m[1] + m[2])
		side = colorWords[word]
	}
	black, white := t.Root.setupCounts()
	switch {
	case letters && len(t.Root.Marks) == 0 && white == black+1 && word != "black" && word != "b" && word != "o":
		for i := range t.Root.Setup {
			t.Root.Setup[i].Color = t.Root.Setup[i].Color.Other()
		}
		t.Root.order()
		said.add("O has a stone more than X and is taken for Black")
	case m != nil:
		t.Root.Side = side
	case black != white && black != white+1:
		t.Root.Side = board.Black
		if black > white {
			t.Root.Side = board.White
		}
		said.add("%d black and %d white stones: %v is taken to be on move", black, white, t.Root.Side)
	}
}

// toMove returns who is on move behind the stones of the root.
func (t *Tree) toMove() board.Color {
	if t.Root.Side < board.Wall {
		return t.Root.Side
	}
	if black, white := t.Root.setupCounts(); black > white {
		return board.White
	}
	return board.Black
}

// rowsLeft says which lines beside the boards look like rows of others.
func rowsLeft(beside []string) string {
	for _, words := range beside {
		rows := 0
		for line := range strings.Lines(words) {
			plain := strings.TrimSpace(line)
			if odd := strings.Trim(plain, emptySigns+blackSigns+whiteSigns+" \t0123456789"); len(odd) < 3 && nearlyRow(plain, board.MinSize) {
				if rows++; rows == board.MinSize {
					return fmt.Sprintf("lines that may be rows of another board are left out: %.40q", plain)
				}
			} else if plain != "" {
				rows = 0
			}
		}
	}
	return ""
}

// drawnTree returns the position of a board and the moves that have numbers, by what stands beside it.
func drawnTree(rows []row, beside string) (*Tree, error) {
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
	moves := map[int][]board.Move{}
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
				moves[n] = append(moves[n], board.At(x, y))
			case !digits && c >= '0' && c <= '9':
				return nil, fmt.Errorf("the sign %q on a board of other signs", c)
			}
			if color != board.Empty {
				t.Root.Setup = append(t.Root.Setup, Stone{board.At(x, y), color})
			}
			if c == '?' {
				t.Root.Marks = append(t.Root.Marks, Mark{At: board.At(x, y), Text: "?"})
			}
		}
	}
	t.Root.order()
	line, err := inTurn(moves)
	var said remarks
	switch {
	case err != nil && len(t.Root.Setup) == 0:
		return nil, err
	case err != nil:
		said.add("the numbers on the drawn board are labels and no moves: %v", err)
		for n, cells := range moves {
			for _, m := range cells {
				t.Root.Marks = append(t.Root.Marks, Mark{At: m, Text: strconv.Itoa(n)})
			}
		}
		line = nil
	}
	if t.Width != t.Height {
		said.add("the drawn board has %d columns and %d rows", t.Width, t.Height)
	}
	t.sideDrawn(beside, letters, &said)
	if len(line) > 0 {
		if len(t.Root.Setup) > 0 {
			said.add("the numbers on the drawn board are taken for moves behind its stones, %v first", t.toMove())
		}
		t.Root.AddLine(t.toMove(), line)
	}
	t.Remarks = said.all()
	return t, nil
}

// inTurn returns the moves of a drawn board in their order.
func inTurn(moves map[int][]board.Move) (line []board.Move, err error) {
	for n, cells := range moves {
		if len(cells) > 1 {
			return nil, fmt.Errorf("the move %d stands on two cells", n)
		}
	}
	for i := range len(moves) {
		if len(moves[i+1]) == 0 {
			return nil, fmt.Errorf("the drawn board has %d moves, and none of them is %d", len(moves), i+1)
		}
		line = append(line, moves[i+1][0])
	}
	return line, nil
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

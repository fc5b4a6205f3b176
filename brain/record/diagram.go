package record

import (
	"fmt"
	"regexp"
	"strings"

	"tengen/brain/board"
)

// A drawn board has a line for each row, of one sign a cell with or without blanks between them, and
// may have the numbers of rows at the sides and the letters of columns above or below. Signs of an empty
// cell are . + - _ * and lines as of a drawn grid, of a black stone X, B, #, @ and a filled circle, of a
// white one O, W and an empty circle; or 0, 1 and 2 stand for all three.

const (
	emptySigns = ".+-_*·┼├┤┬┴┌┐└┘╋╬│─□⋅∙"
	blackSigns = "XxBb●⚫■◆@"
	whiteSigns = "OoWw○⚪◯◇"
)

// A row is what a line of a drawing says.
type row struct {
	cells  []rune // as drawn
	digits bool   // 0, 1 and 2 are its signs
}

var (
	rowNumber  = regexp.MustCompile(`^\s*\d{1,2}(?:[|:)]|\.\s|\s)\s*`)
	rowNumber2 = regexp.MustCompile(`[\s|]+\d{1,2}\s*$`)
	sideWords  = regexp.MustCompile(`(?i)\b(black|white|x|o)\b[\s:]*(?:is\s+)?to\s+(?:move|play)|(?:to move|to play|next|turn)\s*[:=]\s*(black|white|x|o|b|w)\b`)
)

// rowOf reads a line of a drawing.
func rowOf(line string) (row, bool) {
	plain := strings.TrimRight(line, " \t")
	signs := func(s string) (row, bool) {
		r := row{digits: true}
		for _, f := range strings.Fields(strings.ReplaceAll(s, "|", " ")) {
			all := []rune(f)
			for _, c := range all {
				switch {
				case strings.ContainsRune(emptySigns+blackSigns+whiteSigns+"#", c):
					r.digits = false
				case c >= '0' && c <= '9' && len(all) == 1:
				case c >= '0' && c <= '2':
				default:
					return row{}, false
				}
			}
			r.cells = append(r.cells, all...)
		}
		return r, len(r.cells) >= board.MinSize
	}
	if whole, ok := signs(plain); ok && whole.digits && len(whole.cells) >= board.MinSize {
		if !rowNumber.MatchString(plain) || strings.Trim(plain, "012 \t|") == "" {
			return whole, true
		}
	}
	if m := rowNumber.FindString(plain); m != "" {
		plain = plain[len(m):]
		if m := rowNumber2.FindStringIndex(plain); m != nil {
			plain = plain[:m[0]]
		}
	}
	r, ok := signs(plain)
	return r, ok && !r.digits
}

// columnLetters matches a line above or below a board.
var columnLetters = regexp.MustCompile(`^[\s|]*(?:[A-Za-z][\s|]*)+$`)

// drawings divides a text into its boards: lines of rows that follow each other and are as long, each
// with the other lines before and behind it. Odd is a line among the rows of a board that is none of
// them, or nothing.
func drawings(s string) (boards [][]row, beside []string, odd string) {
	var rows []row
	var words strings.Builder
	width, other := 0, "" // of the rows before the line that may be odd
	finish := func() {
		if len(rows) >= board.MinSize && board.ValidSize(len(rows[0].cells), len(rows)) {
			boards, beside = append(boards, rows), append(beside, words.String())
			words.Reset()
		}
		rows = nil
	}
	for line := range strings.Lines(s) {
		r, ok := rowOf(strings.TrimRight(line, "\n"))
		switch {
		case ok && other != "" && len(r.cells) == width && odd == "":
			odd = other
			other = ""
		case ok && len(rows) > 0 && len(r.cells) != len(rows[0].cells):
			width, other = len(rows[0].cells), strings.TrimSpace(line)
		case ok:
			other = ""
		case len(rows) > 0 && strings.TrimSpace(line) != "" && !columnLetters.MatchString(strings.TrimSpace(line)):
			width, other = len(rows[0].cells), strings.TrimSpace(line)
		default:
			other = ""
		}
		if ok && len(rows) > 0 && len(r.cells) != len(rows[0].cells) {
			finish()
		}
		if ok {
			rows = append(rows, r)
			continue
		}
		finish()
		words.WriteString(line)
	}
	if finish(); len(beside) > 0 {
		beside[len(beside)-1] += words.String()
	}
	return boards, beside, odd
}

// isDiagram reports whether a text has a drawn board.
func isDiagram(s string) bool {
	if strings.Count(s, "\n") < board.MinSize-1 {
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
		t := NewTree(len(rows[0].cells), len(rows))
		t.Format = Diagram
		digits, letters := true, false
		for _, r := range rows {
			digits = digits && r.digits
			letters = letters || strings.ContainsAny(string(r.cells), "Xx")
		}
		for y, r := range rows {
			for x, c := range r.cells {
				color := board.Empty
				switch {
				case digits && c == '1', strings.ContainsRune(blackSigns, c), c == '#' && !letters:
					color = board.Black
				case digits && c == '2', strings.ContainsRune(whiteSigns, c):
					color = board.White
				case digits && c > '2':
					return nil, fmt.Errorf("the sign %q on a board of 0, 1 and 2", c)
				case c == '#':
					return nil, fmt.Errorf("a blocked cell, %s, which no game here has", board.At(x, y).Label(len(rows)))
				}
				if color != board.Empty {
					t.Root.Setup = append(t.Root.Setup, Stone{board.At(x, y), color})
				}
			}
		}
		t.Root.order()
		if m := sideWords.FindStringSubmatch(beside[i]); m != nil {
			t.Root.Side = colorWords[strings.ToLower(m[1]+m[2])]
		} else if black, white := t.Root.setupCounts(); black != white && black != white+1 {
			var said remarks
			t.Root.Side = board.Black
			if black > white {
				t.Root.Side = board.White
			}
			said.add("%d black and %d white stones: %v is taken to be on move", black, white, t.Root.Side)
			t.Remarks = said.all()
		}
		trees = append(trees, t)
	}
	return trees, nil
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

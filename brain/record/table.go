package record

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// A table is rows of cells: of CSV with commas, semicolons or tabs, or of Markdown. Its first row names the
// columns. It is one game with a move or a pair of moves a row, or a list with a game a row.
type table struct {
	rows   [][]string // without the first
	at     map[column]int
	others []string // names of columns that no game needs
	beside string   // text before and behind it
}

// A column is what the cells of a column hold.
type column uint8

const (
	colOther  column = iota
	colNumber        // of a move or a pair
	colColor
	colPoint
	colX
	colY
	colBlack // moves of Black, or players of a list
	colWhite
	colMoves // of a list
	colResult
	colEvent
	colDate
)

// columnNames are names of columns, in lower case.
var columnNames = map[string]column{
	"#": colNumber, "no": colNumber, "no.": colNumber, "nr": colNumber, "number": colNumber, "ply": colNumber, "n": colNumber, "turn": colNumber, "手数": colNumber, "序号": colNumber,
	"color": colColor, "colour": colColor, "player": colColor, "side": colColor, "stone": colColor,
	"point": colPoint, "move": colPoint, "pos": colPoint, "position": colPoint, "coord": colPoint, "coordinate": colPoint, "coordinates": colPoint, "cell": colPoint, "square": colPoint,
	"x": colX, "col": colX, "column": colX, "y": colY, "row": colY,
	"black": colBlack, "b": colBlack, "黑": colBlack, "黒": colBlack, "white": colWhite, "w": colWhite, "白": colWhite,
	"moves": colMoves, "game": colMoves, "record": colMoves,
	"result": colResult, "winner": colResult, "outcome": colResult, "score": colResult,
	"event": colEvent, "tournament": colEvent, "date": colDate,
}

var (
	tableRule = regexp.MustCompile(`^\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$`) // below the first row of Markdown
	hasPoint  = regexp.MustCompile(`^[A-Za-z]\d{1,2}$`)
)

// isTable reports whether a text is a table of moves or games.
func isTable(s string) bool {
	_, ok := tableOf(s)
	return ok
}

// tableOf finds the table of a text.
func tableOf(s string) (*table, bool) {
	lines := strings.Split(s, "\n")
	first := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "|") })
	if first >= 0 && first+1 < len(lines) && (tableRule.MatchString(strings.TrimSpace(lines[first+1])) || strings.HasPrefix(strings.TrimSpace(lines[first]), "|")) {
		end := first
		var rows [][]string
		for ; end < len(lines) && strings.Contains(lines[end], "|"); end++ {
			line := strings.TrimSpace(lines[end])
			if tableRule.MatchString(line) {
				continue
			}
			var row []string
			for _, cell := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|") {
				row = append(row, strings.TrimSpace(emphasis.Replace(cell)))
			}
			rows = append(rows, row)
		}
		beside := strings.Join(strings.Fields(strings.Join(lines[:first], " ")+" "+strings.Join(lines[end:], " ")), " ")
		return newTable(rows, beside)
	}
	begin := slices.IndexFunc(lines, func(line string) bool { return strings.TrimSpace(line) != "" })
	if begin < 0 || strings.HasPrefix(lines[begin], "# ") {
		return nil, false // a comment
	}
	for _, comma := range "\t;," {
		names := strings.FieldsFunc(strings.ToLower(lines[begin]), func(r rune) bool { return r == comma || r == ' ' || r == '"' })
		if !strings.ContainsRune(lines[begin], comma) || !slices.ContainsFunc(names, func(name string) bool { return columnNames[name] != colOther }) {
			continue
		}
		in := csv.NewReader(strings.NewReader(s))
		in.Comma, in.FieldsPerRecord, in.LazyQuotes, in.TrimLeadingSpace = comma, -1, true, comma != '\t'
		rows, err := in.ReadAll()
		if err != nil {
			return nil, false
		}
		for _, row := range rows {
			if len(row) != len(rows[0]) {
				return nil, false
			}
			for i := range row {
				row[i] = strings.TrimSpace(row[i])
			}
		}
		return newTable(rows, "")
	}
	return nil, false
}

// newTable names the columns. It reports whether moves are in them.
func newTable(rows [][]string, beside string) (*table, bool) {
	if len(rows) < 2 {
		return nil, false
	}
	t := &table{rows: rows[1:], at: map[column]int{}, beside: beside}
	if n := len(rows[0]); rows[0][0] == "1" && (n == 2 || n == 3) && hasPoint.MatchString(rows[0][1]) && hasPoint.MatchString(rows[0][n-1]) {
		t.rows, t.at = rows, map[column]int{colNumber: 0, colPoint: 1}
		if n == 3 {
			t.at = map[column]int{colNumber: 0, colBlack: 1, colWhite: 2}
		}
		return t, true
	}
	for i, name := range rows[0] {
		c, ok := columnNames[strings.ToLower(name)]
		if (c == colPoint || c == colMoves) && t.numbers(i) {
			c = colNumber
		}
		if _, twice := t.at[c]; !ok || twice {
			if name != "" {
				t.others = append(t.others, name)
			}
			continue
		}
		t.at[c] = i
	}
	if t.has(colMoves) { // a comment that names the fields of a list of problems is no row of a table
		return t, slices.ContainsFunc(t.rows, func(row []string) bool { return t.cell(row, colMoves) != "" })
	}
	for _, c := range []column{colResult, colEvent, colDate} { // of lists alone
		if t.has(c) {
			t.others = append(t.others, rows[0][t.at[c]])
		}
	}
	return t, t.has(colPoint) || t.has(colX) && t.has(colY) ||
		t.has(colBlack) && t.has(colWhite) && hasPoint.MatchString(t.cell(t.rows[0], colBlack))
}

func (t *table) has(c column) bool { _, ok := t.at[c]; return ok }

// cell returns the cell of a row, "" if it has none.
func (t *table) cell(row []string, c column) string {
	if i, ok := t.at[c]; ok && i < len(row) {
		return row[i]
	}
	return ""
}

// numbers reports whether the cells of a column are numbers.
func (t *table) numbers(i int) bool {
	for _, row := range t.rows {
		if i >= len(row) {
			return false
		}
		if _, err := strconv.Atoi(row[i]); err != nil {
			return false
		}
	}
	return true
}

// readTable reads the game or the games of a table.
func readTable(s string, o Reading) ([]*Tree, error) {
	t, ok := tableOf(s)
	if !ok {
		return nil, errFormat
	}
	width, height := o.Width, o.Height
	if width == 0 || height == 0 {
		width, height = textSize, textSize
	}
	var said remarks
	if t.beside != "" {
		said.add("text beside the table: %.60q", t.beside)
	}
	if len(t.others) > 0 {
		said.add("columns that are left out: %.60s", strings.Join(t.others, ", "))
	}
	if t.has(colMoves) {
		return t.games(width, height, o.FromBottom, said)
	}
	p := moveReader{width: width, height: height, bottom: o.FromBottom, numbered: true, said: said}
	if err := t.moves(&p); err != nil {
		return nil, err
	}
	if len(p.moves) == 0 {
		return nil, fmt.Errorf("the table has no move")
	}
	tree, err := p.tree()
	return []*Tree{tree}, err
}

// moves reads a game with a move, or one of each player, a row.
func (t *table) moves(p *moveReader) error {
	var pairs strings.Builder
	ended := false
	for i, row := range t.rows {
		where := fmt.Sprintf("row %d of the table", i+1)
		if strings.Join(row, "") == "" {
			continue
		}
		number := t.cell(row, colNumber)
		if n, err := strconv.Atoi(strings.TrimRight(number, ".)")); number != "" && (err != nil || n != i+1) {
			return fmt.Errorf("%s has the number %.20q", where, number)
		}
		if color := strings.ToLower(t.cell(row, colColor)); color != "" {
			c, ok := colorWords[color]
			if n, err := strconv.Atoi(color); !ok && err == nil && (n == 1 || n == 2) {
				c, ok = board.Color(n-1), true
			}
			if ok && c != board.Color(i&1) {
				return fmt.Errorf("%s is a move of %v, and it is not its turn", where, c)
			}
		}
		var cells []string
		switch {
		case t.has(colPoint):
			cells = []string{t.cell(row, colPoint)}
		case t.has(colX):
			x, y := t.cell(row, colX), t.cell(row, colY)
			if hasPoint.MatchString(x + y) {
				cells = []string{x + y}
				break
			}
			for _, v := range []string{x, y} {
				if n, err := strconv.Atoi(v); err != nil || n < 0 {
					return fmt.Errorf("%s: %.20q is no number", where, v)
				}
			}
			fmt.Fprintf(&pairs, "%s,%s ", x, y)
			continue
		default:
			cells = []string{t.cell(row, colBlack), t.cell(row, colWhite)}
		}
		for _, cell := range cells {
			if cell == "" || resultWord.MatchString(cell) && cell != "*" {
				ended = true
				if cell != "" {
					p.result = cell
				}
				continue
			}
			if ended {
				return fmt.Errorf("%s has a move behind an empty cell", where)
			}
			if !hasPoint.MatchString(cell) && !strings.EqualFold(cell, "pass") {
				return fmt.Errorf("%s: %.20q is no move", where, cell)
			}
			if err := p.text(cell); err != nil {
				return fmt.Errorf("%s: %w", where, err)
			}
		}
	}
	if pairs.Len() == 0 {
		return nil
	}
	if len(p.moves) > 0 {
		return fmt.Errorf("the table has letters and numbers for columns")
	}
	return p.pairs(pairs.String())
}

// games reads a list with a game a row.
func (t *table) games(width, height int, bottom bool, said remarks) ([]*Tree, error) {
	var trees []*Tree
	broken := BrokenGames{}
	items := 0
	for _, row := range t.rows {
		if strings.Join(row, "") == "" {
			continue
		}
		tree, err := readLine(plainNumbers(t.cell(row, colMoves)), width, height, bottom, false)
		if err == nil {
			if items += treeItems + tree.lineLength(); items > maxItems {
				return nil, errItems
			}
			tree.Black, tree.White = t.cell(row, colBlack), t.cell(row, colWhite)
			tree.Event, tree.Date = t.cell(row, colEvent), t.cell(row, colDate)
			result := Tree{Result: t.cell(row, colResult)}
			if outcome := result.Outcome(); outcome != Unknown {
				tree.Result = result.Result
			}
			tree.Remarks = append(said.all(), tree.Remarks...)
		} else {
			broken[len(trees)], tree = err, nil
		}
		trees = append(trees, tree)
	}
	return trees, broken.orNil()
}

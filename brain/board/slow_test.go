package board

import (
	"runtime/debug"
	"strings"
	"testing"
)

// A board has room for the longest history, some hundred kilobytes: tests that make thousands would
// collect garbage most of their time.
func init() { debug.SetGCPercent(400) }

// The slow twin of this package: the rules by walking a plain array, without
// tables, windows, keys or counters. It is written from the texts of the rules
// (Gomoku AI protocol, INFO rule; Piskvork's judge for renju), shares nothing with
// the fast board but Color, Rule bits and Move text, and is meant to be read.

// A slowBoard is a position with its history. It may be of any size up to
// MaxSize, also smaller than MinSize: one row is enough to ask about a line.
type slowBoard struct {
	rule          Rule
	width, height int
	cells         [MaxSize][MaxSize]Color // [y][x]
	side          Color                   // to move
	history       []Move                  // None is a pass
}

// slowDirs are the steps of the four directions: right, down, down and right, up and right.
var slowDirs = [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// kept are the tables of every rule: the tests that go from rule to rule would build them anew each
// time.
var kept = func() (all []*tables) {
	for r := range Rule(16) {
		if r.Valid() {
			all = append(all, tablesFor(r))
		}
	}
	return all
}()

func newSlow(rule Rule, width, height int) *slowBoard {
	b := &slowBoard{rule: rule, width: width, height: height}
	for y := range height {
		for x := range width {
			b.cells[y][x] = Empty
		}
	}
	return b
}

// slowLine returns a board of one row that holds cells; all around it is edge.
// Ask about its cell i with slowPattern(b, c, At(i, 0), 0).
func slowLine(rule Rule, cells []Color) *slowBoard {
	b := newSlow(rule, len(cells), 1)
	copy(b.cells[0][:], cells)
	return b
}

// fromBoard copies rule, size, cells, side and history of a Board.
func fromBoard(f *Board) *slowBoard {
	b := newSlow(f.Rule(), f.Width(), f.Height())
	b.side = f.Side()
	for y := range b.height {
		for x := range b.width {
			b.cells[y][x] = f.Cell(At(x, y))
		}
	}
	b.history = f.Moves()
	return b
}

// toBoard builds a fast Board with the same cells and side to move: blocked cells
// first, then stones of both colors in turn, with passes where one has run out.
func (b *slowBoard) toBoard(t testing.TB) *Board {
	t.Helper()
	f, err := New(b.rule, b.width, b.height)
	if err != nil {
		t.Fatal(err)
	}
	var stones [2][]Move
	for y := range b.height {
		for x := range b.width {
			switch c := b.cells[y][x]; c {
			case Wall:
				f.Block(At(x, y))
			case Black, White:
				stones[c] = append(stones[c], At(x, y))
			}
		}
	}
	for len(stones[Black])+len(stones[White]) > 0 {
		own := &stones[f.Side()]
		if len(*own) == 0 {
			f.Pass()
			continue
		}
		f.Play((*own)[0])
		*own = (*own)[1:]
	}
	if f.Side() != b.side {
		f.Pass()
	}
	return f
}

// at returns what cell x, y holds; beyond the edge there is Wall.
func (b *slowBoard) at(x, y int) Color {
	if x < 0 || x >= b.width || y < 0 || y >= b.height {
		return Wall
	}
	return b.cells[y][x]
}

func (b *slowBoard) play(x, y int) {
	if b.at(x, y) != Empty {
		panic("slow twin: a move on a cell that is not empty")
	}
	b.cells[y][x] = b.side
	b.history = append(b.history, At(x, y))
	b.side = b.side.Other()
}

func (b *slowBoard) pass() {
	b.history = append(b.history, None)
	b.side = b.side.Other()
}

// undo takes back one play or pass.
func (b *slowBoard) undo() {
	m := b.history[len(b.history)-1]
	b.history = b.history[:len(b.history)-1]
	b.side = b.side.Other()
	if m != None {
		b.cells[m.Y()][m.X()] = Empty
	}
}

func (b *slowBoard) full() bool {
	for y := range b.height {
		for x := range b.width {
			if b.cells[y][x] == Empty {
				return false
			}
		}
	}
	return true
}

// legal reports whether the side to move may play on x, y.
func (b *slowBoard) legal(x, y int) bool {
	return b.at(x, y) == Empty && !(b.side == Black && b.forbidden(x, y))
}

// row counts the stones of color c that touch x, y in direction d, backwards and
// forwards. The cell itself is not looked at.
func (b *slowBoard) row(c Color, x, y, d int) (back, fore int) {
	dx, dy := slowDirs[d][0], slowDirs[d][1]
	for b.at(x-(back+1)*dx, y-(back+1)*dy) == c {
		back++
	}
	for b.at(x+(fore+1)*dx, y+(fore+1)*dy) == c {
		fore++
	}
	return back, fore
}

// rowWins reports whether a stone of color c on x, y has a winning row in direction d.
func (b *slowBoard) rowWins(c Color, x, y, d int) bool {
	back, fore := b.row(c, x, y, d)
	n := back + 1 + fore
	if n < 5 {
		return false
	}
	if b.rule&Renju != 0 && c == Black || b.rule&ExactFive != 0 {
		if n > 5 {
			return false
		}
	}
	if b.rule&Caro != 0 && n == 5 {
		dx, dy := slowDirs[d][0], slowDirs[d][1]
		if b.at(x-(back+1)*dx, y-(back+1)*dy) == c.Other() && b.at(x+(fore+1)*dx, y+(fore+1)*dy) == c.Other() {
			return false
		}
	}
	return true
}

// wins reports whether a stone of color c on the empty cell x, y wins.
func (b *slowBoard) wins(c Color, x, y int) bool {
	for d := range slowDirs {
		if b.rowWins(c, x, y, d) {
			return true
		}
	}
	return false
}

// String draws the board as the files in testdata/rules do.
func (b *slowBoard) String() string {
	var s strings.Builder
	for y := range b.height {
		for x := range b.width {
			s.WriteByte("XO#."[b.cells[y][x]])
			s.WriteByte(' ')
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// A slowKind is what a move makes in one direction.
type slowKind int

const (
	slowNothing   slowKind = iota
	slowOpenThree          // one more own stone on the line makes an open four that both take part in
	slowFour               // one more own stone wins
	slowOpenFour           // one more own stone wins, whatever stone the opponent puts on the line
	slowFive               // wins
	slowTwoFours           // black in renju: two fours in this one line, X_XXX_X, XX_XX_XX or XXX_X_XXX
	slowOverline           // six or more in a row where that is not a win
)

func (k slowKind) String() string {
	return [...]string{"nothing", "open three", "four", "open four", "five", "two fours", "overline"}[k]
}

// slowReach is how far from a move the cells lie that can matter for what it makes
// in a line: a row of five through the move and the cell beyond its end.
const slowReach = 5

// slowPattern returns what a stone of color c on the empty cell m makes in direction d, an
// index into slowDirs, by putting stones on the board and taking them off again. Whether
// black may play m or the further stones is not checked.
func slowPattern(b *slowBoard, c Color, m Move, d int) slowKind {
	x, y := m.X(), m.Y()
	back, fore := b.row(c, x, y, d)
	if b.rowWins(c, x, y, d) {
		return slowFive
	}
	if back+1+fore > 5 {
		return slowOverline
	}
	b.cells[y][x] = c
	defer func() { b.cells[y][x] = Empty }()
	n, first, last := b.completions(c, x, y, d, 0)
	switch {
	case n > 0 && b.openFour(c, x, y, d, 0):
		return slowOpenFour
	case n == 2 && last-first < 5 && b.rule&Renju != 0 && c == Black:
		return slowTwoFours
	case n > 0:
		return slowFour
	case b.openThree(c, x, y, d):
		return slowOpenThree
	}
	return slowNothing
}

// completions counts the empty cells of direction d where one more stone of color c
// wins by a row that holds both the stone on x, y and the one e steps further (0:
// only the former). First and last are the steps to the outermost of these cells.
func (b *slowBoard) completions(c Color, x, y, d, e int) (n, first, last int) {
	dx, dy := slowDirs[d][0], slowDirs[d][1]
	for q := -slowReach; q <= slowReach; q++ {
		if b.at(x+q*dx, y+q*dy) != Empty || !b.rowWins(c, x+q*dx, y+q*dy, d) {
			continue
		}
		back, fore := b.row(c, x+q*dx, y+q*dy, d)
		if q-back > min(0, e) || q+fore < max(0, e) {
			continue
		}
		if n == 0 {
			first = q
		}
		n, last = n+1, q
	}
	return n, first, last
}

// openFour reports whether the stones of color c on x, y and e steps further are part
// of an open four in direction d: after any one stone of the opponent on the line
// there is a completion left. Under caro this is stronger than two completions, as one
// stone can take the first and cap the second. For black in renju the two completions
// must be the two ends of four in a row, else they are two fours.
func (b *slowBoard) openFour(c Color, x, y, d, e int) bool {
	n, first, last := b.completions(c, x, y, d, e)
	if n < 2 {
		return false // the opponent takes the only one
	}
	if b.rule&Renju != 0 && c == Black {
		return last-first == 5
	}
	dx, dy := slowDirs[d][0], slowDirs[d][1]
	for q := -slowReach; q <= slowReach; q++ {
		if b.at(x+q*dx, y+q*dy) != Empty {
			continue
		}
		b.cells[y+q*dy][x+q*dx] = c.Other()
		left, _, _ := b.completions(c, x, y, d, e)
		b.cells[y+q*dy][x+q*dx] = Empty
		if left == 0 {
			return false
		}
	}
	return true
}

// openThree reports whether one more stone of color c in direction d makes an open
// four that it and the stone on x, y are part of.
func (b *slowBoard) openThree(c Color, x, y, d int) bool {
	dx, dy := slowDirs[d][0], slowDirs[d][1]
	for e := -slowReach; e <= slowReach; e++ {
		if b.at(x+e*dx, y+e*dy) != Empty {
			continue
		}
		b.cells[y+e*dy][x+e*dx] = c
		open := b.openFour(c, x, y, d, e)
		b.cells[y+e*dy][x+e*dx] = Empty
		if open {
			return true
		}
	}
	return false
}

// TestSlowPattern checks the twin's slowPattern on lines that a reader can judge, laid in
// all four directions.
func TestSlowPattern(t *testing.T) {
	const white = 16 // added to a rule: ask for white
	tests := []struct {
		name string
		row  string // X own stone, O the other's, # blocked, T the empty cell asked about
		want slowKind
		in   []Rule
	}{
		{"two is nothing", "....XT.....", slowNothing, []Rule{0, 1, 4, 4 + white, 8, 9}},
		{"an open three", "....XTX....", slowOpenThree, []Rule{0, 1, 4, 4 + white, 8, 9}},
		{"a three with a gap", "...XT.X....", slowOpenThree, []Rule{0, 1, 4, 4 + white, 8, 9}},
		{"a three with two gaps does not count", "..X.T.X....", slowNothing, []Rule{0, 1, 4, 4 + white, 8, 9}},
		{"a three on six free cells", "O..XTX.O", slowOpenThree, []Rule{0, 1, 4, 4 + white}},
		{"a three on six free cells, one end will be capped", "O..XTX.O", slowNothing, []Rule{8, 9}},
		{"a three on six free cells between blocked ones", "#..XTX.#", slowOpenThree, []Rule{0, 1, 4, 4 + white, 8, 9}},
		{"a three on five free cells", "O.XTX.O....", slowNothing, []Rule{0, 1, 4, 4 + white, 8, 9}},
		{"a three that must become six", "X..XTX..X", slowNothing, []Rule{1, 4, 9}},
		{"a three that may become six", "X..XTX..X", slowOpenThree, []Rule{0, 4 + white, 8}},
		{"a three that grows to two fours in line", "X.XT...", slowNothing, []Rule{4}},
		{"an open four", "...XXTX....", slowOpenFour, []Rule{0, 1, 4, 4 + white, 8, 9}},
		{"an open four, caps one cell away", ".O.XXTX.O..", slowOpenFour, []Rule{0, 1, 4, 4 + white}},
		{"caro: each end caps the other", ".O.XXTX.O..", slowFour, []Rule{8, 9}},
		{"caro: one end is capped, the other wins", "..O.XXTX....", slowFour, []Rule{8, 9}},
		{"caro: two more cells on one side", "...O.XXTX..O", slowFour, []Rule{8, 9}},
		{"a four stopped at one end", "..OXXTX....", slowFour, []Rule{0, 1, 4, 4 + white, 8, 9}},
		{"a four with a gap", "...XX.TX...", slowFour, []Rule{0, 1, 4, 4 + white, 8, 9}},
		{"a four whose one end would be six", "X.XXTX.....", slowFour, []Rule{1, 4, 9}},
		{"two completions, one is six", "X.XXTX.....", slowOpenFour, []Rule{0, 4 + white, 8}},
		{"two completions in X_XXX_X", "..X.XTX.X..", slowOpenFour, []Rule{0, 1, 4 + white, 8, 9}},
		{"X_XXX_X is two fours for black", "..X.XTX.X..", slowTwoFours, []Rule{4}},
		{"XX_XX_XX is two fours for black", "..XX.XT.XX.", slowTwoFours, []Rule{4}},
		{"XXX_X_XXX is two fours for black", ".XXX.T.XXX.", slowTwoFours, []Rule{4}},
		{"the outer stone of X_XXX_X takes part in one", "..T.XXX.X..", slowFour, []Rule{0, 1, 4, 4 + white, 8, 9}},
		{"a four closed at both ends", "..OXXTXO...", slowNothing, []Rule{0, 1, 4, 4 + white, 8, 9}},
		{"caro: a four that can only be capped", "..OXXTX.O..", slowFour, []Rule{0, 1, 4, 4 + white}},
		{"caro: a four that would be capped", "..OXXTX.O..", slowNothing, []Rule{8, 9}},
		{"caro: a gap that makes a capped five", ".OXX.TXO...", slowNothing, []Rule{8, 9}},
		{"caro: a gap that makes six in caps", ".OXXX.TXO..", slowFour, []Rule{8}},
		{"caro: six in caps, exactly five", ".OXXX.TXO..", slowNothing, []Rule{1, 4, 9}},
		{"five", "..XXTXX....", slowFive, []Rule{0, 1, 4, 4 + white, 8, 9}},
		{"a capped five", ".OXXTXXO...", slowFive, []Rule{0, 1, 4, 4 + white}},
		{"a capped five in caro", ".OXXTXXO...", slowNothing, []Rule{8, 9}},
		{"six", "..XXTXXX...", slowFive, []Rule{0, 4 + white, 8}},
		{"an overline", "..XXTXXX...", slowOverline, []Rule{1, 4, 9}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, rule := range tt.in {
				for d := range slowDirs {
					c := Color(rule / white) // black unless white is added
					b, x, y := layRow(rule%white, tt.row, c, d)
					if got := slowPattern(b, c, At(x, y), d); got != tt.want {
						t.Errorf("%v under rule %d, direction %d: got %v, want %v\n%v", c, rule%white, d, got, tt.want, b)
					}
				}
			}
		})
	}
}

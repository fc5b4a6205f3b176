package board

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A judge decides what the rules say: the fast board or the twin.
type judge interface {
	wins(c Color, x, y int) bool
	mayPlay(c Color, x, y int) bool // with c to move
	isForbidden(x, y int) bool      // with black to move
}

type fastJudge struct{ b *Board }

func (j fastJudge) wins(c Color, x, y int) bool { return j.b.Wins(c, At(x, y)) }

func (j fastJudge) mayPlay(c Color, x, y int) bool {
	if j.b.Side() != c {
		j.b.Pass()
		defer j.b.Undo()
	}
	return j.b.Legal(At(x, y))
}

func (j fastJudge) isForbidden(x, y int) bool {
	if j.b.Side() != Black {
		j.b.Pass()
		defer j.b.Undo()
	}
	return j.b.Forbidden(At(x, y))
}

type slowJudge struct{ b *slowBoard }

func (j slowJudge) wins(c Color, x, y int) bool { return j.b.wins(c, x, y) }

func (j slowJudge) mayPlay(c Color, x, y int) bool {
	j.b.side = c
	return j.b.legal(x, y)
}

func (j slowJudge) isForbidden(x, y int) bool { return j.b.forbidden(x, y) }

// judges returns both judges of the position b.
func judges(t *testing.T, b *slowBoard) map[string]judge {
	return map[string]judge{"fast": fastJudge{b.toBoard(t)}, "slow": slowJudge{b}}
}

// A drawing is a board of testdata/rules: what stands on it, and what is true of
// each of its empty cells.
type drawing struct {
	name  string // file and title
	rules []Rule
	rows  []string
}

// readDrawings reads the files of testdata/rules that match pattern. A line that
// begins with ; is a comment, one with = begins a drawing and gives its title. Then
// come the rules it holds for, "rule 0 1 9", and the rows of the board with
// blanks between the cells:
//
//	X black  O white  # blocked
//	f forbidden for black  w black wins here  v white wins here  b both win here
//	. and l: allowed, and nobody wins; l is for the cells the drawing is about
func readDrawings(t *testing.T, pattern string) []drawing {
	t.Helper()
	files, err := filepath.Glob("../../testdata/rules/" + pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no drawings match %s: %v", pattern, err)
	}
	var all []drawing
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var d *drawing
		line := 0
		for text := range strings.Lines(string(raw)) {
			line++
			text = strings.TrimSpace(text)
			words := strings.Fields(text)
			switch {
			case text == "" || text[0] == ';':
			case text[0] == '=':
				all = append(all, drawing{name: filepath.Base(file) + ": " + strings.TrimSpace(text[1:])})
				d = &all[len(all)-1]
			case d == nil:
				t.Fatalf("%s:%d: a drawing begins with its title", file, line)
			case words[0] == "rule":
				for _, w := range words[1:] {
					n, err := strconv.Atoi(w)
					if err != nil || !Rule(n).Valid() {
						t.Fatalf("%s:%d: bad rule %q", file, line, w)
					}
					d.rules = append(d.rules, Rule(n))
				}
			default:
				row := strings.Join(words, "")
				if i := strings.IndexFunc(row, func(r rune) bool { return !strings.ContainsRune("XO#.lfwvb", r) }); i >= 0 {
					t.Fatalf("%s:%d: unknown cell %q", file, line, row[i])
				}
				if len(d.rows) > 0 && len(d.rows[0]) != len(row) {
					t.Fatalf("%s:%d: %d cells, the rows above have %d", file, line, len(row), len(d.rows[0]))
				}
				d.rows = append(d.rows, row)
			}
		}
	}
	for _, d := range all {
		if len(d.rules) == 0 || len(d.rows) == 0 {
			t.Fatalf("%s: no rule or no board", d.name)
		}
	}
	return all
}

// turned returns the drawing seen through the symmetry s of 0..7.
func (d drawing) turned(s int) drawing {
	width, height := len(d.rows[0]), len(d.rows)
	out := make([][]byte, height)
	if s&4 != 0 {
		out = make([][]byte, width)
	}
	for i := range out {
		out[i] = make([]byte, width+height-len(out))
	}
	for y, row := range d.rows {
		for x := range width {
			m := Transform(At(x, y), s, width, height)
			out[m.Y()][m.X()] = row[x]
		}
	}
	d.rows = nil
	for _, row := range out {
		d.rows = append(d.rows, string(row))
	}
	return d
}

// board returns the twin's position of the drawing, black to move.
func (d drawing) board(rule Rule) *slowBoard {
	b := newSlow(rule, len(d.rows[0]), len(d.rows))
	for y, row := range d.rows {
		for x := range b.width {
			if i := strings.IndexByte("XO#", row[x]); i >= 0 {
				b.cells[y][x] = Color(i)
			}
		}
	}
	return b
}

// check compares what the judge says of every cell with the marks.
func (d drawing) check(t *testing.T, who string, rule Rule, j judge) {
	t.Helper()
	for y, row := range d.rows {
		for x := range len(row) {
			mark := row[x]
			open := !strings.ContainsRune("XO#", rune(mark))
			if open {
				for _, c := range []Color{Black, White} {
					want := mark == 'b' || mark == "wv"[c]
					if got := j.wins(c, x, y); got != want {
						t.Errorf("%s, %s: %v wins at %d,%d under rule %d: got %v, want %v\n%v", d.name, who, c, x, y, rule, got, want, d)
					}
				}
				if got, want := j.isForbidden(x, y), mark == 'f'; got != want {
					t.Errorf("%s, %s: forbidden at %d,%d under rule %d: got %v, want %v\n%v", d.name, who, x, y, rule, got, want, d)
				}
			}
			for _, c := range []Color{Black, White} {
				want := open && !(c == Black && mark == 'f')
				if got := j.mayPlay(c, x, y); got != want {
					t.Errorf("%s, %s: %v may play %d,%d under rule %d: got %v, want %v\n%v", d.name, who, c, x, y, rule, got, want, d)
				}
			}
		}
	}
}

func (d drawing) String() string { return strings.Join(d.rows, "\n") }

// TestDrawings asks the fast board and the twin about every cell of every drawn
// board, in all eight symmetries.
func TestDrawings(t *testing.T) {
	for _, d := range readDrawings(t, "*.txt") {
		t.Run(d.name, func(t *testing.T) {
			for s := range Symmetries {
				turned := d.turned(s)
				for _, rule := range turned.rules {
					for who, j := range judges(t, turned.board(rule)) {
						turned.check(t, fmt.Sprintf("%s, symmetry %d", who, s), rule, j)
					}
				}
			}
		})
	}
}

// TestRowWins asks about one line from edge to edge of the board, laid as a row, a
// column and both diagonals, for both colors.
func TestRowWins(t *testing.T) {
	const (
		free, exact, renju = Freestyle, ExactFive, Renju
		caro, caroExact    = Caro, Caro | ExactFive
		cont               = Continuous
	)
	all := []Rule{free, exact, renju, caro, caroExact, free | cont, exact | cont, renju | cont, caro | cont, caroExact | cont, renju | exact}
	only := func(r ...Rule) []Rule { return r }
	except := func(r ...Rule) []Rule {
		return slices.DeleteFunc(slices.Clone(all), func(a Rule) bool { return slices.Contains(r, a) })
	}
	tests := []struct {
		name         string
		row          string // X own stone, O the other's, # blocked, T the empty cell asked about
		black, white []Rule // where it wins
	}{
		{"four in a row is nothing", "..XXTX....", nil, nil},
		{"five in the middle wins everywhere", "..XXTXX...", all, all},
		{"five by its last stone wins", "..XXXXT...", all, all},
		{"five from edge to edge wins", "XXTXX", all, all},
		{"five in the corner wins", "TXXXX.....", all, all},
		{"a gap is not a row", "..XXT.XX..", nil, nil},
		{"a row cut by the other is not a row", "..XXTOXX..", nil, nil},
		{"a row cut by a blocked cell is not a row", ".XXT#XX.", nil, nil},
		{"five with one cap wins", ".OXXTXX...", all, all},
		{"five with a cap and an edge wins", "XXTXXO....", all, all},
		{"five with a cap and a blocked cell wins", ".OXXTXX#..", all, all},
		{"five between two blocked cells wins", ".#XXTXX#..", all, all},
		{"five with two caps wins but in caro", ".OXXTXXO..",
			except(caro, caroExact, caro|cont, caroExact|cont), except(caro, caroExact, caro|cont, caroExact|cont)},
		{"five with two caps made at its end", "OTXXXXO...",
			except(caro, caroExact, caro|cont, caroExact|cont), except(caro, caroExact, caro|cont, caroExact|cont)},
		{"five with caps a cell away wins", "O.XXTXX.O.", all, all},
		{"six", ".XXTXXX...",
			only(free, caro, free|cont, caro|cont), only(free, renju, caro, free|cont, renju|cont, caro|cont)},
		{"six with two caps wins in caro", ".OXXTXXXO.",
			only(free, caro, free|cont, caro|cont), only(free, renju, caro, free|cont, renju|cont, caro|cont)},
		{"six made near its end", "XTXXXX....",
			only(free, caro, free|cont, caro|cont), only(free, renju, caro, free|cont, renju|cont, caro|cont)},
		{"seven", "XXXTXXX",
			only(free, caro, free|cont, caro|cont), only(free, renju, caro, free|cont, renju|cont, caro|cont)},
		{"nine, the most one stone can make of rows that did not win", "XXXXTXXXX.",
			only(free, caro, free|cont, caro|cont), only(free, renju, caro, free|cont, renju|cont, caro|cont)},
		{"nine on the widest board", "......XXXXTXXXX.......",
			only(free, caro, free|cont, caro|cont), only(free, renju, caro, free|cont, renju|cont, caro|cont)},
		{"gap that makes six, exactly five does not win", ".XXXTXX...",
			only(free, caro, free|cont, caro|cont), only(free, renju, caro, free|cont, renju|cont, caro|cont)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for d := range slowDirs {
				for _, c := range []Color{Black, White} {
					for _, rule := range all {
						b, x, y := layRow(rule, tt.row, c, d)
						want := slices.Contains([][]Rule{tt.black, tt.white}[c], rule)
						for who, j := range judges(t, b) {
							if got := j.wins(c, x, y); got != want {
								t.Errorf("%s, direction %d: %v wins at %d,%d under rule %d: got %v, want %v\n%v", who, d, c, x, y, rule, got, want, b)
							}
							if j.wins(c.Other(), x, y) {
								t.Errorf("%s, direction %d: %v wins at %d,%d under rule %d\n%v", who, d, c.Other(), x, y, rule, b)
							}
						}
					}
				}
			}
		})
	}
}

// layRow draws row from edge to edge of a board in direction d, X in color c, and
// returns the cell of its T.
func layRow(rule Rule, row string, c Color, d int) (b *slowBoard, tx, ty int) {
	n := len(row)
	b = newSlow(rule, n, n)
	for i := range n {
		x, y := [...]int{i, n / 2, i, i}[d], [...]int{n / 2, i, i, n - 1 - i}[d]
		switch row[i] {
		case 'X':
			b.cells[y][x] = c
		case 'O':
			b.cells[y][x] = c.Other()
		case '#':
			b.cells[y][x] = Wall
		case 'T':
			tx, ty = x, y
		}
	}
	return b, tx, ty
}

func TestTransformBack(t *testing.T) {
	for _, size := range [][2]int{{15, 15}, {20, 20}, {5, 22}, {9, 8}} {
		w, h := size[0], size[1]
		for s := range Symmetries {
			for y := range h {
				for x := range w {
					m := At(x, y)
					if back := TransformBack(Transform(m, s, w, h), s, w, h); back != m {
						t.Fatalf("%dx%d: %v comes back from symmetry %d as %v", w, h, m, s, back)
					}
				}
			}
		}
	}
}

func TestRulesAreNamed(t *testing.T) {
	want := []Rule{Freestyle, ExactFive, Renju, Caro, Caro | ExactFive}
	if got := NamedRules(); !slices.Equal(got, want) {
		t.Errorf("%v have names, want %v", got, want)
	}
	for n := range 256 {
		r := Rule(n)
		name := r.FileName()
		if (name != "") != slices.Contains(want, r) {
			t.Errorf("rule %d is named %q", n, name)
		}
		if named, ok := RuleNamed(name); ok != (name != "") || ok && named != r {
			t.Errorf("%q is the name of rule %d and of rule %d", name, n, named)
		}
	}
	if r, ok := RuleNamed("gomoku"); ok {
		t.Errorf("gomoku is the name of rule %d", r)
	}
}

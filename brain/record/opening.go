package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// parseOffsets parses an opening in the offset notation of Gomocup, as in "8,-3, 6,-4":
// columns and rows relative to (width/2, height/2), rows downwards, Black first. Spaces
// between numbers do not matter.
func parseOffsets(s string, width, height int) ([]board.Move, error) {
	f := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	if len(f)%2 != 0 {
		return nil, fmt.Errorf("%d numbers are not pairs", len(f))
	}
	var moves []board.Move
	for i := 0; i < len(f); i += 2 {
		dx, err := strconv.Atoi(f[i])
		if err != nil {
			return nil, fmt.Errorf("offset %.40q is not a number", f[i])
		}
		dy, err := strconv.Atoi(f[i+1])
		if err != nil {
			return nil, fmt.Errorf("offset %.40q is not a number", f[i+1])
		}
		m, err := board.AtOn(dx+width/2, dy+height/2, width, height)
		if err != nil {
			return nil, fmt.Errorf("offset %d,%d: %w", dx, dy, err)
		}
		moves = append(moves, m)
	}
	return moves, nil
}

// FormatMoves returns moves in pos notation, as in "h8i9j7", and "pass" for a pass.
// Read and, except for passes, board.ParseMoves are its inverse.
func FormatMoves(moves []board.Move) string {
	var b strings.Builder
	for _, m := range moves {
		if m == board.None {
			b.WriteString("pass")
			continue
		}
		b.WriteString(m.String())
	}
	return b.String()
}

// ReadOpenings reads the openings of a file: one a line in pos notation, with or without blanks and
// commas between the moves, or in offset notation, where empty lines and lines that begin with # are
// skipped; or the games of any other file for Read. Of a game that marks the moves of its
// opening it takes those, of one with variations every line. Every opening must pass CheckOpening.
// Errors name the line, or the number of the game.
func ReadOpenings(r io.Reader, rule board.Rule, width, height int) ([][]board.Move, error) {
	raw, err := readAll(r)
	if err != nil {
		return nil, err
	}
	if !isLib(raw) {
		t, err := decode(raw, "")
		if err != nil {
			return nil, err
		}
		s := folded(t.s)
		format := formatOf(s)
		if format == SAV {
			if _, err := readSAV(s); err != nil {
				format = UnknownFormat // offsets
			}
		}
		if format == UnknownFormat || format == MoveList && !isNumbered(s) {
			return parseLines(strings.NewReader(s), func(_ int, line string) (moves []board.Move, err error) {
				return openingOf(line, rule, width, height)
			})
		}
	}
	trees, err := Read(raw, Reading{Rule: rule, Width: width, Height: height})
	if err != nil {
		return nil, err
	}
	var all [][]board.Move
	for i, t := range trees {
		lines, err := t.openings(rule, width, height)
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
		all = append(all, lines...)
	}
	return all, nil
}

// openingOf reads a line with one opening.
func openingOf(line string, rule board.Rule, width, height int) (moves []board.Move, err error) {
	if c := line[0] | 0x20; c >= 'a' && c <= 'z' {
		p := moveReader{width: width, height: height}
		err = p.text(line)
		moves = p.moves
	} else {
		moves, err = parseOffsets(line, width, height)
	}
	if err == nil {
		err = CheckOpening(moves, rule, width, height)
	}
	return moves, err
}

// isNumbered reports whether a text has moves with numbers or tags.
func isNumbered(s string) bool {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !isComment(line) && !isPos(line) && (numberFirst.MatchString(line) && line[0]|0x20 != 'b' || tagLine.MatchString(line)) {
			return true
		}
	}
	return false
}

// openings returns the openings that a tree holds.
func (t *Tree) openings(rule board.Rule, width, height int) ([][]board.Move, error) {
	if t.Width != width || t.Height != height {
		return nil, fmt.Errorf("a board of %dx%d, want %dx%d", t.Width, t.Height, width, height)
	}
	var all [][]board.Move
	var leaf func(n *Node, line []*Node) error
	leaf = func(n *Node, line []*Node) error {
		line = append(line, n)
		for _, child := range n.Children {
			if err := leaf(child, line); err != nil {
				return err
			}
		}
		if len(n.Children) > 0 {
			return nil
		}
		one := *t
		one.Root = chain(line)
		g, err := one.Game()
		if err != nil {
			return err
		}
		if g.Opening > 0 {
			g.Moves = g.Moves[:g.Opening]
		}
		if g.HasPass() {
			return errors.New("an opening has moves in turn, Black first, and here is a pass")
		}
		if err := CheckOpening(g.Moves, rule, width, height); err != nil {
			return err
		}
		all = append(all, g.Moves)
		return nil
	}
	err := leaf(t.Root, nil)
	return all, err
}

// chain returns copies of nodes, each the only child of the one before.
func chain(line []*Node) *Node {
	root := *line[0]
	at := &root
	for _, n := range line[1:] {
		next := *n
		at.Children = []*Node{&next}
		at = &next
	}
	at.Children = nil
	return &root
}

// parseLines returns what parse makes of each line of r that is neither empty nor begins with #,
// without the blanks around it. Lines are numbered from 1. The first error of parse ends it;
// errors name the line.
func parseLines[T any](r io.Reader, parse func(number int, line string) (T, error)) ([]T, error) {
	var all []T
	in := bufio.NewScanner(r)
	n := 1
	for ; in.Scan(); n++ {
		line := strings.TrimSpace(folded(in.Text()))
		if line == "" || line[0] == '#' {
			continue
		}
		v, err := parse(n, line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		all = append(all, v)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n, err)
	}
	return all, nil
}

// CheckOpening returns an error unless moves can be played under the rule, from Black on,
// and the game goes on after each: all legal by Board.Try, and by Board.Verdict not over. In a
// continuous game no row may be finished either.
func CheckOpening(moves []board.Move, rule board.Rule, width, height int) error {
	_, err := opened(moves, rule, width, height)
	return err
}

// opened returns the board after an opening, with the errors of CheckOpening.
func opened(moves []board.Move, rule board.Rule, width, height int) (*board.Board, error) {
	b, err := board.New(rule, width, height)
	if err != nil {
		return nil, err
	}
	for i, m := range moves {
		if err := b.Try(m.X(), m.Y()); err != nil {
			return nil, &board.MoveError{Number: i + 1, Move: m, Err: err}
		}
		b.Play(m)
		switch v, _ := b.Verdict(); {
		case v == board.WinningRow, rule&board.Continuous != 0 && b.Wins(b.Side().Other(), m):
			return nil, fmt.Errorf("move %d, %v, ends the game", i+1, m)
		case v == board.NoMove:
			return nil, fmt.Errorf("move %d, %v, leaves black no legal move", i+1, m)
		case v == board.FullBoard:
			return nil, fmt.Errorf("%d stones fill the board", i+1)
		}
	}
	return b, nil
}

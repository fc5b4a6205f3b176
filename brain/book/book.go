// Package book holds what the engine knows of openings by heart: good moves of positions,
// and the three stones that it puts in swap2. Both are embedded text, made by commands that
// README.md in this directory names.
package book

import (
	"bufio"
	"embed"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tengen/brain/board"
)

// A Line is a move and its value for the side that makes it.
type Line struct {
	Move  board.Move
	Value int // points of the evaluation, 200 are 73 wins of 100
}

// A Book holds good moves of positions. A position is known from all eight sides and however
// its stones came onto the board. The zero Book is empty.
type Book struct {
	lines   map[uint64][]Line
	deepest int // stones of the positions with the most
}

// Add adds the lines of the position after the moves, on an empty board of b's rule and size.
// Lines of a position that is known already are replaced.
func (k *Book) Add(b *board.Board, lines []Line) {
	if k.lines == nil {
		k.lines = map[uint64][]Line{}
	}
	k.lines[key(b, 0)] = slices.Clone(lines)
	k.deepest = max(k.deepest, stones(b))
}

// Len returns the number of positions.
func (k *Book) Len() int { return len(k.lines) }

// Lines returns the lines of the position, which are legal moves, the best first; nil if it
// is not known. It costs a few loads for a position with more stones than the book knows,
// else a few microseconds.
func (k *Book) Lines(b *board.Board) []Line {
	if k == nil || len(k.lines) == 0 || stones(b) > k.deepest {
		return nil
	}
	w, h := b.Width(), b.Height()
	for s := range board.Symmetries {
		if s&4 != 0 && w != h {
			continue
		}
		known := k.lines[key(b, s)]
		if known == nil {
			continue
		}
		// The position turned by s is in the book: find the cells that s maps to its moves.
		var lines []Line
		for _, line := range known {
			if m := before(line.Move, s, w, h); b.On(m.X(), m.Y()) && b.Legal(m) {
				lines = append(lines, Line{m, line.Value})
			}
		}
		slices.SortStableFunc(lines, func(a, b Line) int { return b.Value - a.Value })
		return lines
	}
	return nil
}

// before returns the cell that the symmetry s maps to m.
func before(m board.Move, s, width, height int) board.Move {
	if s&4 != 0 { // rows and columns were swapped last, the mirrors go with them
		s = s&4 | s&1<<1 | s&2>>1
	}
	return board.Transform(m, s, width, height)
}

// stones returns the number of cells that are not empty.
func stones(b *board.Board) int { return b.Width()*b.Height() - b.Empties() }

// key identifies the position turned by the symmetry s, with its rule, size and side to move.
func key(b *board.Board, s int) uint64 {
	sum := board.Mix(uint64(b.Rule())<<40 | uint64(b.Width())<<32 | uint64(b.Height())<<24 | uint64(b.Side())<<16)
	for y := range b.Height() {
		for x := range b.Width() {
			if m := board.At(x, y); b.Cell(m) != board.Empty {
				m = board.Transform(m, s, b.Width(), b.Height())
				sum += board.Mix(uint64(b.Cell(board.At(x, y)))<<16 | uint64(m) + 1)
			}
		}
	}
	return sum
}

// A position of the text of a book is one line:
//
//	RULE SIZE MOVES MOVE VALUE [MOVE VALUE ...]
//
// the number of the rule in the protocol, the side of the square board, the moves so far in
// pos notation or - for none, and the moves that are good there with their values. Lines that
// begin with # are comments.

// Format returns the line for the position of b.
func Format(b *board.Board, lines []Line) string {
	moves := ""
	for i := range b.Ply() {
		moves += b.Move(i).String()
	}
	if moves == "" {
		moves = "-"
	}
	text := fmt.Sprintf("%d %d %s", b.Rule(), b.Width(), moves)
	for _, line := range lines {
		text += fmt.Sprintf(" %v %d", line.Move, line.Value)
	}
	return text
}

// Parse returns the position and the lines of a line of text.
func Parse(text string) (*board.Board, []Line, error) {
	f := strings.Fields(text)
	if len(f) < 5 || len(f)%2 == 0 {
		return nil, nil, fmt.Errorf("%d fields, want a rule, a size, moves, and pairs of a move and a value", len(f))
	}
	rule, err := strconv.ParseUint(f[0], 10, 8)
	if err != nil {
		return nil, nil, fmt.Errorf("the rule is %q, not a number", f[0])
	}
	size, err := strconv.Atoi(f[1])
	if err != nil {
		return nil, nil, fmt.Errorf("the size is %q, not a number", f[1])
	}
	b, err := board.New(board.Rule(rule), size, size)
	if err != nil {
		return nil, nil, err
	}
	if f[2] != "-" {
		moves, err := board.ParseMoves(f[2], size, size)
		if err != nil {
			return nil, nil, err
		}
		for _, m := range moves {
			if b.Cell(m) != board.Empty {
				return nil, nil, fmt.Errorf("%v is played twice", m)
			}
			b.Play(m)
		}
	}
	var lines []Line
	for i := 3; i < len(f); i += 2 {
		moves, err := board.ParseMoves(f[i], size, size)
		if err != nil {
			return nil, nil, err
		}
		v, err := strconv.ParseInt(f[i+1], 10, 16)
		if err != nil {
			return nil, nil, fmt.Errorf("the value is %q, not a number", f[i+1])
		}
		if len(moves) != 1 || !b.Legal(moves[0]) {
			return nil, nil, fmt.Errorf("%s is no legal move", f[i])
		}
		lines = append(lines, Line{moves[0], int(v)})
	}
	return b, lines, nil
}

// Read adds the positions of a text. An error says in which line it is.
func (k *Book) Read(r io.Reader) error {
	in := bufio.NewScanner(r)
	n := 0
	for in.Scan() {
		n++
		text := strings.TrimSpace(in.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		b, lines, err := Parse(text)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		k.Add(b, lines)
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return nil
}

//go:embed lines/*.txt swap2/*.txt
var embedded embed.FS

// each calls f for every embedded file of a directory.
func each(directory string, f func(name string, r io.Reader) error) error {
	files, err := embedded.ReadDir(directory)
	if err != nil {
		return err
	}
	for _, file := range files {
		r, err := embedded.Open(path.Join(directory, file.Name()))
		if err == nil {
			err = f(file.Name(), r)
			r.Close()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file.Name(), err)
		}
	}
	return nil
}

// Default returns the embedded book. The first call reads it.
var Default = sync.OnceValue(func() *Book {
	k := &Book{}
	if err := each("lines", func(_ string, r io.Reader) error { return k.Read(r) }); err != nil {
		panic(err) // a test reads them too
	}
	return k
})

// Package book holds the engine's knowledge of openings: good moves of positions, and the three
// stones that it puts in swap2. Both are embedded text, made by commands that README.md in this
// directory names. It is not internal because the program that makes the book uses it.
package book

import (
	"bufio"
	"bytes"
	"embed"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tengen/brain/atomicfile"
	"tengen/brain/board"
)

// A Line is a move and its value for the side that makes it.
type Line struct {
	Move  board.Move
	Value int // points: see eval.Max
}

// A Book holds good moves of positions. A position is recognized in all eight symmetries and
// whatever the order of its moves. The zero Book is empty.
type Book struct {
	lines   map[uint64][]Line
	deepest int // stones of the positions with the most
}

// Add adds the lines of the position of b. Those that were added for it before are replaced,
// unless it was turned then.
func (k *Book) Add(b *board.Board, lines []Line) {
	if k.lines == nil {
		k.lines = map[uint64][]Line{}
	}
	k.lines[key(b, 0)] = slices.Clone(lines)
	k.deepest = max(k.deepest, stones(b))
}

// Lines returns the lines of the position, which are legal moves, the best first; nil if it
// is not known. It costs a few loads for a position with more stones than the book knows,
// else a few microseconds.
func (k *Book) Lines(b *board.Board) []Line {
	if k == nil || len(k.lines) == 0 || stones(b) > k.deepest {
		return nil
	}
	w, h := b.Width(), b.Height()
	for s := range board.SymmetriesOf(w, h) {
		known := k.lines[key(b, s)]
		if known == nil {
			continue
		}
		// The position turned by s is in the book: find the cells that s maps to its moves.
		var lines []Line
		for _, line := range known {
			if m := board.TransformBack(line.Move, s, w, h); b.On(m.X(), m.Y()) && b.Legal(m) {
				lines = append(lines, Line{m, line.Value})
			}
		}
		slices.SortStableFunc(lines, func(a, b Line) int { return b.Value - a.Value })
		return lines
	}
	return nil
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

// Format returns the line for the position of b, a square board whose history has no pass.
func Format(b *board.Board, lines []Line) string {
	moves := ""
	for _, m := range b.Moves() {
		moves += m.String()
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

// parse returns the position and the lines of a line of text. It uses the given board if that is of
// the same rule and size, since making one takes longer than all the rest.
func parse(text string, b *board.Board) (*board.Board, []Line, error) {
	f := strings.Fields(text)
	if len(f) < 5 || len(f)%2 == 0 {
		return nil, nil, fmt.Errorf("%d fields, want a rule, a size, moves, and pairs of a move and a value", len(f))
	}
	rule, err := strconv.ParseUint(f[0], 10, 8)
	if err != nil {
		return nil, nil, fmt.Errorf("the rule is %.20q, not a number", f[0])
	}
	size, err := strconv.Atoi(f[1])
	if err != nil {
		return nil, nil, fmt.Errorf("the size is %.20q, not a number", f[1])
	}
	if b == nil || b.Rule() != board.Rule(rule) || b.Width() != size || b.Height() != size {
		if b, err = board.New(board.Rule(rule), size, size); err != nil {
			return nil, nil, err
		}
	}
	for b.Ply() > 0 {
		b.Undo()
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
			return nil, nil, fmt.Errorf("the value is %.20q, not a number", f[i+1])
		}
		if len(moves) != 1 || !b.Legal(moves[0]) {
			return nil, nil, fmt.Errorf("%.20q is no legal move", f[i])
		}
		lines = append(lines, Line{moves[0], int(v)})
	}
	return b, lines, nil
}

// An Entry is a line of the text of a book.
type Entry struct {
	Number int    // from 1
	Text   string // with its end, without a byte order mark

	Board *board.Board // of the position, until the next Entry; nil for a comment and an empty line
	Lines []Line
}

// ReadText calls f for every line of a text. An error, which may be that of f, says in which line
// it is.
func ReadText(r io.Reader, f func(*Entry) error) error {
	in := bufio.NewScanner(r)
	in.Split(wholeLines)
	var b *board.Board
	n := 0
	for in.Scan() {
		n++
		e := &Entry{Number: n, Text: strings.TrimPrefix(in.Text(), "\ufeff")}
		var err error
		if content := strings.TrimSpace(e.Text); content != "" && content[0] != '#' {
			e.Board, e.Lines, err = parse(content, b)
			b = e.Board
		}
		if err == nil {
			err = f(e)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return nil
}

// wholeLines is bufio.ScanLines with the ends of the lines.
func wholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	n := bytes.IndexByte(data, '\n') + 1
	if n == 0 && atEOF {
		n = len(data)
	}
	if n == 0 {
		return 0, nil, nil
	}
	return n, data[:n], nil
}

// Read adds the positions of a text. An error says in which line it is.
func (k *Book) Read(r io.Reader) error {
	return ReadText(r, func(e *Entry) error {
		if e.Board != nil {
			k.Add(e.Board, e.Lines)
		}
		return nil
	})
}

// ReadFile returns the book in the named file, a regular one. The name none is an empty book.
func ReadFile(name string) (*Book, error) {
	k := &Book{}
	if name == "none" {
		return k, nil
	}
	f, err := atomicfile.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := k.Read(f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return k, nil
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

// Default returns the embedded book for a rule and a board: nil, an empty book, if there is
// none. The first call for a rule and size reads its file, in about 2 milliseconds.
func Default(rule board.Rule, width, height int) *Book {
	if width != height {
		return nil
	}
	defaults.Lock()
	defer defaults.Unlock()
	p := place{rule, width}
	if k, ok := defaults.books[p]; ok {
		return k
	}
	var k *Book
	if f, err := embedded.Open(fmt.Sprintf("lines/%s-%d.txt", rule.FileName(), width)); err == nil { // else there is no such file
		k = &Book{}
		if err := k.Read(f); err != nil {
			panic(err) // a test reads them too
		}
		f.Close()
	}
	if defaults.books == nil {
		defaults.books = map[place]*Book{}
	}
	defaults.books[p] = k
	return k
}

var defaults struct {
	sync.Mutex
	books map[place]*Book
}

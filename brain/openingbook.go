package brain

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"tengen/brain/board"
	"tengen/brain/book"
	"tengen/brain/search"
)

// A Book is an opening book.
type Book = book.Book

// Points. Set by hand 2026-11.
const (
	bookSpread = 15   // how far a move of the book may be from the best to be played as well
	bookMargin = 60   // how far the best may fall by the positions after it before the book is not asked
	bookWorst  = -200 // value of the best below which it is not asked either: what may save the game takes a longer search than the book's
)

// ReadBook reads the opening book in the file; its format is that of package book. The name
// none is an empty book.
func ReadBook(name string) (*Book, error) { return readBook(name, os.Open) }

// readBook is ReadBook with what opens the file: a pipe is one for a shell, but not for a manager.
func readBook(name string, open func(string) (*os.File, error)) (*Book, error) {
	k := &Book{}
	if name == "none" {
		return k, nil
	}
	f, err := open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := k.Read(f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return k, nil
}

// openingBook returns the book in force.
func (e *Engine) openingBook() *Book {
	e.mu.Lock()
	k := cmp.Or(e.book, e.config.Book)
	e.mu.Unlock()
	if k == nil {
		k = book.Default(e.board.Rule(), e.board.Width(), e.board.Height())
	}
	return k
}

// recall returns what the opening book plays in the position, nil if that is not known, the
// options ask for something other than a move at full strength, or the database knows better.
func (e *Engine) recall(o Options, lines int) *Info {
	switch {
	case !o.Book, lines > 1, o.endless(), o.Threats, o.Style != 0, o.weakened(), o.Rule&board.Continuous != 0:
		return nil
	}
	k := e.openingBook() // once: Set may put another in its place meanwhile
	known := backedUp(k, e.board.Clone())
	n := 0
	for n < len(known) && known[n].Value >= known[0].Value-bookSpread {
		n++
	}
	if n == 0 || known[0].Value < bookWorst {
		return nil
	}
	if e.usesDatabase(o) && e.decides() {
		return nil
	}
	if searched := k.Lines(e.board); known[0].Value < searched[0].Value-bookMargin {
		return nil // a move that is not in the book may well be better
	}
	chosen := known[0]
	if o.Nodes == 0 && o.Depth == 0 { // else the answer can be repeated
		by := chance(board.Mix(uint64(time.Now().UnixNano())))
		chosen = known[by.below(n)]
	}
	if e.usesDatabase(o) && e.refutes(chosen.Move) {
		return nil
	}
	return &Info{Lines: 1, Score: search.Value(chosen.Value), PV: []board.Move{chosen.Move}}
}

// backedUp returns the lines that k has for the position of b, the best first, or nil. A move
// to a position that k knows has that position's value: it was searched a ply deeper. Where
// all moves known there have turned out worse, by more than bookMargin, one that is not known
// may be the best: it is not worth less than that, and a loss is not proved. b is played on and
// comes back as it was. It takes about 2 microseconds for each position of the book that can be
// reached.
func backedUp(k *Book, b *board.Board) []book.Line {
	return (&backing{k, map[uint64]int{}}).lines(b)
}

// A backing backs the values of a book up. Positions are reached in many ways.
type backing struct {
	book  *Book
	known map[uint64]int // the values of positions seen, by hash; noLines if the book has none
}

const noLines = math.MinInt

func (k *backing) lines(b *board.Board) []book.Line {
	lines := k.book.Lines(b)
	for i := range lines {
		b.Play(lines[i].Move)
		if v := k.value(b); v != noLines {
			lines[i].Value = int(search.Value(v).Before())
		}
		b.Undo()
	}
	slices.SortStableFunc(lines, func(x, y book.Line) int { return y.Value - x.Value })
	return lines
}

// value returns the value of the position for the side to move, or noLines.
func (k *backing) value(b *board.Board) int {
	v, seen := k.known[b.Hash()]
	if seen {
		return v
	}
	v = noLines
	if searched := k.book.Lines(b); searched != nil {
		v = searched[0].Value
		if !search.Value(v).Proven() {
			v -= bookMargin
		}
		v = max(v, k.lines(b)[0].Value)
	}
	k.known[b.Hash()] = v
	return v
}

package brain

import (
	"fmt"
	"os"
	"time"

	"tengen/brain/board"
	"tengen/brain/book"
	"tengen/brain/search"
)

// A Book is an opening book.
type Book = book.Book

// bookSpread is how far, in points, a move of the book may be from the best to be played as
// well. Set by hand in November 2026.
const bookSpread = 15

// ReadBook reads the opening book in the file; its format is that of package book. The name
// none is an empty book.
func ReadBook(name string) (*Book, error) {
	k := &Book{}
	if name == "none" {
		return k, nil
	}
	f, err := os.Open(name)
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
	defer e.mu.Unlock()
	if e.book == nil {
		e.book = e.config.Book
	}
	if e.book == nil {
		e.book = book.Default()
	}
	return e.book
}

// recall returns what the opening book plays in the position, nil if that is not known or the
// options want something else than a move at full strength.
func (e *Engine) recall(o Options, lines int) *Info {
	switch {
	case !o.Book, lines > 1, o.Endless, o.Style != 0, o.Strength < FullStrength, o.Rule&board.Continuous != 0, o.Database && e.database != nil:
		return nil
	}
	known := e.openingBook().Lines(e.board)
	n := 0
	for n < len(known) && known[n].Value >= known[0].Value-bookSpread {
		n++
	}
	if n == 0 {
		return nil
	}
	chosen := known[0]
	if o.Nodes == 0 && o.Depth == 0 { // else the answer can be repeated
		by := chance(board.Mix(uint64(time.Now().UnixNano())))
		chosen = known[by.below(n)]
	}
	return &Info{Lines: 1, Score: search.Value(chosen.Value), PV: []board.Move{chosen.Move}}
}

// Package knowledge is the policy of the opening book and of the database of positions: which moves are
// played without a search, what a search gets to know, and which of its results are stored. The package
// serves brain; packages book and database hold the data.
package knowledge

import (
	"math"
	"slices"

	"tengen/brain/board"
	"tengen/brain/book"
	"tengen/brain/database"
	"tengen/brain/score"
)

// Points of the evaluation. Set by hand 2026-11.
const (
	bookSpread = 15   // how far a move of the book may be from the best to be played as well
	bookMargin = 60   // how far the best may fall by the positions after it before the book is not asked
	bookWorst  = -200 // value of the best below which it is not asked either: what may save the game takes a longer search than the book's
)

// FromBook returns what the opening book k plays at b, one of n moves that are about as good, which
// pick chooses by a number below n. There is none where k does not know the position, or d knows
// better, which is nil for no database.
func FromBook(k *book.Book, d *database.Database, b *board.Board, pick func(n int) int) (line book.Line, ok bool) {
	lines := backedUp(k, b.Clone())
	n := 0
	for n < len(lines) && lines[n].Value >= lines[0].Value-bookSpread {
		n++
	}
	if n == 0 || lines[0].Value < bookWorst {
		return line, false
	}
	if d != nil && decides(d, b) {
		return line, false
	}
	if searched := k.Lines(b); lines[0].Value < searched[0].Value-bookMargin {
		return line, false // a move that is not in the book may well be better
	}
	line = lines[pick(n)]
	if d != nil && refutes(d, b, line.Move) {
		return book.Line{}, false
	}
	return line, true
}

// backedUp returns the lines that k has for the position of b, the best first, or nil. A move
// to a position that k knows has that position's value: it was searched a ply deeper. Where
// all moves known there have turned out worse, by more than bookMargin, one that is not known
// may be the best: it is not worth less than that, and a loss is not proved. b is played on and
// comes back as it was. It takes about 2 microseconds for each position of the book that can be
// reached.
func backedUp(k *book.Book, b *board.Board) []book.Line {
	return (&backing{k, map[uint64]int{}}).lines(b)
}

// A backing backs the values of a book up. Positions are reached in many ways.
type backing struct {
	book   *book.Book
	values map[uint64]int // the values of positions seen, by hash; noLines if the book has none
}

const noLines = math.MinInt

func (k *backing) lines(b *board.Board) []book.Line {
	lines := k.book.Lines(b)
	for i := range lines {
		b.Play(lines[i].Move)
		if v := k.value(b); v != noLines {
			lines[i].Value = int(score.Value(v).Before())
		}
		b.Undo()
	}
	slices.SortStableFunc(lines, func(x, y book.Line) int { return y.Value - x.Value })
	return lines
}

// value returns the value of the position for the side to move, or noLines.
func (k *backing) value(b *board.Board) int {
	v, seen := k.values[b.Hash()]
	if seen {
		return v
	}
	v = noLines
	if searched := k.book.Lines(b); searched != nil {
		v = searched[0].Value
		if !score.Value(v).Proven() {
			v -= bookMargin
		}
		v = max(v, k.lines(b)[0].Value)
	}
	k.values[b.Hash()] = v
	return v
}

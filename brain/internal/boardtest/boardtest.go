// Package boardtest sets up boards for tests.
package boardtest

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"tengen/brain/board"
)

// kept holds a board of each rule that New was called with: its tables would be built anew for each
// test otherwise.
var kept sync.Map

// New returns an empty board. A test whose rule or size cannot be played fails at once.
func New(t testing.TB, rule board.Rule, width, height int) *board.Board {
	t.Helper()
	b, err := board.New(rule, width, height)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := kept.Load(rule); !ok {
		kept.Store(rule, b.Clone())
	}
	return b
}

// After returns a square board after the moves in pos notation. A test with moves that cannot be
// read fails at once.
func After(t testing.TB, rule board.Rule, size int, moves string) *board.Board {
	t.Helper()
	b := New(t, rule, size, size)
	list, err := board.ParseMoves(moves, size, size)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		b.Play(m)
	}
	return b
}

// Drawing shows a position in messages of tests: the rule, who is to move, and the cells from the
// top, black X, white O and blocked #.
func Drawing(b *board.Board) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%v, %v to move\n", b.Rule(), b.Side())
	for y := range b.Height() {
		for x := range b.Width() {
			s.WriteByte("XO#."[b.Cell(board.At(x, y))])
			s.WriteByte(' ')
		}
		s.WriteByte('\n')
	}
	return s.String()
}

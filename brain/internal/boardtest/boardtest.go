// Package boardtest sets up boards for tests.
package boardtest

import (
	"testing"

	"tengen/brain/board"
)

// After returns a square board after the moves in pos notation. A test with moves that cannot be
// read fails at once.
func After(t testing.TB, rule board.Rule, size int, moves string) *board.Board {
	t.Helper()
	b, err := board.New(rule, size, size)
	if err != nil {
		t.Fatal(err)
	}
	list, err := board.ParseMoves(moves, size, size)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		b.Play(m)
	}
	return b
}

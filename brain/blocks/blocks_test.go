package blocks

import (
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// TestRestrictions: what is blocked is forbidden until it is undone: a cell at the root, a path where a
// game can still lead to it, a cell of a side everywhere.
func TestRestrictions(t *testing.T) {
	var k Blocks
	if r := Restrictions(&k, boardtest.New(t, board.Freestyle, 15, 15)); r.ChangeGame() {
		t.Fatalf("without blocks: %+v", r)
	}
	h8, i9, a1 := board.At(7, 7), board.At(8, 8), board.At(0, 0)
	k.Block(a1, true)
	k.BlockPath([]board.Move{h8, i9}, true)
	k.BlockFor(board.White, a1, true)
	start, after := boardtest.New(t, board.Freestyle, 15, 15), boardtest.After(t, board.Freestyle, 15, "h8")
	for _, b := range []*board.Board{start, after} {
		r := Restrictions(&k, b)
		if !slices.Equal(r.Root, []board.Move{a1}) || !slices.Equal(r.Paths[after.Hash()], []board.Move{i9}) || !r.Cells[board.White&1].Has(a1) || r.Cells[board.Black&1].Has(a1) {
			t.Errorf("after %d moves: %+v", b.Ply(), r)
		}
		if other := WithoutRoot(r); len(other.Root) > 0 || len(other.Paths) != 1 {
			t.Errorf("without the root: %+v", other)
		}
	}
	if r := Restrictions(&k, boardtest.After(t, board.Freestyle, 15, "g7")); len(r.Paths) > 0 {
		t.Errorf("a path that no game leads to: %v", r.Paths)
	}
	k.Block(a1, false)
	k.Unblock(true)
	k.BlockFor(board.White, a1, false)
	if r := Restrictions(&k, start); r.ChangeGame() {
		t.Errorf("all is undone: %+v", r)
	}
}

// TestDistinct: of the moves that a symmetry maps to each other one is left: those of an eighth of the
// board, of half of it, and all where the colors are not symmetric.
func TestDistinct(t *testing.T) {
	for moves, want := range map[string]int{"h8": 8*9/2 - 1, "h8h9": 8*15 - 2, "h8i9i7": 15*15 - 3} {
		b := boardtest.After(t, board.Freestyle, 15, moves)
		r := Distinct(b, nil)
		open := b.Open()
		left := len(open.Append(nil))
		if r != nil {
			left -= len(r.Root)
		}
		if left != want {
			t.Errorf("%s: %d moves are left, want %d", moves, left, want)
		}
	}
}

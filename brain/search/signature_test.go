package search

import (
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
)

// TestSignature: the same engine has the same signature; other parameters, tables or boards
// give another.
func TestSignature(t *testing.T) {
	sign := func(b *board.Board) uint64 { return Signature(eval.ByTables().New, DefaultParams(), b) }
	b := boardtest.After(t, board.Freestyle, 15, "h8")
	hash := b.Hash()
	first := sign(b)
	if again := sign(b); again != first {
		t.Errorf("%x, then %x", first, again)
	}
	if b.Hash() != hash || b.Ply() != 1 {
		t.Error("the board has changed")
	}
	for _, other := range []*board.Board{
		boardtest.After(t, board.Freestyle, 15, ""), boardtest.After(t, board.ExactFive, 15, "h8"), boardtest.After(t, board.Freestyle, 14, "h8"),
	} {
		if sign(other) == first {
			t.Errorf("%v on %d cells a side has the signature of freestyle on 15", other.Rule(), other.Width())
		}
	}
	p := DefaultParams()
	p.CountBase++
	if Signature(eval.ByTables().New, p, b) == first {
		t.Error("another parameter gives the same signature")
	}
	if Signature(eval.ByTables(eval.ByHand(board.Freestyle)).New, DefaultParams(), b) == first {
		t.Error("other tables give the same signature")
	}
}

package search

import (
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
)

// TestSignature: the same engine signs alike, an engine with another number does not, nor
// does one with other tables, nor does it sign alike on other boards.
func TestSignature(t *testing.T) {
	sign := func(b *board.Board) uint64 { return Signature(eval.NewSet().New, DefaultParams(), b) }
	b := position(t, board.Freestyle, 15, "h8")
	hash := b.Hash()
	first := sign(b)
	if again := sign(b); again != first {
		t.Errorf("%x, then %x", first, again)
	}
	if b.Hash() != hash || b.Ply() != 1 {
		t.Error("the board has changed")
	}
	for _, other := range []*board.Board{
		position(t, board.Freestyle, 15, ""), position(t, board.ExactFive, 15, "h8"), position(t, board.Freestyle, 14, "h8"),
	} {
		if sign(other) == first {
			t.Errorf("%v on %d cells a side signs like freestyle on 15", other.Rule(), other.Width())
		}
	}
	p := DefaultParams()
	p.CountBase++
	if Signature(eval.NewSet().New, p, b) == first {
		t.Error("an engine with another number signs alike")
	}
	if Signature(eval.NewSet(eval.ByHand(board.Freestyle)).New, DefaultParams(), b) == first {
		t.Error("an engine with other tables signs alike")
	}
}

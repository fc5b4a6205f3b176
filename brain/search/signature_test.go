package search

import (
	"testing"

	"tengen/brain/board"
)

// TestSignature: the same engine signs alike, an engine with another number does not, nor
// does it sign alike on other boards.
func TestSignature(t *testing.T) {
	b := position(t, board.Freestyle, 15, "h8")
	hash := b.Hash()
	first := Signature(b)
	if again := Signature(b); again != first {
		t.Errorf("%x, then %x", first, again)
	}
	if b.Hash() != hash || b.Ply() != 1 {
		t.Error("the board has changed")
	}
	for _, other := range []*board.Board{
		position(t, board.Freestyle, 15, ""), position(t, board.ExactFive, 15, "h8"), position(t, board.Freestyle, 14, "h8"),
	} {
		if Signature(other) == first {
			t.Errorf("%v on %d cells a side signs like freestyle on 15", other.Rule(), other.Width())
		}
	}
	was := defaults
	defer func() { defaults = was }()
	p := Defaults
	p.CountBase++
	defaults = newNumbers(p)
	if Signature(b) == first {
		t.Error("an engine with another number signs alike")
	}
}

package search

import (
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
)

// doubled is an evaluator that counts what is beyond clearValue twice.
type doubled struct{ eval.Evaluator }

func (d doubled) Value() int {
	v := d.Evaluator.Value()
	return v + max(v-int(clearValue), 0) + min(v+int(clearValue), 0)
}

// TestSignatureOfClearGames: an engine that differs only where a side is clearly better has another
// signature.
func TestSignatureOfClearGames(t *testing.T) {
	for i, rule := range []board.Rule{board.Freestyle, board.ExactFive, board.Renju, board.Caro} {
		for j, size := range []int{13, 15, 20} {
			if (i+j)%2 > 0 {
				continue // another rule is tried on that size
			}
			b := boardtest.New(t, rule, size, size)
			plain := Signature(eval.Embedded().New, DefaultParams(), 0, b)
			if plain == Signature(func(b *board.Board) eval.Evaluator { return doubled{eval.Embedded().New(b)} }, DefaultParams(), 0, b) {
				t.Errorf("%v on %d cells a side: values beyond %d make no difference", rule, size, clearValue)
			}
		}
	}
}

// TestSignature: the same engine has the same signature; other parameters, tables or boards
// give another.
func TestSignature(t *testing.T) {
	sign := func(b *board.Board) uint64 { return Signature(eval.ByTables().New, DefaultParams(), 0, b) }
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
	if Signature(eval.ByTables().New, p, 0, b) == first {
		t.Error("another parameter gives the same signature")
	}
	if Signature(eval.ByTables(eval.ByHand(board.Freestyle)).New, DefaultParams(), 0, b) == first {
		t.Error("other tables give the same signature")
	}
}

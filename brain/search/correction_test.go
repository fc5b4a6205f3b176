package search

import (
	"context"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/score"
)

// TestCorrections: what the same result teaches again and again is the difference from the
// static value, for the positions that share the threats or the last moves.
func TestCorrections(t *testing.T) {
	const static = 50
	p := DefaultParams()
	whole := p.CorrectThreats + p.CorrectMoves
	for _, tt := range []struct{ difference, want int }{
		{100, 100}, {-100, -100}, {correctionMost, correctionMost}, {5000, correctionMost}, {-5000, -correctionMost},
	} {
		b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
		w := &worker{b: b, p: newNumbers(p)}
		w.stack[0].uncorrected = static
		if v := w.corrected(static); v != static {
			t.Errorf("corrected to %d before anything was learned", v)
		}
		best := Value(static + tt.difference)
		for range 2000 {
			w.learnCorrection(&node{depth: 10, best: best, bestMove: board.At(7, 8), alpha: best - 1, beta: best + 1})
		}
		if got, want := int(w.corrected(static)), static+tt.want*whole/scale; got < want-1 || got > want+1 {
			t.Errorf("difference %d: corrected to %d, want %d", tt.difference, got, want)
		}
		const high = clearValue + 100
		if got, want := w.corrected(high)-high, w.corrected(static)-static; got != want {
			t.Errorf("difference %d: %d is corrected by %d, want %d", tt.difference, high, got, want)
		}
		other := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9") // White's turn before
		if w.b = other; w.corrected(static) != static {
			t.Errorf("difference %d: the other side's value was corrected, too", tt.difference)
		}
	}
}

// TestCorrectionsLearnFrom says which results teach something.
func TestCorrectionsLearnFrom(t *testing.T) {
	const static = 50
	move := board.At(7, 8)
	for _, tt := range []struct {
		name   string
		static Value
		node   node
		learns bool
	}{
		{"exact, above", static, node{best: 60, beta: 70, bestMove: move}, true},
		{"exact, below", static, node{best: 40, beta: 70, bestMove: move}, true},
		{"at least, above", static, node{best: 60, beta: 55, bestMove: move}, true},
		{"at least, below", static, node{best: 40, beta: 35, bestMove: move}, false},
		{"at most, above", static, node{best: 60, beta: 70}, false},
		{"at most, below", static, node{best: 40, beta: 70}, true},
		{"a win", static, node{best: score.WinIn(9), beta: infinity, bestMove: move}, false},
		{"a loss", static, node{best: score.LossIn(9), beta: 70}, false},
		{"against a five", noValue, node{best: 60, beta: 70, bestMove: move}, false},
	} {
		w := &worker{b: boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10"), p: newNumbers(DefaultParams())}
		w.stack[0].uncorrected = tt.static
		tt.node.depth = 15
		w.learnCorrection(&tt.node)
		if learns := w.corrections != (corrections{}); learns != tt.learns {
			t.Errorf("%s: learns is %v", tt.name, learns)
		}
	}
}

// TestForgets: searches leave corrections to later ones of the same game. Clear, a board of
// another rule or size and another style remove them, but not the same style from the other side.
func TestForgets(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	p := newTestPool(1, 1<<20)
	search := func(b *board.Board) { p.Search(context.Background(), b, Limits{Nodes: 3000}, nil) }
	learned := func() bool { return p.workers[0].corrections != (corrections{}) }
	search(b)
	if !learned() {
		t.Fatal("a search has learned nothing")
	}
	before := p.workers[0].corrections
	p.Search(context.Background(), b, Limits{Nodes: 1}, nil)
	if p.workers[0].corrections != before {
		t.Error("the search of one node did not begin with what the one before had learned")
	}
	p.Clear()
	if learned() {
		t.Error("corrections are left after Clear")
	}
	search(b)
	p.Search(context.Background(), boardtest.After(t, board.Renju, 15, "h8i9i7g9h10"), Limits{Nodes: 1}, nil)
	if learned() {
		t.Error("corrections of freestyle are left in renju")
	}
	reply := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10g8")
	for _, tt := range []struct {
		b     *board.Board
		style int
		left  bool
	}{{b, 50, true}, {reply, -50, true}, {reply, 50, false}, {b, 0, false}} {
		p.Clear()
		p.Search(context.Background(), b, Limits{Nodes: 3000, Style: 50}, nil)
		p.Search(context.Background(), tt.b, Limits{Nodes: 1, Style: tt.style}, nil)
		if learned() != tt.left {
			t.Errorf("style 50 of %v, then %d of %v: corrections are left: %v", b.Side(), tt.style, tt.b.Side(), learned())
		}
	}
}

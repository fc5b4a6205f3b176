package eval

import (
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// TestEvaluationChoosesByRule compares the values of an Evaluation with those of the network
// or the tables that it should use under the rule.
func TestEvaluationChoosesByRule(t *testing.T) {
	network := defaultNetwork(board.Freestyle, 15, 15)
	if network == nil {
		t.Fatal("freestyle has no network")
	}
	hand := ByHand(board.Freestyle)
	byHand, byDefault := newTableSet(hand), newTableSet()
	tables := func(s *tableSet) func(*board.Board) Evaluator {
		return func(b *board.Board) Evaluator { return s.New(b) }
	}
	ofNetwork := func(b *board.Board) Evaluator { return network.New(b) }
	tests := []struct {
		name       string
		evaluation *Evaluation
		want       func(*board.Board) Evaluator
		origin     string
	}{
		{"embedded", Embedded(), ofNetwork, "network "},
		{"tables for the rule replace its network", Embedded().WithTables(hand), tables(byHand), "tables "},
		{"tables for another rule do not", Embedded().WithTables(ByHand(board.Renju)), ofNetwork, "network "},
		{"tables alone", ByTables(hand), tables(byHand), "tables "},
		{"embedded tables", ByTables(), tables(byDefault), "tables "},
		{"a network replaces tables", ByTables(hand).WithNetworks(network), ofNetwork, "network "},
	}
	for _, test := range tests {
		b := boardtest.New(t, board.Freestyle, 15, 15)
		got, want := test.evaluation.New(b), test.want(b)
		for i, m := range []board.Move{board.At(7, 7), board.At(8, 8), board.At(7, 6), board.At(6, 8), board.At(7, 9)} {
			b.Play(m)
			if got.Value() != want.Value() {
				t.Errorf("%s: value %d after %d plies, want %d", test.name, got.Value(), i+1, want.Value())
			}
		}
		if o := test.evaluation.Origin(board.Freestyle, 15, 15); !strings.HasPrefix(o, test.origin) {
			t.Errorf("%s: origin %q, want %q first", test.name, o, test.origin)
		}
		if v, w := Embedded().Tables(b).Value(), byDefault.New(b).Value(); v != w {
			t.Errorf("value %d by the embedded tables, want %d", v, w)
		}
	}

	embedded := Embedded()
	embedded.WithTables(hand)
	if embedded.Network(board.Freestyle, 15, 15) != network {
		t.Error("WithTables has changed the evaluation it was called for")
	}
}

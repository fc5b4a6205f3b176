package threat

import (
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// slowFours reports whether the side to move wins by at most the given number of fours
// and the five, trying every move against every reply, without tables.
func slowFours(b *board.Board, fours int) bool {
	s := b.Side()
	all := empties(b)
	if wins(b, s, all) {
		return true
	}
	if fours == 0 {
		return false
	}
	for _, m := range all {
		if !b.Legal(m) {
			continue
		}
		b.Play(m)
		left := empties(b)
		won := wins(b, s, left) && !wins(b, s.Other(), left) && slowReplies(b, left, fours-1)
		b.Undo()
		if won {
			return true
		}
	}
	return false
}

// slowReplies reports whether every legal reply loses to fours.
func slowReplies(b *board.Board, all []board.Move, fours int) bool {
	legal := false
	for _, m := range all {
		if !b.Legal(m) {
			continue
		}
		legal = true
		b.Play(m)
		lost := slowFours(b, fours)
		b.Undo()
		if !lost {
			return false
		}
	}
	return legal
}

func wins(b *board.Board, c board.Color, cells []board.Move) bool {
	for _, m := range cells {
		if b.Wins(c, m) {
			return true
		}
	}
	return false
}

// TestVCFFindsWhatThereIs compares the search with one that tries everything.
func TestVCFFindsWhatThereIs(t *testing.T) {
	const fours = 3
	for _, rule := range allRules {
		t.Run(rule.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(21, uint64(rule)))
			v := NewVCF(1 << 16)
			found, none := 0, 0
			for i := range 120 {
				b := crowd(t, r, rule)
				if i%2 == 1 {
					b = skirmish(t, r, rule)
				}
				if b.Count(b.Side(), board.MakesFive) > 0 {
					continue
				}
				want := slowFours(b, fours)
				got := v.Win(b, Limits{Nodes: 1_000_000})
				if want && got == 0 || !want && got > 0 && got <= 2*fours+1 {
					t.Fatalf("by %d fours at most: %v, found: %d plies %v\n%v", fours, want, got, v.Line(), boardtest.Drawing(b))
				}
				if want {
					found++
				} else if got == 0 {
					none++
				}
			}
			t.Logf("%d wins, %d none", found, none)
			if found < 10 || none < 10 {
				t.Error("too few")
			}
		})
	}
}

func TestVCFDoesNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 0))
	v := NewVCF(1 << 16)
	for _, rule := range allRules {
		won, nodes := 0, 0
		for range 300 {
			b := skirmish(t, r, rule)
			if n := leastAllocs(func() { v.Clear(); won += v.Win(b, Limits{Nodes: 1000}) }); n > 0 {
				t.Errorf("%v: %v allocations", rule, n)
			}
			nodes += v.nodes
		}
		if won == 0 || nodes < 100 {
			t.Errorf("%v: %d plies of wins, %d nodes: too few", rule, won, nodes)
		}
	}
}

// A search that was cut short must not store failures that are none.
func TestVCFLearnsNothingWrongFromItsLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 0))
	cut := 0
	for range 2500 {
		b := skirmish(t, r, board.Freestyle)
		fresh := NewVCF(1 << 16)
		want := fresh.Win(b, Limits{Nodes: 100_000})
		if want == 0 {
			continue
		}
		v := NewVCF(1 << 16)
		for nodes := 1; nodes < 200; nodes = nodes*2 + 1 {
			if v.Win(b, Limits{Nodes: nodes}) == 0 {
				cut++
			}
		}
		if v.Win(b, Limits{Nodes: 100_000}) == 0 {
			t.Fatalf("a win of %d plies is not found any more\n%v", want, boardtest.Drawing(b))
		}
	}
	if cut < 20 {
		t.Errorf("only %d searches were cut short", cut)
	}
}

// TestShortestUsesItsNodes: with as many nodes as the search for the shortest win takes without a
// limit, it comes to the same, however many longer wins it finds before.
func TestShortestUsesItsNodes(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 0))
	v := NewVCF(1 << 16)
	games := games(t, board.Renju)
	shorter := 0
	for i := range 3000 {
		b := mixedPosition(t, r, board.Renju, i, games)
		v.Clear()
		first := v.Win(b, Limits{})
		v.Clear()
		want := v.shortest(b, Limits{})
		nodes := v.nodes
		if want < first {
			shorter++
		}
		v.Clear()
		if got := v.shortest(b, Limits{Nodes: nodes + 1}); got != want || v.nodes != nodes {
			t.Errorf("%d plies in %d nodes, but with a limit of one more %d plies in %d\n%v", want, nodes, got, v.nodes, boardtest.Drawing(b))
		}
	}
	if shorter < 10 {
		t.Errorf("only %d wins could be shortened", shorter)
	}
}

// TestStopsOfFives: against a five that is threatened the stops are what can stop it, too.
func TestStopsOfFives(t *testing.T) {
	for _, rule := range allRules {
		r := rand.New(rand.NewPCG(25, uint64(rule)))
		v := NewVCF(1 << 12)
		stopped := 0
		for range 400 {
			b := crowd(t, r, rule)
			s, o := b.Side(), b.Side().Other()
			if b.Count(s, board.MakesFive) > 0 || b.Count(o, board.MakesFive) == 0 {
				continue
			}
			b.Pass()
			stops, plies := v.Stops(b, Limits{})
			b.Undo()
			if plies != 1 {
				t.Fatalf("%v: a five in %d plies", rule, plies)
			}
			for _, m := range empties(b) {
				if !b.Legal(m) {
					continue
				}
				b.Play(m)
				if b.Count(o, board.MakesFive) == 0 {
					stopped++
					if !stops.Has(m) {
						t.Fatalf("%v: %v stops the five and is not among %v\n%v", rule, m, stops.Append(nil), boardtest.Drawing(b))
					}
				}
				b.Undo()
			}
		}
		if stopped < 20 {
			t.Errorf("%v: only %d stops", rule, stopped)
		}
	}
}

package threat

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// leastAllocs returns how often f, which does the same each time, allocates. The runtime's own work in
// the background counts too, so the least of up to five runs is what f does.
func leastAllocs(f func()) (least float64) {
	for range 5 {
		n := testing.AllocsPerRun(1, f)
		if n == 0 {
			return 0
		}
		if least == 0 || n < least {
			least = n
		}
	}
	return least
}

// TestVCTSearchDoesNotAllocate: only a proof that is found may allocate.
func TestVCTSearchDoesNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 0))
	for _, rule := range allRules {
		v := NewVCT(1 << 20)
		guideByNetwork(v, boardtest.New(t, rule, 15, 15))
		nodes := 0
		for range 60 {
			b := skirmish(t, r, rule)
			v.Clear()
			v.attacker, v.fourNodes = b.Side(), vcfNodes
			v.guide.Reset(b, 0)
			for _, v.guided = range []bool{false, true} {
				if n := leastAllocs(func() {
					v.forget()
					v.nodes, v.limit = 0, 500
					v.search(b, true, estimate{infinite, infinite}, 0)
				}); n > 0 {
					t.Errorf("%v, guided %v: %v allocations", rule, v.guided, n)
				}
			}
			nodes += v.nodes
		}
		if nodes < 1000 {
			t.Errorf("%v: %d nodes: too few", rule, nodes)
		}
	}
}

// leftOutLose tries the legal moves that are not listed, each of which has to lose to fours,
// and returns how many there are.
func leftOutLose(t *testing.T, v *VCT, b *board.Board, moves []board.Move, listed board.Set) (left int) {
	t.Helper()
	for _, m := range moves {
		if listed.Has(m) || !b.Legal(m) {
			continue
		}
		left++
		b.Play(m)
		if v.vcf.Win(b, Limits{Nodes: 100_000}) == 0 {
			t.Errorf("%v holds and is not listed\n%v", m, boardtest.Drawing(b))
		}
		b.Undo()
	}
	return left
}

// TestRepliesToAnOpenFour: under the threat of an open four, every legal reply that the
// search leaves out loses to fours.
func TestRepliesToAnOpenFour(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 0))
	v := NewVCT(1 << 20)
	for _, rule := range allRules {
		threats, left := 0, 0
		for range 400 {
			b := skirmish(t, r, rule)
			s := b.Side()
			o := s.Other()
			if b.Count(s, board.MakesFive)+b.Count(o, board.MakesFive)+b.Count(s, board.MakesOpenFour) > 0 || b.Count(o, board.MakesOpenFour) == 0 {
				continue
			}
			v.Clear()
			v.attacker, v.fourNodes, v.nodes, v.limit = o, vcfNodes, 0, 1<<30
			v.stack = v.stack[:0]
			e, known := v.replies(b)
			if known && e.proof == infinite {
				continue
			}
			threats++
			listed := board.Set{}
			if !known {
				for _, m := range v.stack {
					listed.Add(m)
				}
			}
			left += leftOutLose(t, v, b, empties(b), listed)
		}
		if threats < 10 || left < 1000 {
			t.Errorf("%v: %d threats, %d replies left out: too few", rule, threats, left)
		}
	}
}

// TestAttacksUnderAnOpenFour: when the defender threatens an open four, every move of the
// attacker that the wide search leaves out for that reason loses to fours.
func TestAttacksUnderAnOpenFour(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 0))
	v := NewVCT(1 << 20)
	v.least = board.MakesClosedThree
	for _, rule := range allRules {
		threats, left := 0, 0
		for range 400 {
			b := skirmish(t, r, rule)
			s := b.Side()
			o := s.Other()
			if b.Count(s, board.MakesFive)+b.Count(o, board.MakesFive) > 0 || b.Count(o, board.MakesOpenFour) == 0 {
				continue
			}
			v.attacker, v.fourNodes, v.nodes, v.limit = s, vcfNodes, 0, 1<<30
			v.stack = v.stack[:0]
			if e, known := v.attacks(b); known && e.proof == 0 {
				continue
			}
			threats++
			listed := board.Set{}
			for _, m := range v.stack {
				listed.Add(m)
			}
			near := b.Candidates()
			left += leftOutLose(t, v, b, slices.DeleteFunc(near.Append(nil), func(m board.Move) bool {
				k := b.Class(s, m)
				return k < board.MakesClosedThree && k != board.MakesFoul
			}), listed)
		}
		if threats < 5 || left < 20 {
			t.Errorf("%v: %d threats, %d moves left out: too few", rule, threats, left)
		}
	}
}

// TestEqualAttacksKeepTheirOrder: of the attacker's moves that make as much as near to his last
// stone, the first cell comes first, whatever the sorting algorithm.
func TestEqualAttacksKeepTheirOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 0))
	v := NewVCT(1 << 20)
	v.least = board.MakesClosedThree
	equal := 0
	for i := range 600 {
		b := skirmish(t, r, allRules[i%len(allRules)])
		s := b.Side()
		v.attacker, v.fourNodes, v.nodes, v.limit = s, vcfNodes, 0, 1<<30
		v.stack = v.stack[:0]
		if _, known := v.attacks(b); known || b.Count(s.Other(), board.MakesFive) > 0 {
			continue
		}
		for i, n := range v.stack[1:] {
			m := v.stack[i]
			if b.Class(s, m) != b.Class(s, n) || board.Distance(m, b.Back(2)) != board.Distance(n, b.Back(2)) {
				continue
			}
			equal++
			if m > n {
				t.Fatalf("%v comes before %v in %v\n%v", m, n, v.stack, boardtest.Drawing(b))
			}
		}
	}
	if equal < 500 {
		t.Errorf("only %d pairs of equal moves", equal)
	}
}

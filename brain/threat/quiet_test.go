package threat

import (
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// TestQuietMovesThatThreaten: a move that makes no more than an open two may threaten a VCF and win,
// which takes Limits.Quiet.
func TestQuietMovesThatThreaten(t *testing.T) {
	b := boardtest.After(t, board.Renju, 15, "h4i3h5g5i5i6f6j6g6f7h6g7e7h7j7i7g8d8h8f8")
	for _, quiet := range []bool{false, true} {
		v := NewVCT(8 << 20)
		v.setPosition(b)
		v.phase = twos // what makes more was tried, in 0.6 million nodes
		p := v.Win(b, Limits{Nodes: 200_000, Quiet: quiet})
		if (p != nil) != quiet || quiet && p.Move.String() != "g4" {
			t.Errorf("quiet moves %v: %v", quiet, p)
		}
	}
}

// TestAllThreatsAreTried: with all moves the attacker has every one after which he would win by fours if
// the opponent passed, unless the opponent threatens as much himself. The moves by which the threats
// are made are counted by what they make.
func TestAllThreatsAreTried(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 0))
	v := NewVCT(1 << 20)
	fours := NewVCF(1 << 16)
	quiet := 0
	for _, rule := range allRules {
		made := map[board.Class]int{}
		for range 150 {
			b := skirmish(t, r, rule)
			s, o := b.Side(), b.Side().Other()
			if b.Count(s, board.MakesFive)+b.Count(o, board.MakesFive)+b.Count(o, board.MakesOpenFour) > 0 {
				continue
			}
			v.attacker, v.fourNodes, v.nodes, v.limit, v.least = s, vcfNodes, 0, 1<<30, board.MakesNothing
			v.stack = v.stack[:0]
			if e, known := v.attacks(b); known && e.proof == 0 {
				continue
			}
			listed := board.Set{}
			for _, m := range v.stack {
				listed.Add(m)
			}
			for _, m := range empties(b) {
				if !b.Legal(m) {
					continue
				}
				k := b.Class(s, m)
				b.Play(m)
				b.Pass()
				won := fours.Win(b, Limits{Nodes: 2000}) > 0
				b.Undo()
				b.Undo()
				if !won {
					continue
				}
				made[k]++
				if k < board.MakesClosedThree && k != board.MakesFoul {
					quiet++
				}
				if !listed.Has(m) {
					t.Fatalf("%v threatens to win and is not tried\n%v", m, boardtest.Drawing(b))
				}
			}
		}
		t.Logf("%v: threats by class %v", rule, made)
	}
	if quiet < 50 {
		t.Errorf("only %d quiet moves threaten", quiet)
	}
}

// TestRefuted: where the search says that there is no win, one that tries everything finds none in five
// plies, whose first move must threaten to win by fours. Where it was cut short it does not say so.
func TestRefuted(t *testing.T) {
	for _, rule := range allRules {
		r := rand.New(rand.NewPCG(29, uint64(rule)))
		v := NewVCT(1 << 20)
		refuted, won := 0, 0
		for range 90 {
			side := 5 + r.IntN(2)
			b := boardtest.New(t, rule, side, side)
			scatter(b, r, side, 8+r.IntN(10))
			if over, _ := b.Verdict(); over != board.Unfinished {
				continue
			}
			v.Clear()
			if v.WinByFours(b, Limits{Nodes: 100_000}) == nil && !v.RefutedFours() {
				t.Errorf("there is a limit to what fours may win\n%v", boardtest.Drawing(b))
			}
			if v.Win(b, Limits{Nodes: 100_000, Quiet: true}) != nil {
				if won++; v.Refuted() {
					t.Errorf("a win that is refuted\n%v", boardtest.Drawing(b))
				}
				continue
			}
			if !v.Refuted() {
				continue
			}
			if refuted++; fullWin(b, 5) {
				t.Fatalf("a win in five plies is refuted\n%v", boardtest.Drawing(b))
			}
			v.Clear()
			if v.Win(b, Limits{Nodes: 1, Quiet: true}); v.Nodes() > 1 && v.Refuted() {
				t.Error("refuted by a search that was cut short")
			}
		}
		if refuted < 10 || won == 0 {
			t.Errorf("%v: %d refuted, %d won: too few", rule, refuted, won)
		}
	}
}

// TestALimitOfFoursIsNoRefutation: a VCF that needs more fours than are allowed is not refuted.
func TestALimitOfFoursIsNoRefutation(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 0))
	v := NewVCF(1 << 16)
	long, none := 0, 0
	for long < 10 || none < 10 {
		b := skirmish(t, r, board.Freestyle)
		n := v.Win(b, Limits{})
		if n == 0 {
			if none++; !v.refuted() {
				t.Errorf("without a limit, no win is not told\n%v", boardtest.Drawing(b))
			}
		}
		if n < 5 {
			continue
		}
		long++
		v.Clear()
		if v.within(b, Limits{}, 1) > 0 || v.refuted() {
			t.Errorf("a win in %d plies is refuted by one four\n%v", n, boardtest.Drawing(b))
		}
		v.Clear()
		if v.Win(b, Limits{Nodes: 1}) > 0 || v.refuted() {
			t.Errorf("a win in %d plies is refuted by one node\n%v", n, boardtest.Drawing(b))
		}
	}
}

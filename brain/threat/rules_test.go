package threat

import (
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// TestRulesAreKeptApart: what a search has found out about a position under one rule is not used
// under another.
func TestRulesAreKeptApart(t *testing.T) {
	l := Limits{Nodes: 500}
	r := rand.New(rand.NewPCG(41, 0))
	vcf, vct := NewVCF(1<<20), NewVCT(1<<20)
	freshVCF, freshVCT := NewVCF(1<<20), NewVCT(1<<20)
	differ := 0
	for range 60 {
		b := skirmish(t, r, board.Freestyle)
		vcf.Clear()
		vct.Clear()
		first := -1
		for _, rule := range []board.Rule{board.Freestyle, board.ExactFive, board.Renju, board.Caro, board.Caro | board.ExactFive} {
			other := boardtest.New(t, rule, b.Width(), b.Height())
			legal := true
			for _, m := range b.Moves() {
				if m == board.None {
					other.Pass()
					continue
				}
				legal = legal && other.Cell(m) == board.Empty
				other.Play(m)
			}
			if !legal {
				t.Fatal("a stone lies on another")
			}
			freshVCF.Clear()
			freshVCT.Clear()
			got, want := vcf.Win(other, l), freshVCF.Win(other, l)
			if got != want || vcf.Nodes() != freshVCF.Nodes() {
				t.Errorf("%v: a win in %d plies after %d fours, want %d after %d\n%v", rule, got, vcf.Nodes(), want, freshVCF.Nodes(), boardtest.Drawing(other))
			}
			p, q := vct.Win(other, l), freshVCT.Win(other, l)
			if (p == nil) != (q == nil) || vct.Nodes() != freshVCT.Nodes() {
				t.Errorf("%v: proof %v after %d nodes, want %v after %d\n%v", rule, p != nil, vct.Nodes(), q != nil, freshVCT.Nodes(), boardtest.Drawing(other))
			}
			if first < 0 {
				first = vct.Nodes()
			} else if vct.Nodes() != first {
				differ++
			}
		}
	}
	if differ < 20 {
		t.Errorf("the rule makes a difference in %d searches: too few", differ)
	}
}

package threat

import (
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// TestRefuter: what a proof of the opponent's from a pass is said to refute, it refutes
// against every reply. Some of those moves lie outside all that it depends on, and are not
// played out by the Refuter.
func TestRefuter(t *testing.T) {
	for _, rule := range allRules {
		t.Run(rule.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(*seed, 64+uint64(rule)))
			v := NewVCT(4 << 20)
			games := games(t, rule)
			var refuter Refuter
			proofs, refuted, unplayed, stops := 0, 0, 0, 0
			for i := range *positions {
				b := mixedPosition(t, r, rule, i, games)
				if b.Count(b.Side(), board.MakesFive)+b.Count(b.Side().Other(), board.MakesFive) > 0 {
					continue
				}
				b.Pass()
				p := v.Win(b, Limits{Nodes: 5_000})
				fours := p == nil || v.vcf.Win(b, Limits{Nodes: 10_000}) > 0
				watched := p != nil && refuter.Watch(p, b, Limits{})
				b.Undo()
				if p != nil && !watched {
					t.Fatalf("the proof does not win\n%v", boardtest.Drawing(b))
				}
				if p == nil || size(p) > 60 || fours && r.IntN(8) > 0 {
					continue
				}
				proofs++
				hash := b.Hash()
				for _, m := range empties(b) {
					if !b.Legal(m) || b.Class(b.Side(), m) == board.MakesFive {
						continue
					}
					b.Play(m)
					switch won := refuter.Refutes(b, m, Limits{}); {
					case !won:
						stops++
						b.Undo()
						continue
					case refuter.Nodes() == 0:
						unplayed++
					default:
						refuted++
					}
					err := p.Check(b)
					checkLine(t, b, p)
					b.Undo()
					if err != nil {
						t.Fatalf("%v (%d positions) is not refuted: %v\n%v", m, refuter.Nodes(), err, boardtest.Drawing(b))
					}
				}
				if b.Hash() != hash {
					t.Fatal("the board has changed")
				}
			}
			t.Logf("%d proofs refute %d moves and %d without play, %d not", proofs, refuted, unplayed, stops)
			if refuted < *positions/3 || unplayed < *positions || stops < *positions/4 {
				t.Error("too few")
			}
		})
	}
}

// checkLine checks that the line of p, which wins on b, can be played and ends with a five.
func checkLine(t *testing.T, b *board.Board, p *Proof) {
	t.Helper()
	line := p.Line(b)
	if len(line) > p.Plies || len(line)&1 == 0 {
		t.Errorf("a line of %d moves for a win in %d plies", len(line), p.Plies)
		return
	}
	c := b.Clone()
	for i, m := range line {
		if !c.Legal(m) {
			t.Errorf("%v: move %d cannot be played\n%v", line, i+1, boardtest.Drawing(b))
			return
		}
		if i == len(line)-1 && c.Class(c.Side(), m) != board.MakesFive {
			t.Errorf("%v does not end with a five\n%v", line, boardtest.Drawing(b))
		}
		c.Play(m)
	}
}

// The move that is refuted takes the cell of the five that ends the proof, and leaves another.
func TestLineWithItsFiveTaken(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "f7j8l8h6g5g8f6e7h8f8g9i7i5e9e8")
	v := NewVCT(4 << 20)
	var refuter Refuter
	b.Pass()
	p := v.Win(b, Limits{Nodes: 50_000, Threes: true})
	watched := p != nil && refuter.Watch(p, b, Limits{})
	b.Undo()
	if !watched {
		t.Fatal("black is not seen to win after a pass")
	}
	for _, m := range empties(b) {
		b.Play(m)
		if refuter.Refutes(b, m, Limits{}) {
			checkLine(t, b, p)
		}
		b.Undo()
	}
}

// A Refuter that may not look at anything refutes only what needs no play.
func TestRefuterLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 0))
	v := NewVCT(4 << 20)
	var refuter Refuter
	less := 0
	for range 100 {
		b := skirmish(t, r, board.Freestyle)
		if b.Count(b.Side(), board.MakesFive)+b.Count(b.Side().Other(), board.MakesFive) > 0 {
			continue
		}
		b.Pass()
		p := v.Win(b, Limits{Nodes: 2_000})
		if p == nil || p.Else == nil || p.Else.Else == nil {
			continue
		}
		if refuter.Watch(p, b, Limits{Nodes: 1}) {
			t.Fatal("a proof is watched in one position")
		}
		refuter.Watch(p, b, Limits{})
		b.Undo()
		for _, m := range empties(b) {
			b.Play(m)
			if refuter.Refutes(b, m, Limits{}) != refuter.Refutes(b, m, Limits{Nodes: 1}) {
				less++
			}
			b.Undo()
		}
	}
	if less < 50 {
		t.Errorf("the limit mattered %d times", less)
	}
}

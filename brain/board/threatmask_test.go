package board

import (
	"math/rand/v2"
	"testing"
)

func TestThreatMask(t *testing.T) {
	for _, test := range []struct {
		name  string
		moves string // black first, on 15x15
		want  int
	}{
		{"nothing on an empty board", "", 0},
		{"two stones against one", "h8a1i8", OtherThree},
		{"the same on move", "h8a1i8o1", OwnThree},
		{"a bare four on move", "a8o1b8o15c8h1", OwnFour},
		{"an open three against", "h8a1i8a15j8", OtherOpenFour},
	} {
		b, err := New(Freestyle, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		moves, err := ParseMoves(test.moves, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.PlayAll(moves); err != nil {
			t.Fatal(err)
		}
		if got := b.ThreatMask(); got != test.want {
			t.Errorf("%s: mask %011b, want %011b", test.name, got, test.want)
		}
	}
}

// TestThreatMaskByCells: by looking at every cell of random boards, a bit is set if and only if some
// empty cell makes one of its classes.
func TestThreatMaskByCells(t *testing.T) {
	kinds := [maskBits][]Class{
		{MakesFourThree, MakesTwoThrees}, {MakesFourPlus}, {MakesFour}, {MakesThreeTwo}, {MakesThree},
		{MakesOpenFour}, {MakesFourThree}, {MakesTwoThrees}, {MakesFourPlus}, {MakesThreeTwo}, {MakesThree},
	}
	const ownBits = 5
	r := rand.New(rand.NewPCG(13, 1))
	var set [maskBits]int
	const boards = 300
	for _, rule := range []Rule{Freestyle, ExactFive, Renju, Caro, Caro | ExactFive} {
		for range boards {
			b, err := New(rule, 9, 9)
			if err != nil {
				t.Fatal(err)
			}
			for range 6 + r.IntN(30) {
				if m := At(r.IntN(9), r.IntN(9)); b.Cell(m) == Empty {
					b.Play(m)
				}
			}
			want := 0
			for bit, classes := range kinds {
				c := b.Side()
				if bit >= ownBits {
					c = c.Other()
				}
				for m := range Move(Cells) {
					for _, k := range classes {
						if b.Cell(m) == Empty && b.Class(c, m) == k {
							want |= 1 << bit
						}
					}
				}
				set[bit] += want >> bit & 1
			}
			if got := b.ThreatMask(); got != want {
				t.Fatalf("%v: mask %011b, by every cell %011b", rule, got, want)
			}
		}
	}
	for bit, n := range set {
		if n == 0 || n == 5*boards {
			t.Errorf("bit %d is set on %d boards, so it was not tested", bit, n)
		}
	}
}

package database

import (
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// random returns a position of up to 40 stones, which may be turned.
func random(r *rand.Rand, w, h int) *keyer {
	k := &keyer{rule: byte(r.IntN(3)), width: w, height: h}
	n := r.IntN(min(40, w*h))
	cells := r.Perm(w * h)
	for i := range n {
		k.stones[i&1] = append(k.stones[i&1], point(cells[i]%w<<8|cells[i]/w))
	}
	k.side = board.Color((n + r.IntN(8)/7) & 1) // now and then after a pass
	return k
}

func TestKeyIsTheSameForAllTurns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		w, h := 5+r.IntN(18), 5+r.IntN(18)
		if r.IntN(3) > 0 {
			h = w
		}
		k := random(r, w, h)
		key := Key(k.key())
		if err := key.check(); err != nil {
			t.Fatalf("%v: %v", key, err)
		}
		p := point(r.IntN(w)<<8 | r.IntN(h))
		cell := k.canonical(p)
		for turned := range turn(turns) {
			if turned&4 != 0 && w != h {
				break
			}
			other := keyer{rule: k.rule, width: w, height: h, side: k.side}
			for c := range k.stones {
				for _, p := range k.stones[c] {
					q := turned.of(p, w, h)
					other.stones[c] = append(other.stones[c], q)
					if turned.back(q, w, h) != p {
						t.Fatalf("turn %d and back: %x, want %x", turned, turned.back(q, w, h), p)
					}
				}
			}
			if got := Key(other.key()); got != key {
				t.Fatalf("turn %d gives %v, want %v", turned, got, key)
			}
			if got := other.canonical(turned.of(p, w, h)); got != cell {
				t.Fatalf("turn %d puts %x on %x, want %x", turned, p, got, cell)
			}
		}
		if back, err := ParseKey(key.String()); err != nil || back != key {
			t.Fatalf("%v read back as %v, %v", key, back, err)
		}
		b, err := key.Board()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := KeyOf(b); err != nil || again != key {
			t.Fatalf("the board of %v has the key %v, %v", key, again, err)
		}
	}
}

func TestPositionsWithoutAKey(t *testing.T) {
	for name, b := range map[string]*board.Board{
		"caro":       boardtest.After(t, board.Caro, 15, "h8"),
		"continuous": boardtest.After(t, board.Continuous, 15, "h8"),
	} {
		if _, err := KeyOf(b); err != ErrPosition {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := boardtest.After(t, 0, 15, "h8")
	b.Pass()
	if _, err := KeyOf(b); err != nil {
		t.Errorf("a pass: %v", err)
	}
	b.Play(board.At(0, 0))
	if _, err := KeyOf(b); err != ErrPosition {
		t.Errorf("two black stones: %v", err)
	}
	for _, s := range []string{"f-15-15-h8h9h10h11--b", "f-15-15-h8-h9i9-w"} {
		if key, err := ParseKey(s); err == nil {
			t.Errorf("%s is read as %v", s, key)
		}
	}
	if New().Set(b, Record{}, Whole) == nil {
		t.Error("it was kept")
	}
}

package board

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// crowd fills the board with random stones: black, white and blocked cells in the
// given shares of a thousand, the rest stays empty.
func (b *slowBoard) crowd(r *rand.Rand, black, white, blocked int) {
	for y := range b.height {
		for x := range b.width {
			switch n := r.IntN(1000); {
			case n < black:
				b.cells[y][x] = Black
			case n < black+white:
				b.cells[y][x] = White
			case n < black+white+blocked:
				b.cells[y][x] = Wall
			}
		}
	}
}

// compareForbidden compares both boards at every cell of the position b and returns how
// many fouls of each kind the twin found.
func compareForbidden(t *testing.T, b *slowBoard) (fouls [4]int) {
	t.Helper()
	f := b.toBoard(t)
	hash, side, ply := f.Hash(), f.Side(), f.Ply()
	for y := range b.height {
		for x := range b.width {
			if b.cells[y][x] != Empty {
				continue
			}
			want := b.foul(x, y)
			fouls[want]++
			if got := f.Forbidden(At(x, y)); got != (want != noFoul) {
				t.Errorf("forbidden at %d,%d with %v to move: got %v, the twin says %v\n%v", x, y, f.Side(), got, want, b)
			}
		}
	}
	if f.Hash() != hash || f.Side() != side || f.Ply() != ply {
		t.Errorf("Forbidden changed the board: hash %x to %x, side %v to %v, ply %d to %d", hash, f.Hash(), side, f.Side(), ply, f.Ply())
	}
	if after := fromBoard(f); after.cells != b.cells || !slices.Equal(after.history, fromBoard(b.toBoard(t)).history) {
		t.Errorf("Forbidden changed cells or history\nbefore\n%vafter\n%v", b, after)
	}
	return fouls
}

// seemsDoubleThree reports whether black on x, y makes two threes by their shape
// and no five or two fours, so that it is forbidden unless one of the threes is false.
func (b *slowBoard) seemsDoubleThree(x, y int) bool {
	threes, fours := 0, 0
	for d := range slowDirs {
		switch slowPattern(b, Black, At(x, y), d) {
		case slowOpenThree:
			threes++
		case slowFour, slowOpenFour:
			fours++
		case slowTwoFours, slowFive, slowOverline:
			return false
		}
	}
	return threes >= 2 && fours < 2
}

// TestForbiddenRandom compares the fast answer with the twin on random boards of all
// sizes, crowded with black stones so that fouls of every kind abound.
func TestForbiddenRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(2024, 5))
	var fouls [4]int
	falseThrees := 0
	for range 1250 {
		b := newSlow(Renju, 5+r.IntN(11), 5+r.IntN(11))
		b.crowd(r, 80+r.IntN(220), r.IntN(150), r.IntN(3)*10)
		b.side = Color(r.IntN(2))
		for kind, n := range compareForbidden(t, b) {
			fouls[kind] += n
		}
		for y := range b.height {
			for x := range b.width {
				if b.cells[y][x] == Empty && b.seemsDoubleThree(x, y) && !b.forbidden(x, y) {
					falseThrees++
				}
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("no foul, 4-4, 3-3, six: %v; seeming 3-3: %d", fouls, falseThrees)
	if fouls[doubleFour] < 500 || fouls[doubleThree] < 500 || fouls[overline] < 300 || falseThrees < 100 {
		t.Errorf("too few fouls: none, 4-4, 3-3, six: %v; false 3-3: %d", fouls, falseThrees)
	}
}

// TestForbiddenSymmetry turns random boards by the eight symmetries and checks that the
// forbidden points turn with them.
func TestForbiddenSymmetry(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 60 {
		b := newSlow(Renju, 6+r.IntN(10), 6+r.IntN(10))
		b.crowd(r, 200, 60, 10)
		plain := b.toBoard(t)
		for s := range Symmetries {
			turned := newSlow(Renju, b.width, b.height)
			if s&4 != 0 {
				turned = newSlow(Renju, b.height, b.width)
			}
			for y := range b.height {
				for x := range b.width {
					m := Transform(At(x, y), s, b.width, b.height)
					turned.cells[m.Y()][m.X()] = b.cells[y][x]
				}
			}
			f := turned.toBoard(t)
			for y := range b.height {
				for x := range b.width {
					m := Transform(At(x, y), s, b.width, b.height)
					if b.cells[y][x] == Empty && plain.Forbidden(At(x, y)) != f.Forbidden(m) {
						t.Fatalf("symmetry %d takes %d,%d to %d,%d: forbidden %v and %v\n%v\n%v", s, x, y, m.X(), m.Y(), plain.Forbidden(At(x, y)), f.Forbidden(m), b, turned)
					}
				}
			}
		}
	}
}

// TestForbiddenIsForBlackInRenju checks a double three under every rule and with either
// side to move: under renju it is forbidden to black alone.
func TestForbiddenIsForBlackInRenju(t *testing.T) {
	for rule := Rule(0); rule < 16; rule++ {
		if !rule.Valid() {
			continue
		}
		t.Run(fmt.Sprintf("rule %d", rule), func(t *testing.T) {
			b := newSlow(rule, 9, 9)
			for _, p := range [][2]int{{2, 4}, {3, 4}, {4, 2}, {4, 3}} {
				b.cells[p[1]][p[0]] = Black
			}
			m, renju := At(4, 4), rule&Renju != 0
			for _, side := range []Color{Black, White} {
				b.side = side
				f := b.toBoard(t)
				if got := f.Forbidden(m); got != renju {
					t.Errorf("%v to move: forbidden %v, want %v", side, got, renju)
				}
				if got, want := f.Legal(m), !(renju && side == Black); got != want {
					t.Errorf("%v to move: legal %v, want %v", side, got, want)
				}
			}
		})
	}
}

// FuzzForbidden compares the fast answer with the twin. The first two bytes choose
// width and height, the third the side to move and the share of empty cells, each
// further byte one cell.
func FuzzForbidden(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{3, 28, 84, 228, 400, 487} {
		seed := make([]byte, n)
		for i := range seed {
			seed[i] = byte(r.IntN(256))
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 3 {
			return
		}
		b := newSlow(Renju, MinSize+int(data[0])%(MaxSize-MinSize+1), MinSize+int(data[1])%(MaxSize-MinSize+1))
		b.side = Color(data[2] & 1)
		empty := 128 + int(data[2]>>1)/2 // of 256, at least half
		cells := data[3:]
		for i := range min(len(cells), b.width*b.height) {
			v := int(cells[i])
			if v < empty {
				continue
			}
			b.cells[i/b.width][i%b.width] = [...]Color{Black, White, Black, Black, White, Black, Wall, Black}[v%8]
		}
		compareForbidden(t, b)
	})
}

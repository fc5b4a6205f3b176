package board

import (
	"math/bits"
	"testing"
)

// On 5x5 and 6x6 freestyle is a draw. White can keep every five cells in a row from being all
// black, whatever Black plays: a search over all moves of Black shows it, in which White
// gains nothing by fives of his own. So Black does not win. Nor does White, since a stone more
// never harms: Black could play by White's plan himself.

// A blockade searches for a way of White's to put a stone on each of the fives.
type blockade struct {
	fives   []uint64   // cells, bit y*size+x
	through [64]uint64 // bits of the fives that a cell belongs to
	holds   map[[2]uint64]bool
	visits  int
}

func newBlockade(size int) *blockade {
	s := &blockade{holds: map[[2]uint64]bool{}}
	for y := range size {
		for x := range size {
			for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
				if ex, ey := x+4*d[0], y+4*d[1]; ex < 0 || ex >= size || ey >= size {
					continue
				}
				five := uint64(0)
				for i := range 5 {
					five |= 1 << ((y+i*d[1])*size + x + i*d[0])
				}
				for c := five; c != 0; c &= c - 1 {
					s.through[bits.TrailingZeros64(c)] |= 1 << len(s.fives)
				}
				s.fives = append(s.fives, five)
			}
		}
	}
	return s
}

// blackFails reports whether White holds, Black to move. open has a bit for each of the fives
// without a white stone; black's stones elsewhere do not matter.
func (s *blockade) blackFails(open, black uint64) bool {
	cells := s.cells(open)
	black &= cells
	at := [2]uint64{open, black}
	if held, ok := s.holds[at]; ok {
		return held
	}
	s.visits++
	// A move on a cell of no open five is worth less than any other.
	held := true
	for left := cells &^ black; left != 0 && held; left &= left - 1 {
		held = s.whiteHolds(open, black|left&-left)
	}
	s.holds[at] = held
	return held
}

// whiteHolds is blackFails with White to move. An open five with n black stones weighs 2^n, a
// cell as much as the open fives through it. If White takes the heaviest cell whenever he
// moves, then the sum of all fives does not grow from move to move: Black's next stone adds the
// weight of its cell, which is no heavier. A black five weighs 32, so White holds where the
// sum is less. Source: Erdős and Selfridge, On a combinatorial game, 1973.
func (s *blockade) whiteHolds(open, black uint64) bool {
	var weights [64]int
	must := s.cells(open) &^ black // cells that stop every four
	free := must
	sum := 0
	for left := open; left != 0; left &= left - 1 {
		five := s.fives[bits.TrailingZeros64(left)]
		n := bits.OnesCount64(five & black)
		sum += 1 << n
		switch n {
		case 5:
			return false
		case 4:
			must &= five
		}
		for c := five & free; c != 0; c &= c - 1 {
			weights[bits.TrailingZeros64(c)] += 1 << n
		}
	}
	if sum < 1<<5 {
		return true
	}
	for must != 0 {
		// The cells that weigh most come first.
		best, most := 0, -1
		for c := must; c != 0; c &= c - 1 {
			if i := bits.TrailingZeros64(c); weights[i] > most {
				best, most = i, weights[i]
			}
		}
		must &^= 1 << best
		if s.blackFails(open&^s.through[best], black) {
			return true
		}
	}
	return false
}

// cells returns the cells of the fives in open.
func (s *blockade) cells(open uint64) (all uint64) {
	for ; open != 0; open &= open - 1 {
		all |= s.fives[bits.TrailingZeros64(open)]
	}
	return all
}

func TestSmallBoardsAreDraws(t *testing.T) {
	for _, size := range []int{5, 6} {
		s := newBlockade(size)
		// The fives are those by which the board says that Black has won.
		for i, five := range s.fives {
			b, err := New(Freestyle, size, size)
			if err != nil {
				t.Fatal(err)
			}
			last := None
			for c := five; c != 0; c &= c - 1 {
				n := bits.TrailingZeros64(c)
				last = At(n%size, n/size)
				b.Play(last)
				b.Pass()
			}
			if !b.Wins(Black, last) {
				t.Errorf("%dx%d: the row %d does not win", size, size, i)
			}
		}
		if want := map[int]int{5: 12, 6: 32}[size]; len(s.fives) != want {
			t.Errorf("%dx%d has %d fives, want %d", size, size, len(s.fives), want)
		}
		if !s.blackFails(1<<len(s.fives)-1, 0) {
			t.Errorf("%dx%d: black wins", size, size)
		}
		t.Logf("%dx%d: %d positions of black's", size, size, s.visits)

		// The search can tell that Black wins: with an open four, whatever White plays.
		four := uint64(0b1111) << (2*size + 1)
		if size == 6 && newBlockade(size).whiteHolds(1<<len(s.fives)-1, four) {
			t.Error("white stops an open four")
		}
	}
}

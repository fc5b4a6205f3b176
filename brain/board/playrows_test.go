package board

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// PlayRows turns rows to blocked cells as a walk over the twin's lines finds them, and Undo
// restores the board.
func TestPlayRows(t *testing.T) {
	total := 0
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 1))
		rule := []Rule{Continuous, Continuous | ExactFive, Continuous | Renju, Continuous | Caro, Continuous | Caro | ExactFive}[seed%5]
		b, err := New(rule, 5+r.IntN(7), 5+r.IntN(7))
		if err != nil {
			t.Fatal(err)
		}
		var hashes []uint64
		var walled [][]Move
		for b.Empties() > 0 {
			// A five if there is one, so that rows come about.
			open := b.Set(b.Side(), MakesFive).Append(nil)
			if len(open) == 0 {
				open = b.Open().Append(nil)
			}
			m, c := open[r.IntN(len(open))], b.Side()
			want := [Cells]Color{}
			for i := range want {
				want[i] = b.Cell(Move(i))
			}
			want[m] = c
			s := fromBoard(b)
			s.cells[m.Y()][m.X()] = c
			rows, gone := 0, []Move(nil)
			for _, d := range slowDirs {
				n, caps, cells := 1, 0, []Move{m}
				for _, sign := range []int{1, -1} {
					x, y := m.X()+sign*d[0], m.Y()+sign*d[1]
					for ; b.On(x, y) && s.cells[y][x] == c; x, y = x+sign*d[0], y+sign*d[1] {
						n++
						cells = append(cells, At(x, y))
					}
					if b.On(x, y) && s.cells[y][x] == c.Other() {
						caps++
					}
				}
				if !rule.Wins(c, n, caps == 2) {
					continue
				}
				rows++
				for _, cell := range cells {
					want[cell] = Wall
				}
				gone = append(gone, cells...)
			}
			hashes = append(hashes, b.Hash())
			if got := b.PlayRows(m); got != rows {
				t.Fatalf("%v, seed %d: %v makes %d rows, want %d", rule, seed, m, got, rows)
			}
			total += rows
			slices.Sort(gone)
			walled = append(walled, slices.Compact(gone)) // the last stone is in all rows
			for ply, want := range walled {
				if got := slices.Sorted(slices.Values(b.Walled(ply))); !slices.Equal(got, want) {
					t.Fatalf("%v, seed %d: ply %d blocked %v, want %v", rule, seed, ply, got, want)
				}
			}
			for i := range want {
				if b.Cell(Move(i)) != want[i] {
					t.Fatalf("%v, seed %d: after %v %v is %v, want %v", rule, seed, m, Move(i), b.Cell(Move(i)), want[i])
				}
			}
			if err := b.Check(); err != nil {
				t.Fatalf("%v, seed %d, after %v: %v", rule, seed, m, err)
			}
			if r.IntN(8) == 0 { // there and back
				clone := b.Clone()
				clone.Undo()
				if err := sound(clone, hashes[len(hashes)-1]); err != nil {
					t.Fatalf("%v, seed %d, %v taken back: %v", rule, seed, m, err)
				}
			}
		}
		for i := len(hashes) - 1; i >= 0; i-- {
			b.Undo()
			if err := sound(b, hashes[i]); err != nil {
				t.Fatalf("%v, seed %d, ply %d: %v", rule, seed, i, err)
			}
		}
	}
	if total < 100 {
		t.Errorf("%d rows are too few for a test", total)
	}
}

// sound returns an error if the board is not right or has another hash.
func sound(b *Board, hash uint64) error {
	if b.Hash() != hash {
		return fmt.Errorf("the hash is %x, want %x", b.Hash(), hash)
	}
	return b.Check()
}

func TestPlayRowsDoesNotAllocate(t *testing.T) {
	b, err := New(Continuous, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		b.Play(At(i, 0))
		b.Play(At(2*i, 7))
	}
	if n := testing.AllocsPerRun(100, func() {
		if b.PlayRows(At(4, 0)) != 1 {
			t.Fatal("no row")
		}
		b.Undo()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

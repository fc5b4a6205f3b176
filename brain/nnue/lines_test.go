package nnue

import (
	"slices"
	"strings"
	"testing"
)

// slowLine writes the line of a key as its two sides, each from the center to the first
// wall, the lesser first.
func slowLine(key uint16, swap bool) string {
	letters := "XO#."
	if swap {
		letters = "OX#."
	}
	var sides [2]string
	for i := range 4 {
		sides[0] += letters[key>>(6-2*i)&3:][:1]
		sides[1] += letters[key>>(8+2*i)&3:][:1]
	}
	for i := range sides {
		sides[i], _, _ = strings.Cut(sides[i], "#")
	}
	slices.Sort(sides[:])
	return sides[0] + "|" + sides[1]
}

// TestLineNumbers compares all windows with pictures of them: the same number exactly
// where the picture is the same.
func TestLineNumbers(t *testing.T) {
	picture := make([]string, Lines)
	number := map[string]int{}
	for key := range 1 << 16 {
		n, p := LineNumber(uint16(key)), slowLine(uint16(key), false)
		if n < 0 || n >= Lines {
			t.Fatalf("%s: number %d", p, n)
		}
		if m, ok := number[p]; picture[n] != "" && picture[n] != p || ok && m != n {
			t.Fatalf("%s has number %d, as %s; and %d", p, n, picture[n], m)
		}
		picture[n], number[p] = p, n
	}
	if len(number) != Lines {
		t.Errorf("%d lines, want %d", len(number), Lines)
	}
	for n := range Lines {
		key := LineKey(n)
		if LineNumber(key) != n {
			t.Errorf("line %d: key %04x is of line %d", n, key, LineNumber(key))
		}
		if want := number[slowLine(key, true)]; SwapLine(n) != want {
			t.Errorf("%s: %d with colors swapped, want %d", picture[n], SwapLine(n), want)
		}
	}
}

// TestLineNumbersStay pins a few numbers that files depend on.
func TestLineNumbersStay(t *testing.T) {
	for _, tt := range []struct {
		before, after string // as on the board, left to right: X black, O white, # wall, . empty
		want          int
	}{
		{"...#", "#...", 0},
		{"...#", "X#..", 1},
		{"....", "....", Lines - 1},
		{"XXXX", "XXXX", 40*41/2 + 40},
		{"..#O", "X.X.", (40+0*27+2*9+0*3+2)*(40+20+1)/2 + 2},
	} {
		key := 0
		for i, c := range tt.before + tt.after {
			key |= strings.IndexRune("XO#.", c) << (2 * i)
		}
		if got := LineNumber(uint16(key)); got != tt.want {
			t.Errorf("%s_%s: %d, want %d", tt.before, tt.after, got, tt.want)
		}
	}
}

func TestRegions(t *testing.T) {
	for _, tt := range []struct{ x, y, width, height, want int }{
		{0, 0, 15, 15, 0}, {4, 4, 15, 15, 0}, {5, 4, 15, 15, 1}, {9, 5, 15, 15, 4}, {10, 14, 15, 15, 8},
		{7, 0, 22, 22, 0}, {8, 0, 22, 22, 1}, {14, 0, 22, 22, 1}, {15, 0, 22, 22, 2}, {21, 21, 22, 22, 8},
		{1, 4, 5, 22, 0}, {2, 8, 5, 22, 4},
	} {
		if got := RegionOf(tt.x, tt.y, tt.width, tt.height); got != tt.want {
			t.Errorf("column %d, row %d of %dx%d: region %d, want %d", tt.x, tt.y, tt.width, tt.height, got, tt.want)
		}
	}
	// What regionMax relies on.
	for width := 5; width <= 22; width++ {
		for height := 5; height <= 22; height++ {
			var cells [Regions]int
			for i := range width * height {
				cells[RegionOf(i%width, i/width, width, height)]++
			}
			if slices.Max(cells[:])*CellMax > regionMax {
				t.Errorf("%dx%d: a region of %d cells", width, height, slices.Max(cells[:]))
			}
		}
	}
}

func TestNearNumbers(t *testing.T) {
	seen := map[int][2]int{}
	for dx := range 9 {
		for dy := range 9 {
			if dx == 0 && dy == 0 {
				continue
			}
			n := NearNumber(dx, -dy)
			if n != NearNumber(-dy, dx) || n < 1 || n >= NearNone || (n == nearFar) != (max(dx, dy) > 7) {
				t.Errorf("%d columns, %d rows: %d", dx, dy, n)
			}
			pair := [2]int{max(dx, dy), min(dx, dy)}
			if was, ok := seen[n]; ok && was != pair && n != nearFar {
				t.Errorf("%v and %v have the number %d", pair, was, n)
			}
			seen[n] = pair
		}
	}
	if len(seen) != nearFar {
		t.Errorf("%d numbers, want %d", len(seen), nearFar)
	}
}

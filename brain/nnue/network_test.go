package nnue

import (
	"slices"
	"testing"
)

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

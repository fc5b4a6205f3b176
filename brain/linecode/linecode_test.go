package linecode

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
		n, p := Number(uint16(key)), slowLine(uint16(key), false)
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
		key := Key(n)
		if Number(key) != n {
			t.Errorf("line %d: key %04x is of line %d", n, key, Number(key))
		}
		if want := number[slowLine(key, true)]; Swap(n) != want {
			t.Errorf("%s: %d with colors swapped, want %d", picture[n], Swap(n), want)
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
		if got := Number(uint16(key)); got != tt.want {
			t.Errorf("%s_%s: %d, want %d", tt.before, tt.after, got, tt.want)
		}
	}
}

package board

import (
	"slices"
	"testing"
)

// slowOf is the twin's kind of each pattern; it has none for the weaker ones.
func slowOf(p Pattern) slowKind {
	switch p {
	case Five:
		return slowFive
	case OpenFour:
		return slowOpenFour
	case ClosedFour:
		return slowFour
	case OpenThree, OpenThreeS:
		return slowOpenThree
	case Overline:
		return slowOverline
	}
	return slowNothing
}

// TestPatternTables compares the tables of every rule with the slow twin, for both
// colors and over every window: windows that differ only beyond a wall must have the
// same entry, and of each such family one is laid out and graded by the twin.
func TestPatternTables(t *testing.T) {
	for _, rule := range []Rule{Freestyle, ExactFive, Renju, Caro, Caro | ExactFive} {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			tab := tablesFor(rule)
			reach := tab.reach
			half := 2 * reach
			cells := make([]Color, 2*reach+1)
			b := slowLine(rule, cells)
			families := 0
			line := windows(tab, Wall)
			for key := range line {
				same := nearest(key, reach)
				if same != key {
					if line[key] != line[same] {
						t.Fatalf("window %0*b: %x, but %x without what lies beyond its walls", 2*half, key, line[key], line[same])
					}
					continue
				}
				families++
				for i := range reach {
					b.cells[0][i] = Color(key >> (2 * i) & 3)
					b.cells[0][reach+1+i] = Color(key >> (half + 2*i) & 3)
				}
				b.cells[0][reach] = Empty
				for c := Black; c <= White; c++ {
					got := Pattern(line[key] >> (4 * c) & 15)
					want := slowPattern(b, c, At(reach, 0), Horizontal)
					if want == slowTwoFours {
						want = slowOverline
					}
					if slowOf(got) != want {
						t.Fatalf("%v: %v in %v: pattern %d, the twin says %v", rule, c, b, got, want)
					}
				}
			}
			if want := map[int]int{4: 121 * 121, 5: 364 * 364}[reach]; families != want {
				t.Errorf("%d families of windows, want %d", families, want)
			}
		})
	}
}

// windows returns the patterns of all windows, by the cells that matter without the center. Those
// beyond them hold fill.
func windows(t *tables, fill Color) []uint8 {
	half, beyond := 2*t.reach, 2*(windowReach-t.reach)
	rest := uint64(fill) & (1<<beyond - 1)
	list := make([]uint8, 1<<(2*half))
	for key := range list {
		before, after := uint64(key&(1<<half-1)), uint64(key>>half)
		_, p := t.look(before<<beyond | rest | (after|rest<<half)<<(2*windowReach+2))
		list[key] = uint8(p)
	}
	return list
}

// TestNearCellsMatter: what lies beyond the cells that matter has no part in the patterns.
func TestNearCellsMatter(t *testing.T) {
	tab := tablesFor(Freestyle)
	want := windows(tab, Empty)
	for _, fill := range []Color{Black, White, Wall} {
		if !slices.Equal(windows(tab, fill), want) {
			t.Errorf("%v beyond the cells that matter changes patterns", fill)
		}
	}
}

// nearest returns the window with only walls beyond the nearest wall on either side.
func nearest(key, reach int) int {
	wall := false
	for i := reach - 1; i >= 0; i-- {
		wall = setWall(&key, 2*i, wall)
	}
	wall = false
	for i := reach; i < 2*reach; i++ {
		wall = setWall(&key, 2*i, wall)
	}
	return key
}

func setWall(key *int, shift int, wall bool) bool {
	if wall {
		*key = *key&^(3<<shift) | int(Wall)<<shift
	}
	return wall || Color(*key>>shift&3) == Wall
}

// TestPatternsMirror: a window read backwards means the same.
func TestPatternsMirror(t *testing.T) {
	for _, rule := range []Rule{Freestyle, Renju, Caro} {
		tab := tablesFor(rule)
		line := windows(tab, Wall)
		for key, p := range line {
			mirror := 0
			for i := range 2 * tab.reach {
				mirror |= key >> (2 * i) & 3 << (2 * (2*tab.reach - 1 - i))
			}
			if line[mirror] != p {
				t.Fatalf("%v: window %b: %x, its mirror image %x", rule, key, p, line[mirror])
			}
		}
	}
}

// TestPatternsSwapColors: where both colors have the same rules, swapping them swaps
// the patterns.
func TestPatternsSwapColors(t *testing.T) {
	for _, rule := range []Rule{Freestyle, ExactFive, Caro, Caro | ExactFive} {
		tab := tablesFor(rule)
		line := windows(tab, Wall)
		for key, p := range line {
			swapped := 0
			for i := range 2 * tab.reach {
				c := Color(key >> (2 * i) & 3)
				if c <= White {
					c ^= 1
				}
				swapped |= int(c) << (2 * i)
			}
			if q := line[swapped]; q != p>>4|p<<4 {
				t.Fatalf("%v: window %b: %x, with colors swapped %x", rule, key, p, q)
			}
		}
	}
}

// TestClasses checks the classes of combinations of patterns.
func TestClasses(t *testing.T) {
	tests := []struct {
		name  string
		lines [4]Pattern
		want  Class // for white in renju, and under the other rules
		renju Class // for black in renju
	}{
		{"five and three", [4]Pattern{Five, OpenThree}, MakesFive, MakesFive},
		{"five and overline", [4]Pattern{Five, Overline}, MakesFive, MakesFive},
		{"overline", [4]Pattern{Overline}, MakesNothing, MakesFoul},
		{"open four", [4]Pattern{OpenFour}, MakesOpenFour, MakesOpenFour},
		{"two closed fours", [4]Pattern{ClosedFour, Dead, ClosedFour}, MakesOpenFour, MakesFoul},
		{"open four and closed four", [4]Pattern{OpenFour, ClosedFour}, MakesOpenFour, MakesFoul},
		{"four-three", [4]Pattern{ClosedFour, OpenThreeS}, MakesFourThree, MakesFourThree},
		{"four-three-three", [4]Pattern{ClosedFour, OpenThree, OpenThree}, MakesFourThree, MakesFoul},
		{"four and closed three", [4]Pattern{ClosedFour, ClosedThree}, MakesFourPlus, MakesFourPlus},
		{"four and two", [4]Pattern{OpenTwoB, ClosedFour}, MakesFourPlus, MakesFourPlus},
		{"four", [4]Pattern{ClosedFour, ClosedTwo, OpenOne}, MakesFour, MakesFour},
		{"two threes", [4]Pattern{OpenThree, OpenThreeS}, MakesTwoThrees, MakesFoul},
		{"three and two", [4]Pattern{OpenThree, OpenTwo}, MakesThreeTwo, MakesThreeTwo},
		{"three", [4]Pattern{OpenThree}, MakesThree, MakesThree},
		{"two closed threes", [4]Pattern{ClosedThree, ClosedThree}, MakesClosedThreeTwo, MakesClosedThreeTwo},
		{"closed three", [4]Pattern{ClosedThree}, MakesClosedThree, MakesClosedThree},
		{"two twos", [4]Pattern{OpenTwo, OpenTwoA}, MakesTwoTwos, MakesTwoTwos},
		{"two", [4]Pattern{OpenTwo, OpenOne}, MakesTwo, MakesTwo},
		{"nothing much", [4]Pattern{ClosedOne, ClosedTwo, OpenOne}, MakesNothing, MakesNothing},
	}
	for _, tt := range tests {
		for turn := range 4 {
			var code uint16
			for d, p := range tt.lines {
				code |= uint16(p) << (4 * ((d + turn) & 3))
			}
			for _, c := range []struct {
				rule  Rule
				color Color
				want  Class
			}{{Freestyle, Black, tt.want}, {Caro, White, tt.want}, {Renju, White, tt.want}, {Renju, Black, tt.renju}} {
				if got := ClassOf(c.rule, c.color, code); got != c.want {
					t.Errorf("%s, %v, %v: class %d, want %d", tt.name, c.rule, c.color, got, c.want)
				}
			}
		}
	}
}

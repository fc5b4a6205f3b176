package board

import (
	"math/bits"
	"sync"

	"tengen/brain/internal/inuse"
	"tengen/brain/linecode"
)

// A Pattern says what one line means for one color at one empty cell, from Dead to
// Five, in rising strength. Pictures show the line after a stone on the cell:
// . the cell itself, O own stone, X other stone or wall, _ empty. Only what the
// stone on the cell takes part in counts.
type Pattern uint8

const (
	Dead        Pattern = iota // X_O.X    five can never be made here
	Overline                   // OO.OOO   more than five under exact five; also two fours in one line for black in renju
	ClosedOne                  // X.____   four more stones make a five
	OpenOne                    // __.___   one more makes an OpenTwo
	ClosedTwo                  // X.O___   one more makes a ClosedThree
	OpenTwo                    // _X_.O__X one more makes an OpenThree in 1 or 2 ways
	OpenTwoA                   // __.O__X  in 3 ways
	OpenTwoB                   // ___.O___ in 4 ways or more
	ClosedThree                // XO.O__   one more makes a ClosedFour
	OpenThree                  // X_O.O__X one more makes an OpenFour, in one way
	OpenThreeS                 // __O.O__  in 2 ways or more
	ClosedFour                 // XOO.O_   one more makes a Five, and one stone can prevent it
	OpenFour                   // _OO.O_   no single stone can prevent the Five
	Five                       // OO.OO    a winning row

	patterns
)

// A Class combines the four Patterns through a cell: what a stone there makes,
// from weak to strong.
type Class uint8

const (
	MakesNothing        Class = iota
	MakesFoul                 // renju, black: overline, two fours, or two threes of which some may be false
	MakesTwo                  // an open two
	MakesClosedThree          // a closed three
	MakesTwoTwos              // open twos in two directions
	MakesClosedThreeTwo       // a closed three with another or with an open two
	MakesThree                // an open three
	MakesThreeTwo             // an open three with a closed three or an open two
	MakesTwoThrees            // open threes in two directions
	MakesFour                 // a four that one stone can stop
	MakesFourPlus             // such a four with a closed three or an open two
	MakesFourThree            // such a four with an open three
	MakesOpenFour             // an open four, or fours in two directions
	MakesFive                 // a winning row

	Classes
)

// tables hold the patterns of lines and the classes of cells under a rule. They are
// read-only once built and shared by all boards of the rule.
type tables struct {
	reach int // cells to either side that matter: 4, or 5 where a sixth stone or a cap matters

	// before and after give the two sides of a window by their cells as they lie in a line word:
	// the center is above those of before and below those of after.
	before, after [1 << (2 * windowReach)]side

	// pattern gives the patterns of both colors at the center of a window, black in the
	// low and white in the high nibble, by linecode.Pair of the numbers of its sides.
	pattern []uint8

	// class gives the Class of a color by its four patterns, four bits a direction, with
	// what Board.Count covers above it: see classes.
	class [2]*[1 << 16]uint8
}

// windowReach is the number of cells to either side of a window.
const windowReach = 5

// A side of a window has its number in linecode, for the nearest four cells, in the bits from
// sideBits on, and below them its number among all that differ up to their first wall. Of two
// sides the greater one has the greater of both numbers.
type side uint16

const sideBits = 9

// look returns the number of a line in linecode and the patterns at its center, by the window
// that begins windowReach cells before the center.
func (t *tables) look(window uint64) (number, patterns uint32) {
	a := uint32(t.before[window%uint64(len(t.before))])
	b := uint32(t.after[window>>(2*windowReach+2)%uint64(len(t.after))])
	low, high := min(a, b), max(a, b)
	const all = 1<<sideBits - 1
	return linecode.Pair(low>>sideBits, high>>sideBits), uint32(t.pattern[linecode.Pair(low&all, high&all)])
}

// built are the tables of the rules in use, up to 70 KiB each.
var built inuse.Cache[Rule, tables]

// tablesFor returns the tables of r, which it builds if no board of the rule is in use: about 2 ms
// (freestyle 0.3 ms). Continuous does not change a line.
func tablesFor(r Rule) *tables {
	r = r.Shapes()
	return built.Get(r, func() *tables { return newTables(r) })
}

func newTables(r Rule) *tables {
	t := &tables{reach: 5}
	if r == Freestyle {
		t.reach = 4
	}
	arms := newArmSet(r, t.reach)
	black := newGrader(r, Black, t.reach).grades(arms)
	white := black
	if r&Renju != 0 {
		white = newGrader(r, White, t.reach).grades(arms)
	}
	type arm struct{ black, white uint16 }
	var sides []arm // by number, what both colors see
	for cells := range len(t.after) {
		s := sideOf(cells, t.reach)
		t.after[cells] = s
		t.before[mirrored(cells)] = s
		n := int(s % (1 << sideBits))
		sides = append(sides, make([]arm, max(0, n+1-len(sides)))...)
		sides[n] = arm{arms.find(cells, Black), arms.find(cells, White)}
	}
	for high := range sides {
		b, w := black[sides[high].black], white[sides[high].white]
		for _, low := range sides[:high+1] {
			t.pattern = append(t.pattern, b[low.black]|w[low.white]<<4)
		}
	}
	t.class = [2]*[1 << 16]uint8{classTableOf(r, Black), classTableOf(r, White)}
	return t
}

// sideOf numbers one side of a window, the nearest cell lowest.
func sideOf(cells, reach int) side {
	s := side(linecode.Side(uint8(cells)))
	n := s
	if reach > linecode.Reach && s >= linecode.OpenSides { // the fifth cell matters
		n = linecode.OpenSides + (s-linecode.OpenSides)*4 + side(cells>>(2*linecode.Reach))
	}
	return s<<sideBits | n
}

// mirrored reverses the order of the cells of one side.
func mirrored(cells int) (mirror int) {
	for i := range windowReach {
		mirror |= cells >> (2 * i) & 3 << (2 * (windowReach - 1 - i))
	}
	return mirror
}

// How a row of open cells ends.
const (
	endOther = iota // a stone of the other color: may cap
	endWall         // the edge or a blocked cell: never caps
	endView         // the end of the window: never reached by a row that counts
)

// An arm is one half of a window as one color sees it: cells beyond the first that
// is neither empty nor own do not matter.
type arm struct {
	n    int    // open cells, 0..reach
	own  uint16 // bit i: own stone at distance i+1
	kind int    // endOther, endWall, endView
}

// A grader finds the pattern at the center of every window for one color.
//
// Cells of a window are numbered 0..2*reach, the center is cell reach. A set of stones is a
// bit mask of cells. The same few thousand subproblems recur, so results are kept per span:
// memo[three-valued state of the cells from lo on].
type grader struct {
	rule  Rule
	color Color
	reach int

	lo, hi     int  // the open span around the center
	capL, capR bool // other stones just beyond it
	memo       []uint8
	pow3       []uint32 // mask -> sum of 3^i over its bits
}

func newGrader(r Rule, c Color, reach int) *grader {
	cells := 2*reach + 1
	g := &grader{rule: r, color: c, reach: reach, pow3: make([]uint32, 1<<cells)}
	size := uint32(1)
	for i := range cells {
		for m := 1 << i; m < 2<<i; m++ {
			g.pow3[m] = g.pow3[m^1<<i] + size
		}
		size *= 3
	}
	g.memo = make([]uint8, size)
	return g
}

// An armSet has the distinct arms under a rule, which are the same for both colors.
type armSet struct {
	rule  Rule
	reach int
	arms  []arm
	index map[arm]uint16 // in arms
}

func newArmSet(r Rule, reach int) *armSet {
	s := &armSet{rule: r, reach: reach, index: map[arm]uint16{}}
	for key := range 1 << (2 * reach) {
		a := s.armOf(key, Black)
		if _, ok := s.index[a]; !ok {
			s.index[a] = uint16(len(s.arms))
			s.arms = append(s.arms, a)
		}
	}
	return s
}

// find returns the number of the arm that color c sees in cells.
func (s *armSet) find(cells int, c Color) uint16 { return s.index[s.armOf(cells, c)] }

// grades returns the Pattern at the center of every window, by its arms. It does not
// matter which of them is on which side.
func (g *grader) grades(s *armSet) [][]uint8 {
	// Only windows with the same span share answers.
	byShape := map[arm][]int{}
	var shapes []arm
	for i, a := range s.arms {
		shape := arm{n: a.n, kind: a.kind}
		if byShape[shape] == nil {
			shapes = append(shapes, shape)
		}
		byShape[shape] = append(byShape[shape], i)
	}
	grade := make([][]uint8, len(s.arms))
	for i := range grade {
		grade[i] = make([]uint8, len(s.arms))
	}
	for n, l := range shapes {
		for _, r := range shapes[n:] {
			g.span(l, r)
			for _, i := range byShape[l] {
				for _, j := range byShape[r] {
					own := uint16(1) << g.reach
					for k := range g.reach {
						own |= s.arms[i].own >> k & 1 << (g.reach - 1 - k)
						own |= s.arms[j].own >> k & 1 << (g.reach + 1 + k)
					}
					p := uint8(g.pattern(own, 1<<g.reach))
					grade[i][j], grade[j][i] = p, p
				}
			}
		}
	}
	return grade
}

// armOf reads half a window, nearest cell in the lowest bits.
func (s *armSet) armOf(key int, c Color) arm {
	a := arm{kind: endView}
	for i := range s.reach {
		switch Color(key >> (2 * i) & 3) {
		case c:
			a.own |= 1 << i
		case Wall:
			a.kind = endWall
		case c.Other():
			a.kind = endOther
		}
		if a.kind != endView {
			break
		}
		a.n++
	}
	a.own &= 1<<a.n - 1
	if s.rule&Caro == 0 && a.kind == endOther {
		a.kind = endWall
	}
	return a
}

// span prepares g for windows with the given arms and clears memo. Own stones lie in the span.
func (g *grader) span(l, r arm) {
	g.lo, g.hi = g.reach-l.n, g.reach+r.n
	g.capL, g.capR = l.kind == endOther, r.kind == endOther
	states := 1
	for range g.hi - g.lo + 1 {
		states *= 3
	}
	clear(g.memo[:states])
}

// row returns the first and last cell of the row of own stones through cell i.
func (g *grader) row(own uint16, i int) (first, last int) {
	first = i - bits.LeadingZeros16(^(own << (16 - i)))
	last = i + bits.TrailingZeros16(^(own >> (i + 1)))
	return first, last
}

// wins reports whether the row through cell i contains all of must and wins when
// an other stone stands on cell block (-1 for none).
func (g *grader) wins(own, must uint16, i, block int) bool {
	first, last := g.row(own, i)
	if last-first < 4 || must&^(1<<(last+1)-1<<first) != 0 {
		return false
	}
	capL := first-1 == block || first == g.lo && g.capL
	capR := last+1 == block || last == g.hi && g.capR
	return g.rule.Wins(g.color, last-first+1, capL && capR)
}

// pattern grades the stones own, of which must (the center and stones put there since) have
// to take part in the row. Source: the recursive definition of line patterns common among
// strong engines; the must sets restrict fours and threes to those of the cell, as renju's
// judge counts them.
func (g *grader) pattern(own, must uint16) Pattern {
	state := g.pow3[own>>g.lo] + g.pow3[must>>g.lo]
	if p := g.memo[state]; p != 0 {
		return Pattern(p - 1)
	}
	p := g.grade(own, must)
	g.memo[state] = uint8(p) + 1
	return p
}

func (g *grader) grade(own, must uint16) Pattern {
	first, last := g.row(own, g.reach)
	if n := last - first + 1; n > 5 && g.rule.exact(g.color) {
		return Overline
	} else if n >= 5 {
		if g.wins(own, must, g.reach, -1) {
			return Five
		}
		return Dead
	}
	if g.hi-g.lo < 4 {
		return Dead
	}
	// No pattern of the center is more than four stones away from a five. So many of them
	// are left after those put, and have to fill the gaps of must.
	left := 4 - bits.OnesCount16(must)
	var count [patterns]int
	var fives uint16
	for free := (1<<(g.hi+1) - 1<<g.lo) &^ own; free != 0; free &= free - 1 {
		e := bits.TrailingZeros16(free)
		next, need := own|1<<e, must|1<<e
		if gaps := (1<<bits.Len16(need) - need&-need) &^ next; bits.OnesCount16(gaps) > left {
			continue
		}
		if first, last := g.row(next, e); last-first >= 4 {
			// A row is complete: it wins and contains all of need, or it does not count.
			if g.wins(next, need, e, -1) {
				count[Five]++
				fives |= 1 << e
			}
		} else if left > 0 {
			count[g.pattern(next, need)]++
		}
	}
	switch {
	case count[Five] >= 2 && g.unstoppable(own, must, fives):
		if g.rule&Renju != 0 && g.color == Black && fives&(fives>>5) == 0 {
			return Overline // X_XXX_X and the like: two fours
		}
		return OpenFour
	case count[Five] >= 1:
		return ClosedFour
	case count[OpenFour] >= 2:
		return OpenThreeS
	case count[OpenFour] == 1:
		return OpenThree
	case count[ClosedFour] >= 1:
		return ClosedThree
	}
	switch threes := count[OpenThree] + count[OpenThreeS]; {
	case threes >= 4:
		return OpenTwoB
	case threes == 3:
		return OpenTwoA
	case threes >= 1:
		return OpenTwo
	}
	switch {
	case count[ClosedThree] >= 1:
		return ClosedTwo
	case count[OpenTwo]+count[OpenTwoA]+count[OpenTwoB] >= 1:
		return OpenOne
	case count[ClosedTwo] >= 1:
		return ClosedOne
	}
	return Dead
}

// unstoppable reports whether after any single reply one of the completing cells
// fives still wins. Only under caro can a reply beside a completing cell matter.
func (g *grader) unstoppable(own, must, fives uint16) bool {
	if g.rule&Caro == 0 {
		return true
	}
	for q := g.lo; q <= g.hi; q++ {
		if own>>q&1 != 0 {
			continue
		}
		stopped := true
		for e := g.lo; e <= g.hi && stopped; e++ {
			if e != q && fives>>e&1 != 0 && g.wins(own|1<<e, must, e, q) {
				stopped = false
			}
		}
		if stopped {
			return false
		}
	}
	return true
}

// classTables are those of classTable without and with fouls, which all rules share.
var classTables = [2]func() *[1 << 16]uint8{
	sync.OnceValue(func() *[1 << 16]uint8 { return classTable(false) }),
	sync.OnceValue(func() *[1 << 16]uint8 { return classTable(true) }),
}

// classTableOf returns the table of the color c under r.
func classTableOf(r Rule, c Color) *[1 << 16]uint8 {
	if r&Renju != 0 && c == Black {
		return classTables[1]()
	}
	return classTables[0]()
}

// classTable combines four patterns of four bits each into a Class, in the form of
// tables.class. fouls is for black in renju.
func classTable(fouls bool) *[1 << 16]uint8 {
	t := new([1 << 16]uint8)
	for a := range patterns {
		for b := range a + 1 {
			for c := range b + 1 {
				for d := range c + 1 {
					var n [16]int
					for _, p := range [Directions]Pattern{a, b, c, d} {
						n[p]++
					}
					k := classOf(&n, fouls)
					v := uint8(k)
					if k == MakesFoul || k >= MakesThree {
						v |= v << 4
					} else {
						v |= uncounted << 4
					}
					p := [Directions]uint16{uint16(a), uint16(b), uint16(c), uint16(d)}
					for _, o := range orders {
						t[p[o[0]]|p[o[1]]<<4|p[o[2]]<<8|p[o[3]]<<12] = v
					}
				}
			}
		}
	}
	return t
}

// orders are the ways to order four things.
var orders = func() (list [][Directions]uint8) {
	for i := range 256 {
		if o := [Directions]uint8{uint8(i & 3), uint8(i >> 2 & 3), uint8(i >> 4 & 3), uint8(i >> 6)}; 1<<o[0]|1<<o[1]|1<<o[2]|1<<o[3] == 15 {
			list = append(list, o)
		}
	}
	return list
}()

// classOf gives the Class of a cell whose lines hold n[p] times the Pattern p.
func classOf(n *[16]int, fouls bool) Class {
	fours := n[ClosedFour] + n[OpenFour]
	threes := n[OpenThree] + n[OpenThreeS]
	twos := n[OpenTwo] + n[OpenTwoA] + n[OpenTwoB]
	closed := n[ClosedThree]
	switch {
	case n[Five] > 0:
		return MakesFive
	case fouls && (n[Overline] > 0 || fours >= 2 || threes >= 2):
		return MakesFoul
	case n[OpenFour] > 0 || fours >= 2:
		return MakesOpenFour
	case fours == 1 && threes > 0:
		return MakesFourThree
	case fours == 1 && closed+twos > 0:
		return MakesFourPlus
	case fours == 1:
		return MakesFour
	case threes >= 2:
		return MakesTwoThrees
	case threes == 1 && closed+twos > 0:
		return MakesThreeTwo
	case threes == 1:
		return MakesThree
	case closed >= 2 || closed == 1 && twos > 0:
		return MakesClosedThreeTwo
	case twos >= 2:
		return MakesTwoTwos
	case closed == 1:
		return MakesClosedThree
	case twos == 1:
		return MakesTwo
	}
	return MakesNothing
}

// ClassOf returns the Class of a cell with the given patterns, four bits a direction,
// for color c under rule r.
func ClassOf(r Rule, c Color, code uint16) Class {
	return Class(classTableOf(r, c&1)[code] & 15)
}

package eval

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"tengen/brain/board"
	"tengen/brain/internal/inuse"
	"tengen/brain/nnue"
)

// Weights set by hand, 2026-11: points for one empty cell where a stone would make
// the pattern in one direction, plus points for the class of the cell. They value
// what could be made, not what stands: a lone stone opens twos on up to 32 cells.
var (
	patternWeight = [16]int16{
		board.OpenOne:     0,
		board.OpenTwo:     4,
		board.OpenTwoA:    5,
		board.OpenTwoB:    5,
		board.ClosedThree: 5,
		board.OpenThree:   16,
		board.OpenThreeS:  20,
		board.ClosedFour:  16,
		board.OpenFour:    36,
		board.Five:        54,
	}
	classWeight = [16]int16{
		board.MakesTwoTwos:        7,
		board.MakesClosedThreeTwo: 11,
		board.MakesThreeTwo:       22,
		board.MakesTwoThrees:      72,
		board.MakesFourPlus:       25,
		board.MakesFourThree:      90,
		board.MakesOpenFour:       54,
	}
)

// Points for trying a move early, by what it makes in one direction and in all. What
// it takes from the opponent counts half.
var (
	patternOrder = [16]int16{
		board.ClosedOne: 1, board.OpenOne: 3, board.ClosedTwo: 3,
		board.OpenTwo: 9, board.OpenTwoA: 10, board.OpenTwoB: 11, board.ClosedThree: 11,
		board.OpenThree: 32, board.OpenThreeS: 36, board.ClosedFour: 34, board.OpenFour: 100, board.Five: 200,
	}
	classOrder = [16]int16{
		board.MakesTwo: 4, board.MakesClosedThree: 4, board.MakesTwoTwos: 12, board.MakesClosedThreeTwo: 16,
		board.MakesThree: 8, board.MakesThreeTwo: 24, board.MakesTwoThrees: 60, board.MakesFour: 4,
		board.MakesFourPlus: 30, board.MakesFourThree: 120, board.MakesOpenFour: 160, board.MakesFive: 300,
	}
)

// Points for what the sides could do next, if there is at least one such cell. The threats of a
// side are in three groups, and only the strongest of each group counts: see byThreats.
const (
	onMove = 32 // to be on move at all

	ownDoublePoints   = 270
	ownFourPlusPoints = 72
	ownFourPoints     = 18
	ownThreeTwoPoints = 72
	ownThreePoints    = 36

	otherOpenPoints      = -180
	otherFourThreePoints = -108
	otherThreesPoints    = -72
	otherFourPlusPoints  = -36
	otherThreeTwoPoints  = -27
	otherThreePoints     = -14
)

// ByHand returns the tables set by hand for r.
func ByHand(r board.Rule) *Tables {
	t := newTables(r)
	t.Origin = "set by hand"
	for c, s := range t.Sides[:t.colors()] {
		c := board.Color(c)
		for n := range s.Cells {
			code := codePatterns(n)
			s.Cells[n] = byPatterns(r, c, code, &patternWeight, &classWeight)
			s.Own[n] = byPatterns(r, c, code, &patternOrder, &classOrder)
			s.Other[n] = byPatterns(r, c.Other(), code, &patternOrder, &classOrder) / 2
		}
		for mask := range s.Threat {
			s.Threat[mask] = byThreats(mask)
		}
	}
	return t
}

// byPatterns adds up the points of four patterns and of their class; a cell that looks
// forbidden gets none.
func byPatterns(r board.Rule, c board.Color, code uint16, pattern, class *[16]int16) int16 {
	k := board.ClassOf(r, c, code)
	if k == board.MakesFoul {
		return 0
	}
	v := class[k]
	for d := 0; d < 16; d += 4 {
		v += pattern[code>>d&15]
	}
	return v
}

// byThreats adds up the points of a threat mask.
func byThreats(mask int) int16 {
	v := int16(onMove)
	for _, group := range [...][]struct{ bit, points int16 }{
		{{board.OwnDouble, ownDoublePoints}},
		{{board.OwnFourPlus, ownFourPlusPoints}, {board.OwnFour, ownFourPoints}},
		{{board.OwnThreeTwo, ownThreeTwoPoints}, {board.OwnThree, ownThreePoints}},
		{{board.OtherOpenFour, otherOpenPoints}, {board.OtherFourThree, otherFourThreePoints}, {board.OtherTwoThrees, otherThreesPoints}},
		{{board.OtherFourPlus, otherFourPlusPoints}},
		{{board.OtherThreeTwo, otherThreeTwoPoints}, {board.OtherThree, otherThreePoints}},
	} {
		for _, t := range group { // only the strongest of a group counts
			if int16(mask)&t.bit != 0 {
				v += t.points
				break
			}
		}
	}
	return v
}

// Files of learned tables, one or more rules each: see Load.
//
//go:embed tables
var files embed.FS

// embedded returns the tables of the files, by rule, nil where nothing was learned. It panics if
// a file is damaged or two are for one rule; a test rules that out.
var embedded = sync.OnceValue(func() (tables [16]*Tables) {
	names, err := fs.Glob(files, "tables/*.tab")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		raw, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		all, err := Load(raw)
		if err != nil {
			panic(fmt.Sprintf("eval: %s: %v", name, err))
		}
		for _, t := range all {
			if tables[t.Rule] != nil {
				panic(fmt.Sprintf("eval: %s: tables for %v are in another file too", name, t.Rule))
			}
			tables[t.Rule] = t
		}
	}
	return tables
})

// Default returns the embedded tables for r, or those set by hand where there are none.
func Default(r board.Rule) *Tables {
	r = r.Shapes()
	if t := embedded()[r]; t != nil {
		return t
	}
	return ByHand(r)
}

// defaultWeights are the weights of Default that are in use, by rule, up to 768 KiB each.
var defaultWeights inuse.Cache[board.Rule, weights]

// A tableSet is the tables to evaluate by: those it was made with, and Default for all other
// rules. It does not change and may be used concurrently.
type tableSet struct {
	of     [16]*weights // by rule; nil for Default
	origin [16]string   // of these
}

// newTableSet returns a tableSet of the given tables, about 1 ms each. Of several for one rule the
// last counts. It copies the tables.
func newTableSet(tables ...*Tables) *tableSet { return new(tableSet).with(tables) }

// with returns s with the given tables for their rules.
func (s *tableSet) with(tables []*Tables) *tableSet {
	with := *s
	for _, t := range tables {
		r := t.Rule.Shapes()
		with.of[r], with.origin[r] = newWeights(t), t.origin()
	}
	return &with
}

// weights returns the weights of r. It takes about 1 ms to build those of Default if they are not in use.
func (s *tableSet) weights(r board.Rule) *weights {
	r = r.Shapes()
	if w := s.of[r]; w != nil {
		return w
	}
	return defaultWeights.Get(r, func() *weights { return newWeights(Default(r)) })
}

// originOf says where the tables for r come from.
func (s *tableSet) originOf(r board.Rule) string {
	r = r.Shapes()
	if s.of[r] != nil {
		return s.origin[r]
	}
	return Default(r).origin()
}

// origin is the checksum of t and its Origin.
func (t *Tables) origin() string { return fmt.Sprintf("%08x %s", t.Checksum(), t.Origin) }

// weights are Tables expanded to arrays indexed by packed code, by color.
type weights struct {
	of     [2]*[1 << 16]int16
	own    [2]*[1 << 16]int16
	other  [2]*[1 << 16]int16
	threat [2]*[board.ThreatMasks]int16
}

func newWeights(t *Tables) *weights {
	w := new(weights)
	for c := range w.of {
		if c == 1 && t.Sides[1] == t.Sides[0] {
			w.of[1], w.own[1], w.other[1], w.threat[1] = w.of[0], w.own[0], w.other[0], w.threat[0]
			break
		}
		s := t.Sides[c]
		threat := s.Threat
		w.of[c], w.own[c], w.other[c], w.threat[c] = byCode(&s.Cells), byCode(&s.Own), byCode(&s.Other), &threat
	}
	return w
}

// byCode expands an array over code numbers to one over packed codes.
func byCode(of *[nnue.Codes]int16) *[1 << 16]int16 {
	t := new([1 << 16]int16)
	for code, n := range codes().number {
		t[code] = of[n]
	}
	return t
}

// favor returns w with the cells of c worth more by percent and those of the other color
// less.
func (w *weights) favor(c board.Color, percent int) *weights {
	favored := *w
	for side := range favored.of {
		by := 100 + percent
		if board.Color(side) != c {
			by = 100 - percent
		}
		t := new([1 << 16]int16)
		for code, v := range w.of[side] {
			t[code] = int16(max(-1<<15, min(1<<15-1, int(v)*by/100)))
		}
		favored.of[side] = t
	}
	return &favored
}

// cell returns black's points less white's for one empty cell.
func (w *weights) cell(k board.Code) int32 {
	return int32(w.of[board.Black][uint16(k)]) - int32(w.of[board.White][uint16(k>>16)])
}

// onTurn returns the points for what the side to move and its opponent could do next.
func (w *weights) onTurn(b *board.Board) int32 {
	return int32(w.threat[b.Side()&1][b.ThreatMask()])
}

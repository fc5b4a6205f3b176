package eval

import (
	"sync"

	"tengen/brain/board"
)

// Weights set by hand, 2026-11: points for one empty cell where a stone would make
// the pattern in one direction, plus points for the class of the cell. They value
// what could be made, not what stands: a lone stone opens twos on up to 32 cells.
var (
	patternWeight = [16]int16{
		board.OpenOne:    0,
		board.OpenTwo:    2,
		board.OpenTwoA:   3,
		board.OpenTwoB:   3,
		board.ShutThree:  3,
		board.OpenThree:  9,
		board.OpenThreeS: 11,
		board.ShutFour:   9,
		board.OpenFour:   20,
		board.Five:       30,
	}
	classWeight = [16]int16{
		board.MakesTwoTwos:      4,
		board.MakesShutThreeTwo: 6,
		board.MakesThreeTwo:     12,
		board.MakesTwoThrees:    40,
		board.MakesFourPlus:     14,
		board.MakesFourThree:    50,
		board.MakesOpenFour:     30,
	}
)

// Points for trying a move early, by what it makes in one direction and in all. What
// it takes from the opponent counts half.
var (
	patternOrder = [16]int16{
		board.ShutOne: 1, board.OpenOne: 3, board.ShutTwo: 3,
		board.OpenTwo: 9, board.OpenTwoA: 10, board.OpenTwoB: 11, board.ShutThree: 11,
		board.OpenThree: 32, board.OpenThreeS: 36, board.ShutFour: 34, board.OpenFour: 100, board.Five: 200,
	}
	classOrder = [16]int16{
		board.MakesTwo: 4, board.MakesShutThree: 4, board.MakesTwoTwos: 12, board.MakesShutThreeTwo: 16,
		board.MakesThree: 8, board.MakesThreeTwo: 24, board.MakesTwoThrees: 60, board.MakesFour: 4,
		board.MakesFourPlus: 30, board.MakesFourThree: 120, board.MakesOpenFour: 160, board.MakesFive: 300,
	}
)

// Points for what the sides could do next, if there is at least one such cell.
// Order: the strongest that holds first, one of each side.
const (
	tempoMove = 18 // to be on move at all

	ownFourThree = 150 // a four-three or double three that is not proven to win
	ownFourPlus  = 40
	ownFour      = 10
	ownThreeTwo  = 40
	ownThree     = 20

	otherOpenFour  = -100 // has to be answered
	otherFourThree = -60
	otherTwoThrees = -40
	otherFourPlus  = -20
	otherThreeTwo  = -15
	otherThree     = -8
)

// weights are the tables of one rule.
type weights struct {
	of    [2]*[1 << 16]int16 // points by color, by the four patterns of a cell
	order [2]*[1 << 16]int16 // points for playing there early
}

var built [16]struct {
	once sync.Once
	w    *weights
}

// weightsFor returns the tables of r, building them at the first call (about 1 ms).
func weightsFor(r board.Rule) *weights {
	r &^= board.Continuous
	e := &built[r]
	e.once.Do(func() {
		w := new(weights)
		for c := board.Black; c <= board.White; c++ {
			w.of[c] = codeTable(r, c, &patternWeight, &classWeight)
			w.order[c] = codeTable(r, c, &patternOrder, &classOrder)
			if r&board.Renju == 0 {
				w.of[board.White], w.order[board.White] = w.of[board.Black], w.order[board.Black]
				break
			}
		}
		e.w = w
	})
	return e.w
}

// codeTable adds up the points of every combination of four patterns; a cell that
// looks forbidden gets none.
func codeTable(r board.Rule, c board.Color, pattern, class *[16]int16) *[1 << 16]int16 {
	t := new([1 << 16]int16)
	for code := range t {
		k := board.ClassOf(r, c, uint16(code))
		if k == board.MakesFoul {
			continue
		}
		v := class[k]
		for d := 0; d < 16; d += 4 {
			v += pattern[code>>d&15]
		}
		t[code] = v
	}
	return t
}

// cell returns black's points less white's for one empty cell.
func (w *weights) cell(k board.Code) int32 {
	return int32(w.of[board.Black][uint16(k)]) - int32(w.of[board.White][uint16(k>>16)])
}

// tempo returns the points for what side s, who is to move, and its opponent could
// do next.
func (w *weights) tempo(b *board.Board, s board.Color) int32 {
	o := s.Other()
	v := int32(tempoMove)
	if b.Count(s, board.MakesFourThree)+b.Count(s, board.MakesTwoThrees) > 0 {
		v += ownFourThree
	}
	switch {
	case b.Count(s, board.MakesFourPlus) > 0:
		v += ownFourPlus
	case b.Count(s, board.MakesFour) > 0:
		v += ownFour
	}
	switch {
	case b.Count(s, board.MakesThreeTwo) > 0:
		v += ownThreeTwo
	case b.Count(s, board.MakesThree) > 0:
		v += ownThree
	}
	switch {
	case b.Count(o, board.MakesOpenFour) > 0:
		v += otherOpenFour
	case b.Count(o, board.MakesFourThree) > 0:
		v += otherFourThree
	case b.Count(o, board.MakesTwoThrees) > 0:
		v += otherTwoThrees
	}
	if b.Count(o, board.MakesFourPlus) > 0 {
		v += otherFourPlus
	}
	switch {
	case b.Count(o, board.MakesThreeTwo) > 0:
		v += otherThreeTwo
	case b.Count(o, board.MakesThree) > 0:
		v += otherThree
	}
	return v
}

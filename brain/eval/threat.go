package eval

import "tengen/brain/board"

// Bits of a threat mask: what the side to move and its opponent could do next, if
// there is at least one such cell. What threat.StaticWin decides is not among them.
const (
	ownDouble   = 1 << iota // a four-three or two threes, not proven to win
	ownFourPlus             // a four with more
	ownFour                 // a bare four
	ownThreeTwo             // a three with more
	ownThree                // a bare three
	otherOpen               // an open four, which has to be answered
	otherFourThree
	otherThrees
	otherFourPlus
	otherThreeTwo
	otherThree

	maskBits = iota
)

// ThreatMask returns which threats the side to move and its opponent have, in
// 0..Masks-1: the index of Side.Threat.
func ThreatMask(b *board.Board) int {
	s := b.Side()
	o := s.Other()
	return some(b.Count(s, board.MakesFourThree)+b.Count(s, board.MakesTwoThrees))*ownDouble |
		some(b.Count(s, board.MakesFourPlus))*ownFourPlus |
		some(b.Count(s, board.MakesFour))*ownFour |
		some(b.Count(s, board.MakesThreeTwo))*ownThreeTwo |
		some(b.Count(s, board.MakesThree))*ownThree |
		some(b.Count(o, board.MakesOpenFour))*otherOpen |
		some(b.Count(o, board.MakesFourThree))*otherFourThree |
		some(b.Count(o, board.MakesTwoThrees))*otherThrees |
		some(b.Count(o, board.MakesFourPlus))*otherFourPlus |
		some(b.Count(o, board.MakesThreeTwo))*otherThreeTwo |
		some(b.Count(o, board.MakesThree))*otherThree
}

// some returns 1 for n > 0 and 0 for n == 0, without a branch, which would be hard to
// predict.
func some(n int) int { return int(uint64(-n) >> 63) }

package board

// Bits of a threat mask: what the side to move and its opponent could do next, if
// there is at least one such cell. What threat.StaticWin decides is not among them.
const (
	OwnDouble     = 1 << iota // a four-three or two threes, not proven to win
	OwnFourPlus               // a four with more
	OwnFour                   // a bare four
	OwnThreeTwo               // a three with more
	OwnThree                  // a bare three
	OtherOpenFour             // an open four, which has to be answered
	OtherFourThree
	OtherTwoThrees
	OtherFourPlus
	OtherThreeTwo
	OtherThree

	maskBits = iota

	// ThreatMasks is the number of values of Board.ThreatMask.
	ThreatMasks = 1 << maskBits
)

// ThreatMask returns which threats the side to move and its opponent have, as a sum of
// OwnDouble to OtherThree.
func (b *Board) ThreatMask() int {
	s := b.Side()
	o := s.Other()
	return some(b.Count(s, MakesFourThree)+b.Count(s, MakesTwoThrees))*OwnDouble |
		some(b.Count(s, MakesFourPlus))*OwnFourPlus |
		some(b.Count(s, MakesFour))*OwnFour |
		some(b.Count(s, MakesThreeTwo))*OwnThreeTwo |
		some(b.Count(s, MakesThree))*OwnThree |
		some(b.Count(o, MakesOpenFour))*OtherOpenFour |
		some(b.Count(o, MakesFourThree))*OtherFourThree |
		some(b.Count(o, MakesTwoThrees))*OtherTwoThrees |
		some(b.Count(o, MakesFourPlus))*OtherFourPlus |
		some(b.Count(o, MakesThreeTwo))*OtherThreeTwo |
		some(b.Count(o, MakesThree))*OtherThree
}

// some returns 1 for n > 0 and 0 for n == 0, without a branch, which would be hard to
// predict.
func some(n int) int { return int(uint64(-n) >> 63) }

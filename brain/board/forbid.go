package board

// Forbidden reports whether Black may not play the empty cell m under renju: an
// overline, two fours or two threes that can really become open fours. It may play
// and undo stones while it works and leaves b as it found it. False under other
// rules, whoever is to move. The common case is one load; a real pair of threes
// costs a few Play and Undo.
//
// Source: the judge of Piskvork (protocol notes of Gomocup): a five overrides
// everything; a three counts only if black may make the open four.
func (b *Board) Forbidden(m Move) bool {
	if b.points[m%Cells].classes.of(Black) != MakesFoul {
		return false
	}
	threes, sure := b.FoulThrees(m)
	if sure {
		return true
	}

	side := b.side
	if side == White {
		b.Pass()
	}
	b.Play(m)
	real := 0
	for d, three := range threes {
		if three && b.becomesOpenFour(m, d) {
			real++
		}
	}
	b.Undo()
	if side == White {
		b.Undo()
	}
	return real >= 2
}

// FoulThrees tells why the empty cell m, of class MakesFoul, looks forbidden to Black. With sure
// it is forbidden, since a stone there makes an overline or two fours. Else it is if two of the
// threes can really become open fours: those in the directions that are set.
func (b *Board) FoulThrees(m Move) (threes [Directions]bool, sure bool) {
	fours := 0
	for d := range Directions {
		switch b.Pattern(Black, m, d) {
		case Overline:
			return threes, true
		case ClosedFour, OpenFour:
			fours++
		case OpenThree, OpenThreeS:
			threes[d] = true
		}
	}
	return threes, fours >= 2
}

// becomesOpenFour reports whether the three through the stone m in direction d can be made
// an open four by a stone that is neither forbidden nor a five.
func (b *Board) becomesOpenFour(m Move, d int) bool {
	for _, step := range [...]int{steps[d], -steps[d]} {
		e := int(m) + step
		for b.cells[e&(Cells-1)] == Black {
			e += step
		}
		at := Move(e & (Cells - 1))
		if b.cells[at] != Empty || b.Pattern(Black, at, d) != OpenFour {
			continue
		}
		switch b.points[at].classes.of(Black) {
		case MakesOpenFour:
			return true
		case MakesFoul:
			if !b.Forbidden(at) {
				return true
			}
		}
	}
	return false
}

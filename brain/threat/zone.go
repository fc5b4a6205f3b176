package threat

import "tengen/brain/board"

// A zone is the part of the board that a VCF depends on, as it stood before its first
// four with the attacker to move. The claim it rests on:
//
//	A stone of the defender on an empty cell m that lies outside the zone, and makes no
//	four by itself, leaves the VCF a win: the same fours win against the same replies.
//
// So of all moves of the defender, whom the attacker threatens with that VCF, only those
// in the zone and his own fours can hold. Why, step by step of the proof tree, in a
// position P of it and in P+m, the same with the stone on m:
//
//   - The cells where the tree's stones go are in the zone, so m takes none of them.
//   - The attacker's fives are still there: the empty cell of a five and under caro the
//     cells beyond the ends of its row are in the zone, the rest of the row are stones. A
//     stone of the defender makes no row of the attacker longer, so it spoils no five of
//     exactly five.
//   - The defender's replies to a four are no more than before: each reply that is not in
//     the tree left a five open in P, and that five is one of those kept in the zone.
//   - The defender has no five in P+m where he had none in P: such a row would hold m and
//     a reply of the tree (else m were a four by itself), and four of its five cells would
//     be his. addCounterFours puts all such cells into the zone.
//   - Black attacks, renju: a stone of white takes threes and fours from a point of black's
//     and never adds one, so a point that does not look forbidden stays so. For one that
//     looks forbidden and is not, every cell that Forbidden looked at is in the zone.
//   - White attacks, renju: a reply that black may not play stays forbidden for the same
//     reason; a reply that black may play is in the tree.
//
// TestZoneMissesNothing checks the claim at every cell of many positions.
type zone struct {
	cells   board.Set
	replies board.Set // the defender's stones in the tree
}

func (z *zone) add(m board.Move) { z.cells.Add(m) }

// addMove adds the attacker's move m, which is to be played on b.
func (z *zone) addMove(b *board.Board, m board.Move) {
	z.add(m)
	if b.Side() == board.Black && b.Class(board.Black, m) == board.MakesFoul {
		z.addForbidden(b, m)
	}
}

// addReply adds the defender's reply m, which may be forbidden on b.
func (z *zone) addReply(b *board.Board, m board.Move) {
	z.add(m)
	z.replies.Add(m)
	if !b.Legal(m) {
		z.addForbidden(b, m)
	}
}

// addFours adds the fours of the defender, who is to move on b.
func (z *zone) addFours(b *board.Board) {
	var buffer [2 * board.Cells]board.Move
	for _, m := range Fours(b, buffer[:0]) {
		z.add(m)
	}
}

// addFives adds what the fives of c, ready to be made, depend on.
func (z *zone) addFives(b *board.Board, c board.Color) {
	fives := *b.Set(c, board.MakesFive)
	for m := fives.First(); m != board.None; m = fives.First() {
		fives.Remove(m)
		z.add(m)
		if b.Rule()&board.Caro == 0 {
			continue
		}
		for d := range board.Directions {
			if b.Pattern(c, m, d) == board.Five {
				z.addEmpty(b, pastRow(b, c, m, board.Step(d)))
				z.addEmpty(b, pastRow(b, c, m, -board.Step(d)))
			}
		}
	}
}

func (z *zone) addEmpty(b *board.Board, m board.Move) {
	if b.Cell(m) == board.Empty {
		z.add(m)
	}
}

// addLines adds the empty cells that a pattern of m can depend on.
func (z *zone) addLines(b *board.Board, m board.Move) {
	for d := range board.Directions {
		for i := -board.Pad; i <= board.Pad; i++ {
			z.addEmpty(b, board.Move(int(m)+i*board.Step(d)))
		}
	}
}

// addForbidden adds the empty cells that Forbidden looks at to judge m: the lines of m,
// and if threes decide, those of the cells where they may become open fours.
func (z *zone) addForbidden(b *board.Board, m board.Move) {
	z.addLines(b, m)
	if b.Class(board.Black, m) != board.MakesFoul {
		return
	}
	threes, sure := b.FoulThrees(m)
	if sure {
		return
	}
	white := b.Side() == board.White
	if white {
		b.Pass()
	}
	b.Play(m)
	for d, three := range threes {
		if !three {
			continue
		}
		for _, step := range [2]int{board.Step(d), -board.Step(d)} {
			at := pastRow(b, board.Black, m, step)
			if b.Cell(at) != board.Empty {
				continue
			}
			if b.Pattern(board.Black, at, d) == board.OpenFour {
				z.addForbidden(b, at)
			} else {
				z.addLines(b, at)
			}
		}
	}
	b.Undo()
	if white {
		b.Undo()
	}
}

// addCounterFours adds the cells where a stone of the defender, together with his replies
// in the tree, would leave him one stone from a five. B is the position before the first
// four, the attacker to move.
func (z *zone) addCounterFours(b *board.Board) {
	o := b.Side().Other()
	replies := z.replies
	for r := replies.First(); r != board.None; r = replies.First() {
		replies.Remove(r)
		for d := range board.Directions {
			step := board.Step(d)
			for i := -4; i <= 0; i++ {
				first := int(r) + i*step
				if !z.nearFive(b, o, first, step) {
					continue
				}
				for at := first; at != first+5*step; at += step {
					z.addEmpty(b, board.Move(at))
				}
			}
		}
	}
}

// nearFive reports whether the defender o may come to lack two stones or less for a five in the
// five cells from first on, in steps of step: at least three of them hold his stones or are
// replies of the tree, the others are empty.
func (z *zone) nearFive(b *board.Board, o board.Color, first, step int) bool {
	own := 0
	for at := first; at != first+5*step; at += step {
		m := board.Move(at)
		switch c := b.Cell(m); {
		case c == o || c == board.Empty && z.replies.Has(m):
			own++
		case c != board.Empty:
			return false
		}
	}
	return own >= 3
}

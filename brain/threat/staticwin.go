// Package threat proves forced wins: static wins, which need no search, and wins by
// continuous fours (VCF) and by continuous threats (VCT). It also lists the replies that
// can stop a threat. Every claim is sound under every rule; what is not proved is unknown.
package threat

import "tengen/brain/board"

// StaticWin returns what is already decided for the side to move: n > 0 if it wins with
// its n-th ply from now at the latest (1, 3 or 5), n < 0 if the opponent completes a
// five with the -n-th ply (2), 0 if nothing is known. It may play and undo stones
// while it works. A few loads when no side threatens anything.
//
// Why each claim holds, S to move, O the opponent. Lines of different directions
// share only the cell they cross in, so one stone spoils patterns of one line only.
//   - S has a cell that makes five: 1.
//   - O has two such cells: S stops one of them: -2. Under caro only if no stone caps or
//     takes both. Or one, and S may not play there.
//   - S can make an open four or two fours, O has no five: 3. Or a four that O may not
//     answer, since the point is forbidden.
//   - S can make a four and an open three, and O's answer to the four makes no four
//     itself: then S makes the open four: 5.
//   - S can make two open threes and no reply of O makes a four: 5.
func StaticWin(b *board.Board) int {
	s := b.Side()
	o := s.Other()
	switch fives := b.Count(o, board.MakesFive); {
	case b.Count(s, board.MakesFive) > 0:
		return 1
	case fives >= 2 && (b.Rule()&board.Caro == 0 || !stopsFives(b)):
		return -2
	case fives == 1 && s == board.Black && b.Forbidden(b.Set(o, board.MakesFive).First()):
		return -2
	case fives > 0:
		return 0
	}
	if b.Count(s, board.MakesOpenFour) > 0 {
		return 3
	}
	if s == board.White && b.Count(o, board.MakesFoul) > 0 && forbiddenAnswer(b) {
		return 3
	}
	if b.Empties() < 5 {
		return 0
	}
	fourThrees, twoThrees := b.Count(s, board.MakesFourThree), b.Count(s, board.MakesTwoThrees)
	if fourThrees == 0 && twoThrees == 0 {
		return 0
	}
	fourless := noFours(b, o)
	if fourless && twoThrees > 0 {
		return 5
	}
	if fourThrees > 0 {
		// Black in renju has to have a legal open four afterwards.
		if fourless && (b.Rule()&board.Renju == 0 || s == board.White) {
			return 5
		}
		if fourThreeWins(b, s) {
			return 5
		}
	}
	return 0
}

// forbiddenAnswer reports whether White, to move in renju, has a four that Black may not
// answer. Black can make no five.
func forbiddenAnswer(b *board.Board) bool {
	const most = 8 // more are left to the search
	tried := 0
	for k := board.MakesFour; k <= board.MakesFourThree; k++ {
		if b.Count(board.White, k) == 0 {
			continue
		}
		fours := *b.Set(board.White, k)
		for m := fours.First(); m != board.None && tried < most; m = fours.First() {
			fours.Remove(m)
			tried++
			a := fourAnswer(b, board.White, m)
			if a == board.None || b.Class(board.Black, a) != board.MakesFoul {
				continue
			}
			b.Play(m)
			wins := b.Forbidden(a)
			b.Undo()
			if wins {
				return true
			}
		}
	}
	return false
}

// stopsFives reports whether under caro one move of the side to move stops all fives that
// the opponent threatens.
func stopsFives(b *board.Board) bool {
	o := b.Side().Other()
	var buffer [32]board.Move
	for _, m := range FiveBlocks(b, buffer[:0]) {
		b.Play(m)
		stopped := b.Count(o, board.MakesFive) == 0
		b.Undo()
		if stopped {
			return true
		}
	}
	return false
}

// noFours reports whether c, who cannot make a five, cannot make a four either. A cell that
// only looks forbidden may make one.
func noFours(b *board.Board, c board.Color) bool {
	return b.Count(c, board.MakesOpenFour) == 0 && b.Count(c, board.MakesFourThree) == 0 &&
		b.Count(c, board.MakesFourPlus) == 0 && b.Count(c, board.MakesFour) == 0 &&
		b.Count(c, board.MakesFoul) == 0
}

// fourThreeWins reports whether one of the four-three cells of s, who is to move,
// still leads to an open four after every answer to the four.
func fourThreeWins(b *board.Board, s board.Color) bool {
	const most = 8 // more are left to the search
	cells := *b.Set(s, board.MakesFourThree)
	for i, m := 0, cells.First(); m != board.None && i < most; i, m = i+1, cells.First() {
		cells.Remove(m)
		b.Play(m)
		wins := true
		var answers [16]board.Move
		for _, a := range FiveBlocks(b, answers[:0]) {
			if !b.Legal(a) {
				continue
			}
			b.Play(a)
			wins = b.Count(s, board.MakesFive) > 0 ||
				b.Count(s.Other(), board.MakesFive) == 0 && b.Count(s, board.MakesOpenFour) > 0
			b.Undo()
			if !wins {
				break
			}
		}
		b.Undo()
		if wins {
			return true
		}
	}
	return false
}

package level

import (
	"math/rand/v2"

	"tengen/brain/board"
	"tengen/brain/play"
)

// A bot plays by a rule of a few lines, as a beginner's first program does. Levels are measured against
// three of them.
type bot struct {
	name string
	move func(b *board.Board, r *rand.Rand) board.Move
}

var bots = [...]bot{
	{"extends its own rows", extends},
	{"blocks most threes", func(b *board.Board, r *rand.Rand) board.Move { return blocks(b, r, 75, false) }},
	{"blocks nearly everything", func(b *board.Board, r *rand.Rand) board.Move { return blocks(b, r, 100, true) }},
}

// anyOf returns a random legal cell of those where a stone of c makes one of the classes, the first
// class first; None if there is none.
func anyOf(b *board.Board, r *rand.Rand, c board.Color, classes ...board.Class) board.Move {
	for _, k := range classes {
		cells := b.Set(c, k).Append(nil)
		for _, i := range r.Perm(len(cells)) {
			if b.Legal(cells[i]) {
				return cells[i]
			}
		}
	}
	return board.None
}

// extends completes a five, or else lengthens the longest row that has room for one. It never looks at
// the stones of the opponent.
func extends(b *board.Board, r *rand.Rand) board.Move {
	s := b.Side()
	if m := anyOf(b, r, s, board.MakesFive); m != board.None {
		return m
	}
	best, top := play.AnyMove(b), -1
	if b.Ply() == 0 {
		return best
	}
	for _, m := range b.Open().Append(nil) {
		if !b.Legal(m) {
			continue
		}
		for d := range board.Directions {
			own, room := 1, 1
			for _, step := range []int{board.Step(d), -board.Step(d)} {
				at := int(m) + step
				for ; b.Cell(board.Move(at)) == s; at += step {
					own++
					room++
				}
				for i := 0; i < 4 && b.Cell(board.Move(at)) == board.Empty; i++ {
					room++
					at += step
				}
			}
			if room < 5 {
				own = 0
			}
			if v := own*1000 + r.IntN(1000); v > top {
				best, top = m, v
			}
		}
	}
	return best
}

// blocks stops fives, a percentage of the open threes and, if doubles is true, the cells where two
// threats would arise at once, and makes its own first. Otherwise it extends its rows.
func blocks(b *board.Board, r *rand.Rand, percent int, doubles bool) board.Move {
	s, o := b.Side(), b.Side().Other()
	for _, c := range []board.Color{s, o} {
		if m := anyOf(b, r, c, board.MakesFive); m != board.None {
			return m
		}
	}
	if m := anyOf(b, r, s, board.MakesOpenFour); m != board.None {
		return m
	}
	if r.IntN(100) < percent {
		if m := anyOf(b, r, o, board.MakesOpenFour); m != board.None {
			return m
		}
	}
	if doubles {
		for _, c := range []board.Color{s, o} {
			if m := anyOf(b, r, c, board.MakesFourThree, board.MakesTwoThrees); m != board.None {
				return m
			}
		}
	}
	return extends(b, r)
}

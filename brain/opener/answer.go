package opener

import (
	"tengen/brain/board"
	"tengen/brain/opening"
	"tengen/brain/score"
)

// decide returns the next decisions of the player whose turn it is, at least one.
func (c *chooser) decide() []opening.Choice {
	step := c.state.Step()
	switch {
	case step.Can(opening.Pick):
		return []opening.Choice{{Action: opening.Pick, Move: c.worst()}}
	case step.Can(opening.Offer):
		return offer(c.fifths(step.Left, 1))
	case step.Can(opening.Declare):
		var n int
		if len(c.state.Stones()) == 3 {
			n, _ = c.number(1)
		} else {
			n, _ = nearestToZero(c.fifths(opening.MostSoosyrv, 1))
		}
		return []opening.Choice{{Action: opening.Declare, Number: n}}
	case step.Can(opening.Put):
		return c.stones(&step)
	}
	return c.answer()
}

// answer decides whether to swap, or on the other actions of the step.
func (c *chooser) answer() []opening.Choice {
	var (
		swap = opening.Choice{Action: opening.DoSwap}
		stay = opening.Choice{Action: opening.Stay}
	)
	stones := len(c.state.Stones())
	switch rule := c.state.Rule(); {
	case rule == opening.Swap2 && stones == 3:
		return c.answerThree()

	// White puts a fourth stone, black offers fifth moves.
	case rule == opening.RIF, rule == opening.Yamaguchi:
		if best := c.fourth(c.offers(), 1); best.value >= 0 {
			return append([]opening.Choice{stay}, puts(best.move)...)
		}
		return []opening.Choice{swap}

	// Who stays puts a fourth stone and a number so that the colors are equal, since the
	// other then chooses one.
	case rule == opening.Soosyrv8 && stones == 3:
		if best, n := c.evenFourth(1); best.value <= even {
			return []opening.Choice{stay, {Action: opening.Put, Move: best.move}, {Action: opening.Declare, Number: n}}
		}
		return []opening.Choice{swap}

	case rule == opening.Soosyrv8:
		n := c.state.Declared()
		list := c.fifths(n, 1)
		if list[len(list)-1].value >= 0 {
			return append([]opening.Choice{stay}, offer(list)...)
		}
		return []opening.Choice{swap}

	// Any of the first three stones can still lead to an even game.
	case rule == opening.Taraguchi10 && stones < 4:
		return []opening.Choice{stay}

	case rule == opening.Taraguchi10 && stones == 4:
		list := c.fifths(10, 2)
		if len(list) == 10 && list[9].value > tenWorth {
			return append([]opening.Choice{{Action: opening.Ten}}, offer(list)...)
		}
		if m, off := c.evenFifth(2); off <= even {
			return append([]opening.Choice{stay}, puts(m)...)
		}
		return []opening.Choice{swap}
	}
	// Ordinary moves follow.
	v, m := c.search(1)
	c.best = m
	if v < 0 {
		return []opening.Choice{swap}
	}
	return []opening.Choice{stay}
}

// answerThree decides on the three stones of swap2. A side that is clearly better is taken. If
// neither is, it puts two more stones that keep the game as even, since the other player chose
// the three stones and may know them well.
func (c *chooser) answerThree() []opening.Choice {
	v, m := c.search(2)
	c.best = m
	taken := []opening.Choice{{Action: opening.Stay}}
	if v < 0 {
		taken[0].Action = opening.DoSwap
	}
	if v.Abs() > even || c.b.Empties() < 3 {
		return taken
	}
	best := []candidate{{off: even}}
	for i := 0; i < pairsSearched && !c.Budget.Over(); i++ {
		// White's stone near the others, black's where a search puts it.
		white := c.randomNear()
		if white == board.None {
			break
		}
		black := board.None
		c.after([]board.Move{white}, func() { _, black = c.search(4 * pairsSearched) })
		if black == white || c.b.Cell(black) != board.Empty {
			continue
		}
		keep(best, candidate{[3]board.Move{white, black}, c.valueAfter([]board.Move{white, black}, 4*pairsSearched).Abs()})
	}
	if best[0].off < even/2 && len(c.notes) == 0 {
		return append([]opening.Choice{{Action: opening.Two}}, puts(best[0].moves[:2]...)...)
	}
	return taken
}

// worst returns the offer that is worst for black.
func (c *chooser) worst() board.Move {
	offers := c.state.Offers()
	best := valuedMove{offers[0], -score.Win}
	for _, m := range offers {
		if v := c.valueAfter([]board.Move{m}, len(offers)); v > best.value {
			best = valuedMove{m, v}
		}
	}
	return best.move
}

// offer returns the choices that offer the moves.
func offer(list []valuedMove) []opening.Choice {
	var choices []opening.Choice
	for _, v := range list {
		choices = append(choices, opening.Choice{Action: opening.Offer, Move: v.move})
	}
	return choices
}

// fifths lists the n best fifth moves of black in the position of c.b, the best first, of
// which no two are mirror images, of each other or of what has been offered. It uses
// 1/parts of the budget. White will pick the last, so its value is that of the offer. There
// are fewer only if fewer cells are left.
func (c *chooser) fifths(n, parts int) []valuedMove {
	stones := c.b.Moves()
	w, h := c.b.Width(), c.b.Height()
	list := make([]valuedMove, 0, n)
	add := func(v valuedMove) {
		same := func(m board.Move) bool { return opening.Symmetric(stones, m, v.move, w, h) }
		for _, o := range c.state.Offers() {
			if same(o) {
				return
			}
		}
		for _, o := range list {
			if same(o.move) {
				return
			}
		}
		if len(list) < n {
			list = append(list, v)
		}
	}
	wanted := min(n, mostLines) + len(c.state.Offers())
	for s := 1; s < board.SymmetriesOf(w, h); s++ {
		// In a position that is its own mirror image each move stands twice, except on the axis.
		if m := board.Transform(board.At(1, 0), s, w, h); opening.Symmetric(stones, board.At(1, 0), m, w, h) {
			wanted *= 2
			break
		}
	}
	for _, v := range c.lines(wanted, parts) {
		add(v)
	}
	rest := c.b.Candidates() // near the stones
	for _, cells := range []board.Set{rest, *c.b.Open()} {
		for _, m := range cells.Append(nil) {
			if len(list) < n && c.b.Legal(m) {
				add(valuedMove{m, -score.WinFloor})
			}
		}
	}
	return list
}

// fourth returns the best fourth move of white if black then offers n fifth moves, and its
// value for white. It uses 1/parts of the budget.
func (c *chooser) fourth(n, parts int) valuedMove {
	parts *= fourths + 1
	best := valuedMove{value: -score.Win - 1}
	for m := range untilOver(c, c.lines(fourths, parts)) {
		c.after([]board.Move{m.move}, func() {
			list := c.fifths(n, parts)
			if v := -list[len(list)-1].value; v > best.value {
				best = valuedMove{m.move, v}
			}
		})
	}
	return best
}

// evenFourth returns a fourth move of white with a number of fifth moves under Soosyrv-8 that
// leave the colors as equal as possible, and how far from equal, which is not negative. It
// uses 1/parts of the budget.
func (c *chooser) evenFourth(parts int) (best valuedMove, number int) {
	best = valuedMove{value: score.Win + 1}
	const others = 2 // drawn at random, since all of white's best moves may be too good
	parts *= fourths + others + 1
	moves := c.lines(fourths, parts)
	for range others {
		if m := c.randomNear(); m != board.None {
			moves = append(moves, valuedMove{move: m})
		}
	}
	for m := range untilOver(c, moves) {
		c.after([]board.Move{m.move}, func() {
			if n, off := nearestToZero(c.fifths(opening.MostSoosyrv, parts)); off < best.value {
				best, number = valuedMove{m.move, off}, n
			}
		})
	}
	return best, number
}

// number returns the number of fifth moves under Yamaguchi, of the plausible ones, that leaves
// the colors most equal, and how far from equal. White will put the fourth stone that suits him
// best for the number. It uses 1/parts of the budget.
func (c *chooser) number(parts int) (int, score.Value) {
	const most = 12
	parts *= fourths + 1
	var worst []valuedMove
	for m := range untilOver(c, c.lines(fourths, parts)) {
		c.after([]board.Move{m.move}, func() {
			for i, f := range c.fifths(most, parts) {
				if i == len(worst) {
					worst = append(worst, f)
				}
				worst[i].value = min(worst[i].value, f.value)
			}
		})
	}
	return nearestToZero(worst)
}

// nearestToZero returns the place, from 1, of the value nearest to even, and how far from
// even it is.
func nearestToZero(list []valuedMove) (int, score.Value) {
	best := 0
	for i, v := range list {
		if v.value.Abs() < list[best].value.Abs() {
			best = i
		}
	}
	return best + 1, list[best].value.Abs()
}

// evenFifth returns the fifth move of Taraguchi-10, one that anyone may swap after, that
// leaves the colors most equal, and how far from equal. It uses 1/parts of the budget.
func (c *chooser) evenFifth(parts int) (board.Move, score.Value) {
	state := c.state.Clone()
	if step := state.Step(); step.Can(opening.Stay) {
		state.Apply(opening.Choice{Action: opening.Stay})
	}
	step := state.Step()
	return c.mostEven(step.Cells.Append(nil), parts)
}

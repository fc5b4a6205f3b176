package opener

import (
	"cmp"
	"slices"

	"tengen/brain/board"
	"tengen/brain/internal/random"
	"tengen/brain/opening"
	"tengen/brain/score"
)

// stones returns the next stones of the player whose turn it is, at least one, and with
// them the number that he declares.
func (c *chooser) stones(step *opening.Step) []opening.Choice {
	have := len(c.state.Stones())
	cells := step.Cells.Append(nil)
	switch rule := c.state.Rule(); rule {
	case opening.Swap, opening.Swap2:
		if have == 0 {
			m := c.propose()
			return puts(m[:]...)
		}
		m, _ := c.mostEven(cells, 1) // the first stones were put by someone else
		return puts(m)
	case opening.Pro, opening.LongPro:
		if have == 0 {
			return puts(c.any(cells))
		}
		return puts(c.strongest(cells))
	case opening.Taraguchi10:
		switch have {
		case 0, 1:
			return puts(c.any(cells))
		case 2:
			random.Shuffle(&c.Random, cells, len(cells))
			m, _ := c.mostEven(cells[:thirds], 1)
			return puts(m)
		case 3:
			return puts(c.fourthOfTen(cells))
		}
		m, _ := c.mostEven(cells, 1)
		return puts(m)
	}
	if have < 3 {
		return c.renjuOpening()
	}
	if c.state.Rule() == opening.Soosyrv8 {
		best, n := c.evenFourth(1)
		return append(puts(best.move), opening.Choice{Action: opening.Declare, Number: n})
	}
	return puts(c.fourth(c.offers(), 1).move)
}

// puts returns the choices that put the stones.
func puts(stones ...board.Move) []opening.Choice {
	var list []opening.Choice
	for _, m := range stones {
		list = append(list, opening.Choice{Action: opening.Put, Move: m})
	}
	return list
}

// offers returns the number of fifth moves that will be offered under RIF and Yamaguchi.
func (c *chooser) offers() int {
	if c.state.Rule() == opening.RIF {
		return 2
	}
	return c.state.Declared()
}

// any returns a random one of the cells.
func (c *chooser) any(cells []board.Move) board.Move { return cells[c.Random.Below(len(cells))] }

// randomNear returns a random legal cell within two of a stone, or None if none is found soon.
func (c *chooser) randomNear() board.Move {
	for range 100 {
		m := c.b.Move(c.Random.Below(c.b.Ply()))
		x, y := m.X()+c.Random.Below(5)-2, m.Y()+c.Random.Below(5)-2
		if c.b.On(x, y) && c.b.Legal(board.At(x, y)) {
			return board.At(x, y)
		}
	}
	return board.None
}

// sift returns the first of cells by rising value, which is asked for with 1/parts of
// the budget and more precise for the few best: a search of each with half of it, and of
// the best again with the other half. Cells must not be empty.
func (c *chooser) sift(cells []board.Move, parts int, value func(m board.Move, parts int) score.Value) valuedMove {
	list := make([]valuedMove, len(cells))
	for i, m := range cells {
		list[i] = valuedMove{m, score.Win + 1}
		if i == 0 || !c.Budget.Over() {
			list[i].value = value(m, 2*parts*len(cells))
		}
	}
	slices.SortStableFunc(list, func(a, b valuedMove) int { return cmp.Compare(a.value, b.value) })
	best := valuedMove{list[0].move, score.Win + 1}
	for v := range untilOver(c, list[:min(len(list), secondSearched)]) {
		if v.value = value(v.move, 2*parts*secondSearched); v.value < best.value {
			best = v
		}
	}
	return best
}

// mostEven returns the cell, near the stones if there is one, that leaves the colors most
// equal, and how far from equal.
func (c *chooser) mostEven(cells []board.Move, parts int) (board.Move, score.Value) {
	best := c.sift(c.nearStones(cells), parts, func(m board.Move, parts int) score.Value {
		return c.valueAfter([]board.Move{m}, parts).Abs()
	})
	return best.move, best.value
}

// strongest returns the cell that is best for the side to move.
func (c *chooser) strongest(cells []board.Move) board.Move {
	return c.sift(c.nearStones(cells), 1, func(m board.Move, parts int) score.Value {
		return c.valueAfter([]board.Move{m}, parts)
	}).move
}

// nearStones returns the cells that lie near a stone, or all of them if none does.
func (c *chooser) nearStones(cells []board.Move) []board.Move {
	near := c.b.Candidates()
	list := slices.DeleteFunc(slices.Clone(cells), func(m board.Move) bool { return !near.Has(m) || !c.b.Legal(m) })
	if len(list) == 0 {
		return cells
	}
	return list
}

// fourthOfTen returns the fourth stone of Taraguchi-10: one after which the tenth best fifth
// move is of no use to black, so that he has to put one that leaves the colors equal.
func (c *chooser) fourthOfTen(cells []board.Move) board.Move {
	cells = c.nearStones(cells)
	random.Shuffle(&c.Random, cells, len(cells))
	cells = cells[:min(fourths, len(cells))]
	best := valuedMove{cells[0], score.Win + 1}
	for m := range untilOver(c, cells) {
		c.after([]board.Move{m}, func() {
			list := c.fifths(10, len(cells))
			if v := max(list[len(list)-1].value, 0); v < best.value {
				best = valuedMove{m, v}
			}
		})
	}
	return best.move
}

// renjuOpening returns the stones that complete one of the 26 openings, beginning with what lies
// on the board, and under Yamaguchi the number of fifth moves: the most equal of a few openings
// drawn at random. Under Soosyrv-8 one is as good as another, since the fourth stone and the
// number of fifth moves will make the colors equal.
func (c *chooser) renjuOpening() []opening.Choice {
	have := c.state.Stones()
	step := c.state.Step()
	first := c.any(step.Cells.Append(nil))
	if len(have) > 0 {
		first = have[0]
	}
	var ways [][]board.Move
	for _, n := range opening.Openings() {
		var fits [][]board.Move
		for s := range board.Symmetries {
			if stones := n.About(first, s); slices.Equal(stones[:len(have)], have) {
				fits = append(fits, stones[len(have):])
			}
		}
		if len(fits) > 0 {
			ways = append(ways, fits[c.Random.Below(len(fits))])
		}
	}
	n := min(openings, len(ways))
	random.Shuffle(&c.Random, ways, n)
	if c.state.Rule() == opening.Soosyrv8 {
		return puts(ways[0]...)
	}
	best, least := puts(ways[0]...), score.Win+1
	for way := range untilOver(c, ways[:n]) {
		c.after(way, func() {
			choices, off := puts(way...), score.Win
			if c.state.Rule() == opening.Yamaguchi {
				var number int
				number, off = c.number(n)
				choices = append(choices, opening.Choice{Action: opening.Declare, Number: number})
			} else {
				off = c.fourth(2, n).value.Abs()
			}
			if off < least {
				best, least = choices, off
			}
		})
	}
	return best
}

package level

import (
	"slices"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/random"
	"tengen/brain/play"
	"tengen/brain/score"
	"tengen/brain/search"
	"tengen/brain/threat"
)

// A chooser chooses a move without search and may overlook threats.
type chooser struct {
	level
	b      *board.Board
	eval   eval.Evaluator
	random random.Source
	seed   uint64        // decides which lines are not seen
	last   [2]board.Move // the last stone of each side, where the eyes are

	restrict *search.Restrictions // of the moves; nil for none
}

// moves lists the moves that are considered. They are forced if they make or stop a five.
func (c *chooser) moves() (list []board.Move, forced bool) {
	b := c.b
	s, o := b.Side(), b.Side().Other()
	legal := func(all []board.Move) (list []board.Move) {
		for _, m := range all {
			if b.Legal(m) && c.restrict.Allows(b, m) {
				list = append(list, m)
			}
		}
		return list
	}
	if fives := legal(b.Set(s, board.MakesFive).Append(nil)); len(fives) > 0 {
		return fives, true
	}
	if open := b.Count(o, board.MakesFive); open > 0 {
		// Under caro some of the cells do not stop what they would if it were one shorter.
		list = slices.DeleteFunc(legal(threat.FiveBlocks(b, nil)), func(m board.Move) bool {
			b.Play(m)
			defer b.Undo()
			return b.Count(o, board.MakesFive) >= open
		})
		if len(list) > 0 {
			return list, true
		}
	}
	all := legal(b.Open().Append(nil))
	for distance := farthestStatic; distance <= farthest; distance++ {
		for _, m := range all {
			if play.Near(b, m, distance) {
				list = append(list, m)
			}
		}
		if len(list) > 0 {
			return list, false
		}
	}
	if m := play.AnyMove(b); slices.Contains(all, m) {
		return []board.Move{m}, false
	}
	return all[:min(len(all), 1)], false
}

// about returns a random error of up to n, either way.
func (c *chooser) about(n score.Value) score.Value { return score.Value(c.random.About(int(n))) }

// best returns the move with the best value, random error included, and its value without.
func (c *chooser) best(moves []board.Move) (best board.Move, worth score.Value) {
	top := belowAll
	for _, m := range moves {
		w := c.worth(m)
		v := w
		if !w.Proven() {
			v += c.about(c.level.noise)
		}
		if v > top {
			best, top, worth = m, v, w
		}
	}
	return best, worth
}

// worth returns the value of the legal move m for the side to move.
func (c *chooser) worth(m board.Move) score.Value {
	b := c.b
	s, o := b.Side(), b.Side().Other()
	switch k := b.Class(s, m); {
	case k == board.MakesFive:
		return score.WinIn(1)
	case k == board.MakesOpenFour && b.Count(o, board.MakesFive) == 0 && c.sees(s, m):
		return score.WinIn(3)
	}
	c.play(m)
	defer c.undo()
	if b.Count(s, board.MakesFive) > 0 {
		// A four: the answer is forced.
		for _, a := range threat.FiveBlocks(b, nil) {
			if b.Legal(a) {
				c.play(a)
				defer c.undo()
				return score.Value(c.eval.Value())
			}
		}
	}
	open := b.Set(o, board.MakesOpenFour).Append(nil)
	for _, m := range open {
		if c.sees(o, m) {
			return score.LossIn(4)
		}
	}
	return -score.Value(c.eval.Value())
}

func (c *chooser) play(m board.Move) {
	c.b.Play(m)
}

func (c *chooser) undo() {
	c.b.Undo()
	c.eval.Undone()
}

// sees reports whether the open four that side could make on m is noticed. A line is seen or
// overlooked as a whole; lines far from the last stones, diagonal ones and those with a gap are
// overlooked more often.
func (c *chooser) sees(side board.Color, m board.Move) bool {
	for d := range board.Directions {
		if p := c.b.Pattern(side, m, d); p != board.OpenFour && p != board.ClosedFour {
			continue
		}
		missedThrees := c.level.missedThrees
		if d == board.Falling || d == board.Rising {
			missedThrees += missedThrees / missedMore
		}
		step := board.Move(board.Step(d))
		if c.b.Cell(m+step) == side && c.b.Cell(m-step) == side {
			missedThrees += missedThrees / missedMore
		}
		line := [...]int{board.Horizontal: m.Y(), board.Vertical: m.X(), board.Falling: m.X() - m.Y(), board.Rising: m.X() + m.Y()}[d]
		missedThrees = min(missedThrees*(1+min(c.away(m), glance))/seenWell, mostMissed)
		if int(board.Mix(c.seed+uint64(line*8+d*2)+uint64(side))>>1%permille) >= missedThrees {
			return true
		}
	}
	return false
}

// away returns how far m lies from the nearer of the last stones, in king moves.
func (c *chooser) away(m board.Move) int {
	least := board.MaxSize
	for _, last := range c.last {
		if last != board.None {
			least = min(least, max(m.X()-last.X(), last.X()-m.X(), m.Y()-last.Y(), last.Y()-m.Y()))
		}
	}
	return least
}

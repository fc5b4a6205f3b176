package brain

import (
	"context"
	"slices"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/search"
	"tengen/brain/threat"
)

// A level describes a player of less than full strength. It either runs a small search and
// chooses among the best lines, or evaluates every near cell once and overlooks some of the
// lines. Its mistakes are meant to be human: an overlooked threat, a line not searched far
// enough, the second best move instead of the best.
type level struct {
	strength     int          // percent, the key of the table
	nodes        int64        // of a search, for each worker: what helpers add is not strength of the first
	lines        int          // best lines a search compares
	noise        search.Value // the greatest random error of a value, either way
	unsearched   int          // of 1000 moves that are not forced: made without search
	missedThrees int          // of 1000 lines with an open three: overlooked without search
	missedFours  int          // of 1000 fives and fours: overlooked; strength 0 only
}

// levels are the parameters of ten levels, strength = 100*(level-1)/9. Strengths in between
// are interpolated; full strength itself has no limits. Set 2026-11 by matches of every level
// against the one two below.
var levels = [...]level{
	{strength: 0, nodes: 0, lines: 1, noise: 160, unsearched: 1000, missedThrees: 850, missedFours: 120},
	{strength: 11, nodes: 0, lines: 1, noise: 90, unsearched: 1000, missedThrees: 450},
	{strength: 22, nodes: 0, lines: 1, noise: 80, unsearched: 1000, missedThrees: 330},
	{strength: 33, nodes: 400, lines: 4, noise: 50, unsearched: 600, missedThrees: 120},
	{strength: 44, nodes: 900, lines: 4, noise: 40, unsearched: 300, missedThrees: 100},
	{strength: 56, nodes: 2000, lines: 3, noise: 30, unsearched: 140, missedThrees: 80},
	{strength: 67, nodes: 4500, lines: 3, noise: 20, unsearched: 70, missedThrees: 60},
	{strength: 78, nodes: 12000, lines: 2, noise: 12, unsearched: 30, missedThrees: 40},
	{strength: 89, nodes: 30000, lines: 2, noise: 5, unsearched: 0, missedThrees: 0},
	{strength: 100, nodes: 100000, lines: 2, noise: 0, unsearched: 0, missedThrees: 0},
}

// levelOf returns the level of a strength of 0..FullStrength. Only strength 0 overlooks fours.
func levelOf(strength int) level {
	i := 1
	for levels[i].strength < strength {
		i++
	}
	a, b := levels[i-1], levels[i]
	part := func(x, y int) int { return x + (y-x)*(strength-a.strength)/(b.strength-a.strength) }
	l := level{
		strength:     strength,
		nodes:        int64(part(int(a.nodes), int(b.nodes))),
		lines:        part(a.lines, b.lines),
		noise:        search.Value(part(int(a.noise), int(b.noise))),
		unsearched:   part(a.unsearched, b.unsearched),
		missedThrees: part(a.missedThrees, b.missedThrees),
	}
	if strength == 0 {
		l.missedFours = a.missedFours
	}
	return l
}

// What levels share. Set by hand 2026-11.
const (
	leastNodes = 400 // enough to search every root move of a few lines once
	permille   = 1000
	missedMore = 4 // divisor: a diagonal line, and one with a gap, is overlooked more often by 1/n

	belowAll search.Value = -1 << 20 // less than every value with its error
)

// farthest is the greatest distance in king moves of a move from the nearest stone. Without search
// it is farthestStatic if there is a move as near.
const (
	farthest       = 3
	farthestStatic = 2
)

// A chance is a random number generator, splitmix64. Its numbers depend on the seed alone.
type chance uint64

func (c *chance) next() uint64 {
	*c += board.Golden
	return board.Mix(uint64(*c))
}

// below returns a number in 0..n-1.
func (c *chance) below(n int) int { return int(c.next() >> 1 % uint64(n)) }

// about returns a number in -n..n, small ones more often.
func (c *chance) about(n search.Value) search.Value {
	return search.Value(c.below(int(n)+1) - c.below(int(n)+1))
}

// Seed makes games at less than full strength repeatable: in those started from now on the
// same course of a game gets the same moves, unless time limits decide. With 0, the default,
// every game has a seed of its own.
func (e *Engine) Seed(n uint64) { e.fixed = n }

// thinkAtLevel chooses a move as a player of less than full strength, within the limits l. It
// returns None if there is no legal move. The infos describe the move, or as many lines as l
// asks for. The same course of a game, takebacks included, gets the same moves, unless time limits
// decide: what the hash table has from earlier searches counts.
func (e *Engine) thinkAtLevel(ctx context.Context, strength int, l search.Limits) (m board.Move, infos []Info, notes []string) {
	b := e.board
	g := staticChooser{
		level: levelOf(strength), b: b, eval: e.config.Evaluation.Tables(b),
		chance: chance(board.Mix(e.seed ^ b.Hash())), restrict: l.Restrict,
	}
	g.missesFours = g.chance.below(permille) < g.level.missedFours
	g.seed = g.chance.next()
	unsearched := g.chance.below(permille) < g.level.unsearched

	moves, forced := g.moves()
	if len(moves) == 0 {
		return board.None, nil, nil
	}
	if !forced && !unsearched && g.level.nodes > 0 || l.Lines > 1 {
		m, infos, notes = e.searchAtLevel(ctx, &g, l)
	}
	if m == board.None {
		var v search.Value
		m, v = g.best(moves)
		if len(infos) == 0 {
			infos = []Info{{Lines: 1, Depth: 1, SelDepth: 1, Score: v, Nodes: int64(len(moves)), PV: []board.Move{m}}}
		}
	}
	return m, infos, notes
}

// searchAtLevel searches and chooses one of the best lines, of those that l asks for if it does for
// several. The move is None if none of them is near a stone.
func (e *Engine) searchAtLevel(ctx context.Context, g *staticChooser, l search.Limits) (m board.Move, infos []Info, notes []string) {
	several := l.Lines > 1
	if !several {
		l.Lines = min(g.level.lines, e.board.Empties())
	}
	nodes := e.each(max(g.level.nodes, leastNodes))
	if l.Nodes > 0 {
		nodes = min(nodes, l.Nodes)
	}
	l.Nodes = nodes
	var all []Info
	result, notes := e.search(ctx, e.board, l, collect(&all, nil))
	best, top := board.None, belowAll
	var chosen Info
	for _, i := range all {
		if !hasMove(e.board, i) || !within(e.board, i.PV[0], farthest) {
			continue
		}
		v := i.Score
		if !v.Proven() {
			v += g.chance.about(g.level.noise)
		}
		if v > top {
			best, top, chosen = i.PV[0], v, i
		}
	}
	if best == board.None {
		return board.None, nil, notes
	}
	if several {
		return best, all, notes
	}
	chosen.Line, chosen.Lines, chosen.Nodes = 0, 1, result.Info.Nodes
	return best, []Info{chosen}, notes
}

// nearer returns m if it lies within farthest of a stone of b. If not, as happens after a first
// stone near the edge, it returns the first move of infos that does, or the best near move
// without search, or m if there is none.
func (e *Engine) nearer(b *board.Board, m board.Move, infos []Info) board.Move {
	if len(e.game.stones) == 0 || !b.On(m.X(), m.Y()) || within(b, m, farthest) {
		return m
	}
	for _, i := range infos {
		if hasMove(b, i) && within(b, i.PV[0], farthest) {
			return i.PV[0]
		}
	}
	g := staticChooser{b: b, eval: e.config.Evaluation.Tables(b)}
	if moves, _ := g.moves(); len(moves) > 0 {
		if near, _ := g.best(moves); within(b, near, farthest) {
			return near
		}
	}
	return m
}

// A staticChooser chooses a move without search and may overlook threats.
type staticChooser struct {
	level
	b           *board.Board
	eval        eval.Evaluator
	chance      chance
	seed        uint64 // decides which lines are not seen
	missesFours bool   // fives and fours are not seen this time

	restrict *search.Restrictions // of the moves; nil for none
}

// moves lists the moves that are considered. They are forced if they make or stop a five.
func (g *staticChooser) moves() (list []board.Move, forced bool) {
	b := g.b
	s, o := b.Side(), b.Side().Other()
	legal := func(all []board.Move) (list []board.Move) {
		for _, m := range all {
			if b.Legal(m) && g.restrict.Allows(b, m) {
				list = append(list, m)
			}
		}
		return list
	}
	if !g.missesFours {
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
	}
	all := legal(b.Open().Append(nil))
	for distance := farthestStatic; distance <= farthest; distance++ {
		for _, m := range all {
			if within(b, m, distance) && !(g.missesFours && (b.Class(s, m) == board.MakesFive || b.Class(o, m) == board.MakesFive)) {
				list = append(list, m)
			}
		}
		if len(list) > 0 {
			return list, false
		}
	}
	if m := anyMove(b); slices.Contains(all, m) {
		return []board.Move{m}, false
	}
	return all[:min(len(all), 1)], false
}

// best returns the move with the best value, random error included, and its value without.
func (g *staticChooser) best(moves []board.Move) (best board.Move, worth search.Value) {
	top := belowAll
	for _, m := range moves {
		w := g.worth(m)
		v := w
		if !w.Proven() {
			v += g.chance.about(g.level.noise)
		}
		if v > top {
			best, top, worth = m, v, w
		}
	}
	return best, worth
}

// worth returns the value of the legal move m for the side to move.
func (g *staticChooser) worth(m board.Move) search.Value {
	b := g.b
	s, o := b.Side(), b.Side().Other()
	switch k := b.Class(s, m); {
	case k == board.MakesFive:
		return search.WinIn(1)
	case k == board.MakesOpenFour && b.Count(o, board.MakesFive) == 0 && g.sees(s, m):
		return search.WinIn(3)
	}
	g.play(m)
	defer g.undo()
	if b.Count(s, board.MakesFive) > 0 {
		// A four: the answer is forced.
		for _, a := range threat.FiveBlocks(b, nil) {
			if b.Legal(a) {
				g.play(a)
				defer g.undo()
				return search.Value(g.eval.Value())
			}
		}
	}
	open := b.Set(o, board.MakesOpenFour).Append(nil)
	for _, c := range open {
		if g.sees(o, c) {
			return search.LossIn(4)
		}
	}
	return -search.Value(g.eval.Value())
}

func (g *staticChooser) play(m board.Move) {
	g.b.Play(m)
}

func (g *staticChooser) undo() {
	g.b.Undo()
	g.eval.Undone()
}

// sees reports whether the open four that c could make on m is noticed. A line is seen or
// overlooked as a whole; diagonal lines and threes with a gap are overlooked more often.
func (g *staticChooser) sees(c board.Color, m board.Move) bool {
	for d := range board.Directions {
		if p := g.b.Pattern(c, m, d); p != board.OpenFour && p != board.ClosedFour {
			continue
		}
		missedThrees := g.level.missedThrees
		if d == board.Falling || d == board.Rising {
			missedThrees += missedThrees / missedMore
		}
		step := board.Move(board.Step(d))
		if g.b.Cell(m+step) == c && g.b.Cell(m-step) == c {
			missedThrees += missedThrees / missedMore
		}
		line := [...]int{board.Horizontal: m.Y(), board.Vertical: m.X(), board.Falling: m.X() - m.Y(), board.Rising: m.X() + m.Y()}[d]
		if int(board.Mix(g.seed+uint64(line*8+d*2)+uint64(c))>>1%permille) >= missedThrees {
			return true
		}
	}
	return false
}

// within reports whether a stone lies at most distance king moves from m.
func within(b *board.Board, m board.Move, distance int) bool {
	for y := m.Y() - distance; y <= m.Y()+distance; y++ {
		for x := m.X() - distance; x <= m.X()+distance; x++ {
			if b.On(x, y) && b.Cell(board.At(x, y)) <= board.White {
				return true
			}
		}
	}
	return false
}

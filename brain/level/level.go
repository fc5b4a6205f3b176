// Package level plays below full strength, from a beginner's level upwards. Its mistakes are meant to
// be human: an overlooked threat, a line not searched far enough, the second best move instead of the
// best. The package is for brain.
package level

import (
	"context"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/random"
	"tengen/brain/play"
	"tengen/brain/score"
	"tengen/brain/search"
)

// Full is full strength, for which no level is needed.
const Full = 100

// A level describes a player of less than full strength. It either runs a small search and
// chooses among the best lines, or evaluates every near cell once, by tables, and overlooks some of the
// lines.
type level struct {
	nodes        int64       // of a search, for each worker: what helpers add is not strength of the first
	lines        int         // best lines a search compares
	noise        score.Value // the greatest random error of a value, either way
	unsearched   int         // of 1000 moves that are not forced: made without search
	missedThrees int         // of 1000 lines with an open three two cells from the last stones: overlooked without search
}

// levels are the levels from the weakest, at even steps of strength: the i-th of n has strength
// 100*i/(n-1), rounded. Strengths in between are interpolated. The last level is full strength, which
// has no limits; its row is the end of the interpolation. Set 2026-11 by matches of each level against
// the one below: see TestLadder.
var levels = [...]level{
	{noise: 400, unsearched: 1000, missedThrees: 950},
	{noise: 190, unsearched: 1000, missedThrees: 750},
	{noise: 115, unsearched: 1000, missedThrees: 500},
	{noise: 64, unsearched: 1000, missedThrees: 250},
	{nodes: 300, lines: 4, noise: 45, unsearched: 600, missedThrees: 150},
	{nodes: 350, lines: 4, noise: 35, unsearched: 270, missedThrees: 120},
	{nodes: 450, lines: 4, noise: 25, unsearched: 110, missedThrees: 90},
	{nodes: 650, lines: 3, noise: 18, unsearched: 45, missedThrees: 60},
	{nodes: 1200, lines: 3, noise: 10, unsearched: 20, missedThrees: 30},
	{nodes: 2000, lines: 2, noise: 5},
	{nodes: 3700, lines: 2, noise: 2},
	{nodes: 5500, lines: 1},
	{nodes: 12000, lines: 1},
	{nodes: 27000, lines: 1},
	{nodes: 65000, lines: 1},
	{nodes: 150000, lines: 1},
}

// Count is the number of levels, with full strength.
const Count = len(levels)

// Strength returns the strength of the n-th level of 1..Count.
func Strength(n int) int { return (Full*(n-1) + (Count-1)/2) / (Count - 1) }

// levelOf returns the level of a strength of 0..Full.
func levelOf(strength int) level {
	i := 2
	for Strength(i) < strength {
		i++
	}
	a, b := levels[i-2], levels[i-1]
	from, to := Strength(i-1), Strength(i)
	part := func(x, y int) int { return x + (y-x)*(strength-from)/(to-from) }
	return level{
		nodes:        int64(part(int(a.nodes), int(b.nodes))),
		lines:        part(a.lines, b.lines),
		noise:        score.Value(part(int(a.noise), int(b.noise))),
		unsearched:   part(a.unsearched, b.unsearched),
		missedThrees: part(a.missedThrees, b.missedThrees),
	}
}

// Nodes returns the nodes that a player of the strength has for each worker of a search; 0 below
// those strengths that search.
func Nodes(strength int) int64 { return levelOf(strength).nodes }

// What levels share. Set by hand 2026-11.
const (
	leastNodes = 100 // enough for every root move of a small position
	permille   = 1000
	missedMore = 4 // divisor: a diagonal line, and one with a gap, is overlooked more often by 1/n

	// A line d cells from the last stones is overlooked (1+min(d, glance))/seenWell times as often as
	// one at seenWell-1 cells, but at most mostMissed of 1000 times: eyes are where the last stones are.
	seenWell   = 3
	glance     = 5
	mostMissed = 950

	// A level without a random error has up to so many of 1000 more or fewer nodes for a move, so that no
	// two games are the same.
	mostMoreNodes = 200

	belowAll score.Value = -1 << 20 // less than every value with its error
)

// farthest is the greatest distance in king moves of a move from the nearest stone. Without search
// it is farthestStatic if there is a move as near.
const (
	farthest       = 3
	farthestStatic = 2
)

// A Player is the play.Searcher of a strength below Full.
type Player struct {
	Strength int // 0..Full
	Searcher play.Searcher
	Workers  int                               // of a search
	Tables   func(*board.Board) eval.Evaluator // makes an evaluator without a network
	Seed     uint64                            // of the random choices
}

// Search chooses a move within the limits l, without reports. The Infos describe the move, or as many
// lines as l asks for. The same course of a game, takebacks included, gets the same moves, unless time
// limits decide: what the hash table has from earlier searches counts.
func (p *Player) Search(ctx context.Context, b *board.Board, l search.Limits, _ func(search.Info)) play.Answer {
	c := chooser{
		level: levelOf(p.Strength), b: b, eval: p.Tables(b),
		random: random.Source(board.Mix(p.Seed ^ b.Hash())), restrict: l.Restrict,
	}
	c.last = [...]board.Move{b.Back(1), b.Back(2)}
	c.seed = c.random.Uint64()
	unsearched := c.random.Below(permille) < c.level.unsearched

	moves, forced := c.moves()
	if len(moves) == 0 {
		return play.Answer{Move: board.None}
	}
	a := play.Answer{Move: board.None}
	if !forced && !unsearched && c.level.nodes > 0 || l.Lines > 1 {
		a = p.search(ctx, &c, l)
	}
	if a.Move == board.None {
		m, v := c.best(moves)
		if a.Move = m; len(a.Infos) == 0 {
			a.Infos = []search.Info{{Lines: 1, Depth: 1, SelDepth: 1, Score: v, Nodes: int64(len(moves)), PV: []board.Move{m}}}
		}
	}
	return a
}

// search searches and chooses one of the best lines, of those that l asks for if it does for
// several. The move is None, and no line is left, if none of them is near a stone.
func (p *Player) search(ctx context.Context, c *chooser, l search.Limits) play.Answer {
	b := c.b
	several := l.Lines > 1
	if !several {
		l.Lines = min(c.level.lines, b.Empties())
	}
	nodes := max(c.level.nodes, leastNodes) * int64(max(p.Workers, 1))
	if c.level.noise == 0 {
		nodes += nodes * int64(c.random.About(mostMoreNodes)) / permille
	}
	if l.Nodes > 0 {
		nodes = min(nodes, l.Nodes)
	}
	l.Nodes = nodes
	a := p.Searcher.Search(ctx, b, l, nil)
	a.Move = board.None
	top := belowAll
	var chosen search.Info
	for _, i := range a.Infos {
		if !play.StartsLegally(b, i) || !play.Near(b, i.PV[0], farthest) {
			continue
		}
		v := i.Score
		if !v.Proven() {
			v += c.about(c.level.noise)
		}
		if v > top {
			a.Move, top, chosen = i.PV[0], v, i
		}
	}
	switch {
	case a.Move == board.None:
		a.Infos = nil
	case !several:
		chosen.Line, chosen.Lines = 0, 1
		a.Infos = []search.Info{chosen}
	}
	return a
}

// Near is a Searcher whose moves lie within three king moves of a stone, unless there is none or the
// limits ask for others. Without it a first stone near the edge may be answered far away.
type Near struct {
	play.Searcher
	Tables func(*board.Board) eval.Evaluator // makes an evaluator without a network
}

// Search is the method of play.Searcher.
func (n Near) Search(ctx context.Context, b *board.Board, l search.Limits, report func(search.Info)) play.Answer {
	a := n.Searcher.Search(ctx, b, l, report)
	if l.Restrict != nil || l.Reach > 0 || a.Failed {
		return a
	}
	if m := n.nearer(b, a.Move, a.Infos); m != a.Move {
		if a.Move = m; len(a.Infos) == 1 {
			a.Infos = nil
		}
	}
	return a
}

// nearer returns m if it lies near a stone, or else the first move of infos that does, or else the best
// near move without search, or m if there is none.
func (n Near) nearer(b *board.Board, m board.Move, infos []search.Info) board.Move {
	if b.Ply() == 0 || !b.On(m.X(), m.Y()) || play.Near(b, m, farthest) {
		return m
	}
	for _, i := range infos {
		if play.StartsLegally(b, i) && play.Near(b, i.PV[0], farthest) {
			return i.PV[0]
		}
	}
	c := chooser{b: b, eval: n.Tables(b)}
	if moves, _ := c.moves(); len(moves) > 0 {
		if near, _ := c.best(moves); play.Near(b, near, farthest) {
			return near
		}
	}
	return m
}

package selfplay

import (
	"context"
	"math/rand/v2"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/search"
)

// Of the plies that chance may choose it chooses every fourth, among the best few lines.
// More would make games of positions that nobody reaches.
const (
	chanceOneIn = 4
	chanceLines = 4
)

// A player plays games, both sides.
type player struct {
	s    *settings
	pool *search.Pool
	b    *board.Board
}

func newPlayer(s *settings) *player {
	return &player{s, s.newPool(), s.newBoard()}
}

// game plays game n. It depends on nothing but the settings, n and the engine. The only
// error is that of ctx.
func (p *player) game(ctx context.Context, n uint32) (*record.SampleGame, error) {
	s, b := p.s, p.b
	r := newChance(s.seed, n)
	opening := p.opening(ctx, r, n)
	g := &record.SampleGame{Number: n, Rule: s.rule, Width: s.width, Height: s.height, Opening: len(opening)}
	b.Reset()
	for _, m := range opening {
		g.Plies = append(g.Plies, record.SamplePly{Move: m, Value: record.NoValue})
		b.Play(m)
	}
	p.pool.Clear()
	for {
		if v, winner := b.Verdict(); v != board.Unfinished {
			g.Outcome = record.WonBy(winner)
			break
		}
		if s.drawAfter > 0 && b.Ply() >= s.drawAfter {
			g.Outcome = record.Drawn
			break
		}
		found := p.pool.Search(ctx, b, search.Limits{Nodes: s.nodes}, nil)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ply := record.SamplePly{Move: found.Move, Best: found.Move, Value: record.NoValue}
		if v := found.Info.Score; abs(v) <= search.Win {
			ply.Value = int16(v)
			if b.Ply() < len(opening)+s.random && !v.Proven() && r.IntN(chanceOneIn) == 0 {
				ply.Move = p.chance(ctx, r, found.Move)
				if err := ctx.Err(); err != nil {
					return nil, err
				}
			}
		}
		g.Plies = append(g.Plies, ply)
		if ply.Value >= int16(search.WinFloor) && !s.playOut {
			g.Outcome = record.WonBy(b.Side())
			break
		}
		b.Play(ply.Move)
	}
	return g, ctx.Err()
}

// opening returns the opening of game n: the next of the file, turned or mirrored by
// chance, or a new one.
func (p *player) opening(ctx context.Context, r *rand.Rand, n uint32) []board.Move {
	if p.s.openings == nil {
		moves, _ := p.s.made.opening(ctx, r, p.b, p.pool)
		return moves
	}
	given := p.s.openings[int(n)%len(p.s.openings)]
	symmetry := r.IntN(symmetriesOf(p.b))
	moves := make([]board.Move, len(given))
	for i, m := range given {
		moves[i] = board.Transform(m, symmetry, p.s.width, p.s.height)
	}
	return moves
}

// chance chooses among the best lines of a second search that are at most spread points
// worse than the best: the less worse, the likelier, in proportion.
func (p *player) chance(ctx context.Context, r *rand.Rand, best board.Move) board.Move {
	var lines [chanceLines]struct {
		move  board.Move
		score search.Value
	}
	n := 0
	p.pool.Search(ctx, p.b, search.Limits{Nodes: p.s.nodes, Lines: chanceLines}, func(i search.Info) {
		if i.Line < len(lines) && len(i.PV) > 0 {
			lines[i.Line].move, lines[i.Line].score = i.PV[0], i.Score
			n = min(i.Lines, len(lines))
		}
	})
	var weights [chanceLines]int
	total := 0
	for i, l := range lines[:n] {
		if behind := int(lines[0].score - l.score); behind <= p.s.spread && !l.score.Proven() && p.b.Legal(l.move) {
			weights[i] = p.s.spread + 1 - max(behind, 0)
			total += weights[i]
		}
	}
	if total == 0 {
		return best
	}
	at := r.IntN(total)
	for i, w := range weights {
		if at < w {
			return lines[i].move
		}
		at -= w
	}
	return best
}

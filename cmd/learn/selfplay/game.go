package selfplay

import (
	"context"
	"math/rand/v2"
	"slices"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/sample"
	"tengen/brain/score"
	"tengen/brain/search"
	"tengen/cmd/internal/openings"
	"tengen/cmd/learn/dataset"
	"tengen/cmd/learn/match"
)

// Random moves.
const (
	randomOneIn = 4 // of the plies that may be random; with more, positions would be unlike those of games
	randomLines = 4 // best lines that a random move is chosen from

	linesPart = 4 // divisor of the nodes of the search for -lines, which finds much in the hash table
)

// A player plays games, both sides.
type player struct {
	s    *Settings
	pool *search.Pool
	b    *board.Board
}

func newPlayer(s *Settings) *player {
	p := s.player()
	return &player{s, p.NewPool(s.Hash), s.New()}
}

// newRand returns the source of random numbers for game or opening n.
func newRand(seed uint64, n uint32) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(n)))
}

// game plays game n, which depends only on the settings, n and the engine. The only error is
// that of ctx.
func (p *player) game(ctx context.Context, n uint32) (*sample.Game, error) {
	s, b := p.s, p.b
	r := newRand(s.Seed, n)
	opening := p.opening(ctx, r, n)
	if err := ctx.Err(); err != nil {
		return nil, err // the opening may be another than without
	}
	g := &sample.Game{Number: n, Rule: s.Rule, Width: s.Width, Height: s.Height, Opening: len(opening)}
	for _, m := range opening {
		g.Plies = append(g.Plies, sample.Ply{Move: m, Value: sample.NoValue})
	}
	p.pool.Clear()
	var last score.Value // of the other side's last search, if proven, else 0
	var err error
	g.Outcome, err = match.Play(ctx, b, opening, s.DrawAfter, func(ctx context.Context) (board.Move, record.Outcome) {
		found := p.pool.Search(ctx, b, search.Limits{Nodes: s.Nodes}, nil)
		ply := sample.Ply{Move: found.Move, Best: found.Move, Value: sample.NoValue}
		if v := found.Info.Score; v.Abs() <= score.Win {
			ply.Value = int16(v)
			if _, choice := dataset.Teaches(b, &ply); s.Lines > 0 && choice && !v.Proven() {
				g.Lines = p.lines(ctx, g.Lines, len(g.Plies))
			}
			if b.Ply() < len(opening)+s.Random && !v.Proven() && r.IntN(randomOneIn) == 0 {
				ply.Move = p.random(ctx, r, found.Move)
			}
		}
		g.Plies = append(g.Plies, ply)
		proven, before := found.Info.Score, last
		if ply.Value == sample.NoValue || !proven.Proven() {
			proven = 0
		}
		last = proven
		// Both sides have to see the end, so that the defense of a lost position is in the samples.
		switch {
		case s.PlayOut:
		case proven > 0 && before < 0:
			return ply.Move, record.WonBy(b.Side())
		case proven < 0 && before > 0:
			return ply.Move, record.WonBy(b.Side().Other())
		}
		return ply.Move, record.Unknown
	})
	return g, err
}

// opening returns the opening of game n: the next of the file, rotated or mirrored at random,
// or a generated one.
func (p *player) opening(ctx context.Context, r *rand.Rand, n uint32) []board.Move {
	if p.s.given == nil {
		moves, _ := p.s.Openings.make(ctx, r, p.b, p.pool)
		return moves
	}
	given := p.s.given[int(n)%len(p.s.given)]
	w, h := p.s.Width, p.s.Height
	return openings.Transform(given, r.IntN(board.SymmetriesOf(w, h)), w, h)
}

// lines appends the best lines of a second search of the position, which is that of a ply.
func (p *player) lines(ctx context.Context, dst []sample.Line, ply int) []sample.Line {
	from := len(dst)
	p.pool.Search(ctx, p.b, search.Limits{Nodes: max(p.s.Nodes/linesPart, 1), Lines: p.s.Lines}, func(i search.Info) {
		if i.Line >= sample.MaxLines || len(i.PV) == 0 || i.Score.Abs() > score.Win {
			return
		}
		dst = append(dst[:min(len(dst), from+i.Line)], sample.Line{Ply: uint16(ply), Move: i.PV[0], Value: int16(i.Score)})
	})
	// A search that ends within an iteration may report a move in two lines.
	kept := dst[:from]
	for _, l := range dst[from:] {
		if !slices.ContainsFunc(kept[from:], func(o sample.Line) bool { return o.Move == l.Move }) {
			kept = append(kept, l)
		}
	}
	return kept
}

// random chooses among the best lines of a second search that are at most Spread points worse
// than the best, with a probability that falls linearly with the loss.
func (p *player) random(ctx context.Context, r *rand.Rand, best board.Move) board.Move {
	var lines [randomLines]struct {
		move  board.Move
		score score.Value
	}
	n := 0
	p.pool.Search(ctx, p.b, search.Limits{Nodes: p.s.Nodes, Lines: randomLines}, func(i search.Info) {
		if i.Line < len(lines) && len(i.PV) > 0 {
			lines[i.Line].move, lines[i.Line].score = i.PV[0], i.Score
			n = min(i.Lines, len(lines))
		}
	})
	var weights [randomLines]int
	total := 0
	for i, l := range lines[:n] {
		if behind := int(lines[0].score - l.score); behind <= p.s.Spread && !l.score.Proven() && p.b.Legal(l.move) {
			weights[i] = p.s.Spread + 1 - max(behind, 0)
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

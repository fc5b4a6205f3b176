// Package playtest has a play.Searcher for the tests of what chooses moves.
package playtest

import (
	"cmp"
	"context"
	"slices"

	"tengen/brain/about"
	"tengen/brain/board"
	"tengen/brain/play"
	"tengen/brain/score"
	"tengen/brain/search"
)

// A Searcher is a play.Searcher that finds what its Value says, and notes what it is asked for. Its zero
// value finds every move as good as any other.
type Searcher struct {
	// Value is that of a legal move m for the side that makes it; nil for 0.
	Value func(b *board.Board, m board.Move) score.Value

	Fails bool // every search fails, with a note

	Asked []search.Limits // of the searches so far
}

// Search finds the best of all legal moves under l.Restrict, or as many as l.Lines asks for, and spends
// the nodes of l, or one.
func (s *Searcher) Search(_ context.Context, b *board.Board, l search.Limits, report func(search.Info)) play.Answer {
	s.Asked = append(s.Asked, l)
	if s.Fails {
		return play.Answer{Move: board.None, Notes: []string{about.SearchFailed + ": broken"}, Failed: true}
	}
	var infos []search.Info
	for _, m := range b.Open().Append(nil) {
		if b.Legal(m) && l.Restrict.Allows(b, m) {
			i := search.Info{Depth: 1, SelDepth: 1, Nodes: max(l.Nodes, 1), PV: []board.Move{m}}
			if s.Value != nil {
				i.Score = s.Value(b, m)
			}
			infos = append(infos, i)
		}
	}
	slices.SortStableFunc(infos, func(x, y search.Info) int { return cmp.Compare(y.Score, x.Score) })
	infos = infos[:min(len(infos), max(l.Lines, 1))]
	for n := range infos {
		infos[n].Line, infos[n].Lines = n, len(infos)
		if report != nil {
			report(infos[n])
		}
	}
	a := play.Answer{Move: board.None, Infos: infos}
	if len(infos) > 0 {
		a.Move = infos[0].PV[0]
	}
	return a
}

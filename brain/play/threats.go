package play

import (
	"context"

	"tengen/brain/board"
	"tengen/brain/search"
)

// Shares of a search for threats. Set by hand 2026-11.
const (
	movePart  = 5         // divisor: 1/n of the time and the nodes is kept for a move if there is no win
	moveNodes = 20_000    // of each worker for that move if neither is limited
	winNodes  = 2_000_000 // for the win if only the depth is limited, which does not bound it: two seconds
)

// Threats is the Searcher for wins by continuous threats. If it finds none, a note says so, and another
// Searcher searches for a move with what is left of the limits.
type Threats struct {
	Pool       *search.Pool
	Workers    int      // of the pool
	Other      Searcher // for a move
	Restricted bool     // moves or the end of the game are restricted, which proofs by threats ignore
}

// Search is the method of Searcher.
func (s Threats) Search(ctx context.Context, b *board.Board, l search.Limits, report func(search.Info)) Answer {
	total := NewBudget(ctx, l, s.Workers)
	if s.Restricted {
		a := s.Other.Search(ctx, b, briefly(&total), report)
		a.Notes = append(a.Notes, "wins by threats are not looked for while moves or the end of the game are restricted")
		return a
	}
	nodes := l.Nodes - l.Nodes/movePart
	if l.Depth > 0 && l.Nodes == 0 && l.Soft == 0 {
		nodes = winNodes
	}
	r, over, ok := s.Pool.WinByThreats(ctx, b, search.Limits{Nodes: nodes, Hard: l.Soft - l.Soft/movePart})
	if r.Move != board.None {
		if report != nil {
			report(r.Info)
		}
		return Answer{Move: r.Move, Infos: []search.Info{r.Info}}
	}
	total.Spend(r.Info.Nodes)
	a := s.Other.Search(ctx, b, briefly(&total), report)
	more := a.Notes
	a.Notes = nil
	a.noteFailures(r.Failures)
	note := "no win by threats was found"
	switch {
	case !ok:
		note = "there is too little memory to look for wins by threats"
	case over:
		note += ", and all of them have been tried"
	}
	a.Notes = append(append(a.Notes, more...), note)
	return a
}

// briefly returns the limits of a search for a move, with what is left of total or short ones.
func briefly(total *Budget) search.Limits {
	l := total.Left()
	if total.Limits.Nodes == 0 && total.Limits.Hard == 0 {
		l.Nodes = total.ForEach(moveNodes)
	}
	return l
}

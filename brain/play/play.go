// Package play is the door to the searches. Code that chooses moves by searches, in an opening, below
// full strength or in a game, needs only a Searcher and a Budget; tests replace the Searcher. The package
// serves brain and the packages that choose moves for it.
package play

import (
	"context"
	"slices"

	"tengen/brain/about"
	"tengen/brain/board"
	"tengen/brain/internal/failure"
	"tengen/brain/search"
)

// A Searcher searches for moves.
type Searcher interface {
	// Search searches b until a limit is reached or ctx ends, and leaves b as it was. report, if
	// not nil, is called from one goroutine. A panic in the search is recovered and noted.
	Search(ctx context.Context, b *board.Board, l search.Limits, report func(search.Info)) Answer
}

// An Answer is what a search has found.
type Answer struct {
	Move   board.Move    // board.None if the search knows none, or there is none
	Infos  []search.Info // one for each line, the best first; their PV may be empty
	Notes  []string      // for the user
	Failed bool          // the search has panicked, which may have damaged the board; see Notes
}

// Best returns the Info of the best line, the zero Info if there is none.
func (a *Answer) Best() search.Info {
	if len(a.Infos) == 0 {
		return search.Info{}
	}
	return a.Infos[0]
}

// noteFailures adds a note for each failure, with the stack after its first line.
func (a *Answer) noteFailures(failures []failure.Report) {
	for _, f := range failures {
		a.Failed = true
		a.Notes = append(a.Notes, about.SearchFailed+": "+f.What+"\n"+f.Stack)
	}
}

// AlphaBeta is the Searcher of ordinary games.
type AlphaBeta struct{ Pool *search.Pool }

// Search is the method of Searcher.
func (s *AlphaBeta) Search(ctx context.Context, b *board.Board, l search.Limits, report func(search.Info)) Answer {
	var a Answer
	result := s.Pool.Search(ctx, b, l, func(i search.Info) {
		for len(a.Infos) <= i.Line {
			a.Infos = append(a.Infos, search.Info{})
		}
		a.Infos[i.Line] = i
		if report != nil {
			report(i)
		}
	})
	a.Move = result.Move
	a.noteFailures(result.Failures)
	switch {
	case result.Info.PV == nil: // the first worker has failed
		a.Infos = nil
	case len(a.Infos) <= 1:
		a.Infos = []search.Info{result.Info}
	default:
		for i := range a.Infos {
			a.Infos[i].Nodes, a.Infos[i].Elapsed = result.Info.Nodes, result.Info.Elapsed
		}
	}
	return a
}

// AnyMove returns the legal move nearest to the middle, or a free cell if none is legal.
func AnyMove(b *board.Board) board.Move {
	if m := b.Central(); m != board.None {
		return m
	}
	return b.Open().First()
}

// StartsLegally reports whether the line of i begins with a legal move of b. After a failure a line may
// be empty.
func StartsLegally(b *board.Board, i search.Info) bool { return len(i.PV) > 0 && b.Legal(i.PV[0]) }

// Near reports whether a stone of b lies at most distance king moves from m.
func Near(b *board.Board, m board.Move, distance int) bool {
	for y := m.Y() - distance; y <= m.Y()+distance; y++ {
		for x := m.X() - distance; x <= m.X()+distance; x++ {
			if b.On(x, y) && b.Cell(board.At(x, y)) <= board.White {
				return true
			}
		}
	}
	return false
}

// AnyAllowed reports whether r leaves a legal move at b.
func AnyAllowed(b *board.Board, r *search.Restrictions) bool {
	return slices.ContainsFunc(b.Open().Append(nil), func(m board.Move) bool { return b.Legal(m) && r.Allows(b, m) })
}

package search

import (
	"context"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
)

// benchPositions are openings and middle games over rules and sizes, in pos notation.
var benchPositions = []struct {
	rule  board.Rule
	size  int
	moves string
}{
	{board.Freestyle, 15, "h8i9i7"},
	{board.Freestyle, 15, "h5k5h3j4i4l4n4i3"},
	{board.Freestyle, 15, "d4e7d7d6"},
	{board.Freestyle, 15, "h8i9i7g9h10h9g8j11f7e6j8"},
	{board.Freestyle, 20, "k10n12k15j13n11"},
	{board.Freestyle, 20, "i16g17i15h15h19h17k17i14"},
	{board.ExactFive, 15, "k15k13i10"},
	{board.ExactFive, 15, "d8f7c4e4h5a4b5"},
	{board.Renju, 15, "f9e9g8e6g4"},
	{board.Renju, 15, "b4c5d4b7d3"},
	{board.Renju, 15, "h8i7g9f7j9h7g7g8"},
	{board.Caro, 15, "h8i9i7h7g9j8"},
	{board.Caro | board.ExactFive, 15, "h8g7g9i9f8j10"},
}

// What the node count depends on besides the positions.
const (
	benchDepth  = 19       // plies
	benchTable  = 16 << 20 // bytes
	benchSolver = 8 << 20  // bytes
)

// A BenchResult is what a bench run counted.
type BenchResult struct {
	Nodes   int64 // of the search and, counted as Info does, of its solver; the signature
	Elapsed time.Duration
	Cutoffs int64 // beta cutoffs
	First   int64 // of these made by the first move tried
}

// Bench searches a fixed list of positions to a fixed depth with one worker and an
// empty table each. Nodes is the same on every machine and changes when the search of games, its
// solver or the evaluation does. It takes 3 to 10 s on one core.
func Bench(evaluator func(*board.Board) eval.Evaluator) (BenchResult, error) {
	var r BenchResult
	p := NewPool(evaluator, DefaultParams(), 1, benchTable)
	defer p.Close()
	p.SetSolver(benchSolver)
	start := time.Now()
	for _, pos := range benchPositions {
		b, err := board.New(pos.rule, pos.size, pos.size)
		if err != nil {
			return r, err
		}
		moves, err := board.ParseMoves(pos.moves, pos.size, pos.size)
		if err != nil {
			return r, err
		}
		if err := b.PlayAll(moves); err != nil {
			return r, err
		}
		p.Clear()
		res := p.Search(context.Background(), b, Limits{Depth: benchDepth}, nil)
		r.Nodes += res.Info.Nodes
		r.Cutoffs += p.workers[0].cutoffs
		r.First += p.workers[0].firsts
	}
	r.Elapsed = time.Since(start)
	return r, nil
}

package search

import (
	"context"
	"encoding/binary"
	"hash/fnv"

	"tengen/brain/board"
	"tengen/brain/eval"
)

// Signature returns a digest of the results of small searches of b and of the positions that their
// moves lead to, for the side to move and, since engines may differ only where one side is clearly
// better, for the other, as in a game and as in a study: equal for engines that search alike, and
// almost never for others. The searches have a threat solver with the given memory in bytes, none
// with 0. b is not changed. About 30 ms.
func Signature(evaluator func(*board.Board) eval.Evaluator, params Params, solver int64, b *board.Board) uint64 {
	const (
		moves = 6
		nodes = 1500
		table = 1 << 20 // bytes
	)
	b = b.Clone()
	pool := NewPool(evaluator, params, 1, table)
	defer pool.Close()
	pool.SetSolver(solver)
	sum := fnv.New64a()
	search := func(study bool) board.Move {
		r := pool.Search(context.Background(), b, Limits{Nodes: nodes, Study: study}, nil)
		found := [...]int64{int64(r.Move), int64(r.Info.Score), int64(r.Info.Depth), int64(r.Info.SelDepth), r.Info.Nodes}
		binary.Write(sum, binary.LittleEndian, found) // writing to a hash never fails
		return r.Move
	}
	for range moves {
		b.Pass()
		search(false)
		search(true)
		b.Undo()
		m := search(false)
		if m == board.None {
			break
		}
		b.Play(m)
		if v, _ := b.Verdict(); v != board.Unfinished {
			break
		}
	}
	return sum.Sum64()
}

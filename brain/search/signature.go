package search

import (
	"context"

	"tengen/brain/board"
)

// Signature returns a digest of what small searches find in b and in the positions that
// their moves lead to: equal for engines that search alike with alike tables, and almost
// never for others. b stays as it is. About 10 ms.
func Signature(b *board.Board) uint64 {
	const (
		moves  = 6
		nodes  = 1500
		offset = 14695981039346656037 // FNV-1a
		prime  = 1099511628211
	)
	b = b.Clone()
	pool := NewPool(1, 1<<20)
	sum := uint64(offset)
	for range moves {
		r := pool.Search(context.Background(), b, Limits{Nodes: nodes}, nil)
		for _, n := range [...]int64{int64(r.Move), int64(r.Info.Score), int64(r.Info.Depth), int64(r.Info.SelDepth), r.Info.Nodes} {
			for i := range 8 {
				sum = (sum ^ uint64(n)>>(8*i)&0xff) * prime
			}
		}
		if r.Move == board.None || b.Wins(b.Side(), r.Move) {
			break
		}
		b.Play(r.Move)
	}
	return sum
}

package tune

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"

	"tengen/brain/board"
	"tengen/brain/record"
)

// openings deals out first moves. All are dealt once, in an order of chance, before any
// is dealt again; then it is turned or mirrored, so that the same position comes back
// after eight rounds at the earliest.
type openings struct {
	all  [][]board.Move
	size int
	seed uint64

	round int   // of order
	order []int // nil before the first deal
}

// readOpenings reads a file and returns what it holds and a digest of it.
func readOpenings(path string, rule board.Rule, size int) (all [][]board.Move, digest string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	if all, err = record.ReadOpenings(f, rule, size, size); err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	if len(all) == 0 {
		return nil, "", fmt.Errorf("%s holds no opening", path)
	}
	sum := sha256.New()
	for _, moves := range all {
		fmt.Fprintln(sum, record.FormatMoves(moves))
	}
	return all, hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// deal returns opening number n, from 0. It depends on nothing but n and the seed.
func (o *openings) deal(n int) []board.Move {
	round, i := n/len(o.all), n%len(o.all)
	if o.order == nil || o.round != round {
		o.order = rand.New(rand.NewPCG(o.seed, ^uint64(round))).Perm(len(o.all))
		o.round = round
	}
	pick := o.order[i]
	symmetry := (pick + round) % board.Symmetries
	moves := make([]board.Move, len(o.all[pick]))
	for i, m := range o.all[pick] {
		moves[i] = board.Transform(m, symmetry, o.size, o.size)
	}
	return moves
}

// hand deals n openings from number first on.
func (o *openings) hand(first, n int) [][]board.Move {
	hand := make([][]board.Move, n)
	for i := range hand {
		hand[i] = o.deal(first + i)
	}
	return hand
}

package database

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"tengen/brain/board"
	"tengen/brain/record"
)

// Results count how games on boards of 15x15 ended after each of their moves, the same for all rotations
// and reflections and for all orders of moves.
type Results struct {
	counts map[moveKey]*[3]int // won, drawn and lost for the player of the move
}

// A moveKey is a move: the key of the position before it, packed, and its cell there.
type moveKey struct {
	key string
	at  point
}

// NewResults returns counts without a game.
func NewResults() *Results { return &Results{map[moveKey]*[3]int{}} }

// Add counts the first moves of a game whose result is known, at most plies of them. It reports whether
// there is such a result and the board is one of 15x15; a game with passes counts up to the first.
func (r *Results) Add(g *record.Game, plies int) bool {
	if g.Outcome == record.Unknown || g.Width != record.LibSize || g.Height != record.LibSize {
		return false
	}
	k, err := newLineKey(g.Rule)
	if err != nil {
		return false
	}
	for i, m := range g.Moves[:min(plies, len(g.Moves))] {
		if m == board.None {
			break
		}
		key := string(k.key())
		at := moveKey{key, k.canonical(packed(m))}
		if r.counts[at] == nil {
			r.counts[at] = new([3]int)
		}
		result := 2
		switch {
		case g.Outcome == record.Drawn:
			result = 1
		case (g.Outcome == record.BlackWon) == (i%2 == 0):
			result = 0
		}
		r.counts[at][result]++
		k.play(packed(m))
	}
	return true
}

// AddResults puts the counts on the cells of their moves, as +5=1-6: won, drawn and lost for the player
// of the move. It is called once, after the games have been added as libraries.
func (b *Builder) AddResults(r *Results) error {
	all := slices.SortedFunc(maps.Keys(r.counts), func(x, y moveKey) int {
		return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.at, y.at))
	})
	for _, m := range all {
		n := r.counts[m]
		if err := b.entry(packedKey(m.key), libOp{kind: opCell, at: m.at, text: fmt.Sprintf("+%d=%d-%d", n[0], n[1], n[2])}); err != nil {
			return err
		}
	}
	b.libs++
	return nil
}

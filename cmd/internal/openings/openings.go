// Package openings reads openings from files, rotates and mirrors them, and gives them out in order.
package openings

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"

	"tengen/brain/board"
	"tengen/brain/record"
)

// Read reads a file of openings, or standard input for "-", in each of the formats of record.ReadOpenings. None may end the game
// under the rule or have as many stones as drawAfter, at which games end, unless that is 0, and
// there must be at least one. Errors name the file and the line or the number of the opening.
func Read(name string, rule board.Rule, width, height, drawAfter int) ([][]board.Move, error) {
	f := os.Stdin
	if name != "-" {
		var err error
		if f, err = os.Open(name); err != nil {
			return nil, err
		}
		defer f.Close()
	}
	all, err := record.ReadOpenings(f, rule, width, height)
	if err == nil && len(all) == 0 {
		err = errors.New("the file has no openings")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, moves := range all {
		if drawAfter > 0 && len(moves) >= drawAfter {
			return nil, fmt.Errorf("%s: opening %d has %d stones and -drawafter is %d", name, i+1, len(moves), drawAfter)
		}
	}
	return all, nil
}

// Digest returns text that identifies openings by their number and their moves.
func Digest(openings [][]board.Move) string {
	sum := fnv.New32a()
	for _, o := range openings {
		fmt.Fprintln(sum, record.FormatMoves(o))
	}
	return fmt.Sprintf("%d/%08x", len(openings), sum.Sum32())
}

// Transform returns the moves rotated and mirrored by one of board.Symmetries.
func Transform(moves []board.Move, symmetry, width, height int) []board.Move {
	out := make([]board.Move, len(moves))
	for i, m := range moves {
		out[i] = board.Transform(m, symmetry, width, height)
	}
	return out
}

// Canonical returns a number that an opening has in common with its mirror images and with
// other orders of its stones. It plays on b and changes its position.
func Canonical(b *board.Board, moves []board.Move) uint64 {
	least := ^uint64(0)
	for s := range board.SymmetriesOf(b.Width(), b.Height()) {
		b.Reset()
		for _, m := range Transform(moves, s, b.Width(), b.Height()) {
			b.Play(m)
		}
		least = min(least, b.Hash())
	}
	return least
}

// A Sequence is an endless sequence of openings. Every round has all of them, in an order that
// depends on the seed, and rotates or mirrors each in another way, so that a position comes back
// only after as many rounds as there are symmetries.
type Sequence struct {
	Openings      [][]board.Move
	Width, Height int
	Seed          uint64

	round int   // of order
	order []int // nil before the first Take
}

// Distinct returns the first n openings that are not the same stones in the same order, or all if
// there are fewer: some openings are images of themselves.
func (s *Sequence) Distinct(n int) [][]board.Move {
	all := s.Take(0, len(s.Openings)*board.SymmetriesOf(s.Width, s.Height))
	seen := map[string]bool{}
	all = slices.DeleteFunc(all, func(moves []board.Move) bool {
		text := record.FormatMoves(moves)
		again := seen[text]
		seen[text] = true
		return again
	})
	return all[:min(n, len(all))]
}

// Take returns n openings from number first on, counted from 0. They depend only on their numbers
// and the seed.
func (s *Sequence) Take(first, n int) [][]board.Move {
	list := make([][]board.Move, n)
	for i := range list {
		round, at := (first+i)/len(s.Openings), (first+i)%len(s.Openings)
		if s.order == nil || s.round != round {
			s.order = rand.New(rand.NewPCG(s.Seed, ^uint64(round))).Perm(len(s.Openings))
			s.round = round
		}
		at = s.order[at]
		list[i] = Transform(s.Openings[at], (at+round)%board.SymmetriesOf(s.Width, s.Height), s.Width, s.Height)
	}
	return list
}

package main

import (
	"tengen/brain/board"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/openings"
)

// A schedule numbers the games of a match. It depends on the settings only, so that a game
// has the same number in every shard and every later run.
type schedule struct {
	*settings
	pairs    [][2]int       // engines that meet, by index
	order    []int          // openings in playing order; nil for that of the file
	openings [][]board.Move // in file order
}

// A fixture is one game to be played.
type fixture struct {
	Game         int // from 1
	Round        int // from 1
	Block        int // from 0; the two games of a block have one opening and swapped colors
	First        int // index of the engine that moves first after the opening
	Black, White int // indices of the engines
	Opening      int // index in the file, -1 for the empty board
	Symmetry     int // transform of the opening, 0..7
}

// pairings lists the pairs that meet: all, or the first engine against the others.
func pairings(engines int, gauntlet bool) [][2]int {
	var pairs [][2]int
	for a := range engines {
		for b := a + 1; b < engines; b++ {
			pairs = append(pairs, [2]int{a, b})
		}
		if gauntlet {
			break
		}
	}
	return pairs
}

// total returns the number of games.
func (s *schedule) total() int { return s.Rounds * len(s.pairs) * s.Games }

// deals returns the number of different openings that two engines get.
func (s *schedule) deals() int {
	n := max(1, len(s.openings))
	if s.Symmetries {
		n *= board.Symmetries
	}
	return n
}

// count returns the number of games of a shard.
func (s *schedule) count(part flags.Shard) int {
	return 2 * part.Count(s.total()/2)
}

// fixture returns game number n, 1 <= n <= total. All pairs play the same openings. In
// the odd games the first engine of a pair makes the first move after the opening, as
// in c-gomoku-cli and at Gomocup; after an odd number of stones it has White. It does not
// allocate.
func (s *schedule) fixture(n int) fixture {
	i := n - 1
	f := fixture{Game: n, Block: i / 2, Opening: -1}
	round, i := i/(len(s.pairs)*s.Games), i%(len(s.pairs)*s.Games)
	pair, g := s.pairs[i/s.Games], i%s.Games
	f.Round = round + 1
	f.Black, f.White = pair[g&1], pair[g&1^1]
	f.First = f.Black
	if count := len(s.openings); count > 0 {
		k := round*(s.Games/2) + g/2
		f.Opening = k % count
		if s.order != nil {
			f.Opening = s.order[f.Opening]
		}
		if len(s.openings[f.Opening])%2 == 1 { // White moves next
			f.Black, f.White = f.White, f.Black
		}
		if s.Symmetries {
			f.Symmetry = k / count % board.Symmetries
		}
	}
	return f
}

// opening returns the stones that f begins with.
func (s *schedule) opening(f fixture) []board.Move {
	if f.Opening < 0 {
		return nil
	}
	return openings.Transform(s.openings[f.Opening], f.Symmetry, s.Size, s.Size)
}

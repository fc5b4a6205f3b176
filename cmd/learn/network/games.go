package network

import (
	"context"

	"tengen/brain/board"
	"tengen/brain/sample"
	"tengen/brain/score"
	"tengen/cmd/learn/dataset"
)

// A game is a game for training or validation.
type game struct {
	sample.Game
	uses    []use     // of each ply
	results []float32 // of each ply: dataset.Returns
	first   uint32    // number of its first position that teaches anything
	count   int       // number of positions that teach anything
}

// A use says what a position teaches, as bits.
type use uint8

const (
	teachesValue use = 1 << iota
	teachesPolicy
)

// A corpus holds the games of one rule, some 14 bytes a ply.
type corpus struct {
	rule  board.Rule
	train []*game
	valid []*game
	deep  []*game // of -deep

	positions, validPositions int      // that teach something
	repeated                  int      // positions omitted because an earlier game, or one for validation, has them
	games                     int      // of the rule
	bare                      int      // of these, games without values, which are omitted
	sums                      []string // name and checksum of every file
	origins                   []string
}

// A filter chooses the positions for training.
type filter struct {
	proven   bool    // whether values that are proven wins and losses count
	validate float64 // share of the games kept for validation
	seed     uint64
}

// useOf returns the use of the position of b, whose ply is p.
func (f filter) useOf(b *board.Board, p *sample.Ply) use {
	value, choice := dataset.Teaches(b, p)
	if !p.Searched() || !value {
		return 0
	}
	var u use
	if f.proven || !score.Value(p.Value).Proven() {
		u |= teachesValue
	}
	if choice {
		near := b.Candidates()
		if near.Has(p.Best) && b.Legal(p.Best) {
			u |= teachesPolicy
		}
	}
	return u
}

// readGames reads the games of a rule as dataset.Read does, all for training. It omits games
// without values.
func readGames(ctx context.Context, names []string, rule int) (*corpus, error) {
	set, err := dataset.Read(ctx, names, rule)
	if err != nil {
		return nil, err
	}
	c := &corpus{rule: set.Rule, games: len(set.Games), origins: set.Origins, sums: set.Sums}
	for _, g := range set.Games {
		if g.Positions() > 0 {
			c.train = append(c.train, &game{Game: *g})
		} else {
			c.bare++
		}
	}
	return c, nil
}

// prepare splits the games for training and validation, sets the uses of their plies and the results,
// by dataset.Returns and trace, and numbers the positions. A position in seen, or one that has
// occurred before, in any of its symmetries, teaches nothing; those for validation come first. It
// adds all of them to seen.
func (c *corpus) prepare(f filter, trace float64, threads int, seen *keySet) error {
	all := c.train
	c.train = nil
	for _, g := range all {
		if dataset.Validates(&g.Game, f.validate, f.seed) {
			c.valid = append(c.valid, g)
		} else {
			c.train = append(c.train, g)
		}
	}
	keep := func(games []*game) ([]*game, int, error) {
		keys := make([][]uint64, len(games))
		markers := make([]marker, threads)
		if err := parallel(threads, len(games), func(worker, i int) (err error) {
			m := &markers[worker]
			m.rule, m.filter, m.trace = c.rule, f, trace
			keys[i], err = m.mark(games[i])
			return err
		}); err != nil {
			return nil, 0, err
		}
		n := 0
		kept := games[:0]
		for i, g := range games {
			g.first, g.count = uint32(n), 0
			for ply, key := range keys[i] {
				if g.uses[ply] == 0 {
					continue
				}
				if !seen.add(key) {
					g.uses[ply] = 0
					c.repeated++
					continue
				}
				g.count++
			}
			if g.count > 0 {
				n += g.count
				kept = append(kept, g)
			}
		}
		return kept, n, nil
	}
	var err error
	if c.valid, c.validPositions, err = keep(c.valid); err != nil {
		return err
	}
	c.train, c.positions, err = keep(c.train)
	return err
}

// A marker sets the uses and results of games.
type marker struct {
	rule   board.Rule
	filter filter
	trace  float64
	b      *board.Board
}

// mark sets g.uses and g.results, and returns a key of each position that is the same for all its
// symmetries.
func (m *marker) mark(g *game) ([]uint64, error) {
	b, err := dataset.Board(m.b, m.rule, g.Width, g.Height)
	if err != nil {
		return nil, err
	}
	m.b = b
	g.uses = make([]use, len(g.Plies))
	g.results = dataset.Returns(nil, &g.Game, m.trace)
	keys := make([]uint64, len(g.Plies))
	symmetries := board.SymmetriesOf(g.Width, g.Height)
	var hashes [board.Symmetries]uint64
	for i := range g.Plies {
		p := &g.Plies[i]
		g.uses[i] = m.filter.useOf(b, p)
		least := hashes[0]
		for _, h := range hashes[1:symmetries] {
			least = min(least, h)
		}
		keys[i] = board.Mix(least ^ uint64(b.Side())<<20 ^ uint64(g.Width)<<10 ^ uint64(g.Height))
		if p.Move == board.None {
			b.Pass()
			continue
		}
		for s := range symmetries {
			cell := board.Transform(p.Move, s, g.Width, g.Height)
			hashes[s] ^= board.Mix((uint64(b.Side())<<32 + uint64(cell) + 1) * board.Golden)
		}
		b.Play(p.Move)
	}
	return keys, nil
}

// A keySet is a set of random 64-bit keys in 11 to 21 bytes each. The key 0 is always new.
type keySet struct {
	slots []uint64
	n     int
}

func newKeySet() *keySet { return &keySet{slots: make([]uint64, 1<<10)} }

// add reports whether key is new.
func (s *keySet) add(key uint64) bool {
	if 4*s.n >= 3*len(s.slots) {
		old := s.slots
		*s = keySet{slots: make([]uint64, 2*len(old))}
		for _, k := range old {
			if k != 0 {
				s.add(k)
			}
		}
	}
	i := key & uint64(len(s.slots)-1)
	for ; s.slots[i] != 0; i = (i + 1) & uint64(len(s.slots)-1) {
		if s.slots[i] == key {
			return false
		}
	}
	s.slots[i] = key
	s.n++
	return true
}

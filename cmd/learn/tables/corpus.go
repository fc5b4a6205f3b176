package tables

import (
	"context"
	"slices"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/record"
	"tengen/brain/sample"
	"tengen/cmd/internal/inorder"
	"tengen/cmd/learn/dataset"
)

// An example is one position.
type example struct {
	counts  []count  // codes of the empty cells now and one ply ago, black's less white's
	choices []choice // legal moves; nil if the choice teaches nothing
	best    int      // index in choices of the best move of the search
	side    uint8    // column of the tables for the side to move: see corpus.colors
	white   bool     // white to move
	mask    uint16   // board.Board.ThreatMask
	search  int16    // search.Value that the search gave the position, or sample.NoValue
	result  float32  // of the game for the side to move, 0, 0.5 or 1; dataset.Unknown where it has none
	target  float64  // dataset.Target
}

// A count is how often a code occurs on the two boards whose mean is the value.
type count struct {
	index uint16 // color*eval.Codes + number of the code; color is 0 where both share tables
	n     int16
}

// A choice is the codes of a move, whose score is the sum of theirs.
type choice struct{ own, other uint16 }

// A corpus holds the samples of one rule, under 1 KB each.
type corpus struct {
	rule   board.Rule
	colors int // 2 where black and white have tables of their own
	train  []example
	valid  []example // of other games than train

	games, validGames int
	positions         int // that had a search value
	bare              int // games without one
}

// An extractor turns games into samples. Not safe for concurrent use.
type extractor struct {
	rule   board.Rule
	colors int
	b      *board.Board
	now    [2][eval.Codes]int16 // codes of the empty cells, by color
	before [2][eval.Codes]int16 // the same one ply ago
	tmp    [2 * eval.Codes]count
	list   []choice
}

func newExtractor(rule board.Rule) *extractor {
	return &extractor{rule: rule, colors: eval.NewTables(rule).Colors()}
}

// begin sets up an empty board.
func (x *extractor) begin(width, height int) error {
	var err error
	if x.b, err = dataset.Board(x.b, x.rule, width, height); err != nil {
		return err
	}
	x.now = [2][eval.Codes]int16{}
	for y := range height {
		for x0 := range width {
			x.tally(x.b.Code(board.At(x0, y)), 1)
		}
	}
	x.before = x.now
	return nil
}

// tally adds n to the number of empty cells with code k.
func (x *extractor) tally(k board.Code, n int16) {
	x.now[0][eval.CodeNumber(k.Of(board.Black))] += n
	x.now[1][eval.CodeNumber(k.Of(board.White))] += n
}

// play follows a move of the game.
func (x *extractor) play(m board.Move) {
	x.before = x.now
	if m == board.None {
		x.b.Pass()
		return
	}
	x.tally(x.b.Code(m), -1)
	x.b.Play(m)
	for _, ch := range x.b.Changes(x.b.Ply() - 1) {
		x.tally(ch.Old, -1)
		x.tally(ch.New, 1)
	}
}

// appendCounts appends what the boards now and one ply ago hold.
func (x *extractor) appendCounts(dst []count) []count {
	if x.colors == 1 {
		for i := range x.now[0] {
			if n := x.now[0][i] + x.before[0][i] - x.now[1][i] - x.before[1][i]; n != 0 {
				dst = append(dst, count{uint16(i), n})
			}
		}
		return dst
	}
	for c, sign := range [2]int16{1, -1} {
		for i, n := range x.now[c] {
			if n += x.before[c][i]; n != 0 {
				dst = append(dst, count{uint16(c*eval.Codes + i), n * sign})
			}
		}
	}
	return dst
}

// look returns the example of the board without its counts.
func (x *extractor) look() example {
	s := example{mask: uint16(x.b.ThreatMask()), white: x.b.Side() == board.White, best: -1}
	if x.colors == 2 {
		s.side = uint8(x.b.Side())
	}
	return s
}

// example returns the example of a position, and whether it teaches anything.
func (x *extractor) example(p *sample.Ply, o record.Outcome) (example, bool) {
	b := x.b
	own, other := b.Side(), b.Side().Other()
	teaches, chosen := dataset.Teaches(b, p)
	if !teaches {
		return example{}, false
	}
	s := x.look()
	s.search, s.result = p.Value, dataset.Result(own, o)
	s.counts = slices.Clone(x.appendCounts(x.tmp[:0]))
	if !chosen {
		return s, true
	}
	x.list = x.list[:0]
	near := b.Candidates()
	for m := near.First(); m != board.None; m = near.First() {
		near.Remove(m)
		if own == board.Black && b.Forbidden(m) {
			continue
		}
		if m == p.Best {
			s.best = len(x.list)
		}
		k := b.Code(m)
		x.list = append(x.list, choice{uint16(eval.CodeNumber(k.Of(own))), uint16(eval.CodeNumber(k.Of(other)))})
	}
	if s.best >= 0 && len(x.list) > 1 {
		s.choices = slices.Clone(x.list)
	}
	return s, true
}

// setTargets sets the targets of all samples.
func (c *corpus) setTargets(mix float64) {
	for _, part := range [2][]example{c.train, c.valid} {
		for i := range part {
			part[i].target = dataset.Target(part[i].search, part[i].result, mix)
		}
	}
}

// game returns the samples of g. In a game without any values, such as one of another program,
// every position teaches the result and the move played. In other games, moves without a value
// are of the opening.
func (x *extractor) game(g *sample.Game) ([]example, error) {
	if err := x.begin(g.Width, g.Height); err != nil {
		return nil, err
	}
	var list []example
	bare := g.Positions() == 0 && g.Outcome != record.Unknown
	for i := range g.Plies {
		p := g.Plies[i]
		if bare {
			p.Best = p.Move
		}
		if bare && i >= g.Opening || p.Searched() {
			if s, ok := x.example(&p, g.Outcome); ok {
				list = append(list, s)
			}
		}
		x.play(p.Move)
	}
	return list, nil
}

// A split chooses games for validation.
type split struct {
	share float64
	seed  uint64
}

// readCorpus makes the samples of games, in their order, with so many goroutines.
func readCorpus(ctx context.Context, rule board.Rule, s split, workers int, games []*sample.Game) (*corpus, error) {
	c := &corpus{rule: rule, colors: eval.NewTables(rule).Colors(), games: len(games)}
	work := func() func(context.Context, uint32) ([]example, error) {
		x := newExtractor(rule)
		return func(_ context.Context, n uint32) ([]example, error) { return x.game(games[n]) }
	}
	err := inorder.Run(ctx, workers, 0, uint32(len(games)), work, func(n uint32, list []example) error {
		g := games[n]
		c.positions += g.Positions()
		if g.Positions() == 0 {
			c.bare++
		}
		if dataset.Validates(g, s.share, s.seed) {
			c.validGames++
			c.valid = append(c.valid, list...)
		} else {
			c.train = append(c.train, list...)
		}
		return nil
	})
	return c, err
}

package network

import (
	"math/bits"
	"slices"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/nnue"
	"tengen/brain/record"
	"tengen/cmd/learn/samples"
)

// A sample is the input of the network for one position, about 3 KB.
//
// Empty cells without a stone in any of their four lines and with the same codes and region
// are stored as one cell with a count. A line without a stone has no row, since the row is
// always 0.
type sample struct {
	// Cells are sorted by their number of lines with a stone: cells[n] of them have n. rows
	// has the rows of each: its n lines, own code and other code, first of all cells from the
	// view of the side to move, then from that of the opponent.
	cells  [5]uint16
	rows   []uint16
	region []uint8
	count  []uint8

	candidates []candidate // legal ones; none if the choice teaches nothing
	best       int         // index in candidates of the best move of the search
	valued     bool        // whether the value teaches anything

	head   uint8    // of the side to move
	views  [2]uint8 // view sets of the side to move and of the opponent
	mask   uint16   // eval.ThreatMask
	search int16    // value that the search gave the position
	result float32  // of the game for the side to move, 0, 0.5 or 1; samples.Unknown where it has none
}

// A candidate is a move to choose from.
type candidate struct {
	cell  uint16    // of sample
	codes [2]uint16 // own and other
	near  [2]uint8  // to the move one ply ago and to that two plies ago: see near
}

// near returns the number of the distance from m to an earlier move, which may be None.
func near(m, to board.Move) uint8 {
	if to == board.None {
		return nnue.NearNone
	}
	return uint8(nnue.NearNumber(m.X()-to.X(), m.Y()-to.Y()))
}

// codeNumbers is eval.CodeNumber as an array.
var codeNumbers = func() *[1 << 16]uint16 {
	t := new([1 << 16]uint16)
	for k := range t {
		t[k] = uint16(eval.CodeNumber(uint16(k)))
	}
	return t
}()

// An extractor turns games into samples. Not safe for concurrent use.
type extractor struct {
	sets  int
	rule  board.Rule
	b     *board.Board
	lines *lineTable

	region [board.Cells]uint8     // of the empty board
	cells  [board.Cells]foundCell // of the empty cells that are not stale
	stale  board.Set              // cells whose lines have changed
	at     [board.Cells]uint16    // cell of the sample by cell of the board
	found  [5][]foundCell         // by number of lines with a stone
	list   []board.Move
	latest [regions]int // of found[0], by region
}

// A foundCell is a cell before it is added to a sample.
type foundCell struct {
	lines         [board.Directions]uint16 // from Black's view; the first stones are valid
	codes         [2]uint16                // of black and white
	move          board.Move
	region, count uint8
	stones        uint8 // number of lines with a stone
}

func newExtractor(rule board.Rule) *extractor {
	return &extractor{rule: rule, sets: layoutFor(rule).sets, lines: lineNumbers()}
}

// begin sets up an empty board.
func (x *extractor) begin(width, height int) error {
	b, err := samples.Board(x.b, x.rule, width, height)
	if err != nil {
		return err
	}
	if b != x.b {
		x.b = b
		for y := range height {
			for col := range width {
				x.region[board.At(col, y)] = uint8(nnue.RegionOf(col, y, width, height))
			}
		}
	}
	x.stale = *b.Open()
	return nil
}

// play follows a move of the game.
func (x *extractor) play(m board.Move) {
	if m == board.None {
		x.b.Pass()
		return
	}
	x.b.Play(m)
	// No pattern or line of the network reaches further than board.Pad cells.
	at, row := uint(m)%board.Stride, int(m)/board.Stride
	x.stale[row] |= (1<<(2*board.Pad+1) - 1) << (at - board.Pad)
	for i := 1; i <= board.Pad; i++ {
		star := uint32(1|1<<i|1<<(2*i)) << (at - uint(i))
		x.stale[row-i] |= star
		x.stale[row+i] |= star
	}
}

// sample sets s, whose slices it reuses, to the sample of the position.
func (x *extractor) sample(s *sample, p *record.SamplePly, o record.Outcome, u use) {
	b := x.b
	own, other := b.Side(), b.Side().Other()
	s.mask, s.search, s.result, s.valued = uint16(eval.ThreatMask(b)), p.Value, samples.Result(own, o), u&teachesValue != 0
	s.head, s.views = 0, [2]uint8{}
	if x.sets == 2 {
		s.head, s.views = uint8(own), [2]uint8{uint8(own), uint8(other)}
	}
	x.collect()

	all, rows := 0, 0
	for n, cells := range x.found {
		s.cells[n] = uint16(len(cells))
		all += len(cells)
		rows += 2 * len(cells) * (n + 2)
	}
	s.region, s.count, s.rows = resized(s.region, all), resized(s.count, all), resized(s.rows, rows)
	at := 0
	for _, cells := range x.found {
		for i := range cells {
			c := &cells[i]
			x.at[c.move] = uint16(at)
			s.region[at], s.count[at] = c.region, c.count
			at++
		}
	}
	at = 0
	for v, viewer := range [2]board.Color{own, other} {
		set := uint16(s.views[v]) * setRows
		for n, cells := range x.found {
			for i := range cells {
				c := &cells[i]
				to := s.rows[at:][: n+2 : n+2]
				for d, line := range c.lines[:n] {
					if viewer == board.White {
						line = x.lines.swap[line]
					}
					to[d] = set + line
				}
				to[n], to[n+1] = set+ownRow+c.codes[viewer], set+otherRow+c.codes[viewer^1]
				at += n + 2
			}
		}
	}

	s.candidates, s.best = s.candidates[:0], -1
	if u&teachesPolicy == 0 {
		return
	}
	last, before := b.Back(1), b.Back(2)
	x.list = x.moves(x.list[:0])
	for i, m := range x.list {
		if m == p.Best {
			s.best = i
		}
		k := b.Code(m)
		s.candidates = append(s.candidates, candidate{
			x.at[m], [2]uint16{codeNumbers[k.Of(own)], codeNumbers[k.Of(other)]}, [2]uint8{near(m, last), near(m, before)},
		})
	}
}

// moves appends the legal candidates of the board.
func (x *extractor) moves(dst []board.Move) []board.Move {
	near := x.b.Candidates()
	from := len(dst)
	dst = near.Append(dst)
	if x.rule&board.Renju != 0 {
		dst = append(dst[:from], slices.DeleteFunc(dst[from:], func(m board.Move) bool { return !x.b.Legal(m) })...)
	}
	return dst
}

// collect finds the empty cells of the board and sorts them by their number of lines with a
// stone. For cells that are stored as one, at is the index of that one.
func (x *extractor) collect() {
	for n := range x.found {
		x.found[n] = x.found[n][:0]
	}
	x.latest = [regions]int{}
	for y, row := range x.b.Open() {
		for ; row != 0; row &= row - 1 {
			m := board.Move(y*board.Stride + bits.TrailingZeros32(row))
			c := &x.cells[m]
			if x.stale.Has(m) {
				x.find(c, m)
			}
			if n := c.stones; n > 0 || !x.join(c) {
				x.found[n] = append(x.found[n], *c)
			}
		}
	}
	x.stale = board.Set{}
}

// find sets c to the empty cell m.
func (x *extractor) find(c *foundCell, m board.Move) {
	k := x.b.Code(m)
	*c = foundCell{
		codes: [2]uint16{codeNumbers[k.Of(board.Black)], codeNumbers[k.Of(board.White)]},
		move:  m, region: x.region[m], count: 1,
	}
	for d := range board.Directions {
		if line := x.lines.number[keyOf(x.b, m, d)]; !x.lines.free[line] {
			c.lines[c.stones] = line
			c.stones++
		}
	}
}

// join adds c, which has no stone in its lines, to the count of an equal cell of found[0]. It
// reports false if there is none; the caller must then append c to found[0].
func (x *extractor) join(c *foundCell) bool {
	same := func(i int) bool {
		o := &x.found[0][i]
		return o.region == c.region && o.codes == c.codes
	}
	n := len(x.found[0])
	i := x.latest[c.region]
	if i >= n || !same(i) {
		for i = 0; i < n && !same(i); i++ {
		}
	}
	x.latest[c.region] = i
	x.at[c.move] = uint16(i)
	if i == n {
		return false
	}
	x.found[0][i].count++
	return true
}

// resized returns s with n elements of any value. It allocates a few more than it needs.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		s = make([]T, n+n/8)
	}
	return s[:n]
}

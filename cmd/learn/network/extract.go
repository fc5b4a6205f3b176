package network

import (
	"math"
	"math/bits"
	"slices"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/nnue"
	"tengen/brain/sample"
	"tengen/cmd/learn/dataset"
)

// An example is the input of the network for one position, about 3 KB.
//
// Empty cells without a stone in any of their four lines and with the same codes and region
// are stored as one cell with a count. A line without a stone has no row, since the row is
// always 0.
type example struct {
	// Cells are sorted by their number of lines with a stone: cells[n] of them have n. rows
	// has the rows of each: its n lines, own code and other code, first of all cells from the
	// view of the side to move, then from the view of the opponent.
	cells  [5]uint16
	rows   []uint16
	region []uint8
	count  []uint8

	candidates []candidate // legal ones; none if the choice teaches nothing
	best       int         // index in candidates of the best move of the search
	shares     []share     // target of the policy, of sum 1; none if it is the best move alone
	valued     bool        // whether the value teaches anything

	head   uint8    // of the side to move
	views  [2]uint8 // view sets of the side to move and of the opponent
	mask   uint16   // board.Board.ThreatMask
	ply    uint16   // stones and passes before
	search int16    // value that the search gave the position
	result float32  // of the game for the side to move, 0, 0.5 or 1; dataset.Unknown where it has none
}

// A candidate is a move to choose from.
type candidate struct {
	cell  uint16    // of example
	codes [2]uint16 // own and other
	near  [2]uint8  // to the move one ply ago and to that two plies ago: see near
}

// A share is what a candidate has of the target of the policy.
type share struct {
	candidate uint16
	of        float32
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

// An extractor turns games into examples. It keeps the rows of a cell from ply to ply until a line of
// the cell changes. It is not safe for concurrent use.
type extractor struct {
	sets  int
	rule  board.Rule
	soft  float64 // plan.Soft
	b     *board.Board
	lines *lineTable

	region [board.Cells]uint8     // of the empty board
	stale  board.Set              // cells whose lines have changed
	cells  [board.Cells]foundCell // of the empty cells that are not stale
	near   board.Set              // those with a stone in a line
	alike  []group                // the others
	sorted [5][]board.Move        // near, by number of lines with a stone

	at   [board.Cells]uint16 // cell of the example by cell of the board; not of those in a group
	list []board.Move
}

// A foundCell caches the rows of a cell.
type foundCell struct {
	rows  [2]cellRows // from the view of black and of white
	lines int8        // number of lines with a stone
	group int16       // of a cell without one; noGroup if the cell is occupied or not known
}

// cellRows are the rows of a cell: those of its lines with a stone, own code and other code.
type cellRows [board.Directions + 2]uint16

// A group stands in an example for all cells of one region that have no stone in their lines and the
// same codes.
type group struct {
	rows   [2]cellRows
	region uint8
	count  int
	at     uint16 // cell of the example
}

const noGroup = -1

func newExtractor(rule board.Rule) *extractor {
	return &extractor{rule: rule, sets: layoutFor(rule).sets, lines: lineNumbers()}
}

// begin sets up an empty board.
func (x *extractor) begin(width, height int) error {
	b, err := dataset.Board(x.b, x.rule, width, height)
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
	x.stale, x.near, x.alike = *b.Open(), board.Set{}, x.alike[:0]
	for i := range x.cells {
		x.cells[i].group = noGroup
	}
	return nil
}

// play follows a move of the game.
func (x *extractor) play(m board.Move) {
	if m == board.None {
		x.b.Pass()
		return
	}
	x.b.Play(m)
	x.forget(m)
	// No pattern or line of the network reaches further than board.Pad cells.
	at, row := uint(m)%board.Stride, int(m)/board.Stride
	x.stale[row] |= (1<<(2*board.Pad+1) - 1) << (at - board.Pad)
	for i := 1; i <= board.Pad; i++ {
		star := uint32(1|1<<i|1<<(2*i)) << (at - uint(i))
		x.stale[row-i] |= star
		x.stale[row+i] |= star
	}
}

// example sets s, whose slices it reuses, to the example of the position, whose search had these lines.
func (x *extractor) example(s *example, p *sample.Ply, lines []sample.Line, result float32, u use) {
	b := x.b
	own, other := b.Side(), b.Side().Other()
	s.ply = uint16(b.Ply())
	s.mask, s.search, s.result, s.valued = uint16(b.ThreatMask()), p.Value, result, u&teachesValue != 0
	s.head, s.views = 0, [2]uint8{}
	if x.sets == 2 {
		s.head, s.views = uint8(own), [2]uint8{uint8(own), uint8(other)}
	}
	x.collect()
	x.place(s, [2]board.Color{own, other})

	set := uint16(s.views[0]) * setRows
	s.candidates, s.best, s.shares = s.candidates[:0], -1, s.shares[:0]
	if u&teachesPolicy == 0 {
		return
	}
	last, before := b.Back(1), b.Back(2)
	x.list = x.moves(x.list[:0])
	for i, m := range x.list {
		if m == p.Best {
			s.best = i
		}
		c, at := &x.cells[m], x.at[m]
		if c.group != noGroup {
			at = x.alike[c.group].at
		}
		codes := c.rows[own][c.lines:][:2]
		s.candidates = append(s.candidates, candidate{
			at, [2]uint16{codes[0] - set - ownRow, codes[1] - set - otherRow}, [2]uint8{near(m, last), near(m, before)},
		})
	}
	if x.soft > 0 && len(lines) > 1 && s.best >= 0 {
		x.share(s, lines)
	}
}

// share sets the shares of s by the values of lines: a move that is x.soft points worse than the first
// line has 1/e of its share. The best move comes from a longer search than the lines, so that it
// counts as good as the first of them.
func (x *extractor) share(s *example, lines []sample.Line) {
	top := lines[0].Value
	for _, l := range lines {
		top = max(top, l.Value)
	}
	s.shares = append(s.shares, share{uint16(s.best), 1})
	sum := float32(1)
	for _, l := range lines {
		i := slices.Index(x.list, l.Move)
		if i < 0 || i == s.best { // too far from all stones for a candidate, or there already
			continue
		}
		of := float32(math.Exp((float64(l.Value) - float64(top)) / x.soft))
		s.shares = append(s.shares, share{uint16(i), of})
		sum += of
	}
	for i := range s.shares {
		s.shares[i].of /= sum
	}
}

// place sets the cells of s, from the views of two colors, and notes where they are.
func (x *extractor) place(s *example, views [2]board.Color) {
	all := 0
	for i := range x.alike {
		if g := &x.alike[i]; g.count > 0 {
			g.at = uint16(all)
			all++
		}
	}
	s.cells[0] = uint16(all)
	rows := 2 * 2 * all
	for n := 1; n < len(x.sorted); n++ {
		cells := len(x.sorted[n])
		s.cells[n] = uint16(cells)
		all += cells
		rows += 2 * cells * (n + 2)
	}
	s.region, s.count = resized(s.region, all), resized(s.count, all)
	// Copying all rows of a cell, used or not, takes less time than copying the used ones. The next
	// cell overwrites the others.
	s.rows = resized(s.rows, rows+len(cellRows{}))
	at := 0
	for i := range x.alike {
		if g := &x.alike[i]; g.count > 0 {
			s.region[at], s.count[at] = g.region, uint8(g.count)
			at++
		}
	}
	for _, cells := range x.sorted[1:] {
		for _, m := range cells {
			x.at[m] = uint16(at)
			s.region[at], s.count[at] = x.region[m], 1
			at++
		}
	}
	at = 0
	for _, viewer := range views {
		for i := range x.alike {
			if g := &x.alike[i]; g.count > 0 {
				*(*cellRows)(s.rows[at:]) = g.rows[viewer]
				at += 2
			}
		}
		for n, cells := range x.sorted[1:] {
			for _, m := range cells {
				*(*cellRows)(s.rows[at:]) = x.cells[m].rows[viewer]
				at += n + 1 + 2
			}
		}
	}
	s.rows = s.rows[:rows]
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

// collect updates the cells and sorts those in near.
func (x *extractor) collect() {
	for y, row := range x.b.Open() {
		for row &= x.stale[y]; row != 0; row &= row - 1 {
			m := board.Move(y*board.Stride + bits.TrailingZeros32(row))
			x.forget(m)
			x.find(m)
		}
	}
	x.stale = board.Set{}
	for n := range x.sorted {
		x.sorted[n] = x.sorted[n][:0]
	}
	for y, row := range x.near {
		for ; row != 0; row &= row - 1 {
			m := board.Move(y*board.Stride + bits.TrailingZeros32(row))
			n := x.cells[m].lines
			x.sorted[n] = append(x.sorted[n], m)
		}
	}
}

// forget removes the cell m.
func (x *extractor) forget(m board.Move) {
	x.near.Remove(m)
	if c := &x.cells[m]; c.group != noGroup {
		x.alike[c.group].count--
		c.group = noGroup
	}
}

// find adds the empty cell m.
func (x *extractor) find(m board.Move) {
	c := &x.cells[m]
	n := 0
	for d := range board.Directions {
		if line := x.lines.number[keyOf(x.b, m, d)]; !x.lines.free[line] {
			c.rows[board.Black][n], c.rows[board.White][n] = line, x.lines.swap[line]
			n++
		}
	}
	k := x.b.Code(m)
	black, white := codeNumbers[k.Of(board.Black)], codeNumbers[k.Of(board.White)]
	c.rows[board.Black][n], c.rows[board.Black][n+1] = ownRow+black, otherRow+white
	c.rows[board.White][n], c.rows[board.White][n+1] = ownRow+white, otherRow+black
	if x.sets == 2 {
		for i := range c.rows[board.White][:n+2] {
			c.rows[board.White][i] += setRows
		}
	}
	if c.lines = int8(n); n > 0 {
		x.near.Add(m)
		return
	}
	clear(c.rows[board.Black][2:])
	clear(c.rows[board.White][2:])
	c.group = x.groupOf(c.rows, x.region[m])
	x.alike[c.group].count++
}

// groupOf returns the index of the group with these rows in the region.
func (x *extractor) groupOf(rows [2]cellRows, region uint8) int16 {
	for i := len(x.alike) - 1; i >= 0; i-- {
		if g := &x.alike[i]; g.region == region && g.rows == rows {
			return int16(i)
		}
	}
	x.alike = append(x.alike, group{rows: rows, region: region})
	return int16(len(x.alike) - 1)
}

// resized returns s with n elements of any value. It allocates a few more than it needs.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		s = make([]T, n+n/8)
	}
	return s[:n]
}

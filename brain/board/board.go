package board

import (
	"errors"
	"fmt"
	"math/bits"
)

// A Board is a position with its history. Line words, patterns, classes, class
// counts, candidate set and hash are kept up to date by Play and Undo in O(cells
// within five steps) and without allocating. The zero Board is not usable; see New.
// Not safe for concurrent use.
type Board struct {
	rule          Rule
	width, height int
	tables        *tables

	// The position.
	side    Color
	cells   [Cells]Color
	lines   lines
	empties int
	hash    uint64
	key     uint64 // of Rekey, in hash

	// What lies around a cell and what a stone would make there, per empty cell. The values of a
	// cell that is taken stay as they were when it was taken, so that Undo finds them.
	points [Cells]point
	counts [2][16]int16
	sets   [2][16]Set

	near Set // cells near a stone or a blocked cell
	open Set // empty cells

	// The history.
	frames  []frame
	changes []Change
	turns   []turn
	walled  []Move // stones that PlayRows turned to blocked cells
}

// A point is what an empty cell has from its four lines.
type point struct {
	lines   [Directions]uint16 // their numbers in linecode, as black sees them
	code    Code
	classes classes
}

// A Code holds the patterns of one cell, four bits a direction: black's in the low
// 16 bits, white's in the high.
type Code uint32

// Of returns the patterns of color c, four bits a direction.
func (k Code) Of(c Color) uint16 { return uint16(k >> (16 * (c & 1))) }

// classes holds the Class of a cell for black in the low byte and for white in the high byte, each
// in the low four bits; above them it is once more if Count and Set cover it, else uncounted.
type classes uint16

func (k classes) of(c Color) Class { return Class(k >> (8 * (c & 1)) & 15) }

const uncounted = 15 // no Class

// A Change is a change of the lines or patterns of one empty cell by a Play.
type Change struct {
	was     Code
	New     Code
	Cell    Move
	from    classes // before the Play
	to      classes // after it
	oldLine uint16  // the number before the Play of the line that changed, and from directionBit on its direction
}

const directionBit = 14

// Old returns the patterns before the Play.
func (c *Change) Old() Code { return c.was }

// A turn is the index in Board.changes of one that changes what is counted.
type turn int32

// A frame holds what Undo needs to take back one ply.
type frame struct {
	move    Move
	changes int32 // length of Board.changes before the ply
	turns   int32 // length of Board.turns before the ply
	walled  int32 // length of Board.walled before the ply
	near    [nearRows]uint32
}

// nearRows is the number of rows that have cells near a stone.
const nearRows = 9

// maxChanges is more than Board.changes has to hold. A stone changes cells that lie within five steps
// in a line and are empty: of two such cells the one that is taken first changes the other, and no
// more.
const maxChanges = MaxSize*MaxSize*Directions*5 + room

// room is more than a stone changes, a power of two.
const room = 64

// MaxHistory is the greatest number of stones and passes in a history: enough for a full
// board, the passes of a setup with unequal counts, and the plies of a search.
const MaxHistory = 2*MaxSize*MaxSize + 256

// New returns an empty board, black to move. Errors: an unknown rule, or a side not
// in MinSize..MaxSize. The first board of a rule builds its tables (about 2 ms).
func New(rule Rule, width, height int) (*Board, error) {
	if !rule.Valid() {
		return nil, fmt.Errorf("rule %d is not known", rule)
	}
	if !ValidSize(width, height) {
		return nil, fmt.Errorf("board %dx%d is not supported, want sides of %d to %d", width, height, MinSize, MaxSize)
	}
	b := &Board{
		rule: rule, width: width, height: height, tables: tablesFor(rule),
		frames: make([]frame, 0, MaxHistory),
	}
	most := maxChanges
	if rule&Continuous != 0 {
		b.walled = make([]Move, 0, MaxSize*MaxSize)
		most *= 2 // a stone may become a blocked cell
	}
	b.changes, b.turns = make([]Change, 0, most), make([]turn, 0, most)
	b.Reset()
	return b, nil
}

// Reset takes all stones and blocked cells off the board, black to move.
func (b *Board) Reset() {
	b.side, b.empties, b.hash, b.key = Black, b.width*b.height, zobristEmpty(b.rule, b.width, b.height), 0
	b.frames, b.changes, b.turns, b.walled = b.frames[:0], b.changes[:0], b.turns[:0], b.walled[:0]
	b.near, b.open = Set{}, Set{}
	b.counts, b.sets = [2][16]int16{}, [2][16]Set{}
	for i := range b.cells {
		b.cells[i] = Wall
	}
	b.lines.clear()
	for y := range b.height {
		for x := range b.width {
			m := At(x, y)
			b.cells[m] = Empty
			b.lines.toggle(m, uint64(Empty^Wall))
			b.open.flip(m)
		}
	}
	b.eachEmpty(func(m Move) {
		b.points[m] = b.pointOf(m)
		b.enter(m)
	})
}

// Clone returns an independent copy with its own history.
func (b *Board) Clone() *Board {
	c := &Board{
		frames: make([]frame, 0, MaxHistory), changes: make([]Change, 0, cap(b.changes)),
		turns: make([]turn, 0, cap(b.turns)), walled: make([]Move, 0, cap(b.walled)),
	}
	c.copyFrom(b)
	return c
}

// copyFrom makes b equal to o, a board of the same rule and size, without allocating.
func (b *Board) copyFrom(o *Board) {
	frames, changes := append(b.frames[:0], o.frames...), append(b.changes[:0], o.changes...)
	turns, walled := append(b.turns[:0], o.turns...), append(b.walled[:0], o.walled...)
	*b = *o
	b.frames, b.changes, b.turns, b.walled = frames, changes, turns, walled
}

// Copy returns a board equal to o: to, if it is one of the same rule and size, else a new one,
// and whether it is new. to may be nil.
func Copy(to, o *Board) (b *Board, made bool) {
	if to == nil || to.rule != o.rule || to.width != o.width || to.height != o.height {
		return o.Clone(), true
	}
	to.copyFrom(o)
	return to, false
}

// Rule returns the rule the board was made for.
func (b *Board) Rule() Rule { return b.rule }

// Width returns the number of columns.
func (b *Board) Width() int { return b.width }

// Height returns the number of rows.
func (b *Board) Height() int { return b.height }

// Side returns who is to move.
func (b *Board) Side() Color { return b.side }

// Cell returns what m holds; Wall for every cell beyond the edge.
func (b *Board) Cell(m Move) Color { return b.cells[m%Cells] }

// Empties returns the number of empty cells.
func (b *Board) Empties() int { return b.empties }

// Hash identifies the position: rule, size, stones, blocked cells and side to move.
func (b *Board) Hash() uint64 { return b.hash }

// Rekey mixes key into Hash, for this position and all that are played from it, so that
// entries stored under another key do not match. It lasts until the next Reset or Copy.
func (b *Board) Rekey(key uint64) {
	b.hash ^= key
	b.key ^= key
}

// HashAfter returns what Hash will be after Play(m).
func (b *Board) HashAfter(m Move) uint64 {
	return b.hash ^ zobristKeys[b.side&1][m%Cells] ^ zobristSide
}

// Ply returns the number of moves and passes played.
func (b *Board) Ply() int { return len(b.frames) }

// Move returns the i-th move of the history, from 0; None for a pass.
func (b *Board) Move(i int) Move { return b.frames[i].move }

// Moves returns the moves of the history, None for a pass, in a new slice.
func (b *Board) Moves() []Move {
	moves := make([]Move, len(b.frames))
	for i := range b.frames {
		moves[i] = b.frames[i].move
	}
	return moves
}

// Back returns the move n plies ago, 1 for the last; None for a pass or before the
// first move.
func (b *Board) Back(n int) Move {
	if n > len(b.frames) {
		return None
	}
	return b.frames[len(b.frames)-n].move
}

// On reports whether column x, row y is on the board.
func (b *Board) On(x, y int) bool { return x >= 0 && x < b.width && y >= 0 && y < b.height }

// Legal reports whether the side to move may play m: an empty cell of the board, not
// forbidden.
func (b *Board) Legal(m Move) bool {
	return m < Cells && b.cells[m] == Empty && !(b.side == Black && b.Forbidden(m))
}

// Class returns what a stone of color c on the empty cell m would make.
func (b *Board) Class(c Color, m Move) Class { return b.points[m%Cells].classes.of(c) }

// Code returns the patterns of the empty cell m for both colors.
func (b *Board) Code(m Move) Code { return b.points[m%Cells].code }

// LineNumbers returns the numbers in linecode of the four lines through the empty cell m, as black
// sees them, 16 bits a direction.
func (b *Board) LineNumbers(m Move) uint64 {
	l := &b.points[m%Cells].lines
	return uint64(l[0]) | uint64(l[1])<<16 | uint64(l[2])<<32 | uint64(l[3])<<48
}

// Pattern returns what a stone of color c on the empty cell m would make in
// direction d.
func (b *Board) Pattern(c Color, m Move, d int) Pattern {
	return Pattern(b.points[m%Cells].code.Of(c) >> (4 * d) & 15)
}

// Count returns the number of empty cells where a stone of color c makes k. It covers
// MakesFoul and the classes from MakesThree up, since most changes are between weaker ones;
// for those it returns 0.
func (b *Board) Count(c Color, k Class) int { return int(b.counts[c&1][k&15]) }

// Set returns the empty cells where a stone of color c makes k, a class that Count covers.
// The Set belongs to the board and changes with it.
func (b *Board) Set(c Color, k Class) *Set { return &b.sets[c&1][k&15] }

// Candidates returns the empty cells near a stone or a blocked cell: within three cells in
// both coordinates or four along a line.
func (b *Board) Candidates() Set {
	var s Set
	for y := range s {
		s[y] = b.near[y] & b.open[y]
	}
	return s
}

// Open returns the empty cells.
func (b *Board) Open() *Set { return &b.open }

// Changes returns what the ply-th Play of the history (from 0) changed, except at the
// stone's own cell; nothing for a pass. Valid until that ply is taken back.
func (b *Board) Changes(ply int) []Change {
	end := len(b.changes)
	if ply+1 < len(b.frames) {
		end = int(b.frames[ply+1].changes)
	}
	return b.changes[b.frames[ply].changes:end]
}

// Play puts a stone of the side to move on m. It panics if m is not empty; it does not
// check whether m is forbidden. Undo takes back exactly one Play.
func (b *Board) Play(m Move) {
	if m >= Cells || b.cells[m] != Empty {
		panic("board: play on a cell that is not empty")
	}
	c := b.side
	b.push(m)
	b.leave(m)
	b.cells[m] = c
	b.lines.toggle(m, uint64(Empty^c))
	b.hash ^= zobristKeys[c&1][m] ^ zobristSide
	b.side = c ^ 1
	b.open.flip(m)
	b.empties--
	b.widen(m)
	b.refresh(m)
}

// Pass gives the move to the other side. Undo takes back one Pass as well.
func (b *Board) Pass() {
	b.push(None)
	b.hash ^= zobristSide
	b.side ^= 1
}

// Undo takes back the last Play or Pass. It panics if there is none.
func (b *Board) Undo() {
	n := len(b.frames) - 1
	f := &b.frames[n]
	b.frames = b.frames[:n]
	b.hash ^= zobristSide
	b.side ^= 1
	m := f.move
	if m == None {
		return
	}
	if len(b.walled) > int(f.walled) {
		b.unwall(int(f.walled))
	}
	for _, i := range b.turns[f.turns:] {
		c := &b.changes[i]
		b.recount(c.Cell, c.to, c.from)
	}
	changes := b.changes[f.changes:]
	for i := len(changes) - 1; i >= 0; i-- {
		c := &changes[i]
		p := &b.points[c.Cell%Cells]
		p.code, p.classes = c.was, c.from
		p.lines[c.oldLine>>directionBit] = c.oldLine % (1 << directionBit)
	}
	b.changes, b.turns = b.changes[:f.changes], b.turns[:f.turns]
	*b.nearRows(m) = f.near
	b.empties++
	b.open.flip(m)
	b.hash ^= zobristKeys[b.side&1][m]
	b.lines.toggle(m, uint64(Empty^b.side))
	b.cells[m] = Empty
	b.enter(m)
}

// Block makes the empty cell m a wall until Reset. It panics if m is not empty or a move
// has been played, since Undo does not restore blocked cells.
func (b *Board) Block(m Move) {
	if len(b.frames) > 0 || m >= Cells || b.cells[m] != Empty {
		panic("board: block on a taken cell or during a game")
	}
	b.leave(m)
	b.cells[m] = Wall
	b.lines.toggle(m, uint64(Empty^Wall))
	b.hash ^= zobrist(Wall, m)
	b.open.flip(m)
	b.empties--
	b.widen(m)
	b.refresh(m)
	b.changes, b.turns = b.changes[:0], b.turns[:0]
}

// Errors of Try.
var (
	ErrOff       = errors.New("not on the board")
	ErrTaken     = errors.New("the cell is taken")
	ErrForbidden = errors.New("forbidden for black")
)

// Try returns an error that says why the side to move may not play column x, row y, or nil
// if it may.
func (b *Board) Try(x, y int) error {
	switch {
	case !b.On(x, y):
		return ErrOff
	case b.cells[At(x, y)] != Empty:
		return ErrTaken
	case !b.Legal(At(x, y)):
		return ErrForbidden
	}
	return nil
}

func (b *Board) push(m Move) {
	if len(b.frames) == cap(b.frames) {
		panic("board: history is full")
	}
	b.frames = b.frames[:len(b.frames)+1]
	f := &b.frames[len(b.frames)-1]
	f.move = m
	f.changes, f.turns, f.walled = int32(len(b.changes)), int32(len(b.turns)), int32(len(b.walled))
	if m != None {
		f.near = *b.nearRows(m)
	}
}

// nearRows returns the rows of near that have cells near m, a cell of the board.
func (b *Board) nearRows(m Move) *[nearRows]uint32 {
	return (*[nearRows]uint32)(b.near[int(m)/Stride-nearRows/2:])
}

// widen adds the cells around m to the near set.
func (b *Board) widen(m Move) {
	const (
		square = 0x7f << 1 // three to either side
		row    = 0x1ff     // four to either side
		star   = 1 | 1<<4 | 1<<8
	)
	x, rows := int(m)%Stride-4, b.nearRows(m)
	rows[0] |= star << x
	for i := 1; i <= 7; i++ {
		rows[i] |= square << x
	}
	rows[4] |= row << x
	rows[8] |= star << x
}

// enter counts the empty cell m; leave takes it out of the counts.
func (b *Board) enter(m Move) { b.count(m, b.points[m%Cells].classes, 1) }
func (b *Board) leave(m Move) { b.count(m, b.points[m%Cells].classes, -1) }

func (b *Board) count(m Move, k classes, by int16) {
	y, bit := m/Stride%Stride, uint32(1)<<(m%Stride)
	b.counts[0][k>>4&15] += by
	b.sets[0][k>>4&15][y] ^= bit
	b.counts[1][k>>12] += by
	b.sets[1][k>>12][y] ^= bit
}

// pointOf computes the entry of points from the lines.
func (b *Board) pointOf(m Move) (p point) {
	for d := range Directions {
		number, patterns := b.tables.look(b.window(m, d))
		p.lines[d] = uint16(number)
		p.code |= Code(patterns&15) << (4 * d)
		p.code |= Code(patterns>>4) << (4*d + 16)
	}
	p.classes = classes(b.tables.class[Black][p.code.Of(Black)]) | classes(b.tables.class[White][p.code.Of(White)])<<8
	return p
}

func (b *Board) eachEmpty(f func(Move)) {
	for y, row := range b.open {
		for ; row != 0; row &= row - 1 {
			f(Move(y*Stride + bits.TrailingZeros32(row)))
		}
	}
}

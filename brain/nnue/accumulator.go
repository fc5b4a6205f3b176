package nnue

import "unsafe"

// Room of an Accumulator: with the largest board's 484 cells and at most 41 versions a ply, more where
// a row is blocked, for 180 plies that are all evaluated, and for more where cells have been taken.
// The caller begins anew when it is full.
const (
	maxVersions = 8192
	maxSums     = 2048
	maxStates   = 512
	maxChanges  = 484 // cells of the largest board
)

// An Accumulator keeps the sums of rows of all cells of one position, and of positions
// before it that it can go back to. A cell whose rows change gets a new version; a state
// is the versions, and the sums of them over regions, that belong to one position.
// States lie on a stack: going back takes as long as cells had changed, about 30 ns a ply.
//
// The caller describes a new position between Begin and Commit, by how it differs from
// the state on top of the stack. Nothing here allocates after NewAccumulator.
type Accumulator struct {
	w      *Weights
	region *[Cells]uint8

	current  [Cells]uint16         // version of a cell, 0 if it is not empty
	versions *[maxVersions]version // the stack of versions; version 0 belongs to no cell
	cells    []row                 // the numbers of a cell, by version

	sums   []row                    // sums over regions in use
	hidden [2][][RegionHidden]int16 // the layers of the regions by side to move and sum, as far as known
	known  []uint8                  // by sum, bit s: hidden[s] is known

	states []state
	listed [maxChanges]uint16 // versions of the cells that Logits is asked for

	versionsUsed, sumsUsed int
	first                  int // version of the state that has begun
}

type state struct {
	ply            int
	versions, sums int // in use before this state

	sum    [Regions]uint16 // index of the sum over each region
	pool   alignedRow      // if pooled
	pooled bool
}

// NewAccumulator returns an accumulator without a state. region gives the region of every
// cell of the board and is kept. About 2 MB, see AccumulatorBytes.
func NewAccumulator(w *Weights, region *[Cells]uint8) *Accumulator {
	a := &Accumulator{
		versions: new([maxVersions]version), cells: make([]row, maxVersions),
		sums: make([]row, maxSums), known: make([]uint8, maxSums),
		states: make([]state, 0, maxStates),
	}
	for s := range a.hidden {
		a.hidden[s] = make([][RegionHidden]int16, maxSums)
	}
	a.versions[0].lines, a.versions[0].codes = noLines, [2]uint16{zeroRow, zeroRow}
	a.Reset(w, region)
	return a
}

// AccumulatorBytes is the memory that an Accumulator takes.
const AccumulatorBytes = int64(unsafe.Sizeof(Accumulator{})) +
	maxVersions*int64(unsafe.Sizeof(version{})+unsafe.Sizeof(row{})) +
	maxSums*int64(unsafe.Sizeof(row{})+2*unsafe.Sizeof([RegionHidden]int16{})+1) +
	maxStates*int64(unsafe.Sizeof(state{}))

// Reset forgets all states. The next Begin starts from a board without empty cells.
func (a *Accumulator) Reset(w *Weights, region *[Cells]uint8) {
	a.w, a.region = w, region
	a.current = [Cells]uint16{}
	a.states = a.states[:0]
	a.versionsUsed, a.sumsUsed = 1, 0
}

// Ply returns the ply that the state on top was committed with, -1 if there is none.
func (a *Accumulator) Ply() int {
	if len(a.states) == 0 {
		return -1
	}
	return a.states[len(a.states)-1].ply
}

// Back drops the states of plies after ply.
func (a *Accumulator) Back(ply int) {
	for a.Ply() > ply {
		s := &a.states[len(a.states)-1]
		for i := a.versionsUsed - 1; i >= s.versions; i-- {
			v := &a.versions[i]
			a.current[v.cell%Cells] = v.before
		}
		a.versionsUsed, a.sumsUsed = s.versions, s.sums
		a.states = a.states[:len(a.states)-1]
	}
}

// Begin starts a state, equal so far to the one on top. It reports false if there is no
// room, and the caller has to Reset first.
func (a *Accumulator) Begin() bool {
	n := len(a.states)
	if n == maxStates || a.versionsUsed+maxChanges > maxVersions || a.sumsUsed+Regions > maxSums {
		return false
	}
	a.states = a.states[:n+1]
	s := &a.states[n]
	s.versions, s.sums, s.pooled = a.versionsUsed, a.sumsUsed, false
	a.first = a.versionsUsed
	if n > 0 {
		s.sum = a.states[n-1].sum
		return true
	}
	for r := range s.sum {
		a.sums[r], a.known[r] = row{}, 0
		s.sum[r] = uint16(r)
	}
	a.sumsUsed = Regions
	return true
}

// Commit ends what Begin started: the position is that of the given ply, greater than
// those of the states below.
func (a *Accumulator) Commit(ply int) {
	a.states[len(a.states)-1].ply = ply
	add(a.cells, a.sums, a.w, a.versions[:a.versionsUsed], a.first)
}

// Take makes cell, which was an empty one, one that is not. Take comes before Set.
func (a *Accumulator) Take(cell int) {
	cell &= Cells - 1
	before := a.current[cell]
	if before == 0 {
		return
	}
	n := a.versionsUsed
	a.versionsUsed++
	a.current[cell] = uint16(n)
	v := &a.versions[n]
	v.lines, v.codes = noLines, [2]uint16{zeroRow, zeroRow}
	v.before, v.sum, v.cell = before, a.sumOf(&a.states[len(a.states)-1], a.region[cell]), uint16(cell)
}

// A Cell says what the empty cell at At is: the numbers of its four lines, see package linecode, 16
// bits each, and its code.
type Cell struct {
	Lines uint64
	Code  uint32
	At    uint32
}

// Set says what empty cells are now. It does nothing for those that have been set or taken since Begin.
// To store a whole version at once made an update 6% slower: small parts are stored first and then
// loaded as one. Nothing was gained, 2026-11, by the numbers of codes in 32 KiB instead of 128, found by
// halves, by sums that add keeps in registers while the region stays the same, and even by 512 rows in
// place of all, for a look at the cache: an update does not wait for memory.
func (a *Accumulator) Set(cells []Cell) {
	codes, versions, region := a.w.codes, a.versions, a.region
	s := &a.states[len(a.states)-1]
	n, first := uint(a.versionsUsed), uint(a.first)
	for i := range cells {
		c := &cells[i]
		cell := c.At % Cells
		before := a.current[cell]
		if uint(before) >= first {
			continue
		}
		a.current[cell] = uint16(n)
		v := &versions[n%maxVersions]
		v.lines = c.Lines + lineRows*(1|1<<16|1<<32|1<<48)
		v.before, v.sum, v.cell = before, a.sumOf(s, region[cell]), uint16(cell)
		v.codes[0] = blackRows + codes[uint16(c.Code)]
		v.codes[1] = whiteRows + codes[c.Code>>16]
		n++
	}
	a.versionsUsed = int(n)
}

// sumOf returns the index of the sum over region r in the state s, which has begun.
func (a *Accumulator) sumOf(s *state, r uint8) uint16 {
	if sum := s.sum[r]; int(sum) >= s.sums {
		return sum
	}
	return a.renewSum(s, r)
}

// renewSum gives the state a sum of its own over region r.
func (a *Accumulator) renewSum(s *state, r uint8) uint16 {
	n := a.sumsUsed
	a.sumsUsed++
	a.sums[n], a.known[n] = a.sums[s.sum[r]], 0
	s.sum[r] = uint16(n)
	return uint16(n)
}

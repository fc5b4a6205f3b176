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
	if a.current[cell] != 0 {
		v := a.renew(cell)
		v.lines, v.codes = a.versions[0].lines, a.versions[0].codes
	}
}

// Set says what an empty cell is now: the numbers of its four lines, see package linecode, 16 bits
// each, and its code. It does nothing for a cell that has been set or taken since Begin.
func (a *Accumulator) Set(cell int, lines uint64, code uint32) {
	cell &= Cells - 1
	if int(a.current[cell]) >= a.first {
		return
	}
	v := a.renew(cell)
	v.lines = lines + lineRows*(1|1<<16|1<<32|1<<48)
	v.codes = [2]uint16{blackRows + a.w.codes[uint16(code)], whiteRows + a.w.codes[code>>16]}
}

// renew gives cell a version of the state that has begun, without its rows. To store a whole version
// at once made an update 6% slower: small parts are stored first and then loaded as one.
func (a *Accumulator) renew(cell int) *version {
	n, old := a.versionsUsed, a.current[cell]
	a.versionsUsed++
	a.current[cell] = uint16(n)
	s := &a.states[len(a.states)-1]
	sum := &s.sum[a.region[cell]]
	if int(*sum) < s.sums {
		a.sums[a.sumsUsed] = a.sums[*sum]
		a.known[a.sumsUsed] = 0
		*sum = uint16(a.sumsUsed)
		a.sumsUsed++
	}
	v := &a.versions[n]
	v.before, v.sum, v.cell = old, *sum, uint16(cell)
	return v
}

package hashtable

import (
	"tengen/brain/board"
	"tengen/brain/score"
)

// A Bound is the relation of a stored value to the true one.
type Bound uint8

const (
	NoBound Bound = iota
	Upper         // the true value is at most this
	Lower         // at least this
	Exact
)

// An Entry is what the table holds about a position.
type Entry struct {
	Move   board.Move  // best or refuting move, or None
	Value  score.Value // nothing with NoBound; a proven one counts plies from the position: see score.Value.Nearer
	Static score.Value // static value without its correction, or score.None
	Depth  int         // plies, MinDepth..MaxDepth
	Bound  Bound
	PV     bool // the position has been on a principal variation
}

const (
	MinDepth = -2  // plies; the depth of quiescence results from further down a run of fours
	MaxDepth = 120 // plies
)

// The data word has, from its lowest bit: move 10 bits, value 16, static 16, depth 8, bound
// 2, pv 1, age 6.
const (
	moveMask  = 1<<10 - 1
	boundMask = 1<<2 - 1
	ageMask   = 1<<6 - 1

	valueBit  = 10
	staticBit = valueBit + 16
	depthBit  = staticBit + 16
	boundBit  = depthBit + 8
	pvBit     = boundBit + 2
	ageBit    = pvBit + 1
)

func pack(e Entry, age uint64) uint64 {
	d := uint64(e.Move)&moveMask |
		uint64(uint16(e.Value))<<valueBit |
		uint64(uint16(e.Static))<<staticBit |
		uint64(uint8(e.Depth-MinDepth))<<depthBit |
		uint64(e.Bound)<<boundBit |
		age<<ageBit
	if e.PV {
		d |= 1 << pvBit
	}
	return d
}

func unpack(d uint64) Entry {
	return Entry{
		Move:   board.Move(d & moveMask),
		Value:  score.Value(int16(d >> valueBit)),
		Static: score.Value(int16(d >> staticBit)),
		Depth:  int(uint8(d>>depthBit)) + MinDepth,
		Bound:  Bound(d >> boundBit & boundMask),
		PV:     d>>pvBit&1 != 0,
	}
}

func ageOf(d uint64) uint64 { return d >> ageBit & ageMask }

// Decides reports whether the value of e, searched to depth at least, suffices for the
// window.
func (e *Entry) Decides(alpha, beta score.Value, depth int) bool {
	return e.Depth >= depth &&
		(e.Bound == Exact || e.Bound == Lower && e.Value >= beta || e.Bound == Upper && e.Value <= alpha)
}

// Proves returns 1 if e is of a proven win, -1 if it is of a proven loss, else 0. A bound that
// says how good a position is at best proves no win, however good that is.
func (e *Entry) Proves() int {
	switch {
	case e.Value >= score.WinFloor && e.Bound&Lower != 0:
		return 1
	case e.Value <= -score.WinFloor && e.Bound&Upper != 0:
		return -1
	}
	return 0
}

// Refine returns the value of e if it is a better estimate than the static value.
func (e *Entry) Refine(static score.Value) score.Value {
	if e.Bound == Exact || e.Bound == Lower && e.Value > static || e.Bound == Upper && e.Value < static {
		return e.Value
	}
	return static
}

// BoundOf returns the bound of v, the result of a search with the window (alpha, beta).
func BoundOf(v, alpha, beta score.Value) Bound {
	switch {
	case v >= beta:
		return Lower
	case v > alpha:
		return Exact
	}
	return Upper
}

package network

import (
	"tengen/brain/board"
	"tengen/brain/nnue"
)

// Shapes, those of brain/nnue.
const (
	width        = nnue.Width
	pair         = nnue.Pair
	regions      = nnue.Regions
	regionTypes  = nnue.RegionTypes
	regionHidden = nnue.RegionHidden
	hidden       = nnue.Hidden

	cellMax   = nnue.CellMax / float32(nnue.CellOne)     // greatest activation of a cell
	hiddenMax = nnue.HiddenMax / float32(nnue.HiddenOne) // greatest activation of u and h
)

// Rows of a view set: lines, own codes, other codes, bias.
const (
	ownRow   = nnue.Lines
	otherRow = nnue.Lines + nnue.Codes
	biasRow  = nnue.Lines + 2*nnue.Codes
	setRows  = biasRow + 1
)

// block is the number of floats that every section of parameters is padded to a multiple of,
// a row of a view among them.
const block = 32

// A headOf holds a T for each parameter of a head, or for each block of them. The sections stand
// in one slice in the order of sections; this is the only place that says how.
type headOf[T any] struct {
	region [regionTypes]layer[T] // [regionHidden][pair], from the pools of regions of a type to u
	global layer[T]              // [hidden][pair], from the pool of all cells to h
	merge  [regionTypes][]T      // [regionHidden][hidden], what u adds to h: the transpose of nnue's Merge
	mask   []T                   // [nnue.Masks][hidden], what a mask of threats adds to h
	out    layer[T]              // [1][hidden], from h to the value

	gate      layer[T] // [pair][pair], from the pool of all cells
	policyOwn []T      // [nnue.Codes]
	policyOpp []T      // [nnue.Codes]
	near      [2][]T   // [nnue.Near], by the distance to the last move and to the one before
}

// A layer is a matrix, a row for each output, and what is added to the outputs.
type layer[T any] struct{ weights, bias []T }

type head = headOf[float32]

// sections makes a head whose sections of n parameters are take(n), in their order.
func sections[T any](take func(n int) []T) (h headOf[T]) {
	newLayer := func(outputs, inputs int) layer[T] { return layer[T]{take(outputs * inputs), take(outputs)} }
	for t := range h.region {
		h.region[t] = newLayer(regionHidden, pair)
	}
	h.global = newLayer(hidden, pair)
	for t := range h.merge {
		h.merge[t] = take(regionHidden * hidden)
	}
	h.mask = take(nnue.Masks * hidden)
	h.out = newLayer(1, hidden)
	h.gate = newLayer(pair, pair)
	h.policyOwn, h.policyOpp = take(nnue.Codes), take(nnue.Codes)
	for i := range h.near {
		h.near[i] = take(nnue.Near)
	}
	return h
}

// blocks returns the number of blocks that hold n parameters.
func blocks(n int) int { return (n + block - 1) / block }

// headBlocks is the number of blocks of a head.
var headBlocks = func() (sum int) {
	sections(func(n int) []struct{} {
		sum += blocks(n)
		return nil
	})
	return sum
}()

// headSize is the number of floats of a head.
var headSize = headBlocks * block

// headOfFloats returns the head whose parameters p holds.
func headOfFloats[T any](p []T) headOf[T] {
	return sections(func(n int) []T {
		section := p[:n]
		p = p[blocks(n)*block:]
		return section
	})
}

// headOfBlocks returns the head that has one element of p for each block of parameters.
func headOfBlocks[T any](p []T) headOf[T] {
	return sections(func(n int) []T {
		section := p[:blocks(n)]
		p = p[blocks(n):]
		return section
	})
}

// regionType says of each region whether it is a corner (0), an edge (1) or the center (2).
var regionType = func() (t [regions]int) {
	for r := range t {
		t[r] = int(nnue.RegionType[r])
	}
	return t
}()

// A layout says where the parameters of a network stand in one slice of float32: the rows of all
// view sets, then the heads.
type layout struct{ sets int } // view sets, and as many heads: 1, or 2 (black, white)

func layoutFor(r board.Rule) layout {
	if r&board.Renju != 0 {
		return layout{2}
	}
	return layout{1}
}

// rows is the number of floats of all view sets.
func (l layout) rows() int { return l.sets * setRows * width }

// size is the number of all floats.
func (l layout) size() int { return l.rows() + l.sets*headSize }

// set returns the rows of view set s, setRows*width floats, of p, which has the layout l.
func (l layout) set(p []float32, s int) []float32 { return p[s*setRows*width:][:setRows*width] }

// head returns head h of p, which has the layout l.
func (l layout) head(p []float32, h int) head {
	return headOfFloats(p[l.rows()+h*headSize:][:headSize])
}

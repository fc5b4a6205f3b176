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

// block is the number of floats that every parameter group is padded to a multiple of,
// a row of a view among them.
const block = 32

// Places of a head's parameters, in floats from its beginning.
const (
	atRegion      = 0                                         // [regionTypes][regionHidden][pair]
	atRegionBias  = atRegion + regionTypes*regionHidden*pair  // [regionTypes][regionHidden], padded
	atGlobal      = atRegionBias + 2*block                    // [hidden][pair]
	atMerge       = atGlobal + hidden*pair                    // [regionTypes][regionHidden][hidden], the transpose of V
	atBias        = atMerge + regionTypes*regionHidden*hidden // [hidden]
	atOut         = atBias + hidden                           // [hidden]
	atOutBias     = atOut + hidden                            // [1], padded
	atGate        = atOutBias + block                         // [pair][pair]
	atGateBias    = atGate + pair*pair                        // [pair]
	atNear        = atGateBias + pair                         // [2][nearPad]
	atPolicyOwn   = atNear + 2*nearPad                        // [nnue.Codes], padded
	atPolicyOther = atPolicyOwn + codesPad                    // [nnue.Codes], padded
	atMask        = atPolicyOther + codesPad                  // [nnue.Masks][hidden]
	headSize      = atMask + nnue.Masks*hidden

	nearPad  = 2 * block
	codesPad = (nnue.Codes + block - 1) / block * block
)

// regionType says of each region whether it is a corner (0), an edge (1) or the center (2).
var regionType = func() (t [regions]int) {
	for r := range t {
		t[r] = int(nnue.RegionType[r])
	}
	return t
}()

// A layout says where the parameters of a network stand in one slice of float32.
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

// head returns the part of p, which has the layout l, that is head h.
func (l layout) head(p []float32, h int) []float32 {
	return p[l.rows()+h*headSize:][:headSize]
}

// Package nnue evaluates positions by a small neural network in integers: the same
// numbers on every CPU. It is plain arithmetic on arrays and knows no rules: a board is
// a grid of cells whose lines and pattern codes the caller names. It is not internal because the
// program that trains the network uses it.
//
// An empty cell c carries six rows of Width numbers for each viewer, black and white: the
// lines through it in the four directions (see package linecode) and what either color's stone
// would make there (its code). With [a | b] for one vector after the other:
//
//	a_v[c]   = clamp(sum of 4 Line + Own[code of v] + Other[code of the other] + Bias, 0, CellMax)
//	A[c]     = [a_stm[c] | a_opp[c]]                 Pair numbers, side to move first
//	R_r      = sum of A[c] over the empty cells of region r, see RegionOf
//	g        = sum over r of R_r >> PoolShift
//	u_r      = clamp(round(Region[t] R_r + RegionBias[t], RegionShift), 0, HiddenMax), t = RegionType[r]
//	h        = clamp(round(Global g, GlobalShift) + round(sum over r of Merge[t] u_r, MergeShift) + Mask[m] + Bias, 0, HiddenMax)
//	value    = clamp(round(Out h + OutBias, OutShift), -ValueMax, ValueMax)
//	gate     = clamp(round(Gate g + GateBias, GateShift), -32768, 32767)
//	logit(c) = round(gate A[c], PolicyShift) + PolicyOwn[code of stm] + PolicyOther[code of opp] + Near[0][n1] + Near[1][n2]
//
// where round(x, s) is (x + half) >> s with half = 1 << (s-1), or 0 for s = 0; m is a mask
// of threats; n1 and n2 are NearNumber of c and the moves one and two plies ago. Sums
// are int32, and Network.Check makes sure that none can overflow.
package nnue

import (
	"errors"

	"tengen/brain/linecode"
)

// Shapes. Twice the width learns no more, 2026-11: two networks for freestyle, begun with the one in
// use and trained on 3.8 million new positions, had validation losses of .0609 and .0614 (value),
// 2.159 and 2.154 (policy), one of the same width .0600 and 2.161. Against the one in use they won 36
// of 97 games and lost 35 at 150,000 nodes a move, and took a tenth more time for a node.
//
// A convolution in the policy wins no games, 2026-11: where a logit is asked for, each number of the
// cell and the sums of that number over its four orthogonal and its four diagonal neighbors made a new
// number, and a second gate was multiplied with these. On 36,730 freestyle positions kept for
// validation the policy's loss fell from 2.305 to 2.272 with everything else as it was, and to 2.243
// when all was trained for two epochs at a tenth of the usual rates, which without it came to 2.299. A
// node took 1 to 2% more time with AVX-512. At 20,000 nodes a move on 15x15 the former won 271 games,
// lost 274 and drew 163 against the network in use, the latter won 49, lost 61 and drew 27. To give
// the value the sums of such numbers over the regions changed its loss from .0352 to .0348.
const (
	Lines                              = linecode.Lines                      // lines of four cells to either side, mirror images as one
	Codes                              = 14 * 15 * 16 * 17 / (4 * 3 * 2 * 1) // multisets of 4 of the 14 patterns
	Masks                              = 1 << 11                             // masks of threats
	Width                              = 32                                  // numbers of a cell for one viewer
	Pair                               = 2 * Width                           // numbers of a cell
	Regions, RegionTypes, RegionHidden = 9, 3, 16
	Hidden                             = 32
	Near                               = 38 // distances from a cell to a move, see NearNumber
)

// Scales and bounds.
const (
	CellOne   = 128  // 1.0 in Line, Own, Other, View.Bias, A, R
	CellMax   = 511  // the greatest number of A
	HiddenOne = 512  // 1.0 in u, h, Mask, Head.Bias
	HiddenMax = 4095 // the greatest number of u and h
	PoolShift = 3    // bits by which the regions are shifted before they are added up
	LogitOne  = 256  // 1.0 in logits, PolicyOwn, PolicyOther, Near
	ValueMax  = 6000 // points
	MaxShift  = 30   // bits, the greatest of a Head's shifts

	regionMax = 64 * CellMax               // the greatest number of R: 64 cells on a board of 22x22
	poolMax   = 484 * CellMax >> PoolShift // the greatest number of g
)

// A Network is what training makes and a file holds, for one rule.
type Network struct {
	Rule   uint8  // bits of the protocol
	Origin string // where the numbers come from, text for people

	// Views and Heads are as many: one where both colors play by the same rules, or two,
	// those of black and of white. A View is chosen by the viewer, a Head by the side to move.
	Views []View
	Heads []Head
}

// A View holds the rows of cells as one color sees them. The unit is 1/CellOne.
type View struct {
	Line  [Lines][Width]int16 // by linecode, for white by that of the line with colors swapped
	Own   [Codes][Width]int16 // by what the viewer's stone would make
	Other [Codes][Width]int16 // by what the other's stone would make
	Bias  [Width]int16
}

// A Head turns cells and sums into a value and logits. Matrices are row-major, a row for
// each output.
type Head struct {
	Global      [Hidden][Pair]int16
	GlobalShift uint8

	Region      [RegionTypes][RegionHidden][Pair]int16
	RegionBias  [RegionTypes][RegionHidden]int32 // before the shift
	RegionShift uint8

	Merge      [RegionTypes][Hidden][RegionHidden]int16
	MergeShift uint8

	Mask [Masks][Hidden]int16 // 1/HiddenOne
	Bias [Hidden]int32        // 1/HiddenOne, after the shifts

	Out      [Hidden]int16
	OutBias  int32 // before the shift
	OutShift uint8

	Gate      [Pair][Pair]int16
	GateBias  [Pair]int32 // before the shift
	GateShift uint8

	PolicyShift uint8
	PolicyOwn   [Codes]int16   // 1/LogitOne, by what the side to move would make
	PolicyOther [Codes]int16   // 1/LogitOne, by what the opponent would make
	Near        [2][Near]int16 // 1/LogitOne, for the move one ply ago and two plies ago
}

// RegionType tells corners (0), edges (1) and the center (2) apart.
var RegionType = [Regions]uint8{0, 1, 0, 1, 2, 1, 0, 1, 0}

// RegionOf returns the region, 0..Regions-1, of column x and row y of a board.
func RegionOf(x, y, width, height int) int { return 3*y/height*3 + 3*x/width }

// NearNumber returns the number, 1..Near-3, of a distance of dx columns and dy rows that
// is not zero; of all beyond seven columns or rows it is Near-2. If there is no move to be near
// to it is NearNone.
func NearNumber(dx, dy int) int {
	dx, dy = max(dx, -dx), max(dy, -dy)
	a, b := max(dx, dy), min(dx, dy)
	if a > nearReach {
		return nearFar
	}
	return a*(a+1)/2 + b
}

// Numbers that are no distance.
const (
	nearFar  = Near - 2
	NearNone = Near - 1

	nearReach = 7 // columns or rows
)

// Errors that Check and Load wrap, with the place.
var (
	ErrShape    = errors.New("views and heads do not fit each other")
	ErrOverflow = errors.New("a sum could overflow")
	ErrShift    = errors.New("a shift is too large")
)

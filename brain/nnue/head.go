package nnue

// Value returns the value of the position on top for side to move stm, 0 black or 1
// white, in points, -ValueMax..ValueMax. mask is its mask of threats.
func (a *Accumulator) Value(stm, mask int) int {
	s := a.top()
	h := a.w.heads[stm&1]
	hidden := a.hidden[stm&1]
	layers(h, hidden, a.sums, a.known, &s.sum, stm)
	own, other := s.pool.halves(stm)
	v := value(&h.value, &h.packed.value, own, other, hidden, &s.sum, &h.mask[mask%Masks])
	return int(max(-ValueMax, min((v+h.outBias)>>h.outShift, ValueMax)))
}

// top returns the state on top, pooled.
func (a *Accumulator) top() *state {
	s := &a.states[len(a.states)-1]
	if !s.pooled {
		pool(&s.pool.row, a.sums, &s.sum)
		s.pooled = true
	}
	return s
}

// halves returns the numbers of the view of stm and those of the other.
func (r *row) halves(stm int) (own, other *[Width]int16) {
	own, other = (*[Width]int16)(r[:Width]), (*[Width]int16)(r[Width:])
	if stm != 0 {
		return other, own
	}
	return own, other
}

// Logits gives the policy's logit of every listed cell, 1/LogitOne, for side to move
// stm, 0 black or 1 white. The cells are empty ones; last and before are those of the
// moves one and two plies ago, 0 for none. dst gets as many numbers as there are cells,
// at most maxChanges.
func (a *Accumulator) Logits(dst []int32, cells []uint16, stm, last, before int) {
	s := a.top()
	h := a.w.heads[stm&1]
	var gate alignedRow
	own, other := s.pool.halves(stm)
	layer(gate.row[:], h.gate[:], h.packed.gate[:], h.gateBias[:], own, other, h.gateShift, -1<<15, 1<<15-1)
	if stm != 0 { // own first, as the layer knows it; cells have black first
		black, white := gate.halves(0)
		*black, *white = *white, *black
	}
	dst = dst[:len(cells)]
	versions := a.listed[:len(cells)]
	for i, c := range cells {
		versions[i] = a.current[c%Cells]
	}
	products(dst, a.cells, versions, &gate.row)

	near1, base1 := h.nearTo(0, last)
	near2, base2 := h.nearTo(1, before)
	base := base1 + base2
	ownRows, otherRows := uint16(blackRows), uint16(whiteRows)
	if stm != 0 {
		ownRows, otherRows = otherRows, ownRows
	}
	for i, c := range cells {
		codes := &a.versions[versions[i]].codes
		dst[i] = (dst[i]+h.policyHalf)>>h.policyShift + base +
			int32(h.policyOwn[codes[stm&1]-ownRows]) + int32(h.policyOther[codes[stm&1^1]-otherRows]) +
			int32(near1[int(c)-last+Cells]) + int32(near2[int(c)-before+Cells])
	}
}

// nearTo returns what to add to a logit for the n-th last move, n = 0 or 1: by the
// distance from it, and for all cells alike if there is no such move.
func (h *headWeights) nearTo(n, move int) (*[2 * Cells]int16, int32) {
	if move == 0 {
		return &noMove, int32(h.nearNone[n])
	}
	return &h.near[n], 0
}

var noMove [2 * Cells]int16

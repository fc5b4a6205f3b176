package eval

import (
	"fmt"

	"tengen/brain/board"
	"tengen/brain/nnue"
)

// A Network is a network laid out for evaluating boards of one rule. It is read-only, so
// that all evaluators share it.
type Network struct {
	rule    board.Rule // without board.Continuous
	origin  string
	weights *nnue.Weights
}

// NewNetwork lays n out, which has to pass its Check. Errors: n's rule is unknown, or n
// has one set of numbers for a rule whose colors differ, or two for one whose do not.
func NewNetwork(n *nnue.Network) (*Network, error) {
	r := board.Rule(n.Rule)
	switch {
	case !r.Valid() || r&board.Continuous != 0:
		return nil, fmt.Errorf("a network for rule %d, which is not known", n.Rule)
	case (len(n.Heads) == 1) != sameForBoth(r):
		return nil, fmt.Errorf("a network for %v with %d sets of numbers", r, len(n.Heads))
	}
	return &Network{rule: r, origin: n.Origin, weights: nnue.NewWeights(n, &codes().number)}, nil
}

// Rule returns the rule that the network was trained for, without board.Continuous.
func (n *Network) Rule() board.Rule { return n.rule }

// Origin returns where the network comes from, text for people.
func (n *Network) Origin() string { return n.origin }

// Bytes returns the memory that the network takes, once for all evaluators.
func (n *Network) Bytes() int64 { return n.weights.Bytes() }

// A NetworkEvaluator follows one Board as an Evaluator does, by a network. Nothing is
// worked out for positions whose Value and Order nobody asks for.
type NetworkEvaluator struct {
	net    *Network
	b      *board.Board
	acc    *nnue.Accumulator
	region [nnue.Cells]uint8
	cells  [board.MaxSize * board.MaxSize]uint16 // for Order

	// ply is up to where the states of acc are of the board's present history.
	ply int
}

// New returns an evaluator that follows b, a board of the network's rule, as it stands.
// It allocates once: nnue.AccumulatorBytes and a little.
func (n *Network) New(b *board.Board) *NetworkEvaluator {
	e := &NetworkEvaluator{net: n}
	e.acc = nnue.NewAccumulator(n.weights, &e.region)
	e.Reset(b, 0)
	return e
}

// Reset turns to b, which may be another board of the network's rule, as it stands.
func (e *NetworkEvaluator) Reset(b *board.Board, style int) (bias int) {
	e.b = b
	for i := range b.Width() * b.Height() {
		x, y := i%b.Width(), i/b.Width()
		e.region[board.At(x, y)] = uint8(nnue.RegionOf(x, y, b.Width(), b.Height()))
	}
	e.refresh()
	return 0
}

// Undone notes an Undo.
func (e *NetworkEvaluator) Undone() { e.ply = min(e.ply, e.b.Ply()) }

// Value returns the static value for the side to move, within Max. It knows no wins; ask
// threat.Quick first.
func (e *NetworkEvaluator) Value() int {
	e.follow()
	return e.acc.Value(int(e.b.Side()&1), ThreatMask(e.b))
}

// Order sets scores[i] to how promising the empty cell moves[i] is for the side to move,
// in 1/nnue.LogitOne of a logit.
func (e *NetworkEvaluator) Order(moves []board.Move, scores []int32) {
	e.follow()
	cells := e.cells[:len(moves)]
	for i, m := range moves {
		cells[i] = uint16(m)
	}
	e.acc.Logits(scores, cells, int(e.b.Side()&1), int(e.b.Back(1)), int(e.b.Back(2)))
}

// follow brings the accumulator to the position of the board.
func (e *NetworkEvaluator) follow() {
	b, acc := e.b, e.acc
	ply := b.Ply()
	acc.Back(min(e.ply, ply))
	e.ply = ply
	known := acc.Ply()
	switch {
	case known == ply:
		return
	case known < 0 || !acc.Begin(): // taken back further than where it began, or no room
		e.refresh()
		return
	}
	for i := known; i < ply; i++ {
		if m := b.Move(i); m != board.None {
			acc.Take(int(m))
		}
	}
	for i := known; i < ply; i++ {
		m := b.Move(i)
		if m == board.None {
			continue
		}
		for d := range board.Directions {
			acc.Line(int(m), board.Step(d), d, b.Line(m, d))
		}
		changes := b.Changes(i)
		for j := range changes {
			cell := changes[j].Cell
			acc.Code(int(cell), uint32(b.Code(cell)))
		}
	}
	acc.Commit(ply)
}

// refresh works the position out from nothing, about 5 microseconds.
func (e *NetworkEvaluator) refresh() {
	b := e.b
	e.ply = b.Ply()
	e.acc.Reset(e.net.weights, &e.region)
	e.acc.Begin()
	for y := range b.Height() {
		for x := range b.Width() {
			m := board.At(x, y)
			if b.Cell(m) != board.Empty {
				continue
			}
			var keys [board.Directions]uint16
			for d := range keys {
				const half = 2 * (board.LineReach - 4) // bits below the window of m
				w := b.Line(m, d) >> half
				keys[d] = uint16(w&0xff | w>>2&0xff00)
			}
			e.acc.Cell(int(m), keys, uint32(b.Code(m)))
		}
	}
	e.acc.Commit(e.ply)
}

package threat

import (
	"slices"

	"tengen/brain/board"
	"tengen/brain/eval"
)

// Numbers that decide what is tried first, found by trial on 1,139 positions of games (2026-11): 60,000
// nodes each prove 342 with the networks as guides, and 262 without a guide or with the tables.
const (
	unit         = 8   // estimate of a position of which nothing is known
	patience     = 2   // n/unit by which another child must be better than the one that is worked on
	policyWeight = 4   // doubt for each point that a threat is behind the best one in the order
	valueWeight  = 256 // doubt for 1024 points that the attacker, to move, has less than goodValue ...
	replyWeight  = 113 // ... and with the defender to move
	goodValue    = 400 // points
	mostDoubt    = 255

	guideNodes  = 1000      // nodes at a position after which a search without the guide is tried ...
	aloneNodes  = 500       // ... with this many
	secondBytes = 128 << 10 // of its tables
)

// SetGuide gives the VCT a guide, none with nil, and empties its tables. The guide decides which
// threats are tried first, and so what is found within a limit; proofs do not rest on it. It must
// be able to follow the boards that Win is called with, and is used for nothing else meanwhile. With
// a guide the VCT takes a quarter of a MiB more.
func (v *VCT) SetGuide(g eval.Evaluator) {
	v.guide = g
	switch {
	case g == nil:
		v.second = nil
	case v.second == nil:
		v.second = NewVCT(secondBytes)
	}
	v.Clear()
}

// secondTurn goes on with a short search without the guide, whose doubts can postpone a short win
// for long, and returns the proof that it finds, or nil.
func (v *VCT) secondTurn(b *board.Board) *Proof {
	s := v.second
	s.setPosition(b)
	s.phase = max(s.phase, narrow) // fours have been tried
	asked := min(v.limit-v.nodes, aloneNodes-v.secondNodes)
	p := s.Win(b, Limits{Nodes: asked, Stop: v.stop, Threes: v.last == closed, Quiet: v.last == over})
	v.nodes += s.nodes
	switch {
	case p != nil: // it is asked again for the same position
	case s.nodes < asked && !v.stopped():
		v.secondNodes = aloneNodes // nothing is left to be tried
	default:
		v.secondNodes += s.nodes
	}
	return p
}

// guess is the estimate of a child that was never visited, before any doubts: two open threes at once
// are best, fours mostly good later, and what makes less than an open three seldom is.
func (v *VCT) guess(b *board.Board, m board.Move, attacking bool) estimate {
	e := estimate{unit, unit}
	if !attacking {
		return e
	}
	switch k := b.Class(v.attacker, m); {
	case k == board.MakesThree || k >= board.MakesFour:
		e.proof = 2 * unit
	case k == board.MakesTwoThrees:
		e.proof = unit / 2
	case k < board.MakesThree:
		e.proof = 4 * unit
	}
	return e
}

// doubt appends to v.doubts what the guide adds to the proof numbers of the moves v.stack[base:],
// zeros without a guide and for a single move: for the attacker more for moves that look less
// promising than the best of them, for both sides more the less the position looks good for the
// attacker. What the guide says of single replies does not help.
func (v *VCT) doubt(base int, attacking bool) {
	moves := v.stack[base:]
	for range moves {
		v.doubts = append(v.doubts, 0)
	}
	if !v.guided || len(moves) < 2 {
		return
	}
	doubts := v.doubts[base:]
	if !attacking {
		all := max(0, min((goodValue+v.guide.Value())*replyWeight/1024, mostDoubt))
		for i := range doubts {
			doubts[i] = uint8(all)
		}
		return
	}
	all := max(0, (goodValue-v.guide.Value())*valueWeight/1024)
	scores := v.scores[:len(moves)]
	v.guide.Order(moves, scores)
	best := slices.Max(scores)
	for i, score := range scores {
		doubts[i] = uint8(min(all+int(best-score)*policyWeight, mostDoubt))
	}
}

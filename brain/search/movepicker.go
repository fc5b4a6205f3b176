package search

import (
	"slices"

	"tengen/brain/board"
	"tengen/brain/threat"
)

// A movePicker returns the moves of one node, the most promising first. Its moves lie
// on the worker's common stack of moves; call done when the node is left.
type movePicker struct {
	w     *worker
	first board.Move // the table's move, tried before any other is generated
	moves []scoredMove
	base  int       // height of the worker's move stack before this node
	next  int       // index in moves, or one of the states below
	kind  generator // allMoves, too, once generate has found no threat

	// behind is by how many points of Order the policy likes the last move less than its best; 0 for
	// first and for moves that are not ordered by the policy.
	behind int
}

// States of a picker before it has moves.
const (
	notBegun     = -2 // first has not been returned
	notGenerated = -1
)

// A scored move sorts by score, then by cell: the bits below the score hold the cell inverted,
// so that ties do not depend on the order of generation. The lowest 16 bits hold what
// movePicker.behind is for the move.
type scoredMove int64

func newScored(m board.Move, v, behind int) scoredMove {
	return scoredMove(v)<<32 | scoredMove(0xffff-m)<<16 | scoredMove(max(0, min(behind, 0xffff)))
}

func (s scoredMove) move() board.Move { return 0xffff - board.Move(s>>16&0xffff) }

func (s scoredMove) behind() int { return int(s & 0xffff) }

// A generator is a way to list the moves of a node.
type generator uint8

const (
	allMoves   generator = iota // every candidate
	blockFive                   // what can stop a five
	blockFours                  // what can stop an open four, and own fours
	blockWins                   // what threat.WinStops lists, and own fours; every candidate where it knows none
	onlyFours                   // own fours
)

func (w *worker) newMovePicker(kind generator, first board.Move) movePicker {
	return movePicker{w: w, first: first, kind: kind, base: len(w.moves), next: notBegun}
}

// done frees the moves of the picker on the move stack.
func (p *movePicker) done() { p.w.moves = p.w.moves[:p.base] }

// move returns the next move, or None after the last. Moves may be forbidden.
func (p *movePicker) move() board.Move {
	if p.next == notBegun {
		p.next = notGenerated
		if p.first != board.None {
			return p.first
		}
	}
	if p.next == notGenerated {
		p.generate()
		p.next = 0
	}
	for p.next < len(p.moves) {
		// Few moves are taken from most nodes, so each is looked for when asked. Four maxima side by
		// side, 45 ns for 100 moves instead of 74, showed nothing in eleven paired runs of bench
		// (2026-11).
		left := p.moves[p.next:]
		at, best := 0, left[0]
		for i, sm := range left {
			if sm > best {
				at, best = i, sm
			}
		}
		left[0], left[at] = best, left[0]
		p.next++
		if m := best.move(); m != p.first {
			p.behind = best.behind()
			return m
		}
	}
	return board.None
}

// onlyAttacks drops what is left of the moves but those that make a three or more.
func (p *movePicker) onlyAttacks() {
	b := p.w.b
	s := b.Side()
	kept := p.moves[:p.next]
	for _, sm := range p.moves[p.next:] {
		if b.Class(s, sm.move()) >= board.MakesThree {
			kept = append(kept, sm)
		}
	}
	p.moves = kept
}

func (p *movePicker) generate() {
	if p.kind == allMoves || !p.w.appendForced(p.kind) {
		p.kind = allMoves
		p.w.appendCandidates()
	}
	p.moves = p.w.moves[p.base:]
}

// appendForced puts the few moves that a threat leaves, or own fours, on the move
// stack. It returns false, with the stack as it was, if there is no such threat.
func (w *worker) appendForced(kind generator) bool {
	b := w.b
	list := w.listed[:0]
	switch kind {
	case blockFive:
		list = threat.FiveBlocks(b, list)
	case blockFours:
		list = threat.OtherFours(b, threat.OpenFourStops(b, list), 0)
	case blockWins:
		stops, ok := threat.WinStops(b, list)
		if !ok {
			return false
		}
		list = threat.OtherFours(b, stops, 0)
	case onlyFours:
		list = threat.Fours(b, list)
	}
	w.appendByClass(list)
	return true
}

// appendCandidates puts every candidate cell with its score on the move stack; on a
// board without a stone the free cell nearest to the middle.
func (w *worker) appendCandidates() {
	near := w.b.Candidates()
	list := near.Append(w.listed[:0])
	w.appendByPolicy(list)
	if len(list) == 0 {
		if m := w.b.Central(); m != board.None {
			w.moves = append(w.moves, newScored(m, 0, 0))
		}
	}
}

// appendByPolicy puts the moves of list on the move stack, ordered by the evaluator. At depth 1 off
// the principal variation classes and history instead saved no time a node and won 17-14-19
// (2026-11, 150,000 nodes a move), with 12% more nodes in bench.
func (w *worker) appendByPolicy(list []board.Move) {
	if len(list) == 0 {
		return
	}
	scores := w.scores[:len(list)]
	w.eval.Order(list, scores)
	w.appendScored(list, scores, slices.Max(scores))
}

// appendByClass puts the moves of list on the move stack, ordered by what each makes and takes. So
// come the few moves of a forced position, of which networks see little in training: under the threat
// of an open four the first move made 91% of the cut-offs, by the policy 82% (2026-11, 199
// positions of games, freestyle, depth 12).
func (w *worker) appendByClass(list []board.Move) {
	s := w.b.Side()
	scores := w.scores[:len(list)]
	for i, m := range list {
		scores[i] = forcedOwn*forcedOrder[w.b.Class(s, m)] + forcedOrder[w.b.Class(s.Other(), m)]
	}
	w.appendScored(list, scores, noPolicy)
}

// noPolicy is the best score of moves that the policy does not order: none is behind it.
const noPolicy = -1 << 30

// appendScored puts the moves of list on the move stack, each with its score and what the
// history says of it. best is the policy's best score. A third of its time it waits for the
// continuation history; fewer instructions saved nothing (2026-11).
func (w *worker) appendScored(list []board.Move, scores []int32, best int32) {
	s := w.b.Side()
	h, c := &w.history, continuationOf(w.b)
	counter := w.counterMove()
	for i, m := range list {
		v := int(scores[i])
		mine, theirs := w.b.Class(s, m), w.b.Class(s.Other(), m)
		hist := h.continued(c, m)*w.p.HistoryContinued + int(*h.ofClasses(s, mine, theirs))*w.p.HistoryClasses
		if mine >= board.MakesThree {
			hist += h.of(s, attackMove, m) * w.p.HistoryAttack
		} else {
			hist += h.of(s, quietMove, m) * w.p.HistoryQuiet
		}
		v += hist / historyMax
		if m == counter {
			v += w.p.CounterBonus
		}
		w.moves = append(w.moves, newScored(m, v, int(best)-int(scores[i])))
	}
}

// counterMove returns the move that was best against the opponent's last, or None.
func (w *worker) counterMove() board.Move {
	last := w.b.Back(1)
	if last == board.None {
		return board.None
	}
	return w.history.counter[w.b.Side()&1][last%board.Cells]
}

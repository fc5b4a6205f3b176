package search

import (
	"cmp"
	"slices"

	"tengen/brain/board"
	"tengen/brain/solver"
)

// A rootMove is a move at the root with its results.
type rootMove struct {
	move     board.Move
	score    Value // -infinity until searched in this iteration, or if it did not beat the best
	previous Value // score of the iteration before, or of this one if it was above the window
	selDepth int
	nodes    int64           // below the move so far
	lost     bool            // proven, however deep it was searched
	refuted  *solver.Finding // by the solver
	pv       []board.Move    // allocated once, maxPly long at most: see setLine
	finished Value           // if not 0, pv is a line up to the five for this score
}

// listRoot fills w.root.moves with the legal moves to search, the most promising first: those that
// decide, else all candidates and the cells within reach of a stone. If those are too few, the cells
// nearest to the middle follow. For several lines all candidates are listed, so that bad moves get
// their score too. Below the root only candidates are tried: a loss is proven there if all of them
// lose.
func (w *worker) listRoot(lines, reach int) {
	w.moves = w.moves[:0]
	w.root.moves = w.root.moves[:0]
	if lines > 1 || !w.appendDeciding() {
		w.appendCandidates()
		w.appendWithin(reach)
	}
	w.addRoot()
	if len(w.root.moves) == 0 { // every move of the list is barred, or nothing stops the threat
		w.appendCandidates()
		w.addRoot()
	}
	if len(w.root.moves) < lines {
		w.appendCentral(lines)
		w.addRoot()
	}
	tt, _ := w.probe(w.b.Hash(), 0)
	if i := slices.IndexFunc(w.root.moves, func(r rootMove) bool { return r.move == tt.Move }); i > 0 {
		first := w.root.moves[i]
		copy(w.root.moves[1:], w.root.moves[:i])
		w.root.moves[0] = first
	}
}

// appendDeciding puts what wins at once, else the replies to a threat, on the move stack, and reports
// whether there is such a win or threat. An open four wins no continuous game.
func (w *worker) appendDeciding() bool {
	b := w.b
	s, o := b.Side(), b.Side().Other()
	switch {
	case b.Count(s, board.MakesFive) > 0:
		w.appendClass(board.MakesFive)
	case w.fiveThreatens():
		w.appendForced(blockFive)
	case b.Count(s, board.MakesOpenFour) > 0 && !w.restraint.changesWins() && b.Rule()&board.Continuous == 0:
		w.appendClass(board.MakesOpenFour)
	case b.Count(o, board.MakesOpenFour) > 0 && b.Count(s, board.MakesOpenFour) == 0 && w.threatCounts(lossByOpenFour):
		w.appendForced(blockFours)
	default:
		return false
	}
	return true
}

// appendClass puts the moves that make k on the move stack.
func (w *worker) appendClass(k board.Class) {
	list := w.b.Set(w.b.Side(), k).Append(w.listed[:0])
	w.appendByClass(list)
}

// appendCentral puts the moves nearest to the middle on the move stack; for several lines those
// around them, too.
func (w *worker) appendCentral(lines int) {
	b := w.b
	central := b.Central()
	if central == board.None {
		return
	}
	open := b.Open().Append(nil)
	reach := board.MaxSize
	for _, m := range open {
		if d := board.Distance(m, central); d < reach && w.playableAtRoot(m) {
			reach = d
		}
	}
	if lines > 1 {
		reach = max(reach, centralReach)
	}
	list := w.listed[:0]
	for _, m := range open {
		if board.Distance(m, central) <= reach {
			list = append(list, m)
		}
	}
	w.appendByPolicy(list)
}

// appendWithin puts the empty cells within reach of a stone that are not candidates on the
// move stack.
func (w *worker) appendWithin(reach int) {
	b := w.b
	if reach <= 0 || b.Ply() == 0 {
		return
	}
	list := w.listed[:0]
	near := b.Candidates()
	for _, m := range b.Open().Append(nil) {
		if near.Has(m) {
			continue
		}
		for i := range b.Ply() {
			if played := b.Move(i); played != board.None && board.Distance(m, played) <= reach {
				list = append(list, m)
				break
			}
		}
	}
	w.appendByPolicy(list)
}

// addStops adds the cells of stops that are not in w.root.moves.
func (w *worker) addStops(stops *board.Set) {
	list := stops.Append(w.listed[:0])
	list = slices.DeleteFunc(list, func(m board.Move) bool {
		return !w.b.Legal(m) || slices.ContainsFunc(w.root.moves, func(r rootMove) bool { return r.move == m })
	})
	if len(list) > 0 {
		w.appendByPolicy(list)
		w.addRoot()
	}
}

// addRoot takes the moves of the move stack that may be played and are new into w.root.moves, the
// most promising first.
func (w *worker) addRoot() {
	slices.SortFunc(w.moves, func(a, b scoredMove) int { return cmp.Compare(b, a) })
	for _, sm := range w.moves {
		m := sm.move()
		if !w.playableAtRoot(m) || slices.ContainsFunc(w.root.moves, func(r rootMove) bool { return r.move == m }) {
			continue
		}
		n := len(w.root.moves)
		if n == cap(w.root.moves) {
			w.root.moves = slices.Grow(w.root.moves, rootGrowth)
		}
		w.root.moves = w.root.moves[:n+1]
		r := &w.root.moves[n]
		if r.pv == nil { // else an earlier search has allocated it
			r.pv = make([]board.Move, 0, maxPly)
		}
		*r = rootMove{move: m, score: -infinity, previous: -infinity, pv: r.pv[:0]}
	}
	w.moves = w.moves[:0]
}

// sortRoot sorts by score, moves without one staying in the order of the iteration before,
// and those that are proven to lose last.
func sortRoot(moves []rootMove) {
	slices.SortStableFunc(moves, func(a, b rootMove) int {
		if a.lost != b.lost {
			if a.lost {
				return 1
			}
			return -1
		}
		if a.score != b.score {
			return int(b.score - a.score)
		}
		return int(b.previous - a.previous)
	})
}

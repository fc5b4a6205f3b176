package continuous

import (
	"tengen/brain/board"
	"tengen/brain/threat"
)

// A scoredMove is a move with the order in which it is tried, the greatest first.
type scoredMove struct {
	move  board.Move
	score int32
}

// selectBest moves the best of the moves from i on to i and returns it.
func (s *Searcher) selectBest(i int) board.Move {
	best := i
	for j := i + 1; j < len(s.moves); j++ {
		if s.moves[j].score > s.moves[best].score {
			best = j
		}
	}
	s.moves[i], s.moves[best] = s.moves[best], s.moves[i]
	return s.moves[i].move
}

// add puts the cells of the set on the stack of moves.
func (s *Searcher) add(cells *board.Set, score int32) {
	var buffer [64]board.Move
	for _, m := range cells.Append(buffer[:0]) {
		s.moves = append(s.moves, scoredMove{m, score + s.points.order(s.b, m)})
	}
}

// list puts the moves of a node on the stack: the cells near stones, and at most as many as
// the depth allows.
func (s *Searcher) list(first board.Move, pv, root bool, ply, depth int) {
	b := s.b
	base := len(s.moves)
	near := b.Candidates()
	few := b.Empties() <= fewCells
	if few || !s.live(&near) {
		near = *b.Open()
	}
	s.score(&near, first, ply)
	if few || root {
		return
	}
	side, other := b.Side(), b.Side().Other()
	most := firstWidth + widthStep*depth
	if pv {
		most *= pvWidth
	}
	own, theirs, fours := b.Count(side, board.MakesFive), b.Count(other, board.MakesFive), b.Count(other, board.MakesOpenFour)
	switch {
	case own+theirs > 0:
		most = min(most, hotWidth+own+theirs)
	case fours > 0:
		most = min(most, openWidth+fours)
	}
	if len(s.moves)-base > most {
		for i := range most {
			s.selectBest(base + i)
		}
		s.moves = s.moves[:base+most]
	}
}

// live reports whether a side can still make a five on one of the cells.
func (s *Searcher) live(cells *board.Set) bool {
	var buffer [board.MaxSize * board.MaxSize]board.Move
	for _, m := range cells.Append(buffer[:0]) {
		if s.b.Code(m) != 0 {
			return true
		}
	}
	return false
}

// score puts the cells on the stack of moves with their order. In freestyle cells where no side
// can make a five any more are all the same, and one of them is enough: such a move helps only late,
// when any other may spoil something.
func (s *Searcher) score(cells *board.Set, first board.Move, ply int) {
	b := s.b
	side, other := b.Side(), b.Side().Other()
	var buffer [board.MaxSize * board.MaxSize]board.Move
	var stops board.Set
	if b.Count(other, board.MakesOpenFour) > 0 && b.Count(side, board.MakesFive)+b.Count(other, board.MakesFive) == 0 {
		for _, m := range threat.OpenFourStops(b, buffer[:0]) {
			stops.Add(m)
		}
	}
	base, dead := len(s.moves), board.None
	alike := b.Rule() == board.Continuous
	list := cells.Append(s.listed[:0])
	scores := s.scores[:len(list)]
	s.eval.Order(list, scores)
	for i, m := range list {
		if alike && b.Code(m) == 0 {
			dead = m
			continue
		}
		score := scores[i]*scorePolicy + s.history[side&1][m]
		mine, theirs := b.Class(side, m), b.Class(other, m)
		switch {
		case m == first:
			score += scoreFirst
		case mine == board.MakesFive:
			score += scoreFive
		case theirs == board.MakesFive:
			score += scoreStopsFive
		case mine == board.MakesOpenFour:
			score += scoreOpenFour
		case theirs == board.MakesOpenFour:
			score += scoreStopsFour
		case stops.Has(m):
			score += scoreStops
		case m == s.killers[ply][0] || m == s.killers[ply][1]:
			score += scoreKiller
		}
		s.moves = append(s.moves, scoredMove{m, score})
	}
	if dead != board.None && (len(s.moves) == base || b.Empties() <= lateCells) {
		s.moves = append(s.moves, scoredMove{dead, scoreDead})
	}
}

// updateHistory makes m, which caused a beta cutoff, a killer move and adds to its history.
func (s *Searcher) updateHistory(m board.Move, depth, ply int) {
	if k := &s.killers[ply]; k[0] != m {
		k[0], k[1] = m, k[0]
	}
	h := &s.history[s.b.Side()&1][m]
	*h += int32(depth*depth) * historyScale
	if *h > historyMost {
		for c := range s.history {
			for i := range s.history[c] {
				s.history[c][i] /= 2
			}
		}
	}
}

package knowledge

import (
	"slices"

	"tengen/brain/board"
	"tengen/brain/database"
	"tengen/brain/play"
	"tengen/brain/score"
	"tengen/brain/search"
)

const (
	maxKnown   = 1000 // positions of the database passed to a search
	leastDepth = 10   // plies of a value that is stored in the database

	// farWin is the number of plies of a result whose distance the database does not know.
	farWin = database.MaxValue - database.MinWin
)

// decides reports whether the database says how the position ends, or of a move how it ends or
// whether it is to be played.
func decides(d *database.Database, b *board.Board) bool {
	if r, _ := d.Get(b); r.Label.Decided() {
		return true
	}
	return slices.ContainsFunc(d.Children(b), func(c database.Child) bool {
		l := c.Record.Label.Folded()
		return c.Known && (l.Decided() || l == database.Force || l == database.Block)
	})
}

// refutes reports whether the database knows an answer to the move m that wins.
func refutes(d *database.Database, b *board.Board, m board.Move) bool {
	b = b.Clone()
	b.Play(m)
	return slices.ContainsFunc(d.Children(b), func(c database.Child) bool { return c.Record.Label.Folded() == database.Win })
}

// Consult asks the database d about b. If it knows the move to play and several lines are not wanted,
// that is best; else restrict is r, which may be nil, with what d knows.
func Consult(d *database.Database, b *board.Board, r *search.Restrictions, several bool) (restrict *search.Restrictions, best *search.Info) {
	// With max_moves or draw_result a game may end otherwise than one of the database.
	ordinary := r == nil || r.MaxMoves == 0 && r.DrawFor == search.DrawIsDraw
	best, blocked := labeled(d, b, r, ordinary)
	if best != nil && !several {
		best.PV = lengthen(d, b, best.PV)
		return r, best
	}
	with := &search.Restrictions{}
	if r != nil {
		*with = *r
	}
	with.Root = slices.Concat(with.Root, blocked)
	if !play.AnyAllowed(b, with) {
		with.Root = nil // all moves are blocked: the blocks are ignored
		if r != nil {
			with.Root = r.Root
		}
	}
	if ordinary {
		for _, k := range d.Decided(b, maxKnown) {
			if with.Known == nil {
				with.Known = map[uint64]score.Value{}
			}
			with.Known[k.Hash] = valueOf(k.Record)
		}
	}
	if len(with.Root) == 0 && with.Known == nil && r == nil {
		return nil, nil
	}
	return with, nil
}

// labeled looks at the labels of the moves at b that r leaves. best is the one to play, nil if none is:
// the one that has to be played, or if results count the quickest win. blocked are those that must
// not be.
func labeled(d *database.Database, b *board.Board, r *search.Restrictions, results bool) (best *search.Info, blocked []board.Move) {
	forced := false
	for _, child := range d.Children(b) {
		if !b.Legal(child.Move) || !r.Allows(b, child.Move) {
			continue
		}
		info := search.Info{Lines: 1, Depth: child.Record.Depth() + 1, Score: valueOf(child.Record).Before(), PV: []board.Move{child.Move}}
		switch child.Record.Label.Folded() {
		case database.Force:
			if child.Record.Bound() == database.NoBound {
				info.Score = 0
			}
			best, forced = &info, true
		case database.Win:
			if results && !forced && (best == nil || info.Score > best.Score) {
				best = &info
			}
		case database.Block:
			blocked = append(blocked, child.Move)
		}
	}
	return best, blocked
}

// valueOf returns the value of a record for the side to move. Results count plies from its
// position.
func valueOf(r database.Record) score.Value {
	plies, ok := r.Distance()
	if !ok {
		plies = farWin
	}
	switch r.Label.Folded() {
	case database.Win: // of the player who has moved
		return score.LossIn(plies)
	case database.Loss:
		return score.WinIn(plies)
	case database.Draw:
		return 0
	}
	return score.Value(min(max(r.Value, -database.MaxEval), database.MaxEval))
}

// recordOf is the inverse of valueOf for a value searched to that depth. A win that is longer
// than any game comes from a result without a distance.
func recordOf(v score.Value, depth int) database.Record {
	plies := v.Mate()
	if plies > farWin/2 {
		plies = farWin
	} else if plies < -farWin/2 {
		plies = -farWin
	}
	return database.Searched(int(v), plies, depth)
}

// lengthen goes on with a line from b that ends at a decided position of the database, by moves that
// are known there: the winner's quickest and the loser's longest.
func lengthen(d *database.Database, b *board.Board, pv []board.Move) []board.Move {
	b = b.Clone()
	for _, m := range pv {
		if !b.Legal(m) {
			return pv
		}
		b.Play(m)
	}
	r, ok := d.Get(b)
	pv = slices.Clone(pv)
	for ok && r.Label.Decided() && r.Label.Folded() != database.Draw {
		if v, _ := b.Verdict(); v != board.Unfinished {
			break
		}
		wins, want := r.Label.Folded() == database.Loss, database.Loss // labels are those of the player who has moved
		if wins {
			want = database.Win
		}
		next, best, after := board.None, score.Value(0), database.Record{}
		for _, child := range d.Children(b) {
			score := -valueOf(child.Record)
			if child.Record.Label.Folded() == want && b.Legal(child.Move) && (next == board.None || score > best) {
				next, best, after = child.Move, score, child.Record
			}
		}
		if wins && valueOf(r) == score.WinIn(1) { // the database has no positions after a five
			cells := b.Open().Append(nil)
			if i := slices.IndexFunc(cells, func(m board.Move) bool { return b.Wins(b.Side(), m) }); i >= 0 {
				return append(pv, cells[i])
			}
		}
		if next == board.None {
			break
		}
		pv = append(pv, next)
		b.Play(next)
		r = after
	}
	return pv
}

// Complete returns i, of a search of b under r, with a line that continues as far as the database d knows
// it: a search ends a line where it reaches a position of the database.
func Complete(d *database.Database, b *board.Board, r *search.Restrictions, i search.Info) search.Info {
	if r != nil && len(r.Known) > 0 && i.Score.Proven() {
		i.PV = lengthen(d, b, i.PV)
	}
	return i
}

// Store stores in the database d what a search of b has found of the first moves of its lines and,
// unless a move was blocked, of the position; of a win or a loss all of the line. Of a search with a
// style it stores only these, since values of different styles cannot be compared.
func Store(d *database.Database, b *board.Board, infos []search.Info, blocked, style bool) {
	if b.Won() {
		return // the database has no positions after a five
	}
	for _, i := range infos {
		if (i.Depth < leastDepth || style) && !i.Score.Proven() {
			continue
		}
		b, score, depth := b.Clone(), i.Score, i.Depth
		if i.Line == 0 && !blocked {
			d.Found(b, recordOf(score, depth)) // a position without a key is not stored
		}
		for _, m := range i.PV {
			if v, _ := b.Verdict(); v != board.Unfinished || !b.Legal(m) {
				break
			}
			b.Play(m)
			score, depth = score.After(), max(depth-1, 0)
			if v, _ := b.Verdict(); v == board.Unfinished {
				d.Found(b, recordOf(score, depth))
			}
			if !score.Proven() {
				break // the values further on are not known
			}
		}
	}
}

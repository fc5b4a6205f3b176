package brain

import (
	"slices"

	"tengen/brain/board"
	"tengen/brain/database"
	"tengen/brain/search"
)

const (
	maxKnown   = 1000 // positions of the database passed to a search
	leastDepth = 10   // plies of a value that is noted in the database

	// farWin is the number of plies of a result whose distance the database does not know.
	farWin = database.MaxValue - database.MinWin
)

// UseDatabase gives the engine a database of positions, nil for none. While INFO usedatabase
// is 1 it plays and searches by what is known there, and unless INFO database_readonly is 1
// it notes there what it finds.
func (e *Engine) UseDatabase(d *database.Database) { e.database = d }

// usesDatabase reports whether there is a database and it is to be used.
func (e *Engine) usesDatabase(o Options) bool { return o.Database && e.database != nil }

// Position returns a copy of the board as it stands, under the rule in force.
func (e *Engine) Position() (*board.Board, error) {
	if err := e.ready(e.Options().Rule); err != nil {
		return nil, err
	}
	return e.board.Clone(), nil
}

// decides reports whether the database says how the position ends, or of a move how it ends or
// whether it is to be played.
func (e *Engine) decides() bool {
	if r, _ := e.database.Get(e.board); r.Label.Decided() {
		return true
	}
	return slices.ContainsFunc(e.database.Children(e.board), func(c database.Child) bool {
		l := c.Record.Label.Folded()
		return c.Known && (l.Decided() || l == database.Force || l == database.Block)
	})
}

// refutes reports whether the database knows an answer to the move m that wins.
func (e *Engine) refutes(m board.Move) bool {
	b := e.board.Clone()
	b.Play(m)
	return slices.ContainsFunc(e.database.Children(b), func(c database.Child) bool { return c.Record.Label.Folded() == database.Win })
}

// consult asks the database about the position. If it knows the move to play and one line is
// wanted, that is the Info; else the restrictions of the search are r and what it knows.
func (e *Engine) consult(o Options, lines int, r *search.Restrictions) (*search.Restrictions, *Info) {
	if !e.usesDatabase(o) || o.weakened() {
		return r, nil
	}
	// With max_moves or draw_result a game may end otherwise than one of the database.
	ordinary := r == nil || r.MaxMoves == 0 && r.DrawFor == search.DrawIsDraw
	best, blocked := e.labeled(r, ordinary)
	if best != nil && lines == 1 {
		best.PV = e.lengthen(best.PV)
		return r, best
	}
	with := &search.Restrictions{}
	if r != nil {
		*with = *r
	}
	with.Root = slices.Concat(with.Root, blocked)
	if !anyAllowed(e.board, with) {
		with.Root = nil // all moves are blocked there: the blocks are of no use
		if r != nil {
			with.Root = r.Root
		}
	}
	if ordinary {
		for _, k := range e.database.Decided(e.board, maxKnown) {
			if with.Known == nil {
				with.Known = map[uint64]search.Value{}
			}
			with.Known[k.Hash] = valueOf(k.Record)
		}
	}
	if len(with.Root) == 0 && with.Known == nil && r == nil {
		return nil, nil
	}
	return with, nil
}

// labeled looks at the labels of the moves that r leaves. best is the one to play, nil if none is:
// the one that has to be played, or if results count the quickest win. blocked are those that must
// not be.
func (e *Engine) labeled(r *search.Restrictions, results bool) (best *Info, blocked []board.Move) {
	forced := false
	for _, child := range e.database.Children(e.board) {
		if !e.board.Legal(child.Move) || !r.Allows(e.board, child.Move) {
			continue
		}
		info := Info{Lines: 1, Depth: child.Record.Depth() + 1, Score: valueOf(child.Record).Before(), PV: []board.Move{child.Move}}
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
func valueOf(r database.Record) search.Value {
	plies, ok := r.Distance()
	if !ok {
		plies = farWin
	}
	switch r.Label.Folded() {
	case database.Win: // of the player who has moved
		return search.LossIn(plies)
	case database.Loss:
		return search.WinIn(plies)
	case database.Draw:
		return 0
	}
	return search.Value(min(max(r.Value, -database.MaxEval), database.MaxEval))
}

// recordOf is the inverse of valueOf for a value searched to that depth. A win that is farther
// than any game goes on comes from a result without a distance.
func recordOf(v search.Value, depth int) database.Record {
	plies := Mate(v)
	if plies > farWin/2 {
		plies = farWin
	} else if plies < -farWin/2 {
		plies = -farWin
	}
	return database.Searched(int(v), plies, depth)
}

// lengthen goes on with a line that ends at a decided position of the database, by moves that
// are known there: the winner's quickest and the loser's longest.
func (e *Engine) lengthen(pv []board.Move) []board.Move {
	b := e.board.Clone()
	for _, m := range pv {
		if !b.Legal(m) {
			return pv
		}
		b.Play(m)
	}
	r, ok := e.database.Get(b)
	pv = slices.Clone(pv)
	for ok && r.Label.Decided() && r.Label.Folded() != database.Draw {
		if v, _ := b.Verdict(); v != board.Unfinished {
			break
		}
		wins, want := r.Label.Folded() == database.Loss, database.Loss // labels are those of the player who has moved
		if wins {
			want = database.Win
		}
		next, best, after := board.None, search.Value(0), database.Record{}
		for _, child := range e.database.Children(b) {
			score := -valueOf(child.Record)
			if child.Record.Label.Folded() == want && b.Legal(child.Move) && (next == board.None || score > best) {
				next, best, after = child.Move, score, child.Record
			}
		}
		if wins && valueOf(r) == search.WinIn(1) { // the database has no positions after a five
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

// withLine returns i with a line that goes on as far as the database knows it: a search ends
// it where a position is known.
func (e *Engine) withLine(r *search.Restrictions, i Info) Info {
	if r != nil && len(r.Known) > 0 && i.Score.Proven() {
		i.PV = e.lengthen(i.PV)
	}
	return i
}

// withLines returns the report function that passes such infos to report.
func (e *Engine) withLines(r *search.Restrictions, report func(Info)) func(Info) {
	if report == nil {
		return nil
	}
	return func(i Info) { report(e.withLine(r, i)) }
}

// remember notes in the database what a search has found of the first moves of its lines and,
// unless a move was blocked, of the position; of a win or a loss all of the line.
func (e *Engine) remember(o Options, blocked bool, infos []Info) {
	if !e.usesDatabase(o) || o.ReadOnly || o.weakened() {
		return
	}
	if e.board.Won() {
		return // the database has no positions after a five
	}
	for _, i := range infos {
		if (i.Depth < leastDepth || o.Style != 0) && !i.Score.Proven() {
			continue // values of different styles cannot be compared
		}
		b, score, depth := e.board.Clone(), i.Score, i.Depth
		if i.Line == 0 && !blocked {
			e.database.Found(b, recordOf(score, depth)) // a position without a key is not noted
		}
		for _, m := range i.PV {
			if v, _ := b.Verdict(); v != board.Unfinished || !b.Legal(m) {
				break
			}
			b.Play(m)
			score, depth = score.After(), max(depth-1, 0)
			if v, _ := b.Verdict(); v == board.Unfinished {
				e.database.Found(b, recordOf(score, depth))
			}
			if !score.Proven() {
				break // the values further on are not known
			}
		}
	}
}

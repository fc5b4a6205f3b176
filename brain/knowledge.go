package brain

import (
	"slices"

	"tengen/brain/board"
	"tengen/brain/database"
	"tengen/brain/search"
)

const (
	maxKnown   = 1000 // positions of the database that a search is told of
	leastDepth = 10   // plies of a value that is noted in the database

	// farWin is the number of plies of a result whose distance the database does not know.
	farWin = database.MaxValue - database.MinWin
)

// UseDatabase gives the engine a database of positions, nil for none. While INFO usedatabase
// is 1 it plays and searches by what is known there, and unless INFO database_readonly is 1
// it notes there what it finds.
func (e *Engine) UseDatabase(d *database.Database) { e.database = d }

// Position returns a copy of the board as it stands, under the rule in force.
func (e *Engine) Position() (*board.Board, error) {
	if err := e.ready(e.Options().Rule); err != nil {
		return nil, err
	}
	return e.board.Clone(), nil
}

// consult asks the database about the position. If it knows the move to play and one line is
// wanted, that is the Info. Else r is what the search must heed besides.
func (e *Engine) consult(o Options, lines int, r *search.Restrictions) (*search.Restrictions, *Info) {
	if !o.Database || e.database == nil || o.Strength < FullStrength {
		return r, nil
	}
	with := &search.Restrictions{}
	if r != nil {
		*with = *r
	}
	with.Root = slices.Clone(with.Root)
	var best *Info
	forced := false
	for _, child := range e.database.Children(e.board) {
		if !e.board.Legal(child.Move) || slices.Contains(with.Root, child.Move) {
			continue
		}
		score := -valueOf(child.Record)
		if score >= search.WinFloor {
			score-- // the move itself
		}
		switch child.Record.Label.Folded() {
		case database.Force:
			if child.Record.Bound() == database.NoBound {
				score = 0
			}
			best, forced = &Info{Lines: 1, Score: score, PV: []board.Move{child.Move}}, true
		case database.Win:
			if !forced && (best == nil || score > best.Score) {
				best = &Info{Lines: 1, Score: score, PV: []board.Move{child.Move}}
			}
		case database.Block:
			with.Root = append(with.Root, child.Move)
		}
	}
	if best != nil && lines == 1 {
		return r, best
	}
	if !free(e.board, with) {
		with.Root = nil // all moves are blocked there: the blocks are of no use
		if r != nil {
			with.Root = r.Root
		}
	}
	for _, k := range e.database.Decided(e.board, maxKnown) {
		if with.Known == nil {
			with.Known = map[uint64]search.Value{}
		}
		with.Known[k.Hash] = valueOf(k.Record)
	}
	if len(with.Root) == 0 && with.Known == nil && r == nil {
		return nil, nil
	}
	return with, nil
}

// valueOf returns the value of a record for the side to move. Results count plies from its
// position.
func valueOf(r database.Record) search.Value {
	v := int(r.Value)
	plies := farWin
	if v <= -database.MinWin || v >= database.MinWin {
		plies = database.MaxValue - max(v, -v)
	}
	switch r.Label.Folded() {
	case database.Win: // of the player who has moved
		return search.LossIn(plies)
	case database.Loss:
		return search.WinIn(plies)
	case database.Draw:
		return 0
	}
	return search.Value(min(max(v, -database.MaxEval), database.MaxEval))
}

// recordOf is the inverse of valueOf for a value searched to that depth.
func recordOf(v search.Value, depth int) database.Record {
	label, value := database.None, min(max(int(v), -database.MaxEval), database.MaxEval)
	switch {
	case v >= search.WinFloor:
		label, value = database.Loss, database.MaxValue-min(int(search.WinIn(0)-v), farWin)
	case v <= -search.WinFloor:
		label, value = database.Win, min(int(v-search.LossIn(0)), farWin)-database.MaxValue
	}
	return database.NewRecord(label, value, depth, database.Exact)
}

// remember notes in the database what a search has found of the first moves of its lines and,
// unless a move was blocked, of the position.
func (e *Engine) remember(o Options, blocked bool, infos []Info) {
	if !o.Database || o.ReadOnly || e.database == nil || o.Strength < FullStrength {
		return
	}
	b := e.board.Clone()
	for _, i := range infos {
		if len(i.PV) == 0 || i.Depth < leastDepth && !i.Score.Proven() || !b.Legal(i.PV[0]) {
			continue
		}
		if i.Line == 0 && !blocked {
			e.database.Found(b, recordOf(i.Score, i.Depth)) // a position without a key is not noted
		}
		after := i.Score
		switch {
		case after >= search.WinFloor:
			after++ // one ply less from there
		case after <= -search.WinFloor:
			after--
		}
		b.Play(i.PV[0])
		e.database.Found(b, recordOf(-after, max(i.Depth-1, 0)))
		b.Undo()
	}
}

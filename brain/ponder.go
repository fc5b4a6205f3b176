package brain

import (
	"context"
	"errors"

	"tengen/brain/board"
	"tengen/brain/search"
)

// Ponder searches the present position, at which the opponent is to move, until ctx ends, to
// fill the hash table of the search for the next move. It returns at once if the game is over, and
// below full strength: the level would play better by what it finds.
func (e *Engine) Ponder(ctx context.Context) error {
	o := e.Options()
	if err := e.ready(o.Rule); err != nil {
		return err
	}
	if v, _ := outcome(e.board); v != board.Unfinished || o.weakened() {
		return nil
	}
	e.resize(o)
	// A style is that of the side that the engine plays for.
	l := search.Limits{Style: -o.Style, Next: e.limits(o, 0).Hard, Restrict: e.restrictions(o, e.board)}
	var notes []string
	if e.countsRows(l) {
		_, _, notes = e.searchRows(ctx, l, nil)
	} else {
		_, notes = e.search(ctx, e.board, l, nil)
	}
	if len(notes) > 0 {
		return errors.New(notes[0])
	}
	return nil
}

package search

import "tengen/brain/board"

// A RootEvent tells how far the first worker is at the root with the best line.
type RootEvent struct {
	Kind RootEventKind
	Move board.Move // None for IterationBegins
}

// A RootEventKind says what a RootEvent tells.
type RootEventKind uint8

const (
	IterationBegins RootEventKind = iota // or begins again with another window
	MoveBegins                           // the search of a move
	MoveEnds
	MoveIsBest // of those of this iteration so far
	MoveLoses  // proved, told once of a move, of some before the first iteration
)

// tell reports an event.
func (w *worker) tell(kind RootEventKind, m board.Move) {
	if w.watch != nil && !w.stopped {
		w.watch(RootEvent{kind, m})
	}
}

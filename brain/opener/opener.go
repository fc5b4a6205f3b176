// Package opener decides in openings: the first stones, whether to swap, fourth and fifth moves of renju,
// and moves that leave a game even. Package opening has the rules of openings. The package is for brain.
package opener

import (
	"fmt"
	"iter"

	"tengen/brain/board"
	"tengen/brain/internal/random"
	"tengen/brain/opening"
	"tengen/brain/play"
	"tengen/brain/score"
	"tengen/brain/search"
)

// Thresholds of the choices in openings, for the player who chooses, in points of the
// evaluation. Set by hand 2026-11.
const (
	even      score.Value = 40  // within this a position counts as balanced
	tooUneven score.Value = 400 // three stones of swap2 that are not searched again
	tenWorth  score.Value = 40  // Taraguchi-10: ten fifth moves are offered if the tenth is worth more to black
)

// Searches that share the time or the nodes of a decision.
const (
	firstSearched  = 36 // shapes searched for the first three stones, with half of the budget
	secondSearched = 5  // of them searched again, with the other half
	pairsSearched  = 6  // pairs searched for moves four and five of swap2, with half of the budget
	fourths        = 5  // fourth moves whose fifth moves are searched
	openings       = 5  // renju openings searched before one is put
	thirds         = 4  // third stones searched in Taraguchi-10
	mostLines      = 24 // fifth moves that are searched; if more are to be offered, the others follow in no order
)

// A Player decides in openings by searches of the positions that follow. Where several decisions are
// equally good, one is chosen at random.
type Player struct {
	Searcher play.Searcher
	Budget   play.Budget // of all searches together
	Random   random.Source
	Report   func(search.Info) // gets the progress of the searches; may be nil
}

// Choices are the decisions of one player in an opening, up to where the other decides or
// the opening is over.
type Choices struct {
	List  []opening.Choice
	Notes []string // as in play.Answer
}

// Choose decides in the opening s, which must not be over, for the player whose turn it is. b is a
// board with the stones of s, which is played on. s is not changed.
func (p *Player) Choose(b *board.Board, s *opening.State) Choices {
	c := chooser{Player: p, state: s.Clone(), b: b}
	c.play()
	return Choices{List: c.state.Choices()[len(s.Choices()):], Notes: c.notes}
}

// A Swap2 is the answer to a step of swap2 as SWAP2BOARD wants it: three moves on an
// empty board (black, white, black); with three stones or five either Swap, which takes
// black, or one move as white, or with three stones two moves, after which the other side
// chooses.
type Swap2 struct {
	Swap  bool
	Moves []board.Move
	Notes []string // as in play.Answer
}

// Swap2 answers a step of swap2 as Choose does; a player who stays white also moves.
func (p *Player) Swap2(b *board.Board, s *opening.State) Swap2 {
	c := chooser{Player: p, state: s.Clone(), b: b}
	c.play()
	answer := Swap2{Notes: c.notes}
	for _, choice := range c.state.Choices()[len(s.Choices()):] {
		switch choice.Action {
		case opening.DoSwap:
			answer.Swap = true
		case opening.Stay:
			answer.Moves = append(answer.Moves, c.best)
		case opening.Put:
			answer.Moves = append(answer.Moves, choice.Move)
		}
	}
	return answer
}

// A chooser decides for one player.
type chooser struct {
	*Player
	state *opening.State
	b     *board.Board // with the stones of the state
	notes []string
	best  board.Move // of the last search of the position in state
}

// play decides until the other player's turn or the end of the opening.
func (c *chooser) play() {
	me := c.state.Step().By
	for !c.state.Done() && c.state.Step().By == me {
		list := c.decide()
		if len(list) == 0 {
			list = []opening.Choice{{}} // apply finds one
		}
		for _, choice := range list {
			c.apply(choice)
		}
	}
}

// apply applies a choice. One that is not legal is replaced by one that is, with a note.
func (c *chooser) apply(choice opening.Choice) {
	if err := c.state.Apply(choice); err != nil {
		c.note([]string{"a choice in the opening was replaced: " + err.Error()})
		step := c.state.Step()
		choice = opening.Choice{Action: step.Actions[0], Number: step.Least, Move: step.Cells.First()}
		if step.Can(opening.Stay) {
			choice.Action = opening.Stay
		}
		if c.state.Apply(choice) != nil {
			panic(fmt.Sprintf("no choice after %v", c.state.Choices()))
		}
	}
	if a := choice.Action; a == opening.Put || a == opening.Pick {
		c.b.Play(choice.Move)
	}
}

// untilOver yields the first element of list, and the others until a limit of c is reached.
func untilOver[T any](c *chooser, list []T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for i, x := range list {
			if i > 0 && c.Budget.Over() || !yield(x) {
				return
			}
		}
	}
}

// search searches the position of c.b with 1/n of the budget and returns
// the value for the side to move and its best move. The move is legal if there is one.
func (c *chooser) search(n int) (score.Value, board.Move) {
	a := c.Searcher.Search(c.Budget.Context, c.b, c.Budget.Share(n), c.Report)
	c.note(a.Notes)
	if a.Move != board.None && c.b.Legal(a.Move) {
		return a.Best().Score, a.Move
	}
	return 0, play.AnyMove(c.b)
}

// A valuedMove is a move and its value for the side that makes it.
type valuedMove struct {
	move  board.Move
	value score.Value
}

// lines lists the best moves of the position of c.b, searched with 1/n of the budget:
// at most count, the best first. At least one if there is a legal move.
func (c *chooser) lines(count, n int) []valuedMove {
	l := c.Budget.Share(n)
	l.Lines = min(count, c.b.Empties())
	a := c.Searcher.Search(c.Budget.Context, c.b, l, c.Report)
	c.note(a.Notes)
	var list []valuedMove
	for _, i := range a.Infos {
		if play.StartsLegally(c.b, i) {
			list = append(list, valuedMove{i.PV[0], i.Score})
		}
	}
	if len(list) == 0 {
		list = []valuedMove{{move: play.AnyMove(c.b)}}
	}
	return list
}

// note keeps the notes of the first search that has some; all may fail alike.
func (c *chooser) note(notes []string) {
	if len(c.notes) == 0 {
		c.notes = notes
	}
}

// after plays the moves, calls f and takes them back. If a move is not legal it does nothing.
func (c *chooser) after(moves []board.Move, f func()) {
	played := 0
	for _, m := range moves {
		if !c.b.Legal(m) {
			break
		}
		c.b.Play(m)
		played++
	}
	if played == len(moves) {
		f()
	}
	for range played {
		c.b.Undo()
	}
}

// valueAfter returns the value of the position after the moves for the side that is then to
// move, searched with 1/n of the budget. An illegal move makes it a loss.
func (c *chooser) valueAfter(moves []board.Move, n int) score.Value {
	v := -score.Win
	c.after(moves, func() { v, _ = c.search(n) })
	return v
}

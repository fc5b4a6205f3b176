package brain

import (
	"context"
	"fmt"
	"iter"
	"time"

	"tengen/brain/board"
	"tengen/brain/opening"
	"tengen/brain/search"
)

// Thresholds of the choices in openings, for the player who chooses, in points of the
// evaluation (200 points are 73 wins of 100). Set by hand 2026-11.
const (
	even      search.Value = 40  // within this a position counts as balanced
	tooUneven search.Value = 400 // three stones of swap2 that are not searched again
	tenWorth  search.Value = 40  // Taraguchi-10: ten fifth moves are offered if the tenth is worth more to black
)

// Searches that share the time or the nodes of a decision.
const (
	firstSearched  = 36  // shapes searched for the first three stones, with half of the budget
	secondSearched = 5   // of them searched again, with the other half
	pairsSearched  = 6   // pairs searched for moves four and five of swap2, with half of the budget
	fourths        = 5   // fourth moves whose fifth moves are searched
	openings       = 5   // renju openings searched before one is put
	thirds         = 4   // third stones searched in Taraguchi-10
	weakSearch     = 20  // a weakened engine has this many times the nodes of a move ...
	weakNodes      = 500 // ... of which it has at least these
	mostLines      = 24  // fifth moves that are searched; if more are to be offered, the others follow in no order
)

// Choices are the decisions of one player in an opening, up to where the other decides or
// the opening is over.
type Choices struct {
	List  []opening.Choice
	Notes []string // as in Thought
}

// Choose decides in the opening s for the player whose turn it is. The rule of the game is that
// of the options; the board of the engine's game must have the size of s. Decisions rest on
// searches of the positions that follow; where several are equally good, one is chosen at
// random, except with a limit of nodes or depth alone, so that the answer can be repeated.
// Neither the game nor s is changed. The limits of q are for all decisions together; its Lines, Watch
// and Study do not count. Errors: ErrNoGame, another size, an opening that is over.
func (e *Engine) Choose(ctx context.Context, s *opening.State, q Query) (Choices, error) {
	o, start := e.begin(q)
	c, err := e.chooser(ctx, o, start, s.Stones(), q.Report)
	if err != nil {
		return Choices{}, err
	}
	if w, h := s.Size(); w != e.game.width || h != e.game.height {
		return Choices{}, fmt.Errorf("the opening is played on %dx%d, the game on %dx%d", w, h, e.game.width, e.game.height)
	}
	if s.Done() {
		return Choices{}, fmt.Errorf("the opening %v is over", s.Rule())
	}
	c.state = s.Clone()
	c.play()
	e.spend(start, time.Now())
	return Choices{List: c.state.Choices()[len(s.Choices()):], Notes: c.notes}, nil
}

// An Opening is the answer to a step of swap2 as SWAP2BOARD wants it: three moves on an
// empty board (black, white, black); with three stones or five either Swap, which takes
// black, or one move as white, or with three stones two moves, after which the other side
// chooses.
type Opening struct {
	Swap  bool
	Moves []board.Move
	Notes []string
}

// Opening answers a step of swap2 with 0, 3 or 5 stones on the board, which are black,
// white, black and so on and have to lie on different cells of it. It decides as Choose does;
// a player who stays white also moves.
func (e *Engine) Opening(ctx context.Context, stones []board.Move, q Query) (Opening, error) {
	o, start := e.begin(q)
	c, err := e.chooser(ctx, o, start, stones, q.Report)
	if err != nil {
		return Opening{}, err
	}
	s, err := opening.Swap2After(stones, e.game.width, e.game.height)
	if err != nil {
		return Opening{}, err
	}
	c.state = s
	n := len(s.Choices())
	c.play()
	answer := Opening{Notes: c.notes}
	for _, choice := range s.Choices()[n:] {
		switch choice.Action {
		case opening.DoSwap:
			answer.Swap = true
		case opening.Stay:
			answer.Moves = append(answer.Moves, c.best)
		case opening.Put:
			answer.Moves = append(answer.Moves, choice.Move)
		}
	}
	e.spend(start, time.Now())
	return answer, nil
}

// A chooser decides for one player.
type chooser struct {
	e      *Engine
	budget // of all decisions together; the nodes are not counted
	state  *opening.State
	b      *board.Board // with the stones of the state
	chance chance
	report func(Info)
	notes  []string
	best   board.Move // of the last search of the position in state
}

// chooser returns a chooser without a state, with the stones on its board.
func (e *Engine) chooser(ctx context.Context, o Options, start time.Time, stones []board.Move, report func(Info)) (*chooser, error) {
	if err := e.ready(o.Rule); err != nil {
		return nil, err
	}
	b, err := board.New(o.Rule, e.game.width, e.game.height)
	if err != nil {
		return nil, err
	}
	for _, m := range stones {
		switch b.Cell(m) {
		case board.Empty:
			b.Play(m)
		case board.Wall:
			return nil, fmt.Errorf("a stone is not on the board of %dx%d", b.Width(), b.Height())
		default:
			return nil, &CellError{m, "the cell %s is listed twice"}
		}
	}
	e.resize(o)
	c := &chooser{
		e: e, budget: e.budget(ctx, o, start, below(e.restrictions(o, b))),
		b: b, report: report,
	}
	c.chance = chance(c.begun.UnixNano())
	if c.limits.Hard == 0 {
		c.chance = 1 // with a limit of nodes or depth alone the answer can be repeated
	}
	if o.weakened() {
		c.chance = chance(board.Mix(e.seed))
		if n := e.each(weakSearch * max(levelOf(o.Strength).nodes, weakNodes)); c.limits.Nodes == 0 || c.limits.Nodes > n {
			c.limits.Nodes = n // for all searches together
		}
	}
	return c, nil
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
			if i > 0 && c.over() || !yield(x) {
				return
			}
		}
	}
}

// search searches the position of c.b with 1/n of the budget and returns
// the value for the side to move and its best move. The move is legal if there is one.
func (c *chooser) search(n int) (search.Value, board.Move) {
	result, notes := c.e.search(c.ctx, c.b, c.share(n), c.report)
	c.note(notes)
	if m := result.Move; m != board.None && c.b.Legal(m) {
		return result.Info.Score, m
	}
	return 0, anyMove(c.b)
}

// A valued is a move and its value for the side that makes it.
type valued struct {
	move  board.Move
	value search.Value
}

// lines lists the best moves of the position of c.b, searched with 1/n of the budget:
// at most count, the best first. At least one if there is a legal move.
func (c *chooser) lines(count, n int) []valued {
	l := c.share(n)
	l.Lines = min(count, c.b.Empties())
	var infos []Info
	_, notes := c.e.search(c.ctx, c.b, l, collect(&infos, c.report))
	c.note(notes)
	var list []valued
	for _, i := range infos {
		if hasMove(c.b, i) {
			list = append(list, valued{i.PV[0], i.Score})
		}
	}
	if len(list) == 0 {
		list = []valued{{move: anyMove(c.b)}}
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
func (c *chooser) valueAfter(moves []board.Move, n int) search.Value {
	v := -search.Win
	c.after(moves, func() { v, _ = c.search(n) })
	return v
}

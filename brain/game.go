package brain

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"tengen/brain/board"
	"tengen/brain/setup"
)

// A Stone is a cell and its owner, for Setup.
type Stone = setup.Stone

// An Owner is the owner of a stone in Setup, numbered as in the protocol.
type Owner = setup.Owner

// The owners.
const (
	Own      = setup.Own      // the engine's
	Opponent = setup.Opponent // the other side's
	Blocked  = setup.Blocked  // a cell that cannot be used
)

// A CellError says what is wrong with a cell.
type CellError struct {
	Move   board.Move
	format string // of its name
}

// Error names the cell by column and row.
func (e *CellError) Error() string { return e.Text(cellText) }

// Text is Error with the name that name gives the cell.
func (e *CellError) Text(name func(board.Move) string) string {
	return fmt.Sprintf(e.format, name(e.Move))
}

// cellText names a cell as the protocol does.
func cellText(m board.Move) string { return fmt.Sprintf("%d,%d", m.X(), m.Y()) }

// NewGame starts a game on an empty board of the given size. The options stay, except the time left if
// the last game had moves; the hash table is cleared unless KeepTable keeps it. Error:
// a side not in board.MinSize..MaxSize; the old game then stays.
func (e *Engine) NewGame(width, height int) error {
	b, err := board.New(e.Options().Rule, width, height)
	if err != nil {
		return err
	}
	e.game, e.width, e.height = setup.New(), width, height
	e.board = b
	if !e.keepTable.Load() {
		e.Forget()
	}
	e.seed = e.fixed
	if e.seed == 0 {
		e.seed = board.Mix(uint64(time.Now().UnixNano()))
	}
	e.mu.Lock()
	if e.since != 0 {
		e.opts.Left = NoLimit // set in the game before
	}
	e.used, e.since = 0, 0
	e.mu.Unlock()
	return nil
}

// Restart empties the board and keeps its size.
func (e *Engine) Restart() error {
	if e.board == nil {
		return ErrNoGame
	}
	return e.NewGame(e.width, e.height)
}

// ready checks that there is a game and sets up its board anew if rule has changed.
func (e *Engine) ready(rule board.Rule) error {
	if e.board == nil {
		return ErrNoGame
	}
	if rule == e.board.Rule() {
		return nil
	}
	b, err := board.New(rule, e.width, e.height)
	if err != nil {
		return err
	}
	e.game.SetUp(b)
	e.board = b
	return nil
}

// Setup replaces the position by the given stones, with the engine to move. All must be on
// the board; a cell that is listed again is ignored.
func (e *Engine) Setup(stones []Stone) error {
	if e.board == nil {
		return ErrNoGame
	}
	o := e.Options()
	e.game.Set(stones, o.Rule&board.Continuous != 0, o.Side)
	e.game.SetUp(e.board)
	return nil
}

// Play puts a stone of the side to move on m, a cell of the board. Forbidden points are
// accepted: the manager decides on fouls. In a continuous game such a stone becomes a blocked cell.
func (e *Engine) Play(m board.Move) error {
	if e.board == nil {
		return ErrNoGame
	}
	if _, err := board.AtOn(m.X(), m.Y(), e.board.Width(), e.board.Height()); err != nil {
		return err
	}
	if e.board.Cell(m) != board.Empty {
		return &CellError{m, "the cell %s is taken"}
	}
	e.game.Add(m)
	if e.board.Rule()&board.Continuous != 0 {
		e.game.SetUp(e.board) // the stone may complete a row or be a foul: blocked cells
		return nil
	}
	e.board.Play(m)
	return nil
}

// SetMoves plays the moves of a new game, of which board.None is a pass. A game knows no pass: with one it
// gets the stones and who is to move. Errors: those of Play and of Setup.
func (e *Engine) SetMoves(moves []board.Move) error {
	e.Set("side", "0")
	if slices.Contains(moves, board.None) {
		var stones []Stone
		for i, m := range moves {
			if m != board.None {
				stones = append(stones, Stone{Move: m, Owner: []Owner{Own, Opponent}[(len(moves)-i)&1]})
			}
		}
		e.Set("side", strconv.Itoa(1+len(moves)&1))
		return e.Setup(stones)
	}
	for _, m := range moves {
		if err := e.Play(m); err != nil {
			return err
		}
	}
	return nil
}

// TakeBack takes the stone on m from the board.
func (e *Engine) TakeBack(m board.Move) error {
	if e.board == nil {
		return ErrNoGame
	}
	if !e.game.Remove(m) {
		return &CellError{m, "there is no stone on %s"}
	}
	e.game.SetUp(e.board)
	return nil
}

// Stones returns the number of stones played or set up.
func (e *Engine) Stones() int { return e.game.Stones() }

// Moves returns the cells of these stones, in the order they were played.
func (e *Engine) Moves() []board.Move { return e.game.Moves() }

// Forbidden lists the cells where the side to move may not play, row by row.
func (e *Engine) Forbidden() ([]board.Move, error) {
	if err := e.ready(e.Options().Rule); err != nil {
		return nil, err
	}
	if e.board.Side() != board.Black {
		return nil, nil
	}
	return slices.DeleteFunc(e.board.Open().Append(nil), func(m board.Move) bool { return !e.board.Forbidden(m) }), nil
}

// Position returns a copy of the board, under the rule in force.
func (e *Engine) Position() (*board.Board, error) {
	if err := e.ready(e.Options().Rule); err != nil {
		return nil, err
	}
	return e.board.Clone(), nil
}

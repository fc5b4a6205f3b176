// Package brain is the session: it remembers a game between the commands of a manager,
// keeps to the limits it was told, and asks the search for moves. It writes nothing;
// what it has to tell goes to a report function.
package brain

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"tengen/brain/board"
	"tengen/brain/search"
)

// Who the engine is, as ABOUT tells.
const (
	Name    = "Tengen"
	Version = "0.1"
	Author  = "The Tengen authors"
	Country = "World"
)

// An Info tells how far a search has come. Its PV may be kept.
type Info = search.Info

// A Thought is the outcome of Think.
type Thought struct {
	Move  board.Move
	Infos []Info // what is known of the move, and of the other lines if several were searched

	// Notes are for the manager's user: an option that cannot be honoured, or a failure that
	// was survived, with the stack behind the first line.
	Notes []string
}

// Errors of a session.
var (
	ErrNoGame = errors.New("no game has been started")
	ErrFull   = errors.New("the board is full")
)

// An Engine plays one game at a time for a manager. Methods must not be called
// concurrently, except that Set may be called at any time and cancelling the context of
// Think or Opening makes it return soon.
type Engine struct {
	game  position
	board *board.Board

	config  Config
	pool    *search.Pool
	workers int
	table   int64 // bytes

	seed  uint64 // of what a game at less than full strength leaves to chance
	fixed uint64 // the seed of all games; 0 for one of each game's own

	mu    sync.Mutex // guards what is below
	opts  Options
	notes []string
	used  time.Duration // of our time in this game, increments taken off
	since time.Duration // the same since time_left was told
}

// A Config is what a program decides for its engine before any manager speaks. The zero
// Config will do.
type Config struct {
	Evaluation Evaluation // nil for the tables that the program carries

	// LimitHeap, if not nil, is called before the memory of a search is taken, with the
	// bytes that the heap of the process may reach under the options of the manager. What
	// the search used before is garbage by then.
	LimitHeap func(bytes int64)
}

// New returns an engine without a game. It is cheap: memory for the search is taken
// when the first move is asked for.
func New(c Config) *Engine {
	if c.Evaluation == nil {
		c.Evaluation, _ = Tables() // fails by a file only
	}
	return &Engine{config: c, opts: DefaultOptions()}
}

// Set takes the value of an INFO key, in lower case, for moves asked for later. Values
// that cannot be used change nothing and become a note of the next Thought. The tables
// of a rule are built when it is named, in tens of milliseconds.
func (e *Engine) Set(key, value string) {
	e.mu.Lock()
	err := e.opts.Set(key, value)
	if err != nil && len(e.notes) < 4 {
		e.notes = append(e.notes, err.Error())
	}
	if err == nil && key == "time_left" {
		e.since = 0
	}
	rule := e.opts.Rule
	e.mu.Unlock()
	if err == nil && key == "rule" {
		board.New(rule, board.MinSize, board.MinSize)
	}
}

// Options returns what Set has set, with Left as it is now. It may be called while Think
// or Opening runs.
func (e *Engine) Options() Options {
	e.mu.Lock()
	defer e.mu.Unlock()
	o := e.opts
	switch {
	case o.Left != search.NoLimit:
		o.Left -= e.since
	case o.Match != search.NoLimit:
		o.Left = o.Match - e.used
	}
	return o
}

// spend notes time that a move took, and what is granted for it.
func (e *Engine) spend(d time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d -= e.opts.Increment
	e.used += d
	e.since += d
}

// NewGame empties the board and gives it a size. The options stay; what was learnt is
// forgotten. Errors: a side that is not in board.MinSize..MaxSize; the old game then goes on.
func (e *Engine) NewGame(width, height int) error {
	rule := e.Options().Rule
	b, err := board.New(rule, width, height)
	if err != nil {
		return err
	}
	e.game = position{width: width, height: height, side: board.Black}
	e.board = b
	e.Forget() // so that a game does not depend on the games before
	e.seed = e.fixed
	if e.seed == 0 {
		e.seed = mix(uint64(time.Now().UnixNano()))
	}
	e.mu.Lock()
	e.used, e.since = 0, 0
	e.mu.Unlock()
	return nil
}

// Restart empties the board and keeps its size.
func (e *Engine) Restart() error {
	if e.board == nil {
		return ErrNoGame
	}
	return e.NewGame(e.game.width, e.game.height)
}

// ready makes sure that there is a game and that its board follows rule. What was learnt
// under another rule is forgotten, since positions look the same under all rules.
func (e *Engine) ready(rule board.Rule) error {
	if e.board == nil {
		return ErrNoGame
	}
	if rule == e.board.Rule() {
		return nil
	}
	b, err := board.New(rule, e.game.width, e.game.height)
	if err != nil {
		return err
	}
	e.game.on(b)
	e.board = b
	e.Forget()
	return nil
}

// Setup replaces the game by the given stones, the engine to move. It passes over cells
// that are listed twice; all must be on the board.
func (e *Engine) Setup(stones []Stone) error {
	if e.board == nil {
		return ErrNoGame
	}
	e.game.set(stones)
	e.game.on(e.board)
	return nil
}

// Play puts a stone of the side to move on m, a cell of the board. Forbidden points are
// not refused: whether a foul counts is for the manager to say.
func (e *Engine) Play(m board.Move) error {
	if e.board == nil {
		return ErrNoGame
	}
	if e.board.Cell(m) != board.Empty {
		return fmt.Errorf("the cell %s is taken", cellText(m))
	}
	e.game.add(m)
	if e.board.Rule()&board.Continuous != 0 {
		e.game.on(e.board) // the stone may complete a row, which becomes blocked cells
	} else {
		e.board.Play(m)
	}
	return nil
}

// TakeBack takes the stone on m from the board.
func (e *Engine) TakeBack(m board.Move) error {
	if e.board == nil {
		return ErrNoGame
	}
	if !e.game.remove(m) {
		return fmt.Errorf("there is no stone on %s", cellText(m))
	}
	e.game.on(e.board)
	return nil
}

// Stones returns the number of stones played or set up.
func (e *Engine) Stones() int { return len(e.game.stones) }

// Forbidden lists the cells where the side to move may not play, row by row.
func (e *Engine) Forbidden() ([]board.Move, error) {
	if err := e.ready(e.Options().Rule); err != nil {
		return nil, err
	}
	var list []board.Move
	if e.board.Side() != board.Black {
		return nil, nil
	}
	for y := range e.game.height {
		for x := range e.game.width {
			if m := board.At(x, y); e.board.Cell(m) == board.Empty && e.board.Forbidden(m) {
				list = append(list, m)
			}
		}
	}
	return list, nil
}

// Forget empties the table of the search.
func (e *Engine) Forget() {
	if e.pool != nil {
		e.pool.Clear()
	}
}

func (e *Engine) clock(o Options, elapsed time.Duration) search.ClockState {
	return search.ClockState{
		Turn: o.Turn, Match: o.Match, Left: o.Left, Increment: o.Increment, Elapsed: elapsed,
		Played: len(e.game.stones), Free: max(e.game.width*e.game.height-len(e.game.stones)-len(e.game.blocked), 1),
	}
}

// limits turns the options into limits of one search. A limit of nodes or depth alone
// brings no clock, so that the search can be repeated.
func (e *Engine) limits(o Options, elapsed time.Duration) search.Limits {
	l := search.Limits{Nodes: o.Nodes, Depth: o.Depth, Style: o.Style}
	if o.Turn == search.NoLimit && o.Left == search.NoLimit && (o.Nodes > 0 || o.Depth > 0) {
		return l
	}
	l.Soft, l.Hard = search.Clock(e.clock(o, elapsed))
	return l
}

// resize takes the memory that the options allow, if they have changed.
func (e *Engine) resize(o Options) {
	bytes := tableBytes(o)
	switch {
	case e.pool == nil || bytes != e.table:
		e.pool = nil // the old table has to be gone before the new one is there
		if e.config.LimitHeap != nil {
			e.config.LimitHeap(heapLimit(o))
		}
		e.pool = search.NewPool(e.config.Evaluation, search.DefaultParams(), o.Threads, bytes)
	case o.Threads != e.workers:
		e.pool.Resize(o.Threads, bytes)
	}
	e.workers, e.table = o.Threads, bytes
}

// Think searches for a move, plays it on the board and returns it. The options are those
// of Options when the move was asked for: what Set says from then on is for later moves.
// The time limits count from start, when the command was read. Lines is the number of
// best lines wanted, at least 1. Report, if not nil, is called from one goroutine. The
// move is always legal if there is a legal one, else any free cell. Errors: ErrNoGame,
// ErrFull.
func (e *Engine) Think(ctx context.Context, o Options, start time.Time, lines int, report func(Info)) (Thought, error) {
	if err := e.ready(o.Rule); err != nil {
		return Thought{}, err
	}
	if e.board.Empties() == 0 {
		return Thought{}, ErrFull
	}
	e.resize(o)
	l := e.limits(o, time.Since(start))
	l.Lines = min(lines, e.board.Empties())

	var t Thought
	var notes []string
	if o.Strength < FullStrength {
		t.Move, t.Infos, notes = e.weaken(ctx, o.Strength, l)
	} else {
		t.Move, t.Infos, notes = e.strive(ctx, l, report)
	}
	if !e.board.On(t.Move.X(), t.Move.Y()) || !e.board.Legal(t.Move) {
		t.Move, t.Infos = anyMove(e.board), nil
	}
	if err := e.Play(t.Move); err != nil {
		return Thought{}, err
	}
	e.mu.Lock()
	t.Notes, e.notes = e.notes, nil
	e.mu.Unlock()
	t.Notes = append(t.Notes, notes...)
	e.spend(time.Since(start))
	return t, nil
}

// strive looks for the best move within the limits. There is one info, or with several
// lines one of each.
func (e *Engine) strive(ctx context.Context, l search.Limits, report func(Info)) (board.Move, []Info, []string) {
	var infos []Info
	result, notes := e.search(ctx, e.board, l, func(i Info) {
		for len(infos) <= i.Line {
			infos = append(infos, Info{})
		}
		infos[i.Line] = i
		if report != nil {
			report(i)
		}
	})
	switch {
	case result.Info.PV == nil: // a failure
		infos = nil
	case len(infos) <= 1:
		infos = []Info{result.Info}
	}
	if m := e.nearer(result.Move, infos); m != result.Move {
		if len(infos) > 1 {
			return m, infos, notes
		}
		return m, nil, notes
	}
	return result.Move, infos, notes
}

// search asks the pool. The notes tell of failures in it that were survived.
func (e *Engine) search(ctx context.Context, b *board.Board, l search.Limits, report func(Info)) (result search.Result, notes []string) {
	result = e.pool.Search(ctx, b, l, func(i Info) {
		if report != nil {
			i.PV = append([]board.Move(nil), i.PV...) // the pool uses it on
			report(i)
		}
	})
	for _, f := range result.Failures {
		notes = append(notes, "the search failed: "+f.What+"\n"+f.Stack)
	}
	return result, notes
}

// anyMove returns the legal move nearest to the middle, or a free cell if none is legal.
func anyMove(b *board.Board) board.Move {
	if m := b.Central(); m != board.None {
		return m
	}
	return b.Open().First()
}

// ScoreText writes a value: a number, or +M7 and -M6 for a win in 7 plies and a loss in 6.
func ScoreText(v search.Value) string {
	switch {
	case v >= search.WinFloor:
		return "+M" + strconv.Itoa(int(search.WinIn(0)-v))
	case v <= -search.WinFloor:
		return "-M" + strconv.Itoa(int(v-search.LossIn(0)))
	}
	return strconv.Itoa(int(v))
}

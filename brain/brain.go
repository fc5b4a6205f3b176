// Package brain is a gomoku and renju engine. An Engine is a session: it remembers a game
// between the commands of a manager, applies the limits it was given, and asks the search for
// moves. A Solver proves wins in single positions. The package prints nothing, leaves the
// process alone and writes no file but that of DumpTable; results and progress are returned or
// passed to a report function. README.md is about using it in other programs.
package brain

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tengen/brain/atomicfile"
	"tengen/brain/board"
	"tengen/brain/continuous"
	"tengen/brain/database"
	"tengen/brain/eval"
	"tengen/brain/search"
)

// The engine in the answer to ABOUT.
const (
	Name    = "Tengen"
	Version = "0.2"
	Author  = "The Tengen authors"
	Country = "World"
)

// mostNotes is how many notes about options wait for the next Thought at most.
const mostNotes = 4

// An Info is the progress of a search. Its PV may be kept.
type Info = search.Info

// Errors of a session.
var (
	ErrNoGame = errors.New("no game has been started")
	ErrFull   = errors.New("the board is full")
	ErrOver   = board.ErrOver
)

// An Engine plays one game at a time for a manager. Methods must not be called
// concurrently, except that Set, Options, MostThreads and KeepTable may be called at any time. A
// method that takes a context returns soon after that ends.
type Engine struct {
	game  position
	board *board.Board

	config   Config
	pool     *search.Pool
	workers  int
	table    int64  // bytes
	byTables bool   // the pool evaluates by tables whatever networks there are
	heap     int64  // bytes of the limit of the heap that LimitHeap was called with; 0 before that
	short    string // what was noted last about too little memory; empty if there was enough

	rows      *continuous.Searcher // nil until a continuous game needs it
	rowsTable int64                // bytes of its table

	blocks    blocks
	keepTable atomic.Bool        // over games; may change during a search
	database  *database.Database // nil for none

	seed  uint64 // of the random choices of a game at less than full strength
	fixed uint64 // the seed of every game; 0 for a new one each game

	mu      sync.Mutex // guards the fields below
	opts    Options
	book    *Book // set by an option; nil for that of the configuration
	notes   []string
	crowded bool          // it was noted that there are too few processors for the threads
	used    time.Duration // time used in this game, less the increments
	since   time.Duration // the same since time_left was told
	told    time.Time     // when that was; zero for never
}

// An Evaluation is what an engine values positions by.
type Evaluation = eval.Evaluation

// A Config holds what a program sets for its engine, as opposed to the options that a manager
// sets. The zero Config is usable.
type Config struct {
	Evaluation *Evaluation // nil for that which the program carries

	// LimitHeap, if not nil, is called before the hash table is allocated, with the size in
	// bytes that the heap of the process may reach under the options of the manager. If free is
	// true, what is garbage by then has to be given back to the system: an earlier table.
	LimitHeap func(bytes int64, free bool)

	// MostMemory is how many bytes the process may take whatever the manager allows; 0 for no
	// such limit.
	MostMemory int64

	// MostThreads is how many workers a search has whatever the manager wants; 0 for no such limit.
	// Each takes memory from the hash table, and more than there are processors only wait for
	// each other.
	MostThreads int

	Book *Book // the opening book; nil for that which the program carries
}

// New returns an engine without a game. It is cheap: the hash table is allocated when the
// first move is asked for.
func New(c Config) *Engine {
	if c.Evaluation == nil {
		c.Evaluation = eval.Embedded()
	}
	return &Engine{config: c, opts: DefaultOptions()}
}

// Set sets an option by its INFO key, in lower case. It applies to moves asked for later. A
// bad value changes nothing and adds a note to the next Thought. Setting a rule builds the
// tables of that rule, in about 2 ms, and meanwhile loads its network if there is memory for
// both at once, since a move may be asked for next.
func (e *Engine) Set(key, value string) {
	var read *Book
	var failure error
	if key == "book" {
		read, failure = readBook(value, atomicfile.Open)
	}
	e.mu.Lock()
	err := cmp.Or(failure, e.opts.Set(key, value))
	if read != nil {
		e.book = read
	}
	if err != nil && len(e.notes) < mostNotes {
		e.notes = append(e.notes, err.Error())
	}
	if most := e.MostThreads(); e.opts.Threads > most {
		if e.opts.Threads = most; !e.crowded {
			e.crowded = true
			e.notes = append(e.notes, fmt.Sprintf("%s %.40s is more than this machine is good for: searching with %d threads", key, value, most))
		}
	}
	if err == nil && key == "time_left" {
		e.since, e.told = 0, time.Now()
	}
	o := e.opts
	e.mu.Unlock()
	if err == nil && key == "rule" {
		e.loadRule(o)
	}
}

// loadRule builds the tables of the rule, and meanwhile loads its network if that is used and
// there is memory for both at once.
func (e *Engine) loadRule(o Options) {
	var building sync.WaitGroup
	defer building.Wait()
	building.Go(func() { board.New(o.Rule, board.MinSize, board.MinSize) })
	if !o.weakened() && (o.MaxMemory <= 0 || o.MaxMemory >= ampleMemory) {
		e.config.Evaluation.Network(o.Rule)
	}
}

// MostThreads returns how many workers a search has if the manager asks for any number.
func (e *Engine) MostThreads() int {
	if most := e.config.MostThreads; most > 0 {
		return min(most, MaxThreads)
	}
	return MaxThreads
}

// Options returns the options in force, with Left as of now. It may be called while Think
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

// spend adds the time from start to end, less the increment, to the time used. What the manager has
// told of the time left meanwhile is without the time up to then.
func (e *Engine) spend(start, end time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.used += end.Sub(start) - e.opts.Increment
	if start.Before(e.told) {
		start = e.told
	}
	e.since += end.Sub(start) - e.opts.Increment
}

// NewGame starts a game on an empty board of the given size. The options stay, but for the
// time left of a game with moves; the hash table is cleared unless KeepTable keeps it. Error:
// a side not in board.MinSize..MaxSize; the old game then stays.
func (e *Engine) NewGame(width, height int) error {
	b, err := board.New(e.Options().Rule, width, height)
	if err != nil {
		return err
	}
	e.game = position{width: width, height: height, side: board.Black}
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
		e.opts.Left = search.NoLimit // told in the game before
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
	return e.NewGame(e.game.width, e.game.height)
}

// ready checks that there is a game and sets up its board anew if rule has changed.
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
	return nil
}

// Setup replaces the position by the given stones, with the engine to move. All must be on
// the board; a cell that is listed again is ignored.
func (e *Engine) Setup(stones []Stone) error {
	if e.board == nil {
		return ErrNoGame
	}
	o := e.Options()
	e.game.set(stones, o.Rule&board.Continuous != 0, o.Side)
	e.game.on(e.board)
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
	e.game.add(m)
	if e.board.Rule()&board.Continuous != 0 {
		e.game.on(e.board) // the stone may complete a row or be a foul: blocked cells
		return nil
	}
	e.board.Play(m)
	return nil
}

// TakeBack takes the stone on m from the board.
func (e *Engine) TakeBack(m board.Move) error {
	if e.board == nil {
		return ErrNoGame
	}
	if !e.game.remove(m) {
		return &CellError{m, "there is no stone on %s"}
	}
	e.game.on(e.board)
	return nil
}

// Stones returns the number of stones played or set up.
func (e *Engine) Stones() int { return len(e.game.stones) }

// Moves returns the cells of these stones, in the order they were played.
func (e *Engine) Moves() []board.Move {
	list := make([]board.Move, len(e.game.stones))
	for i, s := range e.game.stones {
		list[i] = s.move
	}
	return list
}

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

// Forget clears the hash table.
func (e *Engine) Forget() {
	if e.pool != nil {
		e.pool.Clear()
	}
	if e.rows != nil {
		e.rows.Clear()
	}
}

// limits returns the limits of one search. With a limit of nodes or depth alone there is no
// time limit, so that the search is repeatable.
func (e *Engine) limits(o Options, elapsed time.Duration) search.Limits {
	l := search.Limits{Nodes: o.Nodes, Depth: o.Depth, Style: o.Style, From: o.StartDepth, Reach: o.reach(), Resume: e.keepTable.Load()}
	if o.timeless() && (o.Nodes > 0 || o.Depth > 0 || o.Endless) {
		return l
	}
	c := search.ClockState{
		Turn: o.Turn, Match: o.Match, Left: o.Left, Increment: o.Increment, Elapsed: elapsed,
		Played: len(e.game.stones), Free: max(e.game.width*e.game.height-len(e.game.stones)-len(e.game.blocked), 1),
	}
	switch {
	case o.Rule&board.Continuous == 0:
	case o.Alone:
		c.Rest = c.Free
	default:
		c.Rest = (c.Free + 1) / 2
	}
	if e.pool != nil {
		c.Stall = e.pool.Stall()
	}
	l.Soft, l.Hard = search.Clock(c)
	return l
}

// each returns the limit of a search in which every worker has so many nodes.
func (e *Engine) each(nodes int64) int64 { return nodes * int64(max(e.workers, 1)) }

// resize gives the search the memory and the workers that the options ask for. It allocates no
// table, so that it takes no time to change the options before the first search.
func (e *Engine) resize(o Options) {
	taken := int64(0)
	if e.database != nil {
		taken = databaseMemory(e.database.Bytes())
	}
	o, short := o.allowed(e.config.MostMemory, taken)
	e.noteShort(short)
	bytes := tableBytes(o)
	tables := o.weakened() // the levels are made for them
	allocated := e.pool != nil && e.pool.Allocated()
	dropped := allocated && bytes != e.table || e.pool != nil && tables != e.byTables
	if dropped {
		e.pool.Close()
		e.pool = nil // so that the old table can be freed before the new one is allocated
	}
	if rows := rowsMemory(o); rows != e.rowsTable {
		e.rows, e.rowsTable = nil, rows
	}
	// The table may be the same in less memory, or that of another rule.
	if limit := heapLimit(o) + taken; limit != e.heap || dropped {
		if e.heap = limit; e.config.LimitHeap != nil {
			e.config.LimitHeap(limit, dropped && allocated || o.memory() < ampleMemory)
		}
	}
	if e.pool == nil {
		e.pool = search.NewPool(e.evaluator(tables), search.DefaultParams(), o.Threads, bytes)
	} else if bytes != e.table || o.Threads != e.workers {
		e.pool.Resize(o.Threads, bytes)
	}
	e.pool.SetSolver(solverMemory(o))
	e.workers, e.table, e.byTables = o.Threads, bytes, tables
}

// noteShort takes a note about too little memory, empty if there is enough, unless it is the last
// one again.
func (e *Engine) noteShort(note string) {
	if note == e.short {
		return
	}
	if e.short = note; note == "" {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.notes) < mostNotes {
		e.notes = append(e.notes, note)
	}
}

// evaluator returns what makes the evaluators of a pool, of tables alone if so asked.
func (e *Engine) evaluator(byTables bool) func(*board.Board) eval.Evaluator {
	if byTables {
		return e.config.Evaluation.Tables
	}
	return e.config.Evaluation.New
}

// Prepare loads, under the options in force, what the first search of a game needs, so that a
// short limit of its time does not have to suffice for that too. It takes about 10 ms; more if a
// hash table that was in use has to be given back. Without a game it does nothing.
func (e *Engine) Prepare() {
	o := e.Options()
	if e.ready(o.Rule) != nil {
		return
	}
	e.resize(o)
	e.pool.Prepare(e.board)
	if o.Rule&board.Continuous != 0 {
		e.prepareRows()
	}
	e.openingBook()
}

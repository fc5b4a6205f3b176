// Package brain is a gomoku and renju engine. An Engine is a session: it remembers a game
// between the commands of a manager, applies the limits it was given, and asks the search for
// moves. The package prints nothing, leaves the process alone and opens no file but an opening book;
// results and progress are returned or passed to a report function. README.md is about using it in
// other programs.
package brain

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"tengen/brain/about"
	"tengen/brain/blocks"
	"tengen/brain/board"
	"tengen/brain/book"
	"tengen/brain/database"
	"tengen/brain/eval"
	"tengen/brain/play"
	"tengen/brain/search"
	"tengen/brain/setup"
)

// The engine in the answer to ABOUT.
const (
	Name    = about.Name
	Version = about.Version
	Author  = about.Author
	Country = about.Country
)

// maxNotes limits the notes about options that wait for the next Thought.
const maxNotes = 4

// An Info is the progress of a search. Its PV may be kept.
type Info = search.Info

// Errors of a session.
var (
	ErrNoGame  = errors.New("no game has been started")
	ErrFull    = errors.New("the board is full")
	ErrBlocked = errors.New("every move is blocked")
	ErrOver    = board.ErrOver
)

// An Engine plays one game at a time for a manager. Methods must not be called
// concurrently, except that Set, Options, MostThreads and KeepTable may be called at any time. A
// method that takes a context returns soon after that ends.
type Engine struct {
	game          setup.Position
	width, height int          // of the board
	board         *board.Board // nil before a game

	blocks.Blocks // its methods are not called during a search

	config  Config
	search  play.AlphaBeta // its Pool is nil until a search needs it
	workers int
	table   int64      // bytes
	rule    board.Rule // of the last search

	rows      *play.Rows // nil until a search needs it
	rowsTable int64      // bytes

	heap, process int64  // bytes that LimitHeap was called with; 0 before that
	memoryWarning string // the last one about too little memory; empty if there was enough

	keepTable atomic.Bool        // over games; may change during a search
	database  *database.Database // nil for none

	seed  uint64 // of the random choices of a game at less than full strength
	fixed uint64 // the seed of every game; 0 for a new one each game

	mu      sync.Mutex // guards the fields below
	opts    Options
	book    *book.Book    // set by an option; nil for config.Book
	notes   []string      // for the next Thought
	used    time.Duration // time used in this game, less the increments
	since   time.Duration // the same since time_left was set
	leftSet time.Time     // when that was; zero for never

	threadsWarned bool // a note has said that thread_num is more than the machine's limit
}

// An Evaluation is what an engine values positions by.
type Evaluation = eval.Evaluation

// A Config holds what a program sets for its engine, as opposed to the options that a manager
// sets. The zero Config is usable.
type Config struct {
	Evaluation *Evaluation // nil for the embedded one

	// LimitHeap, if not nil, is called before the hash table is allocated, with the size in
	// bytes that the heap of the process may reach under the options of the manager, and what these
	// allow the process: the tables outside the heap, too. If free is true, what is garbage by then has
	// to be given back to the system: the network of another rule, in little memory. A move waits for the
	// call, so what takes milliseconds is better done by a goroutine.
	LimitHeap func(heap, process int64, free bool)

	// MostMemory limits the bytes that the process may take, whatever the manager allows; 0 for no
	// limit.
	MostMemory int64

	// MostThreads limits the workers of a search, whatever the manager asks for; 0 for no limit. Each
	// worker takes memory from the hash table, and workers beyond the number of processors only wait.
	MostThreads int

	Book *book.Book // the opening book; nil for the embedded one
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
// bad value is an error and changes nothing. Setting a rule builds the
// tables of that rule, in about 2 ms, and meanwhile loads its network if there is memory for
// both at once, since a move may be asked for next.
func (e *Engine) Set(key, value string) error {
	var read *book.Book
	if key == "book" {
		var err error
		if read, err = readBook(value); err != nil {
			return err
		}
	}
	e.mu.Lock()
	if err := e.opts.Set(key, value); err != nil {
		e.mu.Unlock()
		return err
	}
	if read != nil {
		e.book = read
	}
	if most := e.MostThreads(); e.opts.Threads > most {
		if e.opts.Threads = most; !e.threadsWarned {
			e.threadsWarned = true
			e.note(fmt.Sprintf("%s %.40s: using %d, the limit on this machine", key, value, most))
		}
	}
	if key == "time_left" {
		e.since, e.leftSet = 0, time.Now()
	}
	o := e.opts
	e.mu.Unlock()
	if key == "rule" {
		e.loadRule(o)
	}
	return nil
}

// readBook reads the book of a file. Errors are those of Engine.Set.
func readBook(name string) (*book.Book, error) {
	k, err := book.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("book: there is no file %q, the book stays", name)
	case err != nil:
		return nil, fmt.Errorf("book: %w, the book stays", err)
	}
	return k, nil
}

// note adds a note for the next Thought, unless there are many. e.mu must be held.
func (e *Engine) note(text string) {
	if len(e.notes) < maxNotes {
		e.notes = append(e.notes, text)
	}
}

// takeNotes returns the notes and removes them.
func (e *Engine) takeNotes() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	notes := e.notes
	e.notes = nil
	return notes
}

// loadRule builds the tables of the rule, and meanwhile loads its network if there is memory for both
// at once. A network for large boards is loaded by Prepare or the first search, which know the size.
func (e *Engine) loadRule(o Options) {
	var building sync.WaitGroup
	defer building.Wait()
	building.Go(func() { board.New(o.Rule, board.MinSize, board.MinSize) })
	if o.MaxMemory <= 0 || o.MaxMemory >= ampleMemory {
		e.config.Evaluation.Network(o.Rule, board.MinSize, board.MinSize)
	}
}

// MostThreads returns the greatest number of workers of a search.
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
	case o.Left != NoLimit:
		o.Left -= e.since
	case o.Match != NoLimit:
		o.Left = o.Match - e.used
	}
	return o
}

// spend adds the time from start to end, less the increment, to the time used. If the manager has set
// time_left meanwhile, only the time since then counts for it.
func (e *Engine) spend(start, end time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.used += end.Sub(start) - e.opts.Increment
	if start.Before(e.leftSet) {
		start = e.leftSet
	}
	e.since += end.Sub(start) - e.opts.Increment
}

// UseDatabase gives the engine a database of positions, nil for none. While INFO usedatabase
// is 1 it plays and searches by what is known there, and unless INFO database_readonly is 1
// it stores there what it finds.
func (e *Engine) UseDatabase(d *database.Database) { e.database = d }

// usesDatabase reports whether there is a database and the options allow its use.
func (e *Engine) usesDatabase(o Options) bool { return o.Database && e.database != nil }

// Seed makes games below full strength repeatable: from the next game on, the same moves get the same
// answers, unless a time limit decides. With 0, the default, every game has a seed of its own.
func (e *Engine) Seed(n uint64) { e.fixed = n }

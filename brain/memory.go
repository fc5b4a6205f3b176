package brain

import (
	"fmt"
	"strconv"
	"time"

	"tengen/brain/board"
	"tengen/brain/internal/mapped"
	"tengen/brain/nnue"
	"tengen/brain/play"
	"tengen/brain/search"
)

// Sizes in bytes for dividing the memory limit of the process.
const (
	defaultMemory = 350 << 20                     // assumed at least if the manager names none: the limit of Gomocup
	runtimeMemory = 44 << 20                      // program, runtime, pattern tables, the network of a rule
	workerMemory  = 2<<20 + nnue.AccumulatorBytes // left free for each worker: leastWorker with room
	minTable      = 1 << 20
	leastMemory   = 24 << 20                      // that suffices for one worker with the least table, measured 2026-11 with rules in turn
	leastWorker   = 7<<17 + nnue.AccumulatorBytes // ... and for each further one, measured 2026-11: boards, histories, stack, and sums of a network
	ampleMemory   = 64 << 20                      // that suffices for what loading throws away
	leastHeap     = 12 << 20                      // that the heap may have besides the table
	outsideHeap   = 6 << 20                       // program, tables for lines to show, and what the runtime frees late
	mostSolver    = 24 << 20                      // of the solver's tables, a multiple of solverStep
	solverStep    = 8 << 20                       // their size is rounded to this, since a solver of another size knows nothing
	leastSolver   = 6 << 20                       // smaller ones are useless
	mostRows      = 256 << 20                     // of the table of the search by rows
	databaseStep  = 32 << 20                      // the size of the database is rounded to this, since a hash table of another size is empty
)

// Parts of the memory limit. Set by hand 2026-11.
const (
	tableTenths = 6  // tenths that the table may take
	solverPart  = 16 // divisor: the solver's tables take 1/n
	rowsPart    = 8  // divisor: the table of the search by rows takes 1/n
	heapPercent = 85 // percent that the heap may take of what the tables outside it leave
)

// maxTable is the largest hash table; smaller on 32-bit systems.
const maxTable = 256<<20 + (64<<30)*(strconv.IntSize/64)

// memory returns the limit for the process in bytes. If the manager has set none, there is room for a
// table of hash_size.
func (o Options) memory() int64 {
	switch {
	case o.MaxMemory > 0:
		return o.MaxMemory
	case o.Hash > 0:
		return max(defaultMemory, min(o.Hash, maxTable)/tableTenths*10+runtimeMemory+o.searchers()*workerMemory)
	}
	return defaultMemory
}

// searchers returns how many searches have boards and sums of a network of their own: the workers, and
// the search by rows of a continuous game.
func (o Options) searchers() int64 {
	if o.Rule&board.Continuous != 0 {
		return int64(o.Threads) + 1
	}
	return int64(o.Threads)
}

// tableBytes returns the size of the table that keeps the whole process below
// o.MaxMemory: at most six tenths of it, and what the rest of the process needs left
// free. The least table is 1 MiB, also where that is too much.
func tableBytes(o Options) int64 {
	memory := o.memory()
	solver := solverMemory(o)
	if solver > 0 {
		solver += nnue.AccumulatorBytes // its guide
	}
	size := min(memory/10*tableTenths, memory-runtimeMemory-solver-rowsMemory(o)-o.searchers()*workerMemory, maxTable)
	if o.Hash > 0 {
		size = min(size, o.Hash)
	}
	return max(size, minTable)
}

// databaseMemory returns the size of a database, rounded to databaseStep.
func databaseMemory(bytes int64) int64 {
	return (bytes + databaseStep/2) / databaseStep * databaseStep
}

// allowed returns o with the memory that is left for all but the database, which takes taken
// bytes, if the system lets the process have most, 0 for no such limit; and a note for the user
// if that is too little for the least table, else "".
func (o Options) allowed(most, taken int64) (left Options, note string) {
	need := leastMemory + (o.searchers()-1)*leastWorker
	memory := o.memory()
	if most > 0 {
		memory = min(memory, most)
	}
	assumed := o.MaxMemory <= 0 && (most <= 0 || most > memory)
	switch {
	case memory-taken >= need, assumed && memory < need:
	case o.MaxMemory > 0 && o.MaxMemory < need:
		note = fmt.Sprintf("max_memory %d is too little: the engine needs up to %d", o.MaxMemory, need)
	case memory < need:
		note = fmt.Sprintf("the system leaves too little memory, %d MiB: the engine needs up to %d", most>>20, need>>20)
	default:
		note = fmt.Sprintf("the database leaves too little memory: it takes about %d MiB of %d", taken>>20, memory>>20)
	}
	o.MaxMemory = max(memory-taken, 1)
	return o, note
}

// solverMemory returns the size of the tables of the solver that a search has: a sixteenth of
// the memory, but none in little memory and below full strength.
func solverMemory(o Options) int64 {
	memory := o.memory()
	size := min(memory/solverPart, mostSolver)
	if size < leastSolver || o.weakened() {
		return 0
	}
	return (size + solverStep/2) / solverStep * solverStep
}

// rowsMemory returns the size of the table of the search by rows, which only continuous games
// have.
func rowsMemory(o Options) int64 {
	memory := o.memory()
	if o.Rule&board.Continuous == 0 {
		return 0
	}
	size := min(memory/rowsPart, mostRows)
	if o.Hash > 0 {
		size = min(size, o.Hash)
	}
	return size
}

// heapLimit returns the limit for the heap: less than what the tables outside the heap leave of the
// memory of the process, which has the program itself and pages that the runtime has not returned yet,
// too; but not so little that the garbage collector would never rest, where Options.allowed has noted
// that the memory does not suffice.
func heapLimit(o Options) int64 {
	tables, outside := int64(0), int64(0)
	for _, bytes := range []int64{tableBytes(o), rowsMemory(o), solverMemory(o)} {
		tables += bytes
		if mapped.Outside(bytes) {
			outside += bytes
		}
	}
	left := o.memory() - outside
	return max(min(left/100*heapPercent, left-outsideHeap), tables-outside+leastHeap+(o.searchers()-1)*leastWorker)
}

// resize gives the search the memory and the workers that the options ask for. It allocates no
// table, so that it takes no time to change the options before a search.
func (e *Engine) resize(o Options) {
	taken := int64(0)
	if e.database != nil {
		taken = databaseMemory(e.database.Bytes())
	}
	o, warning := o.allowed(e.config.MostMemory, taken)
	e.warnMemory(warning)
	bytes := tableBytes(o)
	scarce := o.memory() < ampleMemory
	anew := o.Rule != e.rule && scarce && !e.keepTable.Load()
	if e.search.Pool != nil && anew {
		e.search.Pool.Close()
		e.search.Pool = nil // and with it the network of the old rule, before the new one is loaded
	}
	if e.search.Pool != nil && bytes != e.table {
		e.search.Pool.Resize(e.workers, bytes)
	}
	e.resizeRows(rowsMemory(o), anew)
	// Freeing takes some milliseconds, and tens of them at times: other garbage stays until the collector
	// finds it.
	if limit, process := heapLimit(o)+taken, o.memory()+taken; limit != e.heap || process != e.process || anew {
		if e.heap, e.process = limit, process; e.config.LimitHeap != nil {
			e.config.LimitHeap(limit, process, anew)
		}
	}
	if e.search.Pool == nil {
		e.search.Pool = search.NewPool(e.config.Evaluation.New, search.DefaultParams(), o.Threads, bytes)
	} else if o.Threads != e.workers {
		e.search.Pool.Resize(o.Threads, bytes)
	}
	e.search.Pool.SetSolver(solverMemory(o))
	e.workers, e.table, e.rule = o.Threads, bytes, o.Rule
}

// resizeRows gives the search by rows a table of so many bytes, a new search if anew or without a table.
func (e *Engine) resizeRows(bytes int64, anew bool) {
	if bytes == e.rowsTable && e.rows != nil && !anew {
		return
	}
	if e.rows != nil && bytes > 0 && !anew {
		e.rows.Resize(bytes)
	} else {
		if e.rows != nil {
			e.rows.Close()
		}
		e.rows = play.NewRows(e.near(), e.config.Evaluation.New, bytes, e.noteStall)
	}
	e.rowsTable = bytes
}

// noteStall is search.Pool.NoteStall of the current pool.
func (e *Engine) noteStall(stall time.Duration) { e.search.Pool.NoteStall(stall) }

// warnMemory notes a warning about too little memory, unless it is empty or repeats the last one.
func (e *Engine) warnMemory(warning string) {
	if warning == e.memoryWarning {
		return
	}
	if e.memoryWarning = warning; warning != "" {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.note(warning)
	}
}

// Prepare loads what the first search of a game needs under the options in force, so that this does
// not count against a short time limit: all but the hash table, and the solver only if the manager has
// set a limit of memory. It takes about 10 ms. Without a game it does nothing.
func (e *Engine) Prepare() {
	o := e.Options()
	if e.ready(o.Rule) != nil {
		return
	}
	e.resize(o)
	e.search.Pool.Prepare(e.board)
	if o.MaxMemory > 0 { // else the manager may still set one, and the solver would be garbage
		e.search.Pool.PrepareSolver(e.board)
	}
	if o.Rule&board.Continuous != 0 {
		e.rows.Prepare(e.board)
	}
	e.openingBook()
}

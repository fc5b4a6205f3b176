package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/prover"
	"tengen/brain/record"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/query"
)

// Limits of queries.
const (
	mostQueries  = 10_000           // that wait for a thread; more are not read meanwhile
	leastMemory  = 50               // MiB of the engine of a query
	proverMemory = 128              // MiB of the solver that include asks for
	provingLimit = 10 * time.Second // of the solver if the query has no limit of time
)

// A request is a query that waits or runs.
type request struct {
	query.Query
	game   *game
	board  *board.Board // after the moves
	think  thinker
	number int // in the order of reading
}

// queries answers a stream of JSON objects and positions, a line each, several at a time.
type queries struct {
	*analyzer
	games  gameReader // for positions
	prover solverOf
	bad    bool // some query was

	mu      sync.Mutex
	change  *sync.Cond
	waiting []*request                      // the next first
	running map[*request]context.CancelFunc // by query
	last    int                             // number of the last one
	closed  bool                            // no more will come
	failure error                           // of standard output
}

// queries answers the queries of a stream, whose name is for errors.
func (a *analyzer) queries(in io.Reader, name string, games gameReader) error {
	q := &queries{analyzer: a, games: games, running: map[*request]context.CancelFunc{}}
	q.change = sync.NewCond(&q.mu)
	defer context.AfterFunc(a.ctx, q.stopAll)()
	threads := min(a.think.threads, brain.ThreadsFor(runtime.GOMAXPROCS(0)), a.think.memory/leastMemory)
	config := a.config
	config.LimitHeap = nil // for each of them alone
	if config.MostMemory > 0 {
		config.MostMemory /= int64(threads)
	}
	if a.config.LimitHeap != nil {
		memory := int64(a.think.memory) << 20
		a.config.LimitHeap(memory, memory, false)
	}
	var workers sync.WaitGroup
	for range threads {
		workers.Go(func() { q.work(brain.New(config), a.think.memory/threads) })
	}
	err := eachLine(in, name, q.line, nil)
	q.mu.Lock()
	q.closed = true
	q.change.Broadcast()
	q.mu.Unlock()
	workers.Wait()
	switch {
	case q.failure != nil:
		return q.failure
	case a.ctx.Err() != nil:
		return a.ctx.Err()
	case err != nil:
		return err
	case q.bad:
		return flags.ErrTold
	}
	return nil
}

// firstLine returns the first line of in that is neither empty nor a comment. What else it returns reads in
// from the beginning.
func firstLine(in io.Reader) (again io.Reader, line string) {
	lines := bufio.NewReaderSize(in, 1<<16)
	var before []byte
	for {
		line, err := lines.ReadSlice('\n')
		before = append(before, line...)
		text := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		if err == nil && (len(text) == 0 || text[0] == '#') {
			continue
		}
		return io.MultiReader(bytes.NewReader(before), lines), string(text)
	}
}

// line takes a query, a position or a stop.
func (q *queries) line(where, text string) error {
	refused := query.Error{Source: where}
	var list map[string]json.RawMessage
	var err error
	if isObject(text) {
		list, err = query.Fields(text)
	}
	switch {
	case err != nil:
	case list["source"] != nil && list["error"] != nil: // what the output says of a bad query
		q.setBad()
		return q.write(json.RawMessage(text))
	case list["stop"] != nil:
		if refused.Stop, err = query.StopOf(list); err == nil {
			err = q.stop(refused.Stop)
		}
	case list["ms"] != nil && list["update"] != nil: // its answer is in the output too
	default:
		var one *request
		if one, err = q.read(where, text, list); err == nil {
			err = q.put(one)
		}
		refused.ID = one.ID
	}
	if err != nil {
		return q.refuse(refused, err)
	}
	return q.ctx.Err()
}

// read reads a query, of which list has the fields, or a position. With an error the query has the id
// if that can be read.
func (q *queries) read(where, text string, list map[string]json.RawMessage) (*request, error) {
	one := &request{think: q.think}
	one.Lines, one.Limits = q.lines, q.think.Limits
	games := q.games
	read := func(text string) (query.Position, error) {
		g, err := games.text(text)
		if err != nil {
			return query.Position{}, err
		}
		one.game = g
		return query.Position{Rule: g.rule, Width: g.width, Height: g.height, Moves: g.moves}, nil
	}
	var err error
	if list == nil {
		one.Position, err = read(text)
	} else {
		err = one.Parse(list, &games.on, read)
	}
	if err != nil {
		return one, err
	}
	one.game.name, one.game.moves = where, one.Moves
	one.think.Limits = one.Limits
	return one, games.tell(one.game, func(*game) error {
		one.board, err = one.Board()
		return err
	})
}

// isObject reports whether a line is one of JSON.
func isObject(line string) bool { return strings.HasPrefix(line, "{") }

// refuse answers a bad query.
func (q *queries) refuse(e query.Error, err error) error {
	q.setBad()
	e.Error = flags.OneLine(err)
	return q.write(e)
}

func (q *queries) setBad() {
	q.mu.Lock()
	q.bad = true
	q.mu.Unlock()
}

// write writes a line. Only the first error counts: it ends everything.
func (q *queries) write(object any) error {
	var line bytes.Buffer
	if err := json.NewEncoder(&line).Encode(object); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, err := q.stdout.Write(line.Bytes()); err != nil && q.failure == nil {
		q.failure = fmt.Errorf("%w: %w", errOutput, err)
		q.clear()
	}
	return q.failure
}

// put adds a query to those that wait, in the order of their priorities. If too many wait it waits
// itself.
func (q *queries) put(one *request) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) >= mostQueries && q.ctx.Err() == nil {
		q.change.Wait()
	}
	if one.ID != nil && q.find(one.ID) != nil {
		return fmt.Errorf("id %s: a query of this id is not answered yet", one.ID)
	}
	q.last++
	one.number = q.last
	at, _ := slices.BinarySearchFunc(q.waiting, one, func(a, b *request) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.number, b.number))
	})
	q.waiting = slices.Insert(q.waiting, at, one)
	q.change.Broadcast()
	return nil
}

// find returns the query of that id that waits or runs, nil if there is none.
func (q *queries) find(id json.RawMessage) *request {
	for _, one := range q.waiting {
		if bytes.Equal(one.ID, id) {
			return one
		}
	}
	for one := range q.running {
		if bytes.Equal(one.ID, id) {
			return one
		}
	}
	return nil
}

// stop ends the query of that id: it is answered with what is known.
func (q *queries) stop(id json.RawMessage) error {
	q.mu.Lock()
	one := q.find(id)
	if one == nil {
		q.mu.Unlock()
		return fmt.Errorf("stop: no query of the id %s waits or runs", id)
	}
	if cancel := q.running[one]; cancel != nil {
		cancel()
		q.mu.Unlock()
		return nil
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(other *request) bool { return other == one })
	q.change.Broadcast()
	q.mu.Unlock()
	a := one.Answer(one.game.name, one.board)
	a.Interrupted = true
	return q.write(a)
}

// stopAll ends all queries after the end of the context.
func (q *queries) stopAll() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.clear()
}

// clear drops the queries that wait and ends those that run.
func (q *queries) clear() {
	q.waiting = nil
	for _, cancel := range q.running {
		cancel()
	}
	q.change.Broadcast()
}

// next waits for a query and returns it with its context, nil after the last.
func (q *queries) next() (*request, context.Context) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 {
		if q.closed || q.ctx.Err() != nil || q.failure != nil {
			return nil, nil
		}
		q.change.Wait()
	}
	one := q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1)
	ctx, cancel := context.WithCancel(q.ctx)
	q.running[one] = cancel
	q.change.Broadcast()
	return one, ctx
}

// work answers queries with one engine, which may take the given MiB.
func (q *queries) work(engine *brain.Engine, memory int) {
	for {
		one, ctx := q.next()
		if one == nil {
			return
		}
		one.think.engine, one.think.memory, one.think.stderr = engine, memory, q.stderr
		answer, err := q.search(ctx, one)
		q.mu.Lock()
		q.running[one]()
		delete(q.running, one)
		q.mu.Unlock()
		if err != nil {
			q.refuse(query.Error{ID: one.ID, Source: one.game.name}, err)
		} else {
			q.write(answer)
		}
	}
}

// search searches the position of a query and returns the answer.
func (q *queries) search(ctx context.Context, one *request) (*query.Answer, error) {
	g, e := one.game, one.think.engine
	a := one.Answer(g.name, one.board)
	if a.Over != "" {
		return a, nil
	}
	for _, m := range one.Blocked {
		for _, c := range []board.Color{board.Black, board.White} {
			e.BlockFor(c, m, true)
			defer e.BlockFor(c, m, false)
		}
	}
	if err := q.include(ctx, one, a); err != nil {
		return nil, err
	}
	var lines []brain.Info
	begun, due := time.Now(), time.Now().Add(one.Updates)
	f, err := one.think.analyze(ctx, g, g.moves, one.Lines, func(i brain.Info) {
		for len(lines) <= i.Line {
			lines = append(lines, brain.Info{})
		}
		lines[i.Line] = i
		if now := time.Now(); one.Updates > 0 && now.After(due) && !slices.ContainsFunc(lines, func(i brain.Info) bool { return len(i.PV) == 0 }) {
			due = now.Add(one.Updates)
			u := one.Answer(g.name, one.board)
			u.Update = true
			found{lines: lines, nodes: i.Nodes, elapsed: now.Sub(begun)}.addTo(&u.Analysis)
			q.write(u)
		}
	})
	if err != nil {
		return nil, err
	}
	f.addTo(&a.Analysis)
	a.Interrupted = ctx.Err() != nil
	return a, nil
}

// include adds to the answer what the query asks for besides lines.
func (q *queries) include(ctx context.Context, one *request, a *query.Answer) error {
	a.ByRules(&one.Query, one.board)
	if one.Includes["policy"] {
		if err := one.think.place(one.game, one.game.moves); err != nil {
			return err
		}
		list, err := one.think.engine.Policy()
		if err != nil {
			return err
		}
		for _, c := range list {
			a.AddShare(c.Move, c.Share)
		}
	}
	if one.Includes["solver"] {
		limit := provingLimit
		if one.Time > 0 {
			limit = one.Time
		}
		timed, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		var err error
		a.Solver, err = q.prover.solve(timed, one.game, q.config.LimitHeap, int64(q.think.memory+proverMemory)<<20)
		return err
	}
	return nil
}

// A solverOf proves wins for queries, one at a time.
type solverOf struct {
	mu       sync.Mutex
	solveRun // of the last one
	limited  bool
}

// solve looks for a win of the side to move, else for one of its opponent and what holds.
func (s *solverOf) solve(ctx context.Context, g *game, limitHeap func(heap, process int64, free bool), bytes int64) (*query.Solution, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.limited && limitHeap != nil {
		limitHeap(bytes, bytes, false)
	}
	s.limited = true
	if err := s.set(g); err != nil {
		return nil, err
	}
	a := &query.Solution{}
	if found := s.solveRun.prover.Win(ctx, prover.VCT); found.Win {
		a.Win = record.FormatMoves(found.Line)
		return a, nil
	}
	if found := s.solveRun.prover.Defend(ctx, prover.VCT); found.Win {
		holds := record.FormatMoves(found.Holds)
		a.Threat, a.Holds = record.FormatMoves(found.Line), &holds
	}
	return a, nil
}

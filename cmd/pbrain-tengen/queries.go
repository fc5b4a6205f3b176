package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
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
)

// Limits of queries.
const (
	mostQueries   = 10_000           // that wait for a thread; more are not read meanwhile
	leastMemory   = 50               // MiB of the engine of a query
	proverMemory  = 128              // MiB of the solver that include asks for
	updatesBeat   = time.Second      // between updates if the query does not say
	leastUpdates  = time.Millisecond // between updates
	provingLimit  = 10 * time.Second // of the solver if the query has no limit of time
	smallestShare = 0.001            // of a move of the policy that is listed
)

// queries answers a stream of JSON objects and positions, a line each, several at a time.
type queries struct {
	*analyzing
	games  gameReader // for positions
	prover solverOf
	bad    bool // some query was

	mu      sync.Mutex
	change  *sync.Cond
	waiting []*query                      // the next first
	running map[*query]context.CancelFunc // by query
	last    int                           // number of the last one
	closed  bool                          // no more will come
	failure error                         // of standard output
}

// queries answers the queries of a stream, whose name is for errors.
func (a *analyzing) queries(in io.Reader, name string, games gameReader) error {
	q := &queries{analyzing: a, games: games, running: map[*query]context.CancelFunc{}}
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

// beginsWithObject reports whether the first line of in that is neither empty nor a comment is an
// object. What it returns reads in from the beginning.
func beginsWithObject(in io.Reader) (again io.Reader, is bool) {
	lines := bufio.NewReaderSize(in, 1<<16)
	var before []byte
	for {
		line, err := lines.ReadSlice('\n')
		before = append(before, line...)
		text := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		if err == nil && (len(text) == 0 || text[0] == '#') {
			continue
		}
		return io.MultiReader(bytes.NewReader(before), lines), isObject(string(text)) && !record.IsAppJSON(string(text))
	}
}

// line takes a query, a position or a stop.
func (q *queries) line(where, text string) error {
	refused := errorJSON{Source: where}
	var list map[string]json.RawMessage
	var err error
	if isObject(text) {
		list, err = fields(text)
	}
	switch {
	case err != nil:
	case list["source"] != nil && list["error"] != nil: // what the output says of a bad query
		q.setBad()
		return q.write(json.RawMessage(text))
	case list["stop"] != nil:
		if refused.Stop, err = stopOf(list); err == nil {
			err = q.stop(refused.Stop)
		}
	case list["ms"] != nil && list["update"] != nil: // its answer is in the output too
	default:
		var one *query
		if one, err = q.read(where, text, list); err == nil {
			err = q.put(one)
		}
		refused.ID = one.id
	}
	if err != nil {
		return q.refuse(refused, err)
	}
	return q.ctx.Err()
}

// isObject reports whether a line is one of JSON.
func isObject(line string) bool { return strings.HasPrefix(line, "{") }

// An errorJSON is the answer to a bad query or a bad stop.
type errorJSON struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Stop   json.RawMessage `json:"stop,omitempty"`
	Source string          `json:"source"`
	Error  string          `json:"error"`
}

// refuse answers a bad query.
func (q *queries) refuse(e errorJSON, err error) error {
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
func (q *queries) put(one *query) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) >= mostQueries && q.ctx.Err() == nil {
		q.change.Wait()
	}
	if one.id != nil && q.find(one.id) != nil {
		return fmt.Errorf("id %s: a query of this id is not answered yet", one.id)
	}
	q.last++
	one.number = q.last
	at, _ := slices.BinarySearchFunc(q.waiting, one, func(a, b *query) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.number, b.number))
	})
	q.waiting = slices.Insert(q.waiting, at, one)
	q.change.Broadcast()
	return nil
}

// find returns the query of that id that waits or runs, nil if there is none.
func (q *queries) find(id json.RawMessage) *query {
	for _, one := range q.waiting {
		if bytes.Equal(one.id, id) {
			return one
		}
	}
	for one := range q.running {
		if bytes.Equal(one.id, id) {
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
	q.waiting = slices.DeleteFunc(q.waiting, func(other *query) bool { return other == one })
	q.change.Broadcast()
	q.mu.Unlock()
	return q.write(one.answer(found{}, true))
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
func (q *queries) next() (*query, context.Context) {
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
			q.refuse(errorJSON{ID: one.id, Source: one.game.name}, err)
		} else {
			q.write(answer)
		}
	}
}

// search searches the position of a query and returns the answer.
func (q *queries) search(ctx context.Context, one *query) (*answerJSON, error) {
	g, e := one.game, one.think.engine
	a := one.answer(found{}, false)
	if a.Over != "" {
		return a, nil
	}
	for _, m := range one.blocked {
		for _, c := range []board.Color{board.Black, board.White} {
			e.BlockFor(c, m, true)
			defer e.BlockFor(c, m, false)
		}
	}
	if err := q.include(ctx, one, a); err != nil {
		return nil, err
	}
	var lines []brain.Info
	begun, due := time.Now(), time.Now().Add(one.updates)
	f, err := one.think.analyze(ctx, g, g.moves, one.lines, func(i brain.Info) {
		for len(lines) <= i.Line {
			lines = append(lines, brain.Info{})
		}
		lines[i.Line] = i
		if now := time.Now(); one.updates > 0 && now.After(due) && !slices.ContainsFunc(lines, func(i brain.Info) bool { return len(i.PV) == 0 }) {
			due = now.Add(one.updates)
			u := one.answer(found{lines: lines, nodes: i.Nodes, elapsed: now.Sub(begun)}, false)
			u.Update = true
			q.write(u)
		}
	})
	if err != nil {
		return nil, err
	}
	a.analysisJSON = newAnalysis(g, one.board, "", f, ctx.Err() != nil)
	return a, nil
}

// An answerJSON is the answer to a query.
type answerJSON struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Update bool            `json:"update,omitempty"`
	analysisJSON
	Blocked   string        `json:"blocked,omitempty"`
	Policy    []policyJSON  `json:"policy,omitempty"`
	Threats   *threatsJSON  `json:"threats,omitempty"`
	Forbidden *string       `json:"forbidden,omitempty"`
	Solver    *solutionJSON `json:"solver,omitempty"`
}

type policyJSON struct {
	Move  string  `json:"move"`
	Share float64 `json:"share"`
}

// A threatsJSON says by cells what a stone of each side would make there.
type threatsJSON struct {
	Black map[string]string `json:"black"`
	White map[string]string `json:"white"`
}

type solutionJSON struct {
	Win    string  `json:"win"`
	Threat string  `json:"threat"`
	Holds  *string `json:"holds,omitempty"`
}

// answer returns the answer with what was found.
func (one *query) answer(f found, interrupted bool) *answerJSON {
	over := ""
	if v, winner := one.board.Verdict(); v != board.Unfinished {
		over = overText(winner)
	}
	return &answerJSON{ID: one.id, analysisJSON: newAnalysis(one.game, one.board, over, f, interrupted), Blocked: record.FormatMoves(one.blocked)}
}

// include adds to the answer what the query asks for besides lines.
func (q *queries) include(ctx context.Context, one *query, a *answerJSON) error {
	b := one.board
	if one.includes["forbidden"] {
		text := record.FormatMoves(cells(b, b.Forbidden))
		a.Forbidden = &text
	}
	if one.includes["threats"] {
		a.Threats = &threatsJSON{made(b, board.Black), made(b, board.White)}
	}
	if one.includes["policy"] {
		if err := one.think.place(one.game, one.game.moves); err != nil {
			return err
		}
		list, err := one.think.engine.Policy()
		if err != nil {
			return err
		}
		for _, c := range list {
			if c.Share >= smallestShare {
				a.Policy = append(a.Policy, policyJSON{c.Move.String(), math.Round(c.Share*1e4) / 1e4})
			}
		}
	}
	if one.includes["solver"] {
		limit := provingLimit
		if one.think.limit > 0 {
			limit = one.think.limit
		}
		timed, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		var err error
		a.Solver, err = q.prover.solve(timed, one.game, q.config.LimitHeap, int64(q.think.memory+proverMemory)<<20)
		return err
	}
	return nil
}

// cells lists the empty cells of which is is true.
func cells(b *board.Board, is func(board.Move) bool) []board.Move {
	return slices.DeleteFunc(b.Open().Append(nil), func(m board.Move) bool { return !is(m) })
}

// classNames are the names of what a stone makes, from the three on.
var classNames = map[board.Class]string{
	board.MakesThree: "three", board.MakesThreeTwo: "three", board.MakesTwoThrees: "double-three",
	board.MakesFour: "four", board.MakesFourPlus: "four", board.MakesFourThree: "four-three",
	board.MakesOpenFour: "open-four", board.MakesFive: "five",
}

// made returns by cells what a stone of color c would make there.
func made(b *board.Board, c board.Color) map[string]string {
	list := map[string]string{}
	for _, m := range b.Open().Append(nil) {
		if name := classNames[b.Class(c, m)]; name != "" {
			list[m.String()] = name
		}
	}
	return list
}

// A solverOf proves wins for queries, one at a time.
type solverOf struct {
	mu      sync.Mutex
	solving // of the last one
	limited bool
}

// solve looks for a win of the side to move, else for one of its opponent and what holds.
func (s *solverOf) solve(ctx context.Context, g *game, limitHeap func(heap, process int64, free bool), bytes int64) (*solutionJSON, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.limited && limitHeap != nil {
		limitHeap(bytes, bytes, false)
	}
	s.limited = true
	if err := s.set(g); err != nil {
		return nil, err
	}
	a := &solutionJSON{}
	if found := s.solving.prover.Win(ctx, prover.VCT); found.Win {
		a.Win = record.FormatMoves(found.Line)
		return a, nil
	}
	if found := s.solving.prover.Defend(ctx, prover.VCT); found.Win {
		holds := record.FormatMoves(found.Holds)
		a.Threat, a.Holds = record.FormatMoves(found.Line), &holds
	}
	return a, nil
}

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/review"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/query"
)

// Queries of programs, which are no page: the objects of the command analyze -json. API.md describes
// them.
const (
	apiPath     = "/v1/analyze"
	apiSource   = "request"        // source in answers
	apiTime     = 5 * time.Second  // of a query without limits
	apiSolver   = 10 * time.Second // of the solver without a limit of time
	mostQueries = 16               // queries of a computer at a time
)

// queries are those that wait or run.
type queries struct {
	mu   sync.Mutex
	list map[string][]*pendingQuery // by computer
}

// A pendingQuery is a query that waits or runs.
type pendingQuery struct {
	id    string // as it is written, "" for none
	hurry chan struct{}
	once  sync.Once
	ended bool // by a stop
}

// add adds a query of a computer.
func (q *queries) add(from, id string) (*pendingQuery, *fault) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list[from]) >= mostQueries {
		return nil, &fault{429, "rate", fmt.Sprintf("more than %d queries at a time", mostQueries)}
	}
	if id != "" && q.find(from, id) != nil {
		return nil, bad("id", "id %s: a query of this id is not answered yet", id)
	}
	p := &pendingQuery{id: id, hurry: make(chan struct{})}
	if q.list == nil {
		q.list = map[string][]*pendingQuery{}
	}
	q.list[from] = append(q.list[from], p)
	return p, nil
}

// find returns the query of that id, nil if there is none. The lock must be held.
func (q *queries) find(from, id string) *pendingQuery {
	if i := slices.IndexFunc(q.list[from], func(p *pendingQuery) bool { return p.id == id }); i >= 0 {
		return q.list[from][i]
	}
	return nil
}

// remove removes a query that is answered.
func (q *queries) remove(from string, p *pendingQuery) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list[from] = slices.DeleteFunc(q.list[from], func(other *pendingQuery) bool { return other == p })
	if len(q.list[from]) == 0 {
		delete(q.list, from)
	}
}

// stop ends the query of that id: it is answered with what is known.
func (q *queries) stop(from, id string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	p := q.find(from, id)
	if p != nil {
		p.ended = true
		p.end()
	}
	return p != nil
}

// end lets the search answer with what is known.
func (p *pendingQuery) end() { p.once.Do(func() { close(p.hurry) }) }

// stopped reports whether a stop has ended it.
func (q *queries) stopped(p *pendingQuery) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return p.ended
}

// computerOf names the computer of a request, as a page is named by its game.
func computerOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	sum := sha256.Sum256([]byte(host))
	return "computer-" + hex.EncodeToString(sum[:8])
}

// query answers a query of a program, or a stop.
func (s *server) query(w http.ResponseWriter, r *http.Request) {
	refused := query.Error{Source: apiSource}
	refuse := func(f *fault) {
		refused.Error = f.Text
		s.limitReply(w)
		reply(w, max(f.status, 400), refused)
	}
	from := computerOf(r)
	raw, f := body(w, r, "application/json", maxBody)
	if f == nil {
		f = s.games.enter(from)
	}
	var list map[string]json.RawMessage
	if f == nil {
		var err error
		if list, err = query.Fields(string(bytes.TrimSpace(raw))); err != nil {
			f = bad("request", "%s", flags.OneLine(err))
		}
	}
	if f != nil {
		refuse(f)
		return
	}
	if list["stop"] != nil {
		id, err := query.StopOf(list)
		refused.Stop = id
		switch {
		case err != nil:
			refuse(bad("request", "%s", flags.OneLine(err)))
		case !s.queries.stop(from, string(id)):
			refuse(&fault{404, "id", fmt.Sprintf("stop: no query of the id %s waits or runs", id)})
		default:
			answer(w, map[string]json.RawMessage{"stop": id})
		}
		return
	}
	q, b, err := readQuery(list)
	refused.ID = q.ID
	if err != nil {
		refuse(bad("request", "%s", flags.OneLine(err)))
		return
	}
	pending, f := s.queries.add(from, string(q.ID))
	if f != nil {
		refuse(f)
		return
	}
	defer s.queries.remove(from, pending)
	s.answerQuery(w, r, q, b, &queryRun{s: s, from: from, pending: pending}, refuse)
}

// readQuery reads the fields of a query.
func readQuery(list map[string]json.RawMessage) (*query.Query, *board.Board, error) {
	q := &query.Query{Lines: 1, Limits: query.Limits{Time: apiTime}}
	on := flags.Board{Width: 15, Height: 15}
	err := q.Parse(list, &on, func(text string) (query.Position, error) { return readPosition(text, &on) })
	if err != nil {
		return q, nil, err
	}
	if q.Lines > maxLines {
		return q, nil, fmt.Errorf("multipv: want 1 to %d", maxLines)
	}
	b, err := q.Board()
	return q, b, err
}

// readPosition reads the moves of a query.
func readPosition(text string, on *flags.Board) (query.Position, error) {
	p := query.Position{Rule: on.Rule, Width: on.Width, Height: on.Height}
	if text == query.EmptyBoard {
		return p, nil
	}
	if record.Detect([]byte(text)) == record.UnknownFormat {
		return p, errors.New("want moves as in h8i9j7")
	}
	trees, err := record.Read([]byte(text), record.Reading{Rule: on.Rule, Width: on.Width, Height: on.Height})
	switch {
	case err != nil:
		return p, err
	case len(trees) != 1:
		return p, fmt.Errorf("games: %d, want one", len(trees))
	case len(trees[0].Remarks) > 0:
		return p, errors.New(trees[0].Remarks[0])
	case trees[0].Rule&board.Continuous != 0:
		return p, errors.New("continuous games are not analyzed")
	}
	g, err := trees[0].Game()
	if err != nil {
		return p, err
	}
	return query.Position{Rule: trees[0].Rule, Width: trees[0].Width, Height: trees[0].Height, Moves: g.Moves}, nil
}

// A queryRun is a query that is being answered.
type queryRun struct {
	s       *server
	from    string
	pending *pendingQuery
	begun   time.Time // when an engine began, zero before
	lines   []report
}

// answerQuery answers a query by one object, after updates if it asks for them.
func (s *server) answerQuery(w http.ResponseWriter, r *http.Request, q *query.Query, b *board.Board, run *queryRun, refuse func(*fault)) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	out := http.NewResponseController(w)
	out.SetReadDeadline(time.Time{}) // reading on detects that the program has gone
	streams := false
	say := func(v any) {
		if !streams {
			w.Header().Set("Content-Type", "application/x-ndjson")
			w.Header().Set("Cache-Control", "no-store")
			streams = true
		}
		out.SetWriteDeadline(time.Now().Add(writeTime))
		if json.NewEncoder(w).Encode(v) != nil || out.Flush() != nil {
			cancel()
		}
	}
	a := q.Answer(apiSource, b)
	var f *fault
	if a.Over == "" {
		a.ByRules(q, b)
		if f = s.include(ctx, q, a); f == nil {
			f = run.search(ctx, q, b, a, say)
		}
	}
	switch {
	case f != nil && streams:
		say(query.Error{ID: q.ID, Source: apiSource, Error: f.Text})
	case f != nil:
		refuse(f)
	case streams:
		say(a)
	default:
		s.limitReply(w)
		answer(w, a)
	}
}

// include adds what a query includes that neither the rules nor a search know.
func (s *server) include(ctx context.Context, q *query.Query, a *query.Answer) *fault {
	if !q.Includes["policy"] && !q.Includes["solver"] {
		return nil
	}
	l, err := s.pool.enter(ctx, forAnalysis, 1, func(int) {})
	if err != nil {
		return s.refused(err)
	}
	defer s.pool.leave(l, nil)
	s.pool.hold(l)
	if q.Includes["policy"] {
		if err := eachShare(q.Rule, q.Width, q.Height, q.Moves, a.AddShare); err != nil {
			return bad("request", "policy: %v", err)
		}
	}
	if !q.Includes["solver"] {
		return nil
	}
	limit := apiSolver
	if q.Time > 0 {
		limit = min(q.Time, solveLimit)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	p := &position{Width: q.Width, Height: q.Height, Rule: q.Rule}
	solver, f := s.solvers.get(p, q.Moves)
	if f != nil {
		return f
	}
	defer s.solvers.put(p, solver)
	a.Solver = &query.Solution{}
	if found := solver.Win(ctx, anyThreat); found.Win {
		a.Solver.Win = record.FormatMoves(found.Line)
	} else if found := solver.Defend(ctx, anyThreat); found.Win {
		holds := record.FormatMoves(found.Holds)
		a.Solver.Threat, a.Solver.Holds = record.FormatMoves(found.Line), &holds
	}
	return nil
}

// search searches the position of a query and adds what is found to its answer.
func (run *queryRun) search(ctx context.Context, q *query.Query, b *board.Board, a *query.Answer, say func(any)) *fault {
	s := run.s
	o := &order{
		Game: run.from, Engine: s.pool.builtIn(), Strength: fullStrength, Lines: q.Lines,
		position: position{Width: q.Width, Height: q.Height, Rule: q.Rule},
		search:   search{rank: forAnalysis, threads: 1, endless: true, depth: q.Depth, nodes: min(q.Nodes, manyNodes), blocked: q.Blocked},
	}
	var due time.Time
	var limit *time.Timer
	end := s.pool.execute(ctx, o, b, q.Moves, run.pending.hurry, func(e event) {
		if e.Wait != nil {
			return
		}
		if run.begun.IsZero() {
			run.begun = time.Now()
			due = run.begun.Add(q.Updates)
			if q.Time > 0 {
				limit = time.AfterFunc(q.Time, run.pending.end)
			}
		}
		if e.Report == nil || !run.take(e.Report) || q.Updates == 0 || time.Now().Before(due) {
			return
		}
		due = time.Now().Add(q.Updates)
		u := q.Answer(apiSource, b)
		u.Update = true
		run.addTo(u, b)
		say(u)
	})
	if limit != nil {
		limit.Stop()
	}
	if end.fault != nil {
		return end.fault
	}
	if e := end.Report; e != nil && e.PV != "" {
		e.Line = 1
		run.take(e)
	}
	if len(run.lines) == 0 || !strings.HasPrefix(run.lines[0].PV, end.Moves) {
		run.lines = []report{{Line: 1, PV: end.Moves}}
	}
	run.addTo(a, b)
	a.Interrupted = s.queries.stopped(run.pending)
	return nil
}

// take keeps the report of a line, and says whether there is one of each line so far.
func (run *queryRun) take(r *report) bool {
	if r.Line < 1 || r.PV == "" {
		return false
	}
	for len(run.lines) < r.Line {
		run.lines = append(run.lines, report{})
	}
	run.lines[r.Line-1] = *r
	return !slices.ContainsFunc(run.lines, func(r report) bool { return r.PV == "" })
}

// addTo adds the lines to an answer.
func (run *queryRun) addTo(a *query.Answer, b *board.Board) {
	if !run.begun.IsZero() {
		a.Ms = time.Since(run.begun).Milliseconds()
	}
	for _, r := range run.lines {
		if moves, err := board.ParseMoves(r.PV, b.Width(), b.Height()); err == nil && len(moves) > 0 {
			a.Add(moves, r.Depth, r.Deep, review.NewScore(r.Score, r.Mate))
			a.Nodes = max(a.Nodes, r.Nodes)
		}
	}
}

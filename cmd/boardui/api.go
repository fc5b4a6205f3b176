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
	apiPath   = "/v1/analyze"
	apiSource = "request"        // source in answers
	apiTime   = 5 * time.Second  // of a query without limits
	apiSolver = 10 * time.Second // of the solver without a limit of time
	mostAsked = 16               // queries of a computer at a time
)

// asked are the queries that wait or run.
type asked struct {
	mu   sync.Mutex
	list map[string][]*askedOne // by computer
}

// An askedOne is a query that waits or runs.
type askedOne struct {
	id    string // as it is written, "" for none
	hurry chan struct{}
	once  sync.Once
	ended bool // by a stop
}

// add adds a query of a computer.
func (a *asked) add(from, id string) (*askedOne, *fault) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.list[from]) >= mostAsked {
		return nil, &fault{429, "rate", fmt.Sprintf("more than %d queries at a time", mostAsked)}
	}
	if id != "" && a.find(from, id) != nil {
		return nil, bad("id", "id %s: a query of this id is not answered yet", id)
	}
	one := &askedOne{id: id, hurry: make(chan struct{})}
	if a.list == nil {
		a.list = map[string][]*askedOne{}
	}
	a.list[from] = append(a.list[from], one)
	return one, nil
}

// find returns the query of that id, nil if there is none. The lock must be held.
func (a *asked) find(from, id string) *askedOne {
	if i := slices.IndexFunc(a.list[from], func(one *askedOne) bool { return one.id == id }); i >= 0 {
		return a.list[from][i]
	}
	return nil
}

// remove removes a query that is answered.
func (a *asked) remove(from string, one *askedOne) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list[from] = slices.DeleteFunc(a.list[from], func(other *askedOne) bool { return other == one })
	if len(a.list[from]) == 0 {
		delete(a.list, from)
	}
}

// stop ends the query of that id: it is answered with what is known.
func (a *asked) stop(from, id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	one := a.find(from, id)
	if one != nil {
		one.ended = true
		one.end()
	}
	return one != nil
}

// end lets the search answer with what is known.
func (one *askedOne) end() { one.once.Do(func() { close(one.hurry) }) }

// stopped reports whether a stop has ended it.
func (a *asked) stopped(one *askedOne) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return one.ended
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
		case !s.asked.stop(from, string(id)):
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
	one, f := s.asked.add(from, string(q.ID))
	if f != nil {
		refuse(f)
		return
	}
	defer s.asked.remove(from, one)
	s.answerQuery(w, r, q, b, &queried{s: s, from: from, one: one}, refuse)
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

// A queried is a query that is being answered.
type queried struct {
	s     *server
	from  string
	one   *askedOne
	begun time.Time // when an engine began, zero before
	lines []report
}

// answerQuery answers a query by one object, after updates if it asks for them.
func (s *server) answerQuery(w http.ResponseWriter, r *http.Request, q *query.Query, b *board.Board, run *queried, refuse func(*fault)) {
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
func (run *queried) search(ctx context.Context, q *query.Query, b *board.Board, a *query.Answer, say func(any)) *fault {
	s := run.s
	o := &order{
		Game: run.from, Engine: s.pool.builtIn(), Strength: fullStrength, Lines: q.Lines,
		position: position{Width: q.Width, Height: q.Height, Rule: q.Rule},
		search:   search{rank: forAnalysis, threads: 1, endless: true, depth: q.Depth, nodes: min(q.Nodes, manyNodes), blocked: q.Blocked},
	}
	var due time.Time
	var limit *time.Timer
	end := s.pool.carry(ctx, o, b, q.Moves, run.one.hurry, func(e event) {
		if e.Wait != nil {
			return
		}
		if run.begun.IsZero() {
			run.begun = time.Now()
			due = run.begun.Add(q.Updates)
			if q.Time > 0 {
				limit = time.AfterFunc(q.Time, run.one.end)
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
	a.Interrupted = s.asked.stopped(run.one)
	return nil
}

// take keeps the report of a line, and says whether there is one of each line so far.
func (run *queried) take(r *report) bool {
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
func (run *queried) addTo(a *query.Answer, b *board.Board) {
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

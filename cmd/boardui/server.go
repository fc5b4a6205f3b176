package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"tengen/brain/board"
)

const (
	maxBody   = 16 << 10         // bytes of a request
	maxFile   = 4 << 20          // bytes of a file of games
	maxInside = 1024             // requests at the same time
	writeTime = 10 * time.Second // for writing a line of a stream
	replyTime = time.Minute      // for writing any other reply, from the request on

	saveMinutes = 5 // between two saves of what the engine has found
)

// A server serves the page and answers its requests.
type server struct {
	pool     *pool
	games    *games
	setup    string   // see setupOf
	urls     []string // of the page, for other computers in the network
	name     string   // host in -addr, if it is a name
	start    string   // when it was made, see startHeader
	inside   chan struct{}
	solvers  solvers
	queries  queries
	explorer *explorer

	replyTime   time.Duration // see replyTime
	openingTime time.Duration // see openingTime
	balanceTime time.Duration // see balanceTime

	ending sync.Once
	ended  chan struct{} // closed when a page has asked the program to end
}

func newServer(p *pool, addr string) *server {
	host, _, err := net.SplitHostPort(addr)
	if err != nil || net.ParseIP(host) != nil {
		host = ""
	}
	return &server{
		pool: p, games: newGames(maxGames, time.Now), name: host, start: strconv.FormatInt(time.Now().UnixMicro(), 36),
		inside: make(chan struct{}, maxInside), explorer: p.explorer, replyTime: replyTime, openingTime: openingTime, balanceTime: balanceTime, ended: make(chan struct{}),
	}
}

// answers returns what answers the requests of the page.
func (s *server) answers() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/about", s.about)
	mux.HandleFunc("POST /api/look", s.look)
	mux.HandleFunc("POST /api/think", s.think)
	mux.HandleFunc("POST /api/analyze", s.analyze)
	mux.HandleFunc("POST /api/hurry", s.hurry)
	mux.HandleFunc("POST /api/review", s.review)
	mux.HandleFunc("POST /api/judge", s.judge)
	mux.HandleFunc("POST /api/puzzles", s.listPuzzles)
	mux.HandleFunc("POST /api/attempt", s.attempt)
	mux.HandleFunc("POST /api/explore", s.explore)
	mux.HandleFunc("POST /api/feed", s.feed)
	mux.HandleFunc("POST /api/opening", s.opening)
	mux.HandleFunc("POST /api/solve", s.solve)
	mux.HandleFunc("POST /api/open", s.open)
	mux.HandleFunc("POST /api/save", s.save)
	return mux
}

// maintain does periodic work until ctx ends.
func (s *server) maintain(ctx context.Context) {
	s.pool.warm(ctx)
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for minute := 1; ; minute++ {
		select {
		case now := <-tick.C:
			s.games.sweep()
			s.pool.trim(now)
			s.solvers.trim(now)
			if minute%saveMinutes == 0 {
				s.explorer.save() // what fails now is tried again later
			}
		case <-ctx.Done():
			return
		}
	}
}

// answer answers a request with v, and answerFault with a fault, as JSON.
func answer(w http.ResponseWriter, v any)         { reply(w, http.StatusOK, v) }
func answerFault(w http.ResponseWriter, f *fault) { reply(w, f.status, f) }

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) // an error means that the page has gone
}

// body returns the body of a request, which has to be of a type.
func body(w http.ResponseWriter, r *http.Request, kind string, limit int64) ([]byte, *fault) {
	if got, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); strings.TrimSpace(got) != kind {
		return nil, &fault{415, "request", "the request is not " + kind}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err != nil {
		if big := (*http.MaxBytesError)(nil); errors.As(err, &big) {
			return nil, &fault{413, "big", fmt.Sprintf("a request may have at most %d bytes", limit)}
		}
		return nil, bad("request", "the request is not complete")
	}
	return body, nil
}

// read decodes the JSON body of a request.
func read(w http.ResponseWriter, r *http.Request, limit int64, v any) *fault {
	body, f := body(w, r, "application/json", limit)
	if f != nil {
		return f
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return bad("request", "%v", err)
	}
	if d.More() {
		return bad("request", "data after the request")
	}
	return nil
}

// accept decodes a request into v and counts it for the page that id, a field of v, names.
// If that is a fault, accept answers it and returns false.
func (s *server) accept(w http.ResponseWriter, r *http.Request, limit int64, v any, id *string) bool {
	f := read(w, r, limit, v)
	if f == nil {
		f = s.games.enter(*id)
	}
	if f != nil {
		answerFault(w, f)
	}
	return f == nil
}

// refused returns the fault of the built-in engine, or of the queue before it, after an error.
func (s *server) refused(err error) *fault { return s.pool.failed(s.pool.builtIn(), err).fault }

// limitReply gives the reply to a request so much time from now on: a client that asks and does
// not read must not keep its place for ever. A stream limits each of its lines.
func (s *server) limitReply(w http.ResponseWriter) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.replyTime))
}

// about answers the engines and limits of the server.
func (s *server) about(w http.ResponseWriter, r *http.Request) {
	type engine struct {
		Name string `json:"name"`
		ID   string `json:"id"`  // of its command
		Own  bool   `json:"own"` // can report several lines and move at once
	}
	var a struct {
		Version  string   `json:"version"` // of the program, with its name
		Engines  []engine `json:"engines"`
		Threads  int      `json:"threads"`         // of a search
		MaxLines int      `json:"maxLines"`        // of an analysis
		Memory   int64    `json:"memory"`          // MiB of each engine
		Local    bool     `json:"local"`           // the page may end the program
		Web      bool     `json:"web"`             // the engines run in the page
		Setup    string   `json:"setup,omitempty"` // for a program that asks whether this one is as good
	}
	for i, e := range s.pool.specs {
		sum := sha256.Sum256([]byte(e.command))
		a.Engines = append(a.Engines, engine{s.pool.label(i), hex.EncodeToString(sum[:4]), e.own})
	}
	a.Version = engineName + " " + engineVersion
	a.Threads, a.MaxLines, a.Memory, a.Local, a.Web = s.pool.most, maxLines, s.pool.memory>>20, local(r), s.pool.web
	if a.Local {
		a.Setup = s.setup
	}
	answer(w, a)
}

// look answers the look of a position.
func (s *server) look(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Game string `json:"game"`
		position
		Threats bool `json:"threats"`
	}
	if !s.accept(w, r, maxBody, &q, &q.Game) {
		return
	}
	l, f := q.show(q.Threats)
	if f != nil {
		answerFault(w, f)
		return
	}
	answer(w, l)
}

// think answers an order with a stream of events, one JSON object a line.
func (s *server) think(w http.ResponseWriter, r *http.Request) {
	var o order
	f := read(w, r, maxBody, &o)
	if f == nil {
		f = o.check(len(s.pool.specs))
	}
	if f != nil {
		answerFault(w, f)
		return
	}
	if o.Score {
		o.rank, o.nodes = forReview, scoreNodes
	}
	s.stream(w, r, o.Game, func(ctx context.Context, hurry <-chan struct{}, say func(any)) (any, *fault) {
		b, moves, f := o.set()
		if f == nil {
			f = o.possible(b)
		}
		if f != nil {
			return nil, f
		}
		return s.pool.execute(ctx, &o, b, moves, hurry, func(e event) { say(e) }), nil
	})
}

// possible returns a fault if an engine can have no answer.
func (o *order) possible(b *board.Board) *fault {
	if see(b, false).Over != "" {
		return bad("over", "the game is over")
	}
	if n := b.Ply(); o.Swap2 && n != 0 && n != 3 && n != 5 {
		return bad("swap2", "swap2 asks with 0, 3 or 5 stones on the board, not %d", n)
	}
	return nil
}

// hurry ends the search for a page with its answer.
func (s *server) hurry(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Game string `json:"game"`
	}
	if !s.accept(w, r, maxBody, &q, &q.Game) {
		return
	}
	s.games.hurry(q.Game)
	answer(w, struct{}{})
}

// local reports whether the request comes from this machine.
func local(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback()
}

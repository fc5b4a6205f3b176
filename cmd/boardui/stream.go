package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// turnHeader has a number that grows with the requests of a page: two that it makes shortly one after
// the other may arrive in either order.
const turnHeader = "Tengen-Turn"

// stream answers a request of page id by a stream of values, one JSON object a line: those
// that work says and then the one that it returns. A new stream of the same id ends the one
// that runs, if the page has not asked for it before. A fault of work is for what it finds wrong before
// it has said anything.
func (s *server) stream(w http.ResponseWriter, r *http.Request, id string, work func(ctx context.Context, hurry <-chan struct{}, say func(any)) (any, *fault)) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	turn, _ := strconv.ParseInt(r.Header.Get(turnHeader), 10, 64)
	j, f := s.games.begin(id, turn, cancel)
	if f != nil {
		answerFault(w, f)
		return
	}
	defer s.games.end(id, j)
	out := http.NewResponseController(w)
	out.SetReadDeadline(time.Time{}) // reading on detects that the page has gone
	encode := json.NewEncoder(w)
	begun := false
	say := func(v any) {
		if !begun {
			w.Header().Set("Content-Type", "application/x-ndjson")
			w.Header().Set("Cache-Control", "no-store")
			begun = true
		}
		out.SetWriteDeadline(time.Now().Add(writeTime))
		if encode.Encode(v) != nil || out.Flush() != nil {
			cancel()
		}
	}
	last, f := work(ctx, j.hurry, say)
	if f != nil {
		s.limitReply(w) // it may have waited
		answerFault(w, f)
		return
	}
	say(last)
}

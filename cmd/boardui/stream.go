package main

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// stream answers a request of page id by a stream of values, one JSON object a line: those
// that work says and then the one that it returns. A new stream of the same id ends the one
// that runs. A fault of work is for what it finds wrong before it has said anything.
func (s *server) stream(w http.ResponseWriter, r *http.Request, id string, work func(ctx context.Context, hurry <-chan struct{}, say func(any)) (any, *fault)) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	j, f := s.games.begin(id, cancel)
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

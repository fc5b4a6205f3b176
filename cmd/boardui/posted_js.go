package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"sync"
	"syscall/js"
)

// The page posts its requests to the worker instead of sending them to a server, by web.js:
//
//	{id, method, path, headers, body}    a request; headers are [name, value] pairs
//	{id, abort: true}                    the page does not want the answer any more
//
// and gets each answer in parts:
//
//	{id, status, headers}                its beginning
//	{id, part}                           bytes
//	{id, end: true}

// servePosted answers the requests of the page by h from now on.
func servePosted(h http.Handler) {
	var mu sync.Mutex
	running := map[int]context.CancelFunc{}
	onMessages(func(message js.Value) {
		id := message.Get("id").Int()
		if message.Get("abort").Truthy() {
			mu.Lock()
			defer mu.Unlock()
			if cancel := running[id]; cancel != nil {
				cancel()
			}
			return
		}
		ctx, cancel := context.WithCancel(context.Background())
		mu.Lock()
		running[id] = cancel
		mu.Unlock()
		r := newRequest(ctx, message)
		go func() { // a callback of JavaScript must not wait
			defer func() {
				cancel()
				mu.Lock()
				delete(running, id)
				mu.Unlock()
			}()
			answerPosted(h, id, r)
		}()
	})
}

// newRequest returns the request that a message holds.
func newRequest(ctx context.Context, message js.Value) *http.Request {
	var body []byte
	if data := message.Get("body"); data.Truthy() {
		body = bytesOf(data)
	}
	r, err := http.NewRequestWithContext(ctx, message.Get("method").String(), message.Get("path").String(), bytes.NewReader(body))
	if err != nil {
		panic(err) // web.js makes no others
	}
	headers := message.Get("headers")
	for i := range headers.Length() {
		r.Header.Set(headers.Index(i).Index(0).String(), headers.Index(i).Index(1).String())
	}
	return r
}

// answerPosted answers r. A panic is reported as that of a server would be, and the others go on.
func answerPosted(h http.Handler, id int, r *http.Request) {
	w := &postedAnswer{id: id, header: http.Header{}}
	defer func() {
		if fault := recover(); fault != nil {
			js.Global().Get("console").Call("error", fmt.Sprintf("boardui: %v", fault))
			http.Error(w, "the program has a fault", http.StatusInternalServerError)
		}
		w.Flush()
		w.post(map[string]any{"end": true})
	}()
	h.ServeHTTP(w, r)
}

// A postedAnswer is an http.ResponseWriter and Flusher that posts to the page.
type postedAnswer struct {
	id     int
	header http.Header
	begun  bool
	part   []byte // written and not posted yet
}

func (a *postedAnswer) Header() http.Header { return a.header }

func (a *postedAnswer) WriteHeader(status int) {
	if a.begun {
		return
	}
	a.begun = true
	headers := []any{}
	for name := range a.header {
		headers = append(headers, []any{name, a.header.Get(name)})
	}
	a.post(map[string]any{"status": status, "headers": headers})
}

func (a *postedAnswer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.part = append(a.part, p...)
	return len(p), nil
}

func (a *postedAnswer) Flush() {
	a.WriteHeader(http.StatusOK)
	if len(a.part) == 0 {
		return
	}
	a.post(map[string]any{"part": newBytes(a.part)})
	a.part = a.part[:0]
}

func (a *postedAnswer) post(message map[string]any) {
	message["id"] = a.id
	js.Global().Call("postMessage", message)
}

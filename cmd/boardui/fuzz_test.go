//go:build !js

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
)

// requests are the paths of requests that have a body, each with a good one.
var requests = []struct{ path, body string }{
	{"/api/look", `{"game":"game-of-a-test","width":15,"height":15,"rule":0,"moves":"h8-i9","threats":true}`},
	{"/api/think", `{"game":"game-of-a-test","engine":0,"width":15,"height":15,"rule":4,"moves":"h8","millis":10,"strength":10,"style":0,"lines":2,"match":1,"left":1,"increment":1}`},
	{"/api/analyze", `{"game":"game-of-a-test","width":15,"height":15,"rule":4,"moves":"h8","lines":9,"threads":2,"only":"i9","blocked":"a1b2","balance":0}`},
	{"/api/hurry", `{"game":"game-of-a-test"}`},
	{"/api/review", `{"game":"game-of-a-test","width":9,"height":9,"rule":8,"moves":"e5e6","opening":1,"effort":"fast"}`},
	{"/api/judge", `{"game":"game-of-a-test","width":9,"height":9,"rule":1,"moves":"e5","move":"e6","before":{"value":3,"mate":-4},"better":"d4d5"}`},
	{"/api/puzzles", `{"game":"game-of-a-test","rule":4,"level":2}`},
	{"/api/attempt", `{"game":"game-of-a-test","width":15,"height":15,"rule":0,"moves":"h8a1h9a3h10a5","move":"h11"}`},
	{"/api/explore", `{"game":"game-of-a-test","width":15,"height":15,"rule":4,"moves":"h8h9"}`},
	{"/api/opening", `{"game":"game-of-a-test","width":15,"height":15,"rule":4,"opening":"RIF","choices":["put h8","put h7","put h6","stay"],"choose":false}`},
	{"/api/solve", `{"game":"game-of-a-test","width":15,"height":15,"rule":0,"moves":"h8a1h9a3h10","defend":true,"millis":5}`},
	{"/api/open", `{"game":"game-of-a-test","text":"(;FF[4]GM[4]SZ[15];B[hh];W[ii])","rule":0,"width":15,"height":15}`},
	{"/api/save", `{"game":"game-of-a-test","format":"sgf","outcome":"","tree":{"game":1,"width":9,"height":9,"rule":0,"root":{"next":[{"color":"black","move":"d2"}]}}}`},
	{"/api/feed?game=game-of-a-test&rule=4", "\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x78\x40"},
}

// FuzzRequest sends any body to any request, from a page that has gone, so that no search runs:
// every one gets an answer of a known kind, and nothing is written.
func FuzzRequest(f *testing.F) {
	for i, r := range requests {
		f.Add(uint8(i), r.body)
	}
	f.Add(uint8(11), `{"game":"game-of-a-test","text":"Piskvorky 15x15, 11:11, 0\n8,8,1\nA\nB\n0\n","rule":0}`)
	f.Add(uint8(12), `{"game":"game-of-a-test","format":"lib","outcome":"black","encoding":"GB18030","tree":{"game":1,"width":15,"height":15,"rule":4,"root":{"black":"h8","side":"black","next":[{"color":"black","move":"d1","comment":"x]","marks":[{"at":"e1","kind":"label","text":"A"}],"more":[["XX","1"]]},{"color":"white","move":"pass"}]}}}`)
	p := newPool([]spec{{command: "Tengen", args: []string{os.DevNull + "/no-such-program"}, own: true}}, 2, 64<<20)
	s := newServer(p, "127.0.0.1:0")
	h := s.handler()
	gone, cancel := context.WithCancel(context.WithValue(context.Background(), http.LocalAddrContextKey, net.Addr(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8808})))
	cancel()
	f.Fuzz(func(t *testing.T, which uint8, body string) {
		to := requests[int(which)%len(requests)]
		r := httptest.NewRequest("POST", to.path, strings.NewReader(body)).WithContext(gone)
		r.Host = "127.0.0.1:8808"
		r.Header.Set("Origin", "http://127.0.0.1:8808")
		r.Header.Set("Content-Type", "application/json")
		if strings.HasPrefix(to.path, "/api/feed") {
			r.Header.Set("Content-Type", "application/octet-stream")
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		s.games.forget()
		switch w.Code {
		case 200, 400, 403, 413, 415:
		default:
			t.Errorf("%s: status %d", to.path, w.Code)
		}
		d := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
		for d.More() {
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatalf("%s answers %q: %v", to.path, w.Body, err)
			}
		}
		if w.Body.Len() == 0 {
			t.Errorf("%s answers nothing", to.path)
		}
		// What is read as a file has no envelope.
		readGames([]byte(body), record.Reading{Rule: board.Renju})
		readGames([]byte(body), record.Reading{FromBottom: true})
		if p.lent != 0 {
			t.Errorf("%s leaves %d threads lent", to.path, p.lent)
		}
	})
}

// Every request refuses other sites and other names of the server, and too much data.
func TestEveryRequestIsGuarded(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	edits := map[string]func(r *http.Request){
		"another origin": func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
		"no origin":      func(r *http.Request) { r.Header.Del("Origin") },
		"another host":   func(r *http.Request) { r.Host = "evil.example" },
	}
	for _, to := range requests {
		for name, edit := range edits {
			if got := q.post(to.path, to.body, edit).StatusCode; got != 403 {
				t.Errorf("%s from %s: %d, want 403", to.path, name, got)
			}
		}
		kind := func(r *http.Request) {
			if strings.HasPrefix(to.path, "/api/feed") {
				r.Header.Set("Content-Type", "application/octet-stream")
			}
		}
		if got := q.post(to.path, strings.Repeat(" ", maxFeed+1), kind).StatusCode; got != 413 {
			t.Errorf("%s with %d bytes: %d, want 413", to.path, maxFeed+1, got)
		}
		q.server.games.forget()
		if got := q.post(to.path, to.body, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }).StatusCode; got != 415 {
			t.Errorf("%s as text: %d, want 415", to.path, got)
		}
		q.server.games.forget()
	}
}

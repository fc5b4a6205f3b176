//go:build !js

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tengen/brain/record"
)

// A tester is a server and a page that sends requests to it.
type tester struct {
	t      *testing.T
	server *server
	url    string // without a slash at its end
	client *http.Client
}

func newTester(t *testing.T, threads int, specs ...spec) *tester {
	t.Helper()
	p := newPool(specs, threads, 64<<20)
	s := newServer(p, "127.0.0.1:0")
	h := httptest.NewUnstartedServer(nil)
	h.Config = s.http()
	h.Start()
	transport := &http.Transport{MaxIdleConnsPerHost: 200}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		h.CloseClientConnections()
		h.Close()
		p.close()
	})
	return &tester{t, s, h.URL, &http.Client{Transport: transport}}
}

// post sends a request as the page does.
func (q *tester) post(path, body string, edit func(r *http.Request)) *http.Response {
	q.t.Helper()
	r, err := http.NewRequest("POST", q.url+path, strings.NewReader(body))
	if err != nil {
		q.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", q.url)
	if edit != nil {
		edit(r)
	}
	response, err := q.client.Do(r)
	if err != nil {
		q.t.Fatal(err)
	}
	q.t.Cleanup(func() { response.Body.Close() })
	return response
}

// ask sends v and reads the answer into out. It returns the status and the code of a fault.
func (q *tester) ask(path string, v, out any) (status int, code string) {
	q.t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		q.t.Fatal(err)
	}
	response := q.post(path, string(raw), nil)
	body, err := io.ReadAll(response.Body)
	if err != nil {
		q.t.Fatal(err)
	}
	if response.StatusCode != 200 {
		var f fault
		json.Unmarshal(body, &f)
		return response.StatusCode, f.Code
	}
	if err := json.Unmarshal(body, out); err != nil {
		q.t.Fatalf("%s: %v in %q", path, err, body)
	}
	return 200, ""
}

// A pageEvent is an event as the page reads it.
type pageEvent struct {
	Wait   *int
	Report *report
	Moves  string
	Swap   bool
	Millis int64
	Look   *look
	Code   string
	Error  string
}

// think sends an order and returns all events, the answer last.
func (q *tester) think(o map[string]any) []pageEvent {
	q.t.Helper()
	full := map[string]any{"game": "game-of-a-test", "engine": 0, "width": 15, "height": 15, "rule": 0, "moves": "",
		"millis": 100, "strength": 50, "style": 0, "lines": 0}
	for k, v := range o {
		full[k] = v
	}
	raw, _ := json.Marshal(full)
	response := q.post("/api/think", string(raw), nil)
	return readEvents(q.t, response)
}

func readEvents(t *testing.T, response *http.Response) []pageEvent {
	t.Helper()
	var list []pageEvent
	in := bufio.NewScanner(response.Body)
	for in.Scan() {
		var e pageEvent
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			t.Fatalf("%v in %q", err, in.Text())
		}
		list = append(list, e)
	}
	if len(list) == 0 {
		t.Fatalf("no answer at all, status %s", response.Status)
	}
	return list
}

func last(events []pageEvent) pageEvent { return events[len(events)-1] }

// The page tells another run of the program by every reply, and its engines by their commands.
func TestRunsOfTheProgram(t *testing.T) {
	look := `{"game":"game-of-a-test","width":15,"height":15,"rule":0,"moves":""}`
	var starts []string
	var ids [][]string
	for _, specs := range [][]spec{{stub("meek"), own()}, {stub("keen"), stub("meek"), own()}} {
		q := newTester(t, 1, specs...)
		response, err := q.client.Get(q.url + "/api/about")
		if err != nil {
			t.Fatal(err)
		}
		var about struct{ Engines []struct{ ID string } }
		err = json.NewDecoder(response.Body).Decode(&about)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		start := response.Header.Get(startHeader)
		if again := q.post("/api/look", look, nil).Header.Get(startHeader); start == "" || again != start {
			t.Errorf("one run says %q, then %q", start, again)
		}
		starts, ids = append(starts, start), append(ids, nil)
		for _, e := range about.Engines {
			ids[len(ids)-1] = append(ids[len(ids)-1], e.ID)
		}
	}
	if starts[0] == starts[1] {
		t.Errorf("two runs say %q", starts[0])
	}
	if a, b := ids[0], ids[1]; len(a) != 2 || len(b) != 3 || a[0] != b[1] || a[1] != b[2] || b[0] == b[1] {
		t.Errorf("the engines are %q, then %q", a, b)
	}
}

func TestOnlyTheServedAddressIsAnswered(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(q.url, "http://"))
	tests := []struct {
		name, host string
		want       int
	}{
		{"the address itself", "127.0.0.1:" + port, 200},
		{"localhost", "localhost:" + port, 200},
		{"localhost in capitals", "LOCALHOST:" + port, 200},
		{"another name", "evil.example:" + port, 403},
		{"another name without port", "evil.example", 403},
		{"another address", "192.0.2.1:" + port, 403},
		{"another port", "127.0.0.1:1", 403},
		{"a name that begins like it", "127.0.0.1.evil.example:" + port, 403},
		{"a name that ends like it", "evil.localhost:" + port, 403},
		{"an empty port", "127.0.0.1:", 403},
	}
	for _, test := range tests {
		for _, path := range []string{"/", "/style.css", "/api/about", "/nothing"} {
			r, err := http.NewRequest("GET", q.url+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = test.host
			response, err := q.client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			want := test.want
			if want == 200 && path == "/nothing" {
				want = 404
			}
			if response.StatusCode != want {
				t.Errorf("%s: GET %s gives %d, want %d", test.name, path, response.StatusCode, want)
			}
		}
	}
}

// OPTIONS * has no path, and net/http answers it itself unless that is disabled.
func TestOptionsOfTheServerAreGuarded(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	conn, err := net.Dial("tcp", strings.TrimPrefix(q.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "OPTIONS * HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusForbidden {
		t.Errorf("the answer is %s, want 403", response.Status)
	}
}

func TestOnlyItsOwnPageMayPost(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	body := `{"game":"game-of-a-test","width":15,"height":15,"rule":0,"moves":"h8","threats":false}`
	tests := []struct {
		name   string
		edit   func(r *http.Request)
		status int
	}{
		{"the page", nil, 200},
		{"no origin", func(r *http.Request) { r.Header.Del("Origin") }, 403},
		{"another origin", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403},
		{"null origin", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		{"another port", func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") }, 403},
		{"https", func(r *http.Request) { r.Header.Set("Origin", strings.Replace(q.url, "http", "https", 1)) }, 403},
		{"localhost for the number", func(r *http.Request) { r.Header.Set("Origin", strings.Replace(q.url, "127.0.0.1", "localhost", 1)) }, 403},
		{"a form", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415},
		{"PUT from elsewhere", func(r *http.Request) { r.Method = "PUT"; r.Header.Del("Origin") }, 403},
		{"PUT", func(r *http.Request) { r.Method = "PUT" }, 405},
		{"DELETE of the page from elsewhere", func(r *http.Request) {
			r.Method = "DELETE"
			r.URL.Path = "/"
			r.Header.Set("Origin", "http://a.example")
		}, 403},
	}
	for _, test := range tests {
		if got := q.post("/api/look", body, test.edit).StatusCode; got != test.status {
			t.Errorf("%s: status %d, want %d", test.name, got, test.status)
		}
	}
	response, err := q.client.Get(q.url + "/api/think")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 405 {
		t.Errorf("GET /api/think gives %d, want 405", response.StatusCode)
	}
}

func TestUnchangedFilesAreNotSentAgain(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	first, err := q.client.Get(q.url + "/app.js")
	if err != nil {
		t.Fatal(err)
	}
	first.Body.Close()
	r, _ := http.NewRequest("GET", q.url+"/app.js", nil)
	r.Header.Set("If-None-Match", first.Header.Get("ETag"))
	second, err := q.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	second.Body.Close()
	if first.Header.Get("ETag") == "" || second.StatusCode != http.StatusNotModified {
		t.Errorf("ETag %q, then status %d, want 304", first.Header.Get("ETag"), second.StatusCode)
	}
}

func lookAt(moves string) map[string]any {
	return map[string]any{"game": "game-of-a-test", "width": 15, "height": 15, "rule": 0, "moves": moves, "threats": false}
}

func TestRequestsAreBounded(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	with := func(key string, value any) map[string]any {
		v := lookAt("")
		v[key] = value
		return v
	}
	tests := []struct {
		name   string
		path   string
		v      any
		status int
		code   string
	}{
		{"no ID of a game", "/api/look", with("game", ""), 400, "game"},
		{"a long ID", "/api/look", with("game", strings.Repeat("x", 41)), 400, "game"},
		{"an unknown field", "/api/look", with("colour", 1), 400, "request"},
		{"a small board", "/api/look", with("width", 4), 400, "size"},
		{"a huge board", "/api/look", with("height", 1<<30), 400, "size"},
		{"a negative board", "/api/look", with("width", -15), 400, "size"},
		{"an unknown rule", "/api/look", with("rule", 12), 400, "size"},
		{"a rule out of range", "/api/look", with("rule", 256), 400, "request"},
		{"the continuous game", "/api/look", with("rule", 2), 400, "rule"},
		{"a malformed move", "/api/look", with("moves", "h8xx"), 400, "moves"},
		{"a move off the board", "/api/look", with("moves", "p8"), 400, "moves"},
		{"a stone on a stone", "/api/look", with("moves", "h8i9h8"), 400, "taken"},
		{"a move after the end", "/api/think", map[string]any{"game": "game-of-a-test", "millis": 9, "width": 15, "height": 15, "moves": "a1a2b1b2c1c2d1d2e1e2"}, 400, "over"},
		{"too much", "/api/look", with("moves", strings.Repeat("h8", maxBody)), 413, "big"},
		{"an unknown engine", "/api/think", map[string]any{"game": "game-of-a-test", "engine": 7, "millis": 100}, 400, "engine"},
		{"no time", "/api/think", map[string]any{"game": "game-of-a-test", "millis": 0}, 400, "millis"},
		{"an hour", "/api/think", map[string]any{"game": "game-of-a-test", "millis": 3600_000}, 400, "millis"},
		{"a strength over 100", "/api/think", map[string]any{"game": "game-of-a-test", "millis": 9, "strength": 101}, 400, "strength"},
		{"a style below -100", "/api/think", map[string]any{"game": "game-of-a-test", "millis": 9, "style": -101}, 400, "style"},
		{"a hundred lines", "/api/think", map[string]any{"game": "game-of-a-test", "millis": 9, "lines": 100}, 400, "lines"},
		{"swap2 with one stone", "/api/think", map[string]any{"game": "game-of-a-test", "millis": 9, "width": 15, "height": 15, "moves": "h8", "swap2": true}, 400, "swap2"},
		{"a game that is over", "/api/think", map[string]any{"game": "game-of-a-test", "millis": 9, "width": 15, "height": 15, "moves": "a1a2b1b2c1c2d1d2e1"}, 400, "over"},
		{"a file of no known format", "/api/open", map[string]any{"game": "game-of-a-test", "text": "hello"}, 400, "format"},
		{"a big file", "/api/open", map[string]any{"game": "game-of-a-test", "data": bytes.Repeat([]byte("a"), maxFile+1)}, 413, "big"},
		{"a huge file", "/api/open", map[string]any{"game": "game-of-a-test", "text": strings.Repeat("a", 3*maxFile)}, 413, "big"},
		{"a null for a move", "/api/save", map[string]any{"game": "game-of-a-test", "tree": map[string]any{"game": 1, "width": 15, "height": 15, "root": map[string]any{"next": []any{nil}}}, "format": "sgf"}, 400, "request"},
		{"an unknown format", "/api/save", map[string]any{"game": "game-of-a-test", "tree": map[string]any{"game": 1, "width": 15, "height": 15, "root": map[string]any{}}, "format": "exe"}, 400, "format"},
	}
	for _, test := range tests {
		status, code := q.ask(test.path, test.v, &struct{}{})
		if status != test.status || code != test.code {
			t.Errorf("%s: %d %s, want %d %s", test.name, status, code, test.status, test.code)
		}
		q.server.games.forget()
	}
}

// forget lifts the limit of requests.
func (g *games) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.list)
}

func TestRequestsOfAPageAreLimited(t *testing.T) {
	now := time.Unix(1e9, 0)
	g := newGames(10, func() time.Time { return now })
	for i := range int(burst) {
		if f := g.enter("game-of-a-test"); f != nil {
			t.Fatalf("request %d: %v", i+1, f)
		}
	}
	if f := g.enter("game-of-a-test"); f != tooOften {
		t.Errorf("after %v requests at once: %v, want %v", burst, f, tooOften)
	}
	if f := g.enter("another-game"); f != nil {
		t.Errorf("another game: %v", f)
	}
	now = now.Add(time.Second)
	for i := range int(rate) {
		if f := g.enter("game-of-a-test"); f != nil {
			t.Errorf("a second later, request %d: %v", i+1, f)
		}
	}
}

func TestIdleGamesAreForgotten(t *testing.T) {
	now := time.Unix(1e9, 0)
	g := newGames(3, func() time.Time { return now })
	for i := range 3 {
		if f := g.enter(fmt.Sprintf("game-number-%d", i)); f != nil {
			t.Fatal(f)
		}
	}
	if f := g.enter("one-too-many"); f != tooMany {
		t.Errorf("a fourth game of three: %v, want %v", f, tooMany)
	}
	now = now.Add(idleAfter / 2)
	if f := g.enter("game-number-1"); f != nil {
		t.Error(f)
	}
	now = now.Add(idleAfter / 2)
	if f := g.enter("one-too-many"); f != nil {
		t.Errorf("after two games were idle: %v", f)
	}
	if n := g.count(); n != 2 {
		t.Errorf("%d games are known, want the one that was used and the new one", n)
	}
}

// The page could neither store nor leave a game with a line of thousands of moves.
func TestLongLines(t *testing.T) {
	passes := strings.Repeat(";B[];W[]", maxLine/2)
	for _, test := range []struct {
		text  string
		fault string
	}{
		{"(;SZ[15]" + passes + ")", ""},
		{"(;SZ[15]" + passes + ";B[])", "format"},
		{"(;SZ[15](;B[hh])(;B[ii]" + passes + "))", "format"},
		{"(;SZ[15]AB[hh]" + strings.Repeat("[hh]", 2*maxLine) + ")", ""}, // it is one stone
		{"(;SZ[15];B[hh])(;SZ[15]" + passes + ";B[])", ""},
	} {
		list, _, f := readGames([]byte(test.text), record.Reading{})
		if f != nil && f.Code != test.fault || f == nil && (test.fault != "" || len(list) != 1) {
			t.Errorf("%.40s...: %d games, %v, want the fault %q", test.text, len(list), f, test.fault)
		}
	}
}

// count returns the number of pages.
func (g *games) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.list)
}

// A client that asks for pages and reads none loses its connection and its place.
func TestDeafClientsGiveTheirPlaceBack(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	q.server.replyTime = 300 * time.Millisecond
	host := strings.TrimPrefix(q.url, "http://")
	c, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	many := strings.Repeat("GET /app.js HTTP/1.1\r\nHost: "+host+"\r\n\r\n", 100)
	c.SetWriteDeadline(time.Now().Add(30 * time.Second))
	for err == nil {
		_, err = io.WriteString(c, many)
	}
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
		t.Error("a client that does not read keeps its connection")
	}
	for end := time.Now().Add(10 * time.Second); len(q.server.inside) > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a client that has gone keeps its place")
		}
	}
}

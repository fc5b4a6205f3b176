//go:build !js

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// query sends an object as a program does, without an origin, and returns the status and the objects of
// the answer.
func (q *tester) query(body string) (status int, answers []map[string]any) {
	q.t.Helper()
	response := q.post(apiPath, body, func(r *http.Request) { r.Header.Del("Origin") })
	in := bufio.NewScanner(response.Body)
	for in.Scan() {
		var a map[string]any
		if err := json.Unmarshal(in.Bytes(), &a); err != nil {
			q.t.Fatalf("%v in %q", err, in.Text())
		}
		answers = append(answers, a)
	}
	return response.StatusCode, answers
}

// TestQueries: a query over HTTP has the fields and the answer of analyze -json.
func TestQueries(t *testing.T) {
	q := newTester(t, 2, own())
	for _, test := range []struct {
		query string
		want  map[string]any
	}{
		{`{"id":"plain","pos":"h8","depth":3}`, map[string]any{"id": "plain", "source": "request", "pos": "h8", "rule": 0.0, "width": 15.0, "side": "white", "moves": 1.0}},
		{`{"id":7,"moves":["h8","i9","j10"],"nodes":2000,"multipv":3,"rule":"renju"}`, map[string]any{"id": 7.0, "rule": 4.0, "pos": "h8i9j10"}},
		{`{"pos":"-","size":"20x12","depth":2}`, map[string]any{"pos": "-", "width": 20.0, "height": 12.0, "side": "black"}},
		{`{"pos":"h8i9","side":"white","depth":2,"include":["policy"]}`, map[string]any{"pos": "h8i9pass", "side": "white"}},
		{`{"pos":"h8i9pass","depth":2}`, map[string]any{"pos": "h8i9pass", "side": "white"}},
		{`{"pos":"h8a1h9a3h10a5h11a7h12"}`, map[string]any{"over": "black", "move": nil, "lines": nil}},
		{`{"pos":"h8a1h9a3h10a5","blocked":["h7","h11","h6","h12"],"depth":2}`, map[string]any{"blocked": "h7h11h6h12"}},
		{`{"pos":"h8a1h9a3h10a5","depth":2,"include":["solver","threats"]}`, map[string]any{"side": "black"}},
		{`{"pos":"h8a1h9a3f7a5g7a7","rule":4,"depth":2,"include":"forbidden"}`, map[string]any{"forbidden": "h7"}},
	} {
		status, answers := q.query(test.query)
		if status != 200 || len(answers) != 1 {
			t.Errorf("%s: status %d, answers %v", test.query, status, answers)
			continue
		}
		a := answers[0]
		for field, want := range test.want {
			if a[field] != want {
				t.Errorf("%s: %s is %v, want %v", test.query, field, a[field], want)
			}
		}
		move, _ := a["move"].(string)
		lines, _ := a["lines"].([]any)
		if a["over"] == nil && (move == "" || len(lines) == 0 || strings.Contains("h7h11h6h12", move) && a["blocked"] != nil) {
			t.Errorf("%s: move %q, lines %v", test.query, move, lines)
		}
		if strings.Contains(test.query, "multipv") && len(lines) != 3 {
			t.Errorf("%d lines, want 3", len(lines))
		}
		if strings.Contains(test.query, "policy") && a["policy"] == nil {
			t.Errorf("%s: no policy", test.query)
		}
		if strings.Contains(test.query, "solver") && fmt.Sprint(a["solver"], a["threats"]) != "map[threat: win:h11h7h12] map[black:map[h11:open-four h12:four h6:four h7:open-four] white:map[a2:four a4:four a6:three]]" {
			t.Errorf("%s: solver %v, threats %v", test.query, a["solver"], a["threats"])
		}
	}
}

// TestBadQueries: each is answered by one object with the error, and its status says of which kind it is.
func TestBadQueries(t *testing.T) {
	q := newTester(t, 1, own())
	for _, test := range []struct {
		query  string
		status int
		says   string
	}{
		{`{"id":1}`, 400, "want either pos or moves"},
		{`{"id":1,"pos":"h8h8"}`, 400, "pos: "},
		{`{"id":1,"pos":"h8","deph":3}`, 400, "deph: there is no such field"},
		{`{"id":1,"pos":"h8","multipv":10}`, 400, "multipv: want 1 to 9"},
		{`{"id":1,"pos":"h8","time":"soon"}`, 400, "time: "},
		{`{"id":1,"pos":"h8"`, 400, "the object is not closed"},
		{`h8`, 400, "want an object"},
		{`{"stop":9}`, 404, "stop: no query of the id 9 waits or runs"},
		{`{"stop":{}}`, 400, "stop: want a text or a number"},
		{`{"pos":"` + strings.Repeat("h8", maxBody) + `"}`, 413, "at most 16384 bytes"},
	} {
		status, answers := q.query(test.query)
		if status != test.status || len(answers) != 1 || answers[0]["source"] != apiSource || !strings.Contains(fmt.Sprint(answers[0]["error"]), test.says) {
			t.Errorf("%.60s: status %d, %v; want %d and %q", test.query, status, answers, test.status, test.says)
		}
	}
	for _, test := range []struct {
		name   string
		edit   func(r *http.Request)
		status int
	}{
		{"another site", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403},
		{"a form of another site", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		{"a form", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain"); r.Header.Del("Origin") }, 415},
		{"another host", func(r *http.Request) { r.Host = "evil.example"; r.Header.Del("Origin") }, 403},
	} {
		if got := q.post(apiPath, `{"pos":"h8","depth":1}`, test.edit).StatusCode; got != test.status {
			t.Errorf("%s: status %d, want %d", test.name, got, test.status)
		}
	}
}

// TestQueriesStream: updates come while it thinks, a stop ends it with what is known, and so many at a
// time are allowed.
func TestQueriesStream(t *testing.T) {
	q := newTester(t, 1, own())
	type end struct {
		updates int
		last    map[string]any
	}
	begin := func(id int, begun chan<- bool, ends chan<- end) {
		response := q.post(apiPath, fmt.Sprintf(`{"id":%d,"pos":"h8i9j7","time":"0","updates":"1ms"}`, id), func(r *http.Request) { r.Header.Del("Origin") })
		var e end
		in := bufio.NewScanner(response.Body)
		for in.Scan() {
			e.last = nil
			if err := json.Unmarshal(in.Bytes(), &e.last); err != nil {
				t.Errorf("%v in %q", err, in.Text())
			}
			if e.last["update"] == true {
				if e.updates++; e.updates == 1 {
					begun <- true
				}
			}
		}
		ends <- e
	}
	begun, ends := make(chan bool, 1), make(chan end, mostQueries)
	go begin(0, begun, ends)
	select {
	case <-begun:
	case <-time.After(30 * time.Second):
		t.Fatal("no update")
	}
	if status, answers := q.query(`{"id":0,"pos":"h8"}`); status != 400 || !strings.Contains(fmt.Sprint(answers), "not answered yet") {
		t.Errorf("the same id: %d, %v", status, answers)
	}
	for id := 1; id < mostQueries; id++ {
		go begin(id, make(chan bool, 1), ends)
	}
	for limit := time.Now().Add(30 * time.Second); q.server.queries.count() < mostQueries && time.Now().Before(limit); {
		time.Sleep(5 * time.Millisecond)
	}
	if status, _ := q.query(`{"pos":"h8"}`); status != 429 {
		t.Errorf("one query too many: status %d, want 429", status)
	}
	for id := range mostQueries {
		if status, answers := q.query(fmt.Sprintf(`{"stop":%d}`, id)); status != 200 || fmt.Sprint(answers) != fmt.Sprintf("[map[stop:%d]]", id) {
			t.Errorf("stop: %d, %v", status, answers)
		}
	}
	for range mostQueries {
		select {
		case e := <-ends:
			if e.last["interrupted"] != true || e.last["update"] != nil || e.last["move"] == nil {
				t.Errorf("the last object of a stream is %v", e.last)
			}
		case <-time.After(60 * time.Second):
			t.Fatal("a stopped query is not answered")
		}
	}
	q.expectIdle(2 * stopLimit)
}

// count returns the number of queries that wait or run.
func (a *queries) count() (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, list := range a.list {
		n += len(list)
	}
	return n
}

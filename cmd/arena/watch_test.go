package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"tengen/cmd/internal/flags"
)

// newWatched returns a tournament of slow engines that is shown at a free port.
func newWatched(t *testing.T, games int) (*tournament, *watchServer) {
	t.Helper()
	s := settings{Engines: []engine{fake(t, "<one>", "slow", "1"), fake(t, "two", "scores 7", "2")}, Games: games, Openings: testOpenings}
	tr := newTournament(t, s, flags.Shard{}, 2)
	tr.goal = games
	tr.watch = newWatch(2, tr.watched)
	server, err := serveWatch("127.0.0.1:0", tr.watch, tr.match)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.close)
	return tr, server
}

// request sends a request to a server and returns the reply with its connection.
func request(t *testing.T, s *watchServer, text string) (*bufio.Reader, net.Conn) {
	t.Helper()
	c, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(time.Minute))
	io.WriteString(c, text)
	return bufio.NewReader(c), c
}

// events calls f for each event until the stream ends.
func events(t *testing.T, in *bufio.Reader, f func(*watchEvent)) {
	t.Helper()
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		if text, ok := strings.CutPrefix(line, "data: "); ok {
			var e watchEvent
			if err := json.Unmarshal([]byte(text), &e); err != nil {
				t.Errorf("%q: %v", text, err)
			}
			f(&e)
		}
	}
}

const eventsRequest = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"

func TestAMatchIsWatched(t *testing.T) {
	tr, server := newWatched(t, 8)
	in, _ := request(t, server, eventsRequest)
	seen := map[int]watchedGame{}
	var match *watchedMatch
	over := false
	done := make(chan struct{})
	go func() {
		defer close(done)
		events(t, in, func(e *watchEvent) {
			for _, g := range e.Games {
				if was, ok := seen[g.Game]; ok && !strings.HasPrefix(g.Moves, was.Moves) {
					t.Errorf("game %d was %s and is %s", g.Game, was.Moves, g.Moves)
				}
				seen[g.Game] = g
			}
			if e.Match != nil {
				match = e.Match
			}
			over = over || e.Over
		})
	}()
	if err := tr.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	server.close()
	<-done
	if !over || match == nil {
		t.Fatalf("match %+v, over %v", match, over)
	}
	// The last two games stand as they ended; all that was seen is the beginning of a game.
	for n, g := range seen {
		want := tr.match.games[n]
		if g.Black != want.Black || !strings.HasPrefix(want.Moves, g.Moves) || g.Opening != want.Opening {
			t.Errorf("game %d is shown as %+v, it was %+v", n, g, want)
		}
		if g.Result != "" && (g.Moves != want.Moves || g.Result != want.Result || g.Reason != want.Reason || len(g.Evals) != len(want.Eval)) {
			t.Errorf("game %d ends as %+v, it was %+v", n, g, want)
		}
	}
	for _, last := range tr.watch.places {
		if seen[last.Game].Result == "" {
			t.Errorf("the end of game %d was not shown", last.Game)
		}
	}
	if !strings.Contains(match.Standings, "&lt;one&gt;") || !strings.Contains(match.Summary, "15×15, 8 of 8 games") || strings.Contains(match.Standings, "<one>") {
		t.Errorf("the standings are %+v", match)
	}
}

// A viewer who comes late sees the games as they stand, and one who leaves is forgotten. Where nobody
// looks nothing is written.
func TestViewersComeAndGo(t *testing.T) {
	tr, server := newWatched(t, 2)
	g := &gameRecord{Game: 7, Black: "two", White: "<one>", Opening: 2}
	moves := mustMoves(t, "h8h9i9")
	tr.watch.show(1, g, moves)
	in, c := request(t, server, eventsRequest)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := strings.CutPrefix(line, "data: "); ok {
			var e watchEvent
			if err := json.Unmarshal([]byte(text), &e); err != nil || len(e.Games) != 1 || e.Games[0].Moves != "h8h9i9" || e.Games[0].Place != 1 || e.Match == nil {
				t.Errorf("a late viewer sees %s, %v", text, err)
			}
			break
		}
	}
	c.Close()
	for range 1000 {
		tr.watch.mu.Lock()
		n := len(tr.watch.views)
		tr.watch.mu.Unlock()
		if n == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("a viewer that has left is not forgotten")
}

func TestRequestsToAWatch(t *testing.T) {
	_, server := newWatched(t, 2)
	for request1, want := range map[string]string{
		"GET / HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n":                    "200 OK",
		"HEAD / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n":                       "200 OK",
		"GET /?x HTTP/1.0\r\nhost: localhost\r\n\r\n":                     "200 OK",
		"GET / HTTP/1.1\r\nHost: other.example\r\n\r\n":                   "403 Forbidden",
		"GET /events HTTP/1.1\r\n\r\n":                                    "403 Forbidden",
		"GET /report.js HTTP/1.1\r\nHost: localhost\r\n\r\n":              "404 Not Found",
		"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n": "405 Method Not Allowed",
		"nonsense\r\n\r\n": "400 Bad Request",
		"GET / HTTP/1.1\r\nX: " + strings.Repeat("x", headLimit) + "\r\n\r\n": "",
	} {
		in, _ := request(t, server, request1)
		line, _ := in.ReadString('\n')
		if want != "" {
			want = "HTTP/1.1 " + want
		}
		if got := strings.TrimSpace(line); got != want {
			t.Errorf("%.60q is answered by %q, want %q", request1, got, want)
		}
	}
	var views []*view
	for v := server.watch.enter(); v != nil; v = server.watch.enter() {
		views = append(views, v)
	}
	in, _ := request(t, server, eventsRequest)
	if line, _ := in.ReadString('\n'); len(views) != mostViews || !strings.Contains(line, "503") {
		t.Errorf("one viewer more than %d is answered by %q", len(views), line)
	}
}

func TestBadAddressesOfAWatch(t *testing.T) {
	_, server := newWatched(t, 2)
	for _, addr := range []string{"8080", "localhost", "localhost:http:80", "localhost:99999", server.listener.Addr().String()} {
		err := runMatch(t.Context(), newTag(), []string{"-engine", "true", "-engine", "name=b,cmd=true", "-watch", addr}, io.Discard, io.Discard)
		if !errors.Is(err, flags.ErrUsage) || strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("-watch %s: %v", addr, err)
		}
	}
	if got := (&watchServer{listener: server.listener}).url(); !strings.HasPrefix(got, "http://localhost:") {
		t.Errorf("every address of this machine is %s", got)
	}
}

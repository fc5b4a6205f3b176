//go:build !js

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

// analyze sends an analysis and calls see with every event until see returns false or the
// answer ends.
func (q *tester) analyze(a map[string]any, see func(pageEvent) bool) {
	q.t.Helper()
	full := map[string]any{"game": "game-of-a-test-a", "width": 15, "height": 15, "rule": 0, "moves": "", "lines": 1, "threads": 1}
	for k, v := range a {
		full[k] = v
	}
	raw, _ := json.Marshal(full)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r, _ := http.NewRequestWithContext(ctx, "POST", q.url+"/api/analyze", strings.NewReader(string(raw)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", q.url)
	response, err := q.client.Do(r)
	if err != nil {
		q.t.Error(err)
		return
	}
	defer response.Body.Close()
	in := bufio.NewScanner(response.Body)
	for in.Scan() {
		var e pageEvent
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			q.t.Errorf("%v in %q", err, in.Text())
			return
		}
		if !see(e) {
			return
		}
	}
	if ctx.Err() != nil {
		q.t.Errorf("the analysis of %v shows nothing more", a)
	}
}

func TestAnalysisRunsUntilItIsStopped(t *testing.T) {
	q := newTester(t, 2, own())
	lines, depths := map[int]string{}, map[int]bool{}
	begun := time.Now()
	q.analyze(map[string]any{"moves": "h8i9g8", "lines": 9, "threads": 2}, func(e pageEvent) bool {
		if e.Moves != "" || e.Code != "" {
			t.Errorf("it ended by itself after %v: %+v", time.Since(begun), e)
		}
		if e.Report != nil {
			lines[e.Report.Line] = e.Report.PV
			depths[e.Report.Depth] = true
		}
		// It goes deeper until the client has seen enough; without a second depth it fails.
		return len(lines) < 9 || len(depths) < 2 || time.Since(begun) < 2*time.Second
	})
	firsts := map[string]bool{}
	for _, pv := range lines {
		firsts[pv[:2]] = true
	}
	if len(firsts) < 8 { // i10 and i1 begin alike
		t.Errorf("lines %v", lines)
	}
	q.expectIdle(2 * stopLimit)
}

// expectIdle waits until no thread is lent.
func (q *tester) expectIdle(limit time.Duration) {
	q.t.Helper()
	p := q.server.pool
	for end := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		p.mu.Lock()
		lent := p.lent
		p.mu.Unlock()
		if lent == 0 {
			return
		}
		if time.Now().After(end) {
			q.t.Errorf("%d threads are in use after %v", lent, limit)
			return
		}
	}
}

// A move that waits interrupts the analysis, which then goes on.
func TestMoveInterruptsAnalysis(t *testing.T) {
	q := newTester(t, 1, own())
	moved := make(chan pageEvent, 1)
	asked, waited := false, false
	q.analyze(map[string]any{"moves": "h8i9", "lines": 2}, func(e pageEvent) bool {
		switch {
		case e.Report != nil && !asked:
			asked = true
			go func() { moved <- last(q.think(map[string]any{"moves": "h8i9g8", "millis": 200})) }()
		case e.Wait != nil:
			waited = true
		case e.Report != nil && waited:
			return false
		}
		return true
	})
	if !waited {
		t.Error("the analysis did not make way")
	}
	select {
	case e := <-moved:
		if e.Moves == "" {
			t.Errorf("the move: %+v", e)
		}
	case <-time.After(20 * time.Second):
		t.Error("the move was not made")
	}
}

// "Why not here": the value of one move, as the side to move sees it.
func TestAnalysisOfOneMove(t *testing.T) {
	q := newTester(t, 1, own())
	// White has an open three. Black's move in the corner loses.
	q.analyze(map[string]any{"moves": "a1h8a3h9a5h10", "only": "o1"}, func(e pageEvent) bool {
		if e.Report == nil || e.Report.Mate == 0 {
			return true
		}
		if e.Report.Mate >= 0 || e.Report.Mate%2 != 0 || !strings.HasPrefix(e.Report.PV, "o1h") || e.Report.Line != 1 {
			t.Errorf("the losing move: %+v", e.Report)
		}
		return false
	})
	// It stops the three instead of making a five.
	for only, mate := range map[string]int{"a5": 1, "h11": 0} {
		q.analyze(map[string]any{"moves": "a1h8a2h9a3h10a4j1", "only": only}, func(e pageEvent) bool {
			if e.Report == nil || e.Moves == "" && e.Report.Depth < 3 {
				return true
			}
			if e.Report.Mate != mate && mate != 0 || mate == 0 && e.Report.Mate == 1 || !strings.HasPrefix(e.Report.PV, only) {
				t.Errorf("%s: %+v", only, e.Report)
			}
			return false
		})
	}
	// The last point of the board.
	full := "a1b1c1d1e1a2b2c2d2e2b3a3d3c3a4e3c4b4e4d4b5a5d5c5"
	q.analyze(map[string]any{"width": 5, "height": 5, "moves": full, "only": "e5"}, func(e pageEvent) bool {
		if e.Code != "" || e.Report == nil || !e.Report.Scored || e.Report.Score != 0 || e.Report.Mate != 0 || e.Moves != "e5" {
			t.Errorf("a draw: %+v", e)
		}
		return false
	})
	tests := []struct {
		name   string
		change map[string]any
		code   string
	}{
		{"no line", map[string]any{"lines": 0}, "lines"},
		{"ten lines", map[string]any{"lines": 10}, "lines"},
		{"no thread", map[string]any{"threads": 0}, "threads"},
		{"a thousand threads", map[string]any{"threads": 1000}, "threads"},
		{"a taken point", map[string]any{"moves": "h8", "only": "h8"}, "taken"},
		{"a forbidden point", map[string]any{"rule": 4, "moves": "h7a1h6a3g8a5f8a7", "only": "h8"}, "forbidden"},
		{"a point off the board", map[string]any{"only": "p1"}, "moves"},
		{"two points", map[string]any{"only": "a1a2"}, "moves"},
		{"a blocked point off the board", map[string]any{"blocked": "z9"}, "moves"},
		{"three balancing moves", map[string]any{"balance": 3}, "request"},
		{"a game that is over", map[string]any{"moves": "a1a2b1b2c1c2d1d2e1"}, "over"},
	}
	for _, test := range tests {
		full := map[string]any{"game": "game-of-a-test-a", "width": 15, "height": 15, "rule": 0, "moves": "", "lines": 1, "threads": 1}
		for k, v := range test.change {
			full[k] = v
		}
		if status, code := q.ask("/api/analyze", full, &struct{}{}); status != 400 || code != test.code {
			t.Errorf("%s: %d %s, want 400 %s", test.name, status, code, test.code)
		}
	}
}

func TestBlockedMovesAreLeftOut(t *testing.T) {
	q := newTester(t, 1, own())
	first := func(a map[string]any) (best string) {
		a["moves"] = "h8a1h9a3h10a5"
		q.analyze(a, func(e pageEvent) bool {
			if e.Report != nil && e.Report.PV != "" {
				best = e.Report.PV
			}
			return e.Moves == "" && (e.Report == nil || e.Report.Depth < 4)
		})
		return best
	}
	if pv := first(map[string]any{}); !strings.HasPrefix(pv, "h7") && !strings.HasPrefix(pv, "h11") {
		t.Errorf("the best line is %s", pv)
	}
	if pv := first(map[string]any{"blocked": "h7h11"}); strings.HasPrefix(pv, "h7") || strings.HasPrefix(pv, "h11") || pv == "" {
		t.Errorf("without h7 and h11 the best line is %s", pv)
	}
	if pv := first(map[string]any{}); !strings.HasPrefix(pv, "h7") && !strings.HasPrefix(pv, "h11") {
		t.Errorf("with them again the best line is %s", pv)
	}
	// A move of the game is not blocked by an analysis before it.
	first(map[string]any{"blocked": "h7h11"})
	if m := last(q.think(map[string]any{"moves": "h8a1h9a3h10a5", "strength": 100, "game": "game-of-a-test-a"})).Moves; m != "h7" && m != "h11" {
		t.Errorf("the engine plays %s", m)
	}
}

func TestBalancingMoves(t *testing.T) {
	q := newTester(t, 1, own())
	q.server.balanceTime = 500 * time.Millisecond
	for n := 1; n <= 2; n++ {
		q.analyze(map[string]any{"moves": "h8h9", "balance": n}, func(e pageEvent) bool {
			if e.Code != "" {
				t.Error(e.Error)
			}
			if e.Moves == "" {
				return true
			}
			p := position{15, 15, 0, "h8h9" + e.Moves}
			if _, moves, f := p.set(); f != nil || len(moves) != 2+n {
				t.Errorf("%d moves: %s, %v", n, e.Moves, f)
			}
			return false
		})
	}
}

// Another game takes another process while there is room, so that an analysis finds its hash table again.
func TestAnalysisFindsItsHashTableAgain(t *testing.T) {
	for _, test := range []struct {
		threads int
		want    string // the games of the processes, the one used last at the end
	}{
		{2, "game-of-a-test-a another-game-of-a-test"},
		{1, "another-game-of-a-test"},
	} {
		q := newTester(t, test.threads, own())
		q.server.pool.stopLimit = time.Minute // on a busy machine too the process is not given up
		q.analyze(map[string]any{"moves": "h8i9g8"}, func(e pageEvent) bool { return e.Report == nil })
		q.expectIdle(time.Minute)
		if end := last(q.think(map[string]any{"game": "another-game-of-a-test", "moves": "h8", "millis": 100})); end.Moves == "" {
			t.Fatalf("no move: %+v", end)
		}
		q.expectIdle(time.Minute)
		var games []string
		for _, w := range q.server.pool.idle {
			games = append(games, w.game)
		}
		if got := strings.Join(games, " "); got != test.want {
			t.Errorf("%d threads: the processes have %s, want %s", test.threads, got, test.want)
		}
	}
}

// Limits end an analysis by themselves: it answers, and no thread is lent any more.
func TestLimitsOfAnAnalysis(t *testing.T) {
	q := newTester(t, 1, own())
	for _, test := range []struct {
		limit map[string]any
		ok    func(r *report) bool
	}{
		{map[string]any{"depth": 6}, func(r *report) bool { return r.Depth <= 6 }},
		{map[string]any{"nodes": 5000}, func(r *report) bool { return r.Nodes < 10_000 }},
		{map[string]any{"depth": 6, "memory": 16}, func(r *report) bool { return r.Depth <= 6 }},
	} {
		var deepest report
		ended := false
		test.limit["moves"] = "h8i9g8"
		q.analyze(test.limit, func(e pageEvent) bool {
			if e.Report != nil && e.Report.Depth >= deepest.Depth {
				deepest = *e.Report
			}
			ended = e.Moves != ""
			return !ended
		})
		if !ended || deepest.Depth == 0 || !test.ok(&deepest) {
			t.Errorf("%v: ended: %v, the last report is %+v", test.limit, ended, deepest)
		}
	}
	q.expectIdle(stopLimit)
	for _, limit := range []string{"depth", "nodes", "memory"} {
		if status, code := q.ask("/api/analyze", map[string]any{"game": "game-of-a-test", "width": 15, "height": 15, "lines": 1, "threads": 1, limit: -1}, nil); status != 400 || code != "request" {
			t.Errorf("%s of -1: %d %s", limit, status, code)
		}
	}
}

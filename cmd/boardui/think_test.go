//go:build !js

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestEngineAnswersWithWhatItThought(t *testing.T) {
	q := newTester(t, 1, stub("thinker"))
	events := q.think(map[string]any{"moves": "h8", "millis": 100})
	end := last(events)
	if end.Moves != "a1" || end.Look == nil || end.Look.Side != "black" {
		t.Errorf("the answer is %+v", end)
	}
	if end.Report == nil || end.Report.Depth != 4 || end.Report.Score != 40 || end.Report.PV != "a1a3" {
		t.Errorf("the last report is %+v", end.Report)
	}
	deepest := 0
	for _, e := range events[:len(events)-1] {
		if e.Report != nil && e.Report.Depth > deepest {
			deepest = e.Report.Depth
		}
	}
	if deepest != 4 {
		t.Errorf("the reports reach depth %d, want 4", deepest)
	}
	if name := q.server.pool.name(0); name != "Thinker" {
		t.Errorf("the engine is called %q", name)
	}
}

func TestOwnEngineReportsSeveralLinesAndStops(t *testing.T) {
	q := newTester(t, 1, own())
	lines := map[int]string{}
	for _, e := range q.think(map[string]any{"moves": "h8i9g8", "millis": 1500, "lines": 3, "strength": 100}) {
		if e.Report != nil && e.Report.PV != "" {
			lines[e.Report.Line] = e.Report.PV
		}
	}
	if len(lines) != 3 || lines[1] == lines[2] {
		t.Errorf("lines %v, want three", lines)
	}

	begun := time.Now()
	time.AfterFunc(300*time.Millisecond, func() { q.ask("/api/hurry", map[string]any{"game": "game-of-a-test"}, &struct{}{}) })
	end := last(q.think(map[string]any{"moves": "h8i9g8", "millis": 60_000, "strength": 100}))
	if took := time.Since(begun); end.Moves == "" || took > 20*time.Second {
		t.Errorf("a move was wanted now: %+v after %v", end, took)
	}
}

// The list of stones that an engine gets has no passes. Here white, who is to move with as many stones
// as black, wins by six in a row, which would be forbidden to black.
func TestEngineKnowsItsColorAfterAPass(t *testing.T) {
	q := newTester(t, 1, own())
	end := last(q.think(map[string]any{"moves": "a15d4c15e4e15f4g15h4i15i4-", "rule": 4, "millis": 300, "strength": 100}))
	if end.Moves != "g4" {
		t.Errorf("the answer is %+v", end)
	}
}

func TestBrokenEnginesGiveAMessage(t *testing.T) {
	tests := []struct{ name, code, text string }{
		{"crash", "crash", "Crash: crash"},
		{"cheat", "broken", "illegal move to h15: "},
	}
	for _, test := range tests {
		q := newTester(t, 1, stub(test.name))
		for range 2 { // the second time it is restarted
			end := last(q.think(map[string]any{"moves": "h1"})) // h15 for people
			if end.Code != test.code || !strings.Contains(end.Error, test.text) {
				t.Errorf("%s: %+v, want code %s and %q", test.name, end, test.code, test.text)
			}
		}
	}
	q := newTester(t, 1, spec{command: "/no/such/program"})
	if end := last(q.think(nil)); end.Code != "broken" || !strings.Contains(end.Error, "program") {
		t.Errorf("no program: %+v", end)
	}
	q = newTester(t, 1, stub("strict"))
	for i, style := range []int{0, 40, 40, -20} {
		if end := last(q.think(map[string]any{"moves": "h8", "style": style, "strength": 10 * i})); end.Moves != "a1" {
			t.Errorf("options that the engine answers with an error: %+v", end)
		}
	}
	q = newTester(t, 1, stub("twice"))
	for i := range 5 {
		end := last(q.think(map[string]any{"moves": "h8"}))
		if wrong := end.Code != ""; wrong != (i == 2) {
			t.Errorf("move %d of an engine that ends at its third: %+v", i+1, end)
		}
	}
}

// The reports of an engine that could not load its network say so. Another takes its place later, when
// the network may be there.
func TestEngineWithoutItsNetwork(t *testing.T) {
	network := filepath.Join(t.TempDir(), "network")
	engine := stub("bare")
	engine.own, engine.env = true, append(engine.env, networkVar+"="+network)
	q := newTester(t, 1, engine)
	expect := func(when string, want bool) {
		t.Helper()
		reports := 0
		for _, e := range q.think(map[string]any{"moves": "h8", "millis": 50, "strength": 100}) {
			if e.Report == nil {
				continue
			}
			reports++
			if e.Report.Tables != want {
				t.Errorf("%s: by tables %v, want %v: %+v", when, e.Report.Tables, want, e.Report)
			}
		}
		if reports < 2 {
			t.Errorf("%s: %d reports", when, reports)
		}
	}
	expect("without it", true)
	if err := os.WriteFile(network, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	expect("shortly after", true)
	q.server.pool.tablesTime = 0
	expect("later", false)
}

// The last request of a page counts: after taking back while an engine thinks, the engine is
// free at once, also one that cannot be stopped.
func TestPageThatGoesEndsItsSearch(t *testing.T) {
	for _, engine := range []spec{own(), stub("mute")} {
		q := newTester(t, 1, engine)
		ctx, cancel := context.WithCancel(context.Background())
		body := `{"game":"game-of-a-test","engine":0,"width":15,"height":15,"rule":0,"moves":"h8","millis":60000,"strength":100}`
		r, _ := http.NewRequestWithContext(ctx, "POST", q.url+"/api/think", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", q.url)
		time.AfterFunc(300*time.Millisecond, cancel)
		if response, err := q.client.Do(r); err == nil {
			response.Body.Close()
		}
		idle := false
		for end := time.Now().Add(20 * time.Second); !idle && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			q.server.pool.mu.Lock()
			idle = q.server.pool.lent == 0
			q.server.pool.mu.Unlock()
		}
		cancel()
		if !idle {
			t.Errorf("%s still thinks for a page that has gone", engine.command)
		}
	}
}

// A request that arrives after a later one of the page does not end the search of that.
func TestRequestsArriveInAnyOrder(t *testing.T) {
	q := newTester(t, 1, own())
	think := func(turn string) pageEvent {
		body := `{"game":"game-of-a-test","engine":0,"width":15,"height":15,"rule":0,"moves":"h8","millis":60000,"strength":100}`
		return last(readEvents(t, q.post("/api/think", body, func(r *http.Request) { r.Header.Set(turnHeader, turn) })))
	}
	later := make(chan pageEvent, 1)
	go func() { later <- think("2") }()
	for running := false; !running; time.Sleep(time.Millisecond) {
		select {
		case end := <-later:
			t.Fatalf("the later one gets %+v", end)
		default:
		}
		q.server.games.mu.Lock()
		c := q.server.games.list["game-of-a-test"]
		running = c != nil && c.job != nil
		q.server.games.mu.Unlock()
	}
	if refused := think("1"); refused.Code != "late" {
		t.Errorf("the one that comes late gets %+v", refused)
	}
	q.ask("/api/hurry", map[string]any{"game": "game-of-a-test"}, &struct{}{})
	if end := <-later; end.Code != "" || end.Moves == "" {
		t.Errorf("the later one gets %+v", end)
	}
}

func TestSwap2(t *testing.T) {
	tests := []struct {
		engine, moves string
		swap          bool
		answer        string
	}{
		{"meek", "", false, "d4e5f6"},
		{"keen", "h8i8j8", true, ""},
		{"thinker", "h8i8j8", false, "j10j11"},
		{"meek", "h8i8j8", false, "a1"},
		{"meek", "h8i8j8i9h9", false, "a1"},
	}
	for _, test := range tests {
		q := newTester(t, 1, stub(test.engine))
		end := last(q.think(map[string]any{"moves": test.moves, "swap2": true}))
		if end.Swap != test.swap || end.Moves != test.answer || end.Code != "" {
			t.Errorf("%s to %q: %+v, want swap %v, moves %q", test.engine, test.moves, end, test.swap, test.answer)
		}
	}
}

func TestGamesWaitInAQueue(t *testing.T) {
	q := newTester(t, 1, stub("thinker"))
	var all sync.WaitGroup
	waited := make([]int, 4)
	for i := range waited {
		all.Go(func() {
			for _, e := range q.think(map[string]any{"game": fmt.Sprintf("game-number-%d", i), "moves": "h8", "millis": 200}) {
				if e.Wait != nil {
					waited[i]++
				}
				if e.Code != "" {
					t.Errorf("game %d: %s", i, e.Error)
				}
			}
		})
	}
	all.Wait()
	n := 0
	for _, w := range waited {
		if w > 0 {
			n++
		}
	}
	if n != 3 {
		t.Errorf("%d of 4 games waited for the only engine, want 3: %v", n, waited)
	}
}

func TestQueueIsBounded(t *testing.T) {
	p := newPool([]spec{stub("meek")}, 1, 1<<20)
	p.lent = 1
	p.waiting = make([]*waiter, maxWaiting)
	if _, err := p.enter(context.Background(), forMove, 1, func(int) {}); err != tooLong {
		t.Errorf("with %d waiting: %v, want %v", maxWaiting, err, tooLong)
	}
}

// The processes of two engines together never exceed the limit of the pool.
func TestEnginesShareThePool(t *testing.T) {
	q := newTester(t, 2, stub("meek"), stub("keen"), stub("thinker"))
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			end := last(q.think(map[string]any{"game": fmt.Sprintf("game-number-%d", i), "engine": i % 3, "moves": "h8", "millis": 20}))
			if end.Moves == "" {
				t.Errorf("engine %d: %+v", i%3, end)
			}
			p := q.server.pool
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.alive > 2 || p.lent > 2 {
				t.Errorf("%d processes, %d lent, want at most 2", p.alive, p.lent)
			}
		})
	}
	all.Wait()
	q.server.pool.mu.Lock()
	defer q.server.pool.mu.Unlock()
	if p := q.server.pool; len(p.idle) != p.alive || p.lent != 0 {
		t.Errorf("%d of %d processes are idle at the end, %d lent, want all and 0", len(p.idle), p.alive, p.lent)
	}
}

// A hundred games at once on two processes: every move is answered.
func TestHundredGames(t *testing.T) {
	q := newTester(t, 2, stub("meek"))
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			moves, taken := "", map[string]bool{}
			for range 5 {
				at := fmt.Sprintf("%c%d", 'a'+rng.IntN(15), 8+rng.IntN(8))
				if taken[at] {
					continue
				}
				taken[at] = true
				moves += at
				end := last(q.think(map[string]any{"game": fmt.Sprintf("game-number-%d", i), "moves": moves, "millis": 100}))
				if end.Moves == "" {
					t.Errorf("game %d after %s: %s", i, moves, end.Error)
					return
				}
				if end.Look.Over != "" {
					return
				}
				taken[end.Moves] = true
				moves += end.Moves
			}
		})
	}
	all.Wait()
	if n := q.server.games.count(); n != 100 {
		t.Errorf("%d games are known, want 100", n)
	}
}

// Any request gets a valid answer, and the server survives.
func TestGarbage(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	rng := rand.New(rand.NewPCG(7, 7))
	good := []string{
		`{"game":"game-of-a-test","width":15,"height":15,"rule":0,"moves":"h8i9","threats":true}`,
		`{"game":"game-of-a-test","engine":0,"width":15,"height":15,"rule":4,"moves":"h8","millis":10,"strength":10,"style":0,"lines":2}`,
		`{"game":"game-of-a-test","text":"Piskvorky 15x15, 11:11, 0\n8,8,1\nA\nB\n0\n","rule":0}`,
		`{"game":"game-of-a-test","text":"(;FF[4]GM[4]SZ[15];B[hh];W[ii])","rule":0}`,
		`{"game":"game-of-a-test","format":"sgf","width":9,"height":9,"rule":0,"moves":"a1b2","millis":[1,2]}`,
	}
	paths := []string{"/api/look", "/api/think", "/api/open", "/api/save", "/api/hurry", "/", "/api/about", "/nothing"}
	for i := range 240 {
		body := []byte(good[rng.IntN(len(good))])
		for range rng.IntN(4) {
			switch at := rng.IntN(len(body)); rng.IntN(4) {
			case 0:
				body[at] = byte(rng.IntN(256))
			case 1:
				body = append(body[:at], body[at+1:]...)
			case 2:
				body = append(body[:at:at], append([]byte(`9999999999`), body[at:]...)...)
			case 3:
				body = body[:at+1]
			}
		}
		response := q.post(paths[i%len(paths)], string(body), nil)
		switch response.StatusCode {
		case 200, 400, 404, 405, 413, 415, 429:
		default:
			t.Errorf("%s with %q: status %s", paths[i%len(paths)], body, response.Status)
		}
		response.Body.Close()
		if i%10 == 0 {
			q.server.games.forget()
		}
	}
	q.server.games.forget()
	if end := last(q.think(map[string]any{"moves": "h8"})); end.Moves != "a1" {
		t.Errorf("after the garbage: %+v", end)
	}
}

func TestNames(t *testing.T) {
	for line, want := range map[string]string{
		`name="Pela", version="8"`: "Pela", `name=Wine,version=1`: "Wine", `Tengen`: "", ``: "",
		`name="` + strings.Repeat("x", 99) + `"`: strings.Repeat("x", 40),
	} {
		if got := aboutName(line); got != want {
			t.Errorf("%q names %q, want %q", line, got, want)
		}
	}
	for command, want := range map[string]string{`./pbrain-pela -x`: "pela", `wine "/a b/pbrain-w.exe"`: "wine", `/x/rapfi.exe`: "rapfi", `./a.sh`: "a"} {
		if got := programName(command); got != want {
			t.Errorf("%q is called %q, want %q", command, got, want)
		}
	}
}

const pedantWants = "map[game_type:0 max_memory:67108864 rule:4 strength:50 style:-20 thread_num:1 " +
	"time_left:2147483647 timeout_match:0 timeout_turn:100]"

func TestEngineGetsItsClock(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	options := func(o map[string]any) string {
		o["moves"] = "h8"
		if end := last(q.think(o)); end.Moves == "" {
			t.Fatalf("%+v", end)
		}
		w := q.server.pool.idle[0]
		return fmt.Sprint(w.options["timeout_turn"], " ", w.options["timeout_match"], " ", w.options["time_left"], " ", w.options["time_increment"])
	}
	if got := options(map[string]any{"millis": 90_000, "match": 60_000, "left": 45_500, "increment": 2000}); got != "90000 60000 45500 2000" {
		t.Errorf("with a clock: %s", got)
	}
	if got := options(map[string]any{"millis": 100}); got != "100 0 2147483647 0" {
		t.Errorf("without: %s", got)
	}
	for _, key := range []string{"match", "left", "increment"} {
		for _, v := range []int{-1, maxClock + 1} {
			o := map[string]any{"game": "game-of-a-test", "millis": 9, "width": 15, "height": 15, key: v}
			if status, code := q.ask("/api/think", o, &struct{}{}); status != 400 || code != "millis" {
				t.Errorf("%s %d: %d %s", key, v, status, code)
			}
		}
	}
}

func TestEngineGetsAllOptions(t *testing.T) {
	q := newTester(t, 1, stub("pedant"))
	order := map[string]any{"moves": "h8", "rule": 4, "style": -20, "lines": 3}
	if end := last(q.think(order)); end.Moves == "" {
		t.Errorf("%s, want %s", end.Error, pedantWants)
	}
	order["style"], order["strength"] = 30, 70
	if end := last(q.think(order)); end.Moves != "" {
		t.Errorf("another style was not sent: %+v", end)
	}
	order["style"], order["strength"] = -20, 50
	if end := last(q.think(order)); end.Moves == "" {
		t.Errorf("back again: %s", end.Error)
	}
}

// Two engines of one name are told apart by their commands.
func TestLabels(t *testing.T) {
	p := newPool([]spec{{command: "./pbrain-a -fast"}, {command: "./pbrain-a -slow"}, {command: "./b"}, {command: "Tengen", own: true}}, 1, 1<<20)
	p.names = []string{"Tengen", "", "", ""}
	for i, want := range []string{"Tengen (./pbrain-a -fast)", "a", "b", "Tengen (built in)"} {
		if got := p.label(i); got != want {
			t.Errorf("engine %d is called %q, want %q", i, got, want)
		}
	}
}

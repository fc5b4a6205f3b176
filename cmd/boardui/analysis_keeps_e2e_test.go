//go:build e2e

package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// depth is that of the figures beside the board, 0 if there is none.
func (b *browser) depth() int {
	b.t.Helper()
	n, _ := strconv.Atoi(b.text(`parseInt(document.querySelector('#figures dd')?.textContent) || 0`))
	return n
}

// deepen waits for a depth.
func (b *browser) deepen(depth int) {
	b.t.Helper()
	b.wait(fmt.Sprint("depth ", depth), fmt.Sprintf(`parseInt(document.querySelector('#figures dd')?.textContent) >= %d`, depth))
}

// found is what a person sees of an analysis: lines, badges, and how bright they are.
func (b *browser) found() (lines, badges int, gray bool) {
	b.t.Helper()
	var f struct {
		Lines, Badges int
		Gray          bool
	}
	b.js(`const seen = (e) => e.getBoundingClientRect().height > 0, list = [...document.querySelectorAll('#lines button')].filter(seen), soft = getComputedStyle(document.querySelector('.player small')).color;
		return { Lines: list.length, Badges: [...document.querySelectorAll('#g-above .badge')].filter(seen).length, Gray: list.length > 0 && list.every((e) => getComputedStyle(e.querySelector('span')).color === soft) }`, &f)
	return f.Lines, f.Badges, f.Gray
}

// An analysis that is stopped stays, in gray, until another position is shown.
func TestStopKeepsTheAnalysis(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both"})
	b.place("h8", "i9", "h9", "h10", "i8")
	b.analyze()
	b.deepen(4)
	if lines, badges, gray := b.found(); lines < 1 || badges < 1 || gray {
		t.Errorf("while it runs: %d lines, %d badges, gray: %v", lines, badges, gray)
	}
	b.click("#start")
	b.wait("it has stopped", `document.getElementById('start').getAttribute('aria-pressed') === 'false'`)
	if lines, badges, gray := b.found(); lines < 1 || badges < 1 || !gray {
		t.Errorf("when it has stopped: %d lines, %d badges, gray: %v", lines, badges, gray)
	}
	if b.depth() < 4 {
		t.Errorf("the depth is %d", b.depth())
	}
	b.shot("stopped")
	b.click("#prev")
	b.settle()
	if lines, badges, _ := b.found(); lines+badges > 0 {
		t.Errorf("in another position: %d lines, %d badges", lines, badges)
	}
	b.quiet()
}

// Every position keeps its deepest result: while one steps through the game, and where the analysis
// begins anew.
func TestDeepestResultStays(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both"})
	b.place("h8", "i9", "h9", "h10", "i8")
	b.analyze()
	b.deepen(10)
	before := b.depth()
	again := func(what string) {
		t.Helper()
		// The answers of a new search do not arrive before this looks.
		if depth := b.depth(); depth < before {
			t.Errorf("%s: depth %d, it was %d", what, depth, before)
		}
		if lines, _, _ := b.found(); lines < 2 {
			t.Errorf("%s: %d lines", what, lines)
		}
		before = b.depth()
	}
	const back = `document.getElementById('ply').textContent === '5 / 5' && document.querySelector('#lines button')`
	b.click("#prev")
	b.wait("another position", `document.getElementById('ply').textContent === '4 / 5' && document.querySelector('#lines button')`)
	b.hold("/api/analyze", "")
	b.click("#next")
	b.wait("back again", back)
	again("after another position")
	tools := b.box("#why").Top
	b.js(`document.getElementById('line-count').dispatchEvent(new Event('change', { bubbles: true }))`, nil)
	b.js(`return import(new URL('state.js', location.href)).then((m) => { m.state.analysis.wait = 0; m.changed(); })`, nil)
	b.expect("what an analysis that waits says", b.text(`document.querySelector('#figures dd:last-child').textContent`), "waiting for threads")
	if at := b.box("#why").Top; at != tools {
		t.Errorf("as the analysis waits, its buttons move by %.0f pixels", at-tools)
	}
	b.choose("#line-count", "9")
	again("with more lines")
	b.release("go")
	b.wait("nine lines", `document.querySelectorAll('#lines button').length === 9`)
	again("when more lines have come")
	b.click("#start")
	b.click("#start")
	b.wait("it runs", back)
	again("after a stop")
	b.click("#start")
	score := b.text(`document.getElementById('score').textContent`)
	b.hold("/api/analyze", "")
	b.click("#start")
	b.expect("the score before the first answer", b.text(`document.getElementById('score').textContent`), score)
	b.release("go")
	b.quiet()
}

// A search that gives its threads to another, and begins anew after that, shows less only when it is
// as deep again.
func TestThreadsGivenAwayKeepTheAnalysis(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	url := serve(t, stub("thinker"), own())
	b.visit(url)
	b.newGame(choice{side: "both"})
	b.place("h8", "i9", "h9", "h10", "i8")
	b.panel("analysis")
	b.choose("#thread-count", "2")
	b.click("#start")
	b.deepen(10)
	b.js(`window.least = 99;
		window.watch = setInterval(() => { least = Math.min(least, parseInt(document.querySelector('#figures dd')?.textContent) || 0); }, 5)`, nil)
	other := &tester{t: t, url: strings.TrimSuffix(url, "/"), client: http.DefaultClient}
	for range 3 { // another page wants a move
		if end := last(other.think(map[string]any{"game": "another-page", "moves": "h8", "millis": 200, "strength": 100})); end.Moves == "" {
			t.Fatalf("no move: %+v", end)
		}
	}
	b.wait("it runs again", `document.querySelector('#lines button') && !document.querySelector('#lines li.busy')`)
	b.expect("whether it was less deep meanwhile", b.text(`least >= 10`), "true")
	b.quiet()
}

// busy lets the first engine think about moves of n other games for a minute, each on a thread, or until
// stop is called.
func (q *tester) busy(n int) (stop func()) {
	q.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	q.t.Cleanup(stop)
	for i := range n {
		body := fmt.Sprintf(`{"game":"another-game-%d","engine":0,"width":15,"height":15,"rule":0,"moves":"h8","millis":60000,"strength":100}`, i)
		r, err := http.NewRequestWithContext(ctx, "POST", q.url+"/api/think", strings.NewReader(body))
		if err != nil {
			q.t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", q.url)
		go q.client.Do(r)
	}
	thinking := func() (moves int) {
		p := q.server.pool
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, l := range p.leases {
			if l.rank == forMove {
				moves++
			}
		}
		return moves
	}
	for end := time.Now().Add(waitLimit); thinking() < n; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			q.t.Fatalf("%d engines think, want %d", thinking(), n)
		}
	}
	return stop
}

// An engine that has got its threads and says nothing is not said to wait for them.
func TestHintOfASilentEngine(t *testing.T) {
	t.Parallel()
	q := newTester(t, 2, stub("mute"), own())
	b := startBrowser(t, desktop)
	b.visit(q.url)
	stop := q.busy(2)
	b.panel("analysis")
	b.click("#hint")
	b.wait("it waits", `document.querySelector('#lines').textContent === 'waiting for threads'`)
	stop()
	b.wait("it does not wait any more", `document.querySelector('#lines').textContent === 'looking for the best lines'`)
	b.quiet()
}

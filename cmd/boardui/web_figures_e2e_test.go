//go:build e2e && figures

package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The tests in this file measure the folder of files, each by itself on an idle machine. They have a
// build tag of their own:
//
//	go test -tags e2e,figures -run TestStopInFolder -v ./cmd/boardui -tries 200
var (
	inFirefox = flag.Bool("firefox", false, "measure in firefox, not in chromium")
	tries     = flag.Int("tries", 200, "how often TestStopInFolder stops")
	studying  = flag.Duration("studying", 10*time.Minute, "how long TestMemoryInFolder analyzes")
)

// measured returns a new browser, of the kind that is wanted.
func measured(t *testing.T) *browser {
	t.Helper()
	if *inFirefox {
		return startFirefox(t)
	}
	b := launchBrowser(t)
	t.Cleanup(b.end)
	b.must("GET", "/window", nil, &b.tab)
	return b
}

// cutOff is what firefox says of a page whose scripts it ends, as it may when the page is left for an
// address. Under a driver it ends none for being slow: dom.max_script_run_time is 0.
const cutOff = "Script terminated by timeout"

// silent fails the test if the page wrote to the console.
func (b *browser) silent() {
	b.t.Helper()
	var entries []struct{ Level, Message string }
	b.must("POST", "/se/log", map[string]any{"type": "browser"}, &entries)
	for _, e := range entries {
		if !strings.Contains(e.Message, cutOff) {
			b.t.Errorf("the console says: %s %s", e.Level, e.Message)
		}
	}
}

// Wanted from the page that stops to the answer, in milliseconds.
const (
	usualStop = 50
	worstStop = 150
)

// stopScript defines stops, which analyzes a position again and again, lets the engine stop after some
// time and resolves to the times from the request until the answer; and looks, which asks for the
// look of a position again and again while the program looks for a forced win, and resolves to the
// times of that.
const stopScript = `
	const json = (body, turn) => ({ method: 'POST', headers: { 'Content-Type': 'application/json', ...turn && { 'Tengen-Turn': String(turn) } }, body: JSON.stringify(body) });
	let turns = Date.now() * 1000;
	const pause = (ms) => new Promise((done) => setTimeout(done, ms));
	const stops = async (moves, waits) => {
		const times = [], position = { game: 'stop-stop', width: 15, height: 15, rule: 0, moves };
		for (const wait of waits) {
			const answer = await fetch('/api/analyze', json({ ...position, lines: 4, threads: 1 }, ++turns));
			const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
			let text = (await reader.read()).value; // it searches
			await pause(wait);
			const start = performance.now();
			fetch('/api/hurry', json({ game: position.game }));
			for (let part; !(part = await reader.read()).done;) text += part.value;
			times.push(performance.now() - start);
			if (!JSON.parse(text.trim().split('\n').pop()).moves) throw new Error(text);
			await pause(20); // fewer requests in a second than the program allows
		}
		return times;
	};
	const looks = async (moves, waits) => {
		const times = [], position = { width: 15, height: 15, rule: 0, moves };
		for (const wait of waits) {
			const control = new AbortController();
			const solving = fetch('/api/solve', { ...json({ ...position, game: 'solve-solve', defend: false, millis: 20000 }, ++turns), signal: control.signal }).catch(() => {});
			await pause(wait);
			const start = performance.now();
			const look = await fetch('/api/look', json({ ...position, game: 'looks-looks', threats: false }));
			await look.json();
			times.push(performance.now() - start);
			control.abort();
			await solving;
			await pause(20);
		}
		return times;
	};`

// stopPositions are an opening, a quiet middle game and a sharp one, in which the solver of the search
// works.
var stopPositions = []string{"h8i9", "h8i9h9h10i8g8j8k8", "h8h9i8g8j8k8i9i10g10j7h7i7"}

// checkTimes logs the times of a script, in milliseconds, and fails the test if they are too long.
func checkTimes(t *testing.T, what string, times []float64) {
	t.Helper()
	for i, ms := range times {
		if ms > worstStop/2 {
			t.Logf("%s, try %d: %.0f ms", what, i, ms)
		}
	}
	slices.Sort(times)
	at := func(share float64) float64 { return times[int(share*float64(len(times)-1))] }
	t.Logf("%s, %d tries: median %.0f ms, 90%% %.0f ms, worst %.0f ms", what, len(times), at(0.5), at(0.9), at(1))
	if at(0.5) > usualStop || at(1) > worstStop {
		t.Errorf("%s takes too long", what)
	}
}

// waitsOf returns n times in milliseconds from 50 to 650, the same at every run.
func waitsOf(n int) []int {
	waits := make([]int, n)
	for i := range waits {
		waits[i] = 50 + i*379%600
	}
	return waits
}

// An analysis that is stopped answers soon, and the program hears the page while it looks for a win.
func TestStopInFolder(t *testing.T) {
	url, end := serveFolder(t)
	defer end()
	b := measured(t)
	b.visit(url)
	time.Sleep(time.Second) // the engine has started
	all := map[string][]float64{}
	const batch = 10 // within the time of a request to the driver
	for i, waits := range slices.Collect(slices.Chunk(waitsOf(*tries), batch)) {
		for _, name := range []string{"stops", "looks"} {
			var times []float64
			b.js(fmt.Sprintf("%s return %s(...arguments)", stopScript, name), &times, stopPositions[i%len(stopPositions)], waits)
			all[name] = append(all[name], times...)
		}
	}
	checkTimes(t, "to stop an analysis", all["stops"])
	checkTimes(t, "a look while a win is looked for", all["looks"])
	b.silent()
}

// plainKernels is kernels.js of a browser without vectors.
func plainKernels(script []byte) []byte {
	return bytes.Replace(script, []byte("!WebAssembly.validate(kernels)"), []byte("true"), 1)
}

// noFile is for a file that is not there.
func noFile([]byte) []byte { return nil }

// speedScript thinks about a position and resolves to the nodes and the milliseconds of that.
const speedScript = `const [moves, millis] = arguments;
	return fetch('/api/think', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({
		game: 'speed-' + moves, engine: 0, width: 15, height: 15, rule: 0, moves, millis, strength: 100 }) })
		.then((answer) => answer.text())
		.then((text) => { const last = JSON.parse(text.trim().split('\n').pop()); return [last.report.nodes, last.millis]; });`

// TestSpeedInFolder logs the nodes a second in the page and in the program, whose kernels are plain
// with the tag purego.
func TestSpeedInFolder(t *testing.T) {
	const millis = 4000
	for _, place := range []struct {
		name, suffix string
		edit         func([]byte) []byte
	}{
		{"page", "", nil}, {"page, plain kernels", "/kernels.js", plainKernels}, {"page, tables", ".tnn.bin", noFile},
		{name: "program"},
	} {
		t.Run(place.name, func(t *testing.T) {
			b := measured(t)
			url := ""
			if place.name == "program" {
				url = serve(t, own())
			} else {
				var end func()
				url, end = serveFiles(t, edited(t, place.suffix, place.edit))
				defer end()
			}
			b.visit(url)
			nodes, took := 0, 0
			for _, moves := range stopPositions {
				var got [2]int
				b.js(speedScript, &got, moves, millis)
				nodes, took = nodes+got[0], took+got[1]
			}
			if took == 0 {
				t.Fatal("no time")
			}
			t.Logf("%d nodes a second", nodes*1000/took)
		})
	}
}

// firstMoveScript plays in the middle of the board as soon as that is there, and resolves to the
// milliseconds from the beginning of the navigation to the answer.
const firstMoveScript = `return new Promise((done) => {
	let played = false;
	const look = () => {
		const cell = document.getElementById('c112'), stones = document.querySelectorAll('#g-stones .stone').length;
		if (stones === 2) return done(performance.now());
		if (cell && !played && document.getElementById('ply').dataset.ready === '1') {
			played = true;
			const r = cell.getBoundingClientRect();
			document.getElementById('board').dispatchEvent(new MouseEvent('click', { clientX: r.left + r.width / 2, clientY: r.top + r.height / 2, bubbles: true }));
		}
		setTimeout(look, 5);
	};
	look();
});`

// TestFirstMoveInFolder logs the time from the navigation to the first answer: of a first visit, and
// with the files in the cache of the browser.
func TestFirstMoveInFolder(t *testing.T) {
	times := map[string][]float64{}
	for range 5 {
		url, end := serveFolder(t)
		b := measured(t)
		for _, visit := range []string{"first visit", "second visit"} {
			var took float64
			b.must("POST", "/url", map[string]any{"url": "about:blank"}, nil)
			b.must("POST", "/url", map[string]any{"url": url}, nil)
			b.js(firstMoveScript, &took)
			b.js(`localStorage.clear(); sessionStorage.clear()`, nil)
			times[visit] = append(times[visit], took)
			time.Sleep(2 * time.Second) // the service worker has the files
		}
		b.silent()
		end()
	}
	for _, visit := range []string{"first visit", "second visit"} {
		slices.Sort(times[visit])
		t.Logf("%s: %.0f ms in the median, %.0f to %.0f ms", visit, times[visit][2], times[visit][0], times[visit][4])
	}
}

// memoryOf returns the memory of a process and all that it has started, in MiB: what several share
// counts in parts.
func memoryOf(t *testing.T, root int) int {
	t.Helper()
	parents := map[int]int{}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		t.Fatal("there is no /proc", err)
	}
	for _, name := range stats {
		raw, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(raw), ") ")
		id, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if f := strings.Fields(rest); len(f) > 1 {
			parents[id], _ = strconv.Atoi(f[1])
		}
	}
	kilobytes := 0
	for id := range parents {
		at := id
		for at != root && at > 1 {
			at = parents[at]
		}
		if at != root {
			continue
		}
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", id))
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(raw), "\nPss:")
		var n int
		fmt.Sscan(rest, &n)
		kilobytes += n
	}
	return kilobytes >> 10
}

// TestMemoryInFolder logs how much memory the browser takes more than with an empty page: after a
// move, and after an analysis.
func TestMemoryInFolder(t *testing.T) {
	url, end := serveFolder(t)
	defer end()
	b := measured(t)
	b.must("POST", "/url", map[string]any{"url": "about:blank"}, nil)
	time.Sleep(2 * time.Second)
	before := memoryOf(t, b.driver.Process.Pid)
	b.visit(url)
	b.place("h8")
	t.Logf("after a move: %d MiB, the browser without the page %d MiB", memoryOf(t, b.driver.Process.Pid)-before, before)
	b.analyze()
	for begun := time.Now(); time.Since(begun) < *studying; {
		time.Sleep(min(time.Minute, *studying))
		t.Logf("after %v of an analysis: %d MiB", time.Since(begun).Round(time.Second), memoryOf(t, b.driver.Process.Pid)-before)
	}
	b.silent()
}

// TestFolderInAnyBrowser plays, analyzes, stops and reloads in the browser that is measured.
func TestFolderInAnyBrowser(t *testing.T) {
	url, end := serveFolder(t)
	defer end()
	b := measured(t)
	b.visit(url)
	b.place("h8")
	b.newGame(choice{side: "white"})
	b.choose("#level-black", "5")
	b.place("a1", "o15")
	if n := b.stones(); n != 5 {
		t.Errorf("%d stones after two moves", n)
	}
	b.study()
	before := b.known()
	if before == 0 {
		t.Error("the explorer knows nothing after an analysis")
	}
	b.saved(before)
	b.reload()
	if after := b.known(); after < before {
		t.Errorf("the explorer knows %d positions after a reload, there were %d", after, before)
	}
	b.silent()
}

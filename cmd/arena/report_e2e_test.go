//go:build e2e

package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tengen/cmd/internal/elo"
)

var shots = flag.String("shots", "", "keep screenshots of the report in this folder")

// A browser is a chromium without a window, spoken to over a pair of pipes in the
// DevTools protocol: JSON objects that end in a zero byte.
type browser struct {
	t       *testing.T
	in      io.WriteCloser
	session string
	serial  int

	mu      sync.Mutex
	answers map[int]chan json.RawMessage
	loaded  chan struct{}
	noise   []string // exceptions, errors on the console, requests other than for the page
}

// openBrowser starts chromium and opens an empty page.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("the test needs Debian's chromium: %v", err)
	}
	toR, toW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromR, fromW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run", "--user-data-dir="+t.TempDir(), "--remote-debugging-pipe")
	cmd.ExtraFiles = []*os.File{toR, fromW} // 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toR.Close()
	fromW.Close()
	b := &browser{t: t, in: toW, answers: map[int]chan json.RawMessage{}, loaded: make(chan struct{}, 8)}
	go b.read(fromR)
	t.Cleanup(func() {
		toW.Close() // chromium leaves when its pipe does
		gone := make(chan struct{})
		go func() { cmd.Wait(); close(gone) }()
		select {
		case <-gone:
		case <-time.After(10 * time.Second):
			cmd.Process.Kill()
			<-gone
		}
		fromR.Close()
	})
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

func (b *browser) read(r io.Reader) {
	in := bufio.NewReader(r)
	for {
		raw, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var m struct {
			ID     int
			Method string
			Result json.RawMessage
			Error  json.RawMessage
			Params json.RawMessage
		}
		if json.Unmarshal(raw[:len(raw)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		switch m.Method {
		case "":
			if m.Error != nil {
				b.noise = append(b.noise, "refused: "+string(m.Error))
			}
			if c := b.answers[m.ID]; c != nil {
				c <- m.Result
				delete(b.answers, m.ID)
			}
		case "Page.loadEventFired":
			b.loaded <- struct{}{}
		case "Runtime.exceptionThrown", "Log.entryAdded":
			b.noise = append(b.noise, string(m.Params))
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			json.Unmarshal(m.Params, &p)
			if !strings.HasPrefix(p.Request.URL, "file:") && !strings.HasPrefix(p.Request.URL, "data:") {
				b.noise = append(b.noise, "asked for "+p.Request.URL)
			}
		}
		b.mu.Unlock()
	}
}

// call sends a command and waits for its result.
func (b *browser) call(method string, params any, result any) {
	b.t.Helper()
	b.serial++
	c := make(chan json.RawMessage, 1)
	b.mu.Lock()
	b.answers[b.serial] = c
	b.mu.Unlock()
	message := map[string]any{"id": b.serial, "method": method}
	if params != nil {
		message["params"] = params
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	raw, err := json.Marshal(message)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(raw, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	select {
	case raw := <-c:
		if result != nil {
			if err := json.Unmarshal(raw, result); err != nil {
				b.t.Fatalf("%s answered %s: %v", method, raw, err)
			}
		}
	case <-time.After(60 * time.Second):
		b.t.Fatalf("%s: no answer in a minute", method)
	}
}

// open loads a file and waits until its scripts have run.
func (b *browser) open(file string) {
	b.t.Helper()
	b.visit((&url.URL{Scheme: "file", Path: file}).String())
}

// visit loads an address and waits until its scripts have run.
func (b *browser) visit(address string) {
	b.t.Helper()
	b.call("Page.navigate", map[string]any{"url": address}, nil)
	select {
	case <-b.loaded:
	case <-time.After(60 * time.Second):
		b.t.Fatalf("%s was not loaded in a minute", address)
	}
}

// eval gives the value of a JavaScript expression as text.
func (b *browser) eval(expression string) string {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": "String(" + expression + ")", "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails)
	}
	return fmt.Sprint(r.Result.Value)
}

// press types one key.
func (b *browser) press(key string) {
	b.t.Helper()
	codes := map[string]int{"Enter": 13, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35}
	for _, kind := range []string{"keyDown", "keyUp"} {
		event := map[string]any{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": codes[key]}
		if key == "Enter" && kind == "keyDown" {
			event["text"] = "\r" // presses the button that has the focus
		}
		b.call("Input.dispatchKeyEvent", event, nil)
	}
}

// click presses the mouse at a part of the first element that the selector finds: 0,0 is
// its top left corner, 1,1 its bottom right one.
func (b *browser) click(selector string, partX, partY float64) {
	b.t.Helper()
	at := b.eval(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "nearest"}); const r = e.getBoundingClientRect();
		return (r.left + r.width * %g) + " " + (r.top + r.height * %g); })()`, selector, partX, partY))
	var x, y float64
	if _, err := fmt.Sscan(at, &x, &y); err != nil {
		b.t.Fatalf("%s lies at %q", selector, at)
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}, nil)
	}
}

// look sets the size of the window and the colors a person prefers.
func (b *browser) look(width, height int, scheme string) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// shoot keeps a picture of the whole page if -shots asks for it.
func (b *browser) shoot(name string) {
	b.t.Helper()
	if *shots == "" {
		return
	}
	var r struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}, &r)
	png, err := base64.StdEncoding.DecodeString(r.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(*shots, name+".png"), png, 0o644)
	}
	if err != nil {
		b.t.Error(err)
	}
}

// saveReport writes the page of m to a file.
func saveReport(t *testing.T, m *match) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report of a match.html")
	if err := os.WriteFile(file, []byte(pageOf(t, m)), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// clipped counts the words of the charts that are shown and stick out of their chart.
const clipped = `[...document.querySelectorAll(".chart text")].filter(t => {
	const chart = t.ownerSVGElement.getBoundingClientRect(), box = t.getBoundingClientRect();
	return chart.width > 0 && (box.left < chart.left || box.right > chart.right || box.top < chart.top || box.bottom > chart.bottom);
}).map(t => t.textContent)`

func TestTheReportWorksInChromium(t *testing.T) {
	m := play1(t, settings{
		Engines: []engine{fake(t, "one", "chatter", "1"), fake(t, "two", "", "2"), fake(t, "three-is-a-engine-with-a-long-name", "exits@4", "3")},
		Games:   6, Openings: testOpenings, Rounds: 2,
	})
	games := m.sorted()
	moves := func(i int) int {
		n := len(mustMoves(t, games[i].Moves))
		if n < 6 {
			t.Fatalf("game %d has only %d moves", i+1, n)
		}
		return n
	}
	b := openBrowser(t)
	b.look(1280, 900, "light")
	b.open(saveReport(t, m))

	want := func(what, expression string, value any) {
		t.Helper()
		if got := b.eval(expression); got != fmt.Sprint(value) {
			t.Errorf("%s: %s is %s, want %v", what, expression, got, value)
		}
	}
	const ply, stones = `document.body.dataset.ply`, `document.querySelectorAll("#board circle.b, #board circle.w").length`
	want("standings", `document.querySelectorAll("#standings tbody tr").length`, 3)
	want("crosstable", `document.querySelectorAll("#cross tbody tr td:nth-child(n+3)").length`, 9)
	want("list", `document.querySelectorAll("#rows .row").length`, len(games))
	want("the first game stands at its end", ply, moves(0))
	want("its stones", stones, moves(0))
	want("bars of time", `document.querySelectorAll("#times rect").length`, len(games[0].Time))
	want("dots of evaluation", `document.querySelectorAll("#evals circle").length > 2`, true)

	b.eval(`document.getElementById("board").scrollIntoView({block: "center"})`)
	b.press("ArrowLeft")
	want("one move back", ply, moves(0)-1)
	want("one move back", stones, moves(0)-1)
	b.press("Home")
	want("the empty board", stones, 0)
	b.press("ArrowLeft")
	want("before the empty board", ply, 0)
	for range 4 {
		b.press("ArrowRight")
	}
	want("four moves on", stones, 4)
	want("four moves on", `document.querySelector("#moves .on").textContent.startsWith("4")`, true)
	b.press("End")
	want("the end", ply, moves(0))
	b.press("ArrowRight")
	want("after the end", ply, moves(0))
	b.press("ArrowDown")
	want("the second game", `document.body.dataset.game`, 2)
	want("the second game", stones, moves(1))
	b.press("ArrowUp")
	want("the first again", `document.body.dataset.game`, 1)
	b.look(600, 300, "light")
	b.eval(`document.getElementById("rows").focus()`)
	b.eval(`document.getElementById("rows").scrollIntoView({block: "end"})`)
	want("the board is out of sight", `document.getElementById("board").getBoundingClientRect().top > innerHeight`, true)
	b.press("ArrowDown")
	want("the second game in the list", `document.body.dataset.game`, 2)
	want("what a screen reader is told of it", `document.getElementById(document.getElementById("rows").getAttribute("aria-activedescendant")).textContent.startsWith("2")`, true)
	b.press("ArrowUp")
	b.eval(`document.activeElement.blur()`)
	b.look(1280, 900, "light")
	b.eval(`document.getElementById("board").scrollIntoView({block: "center"})`)

	b.click("#first", 0.5, 0.5)
	want("button to the beginning", ply, 0)
	b.click("#next", 0.5, 0.5)
	b.click("#next", 0.5, 0.5)
	want("button on, twice", ply, 2)
	b.eval(`document.getElementById("next").focus()`)
	b.press("Enter")
	b.press("Enter")
	want("Enter on the button, twice", ply, 4)
	b.press("ArrowLeft")
	want("an arrow while a button has the focus", ply, 3)
	b.eval(`document.activeElement.blur()`)
	b.click("#moves li:nth-child(5)", 0.5, 0.5)
	want("the fifth move of the list", ply, 5)
	b.click("#board svg", 0.97, 0.97)
	want("a click on the board", ply, 6)
	b.click("#times svg", 0.99, 0.5)
	want("the right end of the times", ply, moves(0))
	b.click("#rows .row:nth-child(3)", 0.5, 0.5)
	want("the third game", `document.body.dataset.game`, 3)
	b.eval(`(history.replaceState(null, "", "#game=2&move=3"), dispatchEvent(new Event("hashchange")))`)
	want("the game of a link", `document.body.dataset.game`, 2)
	want("the move of a link", ply, 3)
	b.eval(`document.getElementById("how").value = "crash", document.getElementById("how").dispatchEvent(new Event("change"))`)
	crashes := 0
	for _, g := range games {
		if g.Reason == "crash" {
			crashes++
		}
	}
	if crashes == 0 {
		t.Error("no game ended by a crash; the filter was not tested")
	}
	want("only crashes", `document.querySelectorAll("#rows .row").length`, crashes)
	b.eval(`document.getElementById("how").value = "", document.getElementById("how").dispatchEvent(new Event("change"))`)

	const paper = `getComputedStyle(document.body).backgroundColor`
	light := b.eval(paper)
	b.look(1280, 900, "dark")
	if dark := b.eval(paper); dark == light {
		t.Errorf("light and dark have the same background %s", dark)
	}
	b.look(390, 844, "light")
	want("on a phone nothing sticks out", `document.documentElement.scrollWidth <= 390`, true)
	want("names in the chart of a phone", clipped, "")
	b.look(1280, 900, "light")
	want("names in the chart of a desktop", clipped, "")

	b.mu.Lock()
	defer b.mu.Unlock()
	for _, line := range b.noise {
		t.Error(line)
	}
}

// With -shots it leaves pictures for people to look at.
func TestEveryKindOfReportOpens(t *testing.T) {
	test := reportMatch(2)
	test.settings.SPRT = &elo.SPRT{Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.05}
	b := openBrowser(t)
	for name, m := range map[string]*match{"duel": reportMatch(2), "league": reportMatch(6), "test": test} {
		for _, scheme := range []string{"light", "dark"} {
			b.look(1280, 900, scheme)
			b.open(saveReport(t, m))
			if got := b.eval(`document.querySelectorAll("#rows .row").length`); got != fmt.Sprint(len(m.games)) {
				t.Errorf("%s: %s games listed, want %d", name, got, len(m.games))
			}
			b.shoot(name + "-" + scheme)
		}
		b.look(390, 844, "light")
		if got := b.eval(`document.documentElement.scrollWidth <= 390`); got != "true" {
			t.Errorf("%s: the page is wider than a phone", name)
		}
		if got := b.eval(clipped); got != "" {
			t.Errorf("%s: words of the charts of a phone are cut: %s", name, got)
		}
		b.shoot(name + "-narrow")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, line := range b.noise {
		t.Error(line)
	}
}

// A winning move may also complete a row that does not count: six under exact five, or five
// between two stones of the opponent in caro. The mark is on the other row.
func TestTheReportMarksTheRowThatWins(t *testing.T) {
	m := reportMatch(2)
	const column = "d4k1d5m1d6k3d7m3"
	games := []struct {
		rule               int
		moves, result, row string
	}{
		{0, column + "a8k5b8m5c8k7e8m7f8k9d8", "1-0", "0,7,5,7"},
		{1, column + "a8k5b8m5c8k7e8m7f8k9d8", "1-0", "3,3,3,7"},
		{4, column + "a8k5b8m5c8k7e8m7f8k9d8", "1-0", "3,3,3,7"},
		{8, column + "k5a8b8g8c8k7e8m7f8k9d8", "1-0", "3,3,3,7"},
	}
	for i, g := range games {
		of := m.games[i+1]
		of.Rule, of.Moves, of.Result, of.Reason = g.rule, g.moves, g.result, "five"
	}
	b := openBrowser(t)
	b.open(saveReport(t, m))
	for i, g := range games {
		b.click(fmt.Sprintf("#rows .row:nth-child(%d)", i+1), 0.5, 0.5)
		row := b.eval(`[...document.querySelectorAll("#board line.five")].map(l => ["x1", "y1", "x2", "y2"].map(k => l.getAttribute(k)).join(",")).join(" ")`)
		if row != g.row {
			t.Errorf("rule %d: the mark is on %s, want %s", g.rule, row, g.row)
		}
	}
}

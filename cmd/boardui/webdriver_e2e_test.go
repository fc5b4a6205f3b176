//go:build e2e

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
)

// A browser is a chromium without a window, driven by chromedriver over the WebDriver
// protocol: JSON over HTTP.
type browser struct {
	t    *testing.T
	base string // URL of the session
	page string // URL of the page under test

	driver *exec.Cmd
}

// A view is the size of the window; scale is that of a telephone's screen, 0 for none.
type view struct {
	width, height int
	scale         float64
	dark          bool
}

var desktop = view{width: 1280, height: 860}

const waitLimit = 30 * time.Second // for what takes no time on an idle machine

// unused are browsers that a test has finished with. Every test serves the page on a port of
// its own, so that they share no storage.
var unused = map[view][]*browser{}

func init() {
	atEnd = append(atEnd, func() {
		for _, list := range unused {
			for _, b := range list {
				b.end()
			}
		}
	})
}

// startBrowser returns a chromium with the given window, started if there is none unused.
func startBrowser(t *testing.T, v view) *browser {
	t.Helper()
	var b *browser
	if list := unused[v]; len(list) > 0 {
		b = list[len(list)-1]
		unused[v] = list[:len(list)-1]
		b.t, b.page = t, ""
		b.clearLogs()
	} else {
		b = launchBrowser(t, v)
	}
	t.Cleanup(func() {
		if b.empty() == nil {
			unused[v] = append(unused[v], b)
		} else {
			b.end()
		}
	})
	return b
}

// empty closes all tabs but one and leaves that without a page.
func (b *browser) empty() error {
	raw, err := b.send("GET", "/window/handles", nil)
	var handles []string
	if err == nil {
		err = json.Unmarshal(raw, &handles)
	}
	for i, h := range handles {
		if err == nil {
			_, err = b.send("POST", "/window", map[string]any{"handle": h})
		}
		if err == nil && i < len(handles)-1 {
			_, err = b.send("DELETE", "/window", nil)
		}
	}
	if err == nil {
		_, err = b.send("POST", "/url", map[string]any{"url": "about:blank"})
	}
	return err
}

// end ends the browser and its driver.
func (b *browser) end() {
	b.send("DELETE", "", nil)
	b.driver.Process.Kill()
	b.driver.Wait()
}

// clearLogs forgets what was logged until now.
func (b *browser) clearLogs() {
	b.t.Helper()
	for _, kind := range []string{"browser", "performance"} {
		b.must("POST", "/se/log", map[string]any{"type": kind}, nil)
	}
}

func launchBrowser(t *testing.T, v view) *browser {
	t.Helper()
	for _, program := range []string{"chromium", "chromedriver"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("the test needs Debian's chromium and chromium-driver: %v", err)
		}
	}
	driver := exec.Command("chromedriver", "--port=0", "--log-level=WARNING")
	stdout, err := driver.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := driver.Start(); err != nil {
		t.Fatal(err)
	}
	started := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			if m := regexp.MustCompile(`successfully on port (\d+)`).FindStringSubmatch(lines.Text()); m != nil {
				started <- m[1]
			}
		}
	}()
	b := &browser{t: t, driver: driver}
	select {
	case port := <-started:
		b.base = "http://127.0.0.1:" + port
	case <-time.After(waitLimit):
		driver.Process.Kill()
		t.Fatal("chromedriver does not start")
	}
	args := []string{
		"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
		fmt.Sprintf("--window-size=%d,%d", v.width, v.height), // the profile is a folder of the driver's own
	}
	if v.dark {
		args = append(args, "--force-dark-mode")
	}
	options := map[string]any{"args": args}
	if v.scale > 0 {
		options["mobileEmulation"] = map[string]any{
			"deviceMetrics": map[string]any{"width": v.width, "height": v.height, "pixelRatio": v.scale, "touch": true},
		}
	}
	var session struct {
		SessionID string `json:"sessionId"`
	}
	b.must("POST", "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"browserName": "chrome", "goog:chromeOptions": options,
		"goog:loggingPrefs": map[string]string{"browser": "ALL", "performance": "ALL"},
	}}}, &session)
	b.base += "/session/" + session.SessionID
	if v.scale == 0 {
		b.must("POST", "/window/rect", map[string]any{"width": v.width, "height": v.height}, nil)
	}
	// The browser's own first page makes requests too; only those from here on count.
	b.must("POST", "/url", map[string]any{"url": "about:blank"}, nil)
	b.clearLogs()
	return b
}

// send makes a request of the WebDriver protocol and returns its value.
func (b *browser) send(method, path string, body any) (json.RawMessage, error) {
	var r io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		r = bytes.NewReader(raw)
	}
	request, err := http.NewRequest(method, b.base+path, r)
	if err != nil {
		return nil, err
	}
	response, err := (&http.Client{Timeout: time.Minute}).Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var answer struct{ Value json.RawMessage }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s %s: %s", method, path, answer.Value)
	}
	return answer.Value, nil
}

func (b *browser) must(method, path string, body, result any) {
	b.t.Helper()
	raw, err := b.send(method, path, body)
	if err == nil && result != nil {
		err = json.Unmarshal(raw, result)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// visit opens the page and waits until it has asked for the engines.
func (b *browser) visit(url string) {
	b.t.Helper()
	b.page = url
	b.must("POST", "/url", map[string]any{"url": url}, nil)
	b.wait("the page is drawn", `document.querySelectorAll('#board [role=gridcell]').length > 0 && document.querySelector('#player-black select').options.length > 1`)
	b.settle()
}

// js runs a script in the page; its value must be of the type of the result.
func (b *browser) js(script string, result any, args ...any) {
	b.t.Helper()
	if args == nil {
		args = []any{}
	}
	b.must("POST", "/execute/sync", map[string]any{"script": script, "args": args}, result)
}

func (b *browser) text(script string) string {
	b.t.Helper()
	var s string
	b.js("return String("+script+")", &s)
	return s
}

// wait waits until the expression is true.
func (b *browser) wait(what, expression string) {
	b.t.Helper()
	for end := time.Now().Add(waitLimit); ; time.Sleep(20 * time.Millisecond) {
		var ok bool
		b.js("return Boolean("+expression+")", &ok)
		if ok {
			return
		}
		if time.Now().After(end) {
			b.t.Fatalf("%s: not in time. Banner %q, toast %q, moves %s", what, b.banner(), b.text(`document.querySelector('#toast span').textContent`), b.moves())
		}
	}
}

const elementKey = "element-6066-11e4-a52e-4f735466cecf"

func (b *browser) find(css string) string {
	b.t.Helper()
	var e map[string]string
	b.must("POST", "/element", map[string]any{"using": "css selector", "value": css}, &e)
	return e[elementKey]
}

func (b *browser) click(css string) {
	b.t.Helper()
	b.must("POST", "/element/"+b.find(css)+"/click", map[string]any{}, nil)
}

// choose sets a list or a field to a value, as a person would.
func (b *browser) choose(css, value string) {
	b.t.Helper()
	b.js(`const e = document.querySelector(arguments[0]); e.value = arguments[1];
		e.dispatchEvent(new Event('input', {bubbles: true})); e.dispatchEvent(new Event('change', {bubbles: true}));`, nil, css, value)
}

// cell is the selector of a point.
func (b *browser) cell(name string) string {
	b.t.Helper()
	var width int
	b.js(`return Number(document.getElementById('board').getAttribute('aria-colcount'))`, &width)
	m, err := board.ParseMoves(name, board.MaxSize, board.MaxSize)
	if err != nil || len(m) != 1 {
		b.t.Fatalf("%s is no point", name)
	}
	return fmt.Sprintf("#c%d", m[0].Y()*width+m[0].X())
}

// place clicks on points one after the other, each when it is a person's turn.
func (b *browser) place(names ...string) {
	b.t.Helper()
	for _, name := range names {
		b.settle()
		b.click(b.cell(name))
	}
	b.settle()
}

// settle waits until no engine thinks and the server has answered. An event of the last
// action may still be pending (such as that of a dialog's closing); a timer of the page
// lets it run first.
func (b *browser) settle() {
	b.t.Helper()
	b.js(`return new Promise((done) => setTimeout(done, 30))`, nil)
	b.wait("nothing moves", `!document.querySelector('.player.thinking') && document.getElementById('ply').dataset.ready === '1'`)
}

// keys types into whatever has the focus.
func (b *browser) keys(keys ...string) {
	b.t.Helper()
	var actions []any
	for _, k := range keys {
		actions = append(actions, map[string]any{"type": "keyDown", "value": k}, map[string]any{"type": "keyUp", "value": k})
	}
	b.must("POST", "/actions", map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keyboard", "actions": actions}}}, nil)
}

// point does something with a mouse or a finger in the middle of an element.
func (b *browser) point(css, kind string, then ...map[string]any) {
	b.t.Helper()
	move := map[string]any{"type": "pointerMove", "origin": map[string]any{elementKey: b.find(css)}, "x": 0, "y": 0}
	b.must("POST", "/actions", map[string]any{"actions": []any{map[string]any{
		"type": "pointer", "id": kind, "parameters": map[string]any{"pointerType": kind},
		"actions": append([]map[string]any{move}, then...),
	}}}, nil)
}

func press(button int) []map[string]any {
	return []map[string]any{{"type": "pointerDown", "button": button}, {"type": "pointerUp", "button": button}}
}

func (b *browser) moveMouse(css string)  { b.t.Helper(); b.point(css, "mouse") }
func (b *browser) rightClick(css string) { b.t.Helper(); b.point(css, "mouse", press(2)...) }
func (b *browser) tap(css string)        { b.t.Helper(); b.point(css, "touch", press(0)...) }

func (b *browser) banner() string {
	b.t.Helper()
	return b.text(`document.querySelector('#banner span')?.textContent`)
}

// moves are the stones of the current line as the page keeps them, in pos notation.
func (b *browser) moves() string {
	b.t.Helper()
	return b.text(`(() => { const g = JSON.parse(localStorage.getItem('tengen.game.' + sessionStorage.getItem('tengen.tab')));
		if (!g) return 'none';
		let text = '';
		for (let at = g.root; at.next?.[at.on]; ) {
			at = at.next[at.on];
			text += at.cell < 0 ? '-' : String.fromCharCode(97 + at.cell % g.width) + (Math.floor(at.cell / g.width) + 1);
		}
		return text; })()`)
}

// stones counts the stones on the board.
func (b *browser) stones() int {
	b.t.Helper()
	var n int
	b.js(`return document.querySelectorAll('#g-stones .stone').length`, &n)
	return n
}

// quiet fails the test if the page wrote to the console, other than what is expected, or
// made a request to another server.
func (b *browser) quiet(expected ...string) {
	b.t.Helper()
	var entries []struct{ Level, Message string }
	b.must("POST", "/se/log", map[string]any{"type": "browser"}, &entries)
	for _, e := range entries {
		if !slices.ContainsFunc(expected, func(s string) bool { return strings.Contains(e.Message, s) }) {
			b.t.Errorf("the console says: %s %s", e.Level, e.Message)
		}
	}
	b.must("POST", "/se/log", map[string]any{"type": "performance"}, &entries)
	asked := 0
	for _, e := range entries {
		var m struct {
			Message struct {
				Method string
				Params struct{ Request struct{ URL string } }
			}
		}
		if json.Unmarshal([]byte(e.Message), &m) != nil || m.Message.Method != "Network.requestWillBeSent" {
			continue
		}
		asked++
		url := m.Message.Params.Request.URL
		if !strings.HasPrefix(url, b.page) && !strings.HasPrefix(url, "data:") && !strings.HasPrefix(url, "blob:"+b.page) {
			b.t.Errorf("the page asked for %s", url)
		}
	}
	if asked == 0 {
		b.t.Error("no request was seen")
	}
}

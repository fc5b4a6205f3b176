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
	"strconv"
	"strings"
	"sync"
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

	tab    string // that the test begins in
	view   view   // of that
	script string // see omitWorker
	driver *exec.Cmd

	touched bool // by touches that the driver did not send, after which it may lose one of its own
}

// A view is the size of the window; scale is that of a phone's screen, 0 for none.
type view struct {
	width, height int
	scale         float64
}

var desktop = view{width: 1280, height: 860}

const waitLimit = time.Minute // for what takes no time on an idle machine

// unused are browsers that a test has finished with. Every test serves the page on a port of
// its own, so that they share no storage. Tests that do not measure time or memory are parallel.
var unused struct {
	sync.Mutex
	list []*browser
}

func init() {
	atEnd = append(atEnd, func() {
		for _, b := range unused.list {
			b.end()
		}
	})
}

// startBrowser returns a chromium with the given window, started if there is none unused.
func startBrowser(t *testing.T, v view) *browser {
	t.Helper()
	var b *browser
	unused.Lock()
	if n := len(unused.list); n > 0 {
		b, unused.list = unused.list[n-1], unused.list[:n-1]
	}
	unused.Unlock()
	if b == nil {
		b = launchBrowser(t)
	} else {
		b.t, b.page = t, ""
		b.clearLogs()
	}
	var tab string
	b.must("GET", "/window", nil, &tab)
	if tab != b.tab { // a test has closed the one before
		b.tab, b.view, b.script = tab, view{}, b.omitWorker()
		b.keepNotes()
	}
	b.resize(v)
	t.Cleanup(func() {
		if b.touched || b.empty() != nil {
			b.end()
			return
		}
		unused.Lock()
		unused.list = append(unused.list, b)
		unused.Unlock()
	})
	return b
}

// resize makes the tab a window, or the screen of a phone.
func (b *browser) resize(v view) {
	b.t.Helper()
	if v == b.view {
		return
	}
	b.view = v
	b.devtools("Emulation.setDeviceMetricsOverride", map[string]any{"width": v.width, "height": v.height, "deviceScaleFactor": max(v.scale, 1), "mobile": v.scale > 0})
	b.devtools("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": v.scale > 0, "maxTouchPoints": 2})
}

// devtools sends a command of the DevTools protocol.
func (b *browser) devtools(command string, parameters map[string]any) {
	b.t.Helper()
	b.must("POST", "/goog/cdp/execute", map[string]any{"cmd": command, "params": parameters}, nil)
}

// empty closes all tabs but one and leaves that without a page.
func (b *browser) empty() error {
	raw, err := b.send("GET", "/window/handles", nil)
	var handles []string
	if err == nil {
		err = json.Unmarshal(raw, &handles)
	}
	if i := slices.Index(handles, b.tab); i >= 0 {
		handles = append(slices.Delete(handles, i, i+1), b.tab)
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

func launchBrowser(t *testing.T) *browser {
	t.Helper()
	for _, program := range []string{"chromium", "chromedriver"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("the test needs Debian's chromium and chromium-driver: %v", err)
		}
	}
	b := &browser{t: t}
	for try := 1; ; try++ {
		err := b.startDriver()
		if err == nil {
			err = b.startSession()
		}
		if err == nil {
			break
		}
		// A driver that said nothing for half a minute, and a browser that never answered, have been seen on busy machines.
		if try == 3 {
			t.Fatal(err)
		}
		t.Log(err)
	}
	// The browser's own first page makes requests too; only those from here on count.
	b.must("POST", "/url", map[string]any{"url": "about:blank"}, nil)
	b.clearLogs()
	return b
}

// startDriver starts chromedriver.
func (b *browser) startDriver() error {
	b.driver = exec.Command("chromedriver", "--port=0", "--log-level=WARNING")
	stdout, err := b.driver.StdoutPipe()
	if err != nil {
		return err
	}
	if err := b.driver.Start(); err != nil {
		return err
	}
	started := make(chan string, 1)
	go func() {
		var said []string
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			said = append(said, lines.Text())
			if m := regexp.MustCompile(`successfully on port (\d+)`).FindStringSubmatch(lines.Text()); m != nil {
				started <- m[1]
			}
		}
		select {
		case started <- strings.Join(said, "; "): // it has ended
		default:
		}
	}()
	said := "nothing"
	select {
	case said = <-started:
	case <-time.After(waitLimit):
	}
	if _, err := strconv.Atoi(said); err != nil {
		b.driver.Process.Kill()
		return fmt.Errorf("chromedriver does not start; it says %s", said)
	}
	b.base = "http://127.0.0.1:" + said
	return nil
}

// startSession starts the driver's browser.
func (b *browser) startSession() error {
	args := []string{ // the profile is a folder of the driver's own
		"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
		"--disable-extensions", "--disable-component-update", "--disable-background-networking", "--disable-sync",
		fmt.Sprintf("--window-size=%d,%d", desktop.width, desktop.height),
		// Frames of animations and a process for every page take the processors.
		"--force-prefers-reduced-motion", "--disable-site-isolation-trials", "--renderer-process-limit=1",
		"--disable-back-forward-cache", "--disable-features=SpareRendererForSitePerProcess,PaintHolding", "--enable-features=NetworkServiceInProcess2",
	}
	options := map[string]any{"args": args}
	var session struct {
		SessionID string `json:"sessionId"`
	}
	raw, err := b.sendWithin(waitLimit, "POST", "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"browserName": "chrome", "goog:chromeOptions": options,
		"goog:loggingPrefs": map[string]string{"browser": "ALL", "performance": "ALL"},
	}}})
	if err == nil {
		err = json.Unmarshal(raw, &session)
	}
	if err != nil {
		b.driver.Process.Kill()
		return err
	}
	b.base += "/session/" + session.SessionID
	return nil
}

// before lets a script run in every page of the tab before those of the page. It returns the name that
// after needs to end that.
func (b *browser) before(source string) (name string) {
	b.t.Helper()
	var script struct{ Identifier string }
	b.must("POST", "/goog/cdp/execute", map[string]any{"cmd": "Page.addScriptToEvaluateOnNewDocument", "params": map[string]any{"source": source}}, &script)
	return script.Identifier
}

// forget ends what before has begun.
func (b *browser) forget(name string) {
	b.t.Helper()
	b.devtools("Page.removeScriptToEvaluateOnNewDocument", map[string]any{"identifier": name})
}

// omitWorker lets pages do without a service worker, which would load all files again for every
// test. It returns the name of that for withWorker.
func (b *browser) omitWorker() (name string) {
	b.t.Helper()
	return b.before("Object.defineProperty(Navigator.prototype, 'serviceWorker', {value: undefined})")
}

// keepNotes lets the notes of pages stay until they are read, however slow the machine is.
func (b *browser) keepNotes() {
	b.t.Helper()
	b.before("{ const timer = setTimeout; window.setTimeout = (f, ms, ...args) => timer(f, ms === 4000 || ms === 8000 ? 20 * ms : ms, ...args); }")
}

// withWorker lets the pages of this test have their service worker.
func (b *browser) withWorker() {
	b.t.Helper()
	b.forget(b.script)
	b.t.Cleanup(func() { b.script = b.omitWorker() })
}

// send makes a request of the WebDriver protocol and returns its value.
func (b *browser) send(method, path string, body any) (json.RawMessage, error) {
	return b.sendWithin(3*time.Minute, method, path, body)
}

// sendWithin is send with a limit of time.
func (b *browser) sendWithin(limit time.Duration, method, path string, body any) (json.RawMessage, error) {
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
	response, err := (&http.Client{Timeout: limit}).Do(request)
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

// reload loads the page again and waits until it has asked for the engines.
func (b *browser) reload() {
	b.t.Helper()
	b.must("POST", "/refresh", map[string]any{}, nil)
	b.wait("the page is back", `document.querySelector('#player-white select')?.options.length > 1`)
	b.settle()
}

// openTab opens another tab, shows it and returns its name.
func (b *browser) openTab() string {
	b.t.Helper()
	var tab struct{ Handle string }
	b.must("POST", "/window/new", map[string]any{"type": "tab"}, &tab)
	b.showTab(tab.Handle)
	b.keepNotes()
	return tab.Handle
}

// showTab shows a tab that is open.
func (b *browser) showTab(name string) {
	b.t.Helper()
	b.must("POST", "/window", map[string]any{"handle": name}, nil)
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

// wait waits until the expression is true. The page itself looks again and again, for a second at a time.
func (b *browser) wait(what, expression string) {
	b.t.Helper()
	for end := time.Now().Add(waitLimit); ; {
		var ok bool
		b.js(`return new Promise((done, fail) => {
			const end = performance.now() + 1000;
			const look = () => {
				try {
					if (`+expression+`) done(true);
					else if (performance.now() > end) done(false);
					else setTimeout(look, 20);
				} catch (error) {
					fail(error);
				}
			};
			look();
		})`, &ok)
		if ok {
			return
		}
		if time.Now().After(end) {
			b.t.Fatalf("%s: not in time. Banner %q, toast %q, moves %s; %s", what, b.banner(), b.text(`document.querySelector('#toast span').textContent`), b.moves(),
				b.text(`[document.querySelector('.player.thinking small')?.textContent, 'ready ' + document.getElementById('ply').dataset.ready, document.documentElement.className]`))
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

// middle is where a person sees the middle of an element, in the window, and what lies over it
// there, if something does. The page is scrolled to the element if it is not in view.
func (b *browser) middle(css string) (x, y int, over string) {
	b.t.Helper()
	var at struct {
		X, Y int
		Over string
	}
	b.js(`const e = document.querySelector(arguments[0]);
		if (e?.closest('#more-actions[hidden]')) document.getElementById('more').click();
		if (!e) return {X: 0, Y: 0, Over: 'nothing of that name'};
		const middle = () => { const r = e.getBoundingClientRect(); return [r, Math.floor(r.left + r.width / 2), Math.floor(r.top + r.height / 2)]; };
		let [r, x, y] = middle();
		if (r.top < 0 || r.bottom > innerHeight || !e.contains(document.elementFromPoint(x, y))) {
			e.scrollIntoView({block: 'center', behavior: 'instant'});
			[r, x, y] = middle();
		}
		const top = document.elementFromPoint(x, y);
		return {X: x, Y: y, Over: !r.width || !r.height ? 'no place for it' : e.contains(top) ? '' : top ? top.outerHTML.slice(0, 100) : 'the edge of the window'}`, &at, css)
	return at.X, at.Y, at.Over
}

// click presses the mouse on an element, or a finger on the screen of a phone.
func (b *browser) click(css string) {
	b.t.Helper()
	if _, _, over := b.middle(css); over != "" {
		b.t.Fatalf("%s cannot be clicked: there is %s", css, over)
	}
	kind := "mouse"
	if b.view.scale > 0 {
		kind = "touch"
	}
	b.pointInView(css, kind, press(0)...)
}

// choose sets a list or a field to a value, as a person would.
func (b *browser) choose(css, value string) {
	b.t.Helper()
	b.js(`const e = document.querySelector(arguments[0]); e.value = arguments[1];
		e.dispatchEvent(new Event('input', {bubbles: true})); e.dispatchEvent(new Event('change', {bubbles: true}));`, nil, css, value)
}

// language chooses a language and waits for its words.
func (b *browser) language(name string) {
	b.t.Helper()
	b.choose("#language", name)
	b.wait("the language "+name, `document.documentElement.lang.startsWith('`+name+`')`)
}

// cell is the selector of a point.
func (b *browser) cell(name string) string {
	b.t.Helper()
	return b.cells(name)[0]
}

func (b *browser) cells(names ...string) []string {
	b.t.Helper()
	var width int
	b.js(`return Number(document.getElementById('board').getAttribute('aria-colcount'))`, &width)
	var list []string
	for _, name := range names {
		m, err := board.ParseMoves(name, board.MaxSize, board.MaxSize)
		if err != nil || len(m) != 1 {
			b.t.Fatalf("%s is no point", name)
		}
		list = append(list, fmt.Sprintf("#c%d", m[0].Y()*width+m[0].X()))
	}
	return list
}

// place clicks on points one after the other, each when it is a person's turn.
func (b *browser) place(names ...string) {
	b.t.Helper()
	for _, cell := range b.cells(names...) {
		b.settle()
		b.click(cell)
	}
	b.settle()
}

// settle waits until no engine thinks, the server has answered, and the page waits for nothing else that a
// click has asked for. An event of the last action may
// still be pending, such as that of a dialog's closing, which comes with the next frame: on a busy
// machine that takes a while. A tab in the background has no frames.
func (b *browser) settle() {
	b.t.Helper()
	const calm = `!document.querySelector('.player.thinking') && document.getElementById('ply').dataset.ready === '1' && !document.documentElement.classList.contains('waits')`
	var ok bool
	b.js(`return new Promise((done) => {
		const end = performance.now() + arguments[0];
		const look = () => `+calm+` ? done(true) : performance.now() > end ? done(false) : setTimeout(look, 10);
		let begun = false;
		const begin = () => { if (!begun) setTimeout(look, 30); begun = true; };
		requestAnimationFrame(begin);
		setTimeout(begin, 1000);
	})`, &ok, waitLimit.Milliseconds()/2)
	if !ok {
		b.wait("nothing moves", calm)
	}
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

// act moves a mouse or a finger to a point of the window and does something there.
func (b *browser) act(kind string, x, y int, then ...map[string]any) {
	b.t.Helper()
	if err := b.pointer(kind, map[string]any{"type": "pointerMove", "origin": "viewport", "x": x, "y": y}, then); err != nil {
		b.t.Fatal(err)
	}
}

// point does something with a mouse or a finger in the middle of an element.
func (b *browser) point(css, kind string, then ...map[string]any) {
	b.t.Helper()
	b.middle(css) // scrolls there
	b.pointInView(css, kind, then...)
}

// pointInView is point for an element in view. The driver looks where that is at the last moment: the
// page may move it when the server answers. If the page has put another element in its place since it
// was found, nothing has been pressed, and that one is found.
func (b *browser) pointInView(css, kind string, then ...map[string]any) {
	b.t.Helper()
	for end := time.Now().Add(waitLimit); ; b.middle(css) {
		err := b.pointer(kind, map[string]any{"type": "pointerMove", "origin": map[string]string{elementKey: b.find(css)}, "x": 0, "y": 0}, then)
		if err == nil {
			return
		}
		if !strings.Contains(err.Error(), "stale element reference") || time.Now().After(end) {
			b.t.Fatal(err)
		}
	}
}

// pointer moves a mouse or a finger, then does something there.
func (b *browser) pointer(kind string, move map[string]any, then []map[string]any) error {
	_, err := b.send("POST", "/actions", map[string]any{"actions": []any{map[string]any{
		"type": "pointer", "id": kind, "parameters": map[string]any{"pointerType": kind},
		"actions": append([]map[string]any{move}, then...),
	}}})
	return err
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

// gameID is the id of the game of the tab.
func (b *browser) gameID() string {
	b.t.Helper()
	return b.text(`sessionStorage.getItem('tengen.tab')`)
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

//go:build e2e

package main

import (
	"bytes"
	"context"
	"flag"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/database"
)

// webFolder is the board as files, exported once.
var webFolder = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "tengen-folder")
	if err == nil {
		atEnd = append(atEnd, func() { os.RemoveAll(dir) })
		err = export(context.Background(), dir)
	}
	return dir, err
})

// exported returns the folder with the board as files.
func exported(t *testing.T) string {
	t.Helper()
	dir, err := webFolder()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var inFolder = flag.Bool("folder", false, "test the exported folder wherever no other engine is needed, and nothing else")

// serveFolder serves the exported board in a folder of a plain file server until end is called.
func serveFolder(t *testing.T) (url string, end func()) {
	t.Helper()
	dir := exported(t)
	return serveFiles(t, http.FileServer(http.Dir(dir)))
}

// serveFiles serves the files of a handler in a folder of a host until end is called.
func serveFiles(t *testing.T, files http.Handler) (url string, end func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.StripPrefix("/some/where", files)}
	go server.Serve(listener)
	return "http://" + listener.Addr().String() + "/some/where/", func() { server.Close() }
}

// edited serves the files of the folder, those of a name as edit returns them; nil is for none.
func edited(t *testing.T, suffix string, edit func(data []byte) []byte) http.Handler {
	t.Helper()
	dir := exported(t)
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if suffix == "" || !strings.HasSuffix(r.URL.Path, suffix) {
			files.ServeHTTP(w, r)
			return
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(r.URL.Path)))
		if err == nil {
			data = edit(data)
		}
		if data == nil {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, r.URL.Path, time.Time{}, bytes.NewReader(data))
	})
}

// serveOwn is serve in the exported folder. It skips the test if that needs other engines.
func serveOwn(t *testing.T, specs []spec) string {
	t.Helper()
	if slices.ContainsFunc(specs, func(s spec) bool { return !s.own }) {
		t.Skip("the folder has no other engines")
	}
	url, end := serveFolder(t)
	t.Cleanup(end)
	return url
}

// study uses what the page has of the program besides games.
func (b *browser) study() {
	b.t.Helper()
	lap := b.laps()
	b.newGame(choice{side: "both"})
	b.place("h8", "i9", "h9", "h10", "i8")
	b.panel("analysis")
	b.choose("#line-count", "4")
	for range 2 {
		b.click("#start")
		b.wait("four lines", `document.querySelectorAll('#lines:not(.stopped) button').length === 4 && Number(document.querySelector('#lines small').textContent) >= 3`)
		b.click("#start")
		b.wait("the end of the analysis", `document.querySelectorAll('#lines.stopped button').length === 4`)
	}
	lap("an analysis, stopped and resumed")

	b.loadPos("h8a1i8a3j8a5")
	b.panel("analysis")
	b.click("#solve")
	b.wait("a forced win with its tree", `/wins in/.test(document.querySelector('#proof .headline')?.textContent) && document.querySelector('#proof button')`)
	lap("a forced win")

	b.panel("puzzles")
	b.click("#puzzle-start")
	b.wait("a puzzle", `document.getElementById('puzzle-task').textContent`)
	b.click("#puzzle-solution")
	b.wait("its solution", `document.querySelectorAll('#g-above .ghost').length > 0`)
	b.click("#puzzle-leave")
	b.settle()
	lap("a puzzle")

	b.open("study.sgf", "(;FF[4]GM[4]SZ[15];B[hh]C[first];W[ii])")
	b.place("j8")
	b.dialog("files")
	saved := string(b.download("#save-sgf", "*.sgf"))
	if !strings.Contains(saved, "C[first]") || !strings.Contains(saved, "B[jh]") {
		b.t.Errorf("saved: %s", saved)
	}
	b.click("#files-dialog .end button")
	lap("a file")
}

// keptScript resolves to what the browser keeps of the explorer, in base64.
const keptScript = `return new Promise((done) => {
	const opening = indexedDB.open('tengen', 1);
	opening.onupgradeneeded = () => opening.transaction.abort(); // the program has made nothing yet
	opening.onerror = () => done('');
	opening.onsuccess = () => {
		const base = opening.result, asked = base.transaction('files').objectStore('files').get('positions.db');
		asked.onsuccess = () => {
			base.close();
			done(btoa(Array.from(asked.result?.data || [], (c) => String.fromCharCode(c)).join('')));
		};
	};
});`

// saved waits until the browser keeps n positions of the explorer.
func (b *browser) saved(n int) {
	b.t.Helper()
	for end, kept := time.Now().Add(waitLimit), 0; kept < n; time.Sleep(50 * time.Millisecond) {
		var raw []byte // which JSON has in base64
		b.js(keptScript, &raw)
		if d, err := database.Read(bytes.NewReader(raw)); err == nil {
			kept = d.Len()
		}
		if kept < n && time.Now().After(end) {
			b.t.Fatalf("the browser keeps %d positions of %d", kept, n)
		}
	}
}

// laps returns a function that logs the time since its last call.
func (b *browser) laps() func(what string) {
	last := time.Now()
	return func(what string) {
		b.t.Logf("%s: %v", what, time.Since(last).Round(time.Millisecond))
		last = time.Now()
	}
}

// known is how many positions the explorer has.
func (b *browser) known() int {
	b.t.Helper()
	b.panel("explorer")
	b.wait("the explorer", `/\d/.test(document.getElementById('known-count').textContent)`)
	n, _ := strconv.Atoi(b.text(`document.getElementById('known-count').textContent.match(/\d+/)[0]`))
	return n
}

// The board plays and reviews without a program on a server, on any path of a web host, keeps what it
// found, and does all that it can without the host, too.
func TestFolderOfFiles(t *testing.T) {
	url, end := serveFolder(t)
	b := startBrowser(t, desktop)
	b.withWorker()
	lap := b.laps()
	b.visit(url)
	b.place("h8")
	lap("from the start to the first answer")
	for _, id := range []string{"phone", "quit", "thread-count"} {
		if b.text(`document.getElementById('`+id+`').getClientRects().length`) != "0" {
			t.Errorf("the page has %s", id)
		}
	}
	b.loadPos("l8i10i12j11j12k11i11j8k12h12l11l12")
	b.panel("review")
	b.choose("#effort", "fast")
	b.click("#review")
	b.wait("the summary", `document.querySelectorAll('#summary tr').length === 6`)
	lap("a review of 12 moves")

	before := b.known()
	if before == 0 {
		t.Error("the explorer knows nothing after a review")
	}
	b.kept()
	b.js(`return (async () => { for (const file of ['tengen.wasm.bin', 'freestyle.tnn.bin']) while (!await caches.match(file)); })()`, nil)
	b.saved(before)
	b.quiet()
	end()
	b.visit(url)
	if after := b.known(); after < before {
		t.Errorf("the explorer knows %d positions after a reload, there were %d", after, before)
	}
	for _, level := range []string{"1", "9"} {
		b.newGame(choice{side: "white"})
		b.choose("#level-black", level)
		b.place("a1", "o15")
		if n := b.stones(); n != 5 {
			t.Errorf("without the host: %d stones after two moves against level %s", n, level)
		}
	}
	lap("two games without the host")
	b.loadPos("i5i7i11i6j6k11g3h4j7j5h7k10k9j10i9h9l10i12m11j8l12j11l9j9j12l11n13i10n12o13k12m12i8h11k8h10g10h12h8h13")
	b.panel("review")
	b.click("#review")
	b.wait("all moves are reviewed", `document.querySelectorAll('#summary tr').length === 6`)
	lap("a review of 40 moves")
	b.study()
	b.quiet(whileGone...)
}

// The explorer says when the browser has no room for its positions, and saves them once it has.
func TestFolderWithoutRoom(t *testing.T) {
	t.Parallel()
	url, end := serveFolder(t)
	defer end()
	_, raw := unsaved(t)
	file := filepath.Join(t.TempDir(), "good.db")
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	b := startBrowser(t, desktop)
	b.visit(url)
	quota := map[string]any{"origin": strings.TrimSuffix(url, "/some/where/"), "quotaSize": 1}
	b.devtools("Storage.overrideQuotaForOrigin", quota)
	b.panel("explorer")
	b.must("POST", "/element/"+b.find("#feed-file")+"/value", map[string]any{"text": file}, nil)
	b.wait("a note", `/^The positions are there, but were not saved /.test(document.querySelector('#toast span').textContent)`)
	b.wait("the position, and that it is not saved", `/^Positions known: 1 · The positions are there, but were not saved /.test(document.getElementById('known-count').textContent)`)
	delete(quota, "quotaSize")
	b.devtools("Storage.overrideQuotaForOrigin", quota)
	b.js(`window.again = setInterval(() => document.getElementById('known-again').click(), 300)`, nil)
	b.wait("it is saved", `document.getElementById('known-count').textContent === 'Positions known: 1'`)
	b.reload()
	if n := b.known(); n != 1 {
		t.Errorf("%d positions after a reload, want 1", n)
	}
	b.quiet("500 (Internal Server Error)")
}

// Where the browser cannot keep the positions, the page plays, and the explorer says that they are not saved,
// also after more of them.
func TestFolderWithoutStorage(t *testing.T) {
	t.Parallel()
	files := edited(t, "", nil)
	url, end := serveFiles(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/other.html") {
			io.WriteString(w, `<!doctype html><link rel="icon" href="data:,">`)
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer end()
	_, raw := unsaved(t)
	file := filepath.Join(t.TempDir(), "good.db")
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	b := startBrowser(t, desktop)
	b.must("POST", "/url", map[string]any{"url": url + "other.html"}, nil)
	b.js(`return new Promise((done) => { indexedDB.open('tengen', 1).onsuccess = ({ target }) => { target.result.close(); done(); }; })`, nil)
	b.visit(url)
	b.place("h8")
	b.panel("explorer")
	b.must("POST", "/element/"+b.find("#feed-file")+"/value", map[string]any{"text": file}, nil)
	b.wait("the positions, and that they are not saved", `/^Positions known: [12] · The positions are there, but were not saved \(/.test(document.getElementById('known-count').textContent)`)
	b.quiet()
}

// The types and encodings of a host do not matter.
func TestFolderOnAnOddHost(t *testing.T) {
	t.Parallel()
	files := edited(t, "", nil)
	url, end := serveFiles(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch filepath.Ext(r.URL.Path) {
		case packedSuffix:
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", "text/plain")
		case ".webmanifest", ".json":
			w.Header().Set("Content-Type", "text/plain")
		}
		files.ServeHTTP(w, r)
	}))
	defer end()
	b := startBrowser(t, desktop)
	b.visit(url)
	b.place("h8")
	b.expect("without its network", b.text(`/without its neural network/.test(document.querySelector('#player-white small').textContent)`), "false")
	if n := b.stones(); n != 2 {
		t.Errorf("%d stones after a move", n)
	}
	b.quiet()
}

// A page that cannot run says why: one that is opened as a file, or in an old browser.
func TestFolderSaysWhyNot(t *testing.T) {
	t.Parallel()
	dir := exported(t)
	url, end := serveFolder(t)
	defer end()
	b := startBrowser(t, desktop)
	says := func(url, what string) {
		t.Helper()
		b.must("POST", "/url", map[string]any{"url": url}, nil)
		if got := b.text(`[...document.querySelectorAll('[role=alert]')].filter((e) => e.checkVisibility()).map((e) => e.textContent)`); !strings.Contains(got, what) {
			t.Errorf("%s says %q", url, got)
		}
	}
	says("file://"+filepath.ToSlash(dir)+"/index.html", "does not open as a file")
	for _, name := range []string{"DecompressionStream", "BroadcastChannel"} {
		without := b.before("delete window." + name)
		says(url, "has no "+name)
		b.forget(without)
	}
}

// All files are of one version: those that a visit loads are those of the host, and those that are kept
// stay the ones of before until all of a new version are there, also what the visit did not use.
func TestFolderOfOneVersion(t *testing.T) {
	t.Parallel()
	const mark = "\n\n\n"
	dir := exported(t)
	var newer, broken, asked atomic.Bool
	files := http.FileServer(http.Dir(dir))
	url, end := serveFiles(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken.Load() && strings.HasSuffix(r.URL.Path, "/review.js") {
			asked.Store(true)
			panic(http.ErrAbortHandler)
		}
		if strings.HasSuffix(r.URL.Path, ".js") && !strings.HasSuffix(r.URL.Path, "/sw.js") {
			w.Header().Set("Cache-Control", "max-age=1000")
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(r.URL.Path)))
		if err != nil || !newer.Load() || filepath.Ext(r.URL.Path) != ".js" && filepath.Ext(r.URL.Path) != ".json" {
			files.ServeHTTP(w, r)
			return
		}
		http.ServeContent(w, r, r.URL.Path, time.Time{}, strings.NewReader(string(data)+mark))
	}))
	b := startBrowser(t, desktop)
	b.withWorker()
	// kept is how many scripts and words of the new version the browser keeps, and how many of the old.
	kept := func() (n struct{ Newer, Older int }) {
		t.Helper()
		b.js(`return (async () => {
			const n = { newer: 0, older: 0 }, cache = await caches.open('tengen');
			for (const request of await cache.keys()) {
				if (!/\.js(on)?$/.test(request.url)) continue;
				const text = await (await cache.match(request)).text();
				text.endsWith(arguments[0]) ? n.newer++ : n.older++;
			}
			return n; })()`, &n, mark)
		return n
	}
	isNewer := func(file string) (is bool) {
		t.Helper()
		b.js("return fetch(arguments[0]).then((response) => response.text()).then((text) => text.endsWith(arguments[1]))", &is, file, mark)
		return is
	}
	b.visit(url)
	b.kept()

	newer.Store(true)
	broken.Store(true)
	b.visit(url)
	if !isNewer("app.js") || !isNewer("words/en.json") {
		t.Error("the visit has a file that the host has no more")
	}
	for end := time.Now().Add(waitLimit); !asked.Load() && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
	}
	b.js(`return (async () => { const [known] = await navigator.serviceWorker.getRegistrations(); while (known.installing) await new Promise((next) => setTimeout(next, 20)); })()`, nil)
	if n := kept(); n.Newer > 0 || n.Older == 0 || !asked.Load() {
		t.Errorf("%d files of a new version that did not come as a whole are kept, and %d of the old one", n.Newer, n.Older)
	}

	broken.Store(false)
	b.visit(url)
	n := kept()
	for end := time.Now().Add(waitLimit); n.Older > 0 && time.Now().Before(end); n = kept() {
	}
	if n.Older > 0 {
		t.Errorf("%d files of the old version are kept, and %d of the new one", n.Older, n.Newer)
	}
	end()
	b.visit(url + "index.html")
	b.panel("review")
	if !isNewer("review.js") {
		t.Error("without a connection the file is of the old version")
	}
	b.language("ja") // for the first time
	b.page = url
	b.quiet(whileGone...)
}

// What the browser has cleared away is saved again with the next positions.
func TestFolderSavesAfterClearing(t *testing.T) {
	t.Parallel()
	url, end := serveFolder(t)
	defer end()
	b := startBrowser(t, desktop)
	b.visit(url)
	feed := func(points ...board.Move) {
		t.Helper()
		d := database.New()
		at, _ := board.New(board.Renju, 15, 15)
		for _, m := range points {
			at.Play(m)
			if err := d.Set(at, database.NewRecord(database.Win, 100, 12, database.Exact), database.Whole); err != nil {
				t.Fatal(err)
			}
		}
		var raw bytes.Buffer
		if err := d.Write(&raw); err != nil {
			t.Fatal(err)
		}
		var status int
		b.js(`return fetch('/api/feed?game=game-of-a-test&rule=4', { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: Uint8Array.from(atob(arguments[0]), (c) => c.charCodeAt(0)) }).then((answer) => answer.status)`, &status, raw.Bytes())
		if status != http.StatusOK {
			t.Fatalf("status %d", status)
		}
	}
	feed(board.At(7, 7))
	b.saved(1)
	b.js(`return new Promise((done) => { indexedDB.deleteDatabase('tengen').onsuccess = done; }).then(() => null)`, nil)
	feed(board.At(7, 7), board.At(8, 8))
	b.saved(2)
	b.quiet()
}

// On a slow connection, too, the engine moves soon: the page says that its network is not there.
func TestFolderWithoutNetwork(t *testing.T) {
	t.Parallel()
	dir := exported(t)
	files, fast := http.FileServer(http.Dir(dir)), make(chan struct{})
	url, end := serveFiles(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".tnn.bin") {
			select {
			case <-fast:
			case <-r.Context().Done():
				return
			}
		}
		files.ServeHTTP(w, r)
	}))
	defer end()
	b := startBrowser(t, desktop)
	b.visit(url)
	const says = `/without its neural network/.test(document.querySelector('#player-white small').textContent)`
	b.click(b.cell("h8"))
	b.wait("a note, shown or gone again", `/^The neural network for this game could not be loaded/.test(document.querySelector('#toast span').textContent)`)
	b.settle()
	b.expect("beside the move: without its network", b.text(says), "true")
	close(fast)
	b.reload()
	b.place("a1") // where no engine plays
	b.expect("after a reload: without its network", b.text(says), "false")
	if n := b.stones(); n != 4 {
		t.Errorf("%d stones after two moves: %s", n, b.moves())
	}
	b.quiet()
}

// crashing is worker.js whose engines crash when the host answers their first request. What starts them asks
// for another file.
func crashing(script []byte) []byte {
	return bytes.Replace(script, []byte("if (self.name) {"), []byte(`if (!self.name) fetch('program');
if (self.name) {
	fetch('engine').then(() => setTimeout(() => { throw new Error('crash'); }));`), 1)
}

// An engine that crashes is replaced, and the program that has started it goes on.
func TestFolderReplacesAnEngine(t *testing.T) {
	t.Parallel()
	files, crash := edited(t, "/worker.js", crashing), make(chan struct{})
	var programs, engines atomic.Int32
	url, end := serveFiles(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/program":
			programs.Add(1)
		case "/engine":
			if engines.Add(1) > 1 {
				<-r.Context().Done()
				return
			}
			select {
			case <-crash:
			case <-r.Context().Done():
			}
		default:
			files.ServeHTTP(w, r)
		}
	}))
	defer end()
	b := startBrowser(t, desktop)
	b.visit(url)
	b.place("h8")
	close(crash)
	for end := time.Now().Add(waitLimit); engines.Load() < 2 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		b.js(`return fetch('/api/think', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({
			game: 'another-game', engine: 0, width: 15, height: 15, rule: 0, moves: 'h8i9', millis: 50, strength: 100 }) }).then((answer) => answer.text()).catch(() => '')`, nil)
	}
	b.place("a1")
	if n := b.stones(); n != 4 {
		t.Errorf("%d stones after two moves", n)
	}
	if engines.Load() < 2 || programs.Load() != 1 {
		t.Errorf("%d engines were started, want 2 or more, by %d programs, want 1", engines.Load(), programs.Load())
	}
	b.quiet()
}

// With two processors an analysis goes on while an engine thinks about a move; with one it waits.
func TestFolderThinksTwice(t *testing.T) {
	t.Parallel()
	url, end := serveFolder(t)
	defer end()
	b := startBrowser(t, desktop)
	b.visit(url)
	b.newGame(choice{side: "both"})
	b.place("h8")
	b.wait("the score of the position shown, after which no search runs", `document.querySelector('#plot .dot.now')`)
	b.analyze()
	var got struct {
		Processors int
		Waited     bool
		Answer     string
	}
	b.js(`let waited = false;
		const figures = document.getElementById('figures');
		const watch = new MutationObserver(() => { waited ||= /waiting for threads/.test(figures.textContent); });
		watch.observe(figures, { childList: true, subtree: true });
		return (async () => {
			const answer = await fetch('/api/think', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({
				game: 'another-game', engine: 0, width: 15, height: 15, rule: 0, moves: 'h8i9', millis: 500, strength: 100 }) });
			const lines = (await answer.text()).trim().split('\n');
			await new Promise((drawn) => setTimeout(drawn, 100));
			return { processors: navigator.hardwareConcurrency, waited, answer: JSON.parse(lines.pop()).moves };
		})()`, &got)
	if got.Answer == "" || got.Waited != (got.Processors < 2) {
		t.Errorf("an analysis beside a move: %+v", got)
	}
	b.quiet()
}

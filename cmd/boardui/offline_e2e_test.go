//go:build e2e

package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// whileGone is what the console says of a program that has ended, also in the middle of an answer.
var whileGone = []string{"Failed to load resource", "ERR_CONNECTION_REFUSED", "ERR_FAILED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE"}

// kept waits until the browser keeps the page with its words, so that it opens without the program.
func (b *browser) kept() {
	b.t.Helper()
	b.wait("the service worker has the page", `navigator.serviceWorker.controller`)
	b.js(`return (async () => { while (!await caches.match('words/en.json')) await new Promise((next) => setTimeout(next, 20)); })()`, nil)
}

// The page is installable, and works without the program as far as no engine is needed.
func TestOffline(t *testing.T) {
	t.Parallel()
	url, end := serveAt(t, "127.0.0.1:0", own())
	b := startBrowser(t, desktop)
	b.withWorker()
	b.visit(url)
	b.newGame(choice{side: "both"})
	b.place("h8", "i9")
	b.kept()
	var faults []struct{ ErrorID string }
	var raw map[string]json.RawMessage
	b.must("POST", "/goog/cdp/execute", map[string]any{"cmd": "Page.getInstallabilityErrors", "params": map[string]any{}}, &raw)
	json.Unmarshal(raw["installabilityErrors"], &faults)
	for _, f := range faults {
		if f.ErrorID != "in-incognito" {
			t.Errorf("the page cannot be installed: %s", f.ErrorID)
		}
	}
	end()
	b.visit(url)
	b.wait("a note", `/is not running/.test(document.querySelector('#toast span').textContent)`)
	b.expect("the game", b.moves(), "h8i9")
	b.place("h9", "i10", "h10", "i11", "h11", "i12", "h12")
	b.expect("the banner", b.banner(), "Black wins")
	b.click("#first")
	b.settle()
	b.click("#last")
	b.settle()
	b.shot("offline")
	b.hold("/api/think", "")
	b.click("#back")
	b.settle()
	time.Sleep(200 * time.Millisecond) // in which other positions are asked for their score
	b.click("#hint")
	b.wait("a request is held", `held.length > 0`)
	b.expect("requests for an engine", b.text(`held.length`), "1")
	b.release("go")
	b.wait("an engine is needed for that", `document.getElementById('banner').className === 'wrong'`)
	_, end = serveAt(t, strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"), own())
	defer end()
	b.click("#banner [data-do=retry]")
	b.settle()
	b.place("h12")
	b.expect("the end once more", b.banner(), "Black wins")
	b.quiet(whileGone...)
}

// A page that was opened before the program connects when it answers, and keeps the engine of the
// game until then.
func TestProgramThatRunsLater(t *testing.T) {
	t.Parallel()
	specs := []spec{stub("meek"), stub("meek"), own()}
	url, end := serveAt(t, "127.0.0.1:0", specs...)
	b := startBrowser(t, desktop)
	b.withWorker()
	b.visit(url)
	b.newGame(choice{side: "black", engine: "1"})
	b.place("h8")
	b.kept()
	end()
	b.place("h9")
	b.visit(url)
	b.wait("the engine is needed", `document.getElementById('banner').className === 'wrong'`)
	_, end = serveAt(t, strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"), specs...)
	defer end()
	b.keys("[")
	b.wait("all engines", `document.querySelector('#player-white select').options.length === 4`)
	b.expect("the opponent", b.text(`document.querySelector('#player-white select').value`), "1")
	b.wait("four stones", `document.getElementById('ply').textContent.endsWith('/ 4')`)
	b.expect("its answer", b.moves(), "h8a1h9c1")
	b.quiet(whileGone...)
}

// A program that refuses to tell of its engines does not run without any: it says why, and is asked
// again.
func TestProgramThatIsBusy(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.hold("/api/think", `"score":true`) // by whose answers the page would notice that it can connect
	b.place("h8")
	b.js(`const asked = window.fetch;
		window.fetch = (path, what) => path === '/api/about' ? Promise.resolve(new Response('{"code": "rate", "error": "too many requests at once"}', {status: 503})) : asked(path, what);
		return import(new URL('play.js', location.href)).then((m) => m.connect()).then(() => { window.fetch = asked; })`, nil)
	b.expect("the banner", b.banner(), "Too many requests in a short time (too many requests at once)")
	b.click("#banner [data-do=retry]")
	b.place("h9")
	b.expect("it goes on", b.moves(), "h8a1h9c1")
	b.quiet()
}

// A program that is started again with other engines is another one: the page finds the engine of
// its game there, whether it notices by itself or is told to try again.
func TestProgramWithOtherEngines(t *testing.T) {
	t.Parallel()
	url, end := serveAt(t, "127.0.0.1:0", stub("meek"), own())
	addr := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/")
	b := startBrowser(t, desktop)
	b.visit(url)
	b.newGame(choice{side: "black", engine: "0"})
	b.place("h8")
	players := func(what, want string) {
		t.Helper()
		b.settle()
		b.expect(what, b.text(`document.querySelector('#player-white select').value + ' ' + Array.from(document.querySelector('#player-white select').options, (o) => o.text).join('|').toLowerCase()`), want)
	}
	end()
	_, end = serveAt(t, addr, stub("keen"), stub("meek"), own())
	b.place("h9")
	b.wait("the answer", `document.querySelectorAll('#g-stones .stone').length === 4`)
	players("after a start of the program", "1 person|keen|meek|tengen")
	b.expect("the engine plays on", b.moves(), "h8a1h9c1")

	b.hold("/api/look", "")
	b.click(b.cell("h10"))
	b.wait("a request is held", `held.length > 0`)
	end()
	b.release("go")
	b.wait("it is not there", `document.getElementById('banner').className === 'wrong'`)
	_, end = serveAt(t, addr, stub("thinker"), stub("keen"), stub("meek"), own())
	defer end()
	b.click("#banner [data-do=retry]")
	b.wait("all engines", `document.querySelector('#player-white select').options.length === 5`)
	players("after trying again", "2 person|thinker|keen|meek|tengen")
	b.expect("the engine plays on", b.moves(), "h8a1h9c1h10e1")
	b.quiet(whileGone...)
}

// A file of the program that runs is shown even if there is no room to keep it.
func TestWorkerWithoutRoom(t *testing.T) {
	t.Parallel()
	url, end := serveAt(t, "127.0.0.1:0", stub("meek"))
	b := startBrowser(t, desktop)
	b.withWorker()
	b.visit(url)
	b.kept()
	end()
	_, end = serveAt(t, strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"), stub("meek"))
	defer end()
	origin := strings.TrimSuffix(url, "/")
	b.devtools("Storage.overrideQuotaForOrigin", map[string]any{"origin": origin, "quotaSize": 1})
	defer b.devtools("Storage.overrideQuotaForOrigin", map[string]any{"origin": origin})
	var same bool
	b.js(`const start = async (path) => (await fetch(path)).headers.get('Tengen-Start');
		return Promise.all([start('/style.css'), start('/api/about')]).then(([file, now]) => file === now)`, &same)
	if !same {
		t.Error("the file is that of the program before")
	}
	b.quiet(whileGone...) // of a request for the score in between
}

// The rules that the page knows itself are those of the program.
func TestPageKnowsWhoHasWon(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	var wrong []string
	b.js(`return (async () => {
		const rules = await import(new URL('rules.js', location.href)), wrong = [];
		let seed = 7;
		const random = (n) => { seed = seed * 1103515245 % 2147483648 + 12345; return Math.floor(seed / 65536) % n; };
		const ask = async (game, moves) => (await fetch('/api/look', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({
			game: 'game-' + String(seed).padStart(10, '0'), width: game.width, height: game.height, rule: game.rule, threats: false,
			moves: moves.map((c) => String.fromCharCode(97 + c % game.width) + (Math.floor(c / game.width) + 1)).join('') }) })).json();
		for (let i = 0; i < 60; i++) {
			const game = { width: 7 + i % 2, height: 6, rule: [0, 1, 8, 9][i % 4] }, moves = [];
			for (;;) {
				const free = [...Array(game.width * game.height).keys()].filter((c) => !moves.includes(c));
				moves.push(free[random(free.length)]);
				const mine = rules.look(game, moves);
				if (mine.over) {
					const theirs = await ask(game, moves), before = await ask(game, moves.slice(0, -1));
					if (theirs.over !== mine.over || (theirs.rows || []).slice().sort().join() !== (mine.rows || []).slice().sort().join() || before.over) wrong.push(JSON.stringify([game, moves, mine, theirs, before]));
					break;
				}
			}
		}
		// A five and a six with a stone of the other side at both ends.
		const cells = (...names) => names.map((name) => name.charCodeAt(0) - 97 + (name.slice(1) - 1) * 11);
		for (const moves of [cells('b1', 'a1', 'c1', 'g1', 'd1', 'h8', 'e1', 'i9', 'f1'), cells('b1', 'a1', 'c1', 'h1', 'd1', 'k9', 'f1', 'j8', 'g1', 'k7', 'e1')]) {
			for (const rule of [0, 1, 8, 9]) {
				const game = { width: 11, height: 11, rule }, mine = rules.look(game, moves), theirs = await ask(game, moves);
				if ((theirs.over || '') !== (mine.over || '')) wrong.push(JSON.stringify([game, moves, mine, theirs]));
			}
		}
		return wrong;
	})()`, &wrong)
	for _, w := range wrong {
		t.Error(w)
	}
	b.quiet()
}

func TestPageEndsTheProgramByButton(t *testing.T) {
	t.Parallel()
	url, end := serveAt(t, "127.0.0.1:0", own())
	b := startBrowser(t, desktop)
	b.visit(url)
	b.analyze()
	b.dialog("help")
	b.expect("the version", b.text(`document.getElementById('version').textContent`), engineName+" "+engineVersion)
	b.click("#quit")
	b.expect("it asks again", b.text(`document.getElementById('quit').textContent`), "Really end it?")
	b.click("#quit")
	const says = `/has ended/.test(document.getElementById('banner').textContent)`
	b.wait("it says so", says)
	end()
	b.wait("the analysis ends with it", `document.getElementById('start').getAttribute('aria-pressed') === 'false'`)
	b.expect("it says so", b.text(says), "true")
	b.quiet(whileGone...)
}

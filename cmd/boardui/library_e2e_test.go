//go:build e2e

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// fillStorage leaves no room in the storage of the page, by entries whose names begin so.
func (b *browser) fillStorage(name string) {
	b.t.Helper()
	b.js(`let part = 'x'.repeat(1 << 20), n = 0;
		while (part.length) { try { localStorage.setItem(arguments[0] + n++, part); } catch { part = part.slice(0, part.length / 2 | 0); } }`, nil, name)
}

func TestLibraryOfGames(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	titles := func() string {
		return b.text(`Array.from(document.querySelectorAll('#games .game b'), (e) => e.textContent).join('|')`)
	}
	drop := func() {
		t.Helper()
		b.js(`window.listed = document.querySelectorAll('#games li').length`, nil)
		b.click("#games .drop:enabled")
		b.wait("a game is deleted", `document.querySelectorAll('#games li').length < listed`)
	}
	b.place("h8", "h9")
	b.newGame(choice{side: "both", rule: "4"})
	b.place("k11", "a2")
	b.open("ann.sgf", "(;SZ[15]PB[Ann]PW[Bob]DT[2026-01-02];B[hh]C[a strange move];W[ii])")
	b.wait("the file is open", `!document.getElementById('files-dialog').open`)
	b.newGame(choice{side: "both", size: "19", rule: "0"})
	b.place("j10")
	b.js(`localStorage.setItem('tengen.game.broken', '{"version":2,"moves":')`, nil)
	b.dialog("library")
	b.expect("the games, the last first", titles(), "Person – Person|Ann – Bob|Person – Person|Person – Meek|A game that cannot be read")
	b.shot("library")
	b.js(`document.querySelectorAll('#games .drop')[1].focus()`, nil)
	b.keys("\ue007")
	b.wait("a game is deleted", `document.querySelectorAll('#games li').length === 4`)
	b.expect("the focus is on the game after it", b.text(`Array.from(document.querySelectorAll('#games li')).indexOf(document.activeElement.closest('li'))`), "1")
	b.click("#toast button")
	for query, want := range map[string]string{"ann": "Ann – Bob", "strange": "Ann – Bob", "renju k5": "Person – Person", "meek freestyle": "Person – Meek", "k5a14": "Person – Person", "nobody": ""} {
		b.choose("#search", query)
		b.expect("search for "+query, titles(), want)
	}
	b.choose("#search", "")

	// All games as one file, and the broken one as it is.
	all := string(b.download("#save-all", "tengen-games-*.sgf"))
	if n := strings.Count(all, "(;FF[4]"); n != 4 || !strings.Contains(all, "a strange move") {
		t.Errorf("%d games are saved in %s", n, all)
	}
	if broken := b.download("#save-all", "tengen-damaged-*.txt"); string(broken) != `{"version":2,"moves":` {
		t.Errorf("the damaged game is saved as %s", broken)
	}

	// Reopen by keyboard, delete, bring back.
	b.choose("#search", "ann")
	b.js(`document.querySelector('#games .game').focus()`, nil)
	b.keys("\ue007")
	b.wait("the game", `document.getElementById('ply').textContent === '2 / 2'`)
	b.settle()
	b.expect("its moves", b.moves(), "h8i9")
	b.dialog("library")
	b.expect("there is no copy", fmt.Sprint(strings.Count(titles(), "Ann")), "1")
	b.choose("#search", "meek")
	drop()
	b.expect("deleted", titles(), "")
	b.click("#library-dialog .end .strong")
	b.wait("the note outlasts the list", `document.querySelector('body > #toast:not([hidden])')`)
	b.click("#toast button")
	b.dialog("library")
	b.choose("#search", "meek")
	b.expect("brought back", titles(), "Person – Meek")
	drop()
	b.click("#toast button")
	b.expect("brought back in the list", titles(), "Person – Meek")
	b.click("#games .game")
	b.settle()
	b.expect("the game with the engine", b.moves(), "h8a1h9c1")
	b.expect("which waits", b.banner(), "Paused")

	// A full storage: the page says so, and what was stored stays.
	b.fillStorage("junk")
	b.click("#pause")
	b.click(b.cell("o1"))
	b.wait("a note", `document.querySelector('#toast span').textContent.includes('no room')`)
	b.click("#toast button")
	b.wait("the list", `document.getElementById('library-dialog').open`)
	if got := titles(); strings.Count(got, "–") != 4 {
		t.Errorf("with a full storage the games are %s", got)
	}
	b.settle()
	ply := b.text(`document.getElementById('ply').textContent`)
	b.hold("/api/think", `"score":true`) // which would be stored
	b.click("#games [aria-current]")
	b.settle()
	b.expect("the game that is not stored", b.text(`document.getElementById('ply').textContent`), ply)

	// What is deleted then can be brought back as soon as there is room.
	b.dialog("library")
	before := titles()
	drop()
	b.fillStorage("more")
	b.click("#toast button")
	b.wait("a note", `document.querySelector('#toast:not([hidden]) span').textContent.includes('no room')`)
	b.js(`for (const key of Object.keys(localStorage)) if (/^(more|junk)/.test(key)) localStorage.removeItem(key)`, nil)
	b.click("#toast button")
	b.expect("brought back when there is room", titles(), before)
	b.quiet()
}

// A game for which there was no room is stored as soon as another one is deleted.
func TestRoomForTheGame(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.newGame(choice{side: "both"})
	b.place("h8")
	b.panel("moves")
	b.choose("#comment", strings.Repeat("a long comment ", 1000))
	b.newGame(choice{})
	b.hold("/api/think", "") // a score would be stored
	b.place("h8")
	b.fillStorage("junk")
	b.place("i9")
	b.wait("a note", `document.querySelector('#toast span').textContent.includes('no room')`)
	b.dialog("library")
	b.click("#games .drop:enabled")
	b.wait("the game is deleted", `document.querySelectorAll('#games li').length === 1`)
	b.expect("the game", b.moves(), "h8i9")
	b.quiet()
}

// A game of which the empty board is shown at last, after its first move was taken back in a
// variation, is kept when another begins.
func TestLibraryKeepsVariations(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.newGame(choice{side: "both"})
	for _, begin := range []func(){func() { b.newGame(choice{}) }, func() { b.open("other.sgf", "(;SZ[15];B[gg])") }} {
		b.place("h8", "i9")
		b.click("#first")
		b.settle()
		b.place("a1")
		b.click("#back")
		b.settle()
		b.expect("the variation", b.moves(), "")
		begin()
		b.settle()
	}
	b.dialog("library")
	b.expect("the games", b.text(`Array.from(document.querySelectorAll('#games small'), (e) => e.textContent.split(' · ').pop()).join('|')`), "moves: 1|moves: 2|moves: 2")
	b.quiet()
}

// The result that a file states is in the list, until the game goes on.
func TestLibraryKeepsResults(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	first := func() string {
		t.Helper()
		b.dialog("library")
		text := b.text(`document.querySelector('#games small').textContent.slice(0, 3)`)
		b.click("#library-dialog .end .strong")
		return text
	}
	b.open("adjudged.sgf", "(;SZ[15]PB[Ann]PW[Bob]RE[B+5];B[hh];W[ii])")
	b.wait("the game", `document.getElementById('ply').textContent === '2 / 2'`)
	b.settle()
	b.expect("the result", first(), "1–0")
	b.click("#prev")
	b.settle()
	b.click("#next")
	b.settle()
	b.expect("the result after a look back", first(), "1–0")
	b.place("a1")
	if text := first(); text == "1–0" {
		t.Errorf("the result after another move: %s", text)
	}
	b.quiet()
}

// All games are saved in the name of one, as the server knows so many pages only; a game whose
// engine is not there any more is played with another; Enter in the search is no end of it.
func TestLibraryOfManyGames(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, stub("meek"), own()))
	b.place("h8")
	b.js(`const game = JSON.parse(localStorage.getItem('tengen.game.' + sessionStorage.getItem('tengen.tab')));
		for (let i = 0; i < 5; i++) localStorage.setItem('tengen.game.another-' + i, JSON.stringify({...game, id: 'another-' + i, players: {black: 7, white: -1}, names: {black: 'Old', white: ''}}))`, nil)
	b.dialog("library")
	b.js(`const ask = window.fetch; window.ids = new Set();
		window.fetch = (path, what) => { if (path === '/api/save') ids.add(JSON.parse(what.body).game); return ask(path, what); }`, nil)
	if all := string(b.download("#save-all", "tengen-games-*.sgf")); strings.Count(all, "(;FF[4]") != 6 {
		t.Errorf("saved are %s", all)
	}
	b.expect("the pages", b.text(`ids.size`), "1")
	b.js(`const ask = window.fetch, make = URL.createObjectURL; let n = 0; window.files = 0;
		URL.createObjectURL = (blob) => { files++; return make.call(URL, blob); };
		window.fetch = (path, what) => path === '/api/save' && ++n > 2 ? Promise.reject(new TypeError('gone')) : ask(path, what);
		document.getElementById('save-all').click()`, nil)
	b.wait("the program has gone", `document.querySelector('#library-dialog #toast:not([hidden]) span')?.textContent.startsWith('Tengen does not answer')`)
	b.expect("files with some of the games", b.text(`files`), "0")
	b.js(`document.getElementById('search').focus()`, nil)
	b.keys("O", "l", "d", "\ue007")
	b.expect("the list is open", b.text(`document.getElementById('library-dialog').open`), "true")
	b.click("#games .game")
	b.settle()
	b.expect("who plays", b.text(`document.querySelector('#player-black select').value + document.querySelector('#player-white select').value`), "1-1")
	b.click("#pause")
	b.wait("its move", `document.querySelectorAll('#g-stones .stone').length === 3`)
	b.quiet()
}

// A game has the date of where it is played: one of these places never has that of Greenwich.
func TestDatesOfGames(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	t.Cleanup(func() { b.devtools("Emulation.setTimezoneOverride", map[string]any{"timezoneId": ""}) })
	for place, hours := range map[string]int{"Pacific/Kiritimati": 14, "Pacific/Pago_Pago": -11} {
		b.devtools("Emulation.setTimezoneOverride", map[string]any{"timezoneId": place})
		today := func() string { return time.Now().UTC().Add(time.Duration(hours) * time.Hour).Format(time.DateOnly) }
		before := today()
		b.newGame(choice{side: "both"})
		b.place("h8")
		b.dialog("library")
		// At midnight it may have been another when the game began.
		if got := b.text(`document.querySelector('#games small').textContent.split(' · ')[0]`); got != before && got != today() {
			t.Errorf("the date in %s: %s, want %s", place, got, before)
		}
		b.click("#library-dialog .end .strong")
	}
	b.quiet()
}

// The first move in a game that is opened took no longer than that game has been shown.
func TestTimesOfOpenedGames(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.newGame(choice{side: "both"})
	b.place("h8")
	b.js(`const now = Date.now; Date.now = () => now() + 600_000`, nil) // ten minutes later
	b.loadPos("h8i9")
	b.place("j10")
	if took := b.module("state.js", `return m.state.game.took[2]`); len(took) > len("99999") {
		t.Errorf("the move took %s ms", took)
	}
	b.quiet()
}

// The page says once that the browser has no room for settings, and stores them once there is.
func TestRoomForSettings(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.fillStorage("junk")
	b.js(`window.notes = [];
		const note = document.querySelector('#toast span');
		new MutationObserver(() => notes.push(note.textContent)).observe(note, { childList: true, characterData: true })`, nil)
	const told = `notes.filter((note) => /^The browser has no room left: settings and results/.test(note)).length`
	b.click("#numbers")
	b.wait("a note, shown or replaced by that of the game", told)
	b.click("#coordinates")
	b.expect("notes", b.text(told), "1")
	b.js(`for (const key of Object.keys(localStorage)) if (key.startsWith('junk')) localStorage.removeItem(key)`, nil)
	b.click("#threats")
	b.reload()
	b.expect("what is set", b.text(`['numbers', 'coordinates', 'threats'].map((id) => document.getElementById(id).checked)`), "true,false,true")
	b.quiet()
}

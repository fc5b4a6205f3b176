//go:build e2e

package main

import (
	"fmt"
	"testing"
	"time"
)

// hold keeps requests of the page back whose path and body match, until release lets them go.
func (b *browser) hold(path, body string) {
	b.t.Helper()
	b.js(`const [path, body] = arguments;
		window.ask ??= window.fetch;
		window.held ??= [];
		window.fetch = (where, what) => where.startsWith(path) && String(what?.body).includes(body) ?
			new Promise((resolve, reject) => held.push({go: () => { const answer = ask(where, what); resolve(answer); return answer; }, fail: () => reject(new TypeError('gone'))})) : ask(where, what)`, nil, path, body)
}

// release lets what is held go, up to the beginning of the answers, or fail, and holds nothing more.
func (b *browser) release(how string) {
	b.t.Helper()
	b.wait("a request is held", `held.length > 0`)
	b.js(`window.fetch = ask;
		return Promise.allSettled(held.splice(0).map((one) => one[arguments[0]]())).then(() => new Promise((done) => setTimeout(done, 150)))`, nil, how)
}

// An answer about another position than the one shown says nothing about that.
func TestLateAnswers(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, stub("meek"), stub("mute"), own()))

	// Two moves beside each other, after one of which a point is forbidden.
	forbidden := func() string { return b.text(`document.querySelectorAll('#g-below .forbidden').length`) }
	b.open("two.sgf", "(;SZ[15]RU[renju];B[hg];W[aa];B[hf];W[ac];B[gh];W[ae];B[fh](;W[ag];B[oo])(;W[hh];B[oo]))")
	b.wait("the game", `document.getElementById('ply').textContent === '9 / 9'`)
	b.click("#prev")
	b.settle()
	b.expect("forbidden points", forbidden(), "1")
	b.keys("\ue015")
	b.settle()
	b.expect("forbidden points beside that", forbidden(), "0")
	b.hold("/api/look", `"moves":"h7a1h6a3g8a5f8a7"`)
	b.keys("\ue013")
	b.wait("a request is held", `held.length > 0`)
	b.keys("\ue015")
	b.settle()
	b.release("go")
	b.expect("forbidden points after a late answer", forbidden(), "0")

	// The score of a game that is not shown any more.
	b.hold("/api/think", `"score":true`)
	b.newGame(choice{side: "both", rule: "0"})
	b.wait("a request is held", `held.length > 0`)
	b.dialog("new")
	b.js(`document.querySelector('input[name=side][value=white]').click()`, nil)
	b.choose("#engine-1", "1") // which reports no score
	b.click("#new-dialog .end .strong")
	b.wait("the engine thinks", `document.querySelector('.player.thinking')`)
	b.release("go")
	time.Sleep(2 * time.Second)
	b.keys("n") // which draws the page
	b.expect("the score of an empty board", b.text(`document.getElementById('score').textContent`), "–")

	// The words of a language that is not wanted any more.
	b.hold("words/", "")
	b.choose("#language", "ru")
	b.js(`window.fetch = ask`, nil)
	b.choose("#language", "et")
	b.wait("the language", `document.documentElement.lang === 'et'`)
	b.release("go")
	b.expect("the language after a late answer", b.text(`document.documentElement.lang`), "et")
	b.language("en")
	b.quiet()
}

// An engine goes on thinking while one looks at the moves before, whether by stepping or by
// placing the stones that are there.
func TestEngineThinksWhileOneLooksBack(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.newGame(choice{side: "black", engine: "0"})
	b.place("h8", "h9")
	b.hold("/api/think", `"engine":0`)
	b.click(b.cell("h10"))
	b.wait("it thinks", `document.querySelector('.player.thinking')`)
	b.keys("[", "[", "[", "[", "[")
	b.wait("the first position", `document.getElementById('ply').textContent === '0 / 5'`)
	b.click(b.cell("h8"))
	b.wait("the position after the first answer", `document.getElementById('ply').textContent === '2 / 5'`)
	b.expect("it thinks", b.text(`Boolean(document.querySelector('.player.thinking'))`), "true")
	b.release("go")
	b.wait("it moves", `document.getElementById('ply').textContent === '2 / 6'`)
	b.keys("\ue010")
	b.settle()
	b.place("h11")
	b.expect("the stones", fmt.Sprint(b.stones()), "8")
	b.quiet()
}

// What could not be had of a position before the last one is asked for again.
func TestTryingAgainInThePast(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.newGame(choice{side: "both"})
	b.place("h8", "i9", "j10")
	b.js(`window.ask = window.fetch;
		window.fetch = (where, what) => where === '/api/look' ? Promise.resolve(new Response('{"code": "rate"}', {status: 429})) : ask(where, what)`, nil)
	b.click("#prev")
	b.wait("it says so", `document.getElementById('banner').className === 'wrong'`)
	b.js(`window.fetch = ask`, nil)
	b.click("#banner button")
	b.place("a1")
	b.expect("a stone after another attempt", b.moves(), "h8i9a1")
	b.quiet()
}

// The pointer shows that the page waits for what a click has asked for.
func TestPointerWhileThePageWaits(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both", opening: "swap2"})
	pointer := func() string { return b.text(`getComputedStyle(document.getElementById('board')).cursor`) }
	b.hold("/api/opening", "")
	b.click(b.cell("h8"))
	b.wait("a request is held", `held.length > 0`)
	b.expect("the pointer meanwhile", pointer(), "progress")
	b.release("go")
	b.settle()
	b.expect("the stone", b.moves(), "h8")
	b.expect("the pointer after that", pointer(), "pointer")
	b.quiet()
}

// A stone placed before an answer arrives is as good as one after it, and one that is refused then
// keeps nothing from going on.
func TestStonesBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	url := serve(t, standard()...)
	b.visit(url)
	ahead := func(first, second string) {
		t.Helper()
		b.hold("/api/look", "")
		b.click(b.cell(first))
		b.wait("a request is held", `held.length > 0`)
		b.click(b.cell(second))
		b.release("go")
		b.settle()
	}
	b.newGame(choice{side: "both", rule: "4"})
	b.newClockGame(choice{side: "both"}, "60+0")
	b.place("h7", "a1", "h6", "a3", "g8", "a5", "f8")
	ahead("a7", "h8")
	b.expect("a forbidden point", b.moves(), "h7a1h6a3g8a5f8a7")
	b.wait("the clock runs", `document.querySelector('.clock.runs')?.id === 'clock-black'`)
	ahead("o15", "o1")
	b.expect("a free point", b.moves(), "h7a1h6a3g8a5f8a7o15o1")

	b.newGame(choice{side: "both", rule: "0"})
	b.place("h8", "a1", "h9", "a2", "h10", "a3", "h11", "a4")
	ahead("h12", "o15")
	b.expect("who won", b.text(`document.querySelector('#banner span').textContent + ', ' + JSON.parse(localStorage.getItem('tengen.game.' + sessionStorage.getItem('tengen.tab'))).result`), "Black wins, black")

	// While the page connects.
	b.newGame(choice{side: "both"})
	script := b.before(`window.ask = window.fetch; window.held = []; window.fetch = (path, what) => path === '/api/about' ? new Promise((resolve) => held.push({go: () => resolve(ask(path, what))})) : ask(path, what)`)
	b.must("POST", "/refresh", map[string]any{}, nil)
	b.forget(script)
	b.wait("the page is drawn", `held.length > 0`)
	b.click(b.cell("h8"))
	b.release("go")
	b.settle()
	b.expect("a stone before the page is connected", b.moves(), "h8")
	b.quiet()
}

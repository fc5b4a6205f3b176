//go:build e2e

package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// option clicks the button of the banner with that text.
func (b *browser) option(text string) {
	b.t.Helper()
	b.wait("the choice "+text, `[...document.querySelectorAll('#banner button')].some((e) => e.textContent === '`+text+`')`)
	b.js(`[...document.querySelectorAll('#banner button')].find((e) => e.textContent === arguments[0]).click()`, nil, text)
	b.settle()
}

// declare chooses a number in the banner.
func (b *browser) declare(n string) {
	b.t.Helper()
	b.choose("#banner select", n)
	b.click("#banner [data-do=declare]")
}

// Two people open under Soosyrv-8: only what the rule allows can be chosen.
func TestSoosyrvOfTwoPlayers(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both", opening: "soosyrv-8"})
	b.expect("the rule is renju", b.text(`document.getElementById('rules').textContent`), "15 × 15 · Renju")
	b.wait("the only cell", `document.querySelectorAll('#g-below .dot').length === 1`)
	b.click(b.cell("a1"))
	b.wait("not there", `/does not allow a1/.test(document.querySelector('#toast span').textContent)`)
	b.place("h8")
	b.wait("the cells about it", `document.querySelectorAll('#g-below .dot').length === 8`)
	b.place("h9", "h10")
	if text := b.banner(); !strings.Contains(text, "second player") || !strings.Contains(text, "Change colors?") {
		t.Errorf("after three stones: %s", text)
	}
	b.option("Swap")
	b.place("i9")
	b.declare("2")
	b.settle()
	if text := b.banner(); !strings.Contains(text, "Change colors?") {
		t.Errorf("after the declaration: %s", text)
	}
	b.option("Stay")
	b.place("g9", "i7")
	b.wait("two offers", `document.querySelectorAll('#g-above .badge').length === 2`)
	b.shot("offers")
	b.click("#back")
	b.settle()
	b.wait("one offer", `document.querySelectorAll('#g-above .badge').length === 1`)
	b.place("i7")
	b.click(b.cell("a1"))
	b.settle()
	b.place("i7")
	b.wait("the opening is over", `/to move$/.test(document.querySelector('#banner span').textContent)`)
	b.expect("the stones", b.moves(), "h8h9h10i9i7")
	b.place("a15")
	b.quiet()
}

// A person and the engine open under every rule; the person takes the first thing that is
// allowed.
func TestOpeningsWithTheEngine(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	for i, rule := range []string{"rif", "taraguchi-10", "pro", "long-pro", "soosyrv-8", "yamaguchi"} {
		b.newGame(choice{side: []string{"black", "white"}[i%2], opening: rule, engine: "0"})
		for end := time.Now().Add(waitLimit); ; {
			if time.Now().After(end) {
				t.Fatalf("%s does not end: %s after %s", rule, b.banner(), b.moves())
			}
			b.settle()
			var now struct {
				Over   bool
				Button string
				Number bool
				Cell   int
			}
			b.js(`const g = JSON.parse(localStorage.getItem('tengen.game.' + sessionStorage.getItem('tengen.tab')));
				const swap = g.swap;
				if (!swap) return {Over: true, Button: '', Cell: -1};
				if (!swap.now || swap.seats[swap.now.by] !== -1) return {Over: false, Button: '', Cell: -1};
				const button = document.querySelector('#banner button[data-do^="opens:"]');
				const cell = swap.now.cells.match(/[a-z]\d+/);
				return {Over: false, Button: button ? button.textContent : '', Number: Boolean(document.querySelector('#banner select')), Cell: cell ? (Number(cell[0].slice(1)) - 1) * 15 + cell[0].charCodeAt(0) - 97 : -1}`, &now)
			if now.Over {
				break
			}
			if now.Button != "" {
				b.option(now.Button)
			} else if now.Number {
				b.declare("2")
			} else if now.Cell >= 0 {
				b.click("#c" + strconv.Itoa(now.Cell))
			} else {
				time.Sleep(30 * time.Millisecond)
			}
		}
		b.settle()
		if n := b.stones(); n < 3 {
			t.Errorf("%s ends with %s", rule, b.moves())
		}
		t.Log(rule, b.moves())
	}
	b.shot("opened")
	b.quiet()
}

// Many fifth moves can be declared under Yamaguchi's rule, and eight are many on a telephone: a list
// leaves room for the question.
func TestNumbersOfFifthMoves(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, view{width: 360, height: 740, scale: 2})
	b.visit(serve(t, own()))
	fits := func() {
		b.wait("the question", `/how many fifth moves/.test(document.querySelector('#banner span').textContent)`)
		b.shot("declare")
		b.expect("the banner fits", b.text(`['banner', 'banner > span'].every((id) => { const e = document.querySelector('#' + id); return e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight; })`), "true")
	}
	b.newGame(choice{side: "both", opening: "soosyrv-8"})
	b.place("h8", "h9", "h10")
	b.option("Stay")
	b.place("i9")
	fits()
	b.newGame(choice{side: "both", opening: "yamaguchi"})
	b.place("h8", "h9", "h10")
	fits()
	b.js(`document.querySelector('#banner select').focus()`, nil)
	b.keys("", "")
	b.settle()
	b.expect("the number", b.text(`document.querySelector('#banner select').value`), "3")
	b.keys(keyTab, keyEnter)
	b.settle()
	if text := b.banner(); !strings.Contains(text, "Change colors?") {
		t.Errorf("after the declaration: %s", text)
	}
	b.option("Stay")
	b.place("i9", "a15", "b15", "c15")
	b.wait("three offers", `document.querySelectorAll('#g-above .badge').length === 3`)
	many := "a1b1c1d1e1f1g1h1i1j1k1l1m1n1o1a2b2c2d2e2f2g2h2i2j2k2l2"
	b.expect("the last of 27 offers", b.module("state.js", `m.state.game.swap.now.offers = '`+many+`';
		return import(new URL('opens.js', location.href)).then((opens) => opens.marks().badges.slice(-2).map((badge) => badge.text).join(' '))`), "5z 27")
	b.quiet()
}

// An opening that a board is too small for does not begin.
func TestOpeningsOfSmallBoards(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	for _, test := range []struct {
		opening, size string
		begins        bool
	}{{"rif", "8", false}, {"pro", "6", false}, {"long-pro", "8", false}, {"long-pro", "9", true}, {"swap", "5", true}} {
		b.dialog("new")
		b.js(`document.querySelector('input[name=side][value=both]').click()`, nil)
		b.choose("#opening", test.opening)
		b.choose("#size", test.size)
		b.click("#new-dialog .end .strong")
		b.settle()
		if got := b.text(`!document.getElementById('new-dialog').open`); got != fmt.Sprint(test.begins) {
			t.Errorf("%s on a board of %s begins: %s, %s", test.opening, test.size, got, b.banner())
		}
		if !test.begins {
			b.click("#new-dialog [data-close]")
		} else {
			b.wait("the first choice", `/put stone 1/.test(document.querySelector('#banner span').textContent)`)
		}
	}
	b.quiet()
}

// What is said of a stone of an opening stays when the next one is laid.
func TestCommentsInOpenings(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both", opening: "swap2"})
	b.panel("moves")
	b.place("h8")
	b.click("#comment")
	b.keys("w", "h", "y")
	b.place("i9", "j10")
	b.click("#back")
	b.settle()
	b.click("#first")
	b.click("#next")
	b.settle()
	b.expect("the comment of the first stone", b.text(`document.getElementById('comment').value`), "why")
	b.quiet()
}

// An opening in which the colors have changed begins anew with the players as they were.
func TestRestartAfterColorsHaveChanged(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "white", opening: "swap", engine: "0"})
	for range 2 {
		b.option("Swap")
		b.wait("the opening is over", `/^(Your move|White to move)$/.test(document.querySelector('#banner span').textContent)`)
		b.click("#restart")
		b.settle()
	}
	b.option("Swap")
	b.quiet()
}

// Taking back while the engine chooses is no failure of its choice.
func TestTakingBackWhileTheEngineChooses(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "black", opening: "swap2", engine: "0"})
	b.place("h8", "h9")
	b.hold("/api/opening", `"choose":true`)
	b.click(b.cell("i10"))
	b.wait("a request is held", `held.length > 0`)
	b.click("#back")
	b.wait("two stones", `document.querySelectorAll('#g-stones .stone').length === 2`)
	b.release("fail")
	if text := b.banner(); !strings.HasPrefix(text, "Swap2: ") {
		t.Errorf("the banner: %s", text)
	}
	b.settle()

	// It chooses anew after a reload meanwhile.
	b.hold("/api/opening", `"choose":true`)
	b.click(b.cell("i10"))
	b.wait("a request is held", `held.length > 0`)
	b.click("#pause")
	b.release("go")
	const choices = `return m.state.game.swap?.choices.length`
	b.expect("choices after a pause", b.module("state.js", choices), "3")
	b.hold("/api/opening", `"choose":true`)
	b.click("#pause")
	b.wait("the engine is asked again", `held.length > 0`)
	b.click("#pause") // which keeps the game
	b.settle()
	b.reload()
	b.click("#pause")
	b.wait("the engine has chosen", `!/decides/.test(document.querySelector('#banner span').textContent)`)
	b.quiet()
}

// An opening that waits for the engine says so after it was reopened, and how it goes on.
func TestReopenedOpening(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	reopen := func() {
		t.Helper()
		b.newGame(choice{side: "both", opening: " "})
		b.place("a1")
		b.panel("analysis")
		b.click("#start")
		b.dialog("library")
		b.js(`document.querySelectorAll('#games .game')[1].click()`, nil)
		b.wait("the game", `!document.getElementById('library-dialog').open`)
		b.settle()
		b.expect("an analysis that nobody could stop", b.text(`document.getElementById('start').getAttribute('aria-pressed')`), "false")
	}
	b.newGame(choice{side: "black", opening: "rif", engine: "0"})
	b.place("h8")
	reopen()
	if text := b.banner(); !strings.Contains(text, "put stone 2") {
		t.Errorf("a person is to choose: %s", text)
	}
	b.must("POST", "/refresh", map[string]any{}, nil)
	b.wait("a person is to choose after a reload", `/put stone 2/.test(document.querySelector('#banner span')?.textContent)`)
	b.place("h9", "h10")
	b.expect("the engine is to choose", b.banner(), "Paused")
	b.option("Resume")
	b.wait("the engine has chosen", `!/Paused|decides/.test(document.querySelector('#banner span').textContent)`)

	b.newGame(choice{side: "black", opening: "swap2-me", engine: "0"})
	b.place("h8")
	reopen()
	b.place("h9", "i10")
	b.expect("the engine is to choose in swap2", b.banner(), "Paused")
	b.option("Resume")
	b.wait("the engine has chosen in swap2", `!/Paused|decides/.test(document.querySelector('#banner span').textContent)`)
	b.quiet()
}

// The parts of a text are put together with the marks of its language.
func TestChineseMarksBetweenTexts(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.language("zh")
	b.newGame(choice{side: "both", opening: "taraguchi-10"})
	b.expect("the banner", b.banner(), "塔拉山口-10：甲方，黑方，请下第 1 手")
	b.panel("moves")
	b.place("h8")
	b.click("#prev")
	b.settle()
	b.expect("the name of a branch", b.text(`document.querySelector('#branches button').getAttribute('aria-label')`), "变化 1：h8，共 1 手")
	b.quiet()
}

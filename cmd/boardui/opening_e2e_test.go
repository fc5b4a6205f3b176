//go:build e2e

package main

import (
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
	b.option("2")
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
	for i, rule := range []string{"rif", "taraguchi-10", "pro", "long-pro", "soosyrv-8"} {
		b.newGame(choice{side: []string{"black", "white"}[i%2], opening: rule, engine: "0"})
		for end := time.Now().Add(waitLimit); ; {
			if time.Now().After(end) {
				t.Fatalf("%s does not end: %s after %s", rule, b.banner(), b.moves())
			}
			b.settle()
			var now struct {
				Over   bool
				Button string
				Cell   int
			}
			b.js(`const g = JSON.parse(localStorage.getItem('tengen.game.' + sessionStorage.getItem('tengen.tab')));
				const swap = g.swap;
				if (!swap) return {Over: true, Button: '', Cell: -1};
				if (!swap.now || swap.seats[swap.now.by] !== -1) return {Over: false, Button: '', Cell: -1};
				const button = document.querySelector('#banner button[data-do^="opens:"]');
				const cell = swap.now.cells.match(/[a-z]\d+/);
				return {Over: false, Button: button ? button.textContent : '', Cell: cell ? (Number(cell[0].slice(1)) - 1) * 15 + cell[0].charCodeAt(0) - 97 : -1}`, &now)
			if now.Over {
				break
			}
			if now.Button != "" {
				b.option(now.Button)
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

//go:build e2e

package main

import (
	"fmt"
	"testing"
)

func TestSetUpAndHandicap(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, view{width: 360, height: 740, scale: 2})
	b.visit(serve(t, standard()...))
	b.newGame(choice{side: "black", engine: "0", opening: "setup"})
	b.tap(b.cell("h8"))
	b.tap(b.cell("h9"))
	b.js(`document.querySelector('#setup [data-tool=white]').click()`, nil)
	b.tap(b.cell("c3"))
	b.js(`document.querySelector('#setup [data-tool=erase]').click()`, nil)
	b.tap(b.cell("h9"))
	b.js(`document.querySelector('#setup [data-tool=black]').click()`, nil)
	for _, name := range []string{"h10", "h11", "h12", "h9"} {
		b.tap(b.cell(name))
	}
	b.shot("setup")
	b.click("#setup-done")
	b.wait("a position that is over is refused", `document.querySelector('#toast span').textContent === 'The game is over in this position'`)
	b.tap(b.cell("h9")) // the same color again takes it away
	b.click("#setup-done")
	b.wait("the game begins", `document.getElementById('setup').hidden`)
	b.settle()
	b.expect("four black stones and a white one", b.moves(), "h8c3h10-h11-h12-")
	b.expect("who moves", b.banner(), "Your move")
	b.place("h9")
	b.expect("the banner", b.banner(), "You win")
	b.js(`document.getElementById('restart').click()`, nil)
	b.settle()
	b.expect("restart sets it up again", b.moves(), "h8c3h10-h11-h12-")
	b.js(`document.getElementById('first').click()`, nil)
	b.settle()

	b.newGame(choice{side: "black", engine: "0", opening: "setup"})
	b.choose("#handicap", "3")
	b.expect("white moves", b.text(`document.getElementById('setup-side').value`), "white")
	b.click("#setup-done")
	b.wait("meek answers", `document.querySelectorAll('#g-stones .white').length === 1`)
	b.settle()
	b.expect("three black stones", b.moves(), "h8-d4-l12a1")
	b.newGame(choice{side: "both", opening: " "})

	// By keyboard, from the position shown.
	b.place("a1", "b2")
	b.panel("moves")
	edit := func() {
		b.click("#edit")
		b.wait("the editor has the focus", `document.activeElement.closest('#setup')`)
		b.js(`document.getElementById('board').focus()`, nil)
	}
	edit()
	b.keys("\ue007", "\ue012", "\ue007")
	b.choose("#setup-side", "white")
	b.click("#setup-cancel")
	b.settle()
	b.expect("canceled", b.moves(), "a1b2")
	edit()
	b.keys("\ue007")
	b.click("#setup-done")
	b.wait("the game begins", `document.getElementById('setup').hidden`)
	b.settle()
	if n := b.stones(); n != 3 {
		t.Errorf("%d stones after one was added: %s", n, b.moves())
	}
	b.quiet()
}

// A game that begins while a position is edited takes its place; until then the game below it
// stays as it is.
func TestGamesEndTheEditor(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.newGame(choice{side: "both"})
	b.place("h8", "i9")
	begun := func(how string, begin func()) {
		t.Helper()
		b.panel("moves")
		b.click("#edit")
		b.wait("the editor", `!document.getElementById('setup').hidden`)
		b.click(b.cell("a1"))
		begin()
		b.settle()
		b.expect(how+" ends the editor", b.text(`document.getElementById('setup').hidden + ' ' + document.querySelector('.actions').inert`), "true false")
	}
	begun("a file", func() { b.open("one.sgf", "(;SZ[15];B[gg])") })
	b.expect("the board", fmt.Sprint(b.stones()), "1")
	begun("the game before", func() {
		if _, _, over := b.middle("#back"); over == "" {
			t.Error("the game that is hidden can be taken back")
		}
		b.click("#toast button")
	})
	b.expect("the game before", b.moves(), "h8i9")
	begun("a new game", func() { b.newGame(choice{side: "both"}) })
	b.expect("no stones", fmt.Sprint(b.stones()), "0")
	b.quiet()
}

// The order in which stones are set up does not matter, although one of them would have been
// forbidden before another was there.
func TestSetUpOfARenjuPosition(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both", opening: "setup", rule: "4"})
	for _, cell := range b.cells("h7", "h6", "g8", "f8", "h8") {
		b.click(cell)
	}
	b.js(`document.querySelector('#setup [data-tool=white]').click()`, nil)
	for _, cell := range b.cells("o1", "o3", "o5", "o7", "h9") {
		b.click(cell)
	}
	b.click("#setup-done")
	b.wait("the game begins", `document.getElementById('setup').hidden`)
	b.settle()
	b.expect("the stones", fmt.Sprint(b.stones()), "10")
	b.expect("the banner", b.banner(), "Black to move")
	b.quiet()
}

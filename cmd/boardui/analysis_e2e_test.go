//go:build e2e

package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// panel opens a panel beside the board and waits for the module of one that is loaded late, which
// hears no click before.
func (b *browser) panel(name string) {
	b.t.Helper()
	b.js(`const [name] = arguments;
		document.getElementById('tab-' + name).click();
		if (['review', 'explorer', 'puzzles'].includes(name)) return import(new URL(name + '.js', location.href)).then(() => null, () => null)`, nil, name)
}

// analyze starts the analysis in its panel.
func (b *browser) analyze() {
	b.t.Helper()
	b.panel("analysis")
	b.click("#start")
	b.wait("an analysis", `document.querySelector('#lines button')`)
}

func TestAnalysisPanel(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both"})
	b.place("h8", "i9", "h9", "h10", "i8")
	b.panel("analysis")
	b.choose("#line-count", "9")
	b.choose("#thread-count", "2")
	b.click("#start")
	b.wait("nine lines with their scores on the board", `document.querySelectorAll('#lines button').length === 9 && document.querySelectorAll('#g-above .badge').length === 9`)
	b.wait("chances and scores on the points", `/^\d+$/.test(document.querySelector('#g-above .badge-text').textContent) && /^[+−]?\d+$/.test(document.querySelector('#g-above .badge-text.small').textContent)`)
	b.wait("depth, nodes and speed", `[...document.querySelectorAll('#figures dd')].filter((e) => e.textContent !== '–').length === 3`)
	b.moveMouse("#lines li:nth-child(3) button")
	b.wait("the line as stones", `document.querySelectorAll('#g-above .ghost').length >= 2`)
	b.shot("analysis-line")
	b.moveMouse("#start")
	b.wait("no stones", `document.querySelectorAll('#g-above .ghost').length === 0`)
	b.js(`const box = document.querySelector('#g-above .badge.best').getBoundingClientRect(), at = { bubbles: true, pointerType: 'mouse', clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
		document.getElementById('board').dispatchEvent(new PointerEvent('pointermove', at))`, nil)
	b.wait("the line of a point under the mouse", `document.querySelectorAll('#g-above .ghost').length >= 2`)
	b.shot("analysis-panel")

	// It goes on in the next position, and ends when asked to.
	b.click("#prev")
	b.wait("another position", `document.querySelectorAll('#lines button').length === 9`)
	b.click("#next")
	b.wait("back again", `document.querySelectorAll('#lines button').length === 9`)
	b.choose("#line-count", "2")
	b.wait("two lines", `document.querySelectorAll('#lines button').length === 2`)

	// Why not on the edge? Only that move is searched.
	b.click("#why")
	b.wait("what to do", `document.getElementById('tool-text').textContent.includes('Choose a point')`)
	b.click(b.cell("a1"))
	b.wait("its line", `document.querySelectorAll('#lines button').length === 1 && document.querySelector('#lines span').textContent.startsWith('a15 ')`)
	const best = `/The best move is/.test(document.querySelector('#lines li:last-child').textContent)`
	b.wait("the best move beside it", best)
	b.keys("t", "t") // shows threats, and hides them
	b.wait("its line", `document.querySelectorAll('#lines button').length === 1`)
	b.expect("the best move is there", b.text(best), "true")
	if n := b.stones(); n != 5 {
		t.Errorf("%d stones, the click was meant for the analysis", n)
	}
	b.click("#why")
	b.wait("all moves again", `document.querySelectorAll('#lines button').length === 2`)
	b.click("#start")
	b.wait("it is over", `document.getElementById('start').getAttribute('aria-pressed') === 'false' && document.getElementById('lines').className === 'stopped'`)

	// A point that is left out, and put back.
	b.click("#start")
	b.wait("two lines", `document.querySelectorAll('#lines button').length === 2`)
	first := b.text(`document.querySelector('#lines span').textContent.split(' ')[0]`)
	b.click("#block")
	b.click(b.cell(fromBelow(first)))
	b.wait("it is left out", `document.querySelector('#g-above .badge.blocked') && document.querySelectorAll('#lines button').length === 2 && ![...document.querySelectorAll('#lines span')].some((e) => e.textContent.startsWith('`+first+` '))`)
	b.shot("blocked")
	b.click(b.cell(fromBelow(first)))
	b.wait("it is back", `!document.querySelector('#g-above .badge.blocked')`)
	b.click("#block")
	b.wait("two lines", `document.querySelectorAll('#lines button').length === 2`)
	var moved float64
	b.js(`const even = document.getElementById('even'), before = even.getBoundingClientRect().top, list = document.getElementById('line-count')
		list.dispatchEvent(new Event('change'))
		return Math.abs(even.getBoundingClientRect().top - before)`, &moved)
	if moved > 1 {
		t.Errorf("as the analysis begins anew its buttons move by %g pixels", moved)
	}
	b.click("#even")
	b.wait("an even move", `/^Even after/.test(document.querySelector('#lines li').textContent) && document.querySelectorAll('#g-above .ghost').length === 1`)
	b.click("#even2")
	b.wait("two even moves", `/^Even after \S+ \S+$/.test(document.querySelector('#lines li').textContent) && document.querySelectorAll('#g-above .ghost').length === 2`)

	// By keyboard: the tool takes the cell under the cursor.
	b.js(`document.getElementById('why').focus()`, nil)
	b.keys("\ue007")
	b.js(`document.getElementById('board').focus()`, nil)
	b.keys("\ue013", "\ue013", "\ue007")
	b.wait("a line of one move", `document.querySelectorAll('#lines button').length === 1`)
	b.click("#start")

	// A game that was resigned goes on in it.
	b.click("#resign")
	b.settle()
	b.click("#start")
	b.wait("an analysis after the game", `document.querySelector('#lines:not([hidden]) button')`)
	b.click("#start")
	b.wait("it is over", `document.getElementById('start').getAttribute('aria-pressed') === 'false' && document.getElementById('lines').className === 'stopped'`)
	b.quiet()
}

// fromBelow returns in pos notation the point of a 15x15 board whose label, as people read it,
// counts rows from the bottom.
func fromBelow(label string) string {
	row, _ := strconv.Atoi(label[1:])
	return fmt.Sprintf("%c%d", label[0], 16-row)
}

func TestForcedWins(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both"})
	b.place("h8")
	b.panel("analysis")
	b.click("#threatened")
	b.wait("no threat", `document.getElementById('proof').textContent.startsWith('Black threatens nothing by force')`)
	b.place("a1", "h9", "a3")
	b.click("#solve")
	b.wait("no win", `/^(No win by force of Black was found|Black has no win by force)/.test(document.getElementById('proof').textContent) || /wins in/.test(document.getElementById('proof').textContent)`)
	b.place("h10")
	b.click("#threatened")
	b.wait("the threat", `/^Black threatens to win in 2/.test(document.getElementById('proof').textContent)`)
	b.wait("the moves that hold", `document.querySelectorAll('#g-above .badge.best').length >= 2`)
	b.place("a5")
	b.click("#solve")
	b.wait("the win", `/^Black wins in 2/.test(document.getElementById('proof').textContent)`)
	b.wait("its line", `document.querySelectorAll('#g-above .ghost').length === 3`)
	b.click("#proof summary")
	b.wait("the replies", `document.querySelectorAll('#proof ul ul li').length >= 2`)
	b.wait("the first move", `document.querySelectorAll('#g-above .ghost').length === 1`)
	b.click("#proof ul ul .leaf")
	b.wait("the five", `document.querySelectorAll('#g-above .ghost').length === 3`)
	b.shot("proof")
	if text := b.text(`document.querySelector('#proof ul ul li:last-child').textContent`); !strings.HasPrefix(text, "any other") {
		t.Errorf("the last reply is %q", text)
	}
	b.click("#proof .headline button")
	b.wait("the line is gone", `document.getElementById('proof').hidden && !document.querySelector('#g-above .ghost')`)
	b.quiet()
}

// What is found without some moves is not the score of the position.
func TestBlockedMovesDoNotChangeTheScore(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both"})
	b.place("h8", "a1", "h9", "a3", "h10", "a5", "h11", "a7")
	b.panel("analysis")
	b.click("#block")
	wins := `document.getElementById('score').textContent === 'Black wins in 1'`
	b.wait("the score", wins)
	b.click(b.cell("h7"))
	b.click(b.cell("h12"))
	b.wait("a line without them", `document.querySelectorAll('#g-above .badge.blocked').length === 2 && document.querySelector('#lines button i') && document.querySelector('#lines button i').textContent !== '+M1'`)
	b.expect("the same score", b.text(wins), "true")
	b.quiet()
}

// A move that is forbidden is not analyzed alone, and the analysis goes on.
func TestWhyOfAForbiddenMove(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.open("three.sgf", "(;SZ[15]RU[renju];B[hg];W[aa];B[hf];W[ac];B[gh];W[ae];B[fh];W[ag])")
	b.wait("the game", `document.getElementById('ply').textContent === '8 / 8'`)
	b.analyze()
	b.click("#why")
	b.click(b.cell("h8"))
	b.wait("a note", `/is forbidden/.test(document.querySelector('#toast span').textContent)`)
	b.expect("the banner", b.banner(), "Black to move")
	b.expect("the button", b.text(`document.getElementById('start').getAttribute('aria-pressed')`), "true")
	b.click(b.cell("a15"))
	b.wait("another move", `document.querySelectorAll('#lines button').length === 1`)
	b.click("#start")
	b.quiet()
}

// While two engines play, the analysis follows the game.
func TestAnalysisOfEngines(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.newGame(choice{side: "both"})
	b.place("h8", "i9")
	b.analyze()
	b.hold("/api/think", `"engine":0`) // not the search for a score
	b.choose("#player-black select", "0")
	b.wait("an engine is asked", `held.length === 1`)
	b.keys("t", "t")
	b.expect("lines while the only engine thinks", b.text(`!document.getElementById('lines').hidden`), "false")
	b.choose("#player-white select", "0")
	b.wait("an engine is asked", `held.length === 2`)
	b.wait("lines before its move", `document.querySelector('#lines:not([hidden]) button')`)
	b.click("#why") // is about this position
	b.click(b.cell("a1"))
	b.wait("the line of one move", `document.querySelector('#lines span')?.textContent.startsWith('a15 ')`)
	b.js(`held.pop().go()`, nil)
	b.wait("the other engine is asked", `document.getElementById('ply').textContent === '3 / 3' && held.length === 2`)
	b.wait("lines after the move", `document.querySelector('#lines:not([hidden]) button')`)
	b.expect("one move alone", b.text(`document.getElementById('why').getAttribute('aria-pressed')`), "false")
	b.click("#prev")
	b.wait("lines of the position before", `document.getElementById('ply').textContent === '2 / 3' && document.querySelector('#lines:not([hidden]) button')`)
	b.quiet()
}

// A hint takes the place of the analysis, which can be started again.
func TestHintEndsTheAnalysis(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both"})
	b.place("h8", "i9")
	b.analyze()
	pressed := func() string {
		return b.text(`['start', 'block'].filter((id) => document.getElementById(id).getAttribute('aria-pressed') === 'true')`)
	}
	b.click("#block")
	b.expect("the buttons", pressed(), "start,block")
	b.click("#hint")
	b.wait("a hint", `document.querySelector('#lines b')?.textContent === '★'`)
	b.expect("the buttons after a hint", pressed(), "")
	b.place("h9")
	b.expect("a stone after the hint", b.moves(), "h8i9h9")
	b.click("#block")
	b.wait("lines again", `document.querySelector('#lines b') && document.querySelector('#lines b').textContent !== '★'`)
	b.click("#even")
	b.expect("the buttons after an even move", pressed(), "")
	b.wait("an even move", `/^Even after/.test(document.querySelector('#lines li')?.textContent)`)
	b.quiet()
}

// A tool is for the game that it was taken up in.
func TestToolsEndWithTheirGame(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both"})
	b.place("h8")
	b.panel("analysis")
	b.click("#block")
	b.wait("the tool", `document.getElementById('block').getAttribute('aria-pressed') === 'true'`)
	b.panel("play")
	b.place("h9")
	b.expect("a stone while another panel is shown", b.moves(), "h8h9")
	b.panel("analysis")
	b.newGame(choice{side: "both"})
	b.place("i9")
	b.expect("a stone in the next game", b.moves(), "i9")
	b.panel("moves")
	b.click("#mark-choice [data-mark=cross]")
	b.newGame(choice{side: "both"})
	b.place("j10")
	b.expect("a stone in the game after one with marks", b.moves(), "j10")
	b.quiet()
}

// What one game leaves out is nothing to the next, in which a stone cannot be left out.
func TestBlockedMovesStayWithTheirGame(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	const blocked = `document.querySelectorAll('#g-above .badge.blocked').length`
	b.newGame(choice{side: "both"})
	b.panel("analysis")
	b.click("#block")
	b.click(b.cell("o15"))
	b.wait("a point that is left out before the first move", blocked+` === 1`)
	b.newGame(choice{side: "both", size: "9"}) // which takes the place of that without moves
	b.click("#block")
	b.wait("lines on a board without the point", `document.querySelector('#lines button')`)
	b.expect("points that are left out", b.text(blocked), "0")
	b.newGame(choice{side: "both", size: "15"})
	b.place("h8")
	b.click("#block")
	b.click(b.cell("i9"))
	b.wait("a point that is left out", blocked+` === 1`)
	b.newGame(choice{side: "both"})
	b.place("h8")
	b.click("#block")
	b.click(b.cell("h8"))
	b.expect("points that are left out", b.text(blocked), "0")
	b.expect("the note", b.text(`document.querySelector('#toast span').textContent`), "There is already a stone on h8")
	b.click("#mirror")
	b.settle()
	b.dialog("library")
	b.js(`document.querySelectorAll('#games .game')[1].click()`, nil)
	b.wait("the point left out in the first game, after the board of the second was mirrored", blocked+` === 1`)
	b.click("#start")
	b.quiet()
}

// An analysis ends at its limit of depth or of nodes; what it has found stays.
func TestLimitsOfTheAnalysis(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both"})
	b.place("h8", "i9", "h9")
	b.panel("analysis")
	b.choose("#limit-depth", "6")
	b.click("#start")
	b.deepen(6)
	time.Sleep(300 * time.Millisecond) // in which a search without a limit gets on
	if depth := b.depth(); depth != 6 {
		t.Errorf("an analysis to depth 6 is at depth %d", depth)
	}
	b.choose("#limit-depth", "0")
	b.choose("#limit-nodes", "10000")
	b.place("h10")
	b.wait("lines of the next position", `document.querySelectorAll('#lines button').length >= 4`)
	time.Sleep(300 * time.Millisecond)
	if nodes := b.text(`document.querySelector('#figures dd:nth-of-type(2)').textContent`); !regexp.MustCompile(`^(\d{1,4}|10k)$`).MatchString(nodes) {
		t.Errorf("an analysis of 10000 nodes has %s", nodes)
	}
	b.quiet()
}

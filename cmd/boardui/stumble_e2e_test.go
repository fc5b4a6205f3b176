//go:build e2e

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The page fits into the window of a desktop, and the labels lie on their lines on any board.
func TestPageFitsTheWindow(t *testing.T) {
	t.Parallel()
	url := serve(t, engines()...)
	for _, v := range []view{desktop, {width: 1440, height: 900}} {
		b := startBrowser(t, v)
		b.visit(url)
		for _, size := range []string{"5", "15", "22", "5:22", "22:5"} {
			if strings.Contains(size, ":") {
				b.open("narrow.sgf", "(;SZ["+size+"];B[aa])")
				b.wait("the board", `document.getElementById('rules').textContent.startsWith('`+strings.Replace(size, ":", " × ", 1)+` ')`)
			} else {
				b.newGame(choice{side: "both", size: size})
			}
			var tall, off float64
			b.js(`return document.documentElement.scrollHeight - innerHeight`, &tall)
			if tall > 0 {
				t.Errorf("%d × %d, board of %s: the page is %.0f pixels too tall", v.width, v.height, size, tall)
			}
			b.js(`const middle = (e) => { const r = e.getBoundingClientRect(); return r.top + r.height / 2; };
				const edge = document.querySelector('#drawing .edge').getBoundingClientRect(), n = document.querySelectorAll('#board [role=row]').length;
				const rows = [...document.querySelectorAll('#drawing .label')].filter((e) => /\d/.test(e.textContent));
				return Math.max(...rows.map((e) => Math.abs(middle(e) - (edge.bottom - (Number(e.textContent) - 1) * edge.height / (n - 1)))))`, &off)
			if off > 3 {
				t.Errorf("%d × %d, board of %s: a label is %.1f pixels off its line", v.width, v.height, size, off)
			}
		}
		b.quiet()
	}
}

// Lines of threats lie under the numbers; the end of a game is in the score and in the plot.
func TestNumbersAndEnds(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.newGame(choice{side: "both"})
	b.keys("n", "t")
	b.place("h8", "a1", "i8", "b3", "j8", "o15", "k8")
	b.wait("the line of a four", `document.querySelector('#drawing .threat.four')`)
	var under bool
	b.js(`return Boolean(document.querySelector('#drawing .threat.four').compareDocumentPosition(document.querySelector('#drawing .number')) & Node.DOCUMENT_POSITION_FOLLOWING)`, &under)
	if !under {
		t.Error("the line hides the numbers")
	}
	b.place("d12", "l8")
	b.expect("the score of a game that is won", b.text(`document.getElementById('score').textContent`), "1–0")
	b.expect("the plot ends with the last move", b.text(`document.querySelector('#plot .now').getAttribute('d').split(' ')[0] === document.querySelector('#plot .here').getAttribute('d').split(' ')[0]`), "true")
	b.quiet()
}

// The score comes from a search at full strength whatever the level, and a win is in words; the
// slider of the time is for the level that uses it; two engines have dials of their own.
func TestLevelsAndScores(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, stub("meek"), own()))
	b.choose("#player-white select", "1")
	seen := func(css string) string {
		return b.text(`document.querySelector('` + css + `').getClientRects().length`)
	}
	b.choose("#level-white", "1")
	b.expect("the time at level 1", seen("#time"), "0")
	b.choose("#level-white", "16")
	b.expect("the time at full strength", seen("#time"), "1")
	b.choose("#level-white", "1")
	b.newGame(choice{side: "both"})
	b.place("h8", "a1", "i8", "c1", "j8")
	time.Sleep(700 * time.Millisecond) // in which the position gets its score
	b.place("e1")
	b.wait("a win in words", `document.getElementById('score').textContent === 'Black wins in 2'`)
	b.expect("the score is of the position", b.text(`document.getElementById('bar').getAttribute('aria-valuetext')`), "Black wins in 2")

	b.newGame(choice{side: "black", engine: "0"})
	b.choose("#player-black select", "0")
	b.wait("a move, with which the engine tells its name", `document.querySelectorAll('#g-stones .stone').length > 0`)
	b.click("#pause")
	b.settle()
	b.choose("#player-black select", "1")
	b.wait("whose dials these are", `!document.getElementById('dialed').hidden`)
	b.choose("#level-black", "2")
	b.choose("#level-white", "16")
	b.js(`document.querySelector('#dialed input[value=white]').click()`, nil)
	b.choose("#time", "1")
	b.js(`document.querySelector('#dialed input[value=black]').click()`, nil)
	b.expect("the time of the black engine, which uses none", seen("#time"), "0")
	b.js(`document.querySelector('#dialed input[value=white]').click()`, nil)
	b.expect("that of the white one", b.text(`document.querySelector('#time ~ output').textContent`), "0.2 s a move")
	b.expect("the levels", b.text(`['black', 'white'].map((c) => document.getElementById('level-' + c).selectedOptions[0].text)`), "2 · Beginner,16 · Full strength")
	b.wait("the names", `Array.from(document.querySelector('#player-black select').options, (o) => o.textContent).join('|') === 'Person|Meek|Tengen'`)
	b.quiet()
}

// A move goes before an analysis of another tab, and who waits is told so.
func TestWaitingRequestsAreTold(t *testing.T) {
	t.Parallel()
	q := newTester(t, 2, stub("thinker"), own())
	b := startBrowser(t, desktop)
	b.visit(q.url)
	b.newGame(choice{side: "both"})
	b.place("h8")
	b.panel("analysis")
	b.choose("#thread-count", "2")
	b.click("#start")
	b.wait("an analysis on all threads", `document.querySelectorAll('#lines button').length > 0`)
	var tab struct{ Handle string }
	b.must("POST", "/window/new", map[string]any{"type": "window"}, &tab)
	b.must("POST", "/window", map[string]any{"handle": tab.Handle}, nil)
	b.visit(q.url)
	b.choose("#time", "0")
	b.choose("#player-white select", "0")
	b.place("h8")
	b.expect("the answer beside an analysis", fmt.Sprint(b.stones()), "2")

	// Two searches take both threads; the third waits and says so.
	stop := q.busy(2)
	b.click(b.cell("h9"))
	b.wait("it says that it waits", `/waiting/.test(document.querySelector('#player-white small').textContent)`)
	stop()
	b.settle()
	b.expect("the answer after the wait", fmt.Sprint(b.stones()), "4")
}

// A tab that nobody sees stops its analysis, and goes on with it, or gets the score, when it is seen
// again.
func TestHiddenTabsYield(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both"})
	b.analyze()
	b.js(`window.asked = []; const ask = window.fetch;
		window.fetch = (path, body) => { if (path === '/api/analyze') { const at = {ended: false}; asked.push(at); body.signal.addEventListener('abort', () => { at.ended = true; }); } return ask(path, body); };
		document.getElementById('prev').disabled || document.getElementById('prev').click()`, nil)
	b.place("h8")
	b.wait("the analysis of the next position", `asked.length === 1`)
	see := func(hidden bool) {
		b.js(`Object.defineProperty(document, 'hidden', {value: arguments[0], configurable: true}); document.dispatchEvent(new Event('visibilitychange'))`, nil, hidden)
	}
	see(true)
	b.wait("the analysis has ended", `asked.length === 1 && asked[0].ended`)
	b.place("i9")
	b.expect("a position that nobody sees", b.text(`asked.length`), "1")
	see(false)
	b.wait("it goes on", `asked.length === 2 && !asked[1].ended && document.querySelectorAll('#lines button').length > 0`)

	see(true)
	b.newGame(choice{side: "both"})
	b.place("h8")
	b.expect("the score of a position that nobody sees", b.text(`document.getElementById('score').textContent`), "–")
	see(false)
	b.wait("its score", `document.getElementById('score').textContent !== '–'`)
	b.quiet()
}

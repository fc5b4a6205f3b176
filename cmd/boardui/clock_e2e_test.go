//go:build e2e

package main

import (
	"fmt"
	"testing"
	"time"
)

// newClockGame begins a game with a clock.
func (b *browser) newClockGame(c choice, clock string) {
	b.t.Helper()
	b.dialog("new")
	b.wait("the dialog opens", `document.getElementById('new-dialog').open`)
	b.js(`document.querySelector('input[name=side][value=' + arguments[0] + ']').click()`, nil, c.side)
	b.choose("#clock", "own")
	b.choose("#clock-text", clock)
	b.click("#new-dialog .end .strong")
	b.wait("the dialog closes", `!document.getElementById('new-dialog').open`)
	b.settle()
}

// holdTime stops the time of the page, which passes by pass alone from now on.
func (b *browser) holdTime() {
	b.t.Helper()
	b.js(`let now = Date.now(); Date.now = () => now; window.later = (ms) => { now += ms; }`, nil)
}

// pass lets time of the page pass.
func (b *browser) pass(d time.Duration) {
	b.t.Helper()
	b.js(`later(arguments[0])`, nil, d.Milliseconds())
}

// clock waits until the clock of a color shows text, which the page draws five times a second.
func (b *browser) clock(what, color, text string) {
	b.t.Helper()
	b.wait(what+": "+text, `document.getElementById('clock-`+color+`').textContent === '`+text+`'`)
}

func TestClocks(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.holdTime()
	b.newClockGame(choice{side: "both"}, "30+5")
	b.clock("at the beginning", "black", "0:30")
	b.clock("at the beginning", "white", "0:30")
	b.place("h8")
	b.pass(3 * time.Second)
	b.clock("after three seconds", "white", "0:27")
	b.place("i9")
	b.clock("an increment", "white", "0:32")
	b.pass(2 * time.Second)
	b.wait("black's clock runs", `document.getElementById('clock-black').classList.contains('runs')`)
	b.clock("two seconds later", "black", "0:28")
	b.shot("clocks")

	// A flag falls after the main time and all periods.
	b.newClockGame(choice{side: "both"}, "1+0+2x1")
	b.place("h8")
	b.pass(1200 * time.Millisecond)
	b.clock("byo-yomi", "white", "0.8 (2)")
	b.pass(time.Second)
	b.clock("the last period", "white", "0.8 (1)")
	b.expect("the banner", b.banner(), "White to move")
	b.pass(time.Second)
	b.wait("the flag falls", `document.getElementById('banner').className === 'won'`)
	b.expect("the banner", b.banner(), "Black wins · White ran out of time")
	b.place("i9")
	b.expect("no stone after that", b.moves(), "h8")

	// A period begins anew with every move.
	b.newClockGame(choice{side: "both"}, "0+0+1x2")
	for i, m := range []string{"h8", "i9", "h9", "h10"} {
		b.place(m)
		b.pass(1500 * time.Millisecond)
		b.clock("the period of a move", []string{"white", "black"}[i%2], "0.5 (1)")
	}
	b.expect("after four quick moves", b.banner(), "Black to move")

	// The engine gets what its clock says.
	b.js(`window.told = []; const asked = window.fetch;
		window.fetch = (path, body) => { if (path === '/api/think' && JSON.parse(body.body).left !== undefined) window.told.push(JSON.parse(body.body)); return asked(path, body); }`, nil)
	b.newClockGame(choice{side: "black"}, "60+1")
	b.place("h8", "h9")
	var told []struct{ Match, Left, Increment int }
	b.js(`return window.told.map(({match, left, increment}) => ({Match: match, Left: left, Increment: increment}))`, &told)
	if len(told) != 2 || told[0].Left != 60_000 || told[0].Match != 60_000 || told[1].Left > 61_000 || told[1].Left < 20_000 || told[1].Increment != 1000 {
		t.Errorf("the engine was told %+v", told)
	}
	b.wait("its clock", `/^(0:[0-5]\d|1:0[0-2])$/.test(document.getElementById('clock-white').textContent)`)

	// Nonsense is no clock.
	b.dialog("new")
	b.choose("#clock", "own")
	b.choose("#clock-text", "soon")
	b.click("#new-dialog .end .strong")
	var open bool
	b.js(`return document.getElementById('new-dialog').open`, &open)
	if !open {
		t.Error("a game began with a clock of nonsense")
	}
	b.click("#new-dialog [data-close]")
	b.quiet()
}

// A clock runs in the position that it was started in, and in a game that goes on.
func TestClocksOfOtherPositions(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.holdTime()

	// The time that was used in one game is not that of the next.
	b.newClockGame(choice{side: "both"}, "60+0")
	b.place("h8")
	b.pass(1300 * time.Millisecond)
	b.clock("the time that was used", "white", "0:59")
	b.dialog("new")
	b.choose("#clock", "own")
	b.choose("#clock-text", "1+0")
	b.hold("/api/look", "")
	b.click("#new-dialog .end .strong")
	b.wait("a request is held", `held.length > 0`)
	b.pass(500 * time.Millisecond)
	time.Sleep(300 * time.Millisecond) // in which the clocks are drawn
	b.release("go")
	b.settle()
	b.expect("a new game", b.banner(), "Black to move")

	// A line that has ended, of which the middle is shown.
	b.newClockGame(choice{side: "both"}, "60+0")
	b.place("h8", "a1", "h9", "a2", "h10", "a3", "h11", "a4", "h12")
	b.expect("the end", b.banner(), "Black wins")
	b.wait("no clock runs after the end", `!document.querySelector('.clock.runs')`)
	b.click("#first")
	b.settle()
	b.place("c3", "c4")
	b.wait("the clock that runs in a variation", `document.querySelector('.clock.runs')?.id === 'clock-black'`)
	b.click("#prev")
	b.settle()
	b.keys("\ue013")
	b.settle()
	b.expect("the line", b.text(`document.getElementById('ply').textContent`), "1 / 9")
	b.wait("no clock runs", `!document.querySelector('.clock.runs')`)
	b.dialog("library")
	b.expect("the result in the list", b.text(`document.querySelector('#games small').textContent.slice(0, 3)`), "1–0")
	b.click("#library-dialog .end .strong")

	// A flag that fell is not a resignation, and the other way round.
	b.newClockGame(choice{side: "both"}, "1+0")
	b.place("h8")
	b.pass(time.Second)
	b.wait("the flag falls", `document.getElementById('banner').className === 'won'`)
	b.dialog("files")
	saved := b.download("#save-sgf", "*.sgf")
	b.click("#files-dialog .end button")
	b.open("time.sgf", string(saved))
	b.wait("the game of the file", `/White ran out of time/.test(document.querySelector('#banner span').textContent)`)
	b.settle()
	b.click("#back")
	b.settle()
	b.click("#resign")
	b.settle()
	b.expect("the banner", b.banner(), "Black wins · White resigned")

	// No clock has more than a day.
	b.dialog("new")
	b.choose("#clock", "own")
	b.choose("#clock-text", "86401+0")
	b.click("#new-dialog .end .strong")
	b.expect("the dialog is open", b.text(`document.getElementById('new-dialog').open`), "true")
	b.click("#new-dialog [data-close]")
	b.quiet()
}

// thinkTwentySeconds begins a game with a minute for Black, who has moved once and then thought for
// twenty seconds, in a page whose time is held. It returns what waits until the clock of Black shows
// want, a pattern, and runs or not.
func (b *browser) thinkTwentySeconds() (shows func(what, want string, runs bool)) {
	b.t.Helper()
	b.holdTime()
	b.newClockGame(choice{side: "black"}, "60+0")
	b.place("h8")
	b.settle()
	shows = func(what, want string, runs bool) {
		b.t.Helper()
		b.wait(what+": "+want, fmt.Sprintf(`/^%s$/.test(document.getElementById('clock-black').textContent) && document.getElementById('clock-black').classList.contains('runs') === %v`, want, runs))
	}
	shows("the clock runs", "1:00", true)
	b.pass(20 * time.Second)
	shows("twenty seconds later", "0:40", true)
	return shows
}

// Neither a pause nor a turn of the board gives back the time that has been thought.
func TestClocksKeepTheTimeOfAMove(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	shows := b.thinkTwentySeconds()
	b.click("#pause")
	b.settle()
	b.pass(20 * time.Second)
	shows("a pause", "0:40", false)
	b.click("#pause")
	b.settle()
	b.pass(10 * time.Second)
	shows("after the pause", "0:30", true)
	b.click("#rotate")
	b.settle()
	shows("the board turned", "0:30", true)
	b.place("a1")
	b.settle()
	shows("after the move", "0:30", true)
	b.quiet()
}

// The time of a move is that of its position, wherever one has been meanwhile: in a puzzle, in another
// game, or nowhere, as the page was loaded again.
func TestClocksGoOnAfterTheGameWasLeft(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	shows := b.thinkTwentySeconds()
	b.panel("puzzles")
	b.wait("the panel is loaded", `document.getElementById('puzzle-level').options.length`)
	b.startPuzzle()
	b.pass(30 * time.Second)
	b.click("#puzzle-leave")
	b.settle()
	shows("after a puzzle", "0:40", true)
	b.panel("play")

	b.click("#back")
	b.wait("the move is taken back", `document.querySelectorAll('#g-stones .stone').length === 0`)
	b.settle()
	b.bringBack()
	shows("after it was brought back", "0:40", true)

	b.newGame(choice{side: "both"})
	b.place("a1")
	b.dialog("library")
	b.click("#games .game:not([aria-current])")
	b.settle()
	shows("after another game", "0:40", false)
	b.click("#pause")
	b.settle()
	b.pass(5 * time.Second)
	shows("which goes on", "0:35", true)

	b.reload()
	shows("after a reload", "0:3[0-5]", true)
	b.place("c3")
	b.settle()
	shows("after the move", "0:[23]\\d", true)
	b.quiet()
}

// The time of a move is stored while it runs: firefox may cut off what a page does when it is left.
func TestClocksGoOnAfterAPageWasCutOff(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	shows := b.thinkTwentySeconds()
	b.wait("the time is stored", `/"spent":20000\b/.test(localStorage.getItem('tengen.game.' + sessionStorage.getItem('tengen.tab')))`)
	b.js(`for (const leaving of ['pagehide', 'visibilitychange']) window.addEventListener(leaving, (event) => event.stopImmediatePropagation(), true)`, nil)
	b.reload()
	shows("after a reload", "0:(3\\d|40)", true)
	b.quiet()
}

// A move that is in the tree already takes time like any other.
func TestClocksOfMovesMadeAgain(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.holdTime()
	b.newClockGame(choice{side: "both"}, "30+0")
	b.place("h8", "i9")
	b.keys("[")
	b.place("j10")
	b.click("#back")
	b.settle()
	b.expect("white is to move again", b.moves(), "h8")
	b.pass(5 * time.Second)
	b.clock("white thinks", "white", "0:25")
	b.place("i9")
	b.expect("the old line", b.moves(), "h8i9")
	b.clock("white has less time", "white", "0:25")
	b.wait("black's clock runs", `document.getElementById('clock-black').classList.contains('runs')`)
	b.quiet()
}

//go:build e2e

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tengen/brain/level"
)

// shownIn lists the words of what a person can see of a selector.
func (b *browser) shownIn(css string) string {
	b.t.Helper()
	return b.text(`[...document.querySelectorAll('` + css + `')].filter((e) => e.getBoundingClientRect().height > 4).map((e) => e.textContent.trim()).join(', ')`)
}

// The dialog of a new game has the level of each engine, and its time where it uses that.
func TestNewGameHasLevels(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, view{width: 360, height: 740, scale: 2})
	b.visit(serve(t, own()))
	b.dialog("new")
	list := b.box("#new-level-1")
	if list.Width < 60 || list.Top+list.Height > 740 {
		t.Errorf("the level lies at %+v", list)
	}
	b.expect("what is asked", b.shownIn("#new-dialog .row > span"), "You play, Against, Opening, Clock, Size, Rule")
	b.choose("#new-level-1", "16")
	b.expect("what is asked at full strength", b.shownIn("#new-dialog .row > span"), "You play, Against, Time, Opening, Clock, Size, Rule")
	b.js(`document.querySelector('input[name=side][value=none]').click()`, nil)
	b.expect("what is asked of two engines", b.shownIn("#new-dialog .row > span"), "You play, Black, White, Time, Games, Opening, Clock, Size, Rule")
	b.choose("#new-level-1", "3")
	b.choose("#new-level-2", "2")
	b.expect("whether the time is asked for levels without one", fmt.Sprint(strings.Contains(b.shownIn("#new-dialog .row > span"), "Time")), "false")
	b.click("#new-dialog .end .strong")
	b.wait("the game", `document.querySelector('.player.thinking') || document.querySelectorAll('#g-stones .stone').length > 0`)
	b.expect("the cards", b.text(`['black', 'white'].map((c) => document.getElementById('level-' + c).selectedOptions[0].text)`), "3 · Learner,2 · Beginner")
	b.quiet()
}

// Every level has a name in every language, and the strength that the engine knows it by. A name fits into
// its list, on a phone, too.
func TestLevelsHaveNames(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, view{width: 360, height: 740, scale: 2})
	b.visit(serve(t, own()))
	var strengths []string
	for n := 1; n <= level.Count; n++ {
		strengths = append(strengths, fmt.Sprint(level.Strength(n)))
	}
	b.expect("the strengths", b.module("levels.js", `return Array.from({ length: m.levels }, (_, i) => m.strengthOf(i + 1))`), strings.Join(strengths, ","))
	for _, language := range languages {
		b.choose("#language", language)
		b.wait("the language", `document.documentElement.lang.startsWith('`+language+`')`)
		b.wait("the names", `new Set([...document.querySelectorAll('#level-white option')].map((o) => o.text.split(' · ')[1]).filter((s) => s && !s.startsWith('rank'))).size === `+fmt.Sprint(level.Count))
		// A list that may be as wide as its only name tells the room that this name needs, arrow and all.
		cut := `(() => { const list = document.getElementById('level-white'), one = list.cloneNode(false);
			one.style.cssText = 'position: absolute; flex: none; width: max-content; max-width: none';
			list.after(one);
			const long = [...list.options].map((o) => o.text).filter((s) => { one.replaceChildren(new Option(s)); return one.offsetWidth > list.offsetWidth; });
			one.remove();
			return long; })()`
		for _, v := range widths {
			b.resize(v)
			if list := b.text(cut); list != "" {
				t.Errorf("%s: cut off on a card of a window %d wide: %s", language, v.width, list)
			}
		}
	}
	b.quiet()
}

// The card of an engine shows its level, on a phone too, and changes it.
func TestCardChangesTheLevel(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, view{width: 360, height: 740, scale: 2})
	b.visit(serve(t, own()))
	list := b.box("#level-white")
	if list.Height < 20 || list.Top+list.Height > 740 {
		t.Errorf("the level lies at %+v, the window ends at 740", list)
	}
	b.expect("the card", b.text(`[...document.querySelectorAll('#player-white select')].map((e) => e.selectedOptions[0].text)`), "Tengen,2 · Beginner")
	b.choose("#level-white", "2")
	b.reload()
	b.expect("the level after a reload", b.text(`document.getElementById('level-white').selectedOptions[0].text`), "2 · Beginner")
	b.expect("the card of a person", b.text(`document.getElementById('level-black').getBoundingClientRect().height`), "0")
	b.quiet()
}

// While one plays there are at most three actions and a menu, all of which can be used.
func TestThreeActionsAndAMenu(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.expect("at the beginning", b.shownIn(".actions button"), "Hint, Resign, More")
	b.place("h8", "h9", "h10", "h11")
	b.expect("in the middle", b.shownIn(".actions button"), "Take back, Hint, Resign, More")
	b.click("#more")
	b.expect("with the menu", b.shownIn(".actions button"), "Take back, Hint, Resign, More, Swap sides, Pause, Restart")
	b.expect("buttons that do nothing", b.shownIn(".actions button:disabled"), "")
	b.place("h12")
	b.expect("at the end", b.shownIn(".actions button"), "Take back, Restart")
	b.quiet()
}

// Who is better is said in words while one plays, and in units in the panels for study.
func TestWordsForTheScore(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both"})
	b.expect("the curve of a game without scores", b.text(`document.getElementById('plot').getBoundingClientRect().height`), "0")
	b.place("h8", "a1", "h9", "c1")
	b.wait("the score of the position shown", `document.querySelector('#plot .dot.now')`)
	if words := b.text(`document.getElementById('score').textContent`); !strings.HasPrefix(words, "Black ") {
		t.Errorf("the score is %q", words)
	}
	b.click("#prev")
	b.settle()
	b.wait("the curve", `document.getElementById('plot').getBoundingClientRect().height > 50`)
	b.panel("analysis")
	if words := b.text(`document.getElementById('score').textContent`); words != "–" && !strings.ContainsAny(words, "0123456789") {
		t.Errorf("the score beside the analysis is %q", words)
	}
	b.quiet()
}

// The panels have the width that the board leaves, and all tabs stand in a row.
func TestSideColumnUsesTheWidth(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	for _, v := range []view{{width: 1440, height: 900}, {width: 1280, height: 860}, {width: 1024, height: 768}, {width: 360, height: 740, scale: 2}} {
		b.resize(v)
		if aside := b.box("aside"); v.width == 1440 && aside.Width < 500 {
			t.Errorf("the panels are %.0f wide", aside.Width)
		}
		for _, l := range languages {
			b.language(l)
			b.expect(fmt.Sprint(v.width, ", ", l, ": rows of tabs"), b.text(`new Set([...document.querySelectorAll('[role=tab]')].map((e) => Math.round(e.getBoundingClientRect().top))).size`), "1")
			b.expect(fmt.Sprint(v.width, ", ", l, ": wider than the window"), b.text(`Math.max(0, document.documentElement.scrollWidth - innerWidth)`), "0")
		}
	}
	b.quiet()
}

// On a phone the board stays in view while the lines of the analysis scroll.
func TestBoardStaysWhileLinesScroll(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, view{width: 360, height: 740, scale: 2})
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both"})
	b.place("h8", "i9", "h9", "h10", "i8")
	b.panel("analysis")
	b.choose("#line-count", "9")
	b.click("#start")
	b.wait("nine lines", `document.querySelectorAll('#lines button').length === 9`)
	b.js(`document.querySelector('#lines li:last-child').scrollIntoView({block: 'end', behavior: 'instant'})`, nil)
	frame, line := b.box("#frame"), b.box("#lines li:last-child")
	if frame.Top < -1 || frame.Top+frame.Height > 740 {
		t.Errorf("the board lies at %+v", frame)
	}
	if line.Top < frame.Top+frame.Height || line.Top+line.Height > 741 {
		t.Errorf("the last line lies at %+v, the board at %+v", line, frame)
	}
	b.shot("sticky")
	b.quiet()
}

// A move of a line can be clicked: the board shows the line up to it, which can be kept as a variation.
func TestMovesOfLinesCanBeClicked(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both"})
	b.place("h8", "i9", "h9", "h10", "i8", "a1")
	b.click("#prev")
	b.settle()
	b.analyze()
	b.deepen(8)
	b.click("#start") // so that the line stays what it is
	line := strings.Fields(b.text(`document.querySelector('#lines li:nth-child(2) span').textContent`))
	if len(line) < 3 {
		t.Fatalf("the line is %q", line)
	}
	b.click("#lines li:nth-child(2) u[data-n='3']")
	ghosts := func() string {
		return b.text(`[...document.querySelectorAll('#g-above .ghost text')].map((e) => e.textContent).join(' ')`)
	}
	b.wait("its stones", `document.querySelectorAll('#g-above .ghost').length === 3`)
	b.moveMouse("#ply")
	b.expect("the stones when the mouse has gone", ghosts(), "1 2 3")
	b.expect("what can be added", b.text(`document.getElementById('pinned-moves').textContent`), strings.Join(line[:3], " "))
	b.shot("pinned")
	b.click("#add-line")
	b.settle()
	b.expect("the position", b.text(`document.getElementById('ply').textContent`), "8 / 8")
	b.expect("the note", b.note(), "The variation is in the tree")
	text := b.text(`document.getElementById('moves-text').textContent.replace(/\s+/g, ' ').trim()`)
	want := "1. h8 2. i7 3. h7 4. h6 5. i8 6. a15 (6. " + line[0] + " 7. " + line[1] + " 8. " + line[2] + " )"
	if text != want {
		t.Errorf("the moves as text: %q, want %q", text, want)
	}
	b.expect("the move shown", b.shownIn("#moves-text [aria-current]"), "8. "+line[2])
	b.click("#moves-text button:nth-of-type(6)")
	b.settle()
	b.expect("the first line", b.text(`document.getElementById('ply').textContent`), "6 / 6")
	b.shot("moves-text")
	b.quiet()
}

// The moves as text lie below the board, in the window, beside every panel for study, with the move shown
// in view; who plays does not see them.
func TestMovesAsTextLieBelowTheBoard(t *testing.T) {
	t.Parallel()
	for _, v := range widths {
		b := startBrowser(t, v)
		b.visit(serve(t, own()))
		b.loadPos(gameOf40)
		b.expect("the text beside the panel of playing", b.shownIn("#moves-text"), "")
		board := b.box("#frame")
		for _, name := range []string{"analysis", "review", "explorer", "moves"} {
			b.panel(name)
			b.settle()
			if at := b.box("#frame"); at.Width != board.Width {
				t.Errorf("%d, %s: the board is %v wide, and %v beside the panel of playing", v.width, name, at.Width, board.Width)
			}
			at, steps, move := b.box("#moves-text"), b.box(".steps"), b.box("#moves-text [aria-current]")
			if at.Height < 20 || at.Height > 60 || at.Top < steps.Top+steps.Height || at.Top+at.Height > float64(v.height) {
				t.Errorf("%d, %s: the moves lie at %+v in a window of %d, the buttons of steps at %+v", v.width, name, at, v.height, steps)
			}
			if move.Left < at.Left-1 || move.Left+move.Width > at.Left+at.Width+1 {
				t.Errorf("%d, %s: the move shown lies at %+v, the text at %+v", v.width, name, move, at)
			}
		}
		b.click("#first")
		b.click("#moves-text button")
		b.wait("the first move", `document.getElementById('ply').textContent.startsWith('1 /')`)
		b.quiet()
	}
}

// A finger that scrolls the page from a line of the analysis or from the curve changes nothing; a tap shows
// the line.
func TestAFingerThatScrollsPinsNothing(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, view{width: 360, height: 740, scale: 2})
	b.visit(serve(t, own()))
	b.loadPos(gameOf40)
	b.panel("analysis")
	b.module("state.js", `m.state.analysis = {ply: m.state.view, lines: [{cells: [0, 1, 2, 3], report: {depth: 1, score: 0, scored: true}}], busy: false, stopped: true, wait: null}; m.changed()`)
	b.wait("a line", `document.querySelector('#lines u[data-n="2"]')`)
	at := b.text(`document.getElementById('ply').textContent`)
	ghosts := `document.querySelectorAll('#g-above .ghost').length`
	for _, css := range []string{`#lines u[data-n="2"]`, "#lines b", "#plot"} {
		b.js(`const e = document.querySelector(arguments[0]); // below the board that stays, with room to scroll
			scrollTo(0, 60);
			if (e.getBoundingClientRect().bottom > innerHeight) e.scrollIntoView({block: 'end'})`, nil, css)
		before, from := b.text(`scrollY`), b.spotOf(css)
		b.touch("touchStart", from)
		b.drag(from, spot{from.X, from.Y + 120}, 6)
		b.touch("touchEnd")
		b.wait("the page scrolls from "+css, `scrollY < `+before)
		b.expect("the stones of a line after a scroll from "+css, b.text(ghosts), "0")
		b.expect("the position after a scroll from "+css, b.text(`document.getElementById('ply').textContent`), at)
		b.js(`scrollTo(0, 0)`, nil)
	}
	b.js(`document.querySelector('#lines').scrollIntoView({block: 'end'})`, nil)
	b.touch("touchStart", b.spotOf(`#lines u[data-n="2"]`))
	b.touch("touchEnd")
	b.wait("the moves of the line up to that which was tapped", ghosts+` === 2`)
	b.quiet()
}

// Two engines play a match: colors in turn, the score beside the board, every game in the library.
func TestMatchOfTwoEngines(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.dialog("new")
	b.js(`document.querySelector('input[name=side][value=none]').click()`, nil)
	b.choose("#engine-1", "1")
	b.choose("#engine-2", "0")
	b.choose("#new-games", "2")
	b.hold("/api/think", "")
	b.click("#new-dialog .end .strong")
	b.wait("the first game", `document.getElementById('match').textContent.startsWith('Game 1 of 2')`)
	b.release("go")
	b.wait("the second game", `document.getElementById('match').textContent.startsWith('Game 2 of 2')`)
	b.expect("who is black now", b.text(`document.querySelector('#player-black select').selectedOptions[0].text`), "Meek")
	b.expect("the stones that both begin with", fmt.Sprint(b.stones() >= 3), "true")
	b.wait("the end", `/^The match is over/.test(document.querySelector('#toast:not([hidden]) span')?.textContent)`)
	b.expect("the score", b.shownIn("#match"), "Game 2 of 2 · Keen (Level 2) 2 – 0 Meek (Level 2)")
	b.expect("the note", b.note(), "The match is over: Keen (Level 2) 2 – 0 Meek (Level 2)")
	b.dialog("library")
	b.expect("the games", b.text(`document.querySelectorAll('#games li').length`), "2")
	b.expect("their openings", b.text(`(() => { const list = Object.keys(localStorage).filter((k) => k.startsWith('tengen.game.')).map((k) => { let at = JSON.parse(localStorage[k]).root; const cells = []; for (let i = 0; i < 3; i++) { [at] = at.next; cells.push(at.cell); } return cells.join(); }); return list[0] === list[1]; })()`), "true")
	b.quiet()
}

// Rated games are against the level that fits, and make a figure with its error; help ends the rating
// of a game.
func TestRating(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	rated := func() {
		t.Helper()
		b.dialog("new")
		b.js(`const e = document.getElementById('new-rated'); if (!e.checked) e.click()`, nil)
		b.click("#new-dialog .end .strong")
		b.wait("the dialog closes", `!document.getElementById('new-dialog').open`)
		b.settle()
	}
	rated()
	b.expect("the level of a beginner", b.text(`document.getElementById('level-white').value`), "3")
	b.place("h8")
	time.Sleep(time.Second) // in which other games have a score
	b.expect("the score during the game", b.text(`document.getElementById('score').textContent`), "–")
	b.click("#resign")
	b.settle()
	b.expect("after a loss", b.shownIn("#rating-text"), "Your level: 1.8 ± 1.3 · games: 1")
	rated()
	b.expect("the level after that", b.text(`document.getElementById('level-white').value`), "2")
	b.place("h8")
	b.click("#hint")
	b.wait("a word", `document.querySelector('#toast:not([hidden]) span')?.textContent === 'This game does not count for the rating any more'`)
	b.click("#resign")
	b.settle()
	b.reload()
	b.expect("after a game with help", b.shownIn("#rating-text"), "Your level: 1.8 ± 1.3 · games: 1")
	b.quiet()
}

// A restart gives a rated game up, and the next one is rated, too; before the first stone nothing is lost.
func TestRestartGivesARatedGameUp(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.dialog("new")
	b.js(`const e = document.getElementById('new-rated'); if (!e.checked) e.click()`, nil)
	b.click("#new-dialog .end .strong")
	b.settle()
	b.keys("r")
	b.settle()
	b.expect("the rating after a restart without stones", b.shownIn("#rating-text"), "")
	b.place("h8")
	b.keys("r")
	b.settle()
	b.expect("the stones", fmt.Sprint(b.stones()), "0")
	if got := b.shownIn("#rating-text"); !strings.HasSuffix(got, "games: 1") {
		t.Errorf("after a restart the rating is %q", got)
	}
	b.place("h8")
	b.click("#resign")
	b.settle()
	if got := b.shownIn("#rating-text"); !strings.HasSuffix(got, "games: 2") {
		t.Errorf("after the game that followed the rating is %q", got)
	}
	b.quiet()
}

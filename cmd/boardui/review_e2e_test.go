//go:build e2e

package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// loadPos opens a position for two people.
func (b *browser) loadPos(pos string) {
	b.t.Helper()
	b.dialog("files")
	b.choose("#pos", pos)
	b.click("#load")
	b.wait("the dialog closes", `!document.getElementById('files-dialog').open`)
	b.settle()
	b.js(`document.getElementById('toast').hidden = true`, nil)
}

// The first 40 moves of a game of the engine against itself.
const gameOf40 = "l8i10i12j11j12k11i11j8k12h12l11l12j10k9k7j6i7j7j9m10j5h10g8i6k6h11h9i4h5i5g7f10e9g9e10e11h8d12c13h14"

func TestReview(t *testing.T) {
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.loadPos(gameOf40)
	b.panel("review")
	begun := time.Now()
	b.click("#review")
	b.wait("progress", `document.getElementById('review-progress').value >= 3 && !document.getElementById('review-busy').hidden`)
	b.wait("the summary", `document.querySelectorAll('#summary tr').length === 6`)
	took := time.Since(begun)
	t.Logf("the review of 40 moves took %v: %s", took, b.text(`document.getElementById('summary').innerText`))
	if took > 20*time.Second {
		t.Errorf("the review took %v, want 20 s", took)
	}
	var n int
	b.js(`return document.querySelectorAll('#mistakes button').length`, &n)
	if n == 0 {
		t.Fatal("no mistakes are found")
	}
	b.click("#first")
	b.settle()
	b.click("#mistake-next")
	b.settle()
	b.wait("what was wrong", `/(mistake|blunder)/.test(document.getElementById('verdict').textContent) && /Better: [a-o]\d/.test(document.getElementById('verdict').textContent)`)
	b.wait("its sign and the better move on the board", `/^[?]+$/.test(document.querySelector('#g-above .note-text').textContent) && document.querySelector('#g-above .note.better')`)
	b.wait("the mistakes in the plot", `document.querySelectorAll('#plot .mistake, #plot .blunder').length >= 1`)
	first := b.text(`document.getElementById('ply').textContent`)
	b.shot("review")
	b.js(`document.querySelector('#mistakes li:last-child button').click()`, nil)
	b.settle()
	b.click("#mistake-prev")
	b.settle()
	if first == "0 / 40" {
		t.Errorf("the next mistake is at %s", first)
	}
	// The result is stored with the game.
	b.visit(b.page)
	b.panel("review")
	b.wait("the summary after a reload", `document.querySelectorAll('#summary tr').length === 6`)

	b.click("#practice")
	b.settle()
	b.wait("the task", `/Find a better move/.test(document.getElementById('puzzle-task').textContent)`)
	b.settle()
	stones := b.stones()
	b.shot("practice")
	// A corner is no better.
	b.click(b.cell("a1"))
	b.wait("that was wrong", `document.getElementById('puzzle-note').className === 'wrong'`)
	b.settle()
	if got := b.stones(); got != stones {
		t.Errorf("%d stones after a wrong move, there were %d", got, stones)
	}
	b.click("#puzzle-solution")
	b.wait("the better line", `document.querySelectorAll('#g-above .ghost').length >= 1`)
	var cell int
	b.js(`const g = document.querySelector('#g-above .ghost circle'); return Number(g.getAttribute('cy')) * 15 + Number(g.getAttribute('cx'))`, &cell)
	b.click("#puzzle-again")
	b.settle()
	b.click("#c" + strconv.Itoa(cell))
	b.wait("solved", `document.getElementById('puzzle-note').className === 'right'`)
	b.click("#puzzle-leave")
	b.settle()
	if got := b.moves(); strings.Count(got, "") < 80 || b.stones() < 30 {
		t.Errorf("after the puzzles the game is %s with %d stones", got, b.stones())
	}
	b.quiet()
}

func TestReviewIsCanceledByThePage(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.loadPos(gameOf40)
	b.panel("review")
	b.choose("#effort", "deep")
	b.click("#review")
	b.wait("it runs", `!document.getElementById('review-busy').hidden`)
	b.click("#prev") // one can look on meanwhile
	b.settle()
	b.click("#review-cancel")
	b.wait("it has ended", `document.getElementById('review-busy').hidden && document.getElementById('summary').hidden`)
	b.click("#hint") // the engine is free
	b.wait("a hint", `document.querySelector('#g-above .badge.best')`)
	b.quiet()
}

func TestPuzzles(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.place("h8")
	b.panel("puzzles")
	b.choose("#puzzle-rule", "4")
	b.choose("#puzzle-level", "1")
	b.click("#puzzle-start")
	b.settle()
	b.wait("the task", `/to move wins by force/.test(document.getElementById('puzzle-task').textContent)`)
	b.settle()
	b.dialog("library")
	b.expect("the game that waits cannot be deleted", b.text(`document.querySelector('#games li:has([aria-current]) .drop')?.disabled`), "true")
	b.click("#library-dialog .end .strong")
	stones := b.stones()
	b.click(b.cell("a1"))
	b.wait("wrong", `document.getElementById('puzzle-note').className === 'wrong'`)
	b.settle()
	if got := b.stones(); got != stones {
		t.Errorf("%d stones after a wrong move, there were %d", got, stones)
	}
	b.shot("puzzle")
	b.playOutWithHelp("#puzzle-solution", `document.querySelector('#g-above .ghost')`, "#g-above .ghost circle")
	b.click("#puzzle-next")
	b.settle()
	b.wait("the next one", `/^Puzzle 2/.test(document.getElementById('puzzle-title').textContent)`)
	b.click("#puzzle-leave")
	b.settle()
	if b.stones() < 1 || !strings.HasPrefix(b.moves(), "h8") {
		t.Errorf("my game is %s", b.moves())
	}
	b.quiet()
}

// A puzzle takes the place of the person's game, and nothing else: another game ends it, and what
// would spoil it cannot be done.
func TestGamesAfterPuzzles(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.choose("#level-white", "7")
	b.place("h8")
	puzzle := func() {
		b.panel("puzzles")
		b.click("#puzzle-start")
		b.wait("a puzzle", `!document.getElementById('puzzle').hidden && /wins by force/.test(document.querySelector('#banner span').textContent)`)
		b.settle()
	}
	puzzle()
	stones := b.stones()
	b.expect("what can be done", b.text(`['back', 'resign', 'hand', 'rotate', 'mirror'].filter((id) => !document.getElementById(id).disabled) + '|' +
		document.querySelectorAll('.player select:not(:disabled)').length`), "|0")
	b.rightClick(b.cell("a1"))
	b.keys("r")
	b.settle()
	b.expect("restarted", b.text(`document.querySelector('#banner span').textContent.includes('wins by force') && !document.getElementById('puzzle').hidden`), "true")
	if n := b.stones(); n != stones {
		t.Errorf("%d stones after restart, there were %d", n, stones)
	}

	// The dials are those of the game that waits.
	b.panel("play")
	b.choose("#level-white", "6")
	b.panel("puzzles")
	b.click("#puzzle-leave")
	b.settle()
	b.expect("the level of the game that waited", b.text(`document.getElementById('level-white').value`), "6")
	b.choose("#level-white", "7")
	puzzle()

	// A new game has the settings of the one before the puzzle, which can be brought back.
	b.dialog("new")
	b.expect("who plays", b.text(`document.querySelector('input[name=side]:checked').value`), "black")
	b.click("#new-dialog .end .strong")
	b.settle()
	b.expect("the banner", b.banner(), "Your move")
	b.expect("the panel", b.text(`document.getElementById('puzzle').hidden`), "true")
	b.expect("the level", b.text(`document.getElementById('level-white').value`), "7")
	b.bringBack()
	b.expect("the game before", b.moves(), "h8a1")
	b.expect("the banner", b.banner(), "Your move")

	puzzle()
	b.open("two.sgf", "(;SZ[15];B[hh];W[ii])")
	b.settle()
	b.place("a3", "c5")
	b.expect("a file after a puzzle", b.moves(), "h8i9a3c5")
	puzzle()
	b.dialog("library")
	b.js(`[...document.querySelectorAll('#games .game')].find((e) => e.textContent.includes('Meek')).click()`, nil)
	b.settle()
	b.expect("a game of the list after a puzzle", b.moves(), "h8a1")
	b.click("#pause")
	b.place("h9")
	b.expect("it goes on", b.moves(), "h8a1h9c1")
	b.quiet()
}

// startPuzzle begins a puzzle of the panel that is open, by its choices.
func (b *browser) startPuzzle() {
	b.t.Helper()
	b.click("#puzzle-start")
	b.wait("a puzzle", `!document.getElementById('puzzle').hidden`)
	b.settle()
}

// playOut solves the puzzle that is shown by the moves that next names, as selectors, and returns whether
// it counts as solved.
func (b *browser) playOut(next func() string) (counts bool) {
	b.t.Helper()
	for range 6 {
		b.click(next())
		b.wait("an answer", `document.getElementById('puzzle-note').className === 'right' || /is right/.test(document.getElementById('puzzle-note').textContent)`)
		b.settle()
		if b.text(`document.getElementById('puzzle-note').className`) == "right" {
			break
		}
	}
	b.wait("solved", `document.getElementById('puzzle-note').className === 'right'`)
	b.js(`return /✓/.test(document.getElementById('puzzle-title').textContent)`, &counts)
	return counts
}

// playOutWithHelp solves the puzzle that is shown by the move that a button marks on the board each time,
// which does not count as solved. shown is a condition for the mark.
func (b *browser) playOutWithHelp(button, shown, mark string) {
	b.t.Helper()
	if b.playOut(func() string {
		b.click(button)
		b.wait("the move is shown", shown)
		var cell int
		b.js(`const at = document.querySelector('`+mark+`'); return Number(at.getAttribute('cy')) * 15 + Number(at.getAttribute('cx'))`, &cell)
		return "#c" + strconv.Itoa(cell)
	}) {
		b.t.Error("a puzzle counts as solved, but with help")
	}
}

// winning is the point of the move that wins in the position shown, as the solver finds it without the page.
func (b *browser) winning() string {
	b.t.Helper()
	return b.cell(b.module("state.js", `return import(new URL('api.js', location.href)).then((api) => api.solve({...m.state.game, id: 'not-the-page'}, m.state.game.moves, {defend: false, millis: 20000}, null)).then((answer) => /^[a-z]\d+/.exec(answer.line)[0])`))
}

// A puzzle whose first move the explorer has shown does not count as solved before it is tried again.
func TestExplorerOfPuzzles(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.panel("puzzles")
	b.choose("#puzzle-level", "1")
	b.startPuzzle()
	b.module("state.js", `const {game} = m.state;
		return import(new URL('api.js', location.href)).then((api) => api.think({...game, id: 'not-the-page'}, [...game.moves, Number('`+strings.TrimPrefix(b.winning(), "#c")+`')], {engine: 0, millis: 1000, strength: 100, style: 0, lines: 1}, null))`)
	b.panel("explorer")
	b.wait("the move that wins", `/^wins/.test(document.querySelector('#moves-known i')?.textContent)`)
	b.panel("puzzles")
	if b.playOut(b.winning) {
		t.Error("a puzzle whose first move was shown counts as solved")
	}
	b.click("#puzzle-again")
	b.settle()
	if !b.playOut(b.winning) {
		t.Error("the same puzzle, tried again, does not count")
	}
	b.quiet()
}

// A puzzle whose solution an analysis has shown does not count as solved, and the next one is not
// analyzed unasked.
func TestAnalysisOfPuzzles(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.panel("puzzles")
	b.choose("#puzzle-rule", "4")
	b.choose("#puzzle-level", "1")
	b.startPuzzle()
	b.playOutWithHelp("#hint", `document.querySelector('#lines:not(.busy, [hidden]) button')`, "#g-above .badge.best")
	b.click("#puzzle-again")
	b.settle()
	b.panel("analysis")
	b.click("#start")
	b.wait("an analysis", `document.getElementById('start').getAttribute('aria-pressed') === 'true'`)
	b.click("#block")
	b.click(b.cell("a1"))
	b.wait("a point that is left out", `document.querySelector('#g-above .badge.blocked')`)
	b.panel("puzzles")
	b.click("#puzzle-next")
	b.settle()
	b.expect("the next one is analyzed", b.text(`document.getElementById('start').getAttribute('aria-pressed')`), "false")
	b.expect("points left out of the next one", b.module("analysis.js", `return m.blocked().length`), "0")
	b.quiet()
}

// The better line of a mistake is shown in the position that it is for.
func TestSolutionInOtherPositions(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.panel("puzzles")
	b.module("puzzles.js", `m.begin([{kind: 'mistake', width: 15, height: 15, rule: 0, moves: [112, 0], played: 1, review: {better: [96, 2], before: {value: 0, mate: 0}}}])`)
	b.settle()
	b.click("#puzzle-solution")
	b.wait("the better line", `document.querySelectorAll('#g-above .ghost').length === 2`)
	b.click("#prev")
	b.settle()
	b.expect("stones of the line before it", b.text(`document.querySelectorAll('#g-above .ghost').length`), "0")
	b.quiet()
}

// An answer to an attempt is for the line that was tried, whatever is shown when it comes.
func TestPuzzlesWhoseAnswersAreLate(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.panel("puzzles")
	b.choose("#puzzle-level", "2")
	b.startPuzzle()
	stones := b.stones()
	b.click("#puzzle-solution")
	b.wait("the line", `document.querySelectorAll('#g-above .ghost').length >= 1`)
	var cell int
	b.js(`const g = document.querySelector('#g-above .ghost circle'); return Number(g.getAttribute('cy')) * document.querySelectorAll('#board [role=row]').length + Number(g.getAttribute('cx'))`, &cell)

	// A stone is not placed before it is known what is on the board.
	b.hold("/api/look", "")
	b.click("#puzzle-again")
	b.wait("a request is held", `held.length > 0`)
	b.click("#c" + strconv.Itoa(cell))
	b.release("go")
	b.settle()
	if n := b.stones(); n != stones {
		t.Errorf("%d stones, of which one is not checked, there were %d", n, stones)
	}

	b.hold("/api/attempt", "")
	b.click("#c" + strconv.Itoa(cell))
	b.wait("a request is held", `held.length > 0`)
	b.click("#first")
	b.settle()
	b.release("go")
	b.wait("an answer", `/is right/.test(document.getElementById('puzzle-note').textContent)`)
	b.settle()
	b.expect("the position shown", b.text(`document.getElementById('ply').textContent`), fmt.Sprintf("%d / %[1]d", stones+2))
	b.panel("moves")
	b.expect("its moves can be deleted", b.text(`!document.getElementById('delete-branch').disabled`), "false")
	b.panel("puzzles")

	// A failure leaves the position as it was.
	b.click("#puzzle-again")
	b.settle()
	b.hold("/api/attempt", "")
	b.click("#c" + strconv.Itoa(cell))
	b.release("fail")
	b.wait("a message", `document.getElementById('banner').className === 'wrong'`)
	b.settle()
	if n := b.stones(); n != stones {
		t.Errorf("%d stones after a failure, there were %d", n, stones)
	}
	b.click("#puzzle-leave")
	b.quiet()
}

// What a review says of cells is for the board as it lies.
func TestBoardLiesStillDuringAReview(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.loadPos(gameOf40)
	b.panel("review")
	b.hold("/api/review", "")
	b.click("#review")
	b.wait("it runs", `!document.getElementById('review-busy').hidden`)
	b.expect("the board can be turned", b.text(`!document.getElementById('rotate').disabled`), "false")
	b.click("#review-cancel")
	b.wait("the board can be turned again", `!document.getElementById('rotate').disabled`)
	b.quiet()
}

// Who has played a game with another person chooses the side whose mistakes are practiced; after a game
// with an engine they are one's own. What is missed is kept.
func TestMistakesOfOneSide(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	practice := func() {
		b.module("state.js", `const bad = {class: 'blunder', loss: 0.5, before: {value: 0, mate: 0}, after: {value: -900, mate: 0}, better: [0]};
			for (const node of m.state.game.line.slice(1)) node.review = bad;
			const side = {moves: 2, accuracy: 50, count: {}, loss: 0};
			m.state.game.review = {moves: m.state.game.moves, black: side, white: side}; m.changed()`)
		b.panel("review")
	}
	task := func() string {
		b.click("#practice")
		b.settle()
		text := b.text(`document.getElementById('puzzle-title').textContent + ': ' + document.getElementById('puzzle-task').textContent`)
		b.click("#puzzle-solution")
		b.wait("the better move", `document.querySelectorAll('#g-above .ghost').length > 0`)
		b.click("#puzzle-leave")
		b.settle()
		b.panel("review")
		return text
	}
	b.newGame(choice{side: "both"})
	b.place("h8", "i9", "j10", "k11", "l12")
	practice()
	b.choose("#practice-side", "white")
	b.expect("white's mistakes", task(), "Puzzle 1 of 2: White played i7 here. Find a better move.")
	b.choose("#practice-side", "black")
	b.expect("black's mistakes", task(), "Puzzle 1 of 3: Black played h8 here. Find a better move.")
	b.panel("puzzles")
	b.expect("what is kept", b.shownIn("#puzzle-missed"), "Missed before: 2")

	b.newGame(choice{side: "black", engine: "0"})
	b.place("h8", "h9")
	practice()
	b.expect("the choice after a game with an engine", b.shownIn("#practice-side"), "")
	b.expect("one's own mistakes", task(), "Puzzle 1 of 2: Black played h8 here. Find a better move.")
	b.quiet()
}

// The first attempt at a puzzle counts for a rating and a streak, and one that failed is kept, to be
// tried again, also after a reload.
func TestRecordOfPuzzles(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.panel("puzzles")
	b.expect("the record of a beginner", b.text(`document.getElementById('puzzle-record').textContent`), "")
	b.choose("#puzzle-rule", "0")
	b.startPuzzle() // of the level that fits
	b.playOut(b.winning)
	record := func() string { return b.text(`document.getElementById('puzzle-record').textContent`) }
	b.expect("after the first puzzle", record(), "Rating 1031 · streak 1 · best streak 1")
	b.click("#puzzle-again")
	b.settle()
	b.playOut(b.winning)
	b.expect("after the same once more", record(), "Rating 1031 · streak 1 · best streak 1")
	b.click("#puzzle-next")
	b.settle()
	b.click("#puzzle-solution")
	title := b.text(`[...document.querySelectorAll('#g-stones .stone')].map((e) => e.getAttribute('cx') + e.getAttribute('cy')).sort()`)
	b.settle()
	b.expect("after a look at the solution", record(), "Rating 1012 · streak 0 · best streak 1")
	b.click("#puzzle-leave")
	b.settle()
	b.reload()
	b.panel("puzzles")
	b.wait("what was missed", `document.getElementById('puzzle-missed').getBoundingClientRect().height > 20`)
	b.expect("the button", b.text(`document.getElementById('puzzle-missed').textContent`), "Missed before: 1")
	b.click("#puzzle-missed")
	b.settle()
	b.expect("the puzzle", b.text(`[...document.querySelectorAll('#g-stones .stone')].map((e) => e.getAttribute('cx') + e.getAttribute('cy')).sort()`), title)
	b.playOut(b.winning)
	b.click("#puzzle-leave")
	b.settle()
	b.expect("what was missed", b.text(`document.getElementById('puzzle-missed').getBoundingClientRect().height`), "0")
	b.quiet()
}

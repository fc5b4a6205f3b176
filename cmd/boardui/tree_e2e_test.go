//go:build e2e

package main

import (
	"strings"
	"testing"
)

// module runs a script in the page with the module of a file as m; it returns a string.
func (b *browser) module(file, script string) string {
	b.t.Helper()
	var s string
	b.js(`return import(new URL('`+file+`', location.href)).then((m) => { `+script+` }).then(String)`, &s)
	return s
}

// The model of the tree, without the page: every change leaves a current line that is in the
// tree, and what is stored comes back the same.
func TestTreeModel(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	const game = `const game = (cells) => m.sync({version: 3, width: 15, height: 15, players: {}, names: {}, opening: 0, root: m.grow(cells)});
		const line = (g) => g.moves.join(' ');
		const all = (g) => { const list = []; m.walk(g.root, (n, ply) => list.push(ply + ':' + n.cell)); return list.slice(1).join(' '); };
		let g = game([1, 2, 3, 4]);`
	tests := []struct{ name, script, want string }{
		{"another move keeps the old line", `m.add(g, 2, 9); return line(g) + ' | ' + all(g)`, "1 2 9 | 1:1 2:2 3:3 4:4 3:9"},
		{"the same move goes on as before", `m.add(g, 2, 9); m.add(g, 2, 3); return line(g)`, "1 2 3 4"},
		{"selecting goes on with the main line", `m.add(g, 0, 7); m.select(g, g.root.next[0].next[0]); return line(g)`, "1 2 3 4"},
		{"selecting returns the number of moves", `return m.select(g, g.root.next[0].next[0])`, "2"},
		{"a node of another game", `return m.select(g, game([1]).root.next[0]) + ' ' + line(g)`, "-1 1 2 3 4"},
		{"the line ends", `m.endAt(g, 1); return line(g) + ' | ' + all(g)`, "1 | 1:1 2:2 3:3 4:4"},
		{"cut leaves other variations", `m.add(g, 2, 9); m.cut(g, 2); return line(g) + ' | ' + all(g)`, "1 2 | 1:1 2:2 3:3 4:4"},
		{"remove off the line", `m.add(g, 2, 9); m.remove(g, g.root.next[0].next[0].next[0]); return line(g) + ' | ' + all(g)`, "1 2 9 | 1:1 2:2 3:9"},
		{"remove on the line", `m.remove(g, g.line[2]); return line(g) + ' | ' + all(g)`, "1 | 1:1"},
		{"the root stays", `return m.remove(g, g.root)`, "false"},
		{"the opening stays", `g.opening = 2; return m.remove(g, g.line[2]) + ' ' + m.remove(g, g.line[3])`, "false true"},
		{"promote", `const n = m.add(g, 2, 9); const done = m.promote(g, n); return done + ' ' + line(g) + ' | ' + all(g)`, "true 1 2 9 | 1:1 2:2 3:9 3:3 4:4"},
		{"promote from deeper", `m.add(g, 2, 9); const n = m.add(g, 3, 8); m.promote(g, n); return line(g) + ' | ' + all(g)`, "1 2 9 8 | 1:1 2:2 3:9 4:8 3:3 4:4"},
		{"the main line has nowhere to go", `return m.promote(g, g.line[4])`, "false"},
		{"grafted, in the place where it was", `const h = game([1, 2, 9, 8]); h.line[2].comment = 'x'; h.line[1].comment = 'y'; g.line[1].comment = '';
			m.graft(g, h.root); return line(g) + ' | ' + all(g) + g.line[1].comment + g.line[2].comment`, "1 2 3 4 | 1:1 2:2 3:9 4:8 3:3 4:4x"},
		{"resigned", `m.resign(g, 'black'); m.add(g, 1, 9); const off = g.resigned; m.select(g, g.root.next[0].next[0]); return off + ' ' + g.resigned`, "null black"},
		{"stored and restored", `m.add(g, 2, 9, {took: 5, comment: 'x', marks: [{cell: 1, kind: 'cross'}]}); m.setScore(g, 3, {value: 7, mate: 0}); m.add(g, 3, m.pass);
			const text = m.stored(g), h = m.restore(text); return m.stored(h) === text && line(h) + ' ' + h.took + ' ' + JSON.stringify(h.scores) + h.line[3].comment`,
			`1 2 9 -1 0,0,5,0 [null,null,null,{"value":7,"mate":0},null]x`},
		{"turned, without the text that holds points", `g.line[1].more = [['AR', 'ba:aa'], ['DD', ''], ['XX', 'aa'], ['TW', 'cc'], ['ARX', 'a']]; m.turn(g, true);
			return line(g) + ' ' + JSON.stringify(g.line[1].more)`, `13 12 11 10 [["XX","aa"],["ARX","a"]]`},
		{"a game of version 1", `const h = m.restore('{"version":1,"width":15,"height":15,"players":{},"opening":9,"moves":[3,4],"took":[1],"scores":[null,{"value":1}],"resigned":"white"}');
			return line(h) + ' ' + h.took + ' ' + h.opening + h.resigned + h.scores[1].value`, "3 4 1,0 2white1"},
		{"levels of version 2", `const old = (level, second) => m.restore(JSON.stringify({version: 2, width: 15, height: 15, players: {}, root: {}, level, second}));
			const h = old(10, {level: 1}), again = m.restore(m.stored(h)); return [old(2).level, old(9).level, h.level, h.second.level, again.level, again.version]`, "3,10,16,2,16,3"},
	}
	for _, test := range tests {
		b.expect(test.name, b.module("tree.js", game+test.script), test.want)
	}
	for _, damaged := range []string{`null`, `7`, `{`, `{"version":2}`, `{"version":1,"moves":[]}`, `{"version":2,"width":15,"height":15,"players":{},"root":{"next":[{"cell":225}]}}`,
		`{"version":2,"width":15,"height":15,"players":{},"root":{"next":[{}]}}`, `{"version":2,"width":1e9,"height":15,"players":{},"root":{"next":[]}}`,
		`{"version":2,"width":15,"height":15,"players":{},"root":{"next":{"a":1}}}`} {
		b.expect("damaged: "+damaged, b.module("tree.js", `try { m.restore(`+"`"+damaged+"`"+`); return 'read' } catch { return 'refused' }`), "refused")
	}
	b.quiet()
}

// A stone placed in the past keeps the line that was there, against an engine and alone.
func TestAnotherMoveKeepsTheOldLine(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.place("h8", "h9", "h10")
	b.expect("the game", b.moves(), "h8a1h9c1h10e1")
	b.keys("[", "[", "[", "[")
	b.settle()
	b.place("o9")
	if got := b.moves(); !strings.HasPrefix(got, "h8a1o9") || len(got) < 8 {
		t.Errorf("after another move: %s", got)
	}
	b.keys("[", "[")
	b.settle()
	b.place("h9") // leads to the position after the engine's answer
	b.expect("the old line", b.moves(), "h8a1h9c1h10e1")
	b.expect("the position shown", b.text(`document.getElementById('ply').textContent`), "4 / 6")
	b.place("h10")
	b.place("h11")
	b.expect("the old line goes on", b.moves(), "h8a1h9c1h10e1h11g1")
	b.reload()
	b.expect("after a reload", b.moves(), "h8a1h9c1h10e1h11g1")
	b.keys("\ue011")
	for range 2 {
		b.keys("]")
	}
	b.settle()
	b.place("o9")
	if got := b.moves(); !strings.HasPrefix(got, "h8a1o9") {
		t.Errorf("the variation has gone: %s", got)
	}
	b.quiet()
}

// The panel of moves by mouse, finger and keyboard.
func TestPanelOfMoves(t *testing.T) {
	t.Parallel()
	url := serve(t, engines()...)
	b := startBrowser(t, view{width: 1440, height: 900})
	b.visit(url)
	b.newGame(choice{side: "both"})
	b.place("h8", "i9", "j10")
	b.panel("moves")
	b.keys("\ue012", "\ue012") // arrows step
	b.settle()
	b.expect("after two arrows", b.text(`document.getElementById('ply').textContent`), "1 / 3")
	b.place("g7", "g6")
	b.keys("\ue012")
	b.settle()
	b.place("o15")
	b.expect("the line", b.moves(), "h8g7o15")
	nodes := func() string { return b.text(`document.querySelectorAll('#tree g').length`) }
	b.expect("nodes in the drawing", nodes(), "7")

	// The move above this one, by keys; then the second continuation of the first move.
	b.keys("\ue013")
	b.settle()
	b.expect("the sibling", b.moves(), "h8g7g6")
	b.keys("\ue012", "\ue012")
	b.settle()
	b.expect("the continuations", b.text(`Array.from(document.querySelectorAll('#branches b'), (e) => e.textContent).join(' ')`), "i7 g9")
	b.click("#branches li:nth-child(2) button")
	b.settle()
	b.expect("the position", b.text(`document.getElementById('ply').textContent`), "2 / 3")

	// A comment, marks, promoting, deleting and bringing back.
	b.click("#comment")
	b.keys("w", "h", "y", "?")
	b.click("#mark-choice [data-mark=triangle]")
	b.click(b.cell("h8"))
	b.js(`document.querySelector('#mark-choice [data-mark=label]').focus()`, nil)
	b.keys("\ue007")
	b.js(`document.getElementById('board').focus()`, nil)
	b.keys("\ue014", "\ue007")
	b.wait("two marks", `document.querySelectorAll('#g-above .sign').length === 1 && document.querySelector('#g-above .sign-text').textContent === 'A'`)
	b.expect("no stone was placed", b.moves(), "h8g7g6")
	b.js(`document.querySelector('#mark-choice [data-mark=label]').click()`, nil)
	b.shot("moves")
	b.click("#promote")
	b.click("#prev")
	b.settle()
	b.expect("promoted", b.text(`Array.from(document.querySelectorAll('#branches b'), (e) => e.textContent).join(' ')`), "g9 i7")
	b.click("#next")
	b.settle()
	b.expect("the comment", b.text(`document.getElementById('comment').value`), "why?")
	b.click("#delete-branch")
	b.settle()
	b.expect("deleted", nodes()+" "+b.moves(), "4 h8")
	b.bringBack()
	b.expect("brought back", nodes()+" "+b.moves(), "7 h8g7g6")
	b.reload()
	b.expect("after a reload", nodes(), "7")
	b.click("#prev")
	b.settle()
	b.expect("the comment after a reload", b.text(`document.getElementById('comment').value`), "why?")
	b.wait("the marks after a reload", `document.querySelectorAll('#g-above .sign').length === 1`)

	// A click and a tap on the drawing.
	b.click("#tree g.off:last-of-type circle")
	b.settle()
	b.expect("the line that was clicked", b.moves(), "h8i9j10")
	p := startBrowser(t, view{width: 360, height: 740, scale: 2})
	p.visit(url)
	p.newGame(choice{side: "both"})
	p.place("h8", "i9")
	p.panel("moves")
	p.tap("#tree g:nth-of-type(2) circle")
	p.settle()
	p.expect("after a tap on the first move", p.text(`document.getElementById('ply').textContent`), "1 / 2")
	p.js(`document.querySelector('.tabs').scrollIntoView()`, nil)
	p.shot("phone-moves")
	var wide int
	p.js(`return document.documentElement.scrollWidth`, &wide)
	if wide > 360 {
		t.Errorf("the page is %d wide", wide)
	}
	p.quiet()
	b.quiet()
}

// pressWhileDrawn presses the mouse on an element, lets the page be drawn meanwhile, and releases it.
func (b *browser) pressWhileDrawn(css string) {
	b.t.Helper()
	b.point(css, "mouse", press(0)[0])
	b.module("panel.js", `m.render()`)
	b.point(css, "mouse", press(0)[1])
}

// A list that is drawn again while one of its buttons is pressed takes the click all the same.
func TestListsTakeClicksWhileTheyAreDrawn(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.newGame(choice{side: "both"})
	b.place("h8", "i9")
	b.panel("moves")
	b.click("#first")
	b.settle()
	b.pressWhileDrawn("#branches button")
	b.wait("the continuation", `document.getElementById('ply').textContent === '1 / 2'`)
	b.pressWhileDrawn("#moves-text button:last-of-type")
	b.wait("the last of the moves as text", `document.getElementById('ply').textContent === '2 / 2'`)
	b.resize(view{width: 360, height: 740, scale: 2})
	b.js(`scrollTo(0, 0)
		return import(new URL('state.js', location.href)).then((m) => { m.changed(); })`, nil)
	b.expect("how far the page has scrolled by itself", b.text(`scrollY`), "0")
	b.resize(desktop)

	b.module("state.js", `m.state.game.line[2].review = {class: 'blunder', loss: 0.5, before: {value: 0, mate: 0}, after: {value: -900, mate: 0}, better: []};
		const side = {moves: 1, accuracy: 50, count: {}, loss: 0};
		m.state.game.review = {moves: m.state.game.moves, black: side, white: side}`)
	b.panel("review")
	b.wait("the mistake", `document.querySelector('#mistakes button')`)
	b.pressWhileDrawn("#mistakes button")
	b.wait("the position after it", `document.getElementById('ply').textContent === '2 / 2'`)

	b.module("state.js", `m.state.analysis = {ply: 2, lines: [{cells: [0, 1], report: {depth: 1}}], busy: true, wait: null}; m.changed()`)
	b.panel("analysis")
	b.js(`for (const type of ['pointerdown', 'pointerup']) document.querySelector('#lines button').dispatchEvent(new PointerEvent(type, {bubbles: true, pointerType: 'touch'}))`, nil)
	b.wait("the line", `document.querySelectorAll('#g-above .ghost').length === 2`)
	b.quiet()
}

// A comment is for the move that was shown when it was begun, also if the engine moves meanwhile.
func TestCommentWhileTheEngineMoves(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.panel("moves")
	b.hold("/api/think", `"moves":"h8"`)
	b.click(b.cell("h8"))
	b.wait("a request is held", `held.length > 0`)
	b.click("#comment")
	b.keys("s", "o")
	b.release("go")
	b.wait("the engine has moved", `document.getElementById('ply').textContent === '2 / 2'`)
	b.keys("l", "i", "d")
	b.expect("while it is written", b.text(`document.getElementById('comment').value`), "solid")
	b.click("#prev")
	b.settle()
	b.expect("the comment", b.text(`document.getElementById('comment').value`), "solid")
	b.click("#next")
	b.settle()
	b.expect("the comment of the move after it", b.text(`document.getElementById('comment').value`), "")
	b.quiet()
}

// Taking back removes what is seen to go: in the past, before other variations and in a file it
// shows the move before.
func TestTakingBackLosesNothingUnseen(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	shown := func(what, want string) {
		t.Helper()
		b.settle()
		b.expect(what, b.text(`document.getElementById('ply').textContent`)+" of "+b.module("tree.js", `return m.size(m.restore(localStorage.getItem('tengen.game.' + sessionStorage.getItem('tengen.tab'))).root)`), want)
	}
	b.open("study.sgf", "(;SZ[15];B[hh];W[ii];B[jj];W[kk]C[end of the game](;B[aa];W[bb])(;B[cc];W[dd]C[second]))")
	b.wait("the main line", `document.getElementById('ply').textContent === '6 / 6'`)
	b.rightClick(b.cell("o1"))
	shown("at the end of a file", "5 / 6 of 8")
	b.click("#first")
	b.click("#next")
	b.settle()
	for range 3 {
		b.rightClick(b.cell("o1"))
	}
	shown("in the past", "0 / 6 of 8")
	b.expect("nothing more to take back", b.text(`document.getElementById('back').disabled`), "true")

	b.newGame(choice{side: "both"})
	b.place("h8", "i9", "j10")
	b.click("#prev")
	b.settle()
	b.place("k11")
	b.keys("u")
	shown("the variation is taken back", "2 / 2 of 3")
	b.keys("u")
	shown("before another variation", "1 / 2 of 3")

	b.newGame(choice{side: "black", engine: "0"})
	b.place("h8", "h9")
	b.keys("[", "u")
	shown("a game with an engine, in the past", "2 / 4 of 4")
	b.keys("\ue010", "u")
	shown("at its end", "2 / 2 of 2")
	b.quiet()
}

// bringBack presses the button of the last note, which may have gone by now.
func (b *browser) bringBack() {
	b.t.Helper()
	b.js(`document.querySelector('#toast button').click()`, nil)
	b.settle()
}

// Bringing back keeps what has been played meanwhile.
func TestBringingBackLosesNothing(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	games := func() string {
		return b.module("store.js", `return m.games().map(({game}) => game.moves.join('-')).sort().join(' ')`)
	}
	b.place("h8", "h9")
	b.click("#back")
	b.place("h10")
	b.choose("#level-white", "7")
	b.bringBack()
	b.expect("a move that was taken back", b.moves(), "h8a1h9c1")
	b.expect("the tree", b.module("state.js", `return m.state.game.line[2].next.map((node) => [node.cell, node.next.length])`), "127,1,142,1")
	b.expect("the level", b.text(`document.getElementById('level-white').value`), "7")
	b.keys("[", "[")
	b.settle()
	b.place("h10")
	b.expect("the move after it", b.moves(), "h8a1h10c1")

	b.newGame(choice{side: "both"})
	b.place("a1", "b1")
	b.click("#back")
	b.settle()
	b.click("#rotate")
	b.settle()
	b.bringBack()
	b.expect("a move on a board that was turned", b.moves(), "o1o2")

	b.newGame(choice{side: "black", engine: "0", opening: "swap2-me"})
	b.place("a1", "b1")
	b.click("#back")
	b.place("c1")
	b.bringBack()
	b.expect("a stone of an opening", b.moves(), "a1b1")
	b.expect("all games", games(), "0-1 0-2 112-0-142-2 14-29")

	b.newGame(choice{side: "both", opening: " "})
	b.loadPos("a15b15")
	b.place("c1")
	b.bringBack()
	b.expect("the empty board before a position", b.moves(), "")
	if got := games(); !strings.Contains(got, "0-1-2") {
		t.Errorf("the games are %s", got)
	}
	b.quiet()
}

// Nobody goes on after a five: a stone there is refused with a reason, and none is asked for.
func TestNoVariationAfterAFive(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.open("late.sgf", "(;SZ[15];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea];W[oo];B[on];W[om])")
	b.wait("the game", `document.getElementById('ply').textContent === '9 / 9'`)
	b.settle()
	b.js(`document.getElementById('toast').hidden = true`, nil)
	b.click(b.cell("h8"))
	b.wait("a note", `!document.getElementById('toast').hidden`)
	b.expect("the note", b.text(`document.querySelector('#toast span').textContent`), "The game is over")
	b.click("#prev")
	b.settle()
	b.expect("the banner before the five", b.banner(), "Move 8 of 9. A stone here begins a variation.")
	b.place("h8")
	b.expect("the ply", b.text(`document.getElementById('ply').textContent`), "9 / 9")
	b.quiet()
}

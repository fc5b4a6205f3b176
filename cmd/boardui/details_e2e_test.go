//go:build e2e

package main

import (
	"slices"
	"strings"
	"testing"
)

// note is what the note at the edge of the window says.
func (b *browser) note() string {
	b.t.Helper()
	return b.text(`document.querySelector('#toast:not([hidden]) span')?.textContent`)
}

// A file that does not tell its rule is freestyle, whatever was played before, and the page says so.
func TestRuleOfAFileThatTellsNone(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both", rule: "4"})
	b.open("game.psq", "Piskvorky 15x15, 11:11, 0\n8,8,100\n9,9,200\n10,10,300\nFirst\nSecond\n0\n")
	b.wait("the game", `document.getElementById('ply').textContent === '3 / 3'`)
	b.expect("the rule", b.text(`document.getElementById('rules').textContent`), "15 × 15 · Freestyle")
	if note := b.note(); !strings.Contains(note, "Freestyle") {
		t.Errorf("the note is %q", note)
	}
	b.quiet()
}

// Moves behind the end of a game are left out, with a word, and the game can be reviewed.
func TestMovesBehindTheEndOfAGame(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.open("late.sgf", "(;SZ[15];B[hh];W[aa];B[hi];W[ab];B[hj];W[ac];B[hk];W[ad](;B[hl];W[oo];B[on])(;B[ol];W[ae];B[ok]))")
	b.wait("the game", `document.getElementById('ply').textContent === '9 / 9'`)
	b.expect("the note", b.note(), "Moves loaded: 11 · Freestyle · Moves after the end of the game, left out: 3")
	b.expect("the banner", b.banner(), "Black wins")
	b.panel("review")
	b.choose("#effort", "fast")
	b.click("#review")
	b.wait("the review", `document.querySelectorAll('#summary tr').length === 6`)
	b.quiet()
}

// The comment of a position can be read beside every panel, and a game with comments says that it
// has some.
func TestCommentsAreSeen(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, view{width: 360, height: 740, scale: 2})
	b.visit(serve(t, own()))
	b.open("taught.sgf", "(;SZ[15];B[hh]C[In the middle.];W[ii]C[Beside it, not below.];B[jj])")
	b.wait("the game", `document.getElementById('ply').textContent === '3 / 3'`)
	b.expect("the note", b.note(), "Moves loaded: 3 · Freestyle · Comments: 2")
	for _, panel := range []string{"play", "analysis", "review", "explorer", "puzzles", "moves"} {
		b.panel(panel)
		b.click("#first")
		b.click("#next")
		b.settle()
		seen := b.text(`[...document.querySelectorAll('#remark, #comment')].filter((e) => e.getBoundingClientRect().height > 10).map((e) => e.value ?? e.textContent)`)
		b.expect("what is read beside the panel "+panel, seen, "In the middle.")
	}
	b.panel("play")
	b.click("#next")
	b.settle()
	b.expect("the next one", b.text(`document.getElementById('remark').textContent`), "Beside it, not below.")
	b.click("#next")
	b.settle()
	b.expect("a position without one", b.text(`document.getElementById('remark').getBoundingClientRect().height`), "0")
	b.quiet()
}

// A game that another tab shows opens as a copy, which is said.
func TestCopyInASecondTab(t *testing.T) {
	t.Parallel()
	url := serve(t, own())
	b := startBrowser(t, desktop)
	b.visit(url)
	b.newGame(choice{side: "both"})
	b.place("h8", "i9")
	b.js(`window.open(location.href)`, nil) // the browser copies what the tab keeps
	var tabs []string
	b.must("GET", "/window/handles", nil, &tabs)
	b.showTab(tabs[slices.IndexFunc(tabs, func(tab string) bool { return tab != b.tab })])
	b.wait("the game", `document.querySelectorAll('#g-stones .stone').length === 2`)
	b.wait("a word", `document.querySelector('#toast span').textContent === 'Another tab shows this game; this is a copy'`)
	b.quiet()
}

// A win is counted in moves of the winner wherever it is shown.
func TestWinsAreCountedInOneWay(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both"})
	b.place("h8", "a1", "h9", "a3", "h10", "a15") // an open three: two more moves win
	b.analyze()
	b.wait("the win", `document.querySelector('#lines i')?.textContent === '+M2'`)
	b.expect("the badge", b.text(`document.querySelector('#g-above .badge.best + text').textContent`), "+M2")
	b.expect("the score", b.text(`document.getElementById('score').textContent`), "Black wins in 2")
	b.click("#solve")
	b.wait("the proof", `/wins/.test(document.getElementById('proof').textContent)`)
	b.expect("the proof", b.text(`document.querySelector('#proof p').textContent`), "Black wins in 2")
	b.quiet()
}

// No letter of the line above the board is cut off, with one line of words or with two, in a font whose
// lines are high, as those with Chinese signs are: it looks the same where nothing would be cut off.
func TestLettersOfTheBannerAreWhole(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.js(`const face = new FontFace('High', 'local("DejaVu Sans"), local("Liberation Sans"), local("Arial")', { ascentOverride: '115%', descentOverride: '29%' });
		return face.load().then((f) => { document.fonts.add(f); })`, nil)
	for _, v := range []view{desktop, {width: 360, height: 740, scale: 2}, {width: 740, height: 360, scale: 2}} {
		b.resize(v)
		for _, kind := range []string{"", "won", "lost", "past", "swap", "wrong"} {
			b.js(`const box = document.getElementById('banner'), span = box.querySelector('span');
				box.className = arguments[0]; span.textContent = 'gjpqy'; span.style.fontFamily = 'High'; span.style.overflow = ''`, nil, kind)
			r := b.box("#banner span")
			cut := b.picture(r.Left-2, r.Top-4, r.Width+4, r.Height+8)
			b.js(`document.querySelector('#banner span').style.overflow = 'visible'`, nil)
			whole := b.picture(r.Left-2, r.Top-4, r.Width+4, r.Height+8)
			if n := differ(cut, whole); n > 4 {
				t.Errorf("%d pixels, %q: %d pixels of letters are cut off", v.width, kind, n)
			}
		}
	}
	b.quiet()
}

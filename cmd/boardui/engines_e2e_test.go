//go:build e2e

package main

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestHintAnalysisAndThreats(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both"})
	b.place("h8", "a1", "i8", "b1", "j8", "o15")
	b.click("#threats")
	b.settle()
	b.wait("three points of the three are shown", `document.querySelectorAll('#g-below .threat-at.three').length === 2`)
	b.place("k8", "n14")
	b.wait("the fours are shown", `document.querySelectorAll('#g-below .threat-at.four').length === 2`)
	b.click("#hint")
	b.wait("the hint", `document.querySelector('#g-above .badge.best')`)
	b.wait("its line", `/^(g|l)8/.test(document.querySelector('#lines span')?.textContent)`)
	b.click("#back")
	b.click("#back")
	b.settle()
	b.panel("analysis")
	b.click("#start")
	b.wait("several lines", `document.querySelectorAll('#lines button').length >= 3`)
	b.moveMouse("#lines li:nth-child(2) button")
	b.wait("the numbered stones of a line", `document.querySelectorAll('#g-above .ghost').length >= 2`)
	b.shot("analysis")
	b.click("#start")
	b.quiet()
}

func TestScorePlotLeadsToMoves(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.newGame(choice{side: "black", engine: "2"})
	b.choose("#time", "0")
	b.place("h8", "h9", "h10", "c3", "k4", "l7")
	b.wait("the curve", `document.querySelector('#plot .curve')`)
	b.expect("the score in words", b.text(`document.getElementById('score').textContent`), "Even")
	card := func() string { return b.text(`document.querySelector('#player-white small').textContent`) }
	b.expect("the card of the engine in words", card(), "played k15")
	b.panel("analysis")
	if !regexp.MustCompile(`^played k15 · \d\.\d s · depth 4$`).MatchString(card()) {
		t.Errorf("the card of the engine beside the analysis is %q", card())
	}
	b.expect("the score, which white sees as good for itself", b.text(`document.getElementById('score').textContent`), "−40")
	b.panel("play")
	b.js(`const p = document.getElementById('plot'), r = p.getBoundingClientRect();
		p.dispatchEvent(new PointerEvent('pointerdown', {clientX: r.left + r.width * 3 / 20 + 3, clientY: r.top + 20, pointerId: 1, bubbles: true}));
		p.dispatchEvent(new PointerEvent('pointerup', {pointerId: 1, bubbles: true}));`, nil)
	b.settle()
	b.expect("the position shown", b.text(`document.getElementById('ply').textContent`), "3 / 12")
	if n := b.stones(); n != 3 {
		t.Errorf("%d stones are shown", n)
	}
	b.keys("]")
	b.settle()
	b.expect("after a key", b.text(`document.getElementById('ply').textContent`), "4 / 12")
	b.click("#first")
	b.settle()
	b.expect("at the beginning", b.text(`document.getElementById('ply').textContent`), "0 / 12")
	b.click("#banner [data-do=last]")
	b.settle()
	b.expect("at the end", b.text(`document.getElementById('ply').textContent`), "12 / 12")

	// A stone placed in the past begins a variation.
	b.click("#first")
	b.settle()
	b.place("o15")
	if got := b.moves(); !strings.HasPrefix(got, "o15") || len(got) > 6 {
		t.Errorf("after a stone in the past: %s", got)
	}
	// Also a stone placed before the server has looked at the past.
	b.js(`const r = document.querySelector(arguments[0]).getBoundingClientRect();
		document.getElementById('first').click();
		document.getElementById('board').dispatchEvent(new MouseEvent('click', {clientX: r.left + 9, clientY: r.top + 9, bubbles: true}))`, nil, b.cell("n14"))
	b.wait("the stone", `document.querySelector('#ply').textContent !== '0 / 12'`)
	b.settle()
	if got := b.moves(); !strings.HasPrefix(got, "n14") {
		t.Errorf("after a quick stone in the past: %s", got)
	}
	b.quiet("setPointerCapture") // the script's pointer cannot be captured
}

// Level 1 of the built-in engine moves almost at once, whatever the time of a move. The labels
// show what is chosen.
func TestLevelAndStyle(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.choose("#time", "7")
	for _, level := range []struct{ value, label string }{{"16", "16 · Full strength"}, {"1", "1 · Newcomer"}} {
		b.choose("#level-white", level.value)
		b.expect("the label of the level", b.text(`document.querySelector('#level-white').selectedOptions[0].text`), level.label)
	}
	for _, style := range []struct{ value, label string }{{"-50", "defense +50"}, {"0", "balanced"}, {"70", "attack +70"}} {
		b.choose("#style", style.value)
		b.expect("the label of the style", b.text(`document.querySelector('#style ~ output').textContent`), style.label)
	}
	// Times of the first answers, from the click to the stone.
	took := []float64{}
	for i, name := range []string{"h8", "a1", "o1", "a15"} {
		b.settle()
		var ms float64
		b.js(`const want = arguments[1], cell = document.querySelector(arguments[0]);
			const box = cell.getBoundingClientRect(), at = { bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
			const begun = performance.now();
			for (const kind of ['pointerdown', 'pointerup', 'click']) cell.dispatchEvent(new (kind === 'click' ? MouseEvent : PointerEvent)(kind, at));
			return new Promise((done) => {
				const look = () => document.querySelectorAll('#g-stones .stone').length >= want ? done(performance.now() - begun) : setTimeout(look, 5);
				look();
			})`, &ms, b.cell(name), 2*i+2)
		took = append(took, ms)
	}
	t.Logf("answers after %.0f ms", took)
	for i, ms := range took {
		if ms < 150 || ms > 15000 {
			t.Errorf("answer %d came after %.0f ms, want 150 and more, and not the 30 s of a full move", i+1, ms)
		}
	}
	b.quiet("setPointerCapture")
}

func TestThinkingIsShownAndCanBeHurried(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, stub("meek"), stub("keen"), stub("deep"), own()))
	b.newGame(choice{side: "black", engine: "2"})
	b.click(b.cell("h8"))
	b.panel("analysis")
	b.wait("depth and nodes", `document.querySelector('#player-white.thinking small') && /depth \d+ · nodes \d+/.test(document.querySelector('#player-white small').textContent)`)
	b.panel("play")
	b.expect("the card of who plays", b.text(`document.querySelector('#player-white small').textContent`), "thinking")
	b.panel("analysis")
	b.click("#back") // taking back does not wait
	b.settle()
	b.expect("taken back while the engine thought", b.moves(), "")

	b.choose("#time", "7")
	b.choose("#level-white", "16") // others answer at once
	b.choose("#player-white select", "3")
	b.click(b.cell("o1")) // a move that no book knows
	b.wait("it thinks", `/depth/.test(document.querySelector('#player-white.thinking small')?.textContent)`)
	begun := time.Now()
	b.click("#now")
	b.settle()
	if took := time.Since(begun); b.stones() != 2 || took > 15*time.Second {
		t.Errorf("%d stones %v after a move was wanted now", b.stones(), took)
	}

	// What fails meanwhile does not take the engine's answer away.
	b.choose("#player-white select", "0")
	b.hold("/api/think", `"engine":0`)
	b.click(b.cell("n15"))
	b.wait("it thinks", `document.querySelector('#player-white.thinking')`)
	b.js(`const asked = window.fetch;
		window.fetch = (path, body) => path === '/api/look' ? Promise.resolve(new Response('{"code":"rate","error":"test"}', {status: 429})) : asked(path, body);
		document.getElementById('first').click();
		return new Promise((done) => setTimeout(() => { window.fetch = asked; done(); }, 300))`, nil)
	b.expect("the banner", b.banner(), "Too many requests in a short time (test)")
	b.release("go")
	b.wait("the answer", `document.getElementById('ply').textContent === '0 / 4'`)
	b.click("#last")
	b.settle()

	b.choose("#time", "7")
	b.choose("#player-white select", "3")
	b.click(b.cell("o15"))
	b.wait("it thinks", `document.querySelector('#player-white.thinking')`)
	b.choose("#time", "0")
	b.click("#hand")
	b.wait("black is the engine's now", `document.querySelector('#player-black select').value === '3' && document.querySelector('#player-white select').value === '-1'`)
	b.settle()
	b.expect("white, which is mine now, has the move", b.banner(), "Your move")
	b.quiet()
}

func TestEnginesCanBeWatchedAndStopped(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.choose("#time", "0")
	b.newGame(choice{side: "none", engine: "2", engine2: "0", size: "9"})
	b.wait("they play", `document.querySelectorAll('#g-stones .stone').length >= 6`)
	b.click("#pause")
	b.settle()
	b.expect("the banner", b.banner(), "Paused")
	n := b.stones()
	b.choose("#player-black select", "-1")
	b.choose("#player-white select", "-1")
	b.settle()
	if text := b.banner(); !strings.HasSuffix(text, "to move") {
		t.Errorf("with people at both sides, the banner is %q", text)
	}
	b.click("#hand")
	b.click("#pause")
	b.settle()
	b.choose("#player-black select", "-1")
	b.choose("#player-white select", "1")
	b.click("#pause")
	b.settle()
	if got := b.stones(); got < n {
		t.Errorf("%d stones, there were %d", got, n)
	}
	b.quiet()
}

func TestBrokenEngineLeavesTheGame(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, stub("crash"), own()))
	b.place("h8")
	b.wait("a message", `document.getElementById('banner').className === 'wrong'`)
	if text := b.banner(); !strings.Contains(text, "ended unexpectedly") || !strings.Contains(text, "Crash") {
		t.Errorf("the message is %q", text)
	}
	b.expect("the game", b.moves(), "h8")
	b.click("#banner [data-do=retry]")
	b.wait("the message again", `document.getElementById('banner').className === 'wrong'`)
	b.choose("#time", "1")
	b.choose("#player-white select", "1")
	b.settle()
	b.wait("another engine plays on", `document.querySelectorAll('#g-stones .stone').length === 2`)
	b.quiet()
}

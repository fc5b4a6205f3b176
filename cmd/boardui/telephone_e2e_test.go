//go:build e2e

package main

import (
	"fmt"
	"testing"
)

// frame is where the board is in the page.
func (b *browser) frame() string {
	b.t.Helper()
	return b.text(`(() => { const r = document.getElementById('board').getBoundingClientRect(); return [r.left, r.top + scrollY, r.width, r.height].map((x) => x.toFixed(1)).join(' '); })()`)
}

// The board stays where it is whatever the words around it say.
func TestBoardNeverMoves(t *testing.T) {
	t.Parallel()
	url := serve(t, standard()...)
	for _, v := range []view{{width: 360, height: 740, scale: 2}, {width: 414, height: 800, scale: 2}} {
		b := startBrowser(t, v)
		b.visit(url)
		list := []string{"en", "zh"}
		if v.width > 360 {
			list = list[:1]
		}
		for _, lang := range list {
			at := b.frame()
			check := func(when string) {
				t.Helper()
				b.expect(fmt.Sprintf("%d pixels, %s, %s", v.width, lang, when), b.frame(), at)
			}
			b.newGame(choice{side: "black", engine: "0"})
			b.place("h8", "h9", "h10")
			check("during a game")
			b.tap("#prev")
			b.settle()
			check("one step back")
			b.tap("#first")
			b.settle()
			check("at the beginning")
			b.tap("#last")
			b.settle()
			b.newGame(choice{side: "black", engine: "0", opening: "swap2-engine"})
			check("in swap2")
			b.newGame(choice{side: "black", engine: "0", opening: " "})
			b.place("h8")
			b.tap("#resign")
			b.settle()
			check("at the end")
			b.js(`return import('/state.js').then((m) => m.fail(new Error('a long message of an engine that has ended in a way which takes many words to describe')))`, nil)
			check("with an error")
			b.language(map[string]string{"en": "zh", "zh": "en"}[lang])
			b.settle()
		}
		b.quiet()
	}
}

// What is to be chosen in an opening can be read on a telephone in every language, and the board stays
// where it is meanwhile.
func TestChoicesOnATelephone(t *testing.T) {
	t.Parallel()
	url := serve(t, own())
	for _, width := range []int{360, 412} {
		b := startBrowser(t, view{width: width, height: 740, scale: 2})
		b.visit(url)
		at := b.frame()
		fits := func(what string) {
			t.Helper()
			b.expect(fmt.Sprintf("%d pixels, %s: cut off", width, what), b.text(`(() => {
				const b = document.getElementById('banner'), inside = b.getBoundingClientRect(), span = b.querySelector('span');
				const out = [...b.children].filter((e) => { const r = e.getBoundingClientRect(); return r.left < inside.left || r.right > inside.right || r.top < inside.top || r.bottom > inside.bottom; });
				return [...out, ...span.scrollHeight > span.clientHeight || span.scrollWidth > span.clientWidth ? [span] : []].map((e) => e.textContent);
			})()`), "")
			b.expect(fmt.Sprintf("%d pixels, %s: the board", width, what), b.frame(), at)
		}
		for _, c := range []struct {
			opening string
			stones  []string
		}{{"swap2", []string{"h8", "h9", "i10"}}, {"taraguchi-10", []string{"h8", "h9", "h10", "i9"}}, {"soosyrv-8", []string{"h8", "h9", "h10"}}, {"yamaguchi", []string{"h8", "h9", "h10"}}} {
			b.newGame(choice{side: "both", opening: c.opening})
			fits(c.opening)
			for _, m := range c.stones {
				b.place(m)
				if c.opening == "taraguchi-10" {
					b.shot(fmt.Sprint("choice-", width, "-", m))
					fits(c.opening + " " + m)
					b.option("Stay")
				}
				fits(c.opening + " after " + m)
			}
			for _, l := range languages {
				b.language(l)
				b.settle()
				fits(c.opening + ", " + l)
			}
			b.language("en")
			b.shot(fmt.Sprint("choice-", width, "-", c.opening))
		}
		b.newGame(choice{side: "black", engine: "0", opening: "swap2-engine"})
		b.wait("the choice", `document.querySelector('#banner button')`)
		for _, l := range languages {
			b.language(l)
			fits("swap2 of the engine, " + l)
		}
		b.language("en")
		b.quiet()
	}
}

// slide puts a finger down in the middle of an element, slides to another in steps and lifts
// it there; between is called before that.
func (b *browser) slide(from, to string, between func()) {
	b.t.Helper()
	type point struct{ X, Y float64 }
	middle := func(css string) (p point) {
		b.js(`const r = document.querySelector(arguments[0]).getBoundingClientRect(); return {X: r.left + r.width / 2, Y: r.top + r.height / 2}`, &p, css)
		return p
	}
	send := func(kind string, points ...point) {
		list := []any{}
		for _, p := range points {
			list = append(list, map[string]any{"x": p.X, "y": p.Y})
		}
		b.must("POST", "/goog/cdp/execute", map[string]any{"cmd": "Input.dispatchTouchEvent",
			"params": map[string]any{"type": kind, "touchPoints": list}}, nil)
	}
	p, q := middle(from), middle(to)
	send("touchStart", p)
	for i := range 4 {
		f := float64(i+1) / 4
		send("touchMove", point{p.X + (q.X-p.X)*f, p.Y + (q.Y-p.Y)*f})
	}
	between()
	send("touchEnd")
}

func TestFingerSlidesUnderALens(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, view{width: 360, height: 740, scale: 2})
	b.visit(serve(t, standard()...))
	b.slide(b.cell("h8"), b.cell("k11"), func() {
		b.wait("the lens", `!document.getElementById('lens').hidden`)
		b.wait("the stone in it", `(() => { const s = document.querySelector('#g-touch .hover.black'); return s?.getAttribute('cx') === '10' && s.getAttribute('cy') === '10'; })()`)
		var seen bool
		b.js(`const l = document.getElementById('lens').getBoundingClientRect(), c = document.querySelector(arguments[0]).getBoundingClientRect();
			return l.top >= 0 && l.left >= 0 && l.right <= innerWidth && (l.bottom < c.top || l.top > c.bottom)`, &seen, b.cell("k11"))
		if !seen {
			t.Error("the lens is under the finger or outside of the window")
		}
		b.shot("lens")
	})
	b.wait("the answer", `document.querySelectorAll('#g-stones .stone').length === 2`)
	b.settle()
	b.expect("lifting it places the stone", b.moves(), "k11a1")
	b.expect("the lens", b.text(`document.getElementById('lens').hidden`), "true")
	b.slide(b.cell("h8"), "#ply", func() { // some browsers do not say that a finger asks for a menu
		b.js(`document.getElementById('board').dispatchEvent(new MouseEvent('contextmenu', {bubbles: true, cancelable: true}))`, nil)
	})
	b.settle()
	b.expect("a finger lifted beside the board places nothing", b.moves(), "k11a1")

	b.js(`document.getElementById('confirm').click()`, nil) // the driver loses a tap after touches that it did not send
	b.tap(b.cell("h8"))
	b.settle()
	b.expect("one tap", b.moves(), "k11a1")
	b.expect("the note", b.text(`document.querySelector('#toast span').textContent`), "Tap h8 again to place the stone")
	b.tap(b.cell("h9"))
	b.tap(b.cell("h9"))
	b.wait("the answer", `document.querySelectorAll('#g-stones .stone').length === 4`)
	b.settle()
	b.expect("two taps", b.moves(), "k11a1h9c1")

	// Notes cover neither the header nor the board.
	b.tap(b.cell("h9"))
	b.tap(b.cell("h9"))
	b.wait("a note", `!document.getElementById('toast').hidden`)
	var covers bool
	b.js(`const n = document.getElementById('toast').getBoundingClientRect();
		return ['header', '#frame', '#banner'].some((css) => { const r = document.querySelector(css).getBoundingClientRect(); return n.top < r.bottom && n.bottom > r.top; })`, &covers)
	if covers {
		t.Error("a note covers the header or the board")
	}
	b.quiet()
}

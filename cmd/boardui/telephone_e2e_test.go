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
	url := serve(t, engines()...)
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
			b.js(`return import(new URL('state.js', location.href)).then((m) => m.fail(new Error('a long message of an engine that has ended in a way which takes many words to describe')))`, nil)
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
		list := languages
		if width > 360 {
			list = []string{"ru"} // with more room only the longest words
		}
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
			for _, l := range list {
				b.language(l)
				b.settle()
				fits(c.opening + ", " + l)
			}
			b.language("en")
			b.shot(fmt.Sprint("choice-", width, "-", c.opening))
		}
		b.newGame(choice{side: "black", engine: "0", opening: "swap2-engine"})
		b.wait("the choice", `document.querySelector('#banner button')`)
		for _, l := range list {
			b.language(l)
			fits("swap2 of the engine, " + l)
		}
		b.language("en")
		b.quiet()
	}
}

//go:build e2e

package main

import "testing"

// The panels for study fit into the window at every width.
func TestStudyPanelsFit(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.loadPos(gameOf40)
	for _, panel := range []string{"analysis", "review", "explorer", "puzzles", "moves"} {
		b.panel(panel)
		switch panel {
		case "analysis":
			b.click("#start")
			b.wait("lines", `document.querySelectorAll('#lines button').length >= 4`)
		case "review":
			b.js(`document.getElementById('start').click()`, nil)
			b.choose("#effort", "fast")
			b.click("#review")
			b.wait("the summary", `document.querySelectorAll('#summary tr').length === 6`)
			b.js(`document.querySelector('#mistakes button')?.click()`, nil)
		case "puzzles":
			b.click("#puzzle-start")
			b.wait("a puzzle", `document.getElementById('puzzle-task').textContent`)
		case "moves":
			b.js(`document.getElementById('puzzle-leave').click()`, nil)
		}
		b.settle()
		for _, lang := range []string{"ru", "en"} { // Russian has the longest words
			b.language(lang)
			for _, v := range widths {
				b.resize(v)
				var bad []string
				b.js(`const shown = (e) => e.getClientRects().length > 0, say = (what) => (e) => what + e.outerHTML.slice(0, 80);
					return [...document.querySelectorAll('main *')].filter((e) => shown(e) && e.getBoundingClientRect().right > innerWidth + 0.5 && !e.closest('.treebox, .tabs, svg, #lines span, #moves-text > *')).map(say('too wide: ')).concat(
						[...document.querySelectorAll('main button')].filter((e) => shown(e) && e.scrollWidth > e.clientWidth + 1 && !e.closest('ol, ul')).map(say('cut off: ')))`, &bad)
				for _, what := range bad {
					t.Errorf("%s in %s at %d: %s", panel, lang, v.width, what)
				}
			}
		}
		b.resize(desktop)
	}
	b.quiet()
}

// No words are cut off by their box or reach over its edge, in any language: in the panel for playing
// with the dials of two engines, and in the dialogs.
func TestWordsFitTheirBoxes(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.choose("#player-black select", "0")
	b.click("#pause")
	b.wait("the dials of two engines", `!document.getElementById('dialed').hidden`)
	b.settle()
	for _, v := range []view{desktop, {width: 390, height: 800, scale: 2}} {
		b.resize(v)
		for _, lang := range languages {
			b.language(lang)
			var bad []string
			b.js(`const cut = (part) => [...part.querySelectorAll('*')].filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1 && !e.closest('svg, select, input, textarea'));
				const dialogs = [...document.querySelectorAll('dialog')].flatMap((d) => {
					d.showModal();
					const list = cut(d);
					d.close();
					return list;
				});
				return [...cut(document.querySelector('header')), ...cut(document.querySelector('main')), ...dialogs].map((e) => e.outerHTML.slice(0, 80))`, &bad)
			if len(bad) > 0 {
				t.Errorf("%s at %d: %q", lang, v.width, bad)
			}
		}
	}
	b.quiet()
}

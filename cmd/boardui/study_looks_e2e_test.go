//go:build e2e

package main

import (
	"fmt"
	"testing"
)

// The panels for study fit into the window at every width, and everything in them has a name.
func TestStudyPanelsFit(t *testing.T) {
	url := serve(t, own())
	for _, v := range []view{{width: 360, height: 740, scale: 2}, {width: 768, height: 1024, scale: 1}, {width: 1440, height: 900}} {
		b := startBrowser(t, v)
		b.visit(url)
		b.loadPos(gameOf40)
		for _, panel := range []string{"analysis", "review", "explorer", "puzzles"} {
			b.panel(panel)
			switch panel {
			case "analysis":
				b.js(`document.getElementById('start').click()`, nil)
				b.wait("lines", `document.querySelectorAll('#lines button').length >= 4`)
			case "review":
				b.js(`document.getElementById('start').click()`, nil)
				if v.width != 360 && *shots == "" {
					break // once is enough
				}
				b.js(`document.getElementById('review').click()`, nil)
				b.wait("the summary", `document.querySelectorAll('#summary tr').length === 6`)
				b.js(`document.querySelector('#mistakes button')?.click()`, nil)
			case "puzzles":
				b.js(`document.getElementById('puzzle-start').click()`, nil)
				b.wait("a puzzle", `document.getElementById('puzzle-task').textContent`)
			}
			b.settle()
			var wide int
			b.js(`return document.documentElement.scrollWidth`, &wide)
			if wide > v.width {
				t.Errorf("%s at %d: the page is %d wide", panel, v.width, wide)
			}
			var nameless []string
			b.js(`return [...document.querySelectorAll('#panel-' + arguments[0] + ' :is(button, select, input, summary)')].filter((e) => e.type !== 'file' && e.getClientRects().length &&
				!(e.textContent.trim() && e.tagName !== 'SELECT') && !e.getAttribute('aria-label') && !e.closest('label')?.textContent.trim()).map((e) => e.outerHTML.slice(0, 80))`, &nameless, panel)
			if len(nameless) > 0 {
				t.Errorf("%s: without a name for screen readers: %q", panel, nameless)
			}
			if *shots == "" {
				continue
			}
			for _, theme := range []string{"light", "dark"} {
				b.js(`if (document.documentElement.dataset.theme !== arguments[0]) document.getElementById('theme').click();
					document.getElementById('toast').hidden = true; window.scrollTo(0, arguments[1] ? 480 : 0)`, nil, theme, v.width == 360)
				b.shot(fmt.Sprintf("study-%s-%d-%s", panel, v.width, theme))
			}
		}
		b.quiet()
	}
}

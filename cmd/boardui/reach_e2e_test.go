//go:build e2e

package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// Everything that a finger presses has 44 pixels each way; the points of the board have the lens.
func TestTargetsOfFingers(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, view{width: 360, height: 740, scale: 2})
	b.visit(serve(t, own()))
	b.newGame(choice{side: "black"})
	b.place("h8")
	b.click("#more")
	const small = `((root) => [...root.querySelectorAll('button, select, input, textarea, summary, label:has(input)')].filter((e) => {
		if (!e.getClientRects().length || e.closest('#board') || e.matches('label input:not([type=range]), .unseen *')) return false;
		const r = e.getBoundingClientRect();
		return r.height < 43.5 || r.width < 43.5;
	}).map((e) => e.outerHTML.replace(/<svg.*?svg>/g, '').slice(0, 90) + ' ' + e.getBoundingClientRect().width.toFixed() + 'x' + e.getBoundingClientRect().height.toFixed()))`
	check := func(where, root string) {
		t.Helper()
		var list []string
		b.js(`return `+small+`(document.querySelector(arguments[0]))`, &list, root)
		if len(list) > 0 {
			t.Errorf("%s: %s", where, strings.Join(list, "\n\t"))
		}
	}
	check("the head", "header")
	for _, panel := range []string{"play", "analysis", "review", "explorer", "puzzles", "moves"} {
		b.panel(panel)
		if panel == "analysis" {
			b.click("#start")
			b.wait("lines", `document.querySelectorAll('#lines button').length >= 4`)
		}
		check("panel "+panel, "main")
	}
	for _, name := range []string{"new", "files", "library", "help"} {
		b.dialog(name)
		check("dialog "+name, "#"+name+"-dialog")
		b.js(`document.querySelector('dialog[open]').close('')`, nil)
	}
	b.quiet()
}

// A screen reader hears everything once: no two regions that it reads out say the same at a time.
func TestNothingIsSaidTwice(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.js(`window.heard = [];
		const regions = '[role=status], [role=alert], [aria-live=polite], output:not([role], [aria-live])';
		new MutationObserver((list) => {
			const now = new Set(list.map((m) => (m.target.nodeType === 1 ? m.target : m.target.parentElement)?.closest(regions)));
			for (const e of now) if (e && !e.hidden && e.textContent.trim()) heard.push({ id: e.id, text: [...e.querySelectorAll('span')].map((s) => s.textContent).join('') || e.textContent, at: performance.now() });
		}).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['hidden'] })`, nil)
	twice := func(what string) {
		t.Helper()
		var list []string
		b.js(`const list = heard.splice(0);
			return list.flatMap((a, i) => list.slice(i + 1).filter((b) => b.id !== a.id && b.text.trim() === a.text.trim() && b.at - a.at < 1500).map((b) => a.id + ' and ' + b.id + ': ' + a.text))`, &list)
		if len(list) > 0 {
			t.Errorf("%s is said twice: %q", what, list)
		}
	}
	b.place("h8", "h8")
	twice("a point that is taken")
	b.place("h9", "h10", "h11", "h12")
	twice("the end")
	b.click("#restart")
	b.settle()
	b.js(`return import(new URL('state.js', location.href)).then((m) => m.fail(new Error('a fault')))`, nil)
	twice("a fault")
	b.newGame(choice{side: "black", engine: "1", opening: "swap2-me"})
	b.place("h8", "i8", "j8")
	twice("sides")
	b.newGame(choice{side: "both", opening: " "})
	b.js(`document.getElementById("edit").click()`, nil)
	b.wait("the editor", `!document.getElementById("setup").hidden`)
	twice("the editor")
	b.quiet()
}

// Letters as keys can be switched off, for those who speak to their computer.
func TestLetterKeysCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both"})
	b.place("h8", "i9")
	seen := func() string { return b.text(`document.querySelectorAll('#g-marks .number').length`) }
	b.keys("n")
	b.expect("numbers after the key", seen(), "2")
	b.click("#keys")
	b.keys("n", "u", "[")
	b.settle()
	b.expect("numbers after the keys that are off", seen(), "2")
	b.expect("stones", fmt.Sprint(b.stones()), "2")
	b.keys("\ue012") // an arrow is no letter
	b.wait("the position before", `document.getElementById('ply').textContent === '1 / 2'`)
	b.quiet()
}

// ratio is the contrast of two colors as a script writes them: rgb(1, 2, 3).
func ratio(t *testing.T, a, b string) float64 {
	t.Helper()
	light := func(s string) float64 {
		var c [3]int
		if _, err := fmt.Sscanf(strings.ReplaceAll(strings.TrimPrefix(s, "rgba"), "rgb", ""), "(%d, %d, %d", &c[0], &c[1], &c[2]); err != nil {
			t.Fatalf("color %q: %v", s, err)
		}
		return luminance(t, fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]))
	}
	x, y := light(a), light(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// The edges of what can be pressed or filled in stand out from the page by 3 to 1, and the letters
// beside the board from the wood by 4.5 to 1 (WCAG 2.2, 1.4.11 and 1.4.3), in both themes.
func TestContrastOnTheScreen(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.panel("analysis")
	for _, theme := range []string{"light", "dark"} {
		b.js(`if (document.documentElement.dataset.theme !== arguments[0]) document.getElementById('theme').click()`, nil, theme)
		var edges [][3]string
		b.js(`const ground = getComputedStyle(document.body).backgroundColor;
			return [...document.querySelectorAll('button, select, input, textarea, .choice label span')].filter((e) => !e.matches('[aria-pressed=true], .strong, [role=tab], :disabled, #toast *')).map((e) => [e, getComputedStyle(e)])
				.filter(([e, s]) => parseFloat(s.borderTopWidth) > 0 && s.borderTopStyle === 'solid' && !/, 0\)|transparent/.test(s.borderTopColor)).map(([e, s]) => [e.outerHTML.slice(0, 60), s.borderTopColor, ground])`, &edges)
		if len(edges) < 20 {
			t.Errorf("%s: only %d edges are seen", theme, len(edges))
		}
		for _, e := range edges {
			if r := ratio(t, e[1], e[2]); r < 3 {
				t.Errorf("%s: %.2f to 1: %s", theme, r, e[0])
			}
		}
		for _, label := range []string{"first", "last"} { // of the wood's lightest and darkest corner
			var at box
			b.js(`const list = [...document.querySelectorAll('#drawing .label')], r = list[arguments[0] === 'first' ? 0 : 14].getBoundingClientRect(); return {Left: r.left, Top: r.top, Width: r.width, Height: r.height}`, &at, label)
			m := b.picture(at.Left-4, at.Top, at.Width+8, at.Height)
			var lights []float64
			for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
				for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
					r, g, bl, _ := m.At(x, y).RGBA()
					lights = append(lights, luminance(t, fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, bl>>8)))
				}
			}
			slices.Sort(lights)
			words, wood := lights[0], lights[len(lights)*3/4]
			if r := (wood + 0.05) / (words + 0.05); r < 4.5 || math.IsNaN(r) {
				t.Errorf("%s: the %s letter stands out by %.2f to 1", theme, label, r)
			}
		}
	}
	b.quiet()
}

// Icons say nothing to a screen reader: the words or the names of their buttons do.
func TestIconsAreSilent(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.expect("icons that a screen reader sees", b.text(`[...document.querySelectorAll('button svg, h1 svg')].filter((e) => !e.closest('[aria-hidden=true]')).length`), "0")
	b.quiet()
}

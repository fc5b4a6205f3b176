//go:build e2e

package main

import (
	"testing"
)

func TestKeyboardAndLabels(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.js(`document.getElementById('board').focus()`, nil)
	const left, up, enter = "\ue012", "\ue013", "\ue007"
	b.keys(enter)
	b.settle()
	b.expect("the middle", b.moves(), "h8a1")
	b.keys(left, up, up, enter)
	b.settle()
	b.expect("beside it", b.moves(), "h8a1g6c1")
	b.expect("what a screen reader reads out", b.text(`document.getElementById('speech').textContent`), "White c15")
	b.expect("the cell at the cursor", b.text(`document.getElementById(document.getElementById('board').getAttribute('aria-activedescendant')).getAttribute('aria-label')`), "g10 black")
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		b.devtools("Input.dispatchKeyEvent", map[string]any{"type": kind, "windowsVirtualKeyCode": 93, "key": "ContextMenu", "code": "ContextMenu"})
	}
	b.settle()
	b.expect("the key of a menu, which is no right button", b.moves(), "h8a1g6c1")
	b.keys("u")
	b.settle()
	b.expect("taken back", b.moves(), "h8a1")
	b.keys("n")
	b.wait("numbers", `document.querySelectorAll('#g-marks .number').length === 2`)
	b.keys("f")
	b.settle()
	b.expect("sides are swapped", b.moves(), "h8a1c1")
	b.js(`document.getElementById('c18').click()`, nil)
	b.settle()
	b.expect("a point that a screen reader clicks, which gives no place", b.moves(), "h8a1c1d2e1")
	// Not what changes several times a second in an analysis: the score, or how far a review is.
	b.expect("what is read out whenever it changes", b.text(`Array.from(document.querySelectorAll('[role=status], [role=alert], [aria-live=polite], output:not([role], [aria-live])'), (e) => e.id || e.previousElementSibling.id).sort()`),
		"banner,files-wrong,games-found,speech,toast,tool-text,verdict")
	var nameless []string
	b.js(`return [...document.querySelectorAll('button, select, input, textarea, [role=meter], [role=img], [role=grid]')].filter((e) => e.id !== 'file' && e.getClientRects().length &&
		!(e.textContent.trim() && e.tagName !== 'SELECT') && !e.getAttribute('aria-label') && !e.closest('label')?.textContent.trim()).map((e) => e.outerHTML.slice(0, 80))`, &nameless)
	if len(nameless) > 0 {
		t.Errorf("without a name for screen readers: %q", nameless)
	}
	b.quiet()
}

func TestPhone(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, view{width: 360, height: 740, scale: 2})
	b.visit(serve(t, standard()...))
	for _, lang := range languages {
		b.language(lang)
		var wide int
		b.js(`return document.documentElement.scrollWidth`, &wide)
		if wide > 360 {
			t.Errorf("%s: the page is %d wide", lang, wide)
		}
		var tall float64
		b.js(`return document.getElementById('rules').getBoundingClientRect().height`, &tall)
		if tall > 30 {
			t.Errorf("%s: size and rule take %.0f pixels, more than a line", lang, tall)
		}
		var box struct{ Left, Right, Top, Bottom float64 }
		b.js(`const r = document.getElementById('frame').getBoundingClientRect(); return {Left: r.left, Right: r.right, Top: r.top, Bottom: r.bottom}`, &box)
		if box.Left < 0 || box.Right > 360 || box.Right-box.Left < 330 || box.Bottom > 740 {
			t.Errorf("%s: the board lies at %+v", lang, box)
		}
		var cut []string
		b.js(`const list = [...document.querySelectorAll('[role=tab], .dials label > span, .dials output')];
			const tabs = [...document.querySelectorAll('[role=tab]')];
			const cut = tabs.flatMap((chosen) => { // its words are bold
				tabs.forEach((tab) => { tab.style.fontWeight = tab === chosen ? 600 : 400; });
				return list.filter((e) => {
					const words = document.createRange();
					words.selectNodeContents(e);
					const r = words.getBoundingClientRect(), box = e.getBoundingClientRect();
					return r.left < box.left - 0.5 || r.right > box.right + 0.5 || box.right > innerWidth;
				}).map((e) => e.textContent);
			});
			tabs.forEach((tab) => { tab.style.fontWeight = ''; });
			return [...new Set(cut)]`, &cut)
		if len(cut) > 0 {
			t.Errorf("%s: cut off: %q", lang, cut)
		}
		b.expect(lang+": dialogs that are too wide", b.text(`[...document.querySelectorAll('dialog')].filter((d) => {
			d.showModal();
			const wide = d.scrollWidth > d.clientWidth;
			d.close();
			return wide;
		}).map((d) => d.id)`), "")
	}
	b.language("en")
	b.tap(b.cell("h8"))
	b.wait("the answer to a finger", `document.querySelectorAll('#g-stones .stone').length === 2`)
	b.place("i9")
	b.expect("the moves", b.moves(), "h8a1i9c1")
	b.shot("phone")
	b.tap(b.cell("h8"))
	b.wait("a note", `!document.getElementById('toast').hidden`)
	b.dialog("files") // which lies under it
	b.click("#files-dialog .end button")
	b.dialog("new")
	b.wait("the dialog", `document.getElementById('new-dialog').open`)
	var over bool
	b.js(`const r = document.getElementById('new-dialog').getBoundingClientRect(); return r.left < 0 || r.right > 360 || r.bottom > 740`, &over)
	if over {
		t.Error("the dialog does not fit")
	}
	b.shot("phone-dialog")
	b.quiet()
}

func TestPhoneOnItsSide(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, view{width: 740, height: 360, scale: 2})
	b.visit(serve(t, engines()...))
	for _, lang := range languages {
		b.language(lang)
		var cut []string
		b.js(`return [...document.querySelectorAll('.actions span')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)`, &cut)
		if len(cut) > 0 {
			t.Errorf("%s: the buttons cut off %q", lang, cut)
		}
	}
	b.quiet()
}

func TestChineseAndDark(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.language("zh")
	b.expect("the banner", b.banner(), "轮到你")
	b.expect("the title", b.text(`document.title`), "天元")
	b.place("h8")
	b.newGame(choice{side: "both", rule: "4"})
	b.place("h7", "a1", "h6", "a3", "g8", "a5", "f8", "a7", "h8")
	b.expect("the note", b.text(`document.querySelector('#toast span').textContent`), "h8 是黑方禁手。形成三三。")
	b.click("#theme")
	b.expect("the theme", b.text(`document.documentElement.dataset.theme`), "dark")
	for _, lang := range languages {
		b.language(lang)
		var missing []string
		b.js(`return [...document.querySelectorAll('[data-t], [data-label], [data-hint]')].flatMap((e) =>
			[[e.dataset.t, e.textContent], [e.dataset.label, e.getAttribute('aria-label')], [e.dataset.hint, e.placeholder]].filter(([key, text]) => key && (!text.trim() || text === key && key !== 'title')).map(([key]) => key))`, &missing)
		if len(missing) > 0 {
			t.Errorf("%s: without text: %q", lang, missing)
		}
		b.expect(lang+": the language of the page", b.text(`document.documentElement.lang.slice(0, 2)`), lang)
	}
	b.language("zh")
	b.must("POST", "/refresh", map[string]any{}, nil)
	b.wait("the page is back", `document.querySelector('#player-white select')?.options.length > 1`)
	b.expect("the theme after a reload", b.text(`document.documentElement.dataset.theme`), "dark")
	b.expect("the title after a reload", b.text(`document.title`), "天元")
	b.quiet()
}

// A click shows its stone before anything is asked of the server, and so at once.
func TestClickShowsItsStoneAtOnce(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.choose("#level-white", "16") // others answer at once
	var stones int
	b.js(`const cell = document.getElementById(arguments[0]), r = cell.getBoundingClientRect();
		cell.dispatchEvent(new MouseEvent('click', {clientX: r.left + 9, clientY: r.top + 9, bubbles: true}));
		return document.querySelectorAll('#g-stones .stone').length`, &stones, b.cell("h8")[1:])
	if stones != 1 {
		t.Errorf("%d stones after a click, want 1", stones)
	}
	b.settle()
	b.quiet()
}

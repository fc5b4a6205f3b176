//go:build e2e && pictures

package main

import (
	"fmt"
	"testing"
	"time"
)

// all keeps a picture of the page at every width, light and dark; of a page that scrolls, the
// whole.
func (b *browser) all(name string) {
	b.t.Helper()
	was := b.view
	for _, v := range widths {
		b.resize(v)
		for _, theme := range []string{"light", "dark"} {
			b.js(`if (document.documentElement.dataset.theme !== arguments[0]) document.getElementById('theme').click();
				document.getElementById('toast').hidden = true; document.activeElement.blur(); window.scrollTo(0, 0)`, nil, theme)
			var dialog bool
			b.js(`return Boolean(document.querySelector('dialog[open]'))`, &dialog)
			b.capture(fmt.Sprintf("%s-%d-%s", name, v.width, theme), !dialog)
		}
	}
	b.resize(was)
}

// TestPictures saves pictures for people to look at; they are not compared. Nothing would be
// tested without a folder, so it has a build tag of its own:
//
//	go test -tags e2e,pictures -run TestPictures ./cmd/boardui -shots FOLDER
func TestPictures(t *testing.T) {
	if *shots == "" {
		t.Fatal("want -shots FOLDER")
	}
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.all("fresh")

	b.newGame(choice{side: "black", engine: "0"})
	b.place("h8", "g9", "i6", "j9")
	b.all("game")
	b.panel("analysis")
	b.click("#start")
	b.wait("four lines", `document.querySelectorAll('#lines button').length >= 4`)
	time.Sleep(4 * time.Second)
	b.all("analysis")
	b.click("#start")

	b.loadPos(gameOf40)
	b.panel("review")
	b.click("#review")
	b.wait("the summary", `document.querySelectorAll('#summary tr').length === 6`)
	b.js(`document.querySelector('#mistakes button').click()`, nil)
	b.settle()
	b.all("review")
	b.panel("moves")
	b.keys("[", "[", "[")
	b.settle()
	b.place("a1", "c3")
	b.js(`document.querySelector('[data-mark=triangle]').click()`, nil)
	b.click(b.cell("d4"))
	b.js(`document.querySelector('[data-mark=triangle]').click()`, nil)
	b.choose("#comment", "White could have defended here.")
	b.keys("[")
	b.settle()
	b.all("moves")
	for _, dialog := range []string{"new", "library", "files", "phone", "help"} {
		b.dialog(dialog)
		b.all(dialog)
		b.js(`document.querySelector('dialog[open]').close('')`, nil)
	}
	b.click("#edit")
	b.all("setup")
	b.click("#setup-cancel")

	b.panel("puzzles")
	b.all("puzzles")
	b.choose("#puzzle-level", "3")
	b.click("#puzzle-start")
	b.wait("a puzzle", `document.getElementById('puzzle-task').textContent`)
	b.settle()
	b.all("puzzle")
	b.click("#puzzle-leave")

	b.newGame(choice{side: "both", rule: "4"})
	b.place("h8", "h9", "j10")
	b.panel("explorer")
	b.wait("an opening", `/\d/.test(document.getElementById('opening-name').textContent)`)
	b.keys("[")
	b.settle()
	b.all("explorer")

	b.newClockGame(choice{side: "both"}, "600+0+3x30")
	b.js(`document.getElementById('numbers').click(); document.getElementById('threats').click()`, nil)
	b.place("h8", "g8", "h9", "g9", "h10", "h7", "h11")
	b.panel("play")
	b.all("threats")
	b.place("a1", "h12")
	b.all("won")
}

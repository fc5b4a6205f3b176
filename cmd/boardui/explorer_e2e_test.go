//go:build e2e

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"tengen/brain/board"
	"tengen/brain/database"
)

func TestExplorer(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both", rule: "4"})
	b.panel("explorer")
	b.wait("nothing is known", `!document.getElementById('nothing-known').hidden`)
	b.place("h8", "h9")
	b.wait("the names of third moves", `document.querySelectorAll('#moves-known button').length >= 13 && document.querySelectorAll('#g-above .badge').length >= 13`)
	b.shot("openings")
	name := b.text(`document.querySelector('#moves-known span')?.textContent`)
	b.js(`document.querySelector('#moves-known button').click()`, nil)
	b.settle()
	b.wait("the opening that was made", `document.getElementById('opening-name').textContent.trim() === '`+name+`'`)
	if b.stones() != 3 {
		t.Errorf("%d stones", b.stones())
	}
	b.hold("/api/explore", "")
	b.place("a1")
	b.expect("the name of what is not known yet", b.text(`document.getElementById('opening-name').textContent`), "Opening")
	b.release("go")
	b.wait("it is that of the opening", `document.getElementById('opening-name').textContent.trim() === '`+name+`'`)
	b.click("#back")
	b.settle()

	// The engine fills it.
	b.panel("analysis")
	b.click("#start")
	b.wait("an analysis", `Number(document.querySelector('#lines small')?.textContent) >= 9`)
	b.click("#start")
	b.panel("explorer")
	b.click("#prev")
	b.settle()
	b.js(`window.again = setInterval(() => document.getElementById('known-again').click(), 300)`, nil) // until the search has ended
	b.wait("its score", `/%/.test(document.querySelector('#moves-known i')?.textContent)`)
	b.js(`clearInterval(window.again)`, nil)
	b.shot("explorer")

	// A file feeds it.
	d := database.New()
	for y, r := range []database.Record{
		database.NewRecord(database.Loss, 500, 20, database.Exact).WithComment("far away"),
		database.NewRecord(database.Draw, 0, 20, database.Exact),
		database.NewRecord(database.None, -500, 20, database.Exact),
	} {
		p, _ := board.New(board.Renju, 15, 15)
		p.Play(board.At(7, 7))
		p.Play(board.At(0, y))
		if err := d.Set(p, r, database.Whole); err != nil {
			t.Fatal(err)
		}
	}
	var raw bytes.Buffer
	if err := d.Write(&raw); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(file, raw.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	b.must("POST", "/element/"+b.find("#feed-file")+"/value", map[string]any{"text": file}, nil)
	b.wait("a note", `/Positions added/.test(document.querySelector('#toast span').textContent)`)
	b.click("#prev")
	b.settle()
	b.wait("a move of the file", `/^loses/.test([...document.querySelectorAll('#moves-known button')].find((e) => e.textContent.startsWith('a15'))?.querySelector('i').textContent)`)
	b.expect("a good move, a draw and a bad one", b.text(`Array.from(document.querySelectorAll('#moves-known b'), (e) => e.textContent).filter((name) => /^a1[345]$/.test(name)).join(' ')`), "a13 a14 a15")
	b.quiet()
}

// The explorer does not promise what no database can hold.
func TestExplorerOfCaro(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.panel("explorer")
	b.wait("what will be known", `/^Nothing is known here yet/.test(document.querySelector('#nothing-known:not([hidden])')?.textContent)`)
	b.newGame(choice{side: "both", rule: "8"})
	b.wait("what will not be", `/^Nothing is kept of this rule/.test(document.querySelector('#nothing-known:not([hidden])')?.textContent)`)
	b.quiet()
}

// What cannot be added is named, and the game goes on.
func TestFilesThatDoNotFeed(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.panel("explorer")
	for name, want := range map[string]struct {
		bytes int
		text  string
	}{"big.db": {maxFeed + 1, "This file cannot be read: This is too big (big.db)"}, "bad.db": {7, "This file cannot be read: this is neither a RenLib library nor a database"}} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, make([]byte, want.bytes), 0o644); err != nil {
			t.Fatal(err)
		}
		b.must("POST", "/element/"+b.find("#feed-file")+"/value", map[string]any{"text": file}, nil)
		b.wait("a note about "+name, `document.querySelector('#toast span').textContent === '`+want.text+`'`)
	}
	b.expect("the banner", b.banner(), "Your move")
	b.quiet("400 (Bad Request)")
}

// While a large file is read the panel says how much of it is, and then shows what is in it.
func TestExplorerSaysWhatIsRead(t *testing.T) {
	t.Parallel()
	q, folder := newTester(t, 1, stub("meek")), t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, dataFile), unordered(), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := q.server.explorer.open(folder); err != nil {
		t.Fatal(err)
	}
	b := startBrowser(t, desktop)
	b.visit(q.url)
	b.panel("explorer")
	b.wait("how much is read", `document.getElementById('known-count').textContent === 'Positions known: 0 · 0% of the file read'`)
	b.expect("that nothing is known yet", b.text(`String(document.getElementById('nothing-known').hidden)`), "true")
	q.server.explorer.fill(t.Context())
	b.wait("what is in the file", `document.getElementById('known-count').textContent === 'Positions known: 70001' && document.querySelector('#moves-known b')?.textContent === 'h8'`)
	b.quiet()
}

// Positions that cannot be saved are shown all the same.
func TestPositionsThatAreNotSaved(t *testing.T) {
	t.Parallel()
	q, raw := unsaved(t)
	file := filepath.Join(t.TempDir(), "good.db")
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	b := startBrowser(t, desktop)
	b.visit(q.url)
	b.panel("explorer")
	b.must("POST", "/element/"+b.find("#feed-file")+"/value", map[string]any{"text": file}, nil)
	b.wait("a note", `/^The positions are there, but were not saved /.test(document.querySelector('#toast span').textContent)`)
	b.wait("the position, and that it is not saved", `/^Positions known: 1 · The positions are there, but were not saved /.test(document.getElementById('known-count').textContent)`)
	b.quiet("500 (Internal Server Error)")
}

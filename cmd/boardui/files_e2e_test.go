//go:build e2e

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// download presses a button and returns the file that the browser saves. What the browser drops
// is asked for again, as a person would.
func (b *browser) download(button, pattern string) []byte {
	b.t.Helper()
	const presses = 3
	for range presses {
		folder := b.t.TempDir()
		b.downloadTo(folder)
		b.js(`document.querySelector(arguments[0]).click()`, nil, button)
		if raw := b.arrives(filepath.Join(folder, pattern), waitLimit/presses); raw != nil {
			return raw
		}
		names, _ := filepath.Glob(filepath.Join(folder, "*")) // the pattern is right
		b.t.Logf("%s saves no %s but %q; toast %q, moves %s", button, pattern, names, b.text(`document.querySelector('#toast span').textContent`), b.moves())
	}
	b.t.Fatalf("%s saves no %s", button, pattern)
	return nil
}

// downloadTo makes the browser save files in the folder without asking.
func (b *browser) downloadTo(folder string) {
	b.t.Helper()
	b.devtools("Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": folder})
}

// arrives waits for the one file of that pattern and returns what is in it, or nil if it does not
// come in time.
func (b *browser) arrives(pattern string, limit time.Duration) []byte {
	b.t.Helper()
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		names, _ := filepath.Glob(pattern) // the pattern is right
		if len(names) != 1 || strings.HasSuffix(names[0], ".crdownload") {
			continue
		}
		raw, err := os.ReadFile(names[0])
		if err != nil {
			b.t.Fatal(err)
		}
		if len(raw) > 0 {
			return raw
		}
	}
	return nil
}

// open opens a file with the dialog.
func (b *browser) open(name, text string) {
	b.t.Helper()
	file := filepath.Join(b.t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
	var open bool
	b.js(`return document.getElementById('files-dialog').open`, &open)
	if !open {
		b.dialog("files")
	}
	b.js(`document.getElementById('files-wrong').textContent = ''`, nil)
	b.must("POST", "/element/"+b.find("#file")+"/value", map[string]any{"text": file}, nil)
	b.wait("the file is read", `!document.getElementById('files-dialog').open || document.getElementById('files-wrong').textContent || !document.getElementById('found').hidden`)
	b.settle()
}

// What is opened and saved again is the same file.
func TestFilesOfTreesComeBack(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	study := "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[renju]PB[Ann]PW[Bob]RE[W+Resign]DT[2026-11-22]C[start]\n" +
		";B[hh]C[one\\]two](;W[ii]LB[aa:A]TR[bb];B[jj])(;W[ij]N[name];B[ji](;W[aa])(;W[ab];B[]))"
	b.open("study.sgf", study+")")
	b.wait("the main line", `document.getElementById('ply').textContent === '3 / 3'`)
	b.dialog("files")
	first := b.download("#save-sgf", "tengen-2026-11-22.sgf")
	for _, part := range []string{"PB[Ann]PW[Bob]RE[W+Resign]", "C[one\\]two]", "LB[aa:A]", "TR[bb]", "N[name]", "W[ab]", "B[]"} {
		if !strings.Contains(string(first), part) {
			t.Errorf("%s is not in %s", part, first)
		}
	}
	b.click("#files-dialog .end button")
	b.open("again.sgf", string(first))
	b.dialog("files")
	if second := b.download("#save-sgf", "*.sgf"); string(second) != string(first) {
		t.Errorf("saved %s\nopened and saved again %s", first, second)
	}
	lib := b.download("#save-lib", "*.lib")
	b.click("#files-dialog .end button")
	b.open("study.lib", string(lib))
	b.dialog("files")
	if again := b.download("#save-lib", "*.lib"); string(again) != string(lib) {
		t.Errorf("the library is %q, opened and saved again %q", lib, again)
	}
	b.choose("#pos", "https://gomocalc.com/#/h8i9j7")
	b.click("#load")
	b.wait("a link of gomocalc", `!document.getElementById('files-dialog').open && document.getElementById('ply').textContent === '3 / 3'`)
	b.settle()
	b.expect("its moves", b.moves(), "h8i7j9")

	// A result that the position does not show is that of the game until it goes on.
	b.open("adjudged.sgf", "(;FF[4]GM[4]CA[UTF-8]SZ[15]PB[Ann]PW[Bob]RE[B+]DT[2026-11-22];B[hh];W[ii])")
	b.wait("the adjudged game", `document.getElementById('ply').textContent === '2 / 2'`)
	for _, move := range []string{"", "j10"} {
		if move != "" {
			b.place(move)
		}
		b.dialog("files")
		if saved := string(b.download("#save-sgf", "*.sgf")); strings.Contains(saved, "RE[B+]") != (move == "") {
			t.Errorf("after another move %q: %s", move, saved)
		}
		b.click("#files-dialog .end button")
	}

	b.open("abandoned.sgf", "(;FF[4]GM[4]CA[UTF-8]SZ[15]TE[abandoned]DT[2026-11-22];B[hh];W[ii])")
	b.wait("the abandoned game", `document.getElementById('ply').textContent === '2 / 2'`)
	b.dialog("files")
	if saved := string(b.download("#save-sgf", "*.sgf")); !strings.Contains(saved, "TE[abandoned]") {
		t.Errorf("the reason is gone: %s", saved)
	}
	b.click("#files-dialog .end button")

	// So is the reason of the end: here the other side wins after a resignation was taken back.
	b.open("resigned.sgf", "(;FF[4]GM[4]CA[UTF-8]SZ[15]RE[B+Resign]TE[resigned]DT[2026-11-22];B[hh];W[ha];B[ih];W[ia];B[jh];W[ja];B[kh];W[oo])")
	b.wait("the resigned game", `document.getElementById('ply').textContent === '8 / 8'`)
	b.click("#back")
	b.settle()
	b.place("o15", "l8")
	b.expect("who won", b.banner(), "Black wins")
	b.dialog("files")
	if saved := string(b.download("#save-sgf", "*.sgf")); strings.Contains(strings.ToLower(saved), "resign") || !strings.Contains(saved, "RE[B+1]") {
		t.Errorf("after the resignation was taken back: %s", saved)
	}
	b.click("#files-dialog .end button")

	b.open("pass.sgf", "(;SZ[15];B[hh];W[];B[ii];B[jj])")
	b.wait("passes and two moves of one side", `document.querySelectorAll('#g-stones .black').length === 3`)
	b.open("late.sgf", "(;SZ[15];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea];W[eb])")
	b.wait("a game without the move after its end", `document.getElementById('ply').textContent === '9 / 9'`)
	b.settle()
	b.expect("who won", b.banner(), "Black wins")
	b.open("handicap.txt", "(;SZ[15]AB[hh][hj][hl]AW[aa];W[bb])")
	b.wait("stones that are set up", `document.querySelectorAll('#g-stones .black').length === 3 && document.querySelectorAll('#g-stones .white').length === 2`)
	b.open("go.sgf", "(;GM[1]SZ[19];B[pd])")
	b.wait("a game of Go is refused", `document.getElementById('files-wrong').textContent.includes('Go')`)
	b.quiet("400 (Bad Request)")
}

// A file without variations has the line shown and its end, not the first one of the tree.
func TestFileOfTheLineShown(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.newGame(choice{side: "both", rule: "0"})
	save := func() string {
		t.Helper()
		b.dialog("files")
		text := string(b.download("#save-psq", "*.psq"))
		b.click("#files-dialog .end button")
		var moves []string
		for line := range strings.Lines(text) {
			if x, y, ok := strings.Cut(line, ","); ok && x > "0" && x < "9" {
				y, _, _ = strings.Cut(y, ",")
				moves = append(moves, x+","+y)
			}
		}
		return strings.Join(moves, " ")
	}
	b.place("h8", "a1", "h9", "a3")
	b.expect("the only line", save(), "8,8 1,1 8,9 1,3")
	b.click("#first")
	b.settle()
	b.place("c3", "d4", "e5")
	b.expect("the second line", save(), "3,3 4,4 5,5")
	b.click("#prev")
	b.settle()
	b.expect("in the middle of it", save(), "3,3 4,4 5,5")
	b.quiet()
}

func TestSharedLink(t *testing.T) {
	t.Parallel()
	url := serve(t, standard()...)
	b := startBrowser(t, desktop)
	b.visit(url)
	b.newGame(choice{side: "both", size: "19", rule: "1"})
	b.place("h8", "i9", "j7", "k6")
	b.click("#prev")
	b.settle()
	b.dialog("files")
	b.click("#share")
	link := b.text(`document.getElementById('pos').value`)
	b.wait("a note", `/Copied|Ctrl/.test(document.querySelector('#toast span').textContent)`)

	fresh := startBrowser(t, view{width: 414, height: 800, scale: 2})
	fresh.visit(link)
	fresh.page = url
	fresh.wait("the position", `document.getElementById('ply').textContent === '3 / 4'`)
	fresh.expect("the moves", fresh.moves(), "h8i9j7k6")
	fresh.expect("size and rule", fresh.text(`document.getElementById('rules').textContent`), "19 × 19 · Standard")
	if n := fresh.stones(); n != 3 {
		t.Errorf("%d stones are shown", n)
	}
	fresh.js(`location.hash = '#moves=zz99'`, nil)
	fresh.wait("a wrong link", `document.querySelector('#toast span').textContent === 'This link has no game'`)
	fresh.expect("the game", fresh.moves(), "h8i9j7k6")
	for opening, want := range map[string]int{"-3": 0, "1.5": 1, "9": 2, "x": 0} {
		fresh.js(`window.before = sessionStorage.getItem('tengen.tab'); location.hash = '#moves=h8i9&opening=' + arguments[0]`, nil, opening)
		fresh.wait("the other game", `sessionStorage.getItem('tengen.tab') !== before`)
		fresh.settle()
		if got := fresh.module("state.js", `return m.state.game.opening + ' of ' + m.state.game.moves.length`); got != fmt.Sprintf("%d of 2", want) {
			t.Errorf("opening=%s is %s, want %d", opening, got, want)
		}
	}
	fresh.quiet()
	b.quiet()
}

// What cannot be read is said in the language of the page, and no longer than it is so.
func TestTextThatCannotBeRead(t *testing.T) {
	t.Parallel()
	url := serve(t, engines()...)
	b := startBrowser(t, desktop)
	b.visit(url)
	b.newGame(choice{side: "both"})
	b.place("h8")
	b.language("et")
	wrong := func() string { return b.text(`document.getElementById('files-wrong').textContent`) }
	b.dialog("files")
	for _, text := range []string{"nonsense", "h15h15", "(;SZ[15];B[ha](;W[ha])(;W[hh]))"} {
		b.choose("#pos", text)
		b.click("#load")
		b.wait("a message", `document.getElementById('files-wrong').textContent.startsWith('Teksti ei saa lugeda: ')`)
		if text != "nonsense" && !strings.Contains(wrong(), "move 2, h15, is on a stone") {
			t.Errorf("of %s it says %q", text, wrong())
		}
	}
	b.choose("#pos", " ")
	b.click("#load")
	b.settle()
	b.expect("after an empty field", wrong(), "")
	b.choose("#pos", url+"#moves=")
	b.click("#load")
	b.wait("a message", `document.getElementById('files-wrong').textContent`)
	b.expect("a link without moves", wrong(), "Selles lingis pole partiid")
	b.click("#files-dialog .end button")
	paste := func(text string) {
		b.js(`const data = new DataTransfer(); data.setData('text', arguments[0]);
			document.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data}))`, nil, text)
	}
	paste("(;SZ[15];B[hh])(;SZ[15];B[ii])")
	b.wait("a list of two games", `document.querySelectorAll('#files-dialog[open] #found button').length === 2`)
	b.expect("above the list", wrong(), "")
	b.click("#files-dialog .end button")
	paste("nonsense")
	b.wait("a note", `document.querySelector('#toast span').textContent.startsWith('Teksti ei saa lugeda: ')`)
	b.js(`location.hash = '#moves='`, nil)
	b.wait("a wrong link", `document.querySelector('#toast span').textContent === 'Selles lingis pole partiid'`)
	b.expect("the game", b.moves(), "h8")
	b.js(`location.hash = '#moves=&rule=4&size=19x19&ply=0'`, nil) // as it is copied from an empty board
	b.wait("an empty board", `document.getElementById('rules').textContent.startsWith('19 × 19')`)
	b.quiet("400 (Bad Request)")
}

// Why a format cannot hold a game comes after that it cannot, in the language of the page.
func TestGamesThatAFormatCannotHold(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.open("large.sgf", "(;SZ[19];B[aa];W[ss])")
	b.language("et")
	b.dialog("files")
	b.click("#save-lib")
	b.wait("a note", `/^Partiid ei saa salvestada: .*15/.test(document.getElementById('files-wrong').textContent)`)
	b.quiet("400 (Bad Request)")
}

// Moves are the same in a file as they are pasted, on the board that is shown; only .pos counts
// rows from the top.
func TestMovesInTextFiles(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	b.newGame(choice{side: "both", size: "19"})
	for _, test := range []struct{ name, moves string }{{"moves.txt", "a19s18"}, {"moves", "a19s18"}, {"moves.POS", "a1s2"}} {
		b.open(test.name, "a1 s2")
		b.expect(test.name, b.moves(), test.moves)
		b.expect("the board", b.text(`document.getElementById('rules').textContent.slice(0, 7)`), "19 × 19")
	}
	b.quiet()
}

// Names and comments are in the encoding that the file states; in Shift_JIS and Big5 the second
// byte of a sign may be a backslash.
func TestEncodingsOfFiles(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	for _, test := range []struct{ label, text, want string }{
		{"Shift_JIS", "\x95\\", "表"}, {"GB2312", "\xba\xda", "黑"}, {"windows-1251", "\xc4\xe0", "Да"},
		{"ISO-2022-JP", "\x1b$BI=\x1b(B", "表"}, {"UTF-8", "\xe9t\xe9", "été"}, {"x-unknown", "\xe9t\xe9", "été"},
		{"GB2312", "表", "表"}, // says what it is not
	} {
		b.open("one.sgf", "(;GM[4]CA["+test.label+"]SZ[15]C["+test.text+"];B[hh])")
		b.wait(test.label, `document.getElementById('ply').textContent === '1 / 1'`)
		b.panel("moves")
		b.click("#first")
		b.wait(test.label+", the start", `document.getElementById('ply').textContent === '0 / 1'`)
		b.expect(test.label, b.text(`document.getElementById('comment').value`), test.want)
	}
	b.quiet()
}

// A game in which rows did not end it can be looked at, and it is said how it is shown.
func TestContinuousGameOpens(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.open("rows.sgf", "(;SZ[15]RU[3];B[hh];W[ii])")
	b.wait("the game", `document.getElementById('ply').textContent === '2 / 2'`)
	b.expect("the note", b.text(`document.querySelector('#toast span').textContent`), "Moves loaded: 2 · Standard · A continuous game, shown as if its first row of five ended it")
	b.quiet()
}

// The players of a file stand beside the board, and who plays on can still be chosen there.
func TestNamesOfPlayers(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	shown := func(side string) string {
		return b.text(`document.querySelector('#player-` + side + ` small').innerText + '|' + document.querySelector('#player-` + side + ` select').selectedOptions[0].text`)
	}
	b.open("names.sgf", "(;SZ[15]PB[<b>Ann</b>]PW[Bob];B[hh];W[ii];B[jj])")
	b.wait("the game", `document.getElementById('ply').textContent === '3 / 3'`)
	b.settle()
	b.expect("black", shown("black"), "<b>Ann</b>|Person")
	b.expect("white", shown("white"), "Bob|Person")
	b.choose("#player-white select", "0")
	b.wait("the answer", `document.querySelectorAll('#g-stones .stone').length === 4`)
	b.wait("its name, which comes after the answer", `document.querySelector('#player-white select').selectedOptions[0].text === 'Meek'`)
	b.settle()
	if got := shown("white"); !strings.HasPrefix(got, "Bob · played ") {
		t.Errorf("white after a move of the engine: %q", got)
	}
	b.newGame(choice{side: "both"})
	b.expect("a new game", shown("black")+" "+shown("white"), "|Person |Person")
	b.quiet()
}

// A file of more games than are shown says how many it has; a forbidden move is named as the end.
func TestWhatFilesTell(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.open("many.sgf", strings.Repeat("(;SZ[15];B[hh];W[ii])", maxShown+3))
	b.wait("the games", `document.querySelectorAll('#found button').length === 200`)
	b.expect("how many", b.text(`document.querySelector('#found li:last-child').textContent`), "200 of 203")
	b.click("#found button")
	b.wait("the first", `document.getElementById('ply').textContent === '2 / 2'`)
	b.open("foul.sgf", "(;SZ[15]RU[renju];B[hg];W[aa];B[hf];W[ac];B[gh];W[ae];B[fh];W[ag];B[hh])")
	b.wait("the game", `document.getElementById('ply').textContent === '9 / 9'`)
	b.settle()
	b.expect("the end", b.banner(), "White wins · A forbidden move of black")
	b.open("lost.sgf", "(;SZ[15];B[hh](;W[ii])(;W[hh]))")
	b.expect("what was left out", b.text(`document.querySelector('#toast span').textContent`), "Moves loaded: 2 · Freestyle · a variation ends before move 2, h8, which is on a stone")
	b.open("odd.sgf", "(;SZ[15];B[hh];AB[ii])(;SZ[15];B[gg])")
	b.wait("the game that can be shown, and that there is another", `document.getElementById('found').textContent.endsWith('1 of 2')`)
	b.quiet()
}

// Selecting text may end beside the dialog, which stays open, as it does after two clicks on its
// button; a click beside it closes it.
func TestSelectingTextKeepsTheDialog(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.place("h8")
	b.dialog("files")
	x, y, _ := b.middle("#pos")
	b.act("mouse", x, y, map[string]any{"type": "pointerDown", "button": 0},
		map[string]any{"type": "pointerMove", "origin": "viewport", "x": 5, "y": y}, map[string]any{"type": "pointerUp", "button": 0})
	b.settle()
	b.expect("the dialog is open", b.text(`document.getElementById('files-dialog').open`), "true")
	b.act("mouse", 5, y, press(0)...)
	b.wait("the dialog closes", `!document.getElementById('files-dialog').open`)
	b.point("#files", "mouse", append(press(0), press(0)...)...)
	b.settle()
	b.expect("the dialog is open after two clicks", b.text(`document.getElementById('files-dialog').open`), "true")
	b.quiet()
}

//go:build e2e

package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// serve serves the page with the given engines and returns its URL.
func serve(t *testing.T, specs ...spec) string {
	t.Helper()
	if *inFolder {
		return serveOwn(t, specs)
	}
	url, end := serveAt(t, "127.0.0.1:0", specs...)
	t.Cleanup(end)
	return url
}

// serveAt serves the page on an address until end is called.
func serveAt(t *testing.T, addr string, specs ...spec) (url string, end func()) {
	t.Helper()
	listener, err := net.Listen("tcp", addr)
	for end := time.Now().Add(waitLimit); err != nil && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		listener, err = net.Listen("tcp", addr) // another test may have the port for a moment
	}
	if err != nil {
		t.Fatal(err)
	}
	p := newPool(specs, 2, 100<<20)
	s := newServer(p, "127.0.0.1:0")
	s.urls = lanURLs(listener.Addr())
	s.openingTime, s.balanceTime = 100*time.Millisecond, 300*time.Millisecond
	h := s.http()
	ctx, cancel := context.WithCancel(context.Background())
	go h.Serve(listener)
	go s.maintain(ctx)
	return pageURL(listener.Addr()), func() {
		cancel()
		h.Close()
		p.close()
	}
}

// A choice is the input to the dialog of a new game; empty fields are not touched.
type choice struct{ side, engine, engine2, opening, size, rule string }

// dialog opens the dialog of a button.
func (b *browser) dialog(name string) {
	b.t.Helper()
	b.click("#" + name)
	b.wait("the dialog opens", `document.getElementById('`+name+`-dialog').open`)
}

func (b *browser) newGame(c choice) {
	b.t.Helper()
	b.dialog("new")
	if c.side != "" {
		b.js(`document.querySelector('input[name=side][value=' + arguments[0] + ']').click()`, nil, c.side)
	}
	for _, field := range [][2]string{{"#engine-1", c.engine}, {"#engine-2", c.engine2}, {"#opening", c.opening}, {"#size", c.size}, {"#rule", c.rule}} {
		if field[1] != "" { // a blank chooses the first of a list, which has no value
			b.choose(field[0], strings.TrimSpace(field[1]))
		}
	}
	b.click("#new-dialog .end .strong")
	b.wait("the dialog closes", `!document.getElementById('new-dialog').open`)
	b.settle()
}

func (b *browser) expect(what, got, want string) {
	b.t.Helper()
	if got != want {
		b.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// The engines of the tests: 0 never wins, 1 wins unless it is stopped, 2 thinks for a while, 3
// is the built-in one.
func standard() []spec { return []spec{stub("meek"), stub("keen"), stub("thinker"), own()} }

// engines are those of tests that do without any but the built-in one, as they must in the folder.
func engines() []spec {
	if *inFolder {
		return []spec{own()}
	}
	return standard()
}

func TestGameAsBlackIsWon(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.expect("the banner at the beginning", b.banner(), "Your move")
	b.moveMouse(b.cell("j5"))
	b.wait("a stone follows the mouse", `document.querySelector('#g-touch .hover.black')?.getAttribute('cx') === '9'`)
	b.place("h8", "h9", "h10", "h11")
	b.expect("the banner in the middle", b.banner(), "Your move")
	b.place("h12")
	b.expect("the banner", b.banner(), "You win")
	b.expect("the moves", b.moves(), "h8a1h9c1h10e1h11g1h12")
	var five int
	b.js(`return document.querySelectorAll('#g-rows .won').length`, &five)
	if five != 5 {
		t.Errorf("%d stones of the row are marked", five)
	}
	b.place("a5")
	if n := b.stones(); n != 9 {
		t.Errorf("after the end a stone could be placed: %d stones", n)
	}
	b.expect("the note", b.text(`document.querySelector('#toast span').textContent`), "The game is over")
	b.quiet()
}

// The stone under the mouse is not drawn over one that the engine places there.
func TestEngineMovesUnderTheMouse(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.hold("/api/think", `"moves":"h8"`)
	b.click(b.cell("h8"))
	b.wait("a request is held", `held.length > 0`)
	b.moveMouse(b.cell("a1"))
	b.release("go")
	b.wait("the answer", `document.querySelectorAll('#g-stones .stone').length === 2`)
	b.settle()
	b.expect("the answer", b.moves(), "h8a1")
	b.expect("stones over it", b.text(`document.querySelectorAll('#g-touch .hover').length`), "0")
	b.quiet()
}

func TestGameAsWhiteIsLost(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.newGame(choice{side: "white", engine: "1"})
	b.expect("the first move", b.moves(), "c4")
	b.place("a1", "a2", "a3", "o9")
	b.expect("the banner", b.banner(), "You lose")
	b.expect("the moves", b.moves(), "c4a1c5a2c6a3c7o9c8")
	b.expect("the score", b.text(`document.getElementById('score').textContent`), "1–0")
	b.quiet()
}

func TestTakeBackRestartAndResign(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.place("h8", "h9")
	b.click("#back")
	b.settle()
	b.expect("after the button", b.moves(), "h8a1")
	b.rightClick(b.cell("c3"))
	b.settle()
	b.expect("after the right button of the mouse", b.moves(), "")
	var disabled bool
	b.js(`return document.getElementById('back').disabled`, &disabled)
	if !disabled {
		t.Error("there is nothing to take back, but the button can be pressed")
	}
	b.click("#toast button")
	b.settle()
	b.expect("after undoing that", b.moves(), "h8a1")
	b.click("#resign")
	b.settle()
	b.expect("the banner", b.banner(), "You lose · Black resigned")
	b.click("#restart")
	b.settle()
	b.expect("after restart", b.moves(), "")
	b.expect("the banner", b.banner(), "Your move")
	b.quiet()
}

func TestForbiddenPointIsRefused(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.newGame(choice{side: "both", rule: "4"})
	b.place("h7", "a1", "h6", "a3", "g8", "a5", "f8")
	b.expect("marks", b.text(`document.querySelectorAll('#g-below .forbidden').length`), "1")
	b.place("a7", "h8")
	b.expect("the stones", b.moves(), "h7a1h6a3g8a5f8a7")
	b.expect("the note", b.text(`document.querySelector('#toast span').textContent`), "h8 is forbidden for black. It makes two open threes.")
	b.expect("the label", b.text(`document.querySelector('`+b.cell("h8")+`').getAttribute('aria-label')`), "h8 forbidden")
	b.place("k10")
	b.expect("the stones after another move", b.moves(), "h7a1h6a3g8a5f8a7k10")
	b.quiet()
}

func TestSwap2InTheBrowser(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))

	b.newGame(choice{side: "black", engine: "1", opening: "swap2-me"})
	b.expect("the banner", b.banner(), "Swap2: place black, white and black")
	b.place("h8")
	b.expect("the color of the next stone", b.text(`document.querySelector('#banner .stone').className`), "stone white")
	b.place("i8", "j8")
	b.expect("keen swaps and takes black, white is mine", b.banner(), "Your move")
	b.expect("who plays", b.text(`document.querySelector('#player-white select').value`), "-1")
	b.place("o15")
	b.expect("the moves", b.moves(), "h8i8j8o15c4")

	b.newGame(choice{side: "black", engine: "2", opening: "swap2-me"})
	b.place("h8", "i8", "j8")
	b.expect("thinker places two and asks", b.banner(), "Swap2: which side do you take?")
	b.click("#banner [data-do=black]")
	b.settle()
	b.expect("thinker is white and moves", b.moves(), "h8i8j8j10j11a1")

	b.newGame(choice{side: "black", engine: "0", opening: "swap2-engine"})
	b.expect("the stones of the engine", b.moves(), "d4e5f6")
	b.expect("the question", b.banner(), "Swap2: which side do you take?")
	b.click("#banner [data-do=two]")
	b.settle()
	b.place("k10")
	b.click("#back")
	b.settle()
	b.place("k11", "l12")
	b.expect("meek stays white", b.moves(), "d4e5f6k11l12a1")
	b.expect("the banner", b.banner(), "Your move")
	b.expect("who plays", b.text(`document.querySelector('#player-black select').value`), "-1")
	b.quiet()
}

func TestReloadLosesNothing(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.newGame(choice{side: "black", engine: "2", size: "19", rule: "1"})
	b.choose("#time", "0")
	b.choose("#level-white", "7")
	b.place("h8", "j10")
	moves := b.moves()
	b.reload()
	b.expect("the moves", b.moves(), moves)
	b.expect("the stones", fmt.Sprint(b.stones()), "4")
	b.expect("the rules", b.text(`document.getElementById('rules').textContent`), "19 × 19 · Standard")
	b.expect("the level", b.text(`document.getElementById('level-white').value`), "7")
	b.expect("the opponent", b.text(`document.querySelector('#player-white select').value`), "2")
	b.wait("the curve", `document.querySelector('#plot .curve')`)

	// A reload while the engine thinks: it thinks again.
	b.choose("#time", "4")
	b.settle()
	b.click(b.cell("c3"))
	b.reload()
	b.wait("the answer", `document.querySelectorAll('#g-stones .stone').length === 6`)

	// Many other tabs, all later than this one.
	moves = b.moves()
	b.js(`for (let i = 0; i < 20; i++) localStorage.setItem('tengen.game.other-' + i, JSON.stringify({version: 1, id: 'other-' + i, moves: [], saved: Date.now() + 1e6}))`, nil)
	b.choose("#level-white", "6") // which keeps the game
	b.reload()
	b.expect("the moves beside many games", b.moves(), moves)

	// A damaged game is ignored, and the page begins a new one.
	for _, damaged := range []string{`{"version":1,"moves":[]}`, `{"version":1,"width":15,"height":15,"players":{"black":-1,"white":0},"moves":["x",999],"took":[],"scores":[]}`} {
		b.js(`const mine = 'tengen.game.' + sessionStorage.getItem('tengen.tab'); localStorage.clear(); localStorage.setItem(mine, arguments[0])`, nil, damaged)
		b.reload()
		b.expect("the banner", b.banner(), "Your move")
		b.expect("the moves", b.moves(), "")
	}
	b.quiet()
}

func TestTwoTabsAreTwoGames(t *testing.T) {
	t.Parallel()
	url := serve(t, standard()...)
	b := startBrowser(t, desktop)
	b.visit(url)
	b.place("h8")
	var first string
	b.must("GET", "/window", nil, &first)
	second := b.openTab()
	b.visit(url)
	b.expect("the second tab begins", b.moves(), "")
	b.place("c3", "d4")
	b.expect("the second tab goes on", b.moves(), "c3a1d4c1")
	b.keys("n")
	b.dialog("library")
	b.click("#games .drop:enabled")
	b.wait("the game of the first tab stays", `document.querySelector('#toast span').textContent === 'Another tab shows this game'`)
	b.expect("the games", b.text(`document.querySelectorAll('#games li').length`), "2")
	b.click("#library-dialog .end .strong")
	b.showTab(first)
	b.expect("the first tab", b.moves(), "h8a1")
	b.place("h9")
	b.expect("the first tab goes on", b.moves(), "h8a1h9c1")
	b.keys("t")
	b.reload()
	b.expect("the first tab after a reload", b.moves(), "h8a1h9c1")
	b.expect("numbers and threats, set in one tab each", b.text(`['numbers', 'threats'].map((id) => document.getElementById(id).checked)`), "true,true")
	b.quiet()

	// A new tab after the last was closed shows the last game.
	b.must("DELETE", "/window", nil, nil)
	b.showTab(second)
	b.openTab()
	b.visit(url)
	b.expect("a new tab", b.moves(), "h8a1h9c1")
}

// The game of a tab that was closed is shown by the next one also if the browser has not cleared the tab
// away yet: here another page has its lock until the next one waits for that.
func TestGameOfATabThatIsClosing(t *testing.T) {
	t.Parallel()
	url := serve(t, standard()...)
	b := startBrowser(t, desktop)
	b.visit(url)
	b.place("h8")
	lock := "tengen.game." + b.gameID()
	b.must("POST", "/url", map[string]any{"url": url + "style.css"}, nil)
	b.js(`const [name] = arguments, channel = new BroadcastChannel('tengen');
		return new Promise((done) => navigator.locks.request(name, async () => {
			done();
			await new Promise((asked) => { channel.onmessage = asked; });
			while (!(await navigator.locks.query()).pending.some((lock) => lock.name === name));
		}))`, nil, lock)
	b.openTab()
	b.visit(url)
	b.expect("the game", b.moves(), "h8a1")
	b.quiet("favicon.ico")
}

// A game that another tab has opened meanwhile is brought back as a copy.
func TestBringingBackAGameOfAnotherTab(t *testing.T) {
	t.Parallel()
	url := serve(t, standard()...)
	b := startBrowser(t, desktop)
	b.visit(url)
	b.place("h8")
	b.newGame(choice{})
	second := b.openTab()
	b.visit(url)
	b.expect("the second tab", b.moves(), "h8a1")
	other := b.gameID()
	b.showTab(b.tab)
	b.bringBack()
	b.wait("the game", `document.querySelectorAll('#g-stones .stone').length === 2`)
	b.place("h9")
	b.expect("the first tab goes on", b.moves(), "h8a1h9c1")
	if b.gameID() == other {
		t.Error("two tabs write one game")
	}
	b.showTab(second)
	b.expect("the second tab", b.moves(), "h8a1")
	b.quiet()
}

func TestServerMayGoAndComeBack(t *testing.T) {
	t.Parallel()
	url, end := serveAt(t, "127.0.0.1:0", stub("meek"), own())
	b := startBrowser(t, desktop)
	b.visit(url)
	b.place("h8")
	end()
	b.click(b.cell("h9"))
	b.wait("a message", `document.getElementById('banner').className === 'wrong'`)
	b.expect("the game", b.moves(), "h8a1h9")
	_, end = serveAt(t, strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"), stub("meek"), own())
	defer end()
	b.click("#banner [data-do=retry]")
	b.wait("the engine answers", `document.querySelectorAll('#g-stones .stone').length === 4`)
	b.place("h10")
	b.expect("the game goes on", b.moves(), "h8a1h9c1h10e1")

	// A telephone that sleeps loses the requests, and tries again when it wakes.
	b.hold("/api/think", `"engine":0`) // not the search for a score
	b.click(b.cell("h11"))
	b.release("fail")
	b.wait("a message", `document.getElementById('banner').className === 'wrong'`)
	b.js(`document.dispatchEvent(new Event('visibilitychange'))`, nil)
	b.wait("the engine answers", `document.querySelectorAll('#g-stones .stone').length === 8`)
	b.quiet(whileGone...)
}

func TestSizesPresetsAndDraw(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.newGame(choice{side: "both", opening: "four"})
	b.expect("four stones", b.moves(), "f6f7g6e6")
	b.expect("the size", b.text(`document.getElementById('rules').textContent`), "11 × 11 · Freestyle")
	b.place("g7")
	b.click("#back")
	b.settle()
	b.expect("the four stones stay", b.moves(), "f6f7g6e6")
	b.click("#first")
	b.settle()
	b.place("g6")
	b.expect("the note", b.text(`document.querySelector('#toast span').textContent`), "The opening cannot be changed")
	b.expect("seen from before them they stay too", b.moves(), "f6f7g6e6")
	b.newGame(choice{side: "both", opening: "seven"})
	b.expect("the size", b.text(`document.getElementById('rules').textContent`), "7 × 7 · Freestyle")
	b.newGame(choice{side: "black", engine: "0", opening: " ", size: "22", rule: "8"})
	b.place("v22")
	b.expect("a board of 22", b.moves(), "v22a1")
	b.expect("the rule", b.text(`document.getElementById('rules').textContent`), "22 × 22 · Caro")
	b.dialog("new")
	b.choose("#size", "6")
	b.click("#new-dialog [data-close]")
	b.settle()
	b.expect("after canceling", b.text(`document.getElementById('rules').textContent`), "22 × 22 · Caro")
	b.dialog("new")
	b.choose("#size", "6")
	b.js(`document.getElementById('size').focus()`, nil)
	b.keys("\ue007")
	b.settle()
	b.expect("after Enter", b.text(`document.getElementById('rules').textContent`), "6 × 6 · Caro")
	b.newGame(choice{side: "both", size: "5", rule: "0"})
	b.place("a1", "c1", "b1", "d1", "e1", "a2", "c2", "b2", "d2", "e2", "a3", "c3", "b3", "d3", "e3",
		"a4", "c4", "b4", "d4", "e4", "a5", "c5", "b5", "d5", "e5")
	b.expect("the banner", b.banner(), "Draw")
	b.expect("whose turn it is not", b.text(`document.querySelectorAll('#banner .stone').length`), "0")
	b.keys("[")
	b.settle()
	b.expect("whose turn it was", b.text(`document.querySelector('#banner .stone')?.className`), "stone black")
	b.quiet()
}

func TestFilesAndPositions(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, standard()...))
	b.place("h8")
	b.dialog("files")
	b.expect("the position", b.text(`document.getElementById('pos').value`), "h8a15")
	b.choose("#pos", "h8 i9, j7\nk10")
	b.click("#load")
	b.wait("the dialog closes", `!document.getElementById('files-dialog').open`)
	b.settle()
	b.expect("the loaded position, whose rows people count from the bottom", b.moves(), "h8i7j9k6")
	b.js(`const d = new DataTransfer(); d.setData('text', 'g7 h8');
		document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true}))`, nil)
	b.wait("the pasted position", `document.querySelectorAll('#g-stones .stone').length === 2`)
	b.expect("the pasted position", b.moves(), "g9h8")
	drop := func(where, what string) (taken bool) {
		b.js(`const d = new DataTransfer(); `+what+`;
			return !document.querySelector(arguments[0]).dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true}))`, &taken, where)
		return taken
	}
	if drop("#comment", `d.setData('text', 'h8i9j10')`) {
		t.Error("text that is dropped on the comment is taken from it")
	}
	drop("body", `d.setData('text', 'h8i9j10')`)
	b.wait("the dropped text", `document.querySelectorAll('#g-stones .stone').length === 3`)
	drop("#comment", `d.items.add(new File(['(;SZ[15];B[aa];W[bb];B[cc];W[dd])'], 'x.sgf'))`)
	b.wait("the dropped file", `document.querySelectorAll('#g-stones .stone').length === 4`)
	b.settle()
	b.expect("the dropped file", b.moves(), "a1b2c3d4")
	b.dialog("files")
	b.choose("#pos", "h8h8")
	b.click("#load")
	b.wait("a wrong position is refused", `document.getElementById('files-wrong').textContent.includes('h8')`)
	b.choose("#pos", "hello")
	b.click("#load")
	b.wait("other text is refused", `document.getElementById('files-wrong').textContent.includes('neither')`)

	file := filepath.Join(t.TempDir(), "game.psq")
	text := "Piskvorky 20x20, 11:11, 0\n10,10,100\n11,11,200\n12,12,300\nFirst\nSecond\n0\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	b.must("POST", "/element/"+b.find("#file")+"/value", map[string]any{"text": file}, nil)
	b.wait("the file is open", `!document.getElementById('files-dialog').open`)
	b.settle()
	b.expect("its moves", b.moves(), "j10k11l12")
	b.expect("its size", b.text(`document.getElementById('rules').textContent`), "20 × 20 · Freestyle")

	file = filepath.Join(t.TempDir(), "game.sgf")
	text = "(;FF[4]GM[4]RU[0]SZ[15]RE[W+1]TE[resigned];B[hh]C[opening move];W[ii]C[opening move];B[jj])"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	b.must("POST", "/element/"+b.find("#file")+"/value", map[string]any{"text": file}, nil)
	b.wait("the file is open", `document.querySelectorAll('#g-stones .stone').length === 3`)
	b.settle()
	b.wait("its end", `document.getElementById('banner').className === 'won'`)
	b.expect("the banner", b.banner(), "White wins · Black resigned")
	for range 3 { // the resignation, and two steps: the moves of a file stay
		b.js(`document.getElementById('back').click()`, nil)
		b.settle()
	}
	b.expect("its moves stay", b.moves()+", "+b.text(`document.getElementById('ply').textContent`), "h8i9j10, 1 / 3")

	b.newGame(choice{side: "both", size: "20"})
	b.place("j10")
	b.dialog("files")
	for button, want := range map[string]string{"#save-sgf": ";B[jj]", "#save-psq": "10,10,"} {
		if raw := b.download(button, "tengen-*."+strings.TrimPrefix(button, "#save-")); !strings.Contains(string(raw), want) {
			t.Errorf("%s saves %q, want %s in it", button, raw, want)
		}
	}
	b.quiet("400 (Bad Request)") // of the wrong position
}

//go:build e2e

package main

import (
	"net/url"
	"strings"
	"testing"
)

// Served to the network by plain http, where browsers have neither locks nor the clipboard.
func TestServedToTheNetwork(t *testing.T) {
	t.Parallel()
	local, end := serveAt(t, "0.0.0.0:0", standard()...)
	defer end()
	u, err := url.Parse(local)
	if err != nil {
		t.Fatal(err)
	}
	b := startBrowser(t, desktop)
	b.visit(local)
	b.dialog("phone")
	b.wait("addresses", `document.querySelectorAll('#urls li').length > 0`)
	lan := b.text(`document.querySelector('#urls li').textContent`)
	if !strings.HasSuffix(lan, ":"+u.Port()+"/") {
		t.Fatalf("the address is %s", lan)
	}
	var rows []string
	b.js(`const n = Number(document.getElementById('code').getAttribute('viewBox').split(' ')[2]) - 8, dark = new Set();
		for (const [, x, y] of document.querySelector('#code path').getAttribute('d').matchAll(/M(\d+) (\d+)h/g)) dark.add(x + ' ' + y);
		return Array.from({length: n}, (_, y) => Array.from({length: n}, (_, x) => dark.has(x + ' ' + y) ? '#' : '.').join(''))`, &rows)
	if text, good := readQR(t, rows); text != lan || !good {
		t.Errorf("the code says %q, want %q", text, lan)
	}
	b.shot("phone-code")

	b.visit(lan)
	b.expect("locks", b.text(`typeof navigator.locks`), "undefined")
	b.place("h8", "h9")
	b.dialog("files")
	b.js(`document.getElementById('copy').click()`, nil)
	b.wait("a note", `/Copied|Ctrl/.test(document.querySelector('#toast span').textContent)`)
	b.js(`document.getElementById('files-dialog').close()`, nil)

	// A second tab begins a game of its own, also if the first is busy for a while; after all tabs are
	// closed the last game is back.
	b.js(`const say = BroadcastChannel.prototype.postMessage;
		BroadcastChannel.prototype.postMessage = function (what) { setTimeout(() => say.call(this, what), 300); }`, nil)
	b.openTab()
	b.visit(lan)
	b.expect("a second tab", b.moves(), "")
	b.must("DELETE", "/window", nil, nil)
	var handles []string
	b.must("GET", "/window/handles", nil, &handles)
	b.showTab(handles[0])
	third := b.openTab()
	b.showTab(handles[0])
	b.must("DELETE", "/window", nil, nil)
	b.showTab(third)
	b.visit(lan)
	b.expect("the game after its tab was closed", b.moves(), "h8a1h9c1")
}

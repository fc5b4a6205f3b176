//go:build e2e

package main

import (
	"encoding/base64"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var shots = flag.String("shots", "", "keep pictures of the page in this folder")

// shot keeps a picture of the window in the folder of the flag -shots.
func (b *browser) shot(name string) {
	b.t.Helper()
	if *shots == "" {
		return
	}
	time.Sleep(300 * time.Millisecond) // animations have ended
	var s string
	b.must("GET", "/screenshot", nil, &s)
	raw, err := base64.StdEncoding.DecodeString(s)
	if err == nil {
		err = os.WriteFile(filepath.Join(*shots, name+".png"), raw, 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// TestPictures saves pictures for people to look at; they are not compared.
func TestPictures(t *testing.T) {
	if *shots == "" {
		t.Log("pictures are kept with -shots FOLDER")
		return
	}
	url := serve(t, own())
	load := func(b *browser, position string) {
		b.click("#files")
		b.choose("#pos", position)
		b.click("#load")
		b.wait("the dialog closes", `!document.getElementById('files-dialog').open`)
		b.settle()
		b.js(`document.getElementById('toast').hidden = true`, nil)
	}
	b := startBrowser(t, view{width: 1200, height: 900})
	b.visit(url)
	b.shot("empty")
	b.choose("#time", "1")
	b.choose("#level", "10")
	b.newGame(choice{side: "none"})
	b.wait("the game ends", `document.getElementById('banner').className`)
	b.settle()
	game := b.moves()
	t.Log(game)
	b.choose("#player-black select", "-1")
	b.settle()
	b.shot("won")
	b.js(`document.getElementById('toast').hidden = true; document.getElementById('first').click();
		for (let k = 0; k < 9; k++) document.getElementById('next').click()`, nil)
	b.settle()
	b.click("#numbers")
	b.shot("numbers")
	b.click("#numbers")
	b.click("#analyse")
	b.wait("several lines", `document.querySelectorAll('#lines button').length >= 4`)
	time.Sleep(4 * time.Second)
	b.shot("analysis")
	b.click("#analyse")
	b.click("#threats")
	b.settle()
	b.shot("threats")
	for _, dialog := range []string{"help", "files", "new"} {
		b.click("#" + dialog)
		b.shot(dialog)
		b.click("#" + dialog + "-dialog .end button")
	}
	b.newGame(choice{side: "both", rule: "4", size: "19"})
	load(b, "j10a1j9a3k11a5i11")
	b.shot("renju")

	p := startBrowser(t, view{width: 375, height: 740, scale: 2})
	p.visit(url)
	load(p, game)
	p.choose("#player-white select", "0")
	p.settle()
	p.click("#theme")
	p.shot("phone-dark")
	p.choose("#language", "zh")
	p.js(`window.scrollTo(0, 9999)`, nil)
	p.shot("phone-bottom")
}

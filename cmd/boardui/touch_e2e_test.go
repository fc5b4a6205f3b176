//go:build e2e

package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"math"
	"testing"
	"time"
)

// A spot is a place in the window, in pixels of the page.
type spot struct{ X, Y float64 }

// spotOf is the middle of an element.
func (b *browser) spotOf(css string) (p spot) {
	b.t.Helper()
	b.js(`const r = document.querySelector(arguments[0]).getBoundingClientRect(); return {X: r.left + r.width / 2, Y: r.top + r.height / 2}`, &p, css)
	return p
}

// touch sends what a screen tells of fingers: touchStart, touchMove, touchEnd, with where they are.
func (b *browser) touch(kind string, fingers ...spot) {
	b.t.Helper()
	b.touched = true
	list := []any{}
	for _, p := range fingers {
		list = append(list, map[string]any{"x": p.X, "y": p.Y})
	}
	b.devtools("Input.dispatchTouchEvent", map[string]any{"type": kind, "touchPoints": list})
}

// drag moves the finger from one spot to another in steps.
func (b *browser) drag(from, to spot, steps int) {
	b.t.Helper()
	for i := range steps {
		f := float64(i+1) / float64(steps)
		b.touch("touchMove", spot{from.X + (to.X-from.X)*f, from.Y + (to.Y-from.Y)*f})
	}
}

// quickly calls f while the timers of the page wait fifty times as long: what a finger does in f is
// quick to the page, however slow the machine is.
func (b *browser) quickly(f func()) {
	b.t.Helper()
	b.js(`window.timer = window.setTimeout; window.setTimeout = (f, ms, ...args) => window.timer(f, 50 * ms, ...args)`, nil)
	f()
	b.js(`window.setTimeout = window.timer`, nil)
}

// slide rests a finger in the middle of an element, slides it to another and lifts it there; between
// is called before that.
func (b *browser) slide(from, to string, between func()) {
	b.t.Helper()
	p, q := b.spotOf(from), b.spotOf(to)
	b.touch("touchStart", p)
	b.wait("the lens of a finger at rest", `getComputedStyle(document.getElementById('lens')).display === 'block'`)
	b.drag(p, q, 4)
	between()
	b.touch("touchEnd")
}

// picture is what a part of the window shows, of pixels of the page.
func (b *browser) picture(left, top, width, height float64) image.Image {
	b.t.Helper()
	var s struct{ Data string }
	b.must("POST", "/goog/cdp/execute", map[string]any{"cmd": "Page.captureScreenshot", "params": map[string]any{
		"clip": map[string]any{"x": left, "y": top, "width": width, "height": height, "scale": 1}}}, &s)
	raw, err := base64.StdEncoding.DecodeString(s.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		b.t.Fatal(err)
	}
	return picture
}

// dark is the share of a picture's pixels that are darker than a level of 0 to 255.
func dark(m image.Image, level uint32) float64 {
	n, box := 0, m.Bounds()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			r, g, bl, _ := m.At(x, y).RGBA()
			if (299*r+587*g+114*bl)/1000>>8 < level {
				n++
			}
		}
	}
	return float64(n) / float64(box.Dx()*box.Dy())
}

type box struct{ Left, Top, Width, Height float64 }

func (b *browser) box(css string) (r box) {
	b.t.Helper()
	b.js(`const r = document.querySelector(arguments[0]).getBoundingClientRect(); return {Left: r.left, Top: r.top, Width: r.width, Height: r.height}`, &r, css)
	return r
}

// A finger that rests shows, under a lens beside it, the stone that it places where it is lifted.
func TestFingerSlidesUnderALens(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, view{width: 360, height: 740, scale: 2})
	b.visit(serve(t, standard()...))
	b.slide(b.cell("h8"), b.cell("k11"), func() {
		b.wait("the stone under the finger", `(() => { const s = document.querySelector('#g-touch .hover.black'); return s?.getAttribute('cx') === '10' && s.getAttribute('cy') === '10'; })()`)
		lens, cell := b.box("#lens"), b.box(b.cell("k11"))
		if lens.Width < 100 || lens.Height < 100 {
			t.Fatalf("the lens is %.0f x %.0f pixels", lens.Width, lens.Height)
		}
		b.expect("how the lens is shown", b.text(`(() => { const s = getComputedStyle(document.getElementById('lens')); return s.display + ' ' + s.visibility; })()`), "block visible")
		if lens.Left < 0 || lens.Top < 0 || lens.Left+lens.Width > 360 || lens.Top < cell.Top+cell.Height && lens.Top+lens.Height > cell.Top {
			t.Errorf("the lens lies at %+v, the finger on %+v", lens, cell)
		}
		// In its middle it has the half transparent stone, around that wood with dark lines.
		inside := b.picture(lens.Left+lens.Width*0.2, lens.Top+lens.Height*0.2, lens.Width*0.6, lens.Height*0.6)
		if share := dark(inside, 60); share > 0.5 {
			t.Errorf("%.0f%% of the lens is black", 100*share)
		}
		middle := b.picture(lens.Left+lens.Width*0.42, lens.Top+lens.Height*0.42, lens.Width*0.16, lens.Height*0.16)
		if share := dark(middle, 130); share < 0.5 {
			t.Errorf("only %.0f%% of the middle of the lens is dark: it has no stone", 100*share)
		}
		b.shot("lens")

		// A word of an engine or of the server draws the page anew.
		b.js(`return import(new URL('state.js', location.href)).then((m) => { m.changed(); })`, nil)
		b.expect("the cross after a redraw", b.text(`document.querySelectorAll('#g-touch .cross').length`), "1")
	})
	b.wait("the answer", `document.querySelectorAll('#g-stones .stone').length === 2`)
	b.settle()
	b.expect("lifting it places the stone", b.moves(), "k11a1")
	b.expect("how the lens is shown", b.text(`getComputedStyle(document.getElementById('lens')).display`), "none")
	b.slide(b.cell("h8"), "#ply", func() { // some browsers do not say that a finger asks for a menu
		b.js(`document.getElementById('board').dispatchEvent(new MouseEvent('contextmenu', {bubbles: true, cancelable: true}))`, nil)
	})
	b.settle()
	b.expect("a finger lifted beside the board places nothing", b.moves(), "k11a1")

	b.js(`document.getElementById('confirm').click()`, nil) // the driver loses a tap after touches that it did not send
	b.tap(b.cell("h8"))
	b.settle()
	b.expect("one tap", b.moves(), "k11a1")
	b.expect("the note", b.text(`document.querySelector('#toast span').textContent`), "Tap h8 again to place the stone")
	b.tap(b.cell("h9"))
	b.tap(b.cell("h9"))
	b.wait("the answer", `document.querySelectorAll('#g-stones .stone').length === 4`)
	b.settle()
	b.expect("two taps", b.moves(), "k11a1h9c1")

	// Notes cover neither the header nor the board.
	b.tap(b.cell("h9"))
	b.tap(b.cell("h9"))
	b.wait("a note", `!document.getElementById('toast').hidden`)
	var covers bool
	b.js(`const n = document.getElementById('toast').getBoundingClientRect();
		return ['header', '#frame', '#banner'].some((css) => { const r = document.querySelector(css).getBoundingClientRect(); return n.top < r.bottom && n.bottom > r.top; })`, &covers)
	if covers {
		t.Error("a note covers the header or the board")
	}
	b.quiet()
}

// A flick scrolls the page, in whatever direction, places no stone and does not leave the page; a tap
// places one, and two fingers do not.
func TestFlickPlacesNoStone(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, view{width: 360, height: 740, scale: 2})
	b.visit(serve(t, standard()...))
	middle := b.spotOf(b.cell("h8"))
	for _, by := range []spot{{0, -200}, {0, 100}, {90, 0}, {0, -14}} {
		b.js(`window.scrollTo(0, 0)`, nil)
		b.quickly(func() {
			b.touch("touchStart", middle)
			b.drag(middle, spot{middle.X + by.X, middle.Y + by.Y}, 1+int(math.Abs(by.X+by.Y)/25))
			b.expect(fmt.Sprint("the lens during a flick by ", by), b.text(`getComputedStyle(document.getElementById('lens')).display`), "none")
			b.touch("touchEnd")
		})
		b.settle()
		b.expect(fmt.Sprint("stones after a flick by ", by), fmt.Sprint(b.stones()), "0")
		if by.Y == -200 {
			b.wait("the page has scrolled", `scrollY > 50`)
		}
	}
	b.js(`window.scrollTo(0, 0); window.stays = true`, nil)
	for range 3 { // half the width at once, as goes back in the history of a page that lets it
		b.touch("touchStart", middle)
		b.touch("touchMove", spot{middle.X + 170, middle.Y})
		b.touch("touchEnd")
		time.Sleep(700 * time.Millisecond)
		b.expect("the page after a flick to the right", b.text(`String(window.stays)`), "true")
	}
	other := spot{middle.X + 60, middle.Y + 60}
	b.touch("touchStart", middle)
	b.touch("touchStart", middle, other)
	time.Sleep(400 * time.Millisecond)
	b.touch("touchEnd", middle)
	b.touch("touchEnd")
	b.settle()
	b.expect("stones after two fingers", fmt.Sprint(b.stones()), "0")

	b.quickly(func() {
		b.touch("touchStart", middle)
		b.touch("touchMove", spot{middle.X + 3, middle.Y - 3}) // no finger is still
		b.touch("touchEnd")
	})
	b.wait("the answer to a tap", `document.querySelectorAll('#g-stones .stone').length === 2`)
	b.settle()
	b.expect("a tap", b.moves(), "h8a1")
	b.quiet()
}

// What a phone shows on the board is large enough to be read, also after it was turned.
func TestLettersOnTheBoardOfAPhone(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, own()))
	size := func(css string) (px float64) {
		b.js(`const list = [...document.querySelectorAll(arguments[0])].filter((e) => getComputedStyle(e).display !== 'none');
			return Math.min(99, ...list.map((e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a))`, &px, css)
		return px
	}
	b.newGame(choice{side: "both"})
	b.place("h8", "i9", "h9", "h10", "i8")
	b.analyze()
	b.wait("a score", `document.querySelectorAll('#g-above .badge-text').length > 4`)
	b.click("#start")
	for _, v := range []view{desktop, {width: 360, height: 740, scale: 2}, {width: 740, height: 360, scale: 2}, {width: 412, height: 800, scale: 2}} {
		b.resize(v)
		b.wait("the board has its new size", `document.getElementById('wood').width > 0`)
		b.settle() // after a frame with the new size
		for what, least := range map[string]float64{"#drawing .label": 8.3, "#drawing .badge-text": 8} {
			if got := size(what); got < least {
				t.Errorf("%d x %d: %s has %.1f pixels, want %.1f", v.width, v.height, what, got, least)
			}
		}
		b.shot(fmt.Sprint("badges-", v.width))
	}
	b.quiet()
}

// differ counts the pixels that are not the same in two pictures, give or take what smoothing does.
func differ(a, b image.Image) (n int) {
	box := a.Bounds()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if max(r1, r2)-min(r1, r2) > 0x2000 || max(g1, g2)-min(g1, g2) > 0x2000 || max(b1, b2)-min(b1, b2) > 0x2000 {
				n++
			}
		}
	}
	return n
}

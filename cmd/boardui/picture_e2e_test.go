//go:build e2e

package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"testing"
)

// looks says whether the pixel in the middle of a cell of a picture is black, white or wood; the
// stone's center may have a mark, so it looks beside it.
func looks(m image.Image, columns, x, y int) string {
	size := float64(m.Bounds().Dx()) / (float64(columns) - 1 + 2*1.02)
	px, py := int((1.02+float64(x)+0.3)*size), int((1.02+float64(y)+0.25)*size)
	c := color.GrayModel.Convert(m.At(px, py)).(color.Gray)
	switch {
	case c.Y < 80:
		return "black"
	case c.Y > 210:
		return "white"
	}
	return "wood"
}

func TestPicturesOfTheGame(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, desktop)
	b.visit(serve(t, engines()...))
	b.newGame(choice{side: "both"})
	b.place("h8", "c3", "h9", "d4", "h10", "e5", "h11")
	b.dialog("files")
	still, err := png.Decode(bytes.NewReader(b.download("#save-png", "*-7.png")))
	if err != nil {
		t.Fatal(err)
	}
	moving, err := gif.DecodeAll(bytes.NewReader(b.download("#save-gif", "*.gif")))
	if err != nil {
		t.Fatal(err)
	}
	if len(moving.Image) != 8 || moving.LoopCount != 0 {
		t.Errorf("the GIF has %d frames, loop %d, want 8 and 0", len(moving.Image), moving.LoopCount)
	}
	whole := image.NewRGBA(image.Rect(0, 0, moving.Config.Width, moving.Config.Height))
	for i, frame := range moving.Image {
		draw.Draw(whole, frame.Bounds(), frame, frame.Bounds().Min, draw.Over)
		want := map[int]string{0: "wood", 2: "white", 7: "white"}[i]
		if want == "" {
			continue
		}
		if got := looks(whole, 15, 2, 2); got != want {
			t.Errorf("frame %d has %s on c3, want %s", i, got, want)
		}
	}
	for _, at := range []struct {
		x, y int
		want string
	}{{7, 7, "black"}, {7, 10, "black"}, {4, 4, "white"}, {0, 0, "wood"}, {10, 10, "wood"}} {
		if p, g := looks(still, 15, at.x, at.y), looks(whole, 15, at.x, at.y); p != at.want || g != at.want {
			t.Errorf("column %d, row %d: PNG %s, GIF %s, want %s", at.x, at.y, p, g, at.want)
		}
	}
	b.js(`document.getElementById('files-dialog').close()`, nil)

	// Rotate and mirror, with what is in the tree.
	b.click("#rotate")
	b.settle()
	b.expect("rotated", b.moves(), "h8m3g8l4f8k5e8")
	b.click("#mirror")
	b.settle()
	b.expect("and mirrored", b.moves(), "h8c3i8d4j8e5k8")
	for range 3 {
		b.click("#rotate")
		b.settle()
	}
	b.click("#mirror")
	b.click("#rotate")
	b.click("#rotate")
	b.settle()
	b.expect("all the way round", b.moves(), "h8c3h9d4h10e5h11")
	b.quiet()
}

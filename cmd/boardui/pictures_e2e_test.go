//go:build e2e

package main

import (
	"encoding/base64"
	"flag"
	"os"
	"path/filepath"
	"time"
)

var shots = flag.String("shots", "", "keep pictures of the page in this folder")

// shot keeps a picture of the window in the folder of the flag -shots.
func (b *browser) shot(name string) {
	b.t.Helper()
	if *shots == "" {
		return
	}
	b.capture(name, false)
}

// capture keeps a picture of the window, or of the whole page.
func (b *browser) capture(name string, whole bool) {
	b.t.Helper()
	time.Sleep(300 * time.Millisecond) // animations have ended
	var s struct{ Data string }
	b.must("POST", "/goog/cdp/execute", map[string]any{"cmd": "Page.captureScreenshot", "params": map[string]any{"captureBeyondViewport": whole}}, &s)
	raw, err := base64.StdEncoding.DecodeString(s.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(*shots, name+".png"), raw, 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

var widths = []view{{width: 360, height: 740, scale: 2}, {width: 768, height: 1024, scale: 1}, {width: 1440, height: 900}}

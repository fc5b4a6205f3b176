package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Started by a double click, the program opens the page with the browser of the desktop.
func TestBrowserIsOpened(t *testing.T) {
	folder := t.TempDir()
	asked := filepath.Join(folder, "asked")
	script := "#!/bin/sh\nprintf '%s' \"$1\" > " + asked + ".part && mv " + asked + ".part " + asked + "\n"
	if err := os.WriteFile(filepath.Join(folder, "xdg-open"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("DISPLAY", ":7")
	_, out := start(t, "-addr", "127.0.0.1:0", "-threads", "1")
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		url, err := os.ReadFile(asked)
		if err == nil {
			if !strings.HasPrefix(string(url), "http://127.0.0.1:") || !strings.HasSuffix(line, string(url)+"\n") {
				t.Errorf("the browser opens %q, the program says %q", url, line)
			}
			return
		}
		if time.Now().After(end) {
			t.Fatal("no browser is opened")
		}
	}
}

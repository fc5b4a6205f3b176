package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fakeBrowser takes the place of the browser of the desktop. It returns what waits for the URL
// that the browser is to open.
func fakeBrowser(t *testing.T) (opened func() string) {
	folder := t.TempDir()
	asked := filepath.Join(folder, "asked")
	script := "#!/bin/sh\nprintf '%s' \"$1\" > " + asked + ".part && mv " + asked + ".part " + asked + "\n"
	if err := os.WriteFile(filepath.Join(folder, "xdg-open"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("DISPLAY", ":7")
	return func() string {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			if url, err := os.ReadFile(asked); err == nil {
				return string(url)
			}
		}
		t.Fatal("no browser is opened")
		return ""
	}
}

// Started by a double click, the program opens the page with the browser of the desktop.
func TestBrowserIsOpened(t *testing.T) {
	opened := fakeBrowser(t)
	_, out := start(t, "-addr", "127.0.0.1:0", "-threads", "1")
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if url := opened(); !strings.HasPrefix(url, "http://127.0.0.1:") || !strings.HasSuffix(line, url+"\n") {
		t.Errorf("the browser opens %q, the program says %q", url, line)
	}
}

// Started by another one, it opens the page of the program that is running.
func TestBrowserIsOpenedAgain(t *testing.T) {
	_, out := start(t, "-open=false", "-threads", "1", "-data", "none")
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	opened := fakeBrowser(t)
	start(t, "-threads", "1", "-data", "none")
	if url := opened(); !strings.HasSuffix(line, " "+url+"\n") {
		t.Errorf("the browser opens %q, the first program said %q", url, line)
	}
}

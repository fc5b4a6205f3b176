//go:build !js

package main

import (
	"bufio"
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/database"
)

// The program writes nothing outside of its data folder, whatever a page asks for.
func TestNothingIsWrittenElsewhere(t *testing.T) {
	root := t.TempDir()
	var environment []string
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "APPDATA", "TMPDIR", "TMP", "TEMP"} {
		folder := filepath.Join(root, strings.ToLower(name))
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		environment = append(environment, name+"="+folder)
	}
	work, data := filepath.Join(root, "work"), filepath.Join(root, "data")
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-addr", "127.0.0.1:0", "-open=false", "-threads", "1", "-data", data)
	cmd.Dir, cmd.Env = work, append(append(os.Environ(), mainVar+"=1"), environment...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	line, err := bufio.NewReader(out).ReadString('\n')
	_, url, found := strings.Cut(strings.TrimSpace(line), "http://")
	if err != nil || !found {
		t.Fatalf("its output is %q, %v", line, err)
	}
	url = "http://" + strings.TrimSuffix(url, "/")

	d := database.New()
	b, _ := board.New(board.Renju, 15, 15)
	b.Play(board.At(7, 7))
	if err := d.Set(b, database.NewRecord(database.Win, 100, 12, database.Exact), database.Whole); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := d.Write(&file); err != nil {
		t.Fatal(err)
	}
	asked := slices.Concat(requests, []struct{ path, body string }{
		{"/api/feed?game=game-of-a-test&rule=4", file.String()},
		{"/api/feed?game=../../escape-of-a-test&rule=4", file.String()},
		{"/api/save", `{"game":"../../escape-of-a-test","format":"../sgf","outcome":"","tree":{"game":1,"width":9,"height":9,"rule":0,"root":{}}}`},
		{"/../../escape", "x"},
		{"/api/quit", `{"game":"game-of-a-test"}`},
	})
	for _, to := range asked {
		r, err := http.NewRequest("POST", url+to.path, strings.NewReader(to.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", url)
		r.Header.Set("Content-Type", "application/json")
		if strings.HasPrefix(to.path, "/api/feed") {
			r.Header.Set("Content-Type", "application/octet-stream")
		}
		if to.path == "/api/analyze" { // which never ends
			continue
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(to.path, err)
		}
		response.Body.Close()
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	var written []string
	if err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			name, err = filepath.Rel(root, name)
			written = append(written, filepath.ToSlash(name))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"data/" + dataFile}; !slices.Equal(written, want) {
		t.Errorf("it wrote %q, want %q", written, want)
	}
}
